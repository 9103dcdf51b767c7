// alpha_own.c - arrays of the generalised-alpha family that a thread has for itself
//
// Threads have sections or parts of the unknowns, and each works on its part of every array. A
// processor fetches ahead in every array that it walks along, some 1.5 kB, and takes from the other
// one what that is about to change: in small models all of it, and loops take three times as long.
// So every share has arrays of its own, while steps go on with the operator they have:
//
//   all --part_ways--> own, own, ...   step, step, step   --unite--> all
//
// Where a step began and where it ended is shown to others when they ask, who only read it: whoever
// changes it starts the integrator again. What rows of a part need from other parts (ghosts) is
// fetched before each residual, from where these show it (edges). Everything else stands where it
// did before when somebody asks for it.
#include <string.h>

#include "base/pool.h"
#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

// numbers between arrays of two shares
#define APART 512
// unknowns up to which that pays (measured): of more, what is fetched ahead is a small part of all
#define OF_SECTIONS_MAX 20000
#define OF_ROWS_MAX 15000
#define LINE (CD_ARENA_ALIGN / sizeof(double))
// numbers from one edge to the next: processors fetch lines in pairs
#define EDGE (2 * LINE)
#define ARRAYS (7 + CDI_ALPHA_PAST + 1)

// ---- memory

// shares that may have arrays
static size_t count_shares(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const size_t workers = (size_t)cd_pool_workers(p->user.pool);
    if (workers == 1 || workers > CDI_ALPHA_SHARES || p->nx > 0 || it->options->adaptive) return 0;
    if (m->form == CD_INDEX1 || m->form == CD_GGL) return 0;
    if (m->sections.of.n > 0) return p->n <= OF_SECTIONS_MAX ? workers : 0;
    return p->user.residual_rows && p->n <= OF_ROWS_MAX ? CDI_ALPHA_SHARES : 0;
}

static double *cut(double **block, size_t n) {
    double *part = *block;
    *block += (n + LINE) / LINE * LINE;
    return part;
}

static void cut_arrays(const CdIntegrator *it, double *block, CdAlphaArrays *x) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const size_t nV = (size_t)m->nV;
    cdi_point_over(p, cut(&block, p->npoint), &x->now);
    cdi_point_over(p, cut(&block, p->npoint), &x->old);
    x->a = cut(&block, nV);
    x->a_old = cut(&block, nV);
    x->scale = cut(&block, nV);
    x->turn = cut(&block, (size_t)p->nv);
    x->b = cut(&block, (size_t)p->n);
    for (int k = 0; k <= CDI_ALPHA_PAST; k++) x->past.A[k] = cut(&block, nV + (size_t)p->nc);
}

static size_t count_numbers(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const size_t nV = (size_t)m->nV, past = (CDI_ALPHA_PAST + 1) * (nV + (size_t)p->nc);
    const size_t all = 2 * p->npoint + 3 * nV + (size_t)p->nv + (size_t)p->n + past;
    return all / LINE * LINE + (ARRAYS + 1) * LINE + APART;
}

CdStatus cdi_alpha_own_new(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const size_t shares = count_shares(it), n = count_numbers(it);
    if (shares == 0) return CD_OK;
    double *block = CD_TAKE(&it->arena, double, shares *n);
    m->own = CD_TAKE(&it->arena, CdAlphaArrays, shares);
    m->ghosts = CD_TAKE(&it->arena, CdAlphaGhosts, shares);
    m->edges = CD_TAKE(&it->arena, CdAlphaEdges, shares);
    m->shown_edges = CD_TAKE(&it->arena, double, shares *CDI_ALPHA_GHOSTS *EDGE);
    if (!block || !m->own || !m->ghosts || !m->edges || !m->shown_edges) return CD_NOMEM;
    for (size_t k = 0; k < shares; k++) cut_arrays(it, block + k * n, &m->own[k]);
    return CD_OK;
}

// ---- ghosts

// the edge at which a part shows its number j; -1: it has too many
static int edge_of(CdAlphaEdges *e, int j) {
    for (int k = 0; k < e->n; k++) {
        if (e->at[k] == j) return k;
    }
    if (e->n == CDI_ALPHA_GHOSTS) return -1;
    e->at[e->n] = j;
    return e->n++;
}

static int part_of(const CdLinsolParts *parts, int i) {
    int k = 0;
    while (i >= parts->begin[k + 1]) k++;
    return k;
}

// numbers of one part in rows of others; false: too many
static bool find_ghosts(CdAlphaMemory *m, const CdPattern *pattern, int part) {
    const CdLinsolParts *parts = &m->parts;
    for (int j = parts->begin[part]; j < parts->begin[part + 1]; j++) {
        for (int k = pattern->ptr[j]; k < pattern->ptr[j + 1]; k++) {
            const int of = part_of(parts, pattern->row[k]);
            CdAlphaGhosts *g = &m->ghosts[of];
            if (of == part || (g->n > 0 && g->at[g->n - 1] == j)) continue;
            const int edge = edge_of(&m->edges[part], j);
            if (g->n == CDI_ALPHA_GHOSTS || edge < 0) return false;
            g->at[g->n] = j;
            g->edge[g->n] = edge;
            g->part[g->n++] = part;
        }
    }
    return true;
}

void cdi_alpha_own_cut(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    m->may_part = m->own && (m->sections.n > 1 || m->parts.n > 1);
    if (!m->may_part || m->sections.n > 1) return;
    m->may_part = m->parts.n <= CDI_ALPHA_SHARES;
    for (int k = 0; m->may_part && k < m->parts.n; k++) m->ghosts[k].n = m->edges[k].n = 0;
    for (int k = 0; m->may_part && k < m->parts.n; k++) {
        m->may_part = find_ghosts(m, it->problem->pattern, k);
    }
}

static double *edge_at(const CdAlphaMemory *m, int part, int edge) {
    return m->shown_edges + EDGE * (size_t)(part * CDI_ALPHA_GHOSTS + edge);
}

void cdi_alpha_show_edges(const CdIntegrator *it, int part) {
    const CdAlphaMemory *m = it->method;
    const CdAlphaEdges *e = &m->edges[part];
    const CdAlphaArrays *x = &m->own[part];
    const double *V = cdi_alpha_velocities(&x->now), *A = cdi_alpha_accelerations(&x->now);
    for (int k = 0; k < e->n; k++) {
        const int i = e->at[k];
        double *to = edge_at(m, part, k);
        to[0] = x->now.q[i];
        to[1] = V[i];
        to[2] = A[i];
        to[3] = x->a[i];
    }
}

void cdi_alpha_fetch(const CdIntegrator *it, int part) {
    const CdAlphaMemory *m = it->method;
    const CdAlphaGhosts *g = &m->ghosts[part];
    const CdPoint *to = &m->own[part].now;
    for (int k = 0; k < g->n; k++) {
        const double *from = edge_at(m, g->part[k], g->edge[k]);
        to->q[g->at[k]] = from[0];
        to->v[g->at[k]] = from[1];
    }
}

void cdi_alpha_fetch_predicted(const CdIntegrator *it, const CdAlphaStep *s, int part) {
    const CdAlphaMemory *m = it->method;
    const CdAlphaGhosts *g = &m->ghosts[part];
    const CdPoint *to = &m->own[part].now;
    for (int k = 0; k < g->n; k++) {
        const double *from = edge_at(m, g->part[k], g->edge[k]);
        double q = from[0], V = from[1], A = from[2], a = from[3], q0, V0, A0, a0;
        m->ops->predict(1, s, &V, &A, &a, &V0, &A0, &a0, NULL, &q, &q0);
        to->q[g->at[k]] = q;
        to->v[g->at[k]] = V;
    }
}

// ---- copies

// of V, q and multipliers
typedef struct Span {
    CdAlphaRange V, q, c;
} Span;

static Span span_of(const CdIntegrator *it, int share) {
    const CdAlphaMemory *m = it->method;
    if (m->sections.n > 0) {
        const CdSections *u = it->problem->user.sections;
        const CdiShare *s = &m->sections.share[share];
        return (Span){.V = cdi_alpha_between(u->v, s->begin, s->end),
                      .q = cdi_alpha_between(u->q, s->begin, s->end),
                      .c = cdi_alpha_between(u->g, s->begin, s->end)};
    }
    const CdAlphaRange V = cdi_alpha_between(m->parts.begin, share, share + 1);
    return (Span){.V = V, .q = V};
}

static void copy(CdAlphaRange r, const double *from, double *to) {
    if (r.begin < r.end) memcpy(to + r.begin, from + r.begin, (r.end - r.begin) * sizeof *to);
}

static void copy_point(const Span *s, const CdPoint *from, const CdPoint *to) {
    copy(s->q, from->q, to->q);
    copy(s->V, cdi_alpha_velocities(from), cdi_alpha_velocities(to));
    copy(s->V, cdi_alpha_accelerations(from), cdi_alpha_accelerations(to));
    copy(s->c, from->lambda, to->lambda);
    copy(s->c, from->mu, to->mu);
}

static CdAlphaRange shifted(CdAlphaRange r, int by) {
    return (CdAlphaRange){r.begin + (size_t)by, r.end + (size_t)by};
}

// what a step begins with
static void copy_begin(const CdAlphaMemory *m, const Span *s, const CdAlphaArrays *from,
                       const CdAlphaArrays *to) {
    copy_point(s, &from->now, &to->now);
    copy(s->V, from->a, to->a);
    copy(s->V, from->scale, to->scale);
    for (int k = 0; k <= CDI_ALPHA_PAST; k++) {
        copy(s->V, from->past.A[k], to->past.A[k]);
        copy(shifted(s->c, m->nV), from->past.A[k], to->past.A[k]);
    }
}

// numbers of one share, from here to there
typedef void CopyFn(const CdIntegrator *it, const Span *s, const CdAlphaArrays *own);

static void part_share(const CdIntegrator *it, const Span *s, const CdAlphaArrays *own) {
    const CdAlphaMemory *m = it->method;
    copy_begin(m, s, &m->all, own);
}

static void unite_share(const CdIntegrator *it, const Span *s, const CdAlphaArrays *own) {
    const CdAlphaMemory *m = it->method;
    const CdAlphaArrays *all = &m->all;
    copy_begin(m, s, own, all);
    copy_point(s, &own->old, &all->old);
    copy(s->V, own->a_old, all->a_old);
    copy(s->V, own->turn, all->turn);
    copy(s->V, own->b, all->b);
    copy(shifted(s->c, it->problem->nd), own->b, all->b);
}

static void show_share(const CdIntegrator *it, const Span *s, const CdAlphaArrays *own) {
    const CdAlphaMemory *m = it->method;
    copy_point(s, &own->now, &it->now);
    copy_point(s, &own->old, &m->all.old);
}

typedef struct Job {
    const CdIntegrator *it;
    CopyFn *fn;
} Job;

static void copy_shares(void *user, size_t begin, size_t end, int worker) {
    const Job *job = user;
    const CdAlphaMemory *m = job->it->method;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        const Span s = span_of(job->it, (int)k);
        job->fn(job->it, &s, &m->own[k]);
    }
}

static void share(const CdIntegrator *it, CopyFn *fn) {
    const CdAlphaMemory *m = it->method;
    const int n = m->sections.n > 0 ? m->sections.n : m->parts.n;
    cd_parallel_for(it->problem->user.pool, (size_t)n, 1, copy_shares, &(Job){it, fn});
}

void cdi_alpha_part_ways(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const CdProblem *user = &it->problem->user;
    if (!m->may_part || m->apart || user->redundant > 0 || user->nz > 0 || user->next_time) return;
    share(it, part_share);
    m->apart = true;
    for (int k = 0; k < m->parts.n; k++) cdi_alpha_show_edges(it, k);
}

void cdi_alpha_show(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    if (m->apart && !m->shown) share(it, show_share);
    m->shown = true;
}

void cdi_alpha_unite(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    if (!m->apart) return;
    share(it, unite_share);
    m->apart = false;
}
