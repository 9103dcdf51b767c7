// linsol_superlu.c - SuperLU in its symmetric mode, columns ordered once, rows as they were
#include <stdlib.h>
#include <string.h>

#include <superlu/slu_ddefs.h>

#include "linsol_peers.h"

// a pivot from the diagonal if it is at least so large, relative to its column
#define PIVOT_TOL 0.001

typedef struct Superlu {
    PeerMatrix a;
    superlu_options_t options;
    SuperMatrix matrix, l, u;
    SuperLUStat_t stat;
    GlobalLU_t glu;
    int *col, *row, *tree;
} Superlu;

static bool factor(Superlu *s, fact_t how) {
    SuperMatrix columns;
    int info = 0;
    s->options.Fact = how;
    sp_preorder(&s->options, &s->matrix, s->col, s->tree, &columns);
    dgstrf(&s->options, &columns, sp_ienv(2), sp_ienv(1), s->tree, NULL, 0, s->col, s->row, &s->l,
           &s->u, &s->glu, &s->stat, &info);
    Destroy_CompCol_Permuted(&columns);
    return info == 0;
}

static void close_superlu(void *solver) {
    Superlu *s = solver;
    if (s->l.Store) Destroy_SuperNode_Matrix(&s->l);
    if (s->u.Store) Destroy_CompCol_Matrix(&s->u);
    Destroy_SuperMatrix_Store(&s->matrix);
    StatFree(&s->stat);
    free(s->col);
    free(s->row);
    free(s->tree);
    free(s);
}

static void *open_superlu(const PeerMatrix *a) {
    Superlu *s = calloc(1, sizeof *s);
    const size_t n = (size_t)a->n;
    s->a = *a;
    s->col = calloc(n, sizeof *s->col);
    s->row = calloc(n, sizeof *s->row);
    s->tree = calloc(n, sizeof *s->tree);
    set_default_options(&s->options);
    s->options.ColPerm = MMD_AT_PLUS_A;
    s->options.SymmetricMode = YES;
    s->options.DiagPivotThresh = a->definite ? 0 : PIVOT_TOL;
    s->options.PrintStat = NO;
    StatInit(&s->stat);
    dCreate_CompCol_Matrix(&s->matrix, a->n, a->n, a->nnz, (double *)a->v, (int *)a->row,
                           (int *)a->ptr, SLU_NC, SLU_D, SLU_GE);
    get_perm_c(MMD_AT_PLUS_A, &s->matrix, s->col);
    if (factor(s, DOFACT)) return s;
    close_superlu(s);
    return NULL;
}

static bool run_superlu(void *solver, const double *b, double *x) {
    Superlu *s = solver;
    SuperMatrix rhs;
    int info = 0;
    if (!factor(s, SamePattern_SameRowPerm)) return false;
    memcpy(x, b, (size_t)s->a.n * sizeof *x);
    dCreate_Dense_Matrix(&rhs, s->a.n, 1, x, s->a.n, SLU_DN, SLU_D, SLU_GE);
    dgstrs(NOTRANS, &s->l, &s->u, s->col, s->row, &rhs, &s->stat, &info);
    Destroy_SuperMatrix_Store(&rhs);
    return info == 0;
}

extern const PeerSolver peer_superlu;
const PeerSolver peer_superlu = {"superlu", open_superlu, run_superlu, close_superlu};
