// alpha_motion.c - loops over the unknowns of one step of the generalised-alpha family, shared by
// threads
//
// V is cut into blocks; norms are sums of their sums in order, so that bits do not depend on the
// number of threads. A thread has the same part of V, of positions and of multipliers in all of
// these loops, whose numbers then stay in its cache. Positions in linear spaces move with their
// velocities, others follow by retraction from `turn`.
//
// Where the problem has sections that the solver can take by themselves, parts are made of these,
// and an iteration - residual, solution, increment - is one loop, which meets every section while it
// is in the cache. No block has unknowns of two sections.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

#define BLOCK 64
// that are worth another thread
#define BLOCKS_MIN 4

// numbers begin ... end - 1 of something
typedef struct Range {
    size_t begin, end;
} Range;

// what a loop meets at once
typedef struct Part {
    Range blocks, V, q, c, g;
    int first, end; // sections; 0, 0: not known
    int worker;
} Part;

typedef struct Loop Loop;
typedef void PartFn(const Loop *l, const Part *part);
struct Loop {
    CdIntegrator *it;
    const CdAlphaStep *s;
    PartFn *fn;
    CdConstraintLevel level; // of an iteration
    bool measures;           // increments get a new scale
    double most;             // |q|
    double part;             // of V, and of q over h, that increments may be
};

// ---- blocks and parts

// sections NULL: one
static int count_blocks(const CdSections *sections, int nV, int *block, int *first) {
    int n = 0;
    const int whole[] = {0, nV}, count = sections ? sections->n : 1;
    const int *v = sections ? sections->v : whole;
    for (int k = 0; k < count; k++) {
        if (first) first[k] = n;
        for (int i = v[k]; i < v[k + 1]; i += BLOCK, n++) {
            if (block) block[n] = i;
        }
    }
    if (first) first[count] = n;
    if (block) block[n] = nV;
    return n;
}

CdStatus cdi_alpha_blocks_new(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const CdSections *sections = it->problem->user.sections;
    m->nblocks = count_blocks(sections, m->nV, NULL, NULL);
    const size_t n = (size_t)m->nblocks + 1;
    m->sums = CD_TAKE(&it->arena, double, (1 + CDI_ALPHA_WAYS) * n);
    m->misses = m->sums + n;
    m->block = CD_TAKE(&it->arena, int, n);
    m->section_block = CD_TAKE(&it->arena, int, sections ? (size_t)sections->n + 1 : 2);
    if (!m->sums || !m->block || !m->section_block) return CD_NOMEM;
    count_blocks(sections, m->nV, m->block, m->section_block);
    return CD_OK;
}

static Range range_of_V(const CdAlphaMemory *m, size_t begin, size_t end) {
    return (Range){(size_t)m->block[begin], (size_t)m->block[end]};
}

// of n numbers, as large a part as the range is of V
static Range as_large(const CdAlphaMemory *m, Range V, size_t n) {
    const size_t nV = (size_t)m->nV;
    if (V.end == nV) return (Range){V.begin == 0 ? 0 : n * V.begin / nV, n};
    return (Range){n * V.begin / nV, n * V.end / nV};
}

static void block_range(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    const CdiProblem *p = l->it->problem;
    const Range V = range_of_V(m, begin, end);
    const Part part = {.blocks = {begin, end},
                       .V = V,
                       .q = as_large(m, V, (size_t)p->nq),
                       .c = as_large(m, V, (size_t)p->nc),
                       .g = as_large(m, V, (size_t)p->ng),
                       .worker = worker};
    l->fn(l, &part);
}

static Range section_part(const int *begin, int first, int end) {
    return (Range){(size_t)begin[first], (size_t)begin[end]};
}

static void section_range(void *user, int first, int end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    const CdSections *u = l->it->problem->user.sections;
    const Range rows = section_part(u->g, first, end);
    const Part part = {.blocks = section_part(m->section_block, first, end),
                       .V = section_part(u->v, first, end),
                       .q = section_part(u->q, first, end),
                       .c = rows,
                       .g = rows,
                       .first = first,
                       .end = end,
                       .worker = worker};
    l->fn(l, &part);
}

static void share(Loop *l, PartFn *fn) {
    CdAlphaMemory *m = l->it->method;
    CdPool *pool = l->it->problem->user.pool;
    l->fn = fn;
    if (m->sections.n > 0) {
        cdi_sections_run(&m->sections, pool, section_range, l);
    } else if (m->nblocks < BLOCKS_MIN) {
        block_range(l, 0, (size_t)m->nblocks, 0);
    } else {
        cd_parallel_for(pool, (size_t)m->nblocks, 1, block_range, l);
    }
}

static double sum_of_blocks(const CdAlphaMemory *m) {
    double sum = 0;
    for (int k = 0; k < m->nblocks; k++) sum += m->sums[k];
    return sum;
}

// positions of manifolds from `turn`; of everything after a loop over blocks
static void retract_part(const CdIntegrator *it, const Part *part) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    if (p->vector_space || part->end == 0) return;
    p->user.sections->retract(p->user.data, part->first, part->end, m->old.q, m->turn, it->now.q);
}

static void retract_rest(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    if (it->problem->vector_space || m->sections.n > 0) return;
    cdi_retract(it->problem, m->old.q, m->turn, it->now.q);
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

static void predict_part(const Loop *l, const Part *part) {
    CdIntegrator *it = l->it;
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const size_t nv = (size_t)p->nv, nV = (size_t)m->nV;
    const Range q = part->q;
    if (p->vector_space) {
        predict_V(it, l->s, meet(part->V, 0, nv), true);
        predict_V(it, l->s, meet(part->V, nv, nV), false);
    } else {
        predict_V(it, l->s, part->V, false);
        memcpy(m->old.q + q.begin, it->now.q + q.begin, (q.end - q.begin) * sizeof(double));
        predict_turn(it, l->s, meet(part->V, 0, nv));
        retract_part(it, part);
    }
    if (l->measures) set_scale(it, part->V);
    predict_multipliers(it, l->s, part->c);
    predict_mu(it, part->g);
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
    Loop l = {.it = it, .s = s, .measures = measures};
    share(&l, predict_part);
    if (measures) set_scale(it, (Range){(size_t)m->nV, (size_t)m->nu});
    retract_rest(it);
}

// ---- how well the past would have told A0

static void miss_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    const double *A = cdi_alpha_accelerations(&l->it->now);
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) {
        const Range r = range_of_V(m, k, k + 1);
        const CdAlphaPast past = cdi_alpha_past(m, r.begin);
        m->ops->misses(r.end - r.begin, m->scale + r.begin, A + r.begin, &past,
                       m->misses + CDI_ALPHA_WAYS * k);
    }
}

void cdi_alpha_misses(CdIntegrator *it, double sum[CDI_ALPHA_WAYS]) {
    CdAlphaMemory *m = it->method;
    Loop l = {.it = it};
    if (!m->missed) share(&l, miss_part);
    m->missed = false;
    for (int j = 0; j < CDI_ALPHA_WAYS; j++) sum[j] = 0;
    for (int k = 0; k < m->nblocks; k++) {
        for (int j = 0; j < CDI_ALPHA_WAYS; j++) sum[j] += m->misses[CDI_ALPHA_WAYS * k + j];
    }
}

// ---- where a step ends

static void end_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    const CdiProblem *p = l->it->problem;
    if (!p->vector_space) {
        p->user.sections->normalise(p->user.data, part->first, part->end, l->it->now.q);
    }
    if (m->missed) miss_part(l, part);
}

// with what the next step is going to ask for
void cdi_alpha_end_motion(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    Loop l = {.it = it};
    m->missed = m->sections.n > 0 && cdi_alpha_looks_back(it, m->h_past);
    if (m->sections.n > 0 && (m->missed || !it->problem->vector_space)) {
        share(&l, end_part);
    } else if (!it->problem->vector_space) {
        cdi_normalise(it->problem, it->now.q);
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

static void move_part(const Loop *l, const Part *part) {
    CdIntegrator *it = l->it;
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const size_t nv = (size_t)p->nv, nV = (size_t)m->nV, linear = p->vector_space ? nv : 0;
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) {
        const Range V = range_of_V(m, k, k + 1);
        m->sums[k] = move_V(it, l->s, meet(V, 0, linear), true);
        m->sums[k] += move_V(it, l->s, meet(V, linear, nV), false);
    }
    if (!p->vector_space) {
        const Range v = meet(part->V, 0, nv);
        subtract(v, l->s->cq, m->b, m->turn);
        if (m->lin_eta) subtract(v, 1, m->push, m->turn);
        retract_part(it, part);
    }
    subtract(part->c, 1, m->b + p->nd, it->now.lambda);
}

double cdi_alpha_move_motion(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    if (is_small(it)) return move_V(it, s, (Range){0, (size_t)m->nV}, true);
    Loop l = {.it = it, .s = s};
    share(&l, move_part);
    retract_rest(it);
    return sum_of_blocks(m);
}

// ---- rows of constraints

static void divide_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    const CdiProblem *p = l->it->problem;
    const CdAlphaStep *s = l->s;
    const size_t ng = (size_t)p->ng, nc = (size_t)p->nc;
    const double kg = m->form == CD_INDEX3 ? s->cq : m->form == CD_INDEX1 ? s->ca : s->cv;
    const double kn = m->form == CD_INDEX1 ? s->ca : s->cv;
    const Range g = meet(part->c, 0, ng), n = meet(part->c, ng, nc);
    double *restrict c = m->b + p->nd;
    for (size_t i = g.begin; i < g.end; i++) c[i] /= kg;
    for (size_t i = n.begin; i < n.end; i++) c[i] /= kn;
}

void cdi_alpha_divide_rows(CdIntegrator *it, const CdAlphaStep *s) {
    Loop l = {.it = it, .s = s};
    share(&l, divide_part);
}

// ---- an iteration, section by section

static void iterate_part(const Loop *l, const Part *part) {
    CdIntegrator *it = l->it;
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    cdi_sections_residual(p, part->first, part->end, &it->now, l->level, m->b, m->b + p->nd);
    divide_part(l, part);
    cdi_lin_solve_sections(m->lin, &m->sections.of, part->first, part->end, part->worker, m->b);
    move_part(l, part);
}

CdStatus cdi_alpha_iterate_sections(CdIntegrator *it, const CdAlphaStep *s, CdConstraintLevel level,
                                    double *sum) {
    Loop l = {.it = it, .s = s, .level = level};
    CD_TRY(cdi_sections_begin(it->problem));
    it->problem->counts.solves++;
    share(&l, iterate_part);
    *sum = sum_of_blocks(it->method);
    return CD_OK;
}

// ---- rounding

static void largest_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    double most = cdi_vecn()->max(part->q.end - part->q.begin, l->it->now.q + part->q.begin);
    // the same for all of its blocks
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) m->sums[k] = most;
}

// sums[k]: is something above rounding?
static void rounding_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    const double *V = cdi_alpha_velocities(&l->it->now), *A = cdi_alpha_accelerations(&l->it->now);
    const double h = l->s->h, cv = l->s->cv, most = l->part;
    const size_t nv = (size_t)l->it->problem->nv;
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) {
        const Range r = range_of_V(m, k, k + 1);
        m->sums[k] = 0;
        for (size_t i = r.begin; i < r.end && m->sums[k] == 0; i++) {
            const double size = fabs(V[i]) + h * fabs(A[i]) + (i < nv ? l->most : 0);
            m->sums[k] = !(fabs(cv * m->b[i]) <= most * size);
        }
    }
}

// sums[k]: of squares of what velocities are measured with
static void scale_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    const size_t nv = (size_t)l->it->problem->nv;
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) {
        const Range r = meet(range_of_V(m, k, k + 1), 0, nv);
        m->sums[k] = 0;
        for (size_t i = r.begin; i < r.end; i++) m->sums[k] += m->scale[i] * m->scale[i];
    }
}

double cdi_alpha_grain(CdIntegrator *it, double h) {
    const CdAlphaMemory *m = it->method;
    Loop l = {.it = it};
    share(&l, largest_part);
    const double most = cdi_vecn()->max((size_t)m->nblocks, m->sums);
    share(&l, scale_part);
    return DBL_EPSILON * most / h * sqrt(sum_of_blocks(m) * m->share);
}

bool cdi_alpha_at_rounding(CdIntegrator *it, const CdAlphaStep *s, double part) {
    const CdAlphaMemory *m = it->method;
    const size_t n = (size_t)m->nblocks;
    Loop l = {.it = it, .s = s, .part = part};
    share(&l, largest_part);
    l.most = cdi_vecn()->max(n, m->sums) / s->h;
    share(&l, rounding_part);
    return cdi_vecn()->max(n, m->sums) == 0;
}
