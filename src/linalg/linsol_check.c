// linsol_check.c - how good a solution is, and how to make it better, for every linear solver
//
//   residual    |b - A x| / (|A| |x| + |b|): the smallest relative change of A and b that makes x
//               exact (Rigal, Gaches)
//   refinement  r = b - A x, A d = r, x += d
//   condition   |A^-1|_1 >= |A^-1 x|_1 for |x|_1 = 1, climbing to unit vectors where the gradient
//               A^-H sign(A^-1 x) is largest (Hager, Higham)
//
// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM 2002, sec. 7.1, 12.1, 15.2.
#include <math.h>
#include <string.h>

#include "linalg/linsol.h"

static size_t numbers(const CdLinsol *s) {
    return (s->setup.complex ? 2 : 1) * (size_t)s->n;
}

static double element(const CdLinsol *s, const double *x, int i) {
    return s->setup.complex ? hypot(x[2 * (size_t)i], x[2 * (size_t)i + 1]) : fabs(x[i]);
}

static double largest(const CdLinsol *s, const double *x) {
    double max = 0;
    for (int i = 0; i < s->n; i++) {
        const double e = element(s, x, i);
        max = e > max || e != e ? e : max;
    }
    return max;
}

static CdCsc matrix_of(const CdLinsol *s, const double *v) {
    CdCsc a = cdi_linsol_matrix(s);
    if (v) a.v = (double *)v;
    return a;
}

// the largest row sum of A or of A^T; uses work
static double norm(CdLinsol *s, const CdCsc *a, bool transposed) {
    return transposed ? cdi_csc_norm1(a) : cdi_csc_norm_inf(a, s->work);
}

// r = b - A x; returns its size relative to that of the system
static double residual(const CdLinsol *s, const CdCsc *a, double a_norm, bool transposed,
                       const double *x, const double *b, double *r) {
    if (s->n == 0) return 0;
    memcpy(r, b, numbers(s) * sizeof *r);
    cdi_csc_mul_add(a, transposed, -1, x, r);
    const double size = a_norm * largest(s, x) + largest(s, b), off = largest(s, r);
    return off == 0 ? 0 : off / size;
}

double cdi_linsol_residual(CdLinsol *s, const double *v, bool transposed, const double *x,
                           const double *b) {
    const CdCsc a = matrix_of(s, v);
    return residual(s, &a, norm(s, &a, transposed), transposed, x, b, s->work);
}

CdStatus cdi_linsol_refine(CdLinsol *s, CdRefinement *how, bool transposed, const double *b,
                           double *x) {
    const CdCsc a = matrix_of(s, how->v);
    const double a_norm = norm(s, &a, transposed);
    double *r = s->work, *old = s->work + numbers(s);
    how->residual = residual(s, &a, a_norm, transposed, x, b, r);
    for (how->steps = 0; !(how->residual <= how->tol) && how->steps < how->max_steps;) {
        const double before = how->residual;
        CD_TRY(cdi_linsol_solve(s, 1, r, s->n, transposed));
        how->steps++;
        for (size_t i = 0; i < numbers(s); i++) {
            old[i] = x[i];
            x[i] += r[i];
        }
        how->residual = residual(s, &a, a_norm, transposed, x, b, r);
        if (how->residual <= before / 2) continue;
        // no longer better by half: the better of the two is the answer
        if (!(how->residual < before)) {
            memcpy(x, old, numbers(s) * sizeof *x);
            how->residual = before;
        }
        break;
    }
    return how->residual <= how->tol ? CD_OK : CD_NOCONV;
}

static double sum_abs(const CdLinsol *s, const double *x) {
    double sum = 0;
    for (int i = 0; i < s->n; i++) sum += element(s, x, i);
    return sum;
}

static void conjugate(const CdLinsol *s, double *x) {
    for (int i = 0; s->setup.complex && i < s->n; i++) x[2 * (size_t)i + 1] = -x[2 * (size_t)i + 1];
}

// x_i / |x_i|, 1 for 0
static void signs(const CdLinsol *s, const double *x, double *y) {
    for (int i = 0; i < s->n; i++) {
        const double e = element(s, x, i);
        if (s->setup.complex) {
            y[2 * (size_t)i] = e > 0 ? x[2 * (size_t)i] / e : 1;
            y[2 * (size_t)i + 1] = e > 0 ? x[2 * (size_t)i + 1] / e : 0;
        } else {
            y[i] = x[i] < 0 ? -1 : 1;
        }
    }
}

static void set_real(const CdLinsol *s, double *x, int i, double value) {
    x[(s->setup.complex ? 2 : 1) * (size_t)i] = value;
}

static int top_element(const CdLinsol *s, const double *x) {
    int top = 0;
    for (int i = 1; i < s->n; i++) top = element(s, x, i) > element(s, x, top) ? i : top;
    return top;
}

// the estimate by a vector of alternating signs, against unlucky cancellation
static double alternating(CdLinsol *s, double *x) {
    memset(x, 0, numbers(s) * sizeof *x);
    for (int i = 0; i < s->n; i++) {
        set_real(s, x, i, (i % 2 ? -1 : 1) * (1 + (double)i / (s->n > 1 ? s->n - 1 : 1)));
    }
    s->cls->solve(s, 1, x, s->n, false);
    return 2 * sum_abs(s, x) / (3.0 * s->n);
}

static double inverse_norm1(CdLinsol *s, double *x, double *y) {
    double best = 0;
    memset(x, 0, numbers(s) * sizeof *x);
    for (int i = 0; i < s->n; i++) set_real(s, x, i, 1.0 / s->n);
    for (int round = 0; round < 5; round++) {
        s->cls->solve(s, 1, x, s->n, false);
        const double now = sum_abs(s, x);
        if (!(now > best)) break;
        best = now;
        // gradient: A^H y = sign, by conjugates as A^T conj(y) = conj(sign)
        signs(s, x, y);
        conjugate(s, y);
        s->cls->solve(s, 1, y, s->n, true);
        const int top = top_element(s, y);
        memset(x, 0, numbers(s) * sizeof *x);
        set_real(s, x, top, 1);
    }
    return fmax(best, alternating(s, x));
}

double cdi_linsol_rcond(CdLinsol *s) {
    if (s->state != CD_LINSOL_FACTORED) return 0;
    if (s->n == 0) return 1;
    const double inverse = inverse_norm1(s, s->work, s->work + numbers(s));
    const CdCsc a = cdi_linsol_matrix(s);
    const double size = cdi_csc_norm1(&a);
    return isfinite(inverse) && size > 0 ? 1 / inverse / size : 0;
}
