// operator.c - the matrix that integrators solve with: pattern + linear solver, or the user's own
//
//   A = [cI I + cM M + cC C + cK K   J_a^T]      level of the rows of J_b:
//       [J_b + cv Cv + cq Cq         -cE I]      position, velocity   cv = 0      cq = cK/cC
//                                                acceleration         cv = cC/cM  cq = cK/cM
//
// Cv and Cq are what a constraint depends on beside its leading derivative; rows of g have none at
// position level. Constraints that depend on others do not act (redundant.c). Derivatives are kept,
// so that new coefficients only combine them anew; those with a coefficient of 0 are not evaluated.
// Hairer & Wanner, Solving Ordinary Differential Equations II, 2nd ed., sec. IV.8 and VII.
#include <math.h>
#include <string.h>

#include "problem/inverse.h"
#include "problem/work.h"

#define DERIVATIVES 8 // residuals that cost as much

enum { OF_M, OF_C, OF_K, OF_JA, OF_JB, OF_CV, OF_CQ, NPARTS };

// an operator without addresses and gaps, whose bytes would differ from run to run
typedef struct Setup {
    double ci[2], cm[2], cc[2], ck[2], ce[2], t_a;
    CdConstraintLevel level;
    int is_complex, keep, has_qa;
} Setup;

// what is saved beside numbers
typedef struct State {
    bool have[NPARTS];
    bool same_j;             // J_a is J_b
    CdConstraintLevel level; // of Cv and Cq
    unsigned mass_epoch;     // of M
    bool turned[NPARTS];     // by `turn`
    bool set_up;             // own linear algebra: it was
    bool tangent;            // real, and of forces too
    int kept;                // solves of the last factor before its inverse is taken
    Setup base, last;        // and how with new derivatives, and last
} State;

struct CdiLin {
    CdiProblem *p;
    bool is_complex;
    CdArena arena;
    CdiFactor factor;
    CdiInverse inverse;
    CdiShapeForm *form;   // where parts go in what the solver is given
    double *given;        // that
    double *block;        // of all parts
    size_t numbers;       // in it
    double *part[NPARTS]; // in it
    double *turn;         // nv if there are rotations: increments that led to turned parts
    bool touched[NPARTS]; // those ever used; the others are not set
    bool *acts;           // constraints in the last factor; NULL: all
    CdPoint base;         // own linear algebra: where derivatives were taken
    double *base_qa;
    void *own;
    State state;
    CdStatus status; // of the last set-up
};

static size_t width(const CdiLin *lin) {
    return lin->is_complex ? 2 : 1;
}

// ---- life

static size_t given_bytes(const CdiLin *lin) {
    return width(lin) * (size_t)lin->form->nsource * sizeof *lin->given;
}

// of the parts that only operators have, once
static CdStatus find_slots(CdiLin *lin) {
    CdiProblem *p = lin->p;
    const CdPattern *all = lin->factor.pattern;
    CdiShapeForm *form = lin->form;
    if (form->slot_i) return CD_OK;
    if (form->at_jt > p->pattern->nnz) { // there are diagonals beside them
        form->slot_r = cdi_slots_take(&p->arena, all, form->source, p->pattern, 0, 0, false);
        if (!form->slot_r) return CD_NOMEM;
    }
    form->slot_i = cdi_slots_diagonal(&p->arena, all, form->source, 0, p->nd);
    return form->slot_i ? CD_OK : CD_NOMEM;
}

static CdStatus open_solver(CdiLin *lin) {
    CdiProblem *p = lin->p;
    CdiShape **shape = &p->work->operator_shape;
    if (!*shape) CD_TRY(cdi_shape_find(p, p->pattern, p->nd, 0, shape));
    const CdiValues values = lin->is_complex ? CDI_COMPLEX : CDI_REAL;
    CD_TRY(cdi_shape_open(p, *shape, values, &lin->factor));
    lin->form = &(*shape)->form[values];
    CD_TRY(find_slots(lin));
    // not touched before the first set-up
    lin->given = cdi_resize(p->ctx, NULL, given_bytes(lin) + sizeof *lin->given);
    if (!lin->given) return CD_NOMEM;
    if (!lin->is_complex) CD_TRY(cdi_inverse_new(&lin->arena, p->n, &lin->inverse));
    if (p->work->redundant) {
        lin->acts = CD_TAKE(&lin->arena, bool, (size_t)p->nc);
        if (!lin->acts) return CD_NOMEM;
    }
    return CD_OK;
}

static CdStatus open_own(CdiLin *lin) {
    CdiProblem *p = lin->p;
    CD_TRY(cdi_point_take(p, &lin->arena, &lin->base));
    lin->base_qa = CD_TAKE(&lin->arena, double, (size_t)p->nq);
    if (!lin->base_qa) return CD_NOMEM;
    return p->user.lin_new(p->user.data, lin->is_complex, &lin->own);
}

static size_t turn_bytes(const CdiLin *lin) {
    return lin->p->user.nrotations > 0 ? (size_t)lin->p->nv * sizeof(double) : 0;
}

static CdStatus take_parts(CdiLin *lin) {
    const size_t nr = (size_t)lin->p->pattern->nnz, nj = (size_t)lin->p->jpattern->nnz;
    lin->numbers = 3 * nr + 4 * nj;
    // those never asked for are never touched, and so cost nothing
    double *block = lin->block = cdi_resize(lin->p->ctx, NULL, (lin->numbers + 1) * sizeof *block);
    lin->turn = CD_TAKE(&lin->arena, double, turn_bytes(lin) / sizeof *lin->turn);
    if (!block || !lin->turn) return CD_NOMEM;
    for (int k = 0; k < NPARTS; k++) {
        lin->part[k] = block;
        block += k <= OF_K ? nr : nj;
    }
    return CD_OK;
}

CdStatus cdi_lin_new(CdiProblem *p, bool is_complex, CdiLin **out) {
    CdiLin *lin = *out = cdi_alloc(p->ctx, sizeof *lin);
    if (!lin) return CD_NOMEM;
    lin->p = p;
    lin->is_complex = is_complex;
    cdi_arena_init(&lin->arena, p->ctx, 0);
    CdStatus status = cdi_patterns_derivatives(p);
    if (status == CD_OK) status = p->user.lin_new ? open_own(lin) : open_solver(lin);
    if (status == CD_OK) status = take_parts(lin);
    if (status != CD_OK) {
        cdi_lin_free(lin);
        *out = NULL;
    }
    return status;
}

void cdi_lin_free(CdiLin *lin) {
    if (!lin) return;
    CdContext *ctx = lin->p->ctx;
    if (lin->p->work->last == lin) lin->p->work->last = NULL;
    if (lin->own) lin->p->user.lin_free(lin->p->user.data, lin->own);
    cdi_factor_free(&lin->factor);
    cdi_free(ctx, lin->given);
    cdi_free(ctx, lin->block);
    cdi_arena_clear(&lin->arena);
    cdi_free(ctx, lin);
}

// ---- derivatives

static size_t part_bytes(const CdiLin *lin, int k) {
    const CdPattern *a = k <= OF_K ? lin->p->pattern : lin->p->jpattern;
    return (size_t)a->nnz * sizeof(double);
}

// to be written
static double *use_part(CdiLin *lin, int k) {
    if (!lin->touched[k]) memset(lin->part[k], 0, part_bytes(lin, k));
    lin->touched[k] = true;
    return lin->part[k];
}

// part k has numbers that are read
static bool holds(const State *s, int k) {
    return k == OF_JA ? s->have[OF_JB] && !s->same_j : s->have[k];
}

static bool counts(const CdiLin *lin, const double c[2]) {
    return c[0] != 0 || (lin->is_complex && c[1] != 0);
}

// the coefficient of the level that the rows are divided by
static const double *divisor(const CdOperator *op) {
    return op->level == CD_ACCELERATION ? op->cm : op->cc;
}

static bool wants_cv(const CdiLin *lin, const CdOperator *op) {
    return lin->p->nc > 0 && op->level == CD_ACCELERATION && counts(lin, op->cc) &&
           counts(lin, op->cm);
}

static bool wants_cq(const CdiLin *lin, const CdOperator *op) {
    if (op->level == CD_POSITION && lin->p->nn == 0) return false;
    return lin->p->nc > 0 && counts(lin, op->ck) && counts(lin, divisor(op));
}

static bool mass_stays(const CdiLin *lin) {
    const CdProblem *u = &lin->p->user;
    return lin->p->kind != CD_KIND_IMPLICIT && (!u->mass || u->mass_constant) &&
           lin->state.mass_epoch == lin->p->work->mass_epoch;
}

static void forget(CdiLin *lin) {
    const bool mass = lin->state.have[OF_M] && mass_stays(lin);
    memset(lin->state.have, 0, sizeof lin->state.have);
    memset(lin->state.turned, 0, sizeof lin->state.turned);
    lin->state.have[OF_M] = mass;
}

// part k, over directions of q; rows of N are those of v at position level
static void turn_part(CdiLin *lin, int k, const double *delta, bool back) {
    const CdiProblem *p = lin->p;
    cdi_turn_columns(p, k <= OF_K ? p->pattern : p->jpattern, k == OF_JB ? p->ng : p->n, delta,
                     back, lin->part[k]);
}

static void turn(CdiLin *lin, int k, const CdiKnown *known) {
    if (!known->turn) return;
    turn_part(lin, k, known->turn, false);
    memcpy(lin->turn, known->turn, (size_t)lin->p->nv * sizeof *lin->turn);
    lin->state.turned[k] = true;
}

static CdStatus take_derivatives(CdiLin *lin, const CdOperator *op, const CdiKnown *known) {
    const bool want[3] = {counts(lin, op->cm), counts(lin, op->cc), counts(lin, op->ck)};
    double *to[3];
    for (int k = OF_M; k <= OF_K; k++) {
        to[k] = want[k] && !lin->state.have[k] ? use_part(lin, k) : NULL;
    }
    if (!to[OF_M] && !to[OF_C] && !to[OF_K]) return CD_OK;
    CD_TRY(cdi_derivatives(lin->p, op->at, to[OF_M], to[OF_C], to[OF_K]));
    if (to[OF_K]) turn(lin, OF_K, known);
    for (int k = OF_M; k <= OF_K; k++) lin->state.have[k] |= to[k] != NULL;
    if (to[OF_M]) lin->state.mass_epoch = lin->p->work->mass_epoch;
    return CD_OK;
}

// a[slot] += c x; slot NULL: one after the other
static void add(const CdiLin *lin, double *a, int n, const int *slot, const double c[2],
                const double *x) {
    CdiSum s = {.a = a, .slot = slot, .terms = 1, .is_complex = lin->is_complex, .x = {x}};
    s.c[0][0] = c[0];
    s.c[0][1] = c[1];
    cdi_sum_add(lin->p->user.pool, n, &s);
}

static CdStatus take_jacobian(CdiLin *lin, int k, const CdPoint *at, const double *known) {
    double *to = use_part(lin, k);
    if (!known) return cdi_jacobian(lin->p, at, to);
    memcpy(to, known, part_bytes(lin, k));
    return CD_OK;
}

// of an operator that has it, over the same increments
static void add_slopes(CdiLin *lin, const CdiKnown *known) {
    const CdiLin *from = known->b;
    const double c[2] = {known->slopes, 0};
    if (!from || !from->state.have[OF_CQ]) return;
    add(lin, lin->part[OF_JB], lin->p->jpattern->nnz, NULL, c, from->part[OF_CQ]);
}

static CdStatus take_jacobians(CdiLin *lin, const CdOperator *op, const CdiKnown *known) {
    State *s = &lin->state;
    if (lin->p->nc == 0 || s->have[OF_JB]) return CD_OK;
    CD_TRY(take_jacobian(lin, OF_JB, op->at, known->b ? known->b->part[OF_JB] : NULL));
    const bool turns = known->turn && op->level == CD_POSITION;
    s->same_j = !op->q_a && !turns;
    if (op->q_a) {
        CdPoint a = *op->at;
        a.t = op->t_a;
        a.q = (double *)op->q_a; // only read
        CD_TRY(take_jacobian(lin, OF_JA, &a, known->J_a));
    } else if (turns) {
        memcpy(use_part(lin, OF_JA), lin->part[OF_JB], part_bytes(lin, OF_JA));
    }
    if (turns) turn(lin, OF_JB, known);
    add_slopes(lin, known);
    s->have[OF_JB] = true;
    return CD_OK;
}

static CdStatus take_levels(CdiLin *lin, const CdOperator *op, const CdiKnown *known) {
    State *s = &lin->state;
    if (s->level != op->level) s->have[OF_CV] = s->have[OF_CQ] = false;
    s->level = op->level;
    double *cv = wants_cv(lin, op) && !s->have[OF_CV] ? use_part(lin, OF_CV) : NULL;
    double *cq = wants_cq(lin, op) && !s->have[OF_CQ] ? use_part(lin, OF_CQ) : NULL;
    if (!cv && !cq) return CD_OK;
    CD_TRY(cdi_level_derivatives(lin->p, op->at, op->level, cv, cq));
    if (cq) turn(lin, OF_CQ, known);
    s->have[OF_CV] |= cv != NULL;
    s->have[OF_CQ] |= cq != NULL;
    return CD_OK;
}

static CdStatus evaluate(CdiLin *lin, const CdOperator *op, const CdiKnown *known) {
    if (!op->keep) {
        forget(lin);
        lin->p->counts.jacobians++;
    }
    CD_TRY(take_derivatives(lin, op, known));
    CD_TRY(take_jacobians(lin, op, known));
    return take_levels(lin, op, known);
}

// ---- combination

static void add_diagonal(const CdiLin *lin, double *a, int n, const int *slot, double sign,
                         const double c[2]) {
    const size_t w = width(lin);
    if (!counts(lin, c)) return;
    for (int k = 0; k < n; k++) {
        double *to = a + w * (size_t)(slot ? slot[k] : k);
        to[0] += sign * c[0];
        if (lin->is_complex) to[1] += sign * c[1];
    }
}

static void quotient(const CdiLin *lin, const double a[2], const double b[2], double out[2]) {
    if (!lin->is_complex) {
        out[0] = a[0] / b[0];
        out[1] = 0;
        return;
    }
    const double square = b[0] * b[0] + b[1] * b[1];
    out[0] = (a[0] * b[0] + a[1] * b[1]) / square;
    out[1] = (a[1] * b[0] - a[0] * b[1]) / square;
}

static double *given_at(const CdiLin *lin, int number) {
    return lin->given + width(lin) * (size_t)number;
}

static void add_constraints(const CdiLin *lin, const CdOperator *op) {
    const CdiProblem *p = lin->p;
    const CdiShapeForm *form = lin->form;
    const double one[2] = {1, 0};
    const int n = p->jpattern->nnz;
    double c[2], *jt = given_at(lin, form->at_jt), *j = given_at(lin, form->at_j);
    add(lin, jt, n, NULL, one, lin->part[lin->state.same_j ? OF_JB : OF_JA]);
    add(lin, j, n, NULL, one, lin->part[OF_JB]);
    if (wants_cv(lin, op)) {
        quotient(lin, op->cc, divisor(op), c);
        add(lin, j, n, NULL, c, lin->part[OF_CV]);
    }
    if (wants_cq(lin, op)) {
        quotient(lin, op->ck, divisor(op), c);
        add(lin, j, n, NULL, c, lin->part[OF_CQ]);
    }
    add_diagonal(lin, given_at(lin, form->at_e), p->nc, NULL, -1, op->ce);
}

// identity rows and columns for constraints that do not act
static void leave_out(const CdiLin *lin) {
    const CdiProblem *p = lin->p;
    const CdiShapeForm *form = lin->form;
    const size_t bytes = width(lin) * sizeof(double);
    for (int i = 0; i < p->nc; i++) lin->acts[i] = cdi_row_acts(p, i);
    for (int k = 0; k < p->jpattern->nnz; k++) {
        if (lin->acts[p->jpattern->row[k]]) continue;
        memset(given_at(lin, form->at_jt + k), 0, bytes);
        memset(given_at(lin, form->at_j + k), 0, bytes);
    }
    for (int i = 0; i < p->nc; i++) {
        if (!lin->acts[i]) *given_at(lin, form->at_e + i) = 1;
    }
}

static void add_derivatives(const CdiLin *lin, const CdOperator *op) {
    const double *const c[3] = {op->cm, op->cc, op->ck};
    const int n = lin->p->pattern->nnz, *slot = lin->form->slot_r;
    double *a = lin->given;
    if (!lin->is_complex && op->cm[0] != 0 && op->cc[0] != 0 && op->ck[0] != 0) {
        CdiSum s = {.a = a, .slot = slot, .terms = 3};
        for (int k = OF_M; k <= OF_K; k++) {
            s.c[k][0] = c[k][0];
            s.x[k] = lin->part[k];
        }
        cdi_sum_add(lin->p->user.pool, n, &s);
        return;
    }
    for (int k = OF_M; k <= OF_K; k++) {
        if (counts(lin, c[k])) add(lin, a, n, slot, c[k], lin->part[k]);
    }
}

static void combine(CdiLin *lin, const CdOperator *op) {
    const CdiProblem *p = lin->p;
    memset(lin->given, 0, given_bytes(lin));
    add_derivatives(lin, op);
    // rows of y and x would be empty
    const bool alone = !counts(lin, op->cm) && !counts(lin, op->cc);
    add_diagonal(lin, lin->given, alone ? p->nd : p->nv, lin->form->slot_i, 1, op->ci);
    if (p->nc > 0) add_constraints(lin, op);
    if (lin->acts) leave_out(lin);
    cdi_linsol_give(lin->factor.linsol, lin->given);
}

// ---- factors

// stiff problems have tiny pivots by right; they mean something for constraints and M alone
static bool watched(const CdiLin *lin, const CdOperator *op) {
    if (lin->p->nc > 0) return !counts(lin, op->ce);
    return !counts(lin, op->ci) && !counts(lin, op->cc) && !counts(lin, op->ck);
}

static Setup setup_of(const CdOperator *op) {
    return (Setup){.ci = {op->ci[0], op->ci[1]},
                   .cm = {op->cm[0], op->cm[1]},
                   .cc = {op->cc[0], op->cc[1]},
                   .ck = {op->ck[0], op->ck[1]},
                   .ce = {op->ce[0], op->ce[1]},
                   .t_a = op->t_a,
                   .level = op->level,
                   .is_complex = op->is_complex,
                   .keep = op->keep,
                   .has_qa = op->q_a != NULL};
}

// but for addresses
static CdOperator operator_of(const Setup *s) {
    return (CdOperator){.is_complex = s->is_complex,
                        .ci = {s->ci[0], s->ci[1]},
                        .cm = {s->cm[0], s->cm[1]},
                        .cc = {s->cc[0], s->cc[1]},
                        .ck = {s->ck[0], s->ck[1]},
                        .ce = {s->ce[0], s->ce[1]},
                        .level = s->level,
                        .t_a = s->t_a,
                        .keep = s->keep};
}

static CdStatus own_setup(CdiLin *lin, const CdOperator *op) {
    CdiProblem *p = lin->p;
    State *s = &lin->state;
    s->last = setup_of(op);
    if (!op->keep) {
        p->counts.jacobians++;
        forget(lin);
        cdi_point_copy(p, &lin->base, op->at);
        if (op->q_a) memcpy(lin->base_qa, op->q_a, (size_t)p->nq * sizeof *op->q_a);
        s->base = s->last;
    }
    s->set_up = true;
    p->counts.factors++;
    return p->user.lin_setup(p->user.data, lin->own, op);
}

// a solver that is as new, and whose memory was used: instead of one whose memory was not
static void take_spare(CdiLin *lin) {
    CdLinsol **spare = &lin->form->spare;
    if (lin->factor.has_current || !*spare) return;
    cdi_linsol_free(lin->factor.linsol);
    cdi_free(lin->p->ctx, lin->given);
    lin->factor.linsol = *spare;
    lin->given = lin->form->spare_given;
    *spare = NULL;
    lin->form->spare_given = NULL;
}

CdStatus cdi_lin_setup_with(CdiLin *lin, const CdOperator *op, const CdiKnown *known) {
    if (lin->own) return lin->status = own_setup(lin, op);
    take_spare(lin);
    lin->status = evaluate(lin, op, known);
    if (lin->status == CD_OK) lin->status = cdi_redundant_ready(lin->p, lin->part[OF_JB]);
    if (lin->status != CD_OK) return lin->status;
    combine(lin, op);
    lin->state.last = setup_of(op);
    lin->state.tangent = !lin->is_complex && (op->cc[0] != 0 || op->ck[0] != 0);
    if (lin->state.tangent) lin->p->work->last = lin;
    lin->state.kept = 0;
    lin->inverse.ready = false;
    return lin->status = cdi_factor_counted(lin->p, &lin->factor, watched(lin, op));
}

CdStatus cdi_lin_setup(CdiLin *lin, const CdOperator *op) {
    return cdi_lin_setup_with(lin, op, &(CdiKnown){0});
}

const CdLinsol *cdi_lin_solver(const CdiLin *lin) {
    return lin->factor.linsol;
}

int cdi_lin_cost(const CdiLin *lin) {
    if (lin->own) return DERIVATIVES;
    const CdLinsolStats stats = cdi_linsol_stats(lin->factor.linsol);
    return DERIVATIVES + (int)(stats.flops / (double)(4 * stats.nnz + 1));
}

bool cdi_lin_share(CdiLin *lin, const CdiLin *from) {
    State *s = &lin->state;
    const State *f = &from->state;
    if (lin->own) return false;
    for (int k = 0; k < NPARTS; k++) {
        if (holds(f, k)) memcpy(use_part(lin, k), from->part[k], part_bytes(lin, k));
    }
    memcpy(s->have, f->have, sizeof s->have);
    memcpy(s->turned, f->turned, sizeof s->turned);
    memcpy(lin->turn, from->turn, turn_bytes(lin));
    s->same_j = f->same_j;
    s->level = f->level;
    s->mass_epoch = f->mass_epoch;
    return true;
}

CdStatus cdi_lin_straight(const CdiLin *from, CdiLin **out) {
    CdiProblem *p = from->p;
    *out = NULL;
    if (from->own || !from->state.turned[OF_K]) return CD_OK;
    const CdStatistics counts = p->counts;
    const CdiLin *last = p->work->last;
    CdOperator op = operator_of(&from->state.last);
    op.keep = true;
    CD_TRY(cdi_lin_new(p, from->is_complex, out));
    cdi_lin_share(*out, from);
    for (int k = 0; k < NPARTS; k++) {
        if (from->state.turned[k]) turn_part(*out, k, from->turn, true);
    }
    const CdStatus status = cdi_lin_setup(*out, &op);
    p->counts = counts;
    p->work->last = last;
    return status == CD_SINGULAR || status == CD_NONFINITE ? CD_OK : status;
}

static void clear_rows(const CdiLin *lin, double *b) {
    const size_t w = width(lin);
    for (int i = 0; i < lin->p->nc; i++) {
        if (!lin->acts[i]) memset(b + w * (size_t)(lin->p->nd + i), 0, w * sizeof *b);
    }
}

static bool is_inverted(const CdiLin *lin) {
    return lin->state.kept == cdi_inverse_wait(&lin->inverse);
}

CdStatus cdi_lin_solve(CdiLin *lin, double *b, int nrhs, bool transposed) {
    CdiProblem *p = lin->p;
    p->counts.solves += nrhs;
    if (lin->own) return p->user.lin_solve(p->user.data, lin->own, b, nrhs, transposed);
    for (int k = 0; lin->acts && k < nrhs; k++) {
        clear_rows(lin, b + width(lin) * (size_t)k * (size_t)p->n);
    }
    if (lin->inverse.rows > 0 && nrhs == 1 && !transposed) {
        if (is_inverted(lin)) {
            return cdi_inverse_solve(&lin->inverse, lin->factor.linsol, b);
        }
        lin->state.kept++;
    }
    return cdi_linsol_solve(lin->factor.linsol, nrhs, b, p->n, transposed);
}

bool cdi_lin_settled(const CdiLin *lin) {
    return !lin->own && (lin->inverse.rows == 0 || is_inverted(lin));
}

bool cdi_lin_sections(const CdiLin *lin, const CdLinsolSections *sections) {
    return !lin->own && !lin->is_complex && lin->inverse.rows == 0 &&
           cdi_linsol_sections(lin->factor.linsol, sections);
}

void cdi_lin_solve_sections(CdiLin *lin, const CdLinsolSections *sections, int first, int end,
                            int worker, double *b) {
    const CdiProblem *p = lin->p;
    const int *g = p->user.sections->g;
    for (int i = g[first]; lin->acts && i < g[end]; i++) {
        if (!lin->acts[i]) b[p->nd + i] = 0;
    }
    cdi_linsol_solve_sections(lin->factor.linsol, sections, first, end, worker, b);
}

CdLinsolParts cdi_lin_parts(const CdiLin *lin) {
    if (lin->own || lin->is_complex || lin->inverse.rows > 0 || !lin->p->user.residual_rows) {
        return (CdLinsolParts){.n = 0};
    }
    return cdi_linsol_parts(lin->factor.linsol);
}

void cdi_lin_forward(CdiLin *lin, int first, int end, int worker, double *b) {
    cdi_linsol_forward(lin->factor.linsol, first, end, worker, b);
}

void cdi_lin_between(CdiLin *lin, int copy) {
    cdi_linsol_between(lin->factor.linsol, copy);
}

void cdi_lin_backward(CdiLin *lin, int first, int end, int worker, int copy, double *b) {
    cdi_linsol_backward(lin->factor.linsol, first, end, worker, copy, b);
}

// own linear algebra keeps no matrices; they are taken where it was set up
static CdStatus take_again(CdiLin *lin, int part) {
    CdiProblem *p = lin->p;
    double *to[NPARTS] = {NULL};
    to[part] = use_part(lin, part);
    if (part == OF_JB) return cdi_jacobian(p, &lin->base, to[part]);
    if (part != OF_CQ) return cdi_derivatives(p, &lin->base, to[OF_M], to[OF_C], to[OF_K]);
    return cdi_level_derivatives(p, &lin->base, lin->state.last.level, NULL, to[part]);
}

static void take_lazily(CdiLin *lin, int part) {
    if (!lin->own || lin->state.have[part]) return;
    const int nnz = (part <= OF_K ? lin->p->pattern : lin->p->jpattern)->nnz;
    const CdStatus status = take_again(lin, part);
    for (int k = 0; status != CD_OK && k < nnz; k++) lin->part[part][k] = NAN;
    lin->state.have[part] = true;
}

void cdi_lin_mul_add(const CdiLin *lin, CdWhich which, double alpha, const double *x, double *y) {
    static const int parts[] = {OF_M, OF_C, OF_K, OF_JB, OF_JB, OF_CQ};
    const int part = parts[which];
    take_lazily((CdiLin *)lin, part);
    if (!lin->state.have[part]) return;
    const CdCsc a = {.pattern = part <= OF_K ? lin->p->pattern : lin->p->jpattern,
                     .v = lin->part[part]};
    cdi_csc_mul_add(&a, which == CD_OF_JT, alpha, x, y);
}

bool cdi_lin_has_rate(const CdiLin *lin, int column) {
    const CdPattern *a = lin->p->pattern;
    for (int k = a->ptr[column]; lin->state.have[OF_M] && k < a->ptr[column + 1]; k++) {
        if (lin->part[OF_M][k] != 0) return true;
    }
    return false;
}

void cdi_lin_explain(const CdiLin *lin, CdText *text) {
    if (lin->own) {
        cdi_text_add(text, cd_status_text(lin->status));
        return;
    }
    const double *J = lin->state.have[OF_JB] ? lin->part[OF_JB] : NULL;
    cdi_explain_factor(lin->p, &lin->factor, lin->p->nd, J, lin->status, text);
}

// ---- save and load

static size_t own_bytes(const CdiLin *lin) {
    return (1 + lin->p->npoint + (size_t)lin->p->nq) * sizeof(double);
}

static size_t acts_bytes(const CdiLin *lin) {
    return lin->acts ? (size_t)lin->p->nc * sizeof *lin->acts : 0;
}

size_t cdi_lin_save_size(const CdiLin *lin) {
    return sizeof(State) + lin->numbers * sizeof(double) + turn_bytes(lin) + acts_bytes(lin) +
           (lin->own ? own_bytes(lin) : cdi_factor_save_size(&lin->factor));
}

// zeros for one that holds nothing
static char *put_part(const CdiLin *lin, int k, char *to) {
    const size_t bytes = part_bytes(lin, k);
    if (holds(&lin->state, k)) return cdi_put(to, lin->part[k], bytes);
    memset(to, 0, bytes);
    return to + bytes;
}

static const char *get_part(CdiLin *lin, int k, const char *from) {
    const size_t bytes = part_bytes(lin, k);
    return holds(&lin->state, k) ? cdi_get(from, use_part(lin, k), bytes) : from + bytes;
}

// the block of a point begins with its first part that is there
static double *block_of(const CdPoint *at) {
    return at->q ? at->q : at->y;
}

void cdi_lin_save(const CdiLin *lin, void *to) {
    char *at = cdi_put(to, &lin->state, sizeof lin->state);
    for (int k = 0; k < NPARTS; k++) at = put_part(lin, k, at);
    at = cdi_put(at, lin->turn, turn_bytes(lin));
    at = cdi_put(at, lin->acts, acts_bytes(lin));
    if (!lin->own) {
        cdi_factor_save(&lin->factor, at);
        return;
    }
    at = cdi_put(at, &lin->base.t, sizeof lin->base.t);
    at = cdi_put(at, block_of(&lin->base), lin->p->npoint * sizeof(double));
    cdi_put(at, lin->base_qa, (size_t)lin->p->nq * sizeof(double));
}

// where the derivatives were taken
static CdStatus setup_again(CdiLin *lin, const Setup *s) {
    CdOperator op = operator_of(s);
    op.at = &lin->base;
    op.q_a = s->has_qa ? lin->base_qa : NULL;
    return lin->p->user.lin_setup(lin->p->user.data, lin->own, &op);
}

static CdStatus load_own(CdiLin *lin, const char *from) {
    CdiProblem *p = lin->p;
    from = cdi_get(from, &lin->base.t, sizeof lin->base.t);
    from = cdi_get(from, block_of(&lin->base), p->npoint * sizeof(double));
    cdi_get(from, lin->base_qa, (size_t)p->nq * sizeof(double));
    if (!lin->state.set_up) return CD_OK;
    lin->status = setup_again(lin, &lin->state.base);
    if (lin->state.last.keep) lin->status = setup_again(lin, &lin->state.last);
    return CD_OK;
}

CdStatus cdi_lin_load(CdiLin *lin, const void *from) {
    const char *at = cdi_get(from, &lin->state, sizeof lin->state);
    for (int k = 0; k < NPARTS; k++) at = get_part(lin, k, at);
    at = cdi_get(at, lin->turn, turn_bytes(lin));
    at = cdi_get(at, lin->acts, acts_bytes(lin));
    if (lin->own) return load_own(lin, at);
    lin->inverse.ready = false;
    CD_TRY(cdi_factor_load(&lin->factor, &at));
    if (lin->state.tangent && lin->factor.has_current) lin->p->work->last = lin;
    lin->status = lin->factor.status;
    return CD_OK;
}
