// alpha_motion.c - loops over the unknowns of one step of the generalised-alpha family, shared by
// threads
//
// V is cut into blocks; norms are sums of their sums in order, so that bits do not depend on the
// number of threads. A thread has the same part of V, of positions and of multipliers in all of
// these loops, whose numbers then stay in its cache. Positions in linear spaces move with their
// velocities, others follow by retraction from `turn`.
//
// Where the problem has sections that the solver can take by themselves, every thread has some of
// these, and an iteration - residual, solution, increment - is one loop. Where it has rows that can
// be had one by one, and the solver parts that it eliminates side by side, a step with its first
// iteration is a few loops with one hand-over:
//
//   predict, residual, forward elimination | what is between parts, backward, increment
//
// No block has unknowns of two sections or parts.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

#define BLOCK 64
// that are worth another thread
#define BLOCKS_MIN 4
// numbers of a cache line
#define LINE (CD_ARENA_ALIGN / sizeof(double))

// what a loop meets at once
typedef struct Part {
    CdAlphaRange blocks, V, q, c, g;
    int first, end; // sections or parts; 0, 0: not known
    int worker;
    const CdAlphaArrays *x;
} Part;

typedef struct Loop Loop;
typedef void PartFn(const Loop *l, const Part *part);
struct Loop {
    CdIntegrator *it;
    const CdAlphaStep *s;
    PartFn *fn;
    CdConstraintLevel level; // of an iteration
    bool is_long;            // as an iteration is
    bool again;              // the one before was taken for the last
    bool ends;               // it may be the last
    bool looks_back;         // misses are wanted
    bool remembers;          // the problem is to be told
    bool once;               // what is between parts is found by one thread, for all
    bool fused;              // prediction and residual are one loop
    int slot;                // of the accelerations of now
    double most;             // |q|
    double limit;            // of V, and of q over h, that increments may be
};

// ---- blocks and parts

// V in `count` sections or parts, of which no block has two; apart: with empty blocks, so that
// their sums stand on lines of their own
static void cut_blocks(CdAlphaMemory *m, int count, const int *begin, bool apart) {
    int n = 0;
    for (int k = 0; k < count; k++) {
        for (; k > 0 && apart && n % LINE != 0; n++) m->block[n] = begin[k];
        m->first_block[k] = n;
        for (int i = begin[k]; i < begin[k + 1]; i += BLOCK) m->block[n++] = i;
    }
    m->nblocks = m->first_block[count] = n;
    m->block[n] = m->nV;
}

// so many parts at most
static int most_parts(const CdAlphaMemory *m) {
    return m->nV / BLOCK + 1;
}

CdStatus cdi_alpha_blocks_new(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const CdSections *sections = it->problem->user.sections;
    const size_t groups = (size_t)(sections ? sections->n : most_parts(m));
    const size_t n = (size_t)m->nV / BLOCK + (sections ? groups : LINE * groups) + 1;
    m->sums =
        cdi_arena_alloc(&it->arena, (1 + CDI_ALPHA_WAYS) * n * sizeof(double), CD_ARENA_ALIGN);
    if (!m->sums) return CD_NOMEM;
    m->misses = m->sums + n;
    m->few = it->problem->vector_space && m->nu == it->problem->nv && it->problem->nc == 0 &&
             m->nV > 0 && m->nV <= BLOCK;
    m->block = CD_TAKE(&it->arena, int, n);
    m->first_block = CD_TAKE(&it->arena, int, groups + 1);
    if (!m->block || !m->first_block) return CD_NOMEM;
    cdi_alpha_cut(it);
    return CD_OK;
}

// blocks are the same for one thread, which has no use for parts
void cdi_alpha_cut(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const CdSections *sections = it->problem->user.sections;
    const int whole[] = {0, m->nV};
    cdi_sections_update(&m->sections, it->problem, m->lin);
    m->parts = m->lin && !m->lin_eta ? cdi_lin_parts(m->lin) : (CdLinsolParts){.n = 0};
    if (sections) {
        cut_blocks(m, sections->n, sections->v, false);
    } else if (m->parts.n > 1 && m->parts.n <= most_parts(m)) {
        cut_blocks(m, m->parts.n, m->parts.begin, true);
    } else {
        m->parts.n = 0;
        cut_blocks(m, 1, whole, false);
    }
    if (sections || cd_pool_workers(it->problem->user.pool) == 1) m->parts.n = 0;
    cdi_alpha_own_cut(it);
}

static CdAlphaRange range_of_V(const CdAlphaMemory *m, size_t begin, size_t end) {
    return (CdAlphaRange){(size_t)m->block[begin], (size_t)m->block[end]};
}

// of n numbers, as large a part as the range is of V
static CdAlphaRange as_large(const CdAlphaMemory *m, CdAlphaRange V, size_t n) {
    const size_t nV = (size_t)m->nV;
    if (V.end == nV) return (CdAlphaRange){V.begin == 0 ? 0 : n * V.begin / nV, n};
    return (CdAlphaRange){n * V.begin / nV, n * V.end / nV};
}

static void block_range(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    const CdiProblem *p = l->it->problem;
    const CdAlphaRange V = range_of_V(m, begin, end);
    const Part part = {.blocks = {begin, end},
                       .V = V,
                       .q = as_large(m, V, (size_t)p->nq),
                       .c = as_large(m, V, (size_t)p->nc),
                       .g = as_large(m, V, (size_t)p->ng),
                       .worker = worker,
                       .x = &m->all};
    l->fn(l, &part);
}

static void section_range(void *user, int first, int end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    const CdSections *u = l->it->problem->user.sections;
    const CdAlphaRange rows = cdi_alpha_between(u->g, first, end);
    const Part part = {.blocks = cdi_alpha_between(m->first_block, first, end),
                       .V = cdi_alpha_between(u->v, first, end),
                       .q = cdi_alpha_between(u->q, first, end),
                       .c = rows,
                       .g = rows,
                       .first = first,
                       .end = end,
                       .worker = worker,
                       .x = m->apart ? &m->own[cdi_sections_share(&m->sections, first)] : &m->all};
    l->fn(l, &part);
}

static void run_parts(const Loop *l, size_t begin, size_t end, int worker, PartFn *fn) {
    const CdAlphaMemory *m = l->it->method;
    for (size_t k = begin; k < end; k++) {
        const int first = (int)k;
        const CdAlphaRange V = cdi_alpha_between(m->parts.begin, first, first + 1);
        const Part part = {.blocks = cdi_alpha_between(m->first_block, first, first + 1),
                           .V = V,
                           .q = V,
                           .first = first,
                           .end = first + 1,
                           .worker = worker,
                           .x = m->apart ? &m->own[k] : &m->all};
        fn(l, &part);
    }
}

static void part_range(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    run_parts(l, begin, end, worker, l->fn);
}

static void share(Loop *l, PartFn *fn) {
    CdAlphaMemory *m = l->it->method;
    CdPool *pool = l->it->problem->user.pool;
    l->fn = fn;
    if (m->sections.n > 0) {
        cdi_sections_run(&m->sections, pool, l->is_long, section_range, l);
    } else if (m->parts.n > 0) {
        cd_parallel_for(pool, (size_t)m->parts.n, 1, part_range, l);
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
    const CdiProblem *p = it->problem;
    const CdAlphaArrays *x = part->x;
    if (p->vector_space || part->end == 0) return;
    p->user.sections->retract(p->user.data, part->first, part->end, x->old.q, x->turn, x->now.q);
}

static void retract_rest(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    if (it->problem->vector_space || m->sections.n > 0) return;
    cdi_retract(it->problem, m->all.old.q, m->all.turn, it->now.q);
}

// ---- where a step begins

static void subtract(CdAlphaRange r, double c, const double *restrict d, double *restrict x) {
    for (size_t i = r.begin; i < r.end; i++) x[i] -= c * d[i];
}

// what increments are measured with
static void set_scale(const CdIntegrator *it, const CdAlphaArrays *x, CdAlphaRange r) {
    const CdiProblem *p = it->problem;
    const double rtol = it->options->rtol, atol = it->options->atol;
    // x follows V in a point
    const double *restrict V = cdi_alpha_velocities(&x->now);
    const double *restrict weight = p->user.weight ? p->user.weight + p->nq : NULL;
    double *restrict scale = x->scale;
    for (size_t i = r.begin; i < r.end; i++) scale[i] = 1 / (atol + rtol * fabs(V[i]));
    for (size_t i = r.begin; weight && i < r.end; i++) scale[i] *= weight[i];
}

static void predict_turn(const CdAlphaArrays *x, const CdAlphaStep *s, CdAlphaRange r) {
    const double h = s->h, q1 = s->cq, q0 = s->q_old, *restrict v0 = x->old.v;
    const double *restrict a0 = x->a_old, *restrict a1 = x->a;
    double *restrict turn = x->turn;
    for (size_t i = r.begin; i < r.end; i++) turn[i] = h * v0[i] + (q0 * a0[i] + q1 * a1[i]);
}

// as accelerations; the past of both stands in one array
static void predict_multipliers(const CdIntegrator *it, const CdAlphaArrays *x,
                                const CdAlphaStep *s, CdAlphaRange r) {
    const CdAlphaMemory *m = it->method;
    double *l = x->now.lambda, *l0 = x->old.lambda;
    if (r.begin == r.end) return;
    memcpy(l0 + r.begin, l + r.begin, (r.end - r.begin) * sizeof *l);
    if (!s->more) return;
    const CdAlphaPast past = cdi_alpha_past(x, m->slot, (size_t)m->nV);
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

static void predict_mu(const CdAlphaArrays *x, CdAlphaRange r) {
    const size_t size = (r.end - r.begin) * sizeof(double);
    if (size == 0) return;
    memcpy(x->old.mu + r.begin, x->now.mu + r.begin, size);
    memset(x->now.mu + r.begin, 0, size);
}

static CdAlphaRange meet(CdAlphaRange a, size_t begin, size_t end) {
    const CdAlphaRange r = {a.begin > begin ? a.begin : begin, a.end < end ? a.end : end};
    return r.begin < r.end ? r : (CdAlphaRange){0, 0};
}

static void predict_part(const Loop *l, const Part *part) {
    CdIntegrator *it = l->it;
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const size_t nv = (size_t)p->nv, nV = (size_t)m->nV;
    const CdAlphaArrays *x = part->x;
    const CdAlphaRange q = part->q;
    if (p->vector_space) {
        cdi_alpha_predict_V(m, x, l->s, meet(part->V, 0, nv), true);
        cdi_alpha_predict_V(m, x, l->s, meet(part->V, nv, nV), false);
    } else {
        cdi_alpha_predict_V(m, x, l->s, part->V, false);
        memcpy(x->old.q + q.begin, x->now.q + q.begin, (q.end - q.begin) * sizeof(double));
        predict_turn(x, l->s, meet(part->V, 0, nv));
        retract_part(it, part);
    }
    if (m->measures) set_scale(it, x, part->V);
    predict_multipliers(it, x, l->s, part->c);
    predict_mu(x, part->g);
}

void cdi_alpha_predict_motion(CdIntegrator *it, const CdAlphaStep *s, bool may_wait) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    m->measures = !cdi_newton_trusts(&m->newton);
    m->ended = m->shown = false;
    m->waits = may_wait && (m->parts.n > 0 || m->sections.n > 0);
    if (m->waits && !cdi_pool_alone(it->problem->user.pool)) {
        cdi_alpha_part_ways(it);
    } else {
        cdi_alpha_unite(it);
    }
    if (m->waits) return;
    if (m->few) {
        const CdAlphaRange all = {0, (size_t)m->nV};
        cdi_alpha_predict_V(m, &m->all, s, all, true);
        if (m->measures) set_scale(it, &m->all, all);
        return;
    }
    Loop l = {.it = it, .s = s};
    share(&l, predict_part);
    if (m->measures) set_scale(it, &m->all, (CdAlphaRange){(size_t)m->nV, (size_t)m->nu});
    if (m->lin_eta && cdi_alpha_eta_predict(it, s)) {
        subtract((CdAlphaRange){0, (size_t)p->nv}, 1, m->push,
                 p->vector_space ? it->now.q : m->all.turn);
    }
    retract_rest(it);
}

// ---- how well the past would have told A0

static void miss_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    const CdAlphaArrays *x = part->x;
    const double *A = cdi_alpha_accelerations(&x->now);
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) {
        const CdAlphaRange r = range_of_V(m, k, k + 1);
        const CdAlphaPast past = cdi_alpha_past(x, l->slot, r.begin);
        m->ops->misses(r.end - r.begin, x->scale + r.begin, A + r.begin, &past,
                       m->misses + CDI_ALPHA_WAYS * k);
    }
}

void cdi_alpha_misses(CdIntegrator *it, double sum[CDI_ALPHA_WAYS]) {
    CdAlphaMemory *m = it->method;
    Loop l = {.it = it, .slot = m->slot};
    if (!m->missed) share(&l, miss_part);
    m->missed = false;
    for (int j = 0; j < CDI_ALPHA_WAYS; j++) sum[j] = 0;
    for (int k = 0; k < m->nblocks; k++) {
        for (int j = 0; j < CDI_ALPHA_WAYS; j++) sum[j] += m->misses[CDI_ALPHA_WAYS * k + j];
    }
}

// ---- where a step ends

static CdPoint at_time(const CdPoint *point, double t) {
    CdPoint at = *point;
    at.t = t;
    return at;
}

// positions onto their manifold, and what the next step is going to ask for
static void end_part(const Loop *l, const Part *part) {
    const CdIntegrator *it = l->it;
    const CdProblem *user = &it->problem->user;
    if (!it->problem->vector_space) {
        user->sections->normalise(user->data, part->first, part->end, part->x->now.q);
    }
    if (l->looks_back) miss_part(l, part);
    if (l->remembers) {
        const CdPoint now = at_time(&part->x->now, it->now.t);
        user->sections->step_end(user->data, part->first, part->end, &now);
    }
}

// With sections; the last iteration may have done all of it but the last lines. Projections of
// index 1 have moved it since.
static void end_sections(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    Loop l = {.it = it, .slot = cdi_alpha_next_slot(m->slot)};
    l.looks_back = cdi_alpha_will_look_back(it, s);
    l.remembers = it->driver->ended = cdi_ends_in_sections(it);
    const bool any = l.looks_back || !it->problem->vector_space;
    if (l.remembers || (any && (!m->ended || m->form == CD_INDEX1))) share(&l, end_part);
    m->missed = l.looks_back;
}

void cdi_alpha_end_motion(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    m->expected = m->newton.iteration;
    m->missed = it->driver->ended = false;
    if (m->sections.n > 0) {
        end_sections(it, s);
    } else if (!it->problem->vector_space) {
        cdi_normalise(it->problem, it->now.q);
    }
}

// ---- an increment

static void move_part(const Loop *l, const Part *part) {
    CdIntegrator *it = l->it;
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const size_t nv = (size_t)p->nv, nV = (size_t)m->nV, linear = p->vector_space ? nv : 0;
    const CdAlphaArrays *x = part->x;
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) {
        const CdAlphaRange V = range_of_V(m, k, k + 1);
        m->sums[k] = cdi_alpha_move_V(m, x, l->s, meet(V, 0, linear), true);
        m->sums[k] += cdi_alpha_move_V(m, x, l->s, meet(V, linear, nV), false);
    }
    if (!p->vector_space) {
        const CdAlphaRange v = meet(part->V, 0, nv);
        subtract(v, l->s->cq, x->b, x->turn);
        if (m->lin_eta) subtract(v, 1, m->push, x->turn);
        retract_part(it, part);
    }
    subtract(part->c, 1, x->b + p->nd, x->now.lambda);
}

double cdi_alpha_move_motion(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    if (m->few) return cdi_alpha_move_V(m, &m->all, s, (CdAlphaRange){0, (size_t)m->nV}, true);
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
    const CdAlphaRange g = meet(part->c, 0, ng), n = meet(part->c, ng, nc);
    double *restrict c = part->x->b + p->nd;
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
    const CdAlphaArrays *x = part->x;
    const CdPoint now = at_time(&x->now, it->now.t);
    if (m->waits) predict_part(l, part);
    if (l->again) retract_part(it, part);
    cdi_sections_residual(p, part->first, part->end, &now, l->level, x->b, x->b + p->nd);
    divide_part(l, part);
    cdi_lin_solve_sections(m->lin, &m->sections.of, part->first, part->end, part->worker, x->b);
    move_part(l, part);
    if (l->ends) end_part(l, part);
}

CdStatus cdi_alpha_iterate_sections(CdIntegrator *it, const CdAlphaStep *s, CdConstraintLevel level,
                                    double *sum) {
    CdAlphaMemory *m = it->method;
    Loop l = {.it = it, .s = s, .level = level, .is_long = true};
    l.again = m->ended;
    l.ends = m->apart && m->newton.iteration + 1 >= m->expected && !cdi_ends_in_sections(it);
    l.looks_back = cdi_alpha_will_look_back(it, s);
    l.slot = cdi_alpha_next_slot(m->slot);
    CD_TRY(cdi_sections_begin(it->problem));
    it->problem->counts.solves++;
    share(&l, iterate_part);
    m->waits = false;
    m->ended = l.ends;
    *sum = sum_of_blocks(m);
    return CD_OK;
}

// ---- an iteration, part by part

static void forward_part(const Loop *l, const Part *part) {
    const CdIntegrator *it = l->it;
    const CdAlphaMemory *m = it->method;
    const CdProblem *user = &it->problem->user;
    const CdAlphaArrays *x = part->x;
    const CdPoint now = at_time(&x->now, it->now.t);
    if (l->fused) {
        cdi_alpha_fetch_predicted(it, l->s, part->first);
    } else if (m->apart) {
        cdi_alpha_fetch(it, part->first);
    }
    user->residual_rows(user->data, &now, (int)part->V.begin, (int)part->V.end, x->b);
    cdi_lin_forward(m->lin, part->first, part->end, part->worker, x->b);
}

static void backward_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    const int copy = l->once ? 0 : part->worker;
    cdi_lin_backward(m->lin, part->first, part->end, part->worker, copy, part->x->b);
    move_part(l, part);
    if (m->apart) cdi_alpha_show_edges(l->it, part->first);
}

static void predict_and_show(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    predict_part(l, part);
    if (m->apart) cdi_alpha_show_edges(l->it, part->first);
}

static void predict_and_forward(const Loop *l, const Part *part) {
    predict_part(l, part);
    forward_part(l, part);
}

static void predict_parts(void *user, size_t begin, size_t end, int worker) {
    run_parts(user, begin, end, worker, predict_and_show);
}

static void begin_parts(void *user, size_t begin, size_t end, int worker) {
    run_parts(user, begin, end, worker, predict_and_forward);
}

static void forward_parts(void *user, size_t begin, size_t end, int worker) {
    run_parts(user, begin, end, worker, forward_part);
}

static void backward_parts(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    if (!l->once) cdi_lin_between(m->lin, worker);
    run_parts(user, begin, end, worker, backward_part);
}

static void between_parts(void *user, size_t begin, size_t end, int worker) {
    const Loop *l = user;
    const CdAlphaMemory *m = l->it->method;
    (void)begin, (void)end, (void)worker;
    cdi_lin_between(m->lin, 0);
}

void cdi_alpha_iterate_parts(CdIntegrator *it, const CdAlphaStep *s, double *sum) {
    CdAlphaMemory *m = it->method;
    Loop l = {.it = it, .s = s};
    const size_t n = (size_t)m->parts.n;
    const CdJob predict = {predict_parts, &l, n, 1}, begin = {begin_parts, &l, n, 1};
    const CdJob forward = {forward_parts, &l, n, 1};
    const CdJob between = {between_parts, &l, 1, 1}, backward = {backward_parts, &l, n, 1};
    CdJob jobs[4];
    int njobs = 0;
    // threads would wait for one that finds what is between, so each does
    l.once = cdi_pool_alone(it->problem->user.pool);
    // what others have is predicted by each for itself, too, unless it has a past
    l.fused = m->waits && m->apart && !s->more;
    if (m->waits && !l.fused) jobs[njobs++] = predict;
    jobs[njobs++] = l.fused ? begin : forward;
    if (l.once) jobs[njobs++] = between;
    jobs[njobs++] = backward;
    it->problem->counts.evaluations++;
    it->problem->counts.solves++;
    cd_parallel_jobs(it->problem->user.pool, jobs, njobs);
    m->waits = false;
    *sum = sum_of_blocks(m);
}

// ---- rounding

static void largest_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    double most = cdi_vecn()->max(part->q.end - part->q.begin, part->x->now.q + part->q.begin);
    // the same for all of its blocks
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) m->sums[k] = most;
}

// sums[k]: is something above rounding?
static void rounding_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    const CdAlphaArrays *x = part->x;
    const double *V = cdi_alpha_velocities(&x->now), *A = cdi_alpha_accelerations(&x->now);
    const double h = l->s->h, cv = l->s->cv, most = l->limit;
    const size_t nv = (size_t)l->it->problem->nv;
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) {
        const CdAlphaRange r = range_of_V(m, k, k + 1);
        m->sums[k] = 0;
        for (size_t i = r.begin; i < r.end && m->sums[k] == 0; i++) {
            const double size = fabs(V[i]) + h * fabs(A[i]) + (i < nv ? l->most : 0);
            m->sums[k] = !(fabs(cv * x->b[i]) <= most * size);
        }
    }
}

// sums[k]: of squares of what velocities are measured with
static void scale_part(const Loop *l, const Part *part) {
    const CdAlphaMemory *m = l->it->method;
    const size_t nv = (size_t)l->it->problem->nv;
    for (size_t k = part->blocks.begin; k < part->blocks.end; k++) {
        const CdAlphaRange r = meet(range_of_V(m, k, k + 1), 0, nv);
        m->sums[k] = 0;
        for (size_t i = r.begin; i < r.end; i++)
            m->sums[k] += part->x->scale[i] * part->x->scale[i];
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

bool cdi_alpha_at_rounding(CdIntegrator *it, const CdAlphaStep *s, double limit) {
    const CdAlphaMemory *m = it->method;
    const size_t n = (size_t)m->nblocks;
    Loop l = {.it = it, .s = s, .limit = limit};
    share(&l, largest_part);
    l.most = cdi_vecn()->max(n, m->sums) / s->h;
    share(&l, rounding_part);
    return cdi_vecn()->max(n, m->sums) == 0;
}
