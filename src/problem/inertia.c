// inertia.c - signs of pivots of a mechanism's matrix, which tell whether it is sound
//
//   [A   J^T]      as many positive as unknowns and as many negative as constraints, if and only if
//   [J   -E ]      x^T A x > 0 for all x with J x = 0, and the constraints are independent
//
// Every direction x that is negative makes one positive pivot negative. Pivots are those of the
// symmetric part; where the solver takes them from the diagonal, of the matrix as it is. Of small
// matrices the most negative x is found, in a basis of J x = 0 from a QR of J^T.
// Sylvester's law; Gould, Math. Program. 32 (1985) 90, lemma 3.4.
#include <math.h>

#include "problem/work.h"

// largest matrix that is made dense: for its signs, for its directions
#define DENSE_SIGNS 128
#define DENSE_DIRECTIONS 240
// part of the largest eigenvalue below which one is rounding
#define ROUNDING 1e-10

static bool acts(const CdLinsol *s, int row) {
    const CdCsc a = cdi_linsol_matrix(s);
    const int slot = cdi_pattern_slot(a.pattern, row, row);
    return slot < 0 || !(a.v[slot] > 0);
}

// rows of constraints that act; others have 1 on the diagonal
static int count_acting(const CdLinsol *s, int nd) {
    int n = 0;
    for (int i = nd; i < s->n; i++) n += acts(s, i);
    return n;
}

// the symmetric part, both triangles
static void make_dense(const CdLinsol *s, double *a) {
    const CdCsc m = cdi_linsol_matrix(s);
    const size_t n = (size_t)s->n;
    for (int j = 0; j < s->n; j++) {
        for (int k = m.pattern->ptr[j]; k < m.pattern->ptr[j + 1]; k++) {
            const int i = m.pattern->row[k];
            a[(size_t)i + n * (size_t)j] += m.v[k] / 2;
            a[(size_t)j + n * (size_t)i] += m.v[k] / 2;
        }
    }
}

// ---- signs

static bool by_solver(const CdLinsol *s, CdiSigns *out) {
    if (s->n > 0 && cdi_linsol_sign(s, 0) == 0) return false;
    for (int i = 0; i < s->n; i++) {
        *(cdi_linsol_sign(s, i) > 0 ? &out->positive : &out->negative) += 1;
    }
    out->replaced = cdi_linsol_stats(s).replaced;
    return true;
}

static CdStatus by_dense(const CdiProblem *p, const CdLinsol *s, CdiSigns *out) {
    const size_t n = (size_t)s->n;
    CdArena scratch;
    cdi_arena_init(&scratch, p->ctx, 0);
    double *a = CD_TAKE(&scratch, double, n *n);
    double *work = CD_TAKE(&scratch, double, cdi_ldlt_work(s->n));
    int *piv = CD_TAKE(&scratch, int, n);
    CdStatus status = a && work && piv ? CD_OK : CD_NOMEM;
    if (status == CD_OK) {
        make_dense(s, a);
        status = cdi_ldlt_factor(s->n, a, s->n, piv, work, NULL);
    }
    if (status == CD_OK || status == CD_SINGULAR) {
        const CdInertia found = cdi_ldlt_inertia(s->n, a, s->n, piv);
        out->positive = found.positive;
        out->negative = found.negative;
        out->known = true;
    }
    cdi_arena_clear(&scratch);
    return status == CD_NOMEM ? status : CD_OK;
}

CdStatus cdi_matrix_signs(const CdiProblem *p, const CdLinsol *s, int nd, CdiSigns *out) {
    *out = (CdiSigns){0};
    if (!s || s->state == CD_LINSOL_EMPTY) return CD_OK;
    out->known = by_solver(s, out);
    if (!out->known && s->n <= DENSE_SIGNS) CD_TRY(by_dense(p, s, out));
    if (!out->known) return CD_OK;
    const int acting = count_acting(s, nd);
    out->left_out = s->n - nd - acting;
    out->positive -= out->left_out;
    // signs of rows of y and x are anything
    out->judged = nd == p->nv;
    out->expected = out->judged && out->positive == nd && out->negative == acting;
    return CD_OK;
}

// what there is of the two: solver, and rows before the constraints. Signs are those of a matrix
// over directions of q, which may have to be made, to be freed by cdi_lin_free
static CdStatus last_solver(const CdiProblem *p, CdiLin **made, const CdLinsol **s, int *nd) {
    const CdiLin *last = p->work->last;
    *made = NULL;
    *s = NULL;
    *nd = 0;
    if (p->nv == 0) return CD_OK;
    if (last) CD_TRY(cdi_lin_straight(last, made));
    *nd = last ? p->nd : p->nv;
    *s = *made ? cdi_lin_solver(*made) : last ? cdi_lin_solver(last) : cdi_solve_solver(p);
    return CD_OK;
}

CdStatus cdi_problem_signs(const CdiProblem *p, CdiSigns *out) {
    CdiLin *made;
    const CdLinsol *s;
    int nd;
    CdStatus status = last_solver(p, &made, &s, &nd);
    if (status == CD_OK) status = cdi_matrix_signs(p, s, nd, out);
    cdi_lin_free(made);
    return status;
}

// ---- directions

// the symmetric matrix and its part where J x = 0
typedef struct Directions {
    int n, nd, m;               // order, unknowns, constraints that act
    double *a;                  // n x n
    double *qr, *tau, *qr_work; // of J^T, nd x m
    int *jpvt, rank;
    double *z, *az, *h; // basis, A times it (nd x f), its part of A (f x f)
    double *lambda, *work;
    int *iwork;
} Directions;

static CdStatus take(CdArena *scratch, Directions *d) {
    const size_t n = (size_t)d->n, nd = (size_t)d->nd, m = (size_t)d->m;
    d->a = CD_TAKE(scratch, double, n *n);
    d->qr = CD_TAKE(scratch, double, nd *(m + 1));
    d->tau = CD_TAKE(scratch, double, m + 1);
    d->qr_work = CD_TAKE(scratch, double, cdi_qr_work(d->nd, d->m));
    d->jpvt = CD_TAKE(scratch, int, m + 1);
    d->z = CD_TAKE(scratch, double, nd *nd);
    d->az = CD_TAKE(scratch, double, nd *nd);
    d->h = CD_TAKE(scratch, double, nd *nd);
    d->lambda = CD_TAKE(scratch, double, nd);
    d->work = CD_TAKE(scratch, double, cdi_eig_work(d->nd));
    d->iwork = CD_TAKE(scratch, int, cdi_eig_iwork(d->nd));
    const bool ok = d->a && d->qr && d->tau && d->qr_work && d->jpvt && d->z && d->az && d->h;
    return ok && d->lambda && d->work && d->iwork ? CD_OK : CD_NOMEM;
}

// y (nd x f) = A x
static void multiply(const Directions *d, int f, const double *x, double *y) {
    const size_t n = (size_t)d->n, nd = (size_t)d->nd;
    for (size_t k = 0; k < (size_t)f; k++) {
        for (size_t i = 0; i < nd; i++) {
            double sum = 0;
            for (size_t j = 0; j < nd; j++) sum += d->a[i + n * j] * x[j + nd * k];
            y[i + nd * k] = sum;
        }
    }
}

// z: columns of Q behind the rank
static CdStatus find_basis(const CdLinsol *s, Directions *d) {
    const size_t n = (size_t)d->n, nd = (size_t)d->nd;
    double *to = d->qr;
    make_dense(s, d->a);
    for (int r = d->nd; r < d->n; r++) {
        if (!acts(s, r)) continue;
        for (size_t i = 0; i < nd; i++) *to++ = d->a[i + n * (size_t)r];
    }
    if (d->m > 0) {
        CD_TRY(cdi_qr_factor(d->nd, d->m, d->qr, d->nd, d->jpvt, d->tau, d->qr_work, &d->rank));
    }
    for (int k = d->rank; k < d->nd; k++) {
        double *z = d->z + nd * (size_t)(k - d->rank);
        z[k] = 1;
        if (d->m > 0) cdi_qr_apply(d->nd, d->m, d->qr, d->nd, d->tau, false, z);
    }
    return CD_OK;
}

// eigenvalues of A where J x = 0, and the direction of the first into az's first column, A times it
// into the second; how many are negative
static CdStatus find_negative(const CdLinsol *s, Directions *d, int *negative) {
    const size_t nd = (size_t)d->nd;
    CD_TRY(find_basis(s, d));
    const int f = d->nd - d->rank;
    multiply(d, f, d->z, d->az);
    for (int i = 0; i < f; i++) {
        for (int k = 0; k < f; k++) {
            double sum = 0;
            for (size_t j = 0; j < nd; j++)
                sum += d->z[j + nd * (size_t)i] * d->az[j + nd * (size_t)k];
            d->h[i + f * k] = sum;
        }
    }
    CD_TRY(cdi_eig(f, d->h, f, d->lambda, d->work, d->iwork));
    const double size = f > 0 ? fmax(fabs(d->lambda[0]), fabs(d->lambda[f - 1])) : 0;
    for (*negative = 0; *negative < f && d->lambda[*negative] < -ROUNDING * size; ++*negative) {
    }
    return CD_OK;
}

// the unknown with the most negative part of x^T A x, of the first direction
static int most_negative(const Directions *d) {
    const size_t nd = (size_t)d->nd, n = (size_t)d->n;
    double *x = d->az;
    int worst = 0;
    double least = 0;
    for (size_t i = 0; i < nd; i++) {
        x[i] = 0;
        for (int k = 0; k < d->nd - d->rank; k++) x[i] += d->z[i + nd * (size_t)k] * d->h[k];
    }
    for (size_t i = 0; i < nd; i++) {
        double sum = 0;
        for (size_t j = 0; j < nd; j++) sum += d->a[i + n * j] * x[j];
        if (x[i] * sum < least) {
            least = x[i] * sum;
            worst = (int)i;
        }
    }
    return worst;
}

static CdStatus look_closely(const CdiProblem *p, const CdLinsol *s, int nd, int *negative,
                             int *unknown) {
    CdArena scratch;
    Directions d = {.n = s->n, .nd = nd, .m = count_acting(s, nd)};
    cdi_arena_init(&scratch, p->ctx, 0);
    CdStatus status = take(&scratch, &d);
    if (status == CD_OK) status = find_negative(s, &d, negative);
    if (status == CD_OK && *negative > 0) *unknown = most_negative(&d);
    cdi_arena_clear(&scratch);
    return status;
}

// the first unknown whose pivot is negative, and how many more than constraints are; -1: none
static int first_negative(const CdLinsol *s, int nd, int *negative) {
    int first = -1;
    *negative = -count_acting(s, nd);
    for (int i = 0; i < s->n; i++) {
        const bool below = cdi_linsol_sign(s, i) < 0;
        *negative += below;
        if (below && first < 0 && i < nd) first = i;
    }
    return first;
}

static void tell_doubt(const CdiProblem *p, const CdLinsol *s, int nd, CdText *text) {
    int negative = 0, unknown = -1;
    char name[64];
    if (!s || s->state == CD_LINSOL_EMPTY || nd != p->nv || s->bad_column >= 0) return;
    if (s->n <= DENSE_DIRECTIONS) {
        if (look_closely(p, s, nd, &negative, &unknown) != CD_OK) return;
    } else {
        unknown = first_negative(s, nd, &negative);
    }
    if (negative <= 0) return;
    cdi_text_addf(
        text, "; the tangent is not positive definite on the constraints: %d direction%s negative",
        negative, negative == 1 ? " is" : "s are");
    if (unknown < 0) return;
    cdi_unknown_name(p, unknown, name, sizeof name);
    cdi_text_addf(text, ", most of it %s; look at masses and stiffnesses there", name);
}

void cdi_problem_doubt(const CdiProblem *p, CdText *text) {
    CdiLin *made;
    const CdLinsol *s;
    int nd;
    if (last_solver(p, &made, &s, &nd) == CD_OK) tell_doubt(p, s, nd, text);
    cdi_lin_free(made);
}
