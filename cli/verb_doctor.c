// verb_doctor.c - cardan doctor: what is built in, what is missing and which package brings it
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>
#include <sundials/sundials_config.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/isa.h"
#include "cli.h"
#include "integrators/integrator.h"
#include "results/export.h"

void ilaver_(int *major, int *minor, int *patch);

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

typedef struct Library {
    const char *name, *purpose;
    char version[64];
} Library;
enum { NLIBRARIES = 3 };

static void libraries(Library out[NLIBRARIES]) {
    int major, minor, patch;
    out[0] = (Library){.name = "LAPACK", .purpose = "large dense matrices"};
    ilaver_(&major, &minor, &patch);
    snprintf(out[0].version, sizeof out[0].version, "%d.%d.%d", major, minor, patch);
    out[1] = (Library){.name = "KLU", .purpose = "linear solver klu"};
    snprintf(out[1].version, sizeof out[1].version, "%d.%d.%d", KLU_MAIN_VERSION, KLU_SUB_VERSION,
             KLU_SUBSUB_VERSION);
    out[2] = (Library){.name = "SUNDIALS", .purpose = "integrators cvode and ida"};
    snprintf(out[2].version, sizeof out[2].version, "%s", SUNDIALS_VERSION);
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

static void print_tools(void) {
    bool any = false;
    for (const Tool *t = tools; t->command; t++) {
        if (found(t->command)) continue;
        printf("%-12s%s, for %s; install %s\n", any ? "" : "missing", t->command, t->purpose,
               t->package);
        any = true;
    }
    if (!any) printf("%-12s%s\n", "missing", "nothing");
}

static int print(void) {
    Library all[NLIBRARIES];
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
    libraries(all);
    for (int i = 0; i < NLIBRARIES; i++) {
        printf("%-12s%s %s: %s\n", i == 0 ? "libraries" : "", all[i].name, all[i].version,
               all[i].purpose);
    }
    printf("%-12s%s\n", "", cli_linked_static ? "linked into the program" : "shared");
    print_tools();
    return CLI_OK;
}

// ---- as JSON

static void write_libraries(CdJsonWriter *w) {
    Library all[NLIBRARIES];
    libraries(all);
    cdi_json_key(w, "libraries");
    cdi_json_begin_array(w, false);
    for (int i = 0; i < NLIBRARIES; i++) {
        cdi_json_begin_object(w);
        cdi_json_key_text(w, "name", all[i].name);
        cdi_json_key_text(w, "version", all[i].version);
        cdi_json_key_text(w, "purpose", all[i].purpose);
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
    .text = "Libraries are always there. Programs on PATH are needed for what stands beside them\n"
            "only; names of packages are those of Debian.",
    .examples = "  cardan doctor",
    .run = run};
