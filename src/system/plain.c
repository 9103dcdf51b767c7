// plain.c - systems in which nothing needs frames: masses on coordinates and items between these
//
//   r = M v' - f + J^T lambda       M diagonal, f = gravity + lines + others, J constant
//
// Gravity does not change, as bodies without gyroscopic terms have constant Jacobians.
#include <string.h>

#include "system/lines.h"
#include "system/link.h"

// blocks of rows that are worth another thread
#define BLOCKS_MIN 2
// single items, up to which rows are made by themselves
#define SINGLE_MAX 8
// masses that are tied to the next one, of a chain
#define LINKED 0.9

typedef struct CdSystemPlain {
    double *mass; // nv
    double *push; // nv: forces that are always there
} CdSystemPlain;

typedef struct Task {
    const CdSystemWork *w;
    const CdPoint *at;
    double *r;
} Task;

// ---- assembly

static bool is_diagonal(const CdSystem *s) {
    const CdPattern *p = s->mass_pattern;
    for (int j = 0; j < s->nv; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            if (p->row[k] != j && s->mass[k] != 0) return false;
        }
    }
    return true;
}

static bool is_plain(const CdSystem *s) {
    if (s->njoints > 0 || s->nforces > 0 || s->signals || !is_diagonal(s)) return false;
    for (int i = 0; i < s->nbodies; i++) {
        if (s->bodies[i].law->retract || s->bodies[i].law->gyro) return false;
    }
    return true;
}

CdStatus cdi_plain_find(CdSystem *s) {
    const size_t nv = (size_t)s->nv;
    s->plain = NULL;
    if (!is_plain(s)) return CD_OK;
    s->plain = CD_TAKE(&s->arena, CdSystemPlain, 1);
    double *mass = CD_TAKE(&s->arena, double, nv), *push = CD_TAKE(&s->arena, double, nv);
    if (!s->plain || !mass || !push) return CD_NOMEM;
    for (int i = 0; i < s->nbodies; i++) {
        const CdSystemBody *b = &s->bodies[i];
        const int n = b->law->nv;
        for (int j = 0; j < n; j++) {
            mass[b->v0 + j] = s->mass[cdi_pattern_slot(s->mass_pattern, b->v0 + j, b->v0 + j)];
            push[b->v0 + j] = s->lines->constant[b->v0 + j];
            for (int k = 0; k < 3; k++) {
                push[b->v0 + j] += b->J[k * n + j] * b->weight * s->gravity[k];
            }
        }
    }
    *s->plain = (CdSystemPlain){.mass = mass, .push = push};
    return CD_OK;
}

// ---- forces

// out += sign (f - push)
static void add_forces(const CdSystemWork *w, const CdPoint *at, double sign, double *out) {
    const CdSystemLines *lines = w->system->lines;
    if (lines->nsingle > 0) cdi_lines_single(lines, 0, w->system->nv, sign, at->q, at->v, out);
    if (lines->nother > 0) cdi_coordinates_add_others(w, at, sign, out);
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    CdSystemWork *w = data;
    const CdSystem *s = w->system;
    if (cdi_system_cancelled(w)) return CD_CANCELLED;
    memcpy(f, s->plain->push, (size_t)s->nv * sizeof *f);
    for (int i = 0; i < s->lines->nblocks; i++) {
        cdi_lines_block(s->lines, w->line_ops, i, 1, at->q, at->v, f);
    }
    add_forces(w, at, 1, f);
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    CdSystemWork *w = data;
    const size_t size = (size_t)w->system->pattern->nnz * sizeof *M;
    if (M) cdi_system_masses(w->system, M);
    if (C) memset(C, 0, size);
    if (K) memset(K, 0, size);
    if (cdi_system_cancelled(w)) return CD_CANCELLED;
    if (C || K) cdi_coordinates_derivatives(w, at, C, K);
    return CD_OK;
}

// ---- constraints

static CdStatus constraint(void *data, const CdPoint *at, double *g) {
    cdi_coordinates_rows(data, at, g, NULL, NULL, NULL);
    return CD_OK;
}

static CdStatus constraint_jacobian(void *data, const CdPoint *at, double *J) {
    const CdSystemWork *w = data;
    memset(J, 0, (size_t)w->system->jpattern->nnz * sizeof *J);
    cdi_coordinates_rows(w, at, NULL, J, NULL, NULL);
    return CD_OK;
}

static CdStatus velocity_terms(void *data, const CdPoint *at, double *terms) {
    cdi_coordinates_rows(data, at, NULL, NULL, terms, NULL);
    return CD_OK;
}

static CdStatus acceleration_terms(void *data, const CdPoint *at, double *gamma) {
    cdi_coordinates_rows(data, at, NULL, NULL, NULL, gamma);
    return CD_OK;
}

// ---- residuals

// without single items and others
static inline void run_rows(const CdSystemWork *w, const CdPoint *at, int begin, int end,
                            double *r) {
    const CdSystem *s = w->system;
    const CdSystemPlain *p = s->plain;
    for (int lo = begin, hi; lo < end; lo = hi) {
        const int block = (int)((unsigned)lo / CD_LINE_ROWS), next = (block + 1) * CD_LINE_ROWS;
        hi = next < end ? next : end;
        w->line_ops->inertia((size_t)(hi - lo), p->mass + lo, at->vdot + lo, p->push + lo, r + lo);
        cdi_lines_rows(s->lines, w->line_ops, block, lo, hi, -1, at->q, at->v, r);
    }
}

static void block_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    (void)worker;
    const int nv = task->w->system->nv, last = (int)end * CD_LINE_ROWS;
    run_rows(task->w, task->at, (int)begin * CD_LINE_ROWS, last < nv ? last : nv, task->r);
}

static void residual_of_forces(const CdSystemWork *w, const CdPoint *at, double *r) {
    const size_t nblocks = (size_t)w->system->lines->nblocks;
    if (nblocks > BLOCKS_MIN) {
        cd_parallel_for(w->pool, nblocks, 1, block_range, &(Task){.w = w, .at = at, .r = r});
    } else {
        run_rows(w, at, 0, w->system->nv, r);
    }
    add_forces(w, at, -1, r);
}

static CdStatus residual(void *data, const CdPoint *at, double *r, double *g, double *velocity,
                         double *acceleration) {
    CdSystemWork *w = data;
    if (cdi_system_cancelled(w)) return CD_CANCELLED;
    if (r) residual_of_forces(w, at, r);
    if (w->system->ng > 0) cdi_coordinates_levels(w, at, r, g, velocity, acceleration);
    return CD_OK;
}

static void residual_rows(void *data, const CdPoint *at, int begin, int end, double *r) {
    const CdSystemWork *w = data;
    run_rows(w, at, begin, end, r);
    cdi_lines_single(w->system->lines, begin, end, -1, at->q, at->v, r);
}

// every thread looks at all single items
static bool has_rows(const CdSystem *s) {
    return s->ng == 0 && s->lines->nother == 0 && s->lines->nsingle <= SINGLE_MAX;
}

bool cdi_plain_is_chain(const CdSystem *s) {
    int links = 0;
    if (!s->plain || !has_rows(s)) return false;
    for (int k = 0; k < s->lines->nruns; k++) {
        const CdLineRun *run = &s->lines->runs[k];
        if (run->vb == run->va + 1) links += run->n;
    }
    return links >= LINKED * s->nv;
}

void cdi_plain_problem(const CdSystemWork *w, CdProblem *problem) {
    if (!w->system->plain) return;
    if (has_rows(w->system)) problem->residual_rows = residual_rows;
    problem->force = force;
    problem->derivatives = derivatives;
    problem->residual = residual;
    if (w->system->ng == 0) return;
    problem->constraint = constraint;
    problem->constraint_jacobian = constraint_jacobian;
    problem->velocity_terms = velocity_terms;
    problem->acceleration_terms = acceleration_terms;
}
