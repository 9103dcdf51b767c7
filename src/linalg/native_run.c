// native_run.c - elimination and substitution unit by unit, shared by threads, then the top
//
// Threads do whole units, those with the unknowns that they have in other loops too; what units
// have for the top is added by one of them in the order of the units, so the same numbers come out
// however many threads there are.
#include <math.h>
#include <string.h>

#include "linalg/native.h"

// least work that is shared: multiplications of a factor, entries of factors in a solution
#define SHARED_FLOPS 1e4
#define SHARED_NNZ 1500
// numbers of factors that a second cache does not hold
#define FAR_NUMBERS 200000

typedef struct Job {
    CdiNative *m;
    const double *v;    // values of A
    double *b;          // right-hand side
    bool first, second; // forward and backward by the other panel
} Job;

static CdiNativeFactor numbers_of(const CdiNative *m, const CdiNativeUnit *u, int worker) {
    return (CdiNativeFactor){.x = m->x + u->x,
                             .inverse = m->inverse + u->step,
                             .scale = m->scale + u->step,
                             .work = m->work + m->nwork * (size_t)worker,
                             .zero = m->zero,
                             .count = u->count};
}

static const CdiNativeOps *ops_of(const CdiNative *m, const CdiNativeUnit *u) {
    return u->width == 1 ? m->ops : u->width == CDI_NATIVE_HALF ? m->half : m->wide;
}

static void share(CdiNative *m, bool worth_it, CdRangeFn *fn, Job *job) {
    if (m->tree->nunits == 0) return;
    if (worth_it && m->pool) {
        cd_parallel_for(m->pool, CDI_NATIVE_SHARES, 1, fn, job);
    } else {
        fn(job, 0, CDI_NATIVE_SHARES, 0);
    }
}

// ---- factor

// numbers of A that all systems have
static inline void fill_lanes(const int width, const CdiNativePart *part, const int *from,
                              const double *restrict v, double *restrict x) {
    for (int k = 0; k < part->nempty; k++) {
        double *restrict y = x + width * part->empty[k];
        for (int i = 0; i < width; i++) y[i] = 0;
    }
    for (int k = 0; k < part->nfill; k++, from += width) {
        double *restrict y = x + width * part->fill[k];
        for (int i = 0; i < width; i++) y[i] = v[from[i]];
    }
}

static void fill_wide(const CdiNativeUnit *u, const int *from, const double *v, double *x) {
    if (u->width == CDI_NATIVE_HALF) {
        fill_lanes(CDI_NATIVE_HALF, u->part, from, v, x);
    } else {
        fill_lanes(CDI_NATIVE_WIDE, u->part, from, v, x);
    }
}

static void fill_entries(const int *restrict from, const int *restrict to, int n,
                         const double *restrict v, double *restrict x) {
    for (int k = 0; k < n; k++) x[to[k]] = v[from[k]];
}

// target of the last panel of one system of a unit, into the panels of the top
static void add_edge(const CdiNative *m, const CdiNativeIncoming *in, int panel) {
    const CdiNativeTree *t = m->tree;
    const CdiNativeUnit *u = &t->units[in->unit];
    const CdiNativePart *top = t->units[t->nunits].part;
    const CdiSupernode *last = &u->part->supernodes[u->part->nsupernodes];
    const CdiTarget *target = &t->edge_targets[in->target];
    const CdiSupernode *to = &top->supernodes[target->to];
    const int *place = t->edge_places + target->place - target->begin;
    const size_t width = (size_t)u->width, group = (size_t)u->part->group;
    const double *from = m->x + u->x + in->system;
    from += width * ((size_t)last->at + (size_t)(panel * last->second));
    double *x = m->x + t->units[t->nunits].x + to->at + panel * to->second;
    for (int j = target->begin; j < target->end; j++) {
        double *restrict y =
            x + cdi_native_column((size_t)to->ld, CDI_NATIVE_LANES, (size_t)place[j]);
        const double *restrict mine =
            from + width * cdi_native_column((size_t)last->ld, group, (size_t)j);
        for (int i = j + panel; i < last->ncols; i++) y[place[i]] += mine[width * (size_t)i];
    }
}

// what every pivot should be about: its diagonal, or what the strongest neighbour makes of it
static void set_scales(const CdiNative *m, const CdiNativeUnit *u, const CdiNativeChunk *c,
                       const double *v) {
    const CdiNativeTree *t = m->tree;
    const int begin = u->step + c->column, end = u->step + c->end;
    const int *pair = t->pair + CDI_PAIR_SIZE * (size_t)c->pair;
    double *scale = m->scale;
    for (int k = begin; k < end; k++) scale[k] = t->diagonal[k] < 0 ? 0 : v[t->diagonal[k]];
    for (int k = c->pair; k < c->pair_end; k++, pair += CDI_PAIR_SIZE) {
        const double made =
            -v[pair[CDI_PAIR_DOWN]] * v[pair[CDI_PAIR_UP]] / v[pair[CDI_PAIR_OTHER]];
        double *mine = &scale[pair[CDI_PAIR_STEP]];
        if (fabs(made) > fabs(*mine)) *mine = made;
    }
    for (int k = begin; k < end; k++) scale[k] = scale[k] == 0 ? 1 : 1 / scale[k];
}

// a unit of width 1 at work
typedef struct Narrow {
    const CdiNative *m;
    const CdiNativeUnit *unit;
    const double *v;
} Narrow;

static void prepare(void *user, const CdiNativeChunk *c) {
    const Narrow *n = user;
    const CdiNativeTree *t = n->m->tree;
    const CdiNativeUnit *u = n->unit;
    const int *range = u->part->ranges + 2 * (size_t)c->range;
    const size_t entry = (size_t)u->scatter + (size_t)c->entry;
    double *x = n->m->x + u->x;
    for (int k = 0; k < c->nranges; k++, range += 2) {
        memset(x + range[0], 0, (size_t)(range[1] - range[0]) * sizeof *x);
    }
    fill_entries(t->from + entry, t->to + entry, c->nentries, n->v, x);
    set_scales(n->m, u, c, n->v);
    for (int k = c->incoming; k < c->incoming + c->nincoming; k++) {
        add_edge(n->m, &t->incoming[k], 0);
        if (!t->symmetric) add_edge(n->m, &t->incoming[k], 1);
    }
}

static void eliminate(const Job *job, int unit, int worker) {
    CdiNative *m = job->m;
    const CdiNativeTree *t = m->tree;
    const CdiNativeUnit *u = &t->units[unit];
    CdiNativeFactor f = numbers_of(m, u, worker);
    Narrow narrow = {m, u, job->v};
    if (u->width > 1) {
        fill_wide(u, t->from + u->fill, job->v, f.x);
        fill_entries(t->from + u->scatter, t->to + u->scatter, u->nscatter, job->v, f.x);
        ops_of(m, u)->scale(u->part, &f);
    } else {
        f.prepare = prepare;
        f.user = &narrow;
    }
    ops_of(m, u)->factor(u->part, t->symmetric, &f);
    m->by_unit[unit] = f.pivots;
    m->by_unit[unit].least_step += u->step;
}

static void factor_units(void *user, size_t begin, size_t end, int worker) {
    const Job *job = user;
    const CdiNativeTree *t = job->m->tree;
    for (int k = t->share[begin]; k < t->share[end]; k++) eliminate(job, t->turn[k], worker);
}

static void gather_pivots(CdiNative *m) {
    CdiPivots all = {.least = INFINITY};
    for (int k = 0; k <= m->tree->nunits; k++) {
        const CdiPivots *p = &m->by_unit[k];
        all.replaced += p->replaced;
        all.most = fmax(all.most, p->most);
        if (p->least < all.least) {
            all.least = p->least;
            all.least_step = p->least_step;
        }
    }
    m->pivots = all;
}

void cdi_native_factor(CdiNative *m, const double *v) {
    const CdiNativeTree *t = m->tree;
    Job job = {.m = m, .v = v};
    share(m, t->flops >= SHARED_FLOPS, factor_units, &job);
    eliminate(&job, t->nunits, 0);
    gather_pivots(m);
}

// ---- solve

// numbers of a unit: those that meet nothing outside need no place where others find them
static double *numbers_in(const CdiNative *m, const CdiNativeUnit *u, int worker) {
    return u->part->nouter > 0 ? m->z + u->step : m->alone + m->nalone * (size_t)worker;
}

static void load_unit(const CdiNative *m, const CdiNativeUnit *u, const double *restrict b,
                      double *restrict z) {
    const int *perm = m->tree->perm + u->step, n = u->width * u->part->n;
    if (u->width > 1) {
        ops_of(m, u)->load(m->tree->stretches + u->stretch, u->nstretches, perm, b, z);
    } else {
        for (int k = 0; k < n; k++) z[k] = b[perm[k]];
    }
    memset(z + n, 0, (size_t)u->width * (size_t)u->part->nouter * sizeof *z);
}

static void store_unit(const CdiNative *m, const CdiNativeUnit *u, const double *restrict z,
                       double *restrict b) {
    const int *perm = m->tree->perm + u->step, n = u->width * u->part->n;
    if (u->width > 1) {
        ops_of(m, u)->store(m->tree->stretches + u->stretch, u->nstretches, perm, z, b);
    } else {
        for (int k = 0; k < n; k++) b[perm[k]] = z[k];
    }
}

static bool is_far(const CdiNative *m) {
    return m->tree->nx > FAR_NUMBERS;
}

// first panels of a unit, for which the one before asks
static const double *forward_begin(const Job *job, const CdiNativeUnit *u) {
    const CdiSupernode *s = u->part->supernodes;
    return job->m->x + u->x + (size_t)u->width * cdi_native_panel(s, job->first);
}

static const double *backward_begin(const Job *job, const CdiNativeUnit *u) {
    const CdiSupernode *s = &u->part->supernodes[u->part->nsupernodes - 1];
    return job->m->x + u->x + (size_t)u->width * cdi_native_panel(s, job->second);
}

static void forward_unit(const Job *job, const CdiNativeUnit *u, const CdiNativeUnit *next,
                         int worker) {
    const CdiNative *m = job->m;
    CdiNativeFactor f = numbers_of(m, u, worker);
    if (is_far(m)) f.next = forward_begin(job, next);
    double *z = numbers_in(m, u, worker);
    load_unit(m, u, job->b, z);
    ops_of(m, u)->forward(u->part, &f, job->first, z);
}

static void backward_unit(const Job *job, const CdiNativeUnit *u, const CdiNativeUnit *next,
                          int worker) {
    const CdiNative *m = job->m;
    CdiNativeFactor f = numbers_of(m, u, worker);
    if (is_far(m)) f.next = backward_begin(job, next);
    double *z = numbers_in(m, u, worker);
    ops_of(m, u)->backward(u->part, &f, job->second, z);
    store_unit(m, u, z, job->b);
}

// in the order of turns; the last is its own
static const CdiNativeUnit *next_unit(const CdiNativeTree *t, int turn, int end) {
    return &t->units[t->turn[turn + 1 < end ? turn + 1 : turn]];
}

// those that meet nothing outside are done with at once
static void forward_turns(const Job *job, int begin, int end, int worker) {
    const CdiNativeTree *t = job->m->tree;
    for (int k = begin; k < end; k++) {
        const CdiNativeUnit *u = &t->units[t->turn[k]], *next = next_unit(t, k, end);
        forward_unit(job, u, next, worker);
        if (u->part->nouter == 0) backward_unit(job, u, next, worker);
    }
}

static void forward_units(void *user, size_t begin, size_t end, int worker) {
    const Job *job = user;
    const CdiNativeTree *t = job->m->tree;
    forward_turns(job, t->share[begin], t->share[end], worker);
}

static void backward_turns(const Job *job, int begin, int end, int worker, const double *top) {
    const CdiNative *m = job->m;
    const CdiNativeTree *t = m->tree;
    for (int k = begin; k < end; k++) {
        const CdiNativeUnit *u = &t->units[t->turn[k]];
        double *outer = m->z + u->step + u->width * u->part->n;
        if (u->part->nouter == 0) continue;
        for (int i = 0; i < u->width; i++) {
            const int *row = t->edge_rows + t->edges[u->edge + (i < u->count ? i : 0)].rows;
            for (int j = 0; j < u->part->nouter; j++) outer[u->width * j + i] = top[row[j]];
        }
        backward_unit(job, u, next_unit(t, k, end), worker);
    }
}

static void backward_units(void *user, size_t begin, size_t end, int worker) {
    const Job *job = user;
    const CdiNativeTree *t = job->m->tree;
    const double *top = job->m->z + t->units[t->nunits].step;
    backward_turns(job, t->share[begin], t->share[end], worker, top);
}

// what units have for the top, in their order; where z has it, or what was put aside
static void add_outer(const CdiNativeTree *t, const double *restrict z, double *restrict top) {
    for (int k = 0; k < t->nunits; k++) {
        const CdiNativeUnit *u = &t->units[k];
        const double *restrict outer = z + u->step + u->width * u->part->n;
        for (int i = 0; i < u->count; i++) {
            const int *row = t->edge_rows + t->edges[u->edge + i].rows;
            for (int j = 0; j < u->part->nouter; j++) top[row[j]] += outer[u->width * j + i];
        }
    }
}

// its right-hand side is in x, but for what units have
static void solve_top(const Job *job, const double *z, int worker, double *x) {
    const CdiNative *m = job->m;
    const CdiNativeUnit *top = &m->tree->units[m->tree->nunits];
    CdiNativeFactor f = numbers_of(m, top, worker);
    if (is_far(m)) f.next = f.x;
    add_outer(m->tree, z, x);
    m->ops->forward(top->part, &f, job->first, x);
    m->ops->backward(top->part, &f, job->second, x);
}

void cdi_native_solve(CdiNative *m, bool transposed, double *b) {
    const CdiNativeTree *t = m->tree;
    const bool worth_it = t->nnz >= SHARED_NNZ;
    Job job = {.m = m,
               .b = b,
               .first = transposed && !t->symmetric,
               .second = !transposed && !t->symmetric};
    share(m, worth_it, forward_units, &job);
    if (t->units[t->nunits].part->n == 0) return;
    const CdiNativeUnit *top = &t->units[t->nunits];
    load_unit(m, top, b, m->z + top->step);
    solve_top(&job, m->z, 0, m->z + top->step);
    store_unit(m, top, m->z + top->step, b);
    share(m, worth_it, backward_units, &job);
}

static Job job_of(CdiNative *m, double *b) {
    return (Job){.m = m, .b = b, .second = !m->tree->symmetric};
}

void cdi_native_solve_units(CdiNative *m, int first, int end, int worker, double *b) {
    const Job job = job_of(m, b);
    forward_turns(&job, first, end, worker);
}

// what a unit has for the top, for all to read: its place in z is written to on the way back
static void put_aside(const CdiNative *m, const CdiNativeUnit *u) {
    const size_t at = (size_t)u->step + (size_t)u->width * (size_t)u->part->n;
    const size_t n = (size_t)u->width * (size_t)u->part->nouter;
    memcpy(m->aside + at, m->z + at, n * sizeof *m->z);
}

// Numbers of the top go with the part in which their unknowns lie: lines of b stay with one thread.
void cdi_native_forward_parts(CdiNative *m, int first, int end, int worker, double *b) {
    const CdiNativeTree *t = m->tree;
    const CdiNativeShare *begin = &t->part[first], *behind = &t->part[end];
    const Job job = job_of(m, b);
    const int step = t->units[t->nunits].step;
    forward_turns(&job, begin->turn, behind->turn, worker);
    for (int k = begin->turn; k < behind->turn; k++) put_aside(m, &t->units[t->turn[k]]);
    for (int k = begin->top; k < behind->top; k++) {
        m->z[step + t->tops[k]] = b[t->perm[step + t->tops[k]]];
    }
}

static double *top_of(const CdiNative *m, int copy) {
    return m->tops + m->ntops * (size_t)copy;
}

void cdi_native_solve_top(CdiNative *m, int copy) {
    const Job job = job_of(m, NULL);
    const CdiNativeUnit *top = &m->tree->units[m->tree->nunits];
    if (top->part->n == 0) return;
    double *x = top_of(m, copy);
    memcpy(x, m->z + top->step, (size_t)top->part->n * sizeof *x);
    solve_top(&job, m->aside, copy, x);
}

void cdi_native_backward_parts(CdiNative *m, int first, int end, int worker, int copy, double *b) {
    const double *top = top_of(m, copy);
    const CdiNativeTree *t = m->tree;
    const CdiNativeShare *begin = &t->part[first], *behind = &t->part[end];
    const Job job = job_of(m, b);
    const int step = t->units[t->nunits].step;
    for (int k = begin->top; k < behind->top; k++) {
        b[t->perm[step + t->tops[k]]] = top[t->tops[k]];
    }
    backward_turns(&job, begin->turn, behind->turn, worker, top);
}

// ---- life

static double *take(CdiNative *m, size_t n) {
    return cdi_arena_alloc(&m->arena, n * sizeof(double), CD_ARENA_ALIGN);
}

// so many numbers of a worker, and room up to those of the next: processors fetch ahead
static size_t for_one(size_t n) {
    return (n + CDI_NATIVE_APART + CDI_NATIVE_WIDE - 1) / CDI_NATIVE_WIDE * CDI_NATIVE_WIDE;
}

CdStatus cdi_native_open(CdContext *ctx, const CdiNativeTree *t, CdPool *pool, CdIsa isa,
                         CdiNative *m) {
    const size_t n = (size_t)t->nsteps, workers = (size_t)cd_pool_workers(pool);
    *m = (CdiNative){.tree = t,
                     .pool = pool,
                     .zero = CDI_NATIVE_ZERO,
                     .ops = cdi_native_ops(isa, 1),
                     .half = cdi_native_ops(isa, CDI_NATIVE_HALF),
                     .wide = cdi_native_ops(isa, CDI_NATIVE_WIDE)};
    cdi_arena_init(&m->arena, ctx, 0);
    for (int k = 0; k <= t->nunits; k++) {
        const size_t work = ops_of(m, &t->units[k])->work(t->units[k].part);
        if (work > m->nwork) m->nwork = work;
        const CdiNativeUnit *u = &t->units[k];
        const size_t alone = (size_t)u->width * (size_t)u->part->n;
        if (u->part->nouter == 0 && k < t->nunits && alone > m->nalone) m->nalone = alone;
    }
    m->nwork = for_one(m->nwork);
    m->nalone = for_one(m->nalone);
    m->x = take(m, t->nx);
    m->work = take(m, workers * m->nwork);
    m->alone = take(m, workers * m->nalone);
    m->inverse = take(m, n);
    m->scale = take(m, n);
    m->z = take(m, n);
    m->ntops = for_one((size_t)t->units[t->nunits].part->n + CDI_NATIVE_BEHIND);
    m->tops = take(m, t->nparts > 1 ? workers * m->ntops : 0);
    m->aside = take(m, t->nparts > 1 ? n : 0);
    m->by_unit = CD_TAKE(&m->arena, CdiPivots, (size_t)t->nunits + 1);
    const bool parts = m->tops && m->aside;
    return m->x && m->work && m->alone && m->inverse && m->scale && m->z && m->by_unit && parts
               ? CD_OK
               : CD_NOMEM;
}

void cdi_native_close(CdiNative *m) {
    cdi_arena_clear(&m->arena);
}

extern const CdiNativeOps cdi_native_ops_base, cdi_native_half_base, cdi_native_wide_base;
#if defined(__x86_64__)
extern const CdiNativeOps cdi_native_ops_avx2, cdi_native_half_avx2, cdi_native_wide_avx2;
extern const CdiNativeOps cdi_native_ops_avx512, cdi_native_half_avx512, cdi_native_wide_avx512;
#endif

#define TABLES(isa) \
    { &cdi_native_ops_##isa, &cdi_native_half_##isa, &cdi_native_wide_##isa }

const CdiNativeOps *cdi_native_ops(CdIsa isa, int width) {
    static const CdiNativeOps *const tables[CD_NISA][3] = {
        [CD_ISA_BASE] = TABLES(base),
#if defined(__x86_64__)
        [CD_ISA_AVX2] = TABLES(avx2),
        [CD_ISA_AVX512] = TABLES(avx512),
#endif
    };
    return isa <= cdi_isa() ? tables[isa][(width > 1) + (width > CDI_NATIVE_HALF)] : NULL;
}
