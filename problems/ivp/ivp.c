// ivp.c - the list of problems, their starts and the errors of their solutions

#include "ivp.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// the largest part of a problem whose solution is known
#define PART_MAX 4096

const IvpProblem *const ivp_problems[] = {
#define IVP(name) &ivp_##name,
#include "ivp.def"
#undef IVP
    NULL};

const IvpProblem *ivp_find(const char *name) {
    for (const IvpProblem *const *p = ivp_problems; *p; p++)
        if (!strcmp((*p)->name, name)) return *p;
    return NULL;
}

// a CdPoint has no const; nobody writes into a start
CdPoint ivp_start(const IvpProblem *ivp) {
    return (CdPoint){.t = ivp->t0,
                     .q = (double *)ivp->q0,
                     .v = (double *)ivp->v0,
                     .y = (double *)ivp->y0,
                     .x = (double *)ivp->x0,
                     .ydot = (double *)ivp->ydot0};
}

// e = a - b; returns |e|, raises *mixed
static double compare(const double *a, const double *b, int n, double floor, double *mixed) {
    double sum = 0;
    if (!a || !b) return NAN;
    for (int i = 0; i < n; i++) {
        const double e = a[i] - b[i];
        sum += e * e;
        // NaN gets in and stays
        const double m = fabs(e) / (floor + fabs(b[i]));
        if (isnan(m) || m > *mixed) *mixed = m;
    }
    return sqrt(sum);
}

// on the manifold: |difference(a, b)|
static double compare_q(const IvpProblem *ivp, const double *a, const double *b, double *mixed) {
    const CdProblem *p = &ivp->problem;
    const int nq = p->nq ? p->nq : p->nv;
    const double floor = ivp->atol_ratio ? ivp->atol_ratio : 1;
    double delta[PART_MAX], zero[PART_MAX] = {0};
    if (!a || !b || !p->difference) return compare(a, b, nq, floor, mixed);
    p->difference(p->data, a, b, delta);
    return compare(delta, zero, p->nv, floor, mixed);
}

static void from_reference(const IvpReference *r, CdPoint *at) {
    *at = (CdPoint){.t = r->t,
                    .q = (double *)r->q,
                    .v = (double *)r->v,
                    .y = (double *)r->y,
                    .x = (double *)r->x,
                    .lambda = (double *)r->lambda};
}

IvpError ivp_error(const IvpProblem *ivp, const CdPoint *at) {
    const CdProblem *p = &ivp->problem;
    const double floor = ivp->atol_ratio ? ivp->atol_ratio : 1;
    double q[PART_MAX], v[PART_MAX], y[PART_MAX], x[PART_MAX], lambda[PART_MAX];
    CdPoint ref = {.q = p->nv ? q : NULL,
                   .v = p->nv ? v : NULL,
                   .y = p->ny ? y : NULL,
                   .x = p->nx ? x : NULL,
                   .lambda = p->ng + p->nn ? lambda : NULL};
    if (ivp->exact)
        ivp->exact(p->data, at->t, &ref);
    else if (ivp->end.t == at->t)
        from_reference(&ivp->end, &ref);
    else
        memset(&ref, 0, sizeof ref);

    double m = 0, not_mixed = 0;
    IvpError e = {.q = compare_q(ivp, at->q, ref.q, &m),
                  .v = compare(at->v, ref.v, p->nv, floor, &m),
                  .y = compare(at->y, ref.y, p->ny, floor, &m),
                  .lambda = compare(at->lambda, ref.lambda, p->ng + p->nn, 1, &not_mixed)};
    const double ex = compare(at->x, ref.x, p->nx, floor, &m);
    if (p->nx) e.y = hypot(e.y, ex);
    e.mixed = ref.q || ref.y ? m : NAN;
    return e;
}
