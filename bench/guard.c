// guard.c - one piece of work, for instructions to be counted: guard CASE
//
// Counted is what happens inside guard_measured, and that once, after everything was done once
// before: valgrind --tool=callgrind --toggle-collect=guard_measured (see guard.py).
#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/isa.h"
#include "linalg/linsol.h"
#include "linsol_matrix.h"

// ---- linear solver: matrices of linsol_matrix.c, values unsymmetric

typedef struct Linsol {
    CdContext *ctx;
    BenchMatrix a;
    CdLinsol *s;
    double *x;
} Linsol;

enum { CHAIN, ROBOTS, TRIDIAGONAL };

static bool make_matrix(Linsol *m, int variant) {
    switch (variant) {
    case CHAIN: return bench_net(m->ctx, BENCH_TANGENT, 40, &m->a);
    case ROBOTS: return bench_net(m->ctx, BENCH_ROBOTS, 60, &m->a);
    default: return bench_tridiagonal(m->ctx, 1000, &m->a);
    }
}

static void close_linsol(void *data) {
    Linsol *m = data;
    cdi_linsol_free(m->s);
    bench_matrix_free(m->ctx, &m->a);
    cd_context_free(m->ctx);
    free(m->x);
    free(m);
}

static bool factor(void *data) {
    Linsol *m = data;
    return cdi_linsol_factor(m->s) == CD_OK;
}

static bool solve(void *data) {
    Linsol *m = data;
    return cdi_linsol_solve(m->s, 1, m->x, m->a.n, false) == CD_OK;
}

static void *open_linsol(int variant) {
    Linsol *m = calloc(1, sizeof *m);
    const CdLinsolClass *cls;
    if (!m) return NULL;
    m->ctx = cd_context_new(NULL);
    bool ok = m->ctx && make_matrix(m, variant);
    const CdLinsolSetup setup = {.group = m->a.group};
    ok = ok && cdi_linsol_find(m->ctx, "native", &cls) == CD_OK &&
         cdi_linsol_new(m->ctx, cls, m->a.p, &setup, &m->s) == CD_OK;
    if (ok) cdi_linsol_set(m->s, m->a.v);
    m->x = calloc((size_t)m->a.n + 1, sizeof *m->x);
    ok = ok && m->x && factor(m);
    for (int i = 0; ok && i < m->a.n; i++) m->x[i] = 1;
    if (ok) return m;
    close_linsol(m);
    return NULL;
}

static const GuardCase cases[] = {
    {"native_factor_chain", open_linsol, factor, close_linsol, CHAIN},
    {"native_solve_chain", open_linsol, solve, close_linsol, CHAIN},
    {"native_factor_robots", open_linsol, factor, close_linsol, ROBOTS},
    {"native_solve_robots", open_linsol, solve, close_linsol, ROBOTS},
    {"native_factor_tridiagonal", open_linsol, factor, close_linsol, TRIDIAGONAL},
    {"native_solve_tridiagonal", open_linsol, solve, close_linsol, TRIDIAGONAL},
};

// ----

__attribute__((noinline)) bool guard_measured(const GuardCase *c, void *data);
bool guard_measured(const GuardCase *c, void *data) {
    const bool ok = c->run(data);
    // not a jump to run, whose return would not be seen as that of this function
    __asm__ volatile("");
    return ok;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--isa") == 0) return puts(cdi_isa_name(cdi_isa())) < 0;
    for (size_t k = 0; argc == 2 && k < sizeof cases / sizeof *cases; k++) {
        if (strcmp(argv[1], cases[k].name) != 0) continue;
        void *data = cases[k].open(cases[k].variant);
        const bool ok = data && cases[k].run(data) && guard_measured(&cases[k], data);
        if (data) cases[k].close(data);
        return ok ? 0 : 1;
    }
    fprintf(stderr, "usage: guard CASE; cases are in bench/guard.txt\n");
    return 2;
}
