// alpha_predict.c - where a step of the generalised-alpha family begins to look for its end
//
// Accelerations and multipliers are extrapolated from the past, the rest follows from them:
//
//   A1 = A0,   or from   (E - 1)^j (E + 1)^k A = 0, E: a step later
//
// which is exact for polynomials of degree below j and for those below k that change their sign
// from step to step: methods with little damping carry such a part along, which turns with the
// bodies, and a common extrapolation would make it grow. The way that would have told A0 best is
// taken: where accelerations jump none is, and where they are rounding a low one. Linear problems,
// which need one iteration wherever it begins, have no past; nor have runs with step control, whose
// steps change and whose tolerance would take the part of the error that old derivatives leave for
// convergence.
#include <math.h>
#include <string.h>

#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

#define RESTS 0.01 // of Newton's tolerance, a first increment that nothing has to be done about
#define RING (CDI_ALPHA_PAST + 1)

// how A1 may be had: A1 - A0 over A0, A_-1, ... and how many of the past tell how well
static const struct {
    double more[CDI_ALPHA_PAST];
    int past;
} ways[CDI_ALPHA_WAYS] = {
    {{0}, 1},
    {{0, 1, -1}, 3},           // (E - 1)^2 (E + 1)
    {{1, 0, -2, 1}, 4},        // (E - 1)^3 (E + 1)
    {{2, -2, -2, 3, -1}, 5},   // (E - 1)^4 (E + 1)
    {{3, -5, 0, 5, -4, 1}, 6}, // (E - 1)^5 (E + 1)
    {{0, 2, -2, -1, 1}, 5},    // (E - 1)^3 (E + 1)^2
    {{1, 1, -4, 1, 2, -1}, 6}, // (E - 1)^4 (E + 1)^2
};

int cdi_alpha_next_slot(int slot) {
    return (slot + 1) % RING;
}

CdAlphaPast cdi_alpha_past(const CdAlphaArrays *x, int slot, size_t from) {
    CdAlphaPast past;
    for (int k = 0, at = slot; k < RING; k++, at = at == 0 ? RING - 1 : at - 1) {
        past.A[k] = x->past.A[at] + from;
    }
    return past;
}

// is it worth while to look back?
static bool moves(const CdAlphaMemory *m) {
    return (m->npast > 0 || m->newton.first > RESTS * m->newton_tolerance) &&
           !cdi_newton_trusts(&m->newton);
}

static bool knows_past(const CdAlphaMemory *m, double h) {
    return h == m->h_past && m->npast >= ways[1].past;
}

// accelerations that are known after the step
static int count_past(const CdAlphaMemory *m, const CdAlphaStep *s) {
    if (!s->more) return 0;
    const int more = s->h == m->h_past ? m->npast + 1 : 1;
    return more < CDI_ALPHA_PAST ? more : CDI_ALPHA_PAST;
}

bool cdi_alpha_will_look_back(const CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    return !it->options->adaptive && !cdi_newton_trusts(&m->newton) &&
           count_past(m, s) >= ways[1].past;
}

const double *cdi_alpha_best_way(int npast, const double sum[CDI_ALPHA_WAYS]) {
    int best = 0;
    for (int k = 1; k < CDI_ALPHA_WAYS; k++) {
        if (npast >= ways[k].past && sum[k] < sum[best]) best = k;
    }
    return ways[best].more;
}

// that which would have told A0 best; NULL: nothing moves
static const double *choose_way(CdIntegrator *it, double h) {
    const CdAlphaMemory *m = it->method;
    if (!knows_past(m, h)) return ways[0].more;
    double sum[CDI_ALPHA_WAYS];
    cdi_alpha_misses(it, sum);
    const double rest = RESTS * m->newton_tolerance / (h * m->c.gamma);
    return sum[0] * m->share <= rest * rest ? NULL : cdi_alpha_best_way(m->npast, sum);
}

CdAlphaStep cdi_alpha_plan(CdIntegrator *it, double h, double t1) {
    const CdAlphaMemory *m = it->method;
    const double cq = h * h * m->c.beta, cv = h * m->c.gamma;
    CdAlphaStep s = {.h = h,
                     .t1 = t1,
                     .cq = cq,
                     .cv = cv,
                     .ca = m->ca,
                     .q_old = h * h / 2 - cq,
                     .v_old = h - cv,
                     .k1 = m->k1,
                     .k0 = m->k0,
                     .k2 = m->k2};
    if (!it->options->adaptive && moves(m)) s.more = choose_way(it, h);
    return s;
}

void cdi_alpha_remember(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    m->npast = count_past(m, s);
    if (!s->more) return;
    m->h_past = s->h;
    m->slot = cdi_alpha_next_slot(m->slot);
}

void cdi_alpha_predict(CdIntegrator *it, const CdAlphaStep *s, bool may_wait) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    m->all.old.t = it->now.t;
    it->now.t = s->t1;
    if (p->nx > 0) memcpy(m->all.old.x, it->now.x, (size_t)p->nx * sizeof(double));
    cdi_alpha_predict_motion(it, s, may_wait);
}
