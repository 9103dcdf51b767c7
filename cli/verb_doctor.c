// verb_doctor.c - cardan doctor: what is built in, what is missing and which package brings it
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if CARDAN_SUITESPARSE
#include <suitesparse/klu.h>
#endif
#if CARDAN_SUNDIALS
#include <sundials/sundials_config.h>
#endif

#include "base/cpu.h"
#include "base/isa.h"
#include "base/libraries.h"
#include "cli.h"
#include "integrators/integrator.h"
#include "results/export.h"

#if CARDAN_LAPACK
void ilaver_(int *major, int *minor, int *patch);
#endif

// programs that are called or serve those who work on cardan; Debian names of packages
typedef struct Tool {
    const char *command, *purpose, *package;
} Tool;
static const Tool tools[] = {{"man", "manual pages: man cardan-run", "man-db"},
                             {"python3", "tests and ./do", "python3"},
                             {"cc", "building", "gcc libc6-dev"},
                             {"cmake", "building", "cmake"},
                             {"ninja", "building", "ninja-build"},
                             {"clang", "second compiler, fuzzing", "clang libclang-rt-14-dev"},
                             {"clang-format", "./do format, ./do lint", "clang-format"},
                             {"shellcheck", "./do lint", "shellcheck"},
                             {"git", "./do format, ./do lint", "git"},
                             {"npm", "building the 3D viewer", "npm"},
                             {"chromium", "tests of the 3D viewer", "chromium"},
                             {0}};

// ---- what is there

static const char *const compiler =
#if defined(__clang__)
    "clang " __clang_version__;
#elif defined(__GNUC__)
    "gcc " __VERSION__;
#else
    "unknown";
#endif

// of a library that is here, or ""
#define VERSION_MAX 64
static const char *version_of(const CdLibrary *l, char text[VERSION_MAX]) {
    text[0] = 0;
#if CARDAN_LAPACK
    int major, minor, patch;
    ilaver_(&major, &minor, &patch);
    if (strcmp(l->name, "LAPACK") == 0) {
        snprintf(text, VERSION_MAX, "%d.%d.%d", major, minor, patch);
    }
#endif
#if CARDAN_SUITESPARSE
    if (strcmp(l->name, "SuiteSparse") == 0) {
        snprintf(text, VERSION_MAX, "%d.%d.%d", SUITESPARSE_MAIN_VERSION, SUITESPARSE_SUB_VERSION,
                 SUITESPARSE_SUBSUB_VERSION);
    }
#endif
#if CARDAN_SUNDIALS
    if (strcmp(l->name, "SUNDIALS") == 0) snprintf(text, VERSION_MAX, "%s", SUNDIALS_VERSION);
#endif
    (void)l;
    return text;
}

// is there a program of that name on PATH?
static bool found(const char *command) {
    const char *path = getenv("PATH");
    while (path && *path) {
        char file[4096];
        const int n = (int)strcspn(path, ":");
        const int size = snprintf(file, sizeof file, "%.*s/%s", n, path, command);
        if (size < (int)sizeof file && access(file, X_OK) == 0) return true;
        path += n + (path[n] == ':');
    }
    return false;
}

// ---- as text

static void print_names(const char *title, const char *name, bool first) {
    if (first) printf("%-12s%s", title, name);
    if (!first) printf(" %s", name);
}

static void print_libraries(void) {
    char version[VERSION_MAX];
    const char *title = "libraries";
    for (const CdLibrary *l = cdi_libraries; l->name; l++) {
        if (!l->here) continue;
        printf("%-12s%s %s: %s\n", title, l->name, version_of(l, version), l->purpose);
        title = "";
    }
    printf("%-12s%s\n", title, cli_linked_static ? "linked into the program" : "shared");
}

// left out when this was built
static bool print_left_out(void) {
    bool any = false;
    for (const CdLibrary *l = cdi_libraries; l->name; l++) {
        if (l->here) continue;
        printf("%-12s%s, for %s; install %s and build anew\n", any ? "" : "missing", l->name,
               l->purpose, l->packages);
        any = true;
    }
    return any;
}

static void print_tools(bool any) {
    for (const Tool *t = tools; t->command; t++) {
        if (found(t->command)) continue;
        printf("%-12s%s, for %s; install %s\n", any ? "" : "missing", t->command, t->purpose,
               t->package);
        any = true;
    }
    if (!any) printf("%-12s%s\n", "missing", "nothing");
}

static int print(void) {
    printf("%-12s%s, %s, %s\n", "cardan", CD_VERSION, CARDAN_BUILD_TYPE, compiler);
    printf("%-12s%s instructions, %d processor%s\n", "machine", cdi_isa_name(cdi_isa()),
           cdi_cpu_count(), cdi_cpu_count() == 1 ? "" : "s");
    for (int i = 0; cd_integrator_name(i); i++) {
        print_names("integrators", cd_integrator_name(i), i == 0);
    }
    putchar('\n');
    for (const CdLinsolClass *const *c = cd_linsol_classes; *c; c++) {
        print_names("linsols", (*c)->desc.name, c == cd_linsol_classes);
    }
    putchar('\n');
    for (const CdExportClass *const *c = cd_exports; *c; c++) {
        print_names("exports", (*c)->name, c == cd_exports);
    }
    putchar('\n');
    print_libraries();
    print_tools(print_left_out());
    return CLI_OK;
}

// ---- as JSON

static void write_libraries(CdJsonWriter *w) {
    char version[VERSION_MAX];
    cdi_json_key(w, "libraries");
    cdi_json_begin_array(w, false);
    for (const CdLibrary *l = cdi_libraries; l->name; l++) {
        cdi_json_begin_object(w);
        cdi_json_key_text(w, "name", l->name);
        cdi_json_key_bool(w, "here", l->here);
        cdi_json_key_text(w, "version", version_of(l, version));
        cdi_json_key_text(w, "purpose", l->purpose);
        cdi_json_key_text(w, "packages", l->packages);
        cdi_json_end_object(w);
    }
    cdi_json_end_array(w);
}

static void write_tools(CdJsonWriter *w) {
    cdi_json_key(w, "tools");
    cdi_json_begin_array(w, false);
    for (const Tool *t = tools; t->command; t++) {
        cdi_json_begin_object(w);
        cdi_json_key_text(w, "command", t->command);
        cdi_json_key_text(w, "purpose", t->purpose);
        cdi_json_key_text(w, "package", t->package);
        cdi_json_key_bool(w, "found", found(t->command));
        cdi_json_end_object(w);
    }
    cdi_json_end_array(w);
}

static void write_all(CdJsonWriter *w) {
    cdi_json_key_text(w, "cardan", CD_VERSION);
    cdi_json_key_text(w, "build", CARDAN_BUILD_TYPE);
    cdi_json_key_text(w, "compiler", compiler);
    cdi_json_key_text(w, "instructions", cdi_isa_name(cdi_isa()));
    cdi_json_key_integer(w, "processors", cdi_cpu_count());
    cdi_json_key(w, "integrators");
    cdi_json_begin_array(w, true);
    for (int i = 0; cd_integrator_name(i); i++) cdi_json_string(w, cd_integrator_name(i));
    cdi_json_end_array(w);
    cdi_json_key(w, "linsols");
    cdi_json_begin_array(w, true);
    for (const CdLinsolClass *const *c = cd_linsol_classes; *c; c++) {
        cdi_json_string(w, (*c)->desc.name);
    }
    cdi_json_end_array(w);
    cdi_json_key(w, "exports");
    cdi_json_begin_array(w, true);
    for (const CdExportClass *const *c = cd_exports; *c; c++) cdi_json_string(w, (*c)->name);
    cdi_json_end_array(w);
    write_libraries(w);
    cdi_json_key_bool(w, "static", cli_linked_static);
    write_tools(w);
}

static int run(Cli *cli) {
    if (!cli->json) return print();
    write_all(&cli->w);
    return CLI_OK;
}

const CliVerb cli_doctor = {
    .name = "doctor",
    .doc = "what is built in, what is missing and which package brings it",
    .text =
        "Libraries that were missing when cardan was built, and programs that are not on PATH,\n"
        "are needed for what stands beside them only; names of packages are those of Debian.",
    .examples = "  cardan doctor",
    .run = run};
