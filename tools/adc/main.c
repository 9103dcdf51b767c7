// main.c - adc: reads kernels in a subset of C and writes their derivatives in the same subset
#include <stdlib.h>
#include <string.h>

#include "activity.h"
#include "derive.h"
#include "emit.h"
#include "parser.h"
#include "types.h"

static const char help[] =
    "adc - exact derivatives of kernels, from C to C\n"
    "\n"
    "usage: adc [options] FILE\n"
    "\n"
    "  -o FILE      write to FILE (default: <stem>.adc.h beside the source)\n"
    "  -I DIR       look for #include \"...\" in DIR too; may be repeated\n"
    "  -MF FILE     write the files that were read as a make rule\n"
    "  --complex    write the functions for complex arguments (to check by complex step)\n"
    "  --check      read and check only, write nothing\n"
    "  --stats      print the number of operations of every function\n"
    "  --help       this text\n"
    "\n"
    "Kernels stand between \"// kernel\" and \"// end kernel\"; lines \"// adc: ...\" above a "
    "kernel\n"
    "say what to derive:\n"
    "\n"
    "  // adc: jac = jacobian(c; a, b)         c and dc/d(a, b)\n"
    "  // adc: vel = along(c; a, b, t = 1)     dc/d(a, b) v + dc/dt\n"
    "  // adc: acc = along(vel; a, b, t = 1)   second order along v and t\n"
    "  // adc: react = transpose(c; a, b)      (dc/d(a, b))^T lambda\n"
    "  // adc: force = gradient(energy; x)     of a single number\n"
    "  // adc: joint(c; a, b, t = 1)           all of these and their Jacobians\n"
    "  // adc: lanes(jac, vel)                 also eight items at a time\n"
    "  // adc: move(Frame)                     the kernel below moves a Frame by increments\n"
    "  // adc: partials(f_x, f_y)              derivatives of the extern function below\n"
    "\n"
    "docs/adc.md has the subset, an example and the limits.\n";

typedef struct Options {
    const char *input, *output, *depfile;
    const char *dirs[32];
    int ndir;
    bool complex_shape, check, stats;
} Options;

static int usage(const char *text, const char *what) {
    fprintf(stderr, "adc: %s%s; see adc --help\n", text, what);
    return 2;
}

// 0 to go on, 1 after --help, 2 after a message
static int parse_options(int argc, char **argv, Options *o) {
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(a, "--help") == 0) {
            fputs(help, stdout);
            return 1;
        }
        if (strcmp(a, "--complex") == 0) {
            o->complex_shape = true;
        } else if (strcmp(a, "--check") == 0) {
            o->check = true;
        } else if (strcmp(a, "--stats") == 0) {
            o->stats = true;
        } else if (strcmp(a, "-o") == 0 || strcmp(a, "-I") == 0 || strcmp(a, "-MF") == 0) {
            if (!value) return usage("no value behind ", a);
            i++;
            if (a[1] == 'o') o->output = value;
            if (a[1] == 'M') o->depfile = value;
            if (a[1] == 'I' && o->ndir == 32) return usage("too many ", "-I");
            if (a[1] == 'I') o->dirs[o->ndir++] = value;
        } else if (a[0] == '-') {
            return usage("unknown option ", a);
        } else if (o->input) {
            return usage("more than one file: ", a);
        } else {
            o->input = a;
        }
    }
    return o->input ? 0 : usage("no file", "");
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *stem_of(Mem *mem, const char *path) {
    const char *base = base_name(path), *dot = strchr(base, '.');
    return mem_copy(mem, base, dot ? (size_t)(dot - base) : strlen(base));
}

static bool write_file(const char *path, const char *text, size_t n) {
    FILE *f = fopen(path, "wb");
    if (!f) return false;
    const bool ok = fwrite(text, 1, n, f) == n;
    return fclose(f) == 0 && ok;
}

static bool write_depfile(const Options *o, const Unit *u, const char *target) {
    Text t = {.mem = u->mem};
    text_add(&t, "%s:", target);
    for (int i = 0; i < u->files.n; i++) text_add(&t, " \\\n  %s", u->files.at[i]);
    text_add(&t, "\n");
    return write_file(o->depfile, t.at, t.n);
}

static void derive_all(Unit *u, Programs *programs) {
    collect_moves(u);
    for (int i = 0; i < u->functions.n && !message_full(u->m); i++) {
        if (!u->functions.at[i]->from_include) derive(u, u->functions.at[i], programs);
    }
}

// operations of every function as it will be written
static void print_stats(const Programs *programs) {
    for (int i = 0; i < programs->n; i++) {
        const Program *p = programs->at[i];
        LIST(int) roots = {0};
        for (int k = 0; k < p->outs.n - (p->loops ? 1 : 0); k++) {
            const Output *o = &p->outs.at[k];
            for (int j = 0; j < o->n; j++) PUSH(p->g->mem, &roots, o->node[j]);
        }
        for (int k = 0; p->loops && k < p->loops->rates.n; k++) {
            PUSH(p->g->mem, &roots, p->loops->rates.at[k]);
        }
        const bool *live = liveness(p->g, roots.at, roots.n);
        int nop = 0, nfn = 0;
        for (int j = 1; j < p->g->nodes.n; j++) {
            const Op op = p->g->nodes.at[j].op;
            nop += live[j] && op >= O_NEG && op <= O_DIV;
            nfn += live[j] && (op == O_MATH || op == O_EXTERN);
        }
        printf("%s_%s: %d operations, %d functions", p->fn->name, p->name, nop, nfn);
        if (p->loops) printf(", %d loops over directions", p->loops->runs.n);
        printf("\n");
    }
}

static int write_output(const Options *o, Unit *u, const Programs *programs) {
    const char *stem = stem_of(u->mem, o->input);
    const Shape shape = o->complex_shape ? COMPLEX : SCALAR;
    const char *slash = strrchr(o->input, '/');
    const char *dir = slash ? mem_copy(u->mem, o->input, (size_t)(slash - o->input) + 1) : "";
    const char *output = o->output ? o->output : mem_text(u->mem, "%s%s.adc.h", dir, stem);
    Text t = {.mem = u->mem};
    emit_header(&t, stem, base_name(o->input), programs, shape);
    if (!write_file(output, t.at, t.n)) return usage("can not write ", output);
    if (o->depfile && !write_depfile(o, u, output)) return usage("can not write ", o->depfile);
    return 0;
}

static int run(const Options *o, Mem *mem) {
    Messages m = {.mem = mem, .out = stderr};
    Unit u = {.mem = mem, .m = &m};
    const Search search = {o->dirs, o->ndir};
    if (!parse_file(&u, &search, o->input, true, false)) return usage("can not read ", o->input);
    if (!u.lost) check_unit(&u);
    Programs programs = {0};
    if (!m.nerror) derive_all(&u, &programs);
    if (!m.nerror && !programs.n && !o->check) {
        fprintf(stderr,
                "%s:1:1: error: no directive \"// adc: ...\" in a kernel region; nothing to "
                "derive\n",
                o->input);
        return 1;
    }
    if (m.nerror) return 1;
    if (o->stats) print_stats(&programs);
    return o->check ? 0 : write_output(o, &u, &programs);
}

int main(int argc, char **argv) {
    Options o = {0};
    const int stop = parse_options(argc, argv, &o);
    if (stop) return stop == 1 ? 0 : stop;
    Mem mem = {0};
    const int code = run(&o, &mem);
    mem_free(&mem);
    return code;
}
