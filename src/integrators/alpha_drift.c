// alpha_drift.c - what old derivatives miss, learned from the increments they made
//
// With the operator J0 of an earlier step an increment s, taken off, changes the next one by
//
//   y = d_before - d_after = J0^-1 J s
//
// The last two pairs (s, y) tell what J0 misses along them: of a new increment d, the part that is
// made of y should have been made of s,
//
//   d + (S - Y) c,   c = argmin |d - Y c|     in the norm of increments
//
// Where few directions change the operator, as those of a hinge that carries a long chain, this
// keeps the rate of convergence that is lost to them; pairs outlive their step, as J0 does. They
// are gathered once a step has been slow, and not where the problem falls into sections, each of
// which would need its own, or rows are had one by one, as a solution by parts has no place for it.
// Fang & Saad, Numer. Linear Algebra Appl. 16 (2009) 197 (multisecant methods, type II).
#include "base/pool.h"
#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

#define CHUNK 512
#define TILE 8
#define MANY 1000  // unknowns; in small models no hinge carries much
#define CLEAR 100  // tolerances that an increment has, whose change is not rounding
#define ALIKE 1e-6 // part of y^2 that the newer pair must leave of the older
#define DOTS 5     // of the newest y with itself, with the other and with d; of that with itself, d
#define STALE 1    // rate that calls for new derivatives whatever they cost: none
#define PAIRS CDI_ALPHA_PAIRS

typedef struct Job {
    CdAlphaMemory *m;
    int n, nu, npairs;
    bool gathers;
    CdAlphaMend before, now;
} Job;

CdStatus cdi_alpha_drift_new(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const CdSections *sections = p->user.sections;
    const int newton = cdi_alpha_options(it)->newton;
    CdAlphaDrift *d = &m->drift;
    d->possible = !it->options->adaptive && m->form != CD_GGL && p->n > MANY &&
                  !(sections && sections->n > 1) && !p->user.residual_rows &&
                  newton != CD_NEWTON_FULL;
    if (d->possible && newton == CD_NEWTON_AUTO) m->stale_rate = STALE;
    const size_t n = d->possible ? (size_t)p->n : 0, nu = d->possible ? (size_t)m->nu : 0;
    for (int k = 0; k < PAIRS; k++) {
        d->y[k] = CD_KEEP(it, double, nu + 1);
        d->w[k] = CD_KEEP(it, double, n + 1);
        if (!d->y[k] || !d->w[k]) return CD_NOMEM;
    }
    d->last = CD_TAKE(&it->arena, double, nu + 1);
    d->sums = CD_TAKE(&it->arena, double, DOTS *(n / CHUNK + 1));
    return d->last && d->sums ? CD_OK : CD_NOMEM;
}

// ---- a new pair, and what the increment has of those there are

// s - y is the increment of now with what the one before was mended by
static void gather(const Job *j, int begin, int end) {
    const CdAlphaDrift *d = &j->m->drift;
    const CdAlphaMend *c = &j->before;
    const double *restrict b = j->m->all.b, *restrict last = d->last;
    const double *newest = d->w[c->newest], *other = d->w[c->other];
    double *restrict y = d->y[j->now.newest], *w = d->w[j->now.newest];
    for (int i = begin; i < end && i < j->nu; i++) y[i] = last[i] - b[i];
    for (int i = begin; i < end; i++) {
        w[i] = b[i] + (c->of_newest * newest[i] + c->of_other * other[i]);
    }
}

static double total(const double s[TILE]) {
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static void multiply(const Job *j, int begin, int end, double sum[DOTS]) {
    const CdAlphaDrift *d = &j->m->drift;
    const double *restrict b = j->m->all.b, *restrict scale = j->m->all.scale;
    const double *restrict y = d->y[j->now.newest], *restrict z = d->y[j->now.other];
    double s[DOTS][TILE] = {{0}};
    for (int i = begin; i < end; i += TILE) {
        for (int k = 0; k < TILE && i + k < end; k++) {
            const double w = scale[i + k], u = w * y[i + k], v = w * z[i + k], x = w * b[i + k];
            const double dots[DOTS] = {u * u, u * v, u * x, v * v, v * x};
            for (int l = 0; l < DOTS; l++) s[l][k] += dots[l];
        }
    }
    for (int l = 0; l < DOTS; l++) sum[l] = total(s[l]);
}

static void look_at_chunks(void *user, size_t begin, size_t end, int worker) {
    const Job *j = user;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        const int first = (int)k * CHUNK, past = first + CHUNK;
        if (j->gathers) gather(j, first, past < j->n ? past : j->n);
        multiply(j, first, past < j->nu ? past : j->nu, j->m->drift.sums + DOTS * k);
    }
}

// the newer pair counts for more, the older for what is not alike
static void weigh(Job *j, size_t nchunks) {
    double g[DOTS] = {0};
    for (size_t k = 0; k < nchunks; k++) {
        for (int l = 0; l < DOTS; l++) g[l] += j->m->drift.sums[DOTS * k + l];
    }
    CdAlphaMend *c = &j->now;
    if (!(g[0] > 0)) return;
    const double rest = g[3] - g[1] * (g[1] / g[0]);
    if (j->npairs > 1 && rest > ALIKE * g[3]) c->of_other = (g[4] - g[2] * (g[1] / g[0])) / rest;
    c->of_newest = (g[2] - g[1] * c->of_other) / g[0];
}

// ---- the increment, better

static void mend_chunks(void *user, size_t begin, size_t end, int worker) {
    const Job *j = user;
    const CdAlphaDrift *d = &j->m->drift;
    const CdAlphaMend *c = &j->now;
    const double *restrict newest = d->w[c->newest], *restrict other = d->w[c->other];
    double *restrict b = j->m->all.b, *restrict last = d->last;
    const int first = (int)begin * CHUNK, past = (int)end * CHUNK;
    (void)worker;
    for (int i = first; i < past && i < j->nu; i++) last[i] = b[i];
    for (int i = first; j->npairs > 0 && i < past && i < j->n; i++) {
        b[i] += c->of_newest * newest[i] + c->of_other * other[i];
    }
}

void cdi_alpha_mend(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    CdPool *pool = it->problem->user.pool;
    Job j = {.m = m, .n = it->problem->n, .nu = m->nu, .before = m->drift.mend};
    j.gathers = m->newton.iteration > 0 && m->newton.last > CLEAR * m->newton_tolerance;
    if (j.gathers) {
        m->pair = (m->pair + 1) % PAIRS;
        if (m->npairs < PAIRS) m->npairs++;
    }
    j.npairs = m->npairs;
    j.now.newest = m->pair;
    j.now.other = m->npairs > 1 ? (m->pair + 1) % PAIRS : m->pair;
    const size_t nchunks = ((size_t)j.n + CHUNK - 1) / CHUNK;
    if (j.npairs > 0) {
        cd_parallel_for(pool, nchunks, 1, look_at_chunks, &j);
        weigh(&j, nchunks);
    }
    cd_parallel_for(pool, nchunks, 1, mend_chunks, &j);
    m->drift.mend = j.now;
}

void cdi_alpha_drift_judge(CdIntegrator *it, CdNewtonEffort effort) {
    CdAlphaMemory *m = it->method;
    if (!m->drift.possible || effort != CD_JACOBIAN_KEPT) return;
    m->slow = m->slow || m->newton.iteration > 2;
}

void cdi_alpha_drift_forget(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    m->npairs = m->pair = 0;
    m->slow = false;
}
