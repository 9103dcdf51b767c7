// problem.c - a problem made ready: sizes, points, evaluations, manifold
//
//   r = (M v' - f + J^T lambda;  B y' - phi or F;  w)
#include "problem/problem.h"

#include <string.h>

#include "problem/work.h"

// ---- life

static CdProblemKind kind_of(const CdProblem *u) {
    if (u->nv > 0) return CD_KIND_MECHANICAL;
    if (u->implicit) return CD_KIND_IMPLICIT;
    return u->leading || u->nx > 0 ? CD_KIND_LEADING : CD_KIND_ODE;
}

static void set_sizes(CdiProblem *p) {
    const CdProblem *u = &p->user;
    p->kind = kind_of(u);
    p->nq = u->nq > 0 ? u->nq : u->nv;
    p->nv = u->nv;
    p->ny = u->ny;
    p->nx = u->nx;
    p->ng = u->ng;
    p->nn = u->nn;
    p->nc = p->ng + p->nn;
    p->nd = p->nv + p->ny + p->nx;
    p->n = p->nd + p->nc;
    p->npoint = (size_t)p->nq + 2 * (size_t)p->nv + 2 * (size_t)p->ny + (size_t)p->nx +
                (size_t)p->nc + (size_t)p->ng;
    p->vector_space = !cdi_problem_on_manifold(u);
}

static bool take(CdiProblem *p, int n, int count, double **const *arrays) {
    for (int k = 0; k < count; k++) {
        *arrays[k] = CD_TAKE(&p->arena, double, (size_t)n);
        if (!*arrays[k]) return false;
    }
    return true;
}

#define TAKE(p, n, ...)                                                       \
    take(p, n, (int)(sizeof((double **[]){__VA_ARGS__}) / sizeof(double **)), \
         (double **const[]){__VA_ARGS__})

static CdStatus take_work(CdiProblem *p) {
    CdiWork *w = p->work;
    const bool ok = TAKE(p, p->jpattern->nnz, &w->jacobian) &&
                    TAKE(p, p->nd, &w->f0, &w->f1, &w->rest0, &w->rest1) &&
                    TAKE(p, p->nq, &w->q_motion, &w->q_inner) &&
                    TAKE(p, p->nv, &w->d_outer, &w->d_motion, &w->d_inner) &&
                    TAKE(p, p->nc, &w->c_outer[0], &w->c_outer[1], &w->c_motion[0], &w->c_motion[1],
                         &w->c_motion[2], &w->c_motion[3]) &&
                    TAKE(p, p->ng, &w->g_inner[0], &w->g_inner[1], &w->g_inner[2], &w->g_inner[3]);
    return ok ? cdi_point_take(p, &p->arena, &w->moved) : CD_NOMEM;
}

static CdStatus prepare(CdiProblem *p) {
    p->work = CD_TAKE(&p->arena, CdiWork, 1);
    if (!p->work) return CD_NOMEM;
    CD_TRY(cdi_patterns_new(p));
    CD_TRY(take_work(p));
    return cdi_solve_new(p);
}

CdStatus cdi_problem_new(CdContext *ctx, const CdProblem *user, const CdProblemSetup *setup,
                         CdiProblem **out) {
    *out = NULL;
    CD_TRY(cdi_problem_check(ctx, user));
    CdiProblem *p = cdi_alloc(ctx, sizeof *p);
    if (!p) return CD_NOMEM;
    p->user = *user;
    if (setup) p->setup = *setup;
    p->ctx = ctx;
    cdi_arena_init(&p->arena, ctx, 0);
    set_sizes(p);
    const CdStatus status = prepare(p);
    if (status != CD_OK) {
        cdi_problem_free(p);
        return status;
    }
    *out = p;
    return CD_OK;
}

void cdi_problem_free(CdiProblem *p) {
    if (!p) return;
    CdContext *ctx = p->ctx;
    if (p->work) {
        cdi_solve_free(p);
        cdi_shapes_free(p);
        cdi_patterns_free(p);
    }
    cdi_arena_clear(&p->arena);
    cdi_free(ctx, p);
}

void cdi_problem_changed(CdiProblem *p) {
    p->work->mass_known = false;
    p->work->mass_epoch++;
    cdi_solve_changed(p);
}

const char *cdi_problem_name(const CdiProblem *p) {
    return p->user.name ? p->user.name : "problem";
}

const char *cdi_problem_kind_name(const CdiProblem *p) {
    static const char *const names[] = {"ode", "B y' = f", "implicit", "mechanical"};
    return names[p->kind];
}

// ---- points

static double *cut(double **block, int n) {
    double *part = n > 0 ? *block : NULL;
    *block += n;
    return part;
}

void cdi_point_over(const CdiProblem *p, double *block, CdPoint *at) {
    at->q = cut(&block, p->nq);
    at->v = cut(&block, p->nv);
    at->y = cut(&block, p->ny);
    at->x = cut(&block, p->nx);
    at->lambda = cut(&block, p->nc);
    at->mu = cut(&block, p->ng);
    at->vdot = cut(&block, p->nv);
    at->ydot = cut(&block, p->ny);
}

CdStatus cdi_point_take(const CdiProblem *p, CdArena *arena, CdPoint *at) {
    double *block = CD_TAKE(arena, double, p->npoint);
    if (!block) return CD_NOMEM;
    at->t = 0;
    cdi_point_over(p, block, at);
    return CD_OK;
}

static void copy(int n, const double *from, double *to) {
    if (n > 0 && from && to) memcpy(to, from, (size_t)n * sizeof *to);
}

void cdi_point_copy(const CdiProblem *p, CdPoint *to, const CdPoint *from) {
    to->t = from->t;
    copy(p->nq, from->q, to->q);
    copy(p->nv, from->v, to->v);
    copy(p->ny, from->y, to->y);
    copy(p->nx, from->x, to->x);
    copy(p->nc, from->lambda, to->lambda);
    copy(p->ng, from->mu, to->mu);
    copy(p->nv, from->vdot, to->vdot);
    copy(p->ny, from->ydot, to->ydot);
}

// ---- evaluations

CdStatus cdi_rate(CdiProblem *p, const CdPoint *at, double *phi) {
    p->counts.evaluations++;
    if (!p->user.rate) {
        return cdi_fail(p->ctx, CD_BUG, "problem '%s': has no rate", cdi_problem_name(p));
    }
    return cdi_returned(p, "rate", p->user.rate(p->user.data, at, phi));
}

CdStatus cdi_force(CdiProblem *p, const CdPoint *at, double *f) {
    p->counts.evaluations++;
    return cdi_returned(p, "force", p->user.force(p->user.data, at, f));
}

// out += A rate of values on a pattern, or of the identity
static void add_inertia(int n, const CdPattern *pattern, const double *values, const double *rate,
                        double *out) {
    if (pattern) {
        const CdCsc a = {.pattern = pattern, .v = (double *)values};
        cdi_csc_mul_add(&a, false, 1, rate, out);
    } else {
        for (int i = 0; i < n; i++) out[i] += rate[i];
    }
}

// r = A rate - r in as few passes as there can be; rate NULL: 0
static void inertia_minus(int n, const CdPattern *pattern, const double *values, const double *rate,
                          double *r) {
    if (rate && !pattern) {
        for (int i = 0; i < n; i++) r[i] = rate[i] - r[i];
        return;
    }
    for (int i = 0; i < n; i++) r[i] = -r[i];
    if (rate) add_inertia(n, pattern, values, rate, r);
}

static CdStatus mechanical_rows(CdiProblem *p, const CdPoint *at, int parts, double *r) {
    CdiWork *w = p->work;
    if (parts & CDI_FORCES) {
        CD_TRY(cdi_returned(p, "force", p->user.force(p->user.data, at, r)));
    } else {
        memset(r, 0, (size_t)p->nv * sizeof *r);
    }
    if (parts & CDI_INERTIA) CD_TRY(cdi_mass_values(p, at));
    inertia_minus(p->nv, w->mass_pattern, w->mass, parts & CDI_INERTIA ? at->vdot : NULL, r);
    if ((parts & CDI_REACTIONS) && p->nc > 0) {
        CD_TRY(cdi_jacobian(p, at, w->jacobian));
        const CdCsc j = {.pattern = p->jpattern, .v = w->jacobian};
        cdi_csc_mul_add(&j, true, 1, at->lambda, r);
    }
    return CD_OK;
}

static CdStatus first_order_rows(CdiProblem *p, const CdPoint *at, int parts, double *r) {
    const CdProblem *u = &p->user;
    if (!(parts & CDI_FORCES)) {
        memset(r, 0, (size_t)p->ny * sizeof *r);
    } else if (p->kind == CD_KIND_IMPLICIT) {
        return cdi_returned(p, "implicit", u->implicit(u->data, at, r));
    } else {
        CD_TRY(cdi_returned(p, "rate", u->rate(u->data, at, r)));
    }
    inertia_minus(p->ny, p->work->leading_pattern, u->leading,
                  parts & CDI_INERTIA ? at->ydot : NULL, r);
    return CD_OK;
}

CdStatus cdi_residual_beside(CdiProblem *p, const CdPoint *at, int parts, double *r) {
    if (p->ny > 0) CD_TRY(first_order_rows(p, at, parts, r + p->nv));
    if (p->nx == 0) return CD_OK;
    double *w = r + p->nv + p->ny;
    if (parts & CDI_FORCES) {
        return cdi_returned(p, "algebra", p->user.algebra(p->user.data, at, w));
    }
    memset(w, 0, (size_t)p->nx * sizeof *w);
    return CD_OK;
}

CdStatus cdi_residual_parts(CdiProblem *p, const CdPoint *at, int parts, double *r) {
    if (p->nv > 0) CD_TRY(mechanical_rows(p, at, parts, r));
    return cdi_residual_beside(p, at, parts, r);
}

CdStatus cdi_residual(CdiProblem *p, const CdPoint *at, double *r) {
    p->counts.evaluations++;
    return cdi_residual_parts(p, at, CDI_ALL, r);
}

CdStatus cdi_factor_counted(CdiProblem *p, CdiFactor *f, bool watch) {
    const CdStatus status = cdi_factor_do(f, watch);
    p->counts.factors++;
    p->counts.factor_flops += cdi_linsol_stats(f->linsol).flops;
    return status;
}

CdStatus cdi_mass_values(CdiProblem *p, const CdPoint *at) {
    CdiWork *w = p->work;
    if (!p->user.mass || w->mass_known) return CD_OK;
    CD_TRY(cdi_returned(p, "mass", p->user.mass(p->user.data, at, w->mass)));
    w->mass_known = p->user.mass_constant;
    return CD_OK;
}

CdStatus cdi_mass_mul(CdiProblem *p, const CdPoint *at, const double *a, double *out) {
    CD_TRY(cdi_mass_values(p, at));
    memset(out, 0, (size_t)p->nv * sizeof *out);
    add_inertia(p->nv, p->work->mass_pattern, p->work->mass, a, out);
    return CD_OK;
}

void cdi_leading_mul(const CdiProblem *p, const double *a, double *out) {
    memset(out, 0, (size_t)p->ny * sizeof *out);
    add_inertia(p->ny, p->work->leading_pattern, p->user.leading, a, out);
}

// ---- manifold

void cdi_kinematics(const CdiProblem *p, const double *q, const double *v, double *qdot) {
    if (p->vector_space) {
        copy(p->nv, v, qdot);
    } else {
        p->user.kinematics(p->user.data, q, v, qdot);
    }
}

void cdi_tangent(const CdiProblem *p, const double *q, const double *dq, double *delta) {
    if (p->vector_space) {
        copy(p->nv, dq, delta);
    } else {
        p->user.tangent(p->user.data, q, dq, delta);
    }
}

void cdi_retract(const CdiProblem *p, const double *q, const double *delta, double *out) {
    if (p->vector_space) {
        for (int i = 0; i < p->nv; i++) out[i] = q[i] + delta[i];
    } else {
        p->user.retract(p->user.data, q, delta, out);
    }
}

void cdi_difference(const CdiProblem *p, const double *q1, const double *q0, double *delta) {
    if (p->vector_space) {
        for (int i = 0; i < p->nv; i++) delta[i] = q1[i] - q0[i];
    } else {
        p->user.difference(p->user.data, q1, q0, delta);
    }
}

void cdi_normalise(const CdiProblem *p, double *q) {
    if (p->user.normalise) p->user.normalise(p->user.data, q);
}
