// evaluate.c - forces, constraints, motion and history of a system as callbacks of a CdProblem
//
//   f = gyro + gravity + sum X^T w            r = M v' - f + G^T lambda
#include <string.h>

#include "system/link.h"
#include "system/signals.h"
#include "system/tiles.h"

#define DIRECTIONS 12

// bodies per range of a thread that moves them, and those that are worth another one
#define BODY_GRAIN 8
#define BODIES_MIN 16

// items that are evaluated without asking whether somebody wants to stop: some 0.1 ms
#define ASK_AFTER 500

// ---- a link's matrices over 12 directions, brought to the velocities of its bodies

// what a function gives for both markers, 6 x nv by rows each, side by side on the diagonal of 12 x
// n
static void spread_markers(const CdSystemWork *w, const CdSystemLink *l,
                           void (*of_marker)(const CdSystemWork *, int, double *), double *X) {
    const int markers[2] = {l->a, l->b}, first[3] = {0, l->na, l->n};
    double Xm[6 * CD_BODY_NV_MAX];
    memset(X, 0, (size_t)(DIRECTIONS * l->n) * sizeof *X);
    for (int side = 0; side < 2 && markers[side] >= 0; side++) {
        const int nv = first[side + 1] - first[side];
        of_marker(w, markers[side], Xm);
        for (int i = 0; i < 6; i++) {
            double *row = X + (6 * side + i) * l->n + first[side];
            for (int j = 0; j < nv; j++) row[j] = Xm[i * nv + j];
        }
    }
}

void cdi_link_jacobian(const CdSystemWork *w, const CdSystemLink *l, double *X) {
    spread_markers(w, l, cdi_marker_jacobian, X);
}

void cdi_link_twist_slope(const CdSystemWork *w, const CdSystemLink *l, double *T) {
    spread_markers(w, l, cdi_marker_twist_slope, T);
}

void cdi_link_force(const CdSystemWork *w, const CdSystemLink *l, const double *wrench, double *f) {
    cdi_marker_force(w, l->a, wrench, f);
    if (l->b >= 0) cdi_marker_force(w, l->b, wrench + 6, f + l->na);
}

// laws without torques, or without damping, have many rows of zeros
static bool is_zero(int n, const double *x) {
    for (int i = 0; i < n; i++) {
        if (x[i] != 0) return false;
    }
    return true;
}

// Rows over directions become rows over velocities as wrenches do, since X^T maps these: X is never
// formed. out (rows x n) = A (rows x 12, ld apart) X
void cdi_link_rows(const CdSystemWork *w, const CdSystemLink *l, int rows, const double *A, int ld,
                   double *out) {
    const int m = l->b < 0 ? 6 : DIRECTIONS;
    for (int i = 0; i < rows; i++) {
        if (is_zero(m, A + i * ld)) {
            memset(out + i * l->n, 0, (size_t)l->n * sizeof *out);
        } else {
            cdi_link_force(w, l, A + i * ld, out + i * l->n);
        }
    }
}

// out += A dV/dq, in the same way: V are the twists of both markers
void cdi_link_slope_rows(const CdSystemWork *w, const CdSystemLink *l, int rows, const double *A,
                         int ld, double *out) {
    for (int i = 0; i < rows; i++) {
        const double *row = A + i * ld;
        if (!is_zero(3, row)) cdi_marker_add_slope(w, l->a, row, out + i * l->n);
        if (l->b < 0 || is_zero(3, row + 6)) continue;
        cdi_marker_add_slope(w, l->b, row + 6, out + i * l->n + l->na);
    }
}

void cdi_link_twists(const CdSystemWork *w, const CdSystemLink *l, double v[DIRECTIONS]) {
    memcpy(v, w->twist[l->a], 6 * sizeof *v);
    if (l->b >= 0) memcpy(v + 6, w->twist[l->b], 6 * sizeof *v);
}

CdForceInput cdi_force_input(const CdSystemWork *w, const CdSystemLink *l, double t, double v[12]) {
    cdi_link_twists(w, l, v);
    return (CdForceInput){.t = t,
                          .a = &w->frame[l->a],
                          .b = cdi_link_frame_b(w, l),
                          .v = v,
                          .memory = w->memory + l->memory0};
}

// ---- what never changes

bool cdi_system_cancelled(CdSystemWork *w) {
    const CdSystem *s = w->system;
    if (!w->cancelled) return false;
    w->unasked += 1 + s->nbodies + s->njoints + s->nforces + s->ncoordinates;
    if (w->unasked < ASK_AFTER) return false;
    w->unasked = 0;
    return w->cancelled(w->cancel_user);
}

static CdStatus mass(void *data, const CdPoint *at, double *M) {
    const CdSystem *s = ((const CdSystemWork *)data)->system;
    (void)at;
    memcpy(M, s->mass, (size_t)s->mass_pattern->nnz * sizeof *M);
    return CD_OK;
}

// ---- constraints

// rows in force of what a kernel gives for all of its rows
void cdi_link_pick(const CdSystemLink *l, const double *all, double *out) {
    for (int i = 0; i < l->nc; i++) out[l->row0 + i] = all[l->rows[i]];
}

void cdi_link_spread(const CdSystemLink *l, const double *lambda, double *all) {
    memset(all, 0, CD_JOINT_NC_MAX * sizeof *all);
    for (int i = 0; i < l->nc; i++) all[l->rows[i]] = lambda[l->row0 + i];
}

static CdStatus constraint(void *data, const CdPoint *at, double *g) {
    return cdi_system_residual(data, at, NULL, g, NULL, NULL);
}

// what is left at velocity zero, and at acceleration zero
static CdStatus velocity_terms(void *data, const CdPoint *at, double *terms) {
    CdPoint still = *at;
    still.v = ((const CdSystemWork *)data)->still;
    return cdi_system_residual(data, &still, NULL, NULL, terms, NULL);
}

static CdStatus acceleration_terms(void *data, const CdPoint *at, double *gamma) {
    CdPoint still = *at;
    still.vdot = ((const CdSystemWork *)data)->still;
    return cdi_system_residual(data, &still, NULL, NULL, NULL, gamma);
}

// twist' of both markers: they change at constant velocities too
static void twist_rates(const CdSystemWork *w, const CdSystemLink *l, const double *vdot,
                        double rate[DIRECTIONS]) {
    double X[DIRECTIONS * DIRECTIONS];
    memcpy(rate, w->bias[l->a], 6 * sizeof *rate);
    memcpy(rate + 6, w->bias[l->b], 6 * sizeof *rate);
    cdi_link_jacobian(w, l, X);
    for (int k = 0; k < DIRECTIONS; k++) {
        for (int j = 0; j < l->n; j++) rate[k] += X[k * l->n + j] * vdot[l->v[j]];
    }
}

// rows of one joint at position and acceleration level, all that its kernel has
static void acceleration_rows(const CdSystemWork *w, const CdSystemLink *l, double t,
                              const double *vdot, double *c, double *acc) {
    const CdJointLaw *law = l->item->cls->joint;
    double J[CD_JOINT_NC_MAX * DIRECTIONS], v[DIRECTIONS], rate[DIRECTIONS];
    cdi_link_twists(w, l, v);
    twist_rates(w, l, vdot, rate);
    law->acc(l->item->data, t, &w->frame[l->a], cdi_link_frame_b(w, l), v, acc);
    law->jac(l->item->data, t, &w->frame[l->a], cdi_link_frame_b(w, l), c, J);
    for (int i = 0; i < law->nc; i++) {
        for (int k = 0; k < DIRECTIONS; k++) acc[i] += J[i * DIRECTIONS + k] * rate[k];
    }
}

void cdi_link_residuals(const CdSystemWork *w, const CdSystemLink *l, const CdPoint *at,
                        double residual[3]) {
    double c[3][CD_JOINT_NC_MAX], v[DIRECTIONS];
    cdi_link_twists(w, l, v);
    acceleration_rows(w, l, at->t, at->vdot, c[0], c[2]);
    l->item->cls->joint->vel(l->item->data, at->t, &w->frame[l->a], cdi_link_frame_b(w, l), v,
                             c[1]);
    for (int i = 0; i < 3 * l->nc; i++) {
        const int level = i / l->nc;
        residual[level] = fmax(residual[level], fabs(c[level][l->rows[i % l->nc]]));
    }
}

void cdi_system_residuals(CdSystemWork *w, const CdPoint *at, double residual[3]) {
    const CdSystem *s = w->system;
    cdi_system_place(w, at->q, at->v);
    zero3(residual);
    for (int k = 0; k < s->njoints; k++) cdi_link_residuals(w, &s->joints[k], at, residual);
    for (int k = 0; k < s->ncoordinates; k++) {
        if (s->coordinates[k].row >= 0) {
            cdi_coordinates_residuals(&s->coordinates[k], at, residual);
        }
    }
}

// ---- manifold: bodies of one class that stand together at once

static void kinematics(void *data, const double *q, const double *v, double *qdot) {
    const CdSystem *s = ((const CdSystemWork *)data)->system;
    for (int i = 0, n; i < s->nbodies; i += n) {
        const CdSystemBody *b = &s->bodies[i];
        n = b->alike;
        if (b->law->kinematics) {
            b->law->kinematics(n, q + b->q0, v + b->v0, qdot + b->q0);
        } else {
            memcpy(qdot + b->q0, v + b->v0, (size_t)(n * b->law->nv) * sizeof *v);
        }
    }
}

static void tangent(void *data, const double *q, const double *dq, double *delta) {
    const CdSystem *s = ((const CdSystemWork *)data)->system;
    for (int i = 0, n; i < s->nbodies; i += n) {
        const CdSystemBody *b = &s->bodies[i];
        n = b->alike;
        if (b->law->tangent) {
            b->law->tangent(n, q + b->q0, dq + b->q0, delta + b->v0);
        } else {
            memcpy(delta + b->v0, dq + b->q0, (size_t)(n * b->law->nv) * sizeof *dq);
        }
    }
}

typedef struct Move {
    const CdSystem *s;
    const double *q, *delta;
    double *out;
} Move;

static void share_bodies(const CdSystemWork *w, CdRangeFn *fn, Move *move) {
    const size_t n = (size_t)w->system->nbodies;
    if (n <= BODIES_MIN) {
        fn(move, 0, n, 0);
    } else {
        cd_parallel_for(w->pool, n, BODY_GRAIN, fn, move);
    }
}

// bodies of one class from i on, before the end of a range
static int alike_until(const CdSystemBody *b, int i, int end) {
    return end - i < b->alike ? end - i : b->alike;
}

static void retract_range(void *user, size_t begin, size_t end, int worker) {
    const Move *m = user;
    (void)worker;
    for (int i = (int)begin, n; i < (int)end; i += n) {
        const CdSystemBody *b = &m->s->bodies[i];
        const double *q = m->q + b->q0, *delta = m->delta + b->v0;
        double *out = m->out + b->q0;
        n = alike_until(b, i, (int)end);
        if (b->law->retract) {
            b->law->retract(n, q, delta, out);
            continue;
        }
        for (int j = 0; j < n * b->law->nv; j++) out[j] = q[j] + delta[j];
    }
}

static void retract(void *data, const double *q, const double *delta, double *out) {
    const CdSystemWork *w = data;
    Move move = {w->system, q, delta, out};
    share_bodies(w, retract_range, &move);
}

void cdi_system_sections_retract(void *data, int first, int end, const double *q,
                                 const double *delta, double *out) {
    const CdSystem *s = ((const CdSystemWork *)data)->system;
    const CdSpan span = cdi_span_of_sections(s, first, end);
    Move move = {s, q, delta, out};
    retract_range(&move, (size_t)span.begin[CD_SPAN_BODIES], (size_t)span.end[CD_SPAN_BODIES], 0);
}

static void difference(void *data, const double *q1, const double *q0, double *delta) {
    const CdSystem *s = ((const CdSystemWork *)data)->system;
    for (int i = 0, n; i < s->nbodies; i += n) {
        const CdSystemBody *b = &s->bodies[i];
        n = b->alike;
        if (b->law->difference) {
            b->law->difference(n, q1 + b->q0, q0 + b->q0, delta + b->v0);
            continue;
        }
        for (int j = 0; j < n * b->law->nv; j++) delta[b->v0 + j] = q1[b->q0 + j] - q0[b->q0 + j];
    }
}

static void normalise_range(void *user, size_t begin, size_t end, int worker) {
    const Move *m = user;
    (void)worker;
    for (int i = (int)begin, n; i < (int)end; i += n) {
        const CdSystemBody *b = &m->s->bodies[i];
        n = alike_until(b, i, (int)end);
        if (b->law->normalise) b->law->normalise(n, m->out + b->q0);
    }
}

void cdi_system_sections_normalise(void *data, int first, int end, double *q) {
    const CdSystem *s = ((const CdSystemWork *)data)->system;
    const CdSpan span = cdi_span_of_sections(s, first, end);
    Move move = {.s = s, .out = q};
    normalise_range(&move, (size_t)span.begin[CD_SPAN_BODIES], (size_t)span.end[CD_SPAN_BODIES], 0);
}

static void normalise(void *data, double *q) {
    const CdSystemWork *w = data;
    Move move = {.s = w->system, .out = q};
    share_bodies(w, normalise_range, &move);
}

// ---- history

typedef struct Remember {
    CdSystemWork *w;
    const CdPoint *at;
} Remember;

static void remember_span(const Remember *r, const CdSpan *span) {
    CdSystemWork *w = r->w;
    const CdSystem *s = w->system;
    const CdTileTask task = cdi_tile_task(w, r->at);
    for (int i = span->begin[CD_SPAN_FORCE_TILES]; i < span->end[CD_SPAN_FORCE_TILES]; i++) {
        const CdLinkTile *tile = &s->tiles->forces[i];
        if (tile->size > 0) s->tiles->ops->remember(tile, &task, w->memory);
    }
    for (int i = span->begin[CD_SPAN_LONE_FORCES]; i < span->end[CD_SPAN_LONE_FORCES]; i++) {
        const int k = s->tiles->lone_forces.v[i];
        const CdSystemLink *l = &s->forces[k];
        const CdForceLaw *law = l->item->cls->force;
        double v[DIRECTIONS];
        if (law->nmemory == 0) continue;
        const CdForceInput in = cdi_force_input(w, l, r->at->t, v);
        law->remember(w->force_data[k], &in, w->memory + l->memory0);
    }
}

static void remember_shares(void *user, size_t begin, size_t end, int worker) {
    const Remember *r = user;
    const CdSpan span = cdi_span_of_shares(r->w->system, begin, end);
    (void)worker;
    remember_span(r, &span);
}

// bodies are placed first
void cdi_system_sections_step_end(void *data, int first, int end, const CdPoint *at) {
    CdSystemWork *w = data;
    const CdSpan span = cdi_span_of_sections(w->system, first, end);
    cdi_span_place(w, &span, at->q, at->v, true);
    remember_span(&(Remember){w, at}, &span);
}

static void remember_sections(void *user, size_t begin, size_t end, int worker) {
    const Remember *r = user;
    (void)worker;
    cdi_system_sections_step_end(r->w, (int)begin, (int)end, r->at);
}

static CdStatus remember(void *data, const CdPoint *at, bool *event) {
    CdSystemWork *w = data;
    Remember r = {w, at};
    *event = false;
    if (w->system->sections) {
        const size_t n = (size_t)w->system->sections->user.n;
        cd_parallel_for(w->pool, n, 1, remember_sections, &r);
        return CD_OK;
    }
    cdi_system_place_links(w, at->q, at->v, true);
    cdi_signals_complete(w, at);
    if (cdi_worth_sharing(w)) {
        cdi_run_shares(w->pool, remember_shares, &r);
    } else {
        const CdSpan all = cdi_span_of_all(w->system);
        remember_span(&r, &all);
    }
    cdi_signals_remember(w, at);
    return CD_OK;
}

// whoever has an end of step must answer its event; ours never asks for one
static CdStatus no_event(void *data, CdEvent *event, CdPoint *at) {
    (void)data;
    (void)event;
    (void)at;
    return CD_OK;
}

static void save(void *data, void *to) {
    const CdSystemWork *w = data;
    memcpy(to, w->memory, (size_t)w->system->nmemory * sizeof *w->memory);
}

static void load(void *data, const void *from) {
    const CdSystemWork *w = data;
    memcpy(w->memory, from, (size_t)w->system->nmemory * sizeof *w->memory);
}

void cdi_system_restart(CdSystemWork *w) {
    for (int i = 0; i < w->system->nmemory; i++) w->memory[i] = 0;
    cdi_signals_begin(w);
}

static void begin_history(CdSystemWork *w, CdProblem *problem) {
    const size_t size = (size_t)w->system->nmemory * sizeof *w->memory;
    if (size == 0) return;
    cdi_system_restart(w);
    problem->step_end = remember;
    problem->handle_event = no_event;
    problem->discrete_size = size;
    problem->save = save;
    problem->load = load;
}

// q' = v and q + delta for all bodies
static bool is_vector_space(const CdSystem *s) {
    for (int i = 0; i < s->nbodies; i++) {
        if (s->bodies[i].law->retract) return false;
    }
    return true;
}

static void set_manifold(const CdSystem *s, CdProblem *problem) {
    problem->kinematics = kinematics;
    problem->tangent = tangent;
    problem->retract = retract;
    problem->difference = difference;
    problem->normalise = normalise;
    problem->nrotations = s->nrotations;
    problem->rotations = s->rotations;
}

static void set_constraints(const CdSystem *s, CdProblem *problem) {
    problem->constraint = constraint;
    problem->constraint_jacobian = cdi_system_jacobian;
    problem->constraint_sparsity = (CdSparsity){.ptr = s->jpattern->ptr, .row = s->jpattern->row};
    problem->velocity_slopes = cdi_system_velocity_slopes;
    problem->velocity_terms = velocity_terms;
    problem->acceleration_terms = acceleration_terms;
}

void cdi_system_problem(CdSystemWork *work, CdProblem *problem) {
    const CdSystem *s = work->system;
    *problem = (CdProblem){
        .name = "model",
        .data = work,
        .nq = s->nq,
        .nv = s->nv,
        .ng = s->ng,
        .force = cdi_system_force,
        .mass = mass,
        .mass_constant = true,
        .mass_sparsity = {.ptr = s->mass_pattern->ptr, .row = s->mass_pattern->row},
        .derivatives = cdi_system_derivatives,
        .residual = cdi_system_residual,
        .pool = work->pool,
        .sparsity = {.ptr = s->pattern->ptr, .row = s->pattern->row},
    };
    if (!is_vector_space(s)) set_manifold(s, problem);
    begin_history(work, problem);
    if (s->ng > 0) set_constraints(s, problem);
    if (s->sections) problem->sections = &s->sections->user;
    cdi_plain_problem(work, problem);
}
