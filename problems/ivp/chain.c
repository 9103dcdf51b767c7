// chain.c - the chain of masses of chain.h, as a mechanical problem and as an ODE

#include "chain.h"

#include <math.h>

#include "base/context.h"

// f = A q, A = tridiag(1, -2, 1)
static void pull(int n, const double *q, double *f) {
    for (int i = 0; i < n; i++)
        f[i] = (i > 0 ? q[i - 1] : 0) - 2 * q[i] + (i < n - 1 ? q[i + 1] : 0);
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    const IvpChain *c = data;
    pull(c->n, at->q, f);
    return CD_OK;
}

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    const IvpChain *c = data;
    for (int i = 0; i < c->n; i++) dy[i] = at->y[c->n + i];
    pull(c->n, at->y, dy + c->n);
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    const IvpChain *c = data;
    (void)at;
    for (int j = 0; j < c->n; j++)
        for (int s = c->ptr[j]; s < c->ptr[j + 1]; s++) {
            const bool diagonal = c->row[s] == j;
            if (M) M[s] = diagonal;
            if (C) C[s] = 0;
            if (K) K[s] = diagonal ? 2 : -1;
        }
    return CD_OK;
}

// the first mode and the last
static void motion(int n, double t, double *q, double *v) {
    const double a = acos(-1) / (n + 1), w1 = 2 * sin(a / 2), wn = 2 * sin(n * a / 2);
    for (int i = 0; i < n; i++) {
        const double low = sin((i + 1) * a), high = sin(n * (i + 1) * a) / n;
        q[i] = low * cos(w1 * t) + high * cos(wn * t);
        v[i] = -w1 * low * sin(w1 * t) - wn * high * sin(wn * t);
    }
}

static void exact_mechanical(const void *data, double t, CdPoint *at) {
    motion(((const IvpChain *)data)->n, t, at->q, at->v);
}

static void exact_ode(const void *data, double t, CdPoint *at) {
    const int n = ((const IvpChain *)data)->n;
    motion(n, t, at->y, at->y + n);
}

static void tridiagonal(IvpChain *c) {
    int s = 0;
    for (int j = 0; j < c->n; j++) {
        c->ptr[j] = s;
        for (int i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < c->n) c->row[s++] = i;
    }
    c->ptr[c->n] = s;
}

static void describe(IvpChain *c) {
    c->mechanical = (IvpProblem){
        .name = "chain",
        .doc = "Chain of masses between walls",
        .source = "exact",
        .problem = {.name = "chain",
                    .data = c,
                    .nv = c->n,
                    .force = force,
                    .mass_constant = true,
                    .derivatives = derivatives,
                    .sparsity = {c->ptr, c->row}},
        .t_end = 10,
        .q0 = c->start,
        .v0 = c->start + c->n,
        .exact = exact_mechanical,
    };
    c->ode = c->mechanical;
    c->ode.problem = (CdProblem){.name = "chain", .data = c, .ny = 2 * c->n, .rate = rate};
    c->ode.q0 = c->ode.v0 = NULL;
    c->ode.y0 = c->start;
    c->ode.exact = exact_ode;
}

CdStatus ivp_chain_new(CdContext *ctx, int n, IvpChain **chain) {
    *chain = NULL;
    if (n < 1) return cdi_fail(ctx, CD_INVALID, "a chain has at least one mass, not %d", n);
    IvpChain *c = cdi_alloc(ctx, sizeof *c);
    if (!c) return CD_NOMEM;
    c->ctx = ctx;
    c->n = n;
    c->start = cdi_alloc_array(ctx, 2 * (size_t)n, sizeof *c->start);
    c->ptr = cdi_alloc_array(ctx, (size_t)n + 1, sizeof *c->ptr);
    c->row = cdi_alloc_array(ctx, 3 * (size_t)n, sizeof *c->row);
    if (!c->start || !c->ptr || !c->row) {
        ivp_chain_free(c);
        return CD_NOMEM;
    }
    motion(n, 0, c->start, c->start + n);
    tridiagonal(c);
    describe(c);
    *chain = c;
    return CD_OK;
}

void ivp_chain_free(IvpChain *c) {
    if (!c) return;
    cdi_free(c->ctx, c->start);
    cdi_free(c->ctx, c->ptr);
    cdi_free(c->ctx, c->row);
    cdi_free(c->ctx, c);
}
