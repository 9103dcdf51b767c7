// flat_lin.c - (c F_Y' + F_Y) d = b by elimination of q and mu, leaving the mechanical operator
//
//   c dq - Z (dv - G^T dmu) = b_q                  s = Z^+ b_q,  dtheta = (dv - G^T dmu + s)/c
//   c M dv + C (dv, dy, dx) + K dtheta + J^T dl = b_r
//   index 3    G dtheta = b_g                      index 2   J dv + Cq dtheta = b_c
//   index 1    c J dv + Cv dv + Cq dtheta = b_c    ggl       the two in the upper line
//
// With dtheta put in, dv, dy, dx and dl are those of the operator with cM = c, cC = 1, cK = 1/c:
//
//   [c M + C + K/c   J^T] [d ]   [b_r - K (s - G^T dmu)/c]
//   [J_b              0 ] [dl] = [c b_g - G s | b_c - Cq (s - G^T dmu)/c | (b_c - Cq s/c)/c]
//
// GGL takes dmu in these small terms from G G^T dmu = b_v - c b_g + G s, that is without Cq dtheta,
// and afterwards from G G^T dmu = G (dv + s) - c b_g, so that rows of q and g are met.
// That is exact up to second order in 1/c, for the residuals of Newton's iteration, where b_g is
// smaller than b_v by c. dZ/dq and d(G^T mu)/dq are neglected: |omega|/c on quaternions, and mu is
// 0 in the solution.
//
// The explicit form Y' = f is that of index 1 with b = (b_q, M b_v, B b_y, J b_v).
// Hairer & Wanner, Solving Ordinary Differential Equations II, 2nd ed., sec. VII.7.
#include <string.h>

#include "problem/flat_work.h"

#define ARENA_BLOCK 4096

struct CdiFlatLin {
    CdiFlat *f;
    CdArena arena;
    CdiLin *op;
    CdiGram *gram;       // G G^T of the stabilised form, else NULL
    CdPoint at;          // where derivatives were taken
    int parts;           // 1 real, 2 complex
    double c[2], inv[2]; // c and 1/c
    bool gram_failed;    // the last set-up, rather than op
    double *rhs;         // of op, pairs if complex
    // real and imaginary parts
    double *b[2];     // rows of F, then unknowns
    double *s[2];     // nv
    double *shift[2]; // nd: (s - G^T dmu)/c, 0 in y and x
    double *gmu[2];   // nv: G^T dmu, 0 unless stabilised
    double *cg[2];    // ng: c b_g
    double *row[2];   // nc
    double *u;        // nd
};

// ---- complex numbers as parts

static void split(int n, int parts, const double *from, double *const to[2], size_t at) {
    for (int k = 0; k < parts; k++) {
        for (int i = 0; i < n; i++) to[k][at + (size_t)i] = from[parts * i + k];
    }
}

static void join(int n, int parts, double *const from[2], size_t at, double *to) {
    for (int k = 0; k < parts; k++) {
        for (int i = 0; i < n; i++) to[parts * i + k] = from[k][at + (size_t)i];
    }
}

// a *= z
static void times(int n, int parts, const double z[2], double *re, double *im) {
    if (parts == 1) {
        for (int i = 0; i < n; i++) re[i] *= z[0];
        return;
    }
    for (int i = 0; i < n; i++) {
        const double a = re[i], b = im[i];
        re[i] = a * z[0] - b * z[1];
        im[i] = a * z[1] + b * z[0];
    }
}

static void clear(int n, double *x) {
    if (n > 0) memset(x, 0, (size_t)n * sizeof *x);
}

static void copy(int n, const double *from, double *to) {
    if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

// ---- right-hand side

// explicit form: (b_v, b_y) becomes (M b_v, B b_y), and rows of J v' become J b_v
static void rates_to_rows(CdiFlatLin *l) {
    const CdiProblem *p = l->f->p;
    const CdiFlatParts *from = &l->f->work->from;
    for (int k = 0; k < l->parts; k++) {
        double *b = l->b[k];
        copy(p->nd, b + from->v, l->u);
        clear(p->nd + p->nc, b + from->v);
        cdi_lin_mul_add(l->op, CD_OF_M, 1, l->u, b + from->v);
        if (p->nc > 0) cdi_lin_mul_add(l->op, CD_OF_J, 1, l->u, b + from->lambda);
    }
}

// G^T dmu for the small terms
static CdStatus predict_gmu(CdiFlatLin *l) {
    const CdiProblem *p = l->f->p;
    const CdiFlatParts *from = &l->f->work->from;
    for (int k = 0; k < l->parts; k++) {
        clear(p->nc, l->row[k]);
        cdi_lin_mul_add(l->op, CD_OF_J, 1, l->s[k], l->row[k]);
        for (int i = 0; i < p->ng; i++) {
            l->row[k][i] += l->b[k][from->lambda + (size_t)i] - l->cg[k][i];
        }
        CD_TRY(cdi_gram_solve(l->gram, l->row[k], l->gmu[k]));
    }
    return CD_OK;
}

// dmu that meets the rows of g, into b
static CdStatus find_mu(CdiFlatLin *l) {
    const CdiProblem *p = l->f->p;
    const CdiFlatParts *from = &l->f->work->from;
    for (int k = 0; k < l->parts; k++) {
        for (int i = 0; i < p->nv; i++) l->u[i] = l->b[k][from->v + (size_t)i] + l->s[k][i];
        clear(p->nc, l->row[k]);
        cdi_lin_mul_add(l->op, CD_OF_J, 1, l->u, l->row[k]);
        for (int i = 0; i < p->ng; i++) l->row[k][i] -= l->cg[k][i];
        CD_TRY(cdi_gram_solve(l->gram, l->row[k], l->gmu[k]));
        copy(p->ng, l->row[k], l->b[k] + from->mu);
    }
    return CD_OK;
}

// what is known of q goes to the other rows
static void eliminate_q(CdiFlatLin *l) {
    const CdiProblem *p = l->f->p;
    const CdiFlatParts *from = &l->f->work->from;
    for (int k = 0; k < l->parts; k++) {
        for (int i = 0; i < p->nv; i++) l->shift[k][i] = l->s[k][i] - l->gmu[k][i];
    }
    times(p->nv, l->parts, l->inv, l->shift[0], l->shift[1]);
    for (int k = 0; k < l->parts; k++) {
        cdi_lin_mul_add(l->op, CD_OF_K, -1, l->shift[k], l->b[k] + from->v);
        if (p->nc == 0) continue;
        cdi_lin_mul_add(l->op, CD_OF_CQ, -1, l->shift[k], l->b[k] + from->lambda);
    }
}

// rows of constraints divided by the coefficient of their level
static void scale_constraints(CdiFlatLin *l) {
    const CdiProblem *p = l->f->p;
    const size_t c = l->f->work->from.lambda;
    double *re = l->b[0] + c, *im = l->parts > 1 ? l->b[1] + c : NULL;
    if (l->f->setup.form == CD_INDEX1) times(p->nc, l->parts, l->inv, re, im);
    if (l->f->setup.form != CD_INDEX3) return;
    times(p->ng, l->parts, l->c, re, im);
    for (int k = 0; k < l->parts; k++) {
        clear(p->nc, l->row[k]);
        cdi_lin_mul_add(l->op, CD_OF_J, 1, l->s[k], l->row[k]);
        for (int i = 0; i < p->ng; i++) l->b[k][c + (size_t)i] -= l->row[k][i];
    }
}

static CdStatus solve_operator(CdiFlatLin *l) {
    const CdiProblem *p = l->f->p;
    const size_t from = l->f->work->from.v;
    join(p->n, l->parts, l->b, from, l->rhs);
    CD_TRY(cdi_lin_solve(l->op, l->rhs, 1, false));
    split(p->n, l->parts, l->rhs, l->b, from);
    return CD_OK;
}

// dq = (Z (dv - G^T dmu) + b_q)/c
static void find_q(CdiFlatLin *l) {
    const CdiProblem *p = l->f->p;
    CdiFlatWork *w = l->f->work;
    for (int k = 0; k < l->parts; k++) {
        for (int i = 0; i < p->nv; i++) l->u[i] = l->b[k][w->from.v + (size_t)i] - l->gmu[k][i];
        cdi_kinematics(p, l->at.q, l->u, w->zu);
        for (int i = 0; i < p->nq; i++) l->b[k][i] += w->zu[i];
    }
    times(p->nq, l->parts, l->inv, l->b[0], l->b[1]);
}

static CdStatus solve_mechanical(CdiFlatLin *l, double *b) {
    const CdiFlat *f = l->f;
    const CdiProblem *p = f->p;
    const CdiFlatParts *from = &f->work->from;
    split(f->n, l->parts, b, l->b, 0);
    if (f->setup.explicit_form) rates_to_rows(l);
    for (int k = 0; k < l->parts; k++) cdi_tangent(p, l->at.q, l->b[k], l->s[k]);
    if (l->gram) {
        for (int k = 0; k < l->parts; k++) copy(p->ng, l->b[k] + from->mu, l->cg[k]);
        times(p->ng, l->parts, l->c, l->cg[0], l->cg[1]);
        CD_TRY(predict_gmu(l));
    }
    eliminate_q(l);
    scale_constraints(l);
    CD_TRY(solve_operator(l));
    if (l->gram) CD_TRY(find_mu(l));
    find_q(l);
    join(f->n, l->parts, l->b, 0, b);
    return CD_OK;
}

// plain problems: the operator is the matrix, but rates of B y' = phi are rows of B
static CdStatus solve_plain(CdiFlatLin *l, double *b, int nrhs) {
    const CdiFlat *f = l->f;
    const size_t ldb = (size_t)f->n * (size_t)l->parts;
    for (int j = 0; j < nrhs && f->setup.explicit_form && f->p->kind != CD_KIND_ODE; j++) {
        split(f->n, l->parts, b + ldb * (size_t)j, l->b, 0);
        rates_to_rows(l);
        join(f->n, l->parts, l->b, 0, b + ldb * (size_t)j);
    }
    return cdi_lin_solve(l->op, b, nrhs, false);
}

CdStatus cdi_flat_lin_solve(CdiFlatLin *l, double *b, int nrhs) {
    if (l->f->p->nv == 0) return solve_plain(l, b, nrhs);
    for (int j = 0; j < nrhs; j++) {
        CD_TRY(solve_mechanical(l, b + (size_t)j * (size_t)l->f->n * (size_t)l->parts));
    }
    return CD_OK;
}

// ---- set-up

static CdConstraintLevel level_of(CdForm form) {
    return form == CD_INDEX1 ? CD_ACCELERATION : form == CD_INDEX3 ? CD_POSITION : CD_VELOCITY;
}

static void set_coefficient(CdiFlatLin *l, const double c[2]) {
    const double im = l->parts > 1 ? c[1] : 0, norm = c[0] * c[0] + im * im;
    l->c[0] = c[0];
    l->c[1] = im;
    l->inv[0] = c[0] / norm;
    l->inv[1] = -im / norm;
}

// lambda of the explicit form, and v' with it, are found where they are needed
static CdStatus move_to(CdiFlatLin *l, double t, const double *Y, const double *dY) {
    const CdiProblem *p = l->f->p;
    cdi_flat_unpack(l->f, t, Y, dY, &l->at);
    if (l->f->setup.explicit_form && p->nv > 0) return cdi_accelerations(l->f->p, &l->at);
    if (!dY) {
        clear(p->nv, l->at.vdot);
        clear(p->ny, l->at.ydot);
    }
    return CD_OK;
}

static CdStatus setup_operator(CdiFlatLin *l, const double c[2], bool keep) {
    set_coefficient(l, c);
    l->gram_failed = false;
    const CdOperator op = {
        .is_complex = l->parts > 1,
        .cm = {l->c[0], l->c[1]},
        .cc = {1, 0},
        .ck = {l->inv[0], l->inv[1]},
        .level = level_of(l->f->setup.form),
        .at = &l->at,
        .keep = keep,
    };
    return cdi_lin_setup(l->op, &op);
}

CdStatus cdi_flat_lin_setup(CdiFlatLin *l, const double c[2], double t, const double *Y,
                            const double *dY, bool keep) {
    if (!keep) CD_TRY(move_to(l, t, Y, dY));
    CD_TRY(setup_operator(l, c, keep));
    if (!l->gram || keep) return CD_OK;
    const CdStatus status = cdi_gram_setup(l->gram, &l->at);
    l->gram_failed = status != CD_OK;
    return status;
}

CdStatus cdi_flat_lin_setup_as(CdiFlatLin *l, const double c[2], const CdiFlatLin *from) {
    cdi_point_copy(l->f->p, &l->at, &from->at);
    CD_TRY(setup_operator(l, c, cdi_lin_share(l->op, from->op)));
    if (!l->gram) return CD_OK;
    const CdStatus status = cdi_gram_setup_as(l->gram, from->gram);
    l->gram_failed = status != CD_OK;
    return status;
}

void cdi_flat_lin_explain(const CdiFlatLin *l, CdText *text) {
    if (l->gram_failed) {
        cdi_gram_explain(l->gram, text);
    } else {
        cdi_lin_explain(l->op, text);
    }
}

// ---- life

static CdStatus take_parts(CdiFlatLin *l, size_t n, double *to[2]) {
    for (int k = 0; k < l->parts; k++) {
        to[k] = CD_TAKE(&l->arena, double, n);
        if (!to[k]) return CD_NOMEM;
    }
    return CD_OK;
}

static CdStatus fill(CdiFlatLin *l) {
    CdiProblem *p = l->f->p;
    const size_t rows = (size_t)p->nq + (size_t)p->n + (size_t)p->ng;
    CD_TRY(cdi_lin_new(p, l->parts > 1, &l->op));
    if (cdi_flat_stabilised(l->f)) CD_TRY(cdi_gram_new(p, &l->gram));
    CD_TRY(cdi_point_take(p, &l->arena, &l->at));
    CD_TRY(take_parts(l, rows, l->b));
    CD_TRY(take_parts(l, (size_t)p->nv, l->s));
    CD_TRY(take_parts(l, (size_t)p->nd, l->shift));
    CD_TRY(take_parts(l, (size_t)p->nv, l->gmu));
    CD_TRY(take_parts(l, (size_t)p->ng, l->cg));
    CD_TRY(take_parts(l, (size_t)p->nc, l->row));
    l->rhs = CD_TAKE(&l->arena, double, (size_t)l->parts *(size_t)p->n);
    l->u = CD_TAKE(&l->arena, double, (size_t)p->nd);
    return l->rhs && l->u ? CD_OK : CD_NOMEM;
}

CdStatus cdi_flat_lin_new(CdiFlat *f, bool is_complex, CdiFlatLin **out) {
    *out = NULL;
    CdiFlatLin *l = cdi_alloc(f->p->ctx, sizeof *l);
    if (!l) return CD_NOMEM;
    l->f = f;
    l->parts = is_complex ? 2 : 1;
    cdi_arena_init(&l->arena, f->p->ctx, ARENA_BLOCK);
    const CdStatus status = fill(l);
    if (status != CD_OK) {
        cdi_flat_lin_free(l);
        return status;
    }
    *out = l;
    return CD_OK;
}

void cdi_flat_lin_free(CdiFlatLin *l) {
    if (!l) return;
    CdContext *ctx = l->f->p->ctx;
    cdi_lin_free(l->op);
    cdi_gram_free(l->gram);
    cdi_arena_clear(&l->arena);
    cdi_free(ctx, l);
}

// ---- save and load: coefficients, point, operators

typedef struct Saved {
    double c[2], inv[2], t;
} Saved;

static size_t point_bytes(const CdiFlatLin *l) {
    return l->f->p->npoint * sizeof(double);
}

// the block of a point begins with its first member
static double *block(const CdiFlatLin *l) {
    return l->at.q ? l->at.q : l->at.y;
}

size_t cdi_flat_lin_save_size(const CdiFlatLin *l) {
    return sizeof(Saved) + point_bytes(l) + cdi_lin_save_size(l->op) +
           (l->gram ? cdi_gram_save_size(l->gram) : 0);
}

void cdi_flat_lin_save(const CdiFlatLin *l, void *to) {
    char *at = to;
    Saved saved = {.t = l->at.t};
    memcpy(saved.c, l->c, sizeof saved.c);
    memcpy(saved.inv, l->inv, sizeof saved.inv);
    memcpy(at, &saved, sizeof saved);
    at += sizeof saved;
    memcpy(at, block(l), point_bytes(l));
    at += point_bytes(l);
    cdi_lin_save(l->op, at);
    if (l->gram) cdi_gram_save(l->gram, at + cdi_lin_save_size(l->op));
}

CdStatus cdi_flat_lin_load(CdiFlatLin *l, const void *from) {
    const char *at = from;
    Saved saved;
    memcpy(&saved, at, sizeof saved);
    at += sizeof saved;
    memcpy(l->c, saved.c, sizeof saved.c);
    memcpy(l->inv, saved.inv, sizeof saved.inv);
    l->at.t = saved.t;
    memcpy(block(l), at, point_bytes(l));
    at += point_bytes(l);
    CD_TRY(cdi_lin_load(l->op, at));
    return l->gram ? cdi_gram_load(l->gram, at + cdi_lin_save_size(l->op)) : CD_OK;
}
