// alpha_motion.c - loops over the unknowns of one step of the generalised-alpha family, shared by
// threads
//
// V is cut into blocks of fixed length; norms are sums of their sums in order, so that bits do not
// depend on the number of threads. A thread has the same part of V, of positions and of multipliers
// in all of these loops, whose numbers then stay in its cache. Positions in linear spaces move with
// their velocities, others follow by cdi_retract from `turn`.
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

#define BLOCK CDI_ALPHA_BLOCK
// that are worth another thread
#define BLOCKS_MIN 4

typedef struct Loop {
    CdIntegrator *it;
    const CdAlphaStep *s;
    size_t nblocks; // of V, at least 1
    bool measures;  // increments get a new scale
    double most;    // |q|
    double part;    // of V, and of q over h, that increments may be
} Loop;

// of n numbers, as large a part as blocks begin ... end - 1 are of V
typedef struct Range {
    size_t begin, end;
} Range;

static Range range_of(const Loop *l, size_t n, size_t begin, size_t end) {
    const size_t nV = (size_t)((const CdAlphaMemory *)l->it->method)->nV;
    if (end - begin == l->nblocks) return (Range){0, n};
    return (Range){n * begin * BLOCK / nV, end == l->nblocks ? n : n * end * BLOCK / nV};
}

static Range range_of_V(size_t n, size_t begin, size_t end) {
    const Range r = {begin * BLOCK, end * BLOCK};
    return (Range){r.begin < n ? r.begin : n, r.end < n ? r.end : n};
}

static Loop loop_over(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    const size_t n = ((size_t)m->nV + BLOCK - 1) / BLOCK;
    return (Loop){.it = it, .s = s, .nblocks = n > 0 ? n : 1};
}

static void share(Loop *l, CdRangeFn *fn) {
    if (l->nblocks < BLOCKS_MIN) {
        fn(l, 0, l->nblocks, 0);
    } else {
        cd_parallel_for(l->it->problem->user.pool, l->nblocks, 1, fn, l);
    }
}

// ---- where a step begins

// what increments are measured with
static void set_scale(const CdIntegrator *it, Range r) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const double rtol = it->options->rtol, atol = it->options->atol;
    // x follows V in a point
    const double *restrict V = cdi_alpha_velocities(&it->now);
    const double *restrict weight = p->user.weight ? p->user.weight + p->nq : NULL;
    double *restrict scale = m->scale;
    for (size_t i = r.begin; i < r.end; i++) scale[i] = 1 / (atol + rtol * fabs(V[i]));
    for (size_t i = r.begin; weight && i < r.end; i++) scale[i] *= weight[i];
}

static void predict_turn(const CdIntegrator *it, const CdAlphaStep *s, Range r) {
    const CdAlphaMemory *m = it->method;
    const double h = s->h, q1 = s->cq, q0 = s->q_old, *restrict v0 = m->old.v;
    const double *restrict a0 = m->a_old, *restrict a1 = m->a;
    double *restrict turn = m->turn;
    for (size_t i = r.begin; i < r.end; i++) turn[i] = h * v0[i] + (q0 * a0[i] + q1 * a1[i]);
}

// as accelerations; the past of both stands in one array
static void predict_multipliers(const CdIntegrator *it, const CdAlphaStep *s, Range r) {
    const CdAlphaMemory *m = it->method;
    double *l = it->now.lambda, *l0 = m->old.lambda;
    if (r.begin == r.end) return;
    memcpy(l0 + r.begin, l + r.begin, (r.end - r.begin) * sizeof *l);
    if (!s->more) return;
    const CdAlphaPast past = cdi_alpha_past(m, (size_t)m->nV);
    double *const *P = past.A;
    const double *e = s->more;
    for (size_t i = r.begin; i < r.end; i++) {
        P[0][i] = l0[i];
        l[i] += (e[0] * l0[i] + e[1] * P[1][i]) + (e[2] * P[2][i] + e[3] * P[3][i]) +
                (e[4] * P[4][i] + e[5] * P[5][i]);
    }
    // no equation would hold the others
    for (size_t i = r.begin; it->problem->user.redundant > 0 && i < r.end; i++) {
        if (!cdi_row_acts(it->problem, (int)i)) l[i] = l0[i];
    }
}

static void predict_mu(const CdIntegrator *it, Range r) {
    const CdAlphaMemory *m = it->method;
    const size_t size = (r.end - r.begin) * sizeof(double);
    if (size == 0) return;
    memcpy(m->old.mu + r.begin, it->now.mu + r.begin, size);
    memset(it->now.mu + r.begin, 0, size);
}

static void predict_V(CdIntegrator *it, const CdAlphaStep *s, Range r, bool of_q) {
    const CdAlphaMemory *m = it->method;
    double *V = cdi_alpha_velocities(&it->now), *V0 = cdi_alpha_velocities(&m->old);
    double *A = cdi_alpha_accelerations(&it->now), *A0 = cdi_alpha_accelerations(&m->old);
    const size_t i = r.begin;
    CdAlphaPast past;
    if (r.begin >= r.end) return;
    if (s->more) past = cdi_alpha_past(m, i);
    m->ops->predict(r.end - i, s, V + i, A + i, m->a + i, V0 + i, A0 + i, m->a_old + i,
                    s->more ? &past : NULL, of_q ? it->now.q + i : NULL,
                    of_q ? m->old.q + i : NULL);
}

static Range meet(Range a, size_t begin, size_t end) {
    const Range r = {a.begin > begin ? a.begin : begin, a.end < end ? a.end : end};
    return r.begin < r.end ? r : (Range){0, 0};
}

static void predict_range(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    CdIntegrator *it = l->it;
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const size_t nv = (size_t)p->nv, nV = (size_t)m->nV;
    const Range V = range_of_V(nV, begin, end);
    (void)worker;
    if (p->vector_space) {
        predict_V(it, l->s, meet(V, 0, nv), true);
        predict_V(it, l->s, meet(V, nv, nV), false);
    } else {
        const Range q = range_of(l, (size_t)p->nq, begin, end);
        predict_V(it, l->s, V, false);
        memcpy(m->old.q + q.begin, it->now.q + q.begin, (q.end - q.begin) * sizeof(double));
        predict_turn(it, l->s, meet(V, 0, nv));
    }
    if (l->measures) set_scale(it, V);
    predict_multipliers(it, l->s, range_of(l, (size_t)p->nc, begin, end));
    predict_mu(it, range_of(l, (size_t)p->ng, begin, end));
}

// one block that has positions all over, and nothing else
static bool is_small(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    return p->vector_space && m->nu == p->nv && p->nc == 0 && m->nV <= BLOCK && m->nV > 0;
}

void cdi_alpha_predict_motion(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    const bool measures = !cdi_newton_trusts(&m->newton);
    if (is_small(it)) {
        const Range all = {0, (size_t)m->nV};
        predict_V(it, s, all, true);
        if (measures) set_scale(it, all);
        return;
    }
    Loop l = loop_over(it, s);
    l.measures = measures;
    share(&l, predict_range);
    if (measures) set_scale(it, (Range){(size_t)m->nV, (size_t)m->nu});
    if (!it->problem->vector_space) cdi_retract(it->problem, m->old.q, m->turn, it->now.q);
}

// ---- how well the past would have told A0

static void miss_range(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    const double *A = cdi_alpha_accelerations(&l->it->now);
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        const Range r = range_of_V((size_t)m->nV, k, k + 1);
        const CdAlphaPast past = cdi_alpha_past(m, r.begin);
        m->ops->misses(r.end - r.begin, m->scale + r.begin, A + r.begin, &past,
                       m->sums + CDI_ALPHA_WAYS * k);
    }
}

void cdi_alpha_misses(CdIntegrator *it, double sum[CDI_ALPHA_WAYS]) {
    const CdAlphaMemory *m = it->method;
    Loop l = loop_over(it, NULL);
    share(&l, miss_range);
    for (int j = 0; j < CDI_ALPHA_WAYS; j++) sum[j] = m->sums[j];
    for (size_t k = 1; k < l.nblocks; k++) {
        for (int j = 0; j < CDI_ALPHA_WAYS; j++) sum[j] += m->sums[CDI_ALPHA_WAYS * k + (size_t)j];
    }
}

// ---- an increment

static void subtract(Range r, double c, const double *restrict d, double *restrict x) {
    for (size_t i = r.begin; i < r.end; i++) x[i] -= c * d[i];
}

static double move_V(CdIntegrator *it, const CdAlphaStep *s, Range r, bool of_q) {
    const CdAlphaMemory *m = it->method;
    double *V = cdi_alpha_velocities(&it->now), *A = cdi_alpha_accelerations(&it->now);
    const size_t i = r.begin;
    if (r.begin >= r.end) return 0;
    return m->ops->move(r.end - i, s, m->b + i, m->scale + i, V + i, A + i, m->a + i,
                        of_q ? it->now.q + i : NULL);
}

static void move_range(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    CdIntegrator *it = l->it;
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const size_t nv = (size_t)p->nv, nV = (size_t)m->nV, linear = p->vector_space ? nv : 0;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        const Range V = range_of_V(nV, k, k + 1);
        m->sums[k] = move_V(it, l->s, meet(V, 0, linear), true);
        m->sums[k] += move_V(it, l->s, meet(V, linear, nV), false);
    }
    if (!p->vector_space) {
        const Range v = meet(range_of_V(nV, begin, end), 0, nv);
        subtract(v, l->s->cq, m->b, m->turn);
        if (m->lin_eta) subtract(v, 1, m->push, m->turn);
    }
    subtract(range_of(l, (size_t)p->nc, begin, end), 1, m->b + p->nd, it->now.lambda);
}

double cdi_alpha_move_motion(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    if (is_small(it)) return move_V(it, s, (Range){0, (size_t)m->nV}, true);
    Loop l = loop_over(it, s);
    double sum = 0;
    share(&l, move_range);
    for (size_t k = 0; k < l.nblocks; k++) sum += m->sums[k];
    if (!it->problem->vector_space) cdi_retract(it->problem, m->old.q, m->turn, it->now.q);
    return sum;
}

// ---- rows of constraints

static void divide_range(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    const CdiProblem *p = l->it->problem;
    const CdAlphaStep *s = l->s;
    const size_t ng = (size_t)p->ng, nc = (size_t)p->nc;
    const double kg = m->form == CD_INDEX3 ? s->cq : m->form == CD_INDEX1 ? s->ca : s->cv;
    const double kn = m->form == CD_INDEX1 ? s->ca : s->cv;
    const Range r = range_of(l, nc, begin, end), g = meet(r, 0, ng), n = meet(r, ng, nc);
    double *restrict c = m->b + p->nd;
    (void)worker;
    for (size_t i = g.begin; i < g.end; i++) c[i] /= kg;
    for (size_t i = n.begin; i < n.end; i++) c[i] /= kn;
}

void cdi_alpha_divide_rows(CdIntegrator *it, const CdAlphaStep *s) {
    Loop l = loop_over(it, s);
    share(&l, divide_range);
}

// ---- rounding

static void largest_range(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        const Range q = range_of(l, (size_t)l->it->problem->nq, k, k + 1);
        m->sums[k] = cdi_vecn()->max(q.end - q.begin, l->it->now.q + q.begin);
    }
}

// sums[k]: is something above rounding?
static void rounding_range(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    const double *V = cdi_alpha_velocities(&l->it->now), *A = cdi_alpha_accelerations(&l->it->now);
    const double h = l->s->h, cv = l->s->cv, part = l->part;
    const size_t nv = (size_t)l->it->problem->nv;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        const Range r = range_of_V((size_t)m->nV, k, k + 1);
        m->sums[k] = 0;
        for (size_t i = r.begin; i < r.end && m->sums[k] == 0; i++) {
            const double size = fabs(V[i]) + h * fabs(A[i]) + (i < nv ? l->most : 0);
            m->sums[k] = !(fabs(cv * m->b[i]) <= part * size);
        }
    }
}

bool cdi_alpha_at_rounding(CdIntegrator *it, const CdAlphaStep *s, double part) {
    const CdAlphaMemory *m = it->method;
    Loop l = loop_over(it, s);
    l.part = part;
    share(&l, largest_range);
    l.most = cdi_vecn()->max(l.nblocks, m->sums) / s->h;
    share(&l, rounding_range);
    return cdi_vecn()->max(l.nblocks, m->sums) == 0;
}
