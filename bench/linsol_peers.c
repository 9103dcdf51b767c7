// linsol_peers.c - KLU, LDL, CHOLMOD, UMFPACK, SuperLU, MUMPS: pattern once, then factor and solve
//
// LDL and CHOLMOD do not pivot: an indefinite matrix gets -1e-8 where its diagonal is zero, and a
// step of refinement with the matrix itself, as ours does. CHOLMOD, UMFPACK use the BLAS there is.
#include "linsol_peers.h"

#include <stdlib.h>
#include <string.h>

#include <suitesparse/amd.h>
#include <suitesparse/klu.h>
#ifdef HAVE_SUITESPARSE_MORE
#include <suitesparse/cholmod.h>
#include <suitesparse/ldl.h>
#include <suitesparse/umfpack.h>
#endif
#ifdef HAVE_MUMPS
#include <dmumps_c.h>
#endif

#define REGULARISED (-1e-8)

static int *ptr_of(const PeerMatrix *a) {
    return (int *)a->ptr;
}

static int *row_of(const PeerMatrix *a) {
    return (int *)a->row;
}

static double *values_of(const PeerMatrix *a) {
    return (double *)a->v;
}

// ---- KLU

typedef struct Klu {
    PeerMatrix a;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} Klu;

static void *klu_open(const PeerMatrix *a) {
    Klu *k = calloc(1, sizeof *k);
    k->a = *a;
    klu_defaults(&k->common);
    k->symbolic = klu_analyze(a->n, ptr_of(a), row_of(a), &k->common);
    k->numeric = klu_factor(ptr_of(a), row_of(a), values_of(a), k->symbolic, &k->common);
    return k;
}

static bool klu_run(void *solver, const double *b, double *x) {
    Klu *k = solver;
    const PeerMatrix *a = &k->a;
    memcpy(x, b, (size_t)a->n * sizeof *x);
    return k->numeric &&
           klu_refactor(ptr_of(a), row_of(a), values_of(a), k->symbolic, k->numeric, &k->common) &&
           klu_solve(k->symbolic, k->numeric, a->n, 1, x, &k->common);
}

static void klu_close(void *solver) {
    Klu *k = solver;
    klu_free_numeric(&k->numeric, &k->common);
    klu_free_symbolic(&k->symbolic, &k->common);
    free(k);
}

static const PeerSolver klu = {"klu", klu_open, klu_run, klu_close};

#ifdef HAVE_SUITESPARSE_MORE

// ---- without pivoting: a copy with a diagonal, and refinement

typedef struct Regular {
    PeerMatrix a;
    double *v, *r;
} Regular;

static void regular_open(Regular *g, const PeerMatrix *a) {
    g->a = *a;
    g->v = malloc((size_t)a->nnz * sizeof *g->v);
    g->r = malloc((size_t)a->n * sizeof *g->r);
}

// what a new matrix would have to go through
static void regularise(Regular *g) {
    const PeerMatrix *a = &g->a;
    memcpy(g->v, a->v, (size_t)a->nnz * sizeof *g->v);
    for (int j = 0; !a->definite && j < a->n; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            if (a->row[k] == j && g->v[k] == 0) g->v[k] = REGULARISED;
        }
    }
}

static const double *remainder_of(Regular *g, const double *b, const double *x) {
    const PeerMatrix *a = &g->a;
    memcpy(g->r, b, (size_t)a->n * sizeof *g->r);
    for (int j = 0; j < a->n; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) g->r[a->row[k]] -= a->v[k] * x[j];
    }
    return g->r;
}

static void regular_close(Regular *g) {
    free(g->v);
    free(g->r);
}

// ---- LDL

typedef struct Ldl {
    Regular g;
    int *perm, *inverse, *lp, *li, *parent, *lnz, *flag, *pattern;
    double *lx, *d, *y, *z;
} Ldl;

static void *ldl_open(const PeerMatrix *a) {
    const size_t n = (size_t)a->n;
    Ldl *s = calloc(1, sizeof *s);
    int **const ints[] = {&s->perm, &s->inverse, &s->lp,     &s->parent,
                          &s->lnz,  &s->flag,    &s->pattern};
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) *ints[k] = calloc(n + 1, sizeof(int));
    double **const reals[] = {&s->d, &s->y, &s->z};
    for (size_t k = 0; k < 3; k++) *reals[k] = calloc(n, sizeof(double));
    regular_open(&s->g, a);
    amd_order(a->n, a->ptr, a->row, s->perm, NULL, NULL);
    ldl_symbolic(a->n, ptr_of(a), row_of(a), s->lp, s->parent, s->lnz, s->flag, s->perm,
                 s->inverse);
    s->li = malloc((size_t)(s->lp[n] + 1) * sizeof *s->li);
    s->lx = malloc((size_t)(s->lp[n] + 1) * sizeof *s->lx);
    return s;
}

static void ldl_substitute(Ldl *s, const double *b, double *x) {
    const int n = s->g.a.n;
    ldl_perm(n, s->z, (double *)b, s->perm);
    ldl_lsolve(n, s->z, s->lp, s->li, s->lx);
    ldl_dsolve(n, s->z, s->d);
    ldl_ltsolve(n, s->z, s->lp, s->li, s->lx);
    ldl_permt(n, x, s->z, s->perm);
}

static bool ldl_run(void *solver, const double *b, double *x) {
    Ldl *s = solver;
    const PeerMatrix *a = &s->g.a;
    regularise(&s->g);
    if (ldl_numeric(a->n, ptr_of(a), row_of(a), s->g.v, s->lp, s->parent, s->lnz, s->li, s->lx,
                    s->d, s->y, s->pattern, s->flag, s->perm, s->inverse) != a->n) {
        return false;
    }
    ldl_substitute(s, b, x);
    if (a->definite) return true;
    ldl_substitute(s, remainder_of(&s->g, b, x), s->y);
    for (int i = 0; i < a->n; i++) x[i] += s->y[i];
    // the next factor expects zeros
    memset(s->y, 0, (size_t)a->n * sizeof *s->y);
    return true;
}

static void ldl_close(void *solver) {
    Ldl *s = solver;
    void *const all[] = {s->perm, s->inverse, s->lp, s->li, s->parent, s->lnz,
                         s->flag, s->pattern, s->lx, s->d,  s->y,      s->z};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    regular_close(&s->g);
    free(s);
}

static const PeerSolver ldl = {"ldl", ldl_open, ldl_run, ldl_close};

// ---- CHOLMOD: LDL^T by columns, or L L^T by supernodes for definite matrices

typedef struct Cholmod {
    Regular g;
    cholmod_common common;
    cholmod_sparse a; // upper triangle
    int *from;        // its values in ours
    cholmod_factor *l;
    cholmod_dense *x, *y, *e;
} Cholmod;

static void upper_triangle(Cholmod *s, const PeerMatrix *a) {
    int *p = calloc((size_t)a->n + 1, sizeof *p), *i = malloc((size_t)a->nnz * sizeof *i);
    s->from = malloc((size_t)a->nnz * sizeof *s->from);
    for (int j = 0; j < a->n; j++) {
        p[j + 1] = p[j];
        for (int k = a->ptr[j]; k < a->ptr[j + 1] && a->row[k] <= j; k++) {
            i[p[j + 1]] = a->row[k];
            s->from[p[j + 1]++] = k;
        }
    }
    s->a = (cholmod_sparse){.nrow = (size_t)a->n,
                            .ncol = (size_t)a->n,
                            .nzmax = (size_t)p[a->n],
                            .p = p,
                            .i = i,
                            .x = malloc((size_t)p[a->n] * sizeof(double)),
                            .stype = 1,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_REAL,
                            .sorted = 1,
                            .packed = 1};
}

static void *cholmod_start_with(const PeerMatrix *a, int supernodal) {
    if (supernodal == CHOLMOD_SUPERNODAL && !a->definite) return NULL;
    Cholmod *s = calloc(1, sizeof *s);
    cholmod_start(&s->common);
    s->common.print = 0;
    s->common.supernodal = supernodal;
    s->common.final_ll = supernodal == CHOLMOD_SUPERNODAL;
    s->common.nmethods = 1;
    s->common.method[0].ordering = CHOLMOD_AMD;
    regular_open(&s->g, a);
    upper_triangle(s, a);
    s->l = cholmod_analyze(&s->a, &s->common);
    return s;
}

static void *cholmod_open_simplicial(const PeerMatrix *a) {
    return cholmod_start_with(a, CHOLMOD_SIMPLICIAL);
}

static void *cholmod_open_supernodal(const PeerMatrix *a) {
    return cholmod_start_with(a, CHOLMOD_SUPERNODAL);
}

static bool cholmod_substitute(Cholmod *s, const double *b, double *x, double factor) {
    const size_t n = s->a.nrow;
    cholmod_dense rhs = {
        .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = (double *)b, .xtype = CHOLMOD_REAL};
    if (!cholmod_solve2(CHOLMOD_A, s->l, &rhs, NULL, &s->x, NULL, &s->y, &s->e, &s->common)) {
        return false;
    }
    const double *found = s->x->x;
    for (size_t i = 0; i < n; i++) x[i] = factor * x[i] + found[i];
    return true;
}

static bool cholmod_run(void *solver, const double *b, double *x) {
    Cholmod *s = solver;
    double *upper = s->a.x;
    regularise(&s->g);
    for (size_t k = 0; k < s->a.nzmax; k++) upper[k] = s->g.v[s->from[k]];
    if (!cholmod_factorize(&s->a, s->l, &s->common) || s->common.status < 0) return false;
    memset(x, 0, s->a.nrow * sizeof *x);
    if (!cholmod_substitute(s, b, x, 0)) return false;
    return s->g.a.definite || cholmod_substitute(s, remainder_of(&s->g, b, x), x, 1);
}

static void cholmod_close(void *solver) {
    Cholmod *s = solver;
    cholmod_free_factor(&s->l, &s->common);
    cholmod_free_dense(&s->x, &s->common);
    cholmod_free_dense(&s->y, &s->common);
    cholmod_free_dense(&s->e, &s->common);
    cholmod_finish(&s->common);
    free(s->a.p);
    free(s->a.i);
    free(s->a.x);
    free(s->from);
    regular_close(&s->g);
    free(s);
}

static const PeerSolver cholmod_ldl = {"cholmod_ldl", cholmod_open_simplicial, cholmod_run,
                                       cholmod_close};
static const PeerSolver cholmod_super = {"cholmod_super", cholmod_open_supernodal, cholmod_run,
                                         cholmod_close};

// ---- UMFPACK

typedef struct Umfpack {
    PeerMatrix a;
    double control[UMFPACK_CONTROL];
    void *symbolic;
} Umfpack;

static void *umfpack_open(const PeerMatrix *a) {
    Umfpack *s = calloc(1, sizeof *s);
    s->a = *a;
    umfpack_di_defaults(s->control);
    s->control[UMFPACK_IRSTEP] = 0;
    if (a->definite) s->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    umfpack_di_symbolic(a->n, a->n, a->ptr, a->row, a->v, &s->symbolic, s->control, NULL);
    return s;
}

static bool umfpack_run(void *solver, const double *b, double *x) {
    Umfpack *s = solver;
    const PeerMatrix *a = &s->a;
    void *numeric = NULL;
    bool ok = umfpack_di_numeric(a->ptr, a->row, a->v, s->symbolic, &numeric, s->control, NULL) ==
              UMFPACK_OK;
    ok = ok && umfpack_di_solve(UMFPACK_A, a->ptr, a->row, a->v, x, b, numeric, s->control, NULL) ==
                   UMFPACK_OK;
    umfpack_di_free_numeric(&numeric);
    return ok;
}

static void umfpack_close(void *solver) {
    Umfpack *s = solver;
    umfpack_di_free_symbolic(&s->symbolic);
    free(s);
}

static const PeerSolver umfpack = {"umfpack", umfpack_open, umfpack_run, umfpack_close};
#endif

// ---- MUMPS, sequential

#ifdef HAVE_MUMPS
#define ANALYSE 1
#define FACTOR_AND_SOLVE 5
#define COMM_WORLD (-987654)

typedef struct Mumps {
    PeerMatrix a;
    DMUMPS_STRUC_C id;
} Mumps;

static void *mumps_open(const PeerMatrix *a) {
    Mumps *s = calloc(1, sizeof *s);
    DMUMPS_STRUC_C *id = &s->id;
    s->a = *a;
    id->job = -1;
    id->par = 1;
    id->sym = a->definite ? 1 : 2;
    id->comm_fortran = COMM_WORLD;
    dmumps_c(id);
    for (int k = 0; k < 4; k++) id->icntl[k] = k == 3 ? 0 : -1;
    id->icntl[13] = 200; // room beyond the estimate, per cent
    id->n = a->n;
    id->irn = malloc((size_t)a->nnz * sizeof *id->irn);
    id->jcn = malloc((size_t)a->nnz * sizeof *id->jcn);
    id->a = malloc((size_t)a->nnz * sizeof *id->a);
    for (int j = 0; j < a->n; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1] && a->row[k] <= j; k++) {
            id->irn[id->nnz] = a->row[k] + 1;
            id->jcn[id->nnz] = j + 1;
            id->a[id->nnz++] = a->v[k];
        }
    }
    id->job = ANALYSE;
    dmumps_c(id);
    return s;
}

static bool mumps_run(void *solver, const double *b, double *x) {
    Mumps *s = solver;
    memcpy(x, b, (size_t)s->a.n * sizeof *x);
    s->id.rhs = x;
    s->id.job = FACTOR_AND_SOLVE;
    dmumps_c(&s->id);
    return s->id.info[0] >= 0;
}

static void mumps_close(void *solver) {
    Mumps *s = solver;
    free(s->id.irn);
    free(s->id.jcn);
    free(s->id.a);
    s->id.irn = s->id.jcn = NULL;
    s->id.a = NULL;
    s->id.job = -2;
    dmumps_c(&s->id);
    free(s);
}

static const PeerSolver mumps = {"mumps", mumps_open, mumps_run, mumps_close};
#endif

#ifdef HAVE_EIGEN
static const PeerSolver eigen = {"eigen_sparselu", eigen_open, eigen_run, eigen_close};
#endif
#ifdef HAVE_SUPERLU
extern const PeerSolver peer_superlu;
#endif

const PeerSolver *const peer_solvers[] = {&klu,
#ifdef HAVE_SUITESPARSE_MORE
                                          &ldl,          &cholmod_ldl, &cholmod_super, &umfpack,
#endif
#ifdef HAVE_SUPERLU
                                          &peer_superlu,
#endif
#ifdef HAVE_MUMPS
                                          &mumps,
#endif
#ifdef HAVE_EIGEN
                                          &eigen,
#endif
                                          NULL};
