// flat_gram.c - G G^T mu = r without forming it, by the operator [I J^T; J 0], J = [G; N]
//
//   x + G^T s = 0,  G x = r     so  mu = -s,  G^T mu = x               without N
//
// With N the operator gives (G (I - P) G^T)^-1 r, P the projector on the rows of N. That differs
// from (G G^T)^-1 by a matrix of rank nn, so that conjugate gradients with it as preconditioner
// are through after nn + 1 steps.
// Benzi, Golub & Liesen, Acta Numerica 14 (2005) 1; Hestenes & Stiefel, J. Res. NBS 49 (1952) 409.
#include "problem/flat_gram.h"

#include <string.h>

#include "math/vecn.h"

#define ARENA_BLOCK 4096

// residual, relative to r, below which conjugate gradients are done
#define GRADIENT_TOL 1e-14

struct CdiGram {
    CdiProblem *p;
    CdArena arena;
    CdiLin *op;
    double *rhs;     // n
    double *x;       // nd
    double *l, *gx;  // nc; l is 0 in the rows of N
    double *res, *z; // ng
    double *dir;     // ng
};

// z = P^-1 r
static CdStatus precondition(CdiGram *g, const double *r, double *z) {
    const CdiProblem *p = g->p;
    memset(g->rhs, 0, (size_t)p->n * sizeof *g->rhs);
    memcpy(g->rhs + p->nd, r, (size_t)p->ng * sizeof *r);
    CD_TRY(cdi_lin_solve(g->op, g->rhs, 1, false));
    for (int i = 0; i < p->ng; i++) z[i] = -g->rhs[p->nd + i];
    return CD_OK;
}

// x = G^T l
static void transposed(CdiGram *g, const double *l) {
    memcpy(g->l, l, (size_t)g->p->ng * sizeof *l);
    memset(g->x, 0, (size_t)g->p->nd * sizeof *g->x);
    cdi_lin_mul_add(g->op, CD_OF_JT, 1, g->l, g->x);
}

// gx = G G^T l
static void gram(CdiGram *g, const double *l) {
    transposed(g, l);
    memset(g->gx, 0, (size_t)g->p->nc * sizeof *g->gx);
    cdi_lin_mul_add(g->op, CD_OF_J, 1, g->x, g->gx);
}

// mu is 0 on entry
static CdStatus conjugate_gradients(CdiGram *g, double *mu) {
    const CdVecnOps *v = cdi_vecn();
    const size_t n = (size_t)g->p->ng;
    const double enough = GRADIENT_TOL * v->max(n, g->res);
    CD_TRY(precondition(g, g->res, g->z));
    memcpy(g->dir, g->z, n * sizeof *g->dir);
    double rho = v->dot(n, g->res, g->z);
    for (int k = 0; k <= g->p->nn && v->max(n, g->res) > enough; k++) {
        gram(g, g->dir);
        const double alpha = rho / v->dot(n, g->dir, g->gx);
        v->axpy(n, alpha, g->dir, mu);
        v->axpy(n, -alpha, g->gx, g->res);
        CD_TRY(precondition(g, g->res, g->z));
        const double next = v->dot(n, g->res, g->z), beta = next / rho;
        for (size_t i = 0; i < n; i++) g->dir[i] = g->z[i] + beta * g->dir[i];
        rho = next;
    }
    return CD_OK;
}

CdStatus cdi_gram_solve(CdiGram *g, double *r, double *gmu) {
    const CdiProblem *p = g->p;
    const size_t bytes = (size_t)p->nv * sizeof *gmu;
    if (p->nn == 0) {
        CD_TRY(precondition(g, r, r));
        memcpy(gmu, g->rhs, bytes);
        return CD_OK;
    }
    memcpy(g->res, r, (size_t)p->ng * sizeof *r);
    memset(r, 0, (size_t)p->nc * sizeof *r);
    CD_TRY(conjugate_gradients(g, r));
    transposed(g, r);
    memcpy(gmu, g->x, bytes);
    return CD_OK;
}

CdStatus cdi_gram_setup(CdiGram *g, const CdPoint *at) {
    return cdi_lin_setup(g->op, &(CdOperator){.ci = {1, 0}, .level = CD_POSITION, .at = at});
}

void cdi_gram_explain(const CdiGram *g, CdText *text) {
    cdi_lin_explain(g->op, text);
}

size_t cdi_gram_save_size(const CdiGram *g) {
    return cdi_lin_save_size(g->op);
}

void cdi_gram_save(const CdiGram *g, void *to) {
    cdi_lin_save(g->op, to);
}

CdStatus cdi_gram_load(CdiGram *g, const void *from) {
    return cdi_lin_load(g->op, from);
}

static CdStatus fill(CdiGram *g) {
    CdiProblem *p = g->p;
    const size_t ng = (size_t)p->ng, nc = (size_t)p->nc;
    CD_TRY(cdi_lin_new(p, false, &g->op));
    g->rhs = CD_TAKE(&g->arena, double, (size_t)p->n);
    g->x = CD_TAKE(&g->arena, double, (size_t)p->nd);
    g->l = CD_TAKE(&g->arena, double, nc);
    g->gx = CD_TAKE(&g->arena, double, nc);
    g->res = CD_TAKE(&g->arena, double, ng);
    g->z = CD_TAKE(&g->arena, double, ng);
    g->dir = CD_TAKE(&g->arena, double, ng);
    return g->rhs && g->x && g->l && g->gx && g->res && g->z && g->dir ? CD_OK : CD_NOMEM;
}

CdStatus cdi_gram_new(CdiProblem *p, CdiGram **out) {
    *out = NULL;
    CdiGram *g = cdi_alloc(p->ctx, sizeof *g);
    if (!g) return CD_NOMEM;
    g->p = p;
    cdi_arena_init(&g->arena, p->ctx, ARENA_BLOCK);
    const CdStatus status = fill(g);
    if (status != CD_OK) {
        cdi_gram_free(g);
        return status;
    }
    *out = g;
    return CD_OK;
}

void cdi_gram_free(CdiGram *g) {
    if (!g) return;
    CdContext *ctx = g->p->ctx;
    cdi_lin_free(g->op);
    cdi_arena_clear(&g->arena);
    cdi_free(ctx, g);
}
