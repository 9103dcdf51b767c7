// solve.c - accelerations, projections to the constraints, consistent starts
//
//   [M J^T] [v'    ]   [ f     ]      [M G^T] [dq]   [ 0]      [M J^T] [dv]   [ 0          ]
//   [J  0 ] [lambda] = [-gamma ]      [G  0 ] [mu] = [-g]      [J  0 ] [mu] = [-(J v + ...)]
//
// The projections are the least changes in the norm of M. That of q is repeated (Gauss-Newton)
// until g is as small as rounding lets it be. Hairer & Wanner, Solving ODEs II, sec. VII.2;
// Lubich, BIT 31 (1991) 545.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/work.h"

// rounding errors of a sum that count as none
#define ROUNDING (4 * DBL_EPSILON)
#define PROJECTIONS_MAX 20
// relative size of g below which a residual that no longer falls is rounding
#define STALLED 1e-10
// rounding errors of masses
#define UNEVEN 1e-13
// unknowns of a matrix whose memory is worth having back
#define LARGE 10000

struct CdiSolve {
    CdiShape *shape; // of the matrix above; NULL: M is the identity and alone
    CdiValues values;
    bool may_halve; // M stays, and would be symmetric
    bool looked;    // whether it is
    CdiFactor kkt;
    CdArena room;    // of the matrix
    double *given;   // what its solver is given
    int *slot_m;     // of M in that
    bool filled;     // with M, which stays
    bool rests;      // the matrix goes while nobody needs it
    bool passed_on;  // its solver went to an operator
    bool constant;   // M alone, constant, and factored
    bool diagonal;   // and without other entries than these
    double *masses;  // nv: all that a diagonal matrix has; room before that is known
    CdStatus status; // of the last solution
    bool projecting; // it was of a projection that did not converge
    bool starting;   // in a start, and not in a run
    double *jac;     // J of the last factor
    double *b;       // nv + nc
    double *q;       // nq
    CdiLeading leading;
    CdiNewton newton; // for x or for y'
};

static bool has_kkt(const CdiProblem *p) {
    return p->nc > 0 || p->user.mass;
}

// ---- life

static void close_solver(CdiProblem *p, CdiSolve *s) {
    cdi_factor_free(&s->kkt);
    cdi_free(p->ctx, s->given);
    s->given = NULL;
    cdi_arena_clear(&s->room);
}

static CdStatus open_solver(CdiProblem *p, CdiSolve *s) {
    const CdPattern *m = p->work->mass_pattern;
    CD_TRY(cdi_shape_open(p, s->shape, s->values, &s->kkt));
    const CdiShapeForm *form = &s->shape->form[s->values];
    const CdPattern *in = s->shape->pattern;
    s->slot_m = m ? cdi_slots_take(&s->room, in, form->source, m, 0, 0, false)
                  : cdi_slots_diagonal(&s->room, in, form->source, 0, p->nv);
    s->given = cdi_alloc_array(p->ctx, (size_t)form->nsource + 1, sizeof *s->given);
    s->filled = false;
    if (s->slot_m && s->given) return CD_OK;
    close_solver(p, s);
    return CD_NOMEM;
}

static CdStatus open_kkt(CdiProblem *p, CdiSolve *s) {
    const CdPattern *m = p->work->mass_pattern;
    CdPattern *all = NULL;
    const bool operators = p->setup.operators && !p->user.lin_new;
    s->may_halve = !operators && (!m || p->user.mass_constant);
    s->values = s->may_halve ? CDI_SYMMETRIC : CDI_REAL;
    if (m && operators) CD_TRY(cdi_patterns_mechanical(p, &all));
    const CdStatus status = cdi_shape_find(p, all ? all : m, p->nv, m ? p->nv : 0, &s->shape);
    cdi_pattern_free(all);
    return status == CD_OK ? open_solver(p, s) : status;
}

static CdStatus open_matrices(CdiProblem *p, CdiSolve *s) {
    if (has_kkt(p)) CD_TRY(open_kkt(p, s));
    return cdi_redundant_new(p);
}

CdStatus cdi_solve_new(CdiProblem *p) {
    CdiSolve *s = p->work->solve = CD_TAKE(&p->arena, CdiSolve, 1);
    if (!s) return CD_NOMEM;
    cdi_arena_init(&s->room, p->ctx, 0);
    s->jac = CD_TAKE(&p->arena, double, (size_t)p->jpattern->nnz);
    s->b = CD_TAKE(&p->arena, double, (size_t)p->nv + (size_t)p->nc);
    s->q = CD_TAKE(&p->arena, double, (size_t)p->nq);
    s->masses = CD_TAKE(&p->arena, double, (size_t)p->nv);
    if (!s->jac || !s->b || !s->q || !s->masses) return CD_NOMEM;
    if (!p->setup.brief) CD_TRY(open_matrices(p, s));
    if (p->work->leading_pattern) CD_TRY(cdi_leading_new(p, &s->leading));
    if (p->kind == CD_KIND_IMPLICIT || p->nx > 0) {
        CD_TRY(cdi_newton_new(p, p->kind == CD_KIND_IMPLICIT, &s->newton));
    }
    return CD_OK;
}

void cdi_solve_free(CdiProblem *p) {
    CdiSolve *s = p->work->solve;
    if (!s) return;
    close_solver(p, s);
    cdi_leading_free(&s->leading);
    cdi_newton_free(&s->newton);
    cdi_redundant_free(p);
}

void cdi_solve_changed(CdiProblem *p) {
    CdiSolve *s = p->work->solve;
    s->constant = s->diagonal = s->looked = s->filled = false;
}

// ---- rest

void cdi_problem_will_rest(CdiProblem *p) {
    CdiSolve *s = p->work->solve;
    s->rests = s->shape && p->nc > 0 && p->nv + p->nc >= LARGE;
}

// the first solver is left to an operator, if they have the same pattern
void cdi_problem_rest(CdiProblem *p) {
    CdiSolve *s = p->work->solve;
    if (!s->rests || !s->kkt.linsol) return;
    const bool same = s->shape == p->work->operator_shape && s->values == CDI_REAL;
    if (!s->passed_on && same && cdi_linsol_renew(s->kkt.linsol)) {
        CdiShapeForm *form = &s->shape->form[CDI_REAL];
        form->spare = s->kkt.linsol;
        form->spare_given = s->given;
        s->kkt.linsol = NULL;
        s->given = NULL;
        s->passed_on = true;
    }
    close_solver(p, s);
}

// ---- the matrix

// of the first `rows` constraints, row i is in force
static bool acts(const CdiProblem *p, int i, int rows) {
    return i < rows && cdi_row_acts(p, i);
}

// m_ij = m_ji up to rounding errors of masses like m_ii and m_jj, which go into `size`
static bool is_symmetric(const CdPattern *a, const double *m, double *size) {
    for (int j = 0; j < a->cols; j++) {
        const int jj = cdi_pattern_slot(a, j, j);
        size[j] = jj < 0 ? 0 : fabs(m[jj]);
    }
    for (int j = 0, off = 0; j < a->cols; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            const int i = a->row[k], other = cdi_pattern_slot_like(a, j, i, &off);
            const double gap = other < 0 ? m[k] : m[k] - m[other];
            if (fabs(gap) > UNEVEN * sqrt(size[i] * size[j])) return false;
        }
    }
    return true;
}

static CdStatus use_values(CdiProblem *p, CdiValues values) {
    CdiSolve *s = p->work->solve;
    if (s->values == values) return CD_OK;
    close_solver(p, s);
    s->values = values;
    return open_solver(p, s);
}

// what a user calls masses may be any matrix
static CdStatus look_at_masses(CdiProblem *p) {
    CdiSolve *s = p->work->solve;
    const CdiWork *w = p->work;
    if (s->looked || !s->may_halve || !w->mass_pattern) return CD_OK;
    const bool symmetric = is_symmetric(w->mass_pattern, w->mass, s->masses);
    CD_TRY(use_values(p, symmetric ? CDI_SYMMETRIC : CDI_REAL));
    s->looked = true;
    return CD_OK;
}

// the diagonal of M into s->masses; false: there is more than that
static bool find_masses(const CdiProblem *p) {
    const CdPattern *a = p->work->mass_pattern;
    if (!a) return false;
    for (int j = 0; j < p->nv; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            if (a->row[k] == j) p->work->solve->masses[j] = p->work->mass[k];
            if (a->row[k] != j && p->work->mass[k] != 0) return false;
        }
    }
    return true;
}

static void fill_masses(CdiProblem *p) {
    CdiSolve *s = p->work->solve;
    const CdiWork *w = p->work;
    const int n = w->mass_pattern ? w->mass_pattern->nnz : p->nv;
    if (s->filled) return;
    for (int k = 0; k < n; k++) s->given[s->slot_m[k]] = w->mass_pattern ? w->mass[k] : 1;
    s->filled = !w->mass_pattern || p->user.mass_constant;
}

// J and J^T, and an identity for rows that do not act
static void fill_constraints(CdiProblem *p, int rows) {
    const CdiSolve *s = p->work->solve;
    const CdiShapeForm *form = &s->shape->form[s->values];
    const bool all = rows >= p->nc && !p->work->redundant;
    double *j = s->given + form->at_j, *e = s->given + form->at_e;
    const size_t bytes = (size_t)p->jpattern->nnz * sizeof *j;
    if (p->nc == 0) return; // there is no J to copy
    memcpy(j, s->jac, bytes);
    for (int k = 0; !all && k < p->jpattern->nnz; k++) {
        if (!acts(p, p->jpattern->row[k], rows)) j[k] = 0;
    }
    if (form->at_jt != form->at_j) memcpy(s->given + form->at_jt, j, bytes);
    for (int i = 0; i < p->nc; i++) e[i] = all || acts(p, i, rows) ? 0 : 1;
}

// J is in s->jac; constraints from `rows` on do not act
static CdStatus factor(CdiProblem *p, const CdPoint *at, int rows) {
    CdiSolve *s = p->work->solve;
    if (s->constant) return CD_OK;
    if (!s->kkt.linsol) CD_TRY(s->shape ? open_solver(p, s) : open_matrices(p, s));
    CD_TRY(cdi_redundant_ready(p, s->jac));
    CD_TRY(cdi_mass_values(p, at));
    CD_TRY(look_at_masses(p));
    fill_masses(p);
    fill_constraints(p, rows);
    cdi_linsol_give(s->kkt.linsol, s->given);
    CD_TRY(cdi_factor_counted(p, &s->kkt, true));
    s->constant = p->nc == 0 && p->user.mass_constant;
    s->diagonal = s->constant && find_masses(p);
    return CD_OK;
}

static CdStatus solve(CdiProblem *p) {
    CdiSolve *s = p->work->solve;
    p->counts.solves++;
    for (int i = 0; i < p->nc; i++) {
        if (!cdi_row_acts(p, i)) s->b[p->nv + i] = 0;
    }
    return cdi_linsol_solve(s->kkt.linsol, 1, s->b, p->nv + p->nc, false);
}

// ---- accelerations

static void divide(int n, const double *restrict f, const double *restrict masses,
                   double *restrict out) {
    for (int i = 0; i < n; i++) out[i] = f[i] / masses[i];
}

static CdStatus constrained(CdiProblem *p, CdPoint *at) {
    CdiSolve *s = p->work->solve;
    CD_TRY(cdi_force(p, at, s->b));
    CD_TRY(cdi_gamma(p, at, s->b + p->nv));
    for (int i = 0; i < p->nc; i++) s->b[p->nv + i] = -s->b[p->nv + i];
    CD_TRY(cdi_jacobian(p, at, s->jac));
    CD_TRY(factor(p, at, p->nc));
    if (s->diagonal) {
        p->counts.solves++;
        divide(p->nv, s->b, s->masses, at->vdot);
        return CD_OK;
    }
    CD_TRY(solve(p));
    memcpy(at->vdot, s->b, (size_t)p->nv * sizeof *s->b);
    if (p->nc > 0) memcpy(at->lambda, s->b + p->nv, (size_t)p->nc * sizeof *s->b);
    return CD_OK;
}

static CdStatus first_order(CdiProblem *p, CdPoint *at) {
    if (p->kind == CD_KIND_IMPLICIT) {
        double worst;
        int row;
        return cdi_newton_solve(p, &p->work->solve->newton, at, &worst, &row);
    }
    // force and rate together are one evaluation
    if (p->nv == 0) p->counts.evaluations++;
    CD_TRY(cdi_returned(p, "rate", p->user.rate(p->user.data, at, at->ydot)));
    if (!p->work->leading_pattern) return CD_OK;
    return cdi_leading_solve(p, &p->work->solve->leading, at->ydot);
}

CdStatus cdi_accelerations(CdiProblem *p, CdPoint *at) {
    CdiSolve *s = p->work->solve;
    s->status = CD_OK;
    s->projecting = false;
    if (p->nv > 0) s->status = has_kkt(p) ? constrained(p, at) : cdi_force(p, at, at->vdot);
    if (p->ny > 0 && s->status == CD_OK) s->status = first_order(p, at);
    return s->status;
}

void cdi_problem_forget(CdiProblem *p) {
    p->failed = NULL;
    p->work->solve->status = CD_OK;
}

bool cdi_problem_explain(const CdiProblem *p, CdStatus status, CdText *text) {
    const CdiSolve *s = p->work->solve;
    if (cdi_callback_explain(p, status, text)) return true;
    if (s->status != status || status == CD_OK) return false;
    if (s->shape && s->kkt.status == status) {
        cdi_explain_factor(p, &s->kkt, p->nv, p->nc > 0 ? s->jac : NULL, status, text);
        return true;
    }
    if (s->projecting) cdi_text_add(text, "the projection to the constraints does not converge");
    return s->projecting;
}

const CdLinsol *cdi_solve_solver(const CdiProblem *p) {
    return p->work->solve->kkt.linsol;
}

CdStatus cdi_mass_signs(CdiProblem *p, const CdPoint *at, CdiSigns *signs) {
    *signs = (CdiSigns){0};
    if (p->nv == 0 || !has_kkt(p)) return CD_OK;
    CD_TRY(cdi_jacobian(p, at, p->work->solve->jac));
    const CdStatus status = factor(p, at, p->nc);
    // a singular matrix has signs too
    if (status != CD_OK && status != CD_SINGULAR) return status;
    return cdi_matrix_signs(p, p->work->solve->kkt.linsol, p->nv, signs);
}

// ---- projections

static double largest(int n, const double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) max = fabs(x[i]) > max || x[i] != x[i] ? fabs(x[i]) : max;
    return max;
}

// largest |c_i| over what its sum J (q or v) consists of; x NULL: all of one size
static double relative(const CdiProblem *p, int rows, const double *c, const double *x,
                       double size) {
    const CdPattern *a = p->jpattern;
    double *sum = p->work->c_outer[0], worst = 0;
    for (int i = 0; i < rows; i++) sum[i] = DBL_MIN;
    for (int j = 0; j < p->nv; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            const double part = fabs(p->work->solve->jac[k]) * (x ? fabs(x[j]) : size);
            if (a->row[k] < rows) sum[a->row[k]] += part;
        }
    }
    for (int i = 0; i < rows; i++) {
        const double ratio = fabs(c[i]) / sum[i];
        worst = c[i] != 0 && !(ratio <= worst) ? ratio : worst;
    }
    return worst;
}

static CdStatus correct_position(CdiProblem *p, CdPoint *at) {
    CdiSolve *s = p->work->solve;
    CD_TRY(factor(p, at, p->ng));
    memset(s->b, 0, (size_t)p->nv * sizeof *s->b);
    memset(s->b + p->nv + p->ng, 0, (size_t)p->nn * sizeof *s->b);
    CD_TRY(solve(p));
    cdi_retract(p, at->q, s->b, at->q);
    return CD_OK;
}

static CdStatus iterate_position(CdiProblem *p, CdPoint *at) {
    CdiSolve *s = p->work->solve;
    double *g = s->b + p->nv, before = INFINITY;
    for (int k = 0; k <= PROJECTIONS_MAX; k++) {
        CD_TRY(cdi_constraint(p, at, g));
        CD_TRY(cdi_jacobian(p, at, s->jac));
        const double size = largest(p->nq, at->q);
        const double off = relative(p, p->ng, g, NULL, size > 0 ? size : 1);
        if (off <= ROUNDING || (off <= STALLED && off >= before / 2)) return CD_OK;
        if (!isfinite(largest(p->ng, g))) return CD_NONFINITE;
        if (k == PROJECTIONS_MAX) break;
        for (int i = 0; i < p->ng; i++) g[i] = -g[i];
        CD_TRY(correct_position(p, at));
        before = off;
    }
    return CD_NOCONV;
}

CdStatus cdi_project_position(CdiProblem *p, CdPoint *at) {
    CdiSolve *s = p->work->solve;
    if (p->ng == 0) return CD_OK;
    memcpy(s->q, at->q, (size_t)p->nq * sizeof *s->q);
    s->status = iterate_position(p, at);
    s->projecting = s->status == CD_NOCONV;
    if (s->status != CD_OK) memcpy(at->q, s->q, (size_t)p->nq * sizeof *s->q);
    return s->status;
}

static CdStatus correct_velocity(CdiProblem *p, CdPoint *at) {
    CdiSolve *s = p->work->solve;
    double *c = s->b + p->nv;
    CD_TRY(cdi_velocity_residual(p, at, c));
    CD_TRY(cdi_jacobian(p, at, s->jac));
    if (relative(p, p->nc, c, at->v, 0) <= ROUNDING) return CD_OK;
    CD_TRY(factor(p, at, p->nc));
    memset(s->b, 0, (size_t)p->nv * sizeof *s->b);
    for (int i = 0; i < p->nc; i++) c[i] = -c[i];
    CD_TRY(solve(p));
    for (int i = 0; i < p->nv; i++) at->v[i] += s->b[i];
    return CD_OK;
}

CdStatus cdi_project_velocity(CdiProblem *p, CdPoint *at) {
    if (p->nc == 0) return CD_OK;
    return p->work->solve->status = correct_velocity(p, at);
}

// ---- starts

static const char *when(const CdiProblem *p, const CdPoint *at, char text[64]) {
    snprintf(text, 64, p->work->solve->starting ? "at the start (t = %g)" : "at t = %.9g", at->t);
    return text;
}

static CdStatus refuse_nonfinite(CdiProblem *p, const CdPoint *at, CdStatus status,
                                 const char *name, int n, const double *x) {
    char text[64];
    for (int i = 0; i < n; i++) {
        if (isfinite(x[i])) continue;
        // the sign of a NaN depends on the compiler
        const double value = isnan(x[i]) ? NAN : x[i];
        if (p->user.v_names && name[0] == 'v') {
            return cdi_fail(p->ctx, status, "problem '%s': %s of %s is %g %s", cdi_problem_name(p),
                            name, p->user.v_names[i], value, when(p, at, text));
        }
        return cdi_fail(p->ctx, status, "problem '%s': %s[%d] is %g %s", cdi_problem_name(p), name,
                        i, value, when(p, at, text));
    }
    return CD_OK;
}

static CdStatus check_numbers(CdiProblem *p, const CdPoint *at) {
    if (!isfinite(at->t)) {
        return cdi_fail(p->ctx, CD_INVALID, "problem '%s': cannot start at t = %g",
                        cdi_problem_name(p), at->t);
    }
    CD_TRY(refuse_nonfinite(p, at, CD_INVALID, "q", p->nq, at->q));
    CD_TRY(refuse_nonfinite(p, at, CD_INVALID, "v", p->nv, at->v));
    CD_TRY(refuse_nonfinite(p, at, CD_INVALID, "y", p->ny, at->y));
    CD_TRY(refuse_nonfinite(p, at, CD_INVALID, "x", p->nx, at->x));
    const int guessed = p->kind == CD_KIND_IMPLICIT ? p->ny : 0;
    return refuse_nonfinite(p, at, CD_INVALID, "ydot", guessed, at->ydot);
}

static CdStatus refuse_violation(CdiProblem *p, const CdPoint *at, int n, const double *c,
                                 const char *level, double tol) {
    char text[64], name[64];
    int worst = 0;
    for (int i = 1; i < n; i++) worst = fabs(c[i]) > fabs(c[worst]) ? i : worst;
    for (int i = 0; i < n; i++) worst = c[i] != c[i] ? i : worst;
    if (n == 0 || fabs(c[worst]) <= tol) return CD_OK;
    cdi_unknown_name(p, p->nd + worst, name, sizeof name);
    if (!isfinite(c[worst])) {
        return cdi_fail(p->ctx, CD_NONFINITE, "problem '%s': %s is not finite%s %s",
                        cdi_problem_name(p), name, level, when(p, at, text));
    }
    return cdi_fail(p->ctx, CD_INVALID,
                    "problem '%s': %s is violated%s by %.6g %s; up to %g is mended",
                    cdi_problem_name(p), name, level, c[worst], when(p, at, text), tol);
}

// a callback or a matrix failed
static CdStatus tell(CdiProblem *p, const CdPoint *at, CdStatus status, const char *what) {
    char text[64];
    CdText why;
    if (status == CD_OK || status == CD_NOMEM) return status;
    cdi_text_init(&why, p->ctx);
    if (!cdi_problem_explain(p, status, &why)) cdi_text_add(&why, cd_status_text(status));
    cdi_fail(p->ctx, status, "problem '%s': %s cannot be found %s: %s", cdi_problem_name(p), what,
             when(p, at, text), why.v ? why.v : cd_status_text(status));
    cdi_text_free(&why);
    return status;
}

static CdStatus meet_constraints(CdiProblem *p, CdPoint *at, double tol) {
    double *c = p->work->c_outer[1];
    if (p->nc == 0) return CD_OK;
    CdiSolve *s = p->work->solve;
    s->status = cdi_constraint(p, at, c);
    CD_TRY(tell(p, at, s->status, "g"));
    CD_TRY(refuse_violation(p, at, p->ng, c, "", tol));
    s->status = cdi_velocity_residual(p, at, c);
    CD_TRY(tell(p, at, s->status, "J v"));
    CD_TRY(refuse_violation(p, at, p->nc, c, " at velocity level", tol));
    CD_TRY(tell(p, at, cdi_project_position(p, at), "q on the constraints"));
    return tell(p, at, cdi_project_velocity(p, at), "v on the constraints");
}

// x from w = 0, or y' from F = 0
static CdStatus meet_equations(CdiProblem *p, CdPoint *at, double tol) {
    char text[64];
    double worst;
    int row;
    CdiSolve *s = p->work->solve;
    if (s->newton.n == 0) return CD_OK;
    const bool rates = s->newton.of_rates;
    s->status = cdi_newton_solve(p, &s->newton, at, &worst, &row);
    CD_TRY(tell(p, at, s->status, rates ? "ydot" : "x"));
    if (worst <= tol) return CD_OK;
    if (s->newton.stuck) {
        return cdi_fail(p->ctx, CD_INVALID,
                        "problem '%s': equation %d of %s leaves %.6g %s, and there are too many "
                        "unknowns to find %s from a singular matrix; give values that fit",
                        cdi_problem_name(p), row, rates ? "F" : "w", worst, when(p, at, text),
                        rates ? "ydot" : "x");
    }
    return cdi_fail(p->ctx, isfinite(worst) ? CD_INVALID : CD_NONFINITE,
                    "problem '%s': equation %d of %s leaves %.6g %s whatever %s is; up to %g is "
                    "accepted",
                    cdi_problem_name(p), row, rates ? "F" : "w", worst, when(p, at, text),
                    rates ? "ydot" : "x", tol);
}

// equations without y' must hold, and so must what is left of B y' = phi
static CdStatus meet_leading(CdiProblem *p, CdPoint *at, double tol) {
    char text[64];
    double *phi = p->work->f0, *left = p->work->f1;
    if (!p->work->leading_pattern) return CD_OK;
    CD_TRY(cdi_rate(p, at, phi));
    cdi_leading_mul(p, at->ydot, left);
    int worst = 0;
    for (int i = 0; i < p->ny; i++) {
        left[i] = phi[i] - left[i];
        if (!(fabs(left[i]) <= fabs(left[worst]))) worst = i;
    }
    if (fabs(left[worst]) <= tol) return CD_OK;
    return cdi_fail(p->ctx, isfinite(left[worst]) ? CD_INVALID : CD_NONFINITE,
                    "problem '%s': equation %d of B y' = phi leaves %.6g %s whatever y' is; up to "
                    "%g is accepted",
                    cdi_problem_name(p), worst, left[worst], when(p, at, text), tol);
}

static CdStatus check_rates(CdiProblem *p, const CdPoint *at) {
    CD_TRY(refuse_nonfinite(p, at, CD_NONFINITE, "vdot", p->nv, at->vdot));
    return refuse_nonfinite(p, at, CD_NONFINITE, "ydot", p->ny, at->ydot);
}

CdStatus cdi_consistent(CdiProblem *p, CdPoint *at, double tol) {
    cdi_problem_forget(p);
    p->work->solve->starting = isfinite(tol);
    CD_TRY(check_numbers(p, at));
    if (p->nv > 0) cdi_normalise(p, at->q);
    CD_TRY(meet_constraints(p, at, tol));
    CD_TRY(meet_equations(p, at, tol));
    if (p->ng > 0) memset(at->mu, 0, (size_t)p->ng * sizeof *at->mu);
    if (p->kind != CD_KIND_IMPLICIT) {
        CD_TRY(tell(p, at, cdi_accelerations(p, at), "accelerations and rates"));
        CD_TRY(meet_leading(p, at, tol));
    }
    return check_rates(p, at);
}

// ---- save and load

// one that goes now and then has none
static bool has_history(const CdiSolve *s) {
    return s->kkt.linsol && !s->rests;
}

// beside them
typedef struct Saved {
    CdiValues values;
    bool constant;
} Saved;

size_t cdi_problem_save_size(const CdiProblem *p) {
    const CdiSolve *s = p->work->solve;
    return sizeof(Saved) + (has_history(s) ? cdi_factor_save_size(&s->kkt) : 0) +
           (s->newton.n > 0 ? cdi_factor_save_size(&s->newton.factor) : 0) +
           cdi_redundant_save_size(p);
}

void cdi_problem_save(const CdiProblem *p, void *to) {
    const CdiSolve *s = p->work->solve;
    Saved saved;
    memset(&saved, 0, sizeof saved); // its gaps too
    saved.values = s->values;
    // masses that divide are found again
    saved.constant = s->constant && !s->diagonal;
    char *at = cdi_put(to, &saved, sizeof saved);
    if (has_history(s)) at = cdi_factor_save(&s->kkt, at);
    if (s->newton.n > 0) at = cdi_factor_save(&s->newton.factor, at);
    cdi_redundant_save(p, at);
}

CdStatus cdi_problem_load(CdiProblem *p, const void *from) {
    CdiSolve *s = p->work->solve;
    Saved saved;
    const char *at = cdi_get(from, &saved, sizeof saved);
    s->constant = saved.constant;
    if (has_history(s)) CD_TRY(use_values(p, saved.values));
    if (has_history(s)) CD_TRY(cdi_factor_load(&s->kkt, &at));
    if (s->rests) close_solver(p, s);
    if (s->newton.n > 0) CD_TRY(cdi_factor_load(&s->newton.factor, &at));
    return cdi_redundant_load(p, &at);
}
