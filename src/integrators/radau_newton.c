// radau_newton.c - the stages of radau5 by simplified Newton iteration, and the error of a step
//
//   R_i = F(t_n + c_i h, y_n + Z_i, (1/h) sum_j (A^-1)_ij Z_j) = 0,     i = 1, 2, 3
//
// With W = T^-1 Z the Newton matrix A^-1/h x F_y' + I x F_y falls apart into one real and one
// complex block,
//
//   (gamma/h F_y' + F_y) dw_1 = -(T^-1 R)_1
//   ((alpha + i beta)/h F_y' + F_y) (dw_2 + i dw_3) = -(T^-1 R)_2 - i (T^-1 R)_3
//
// for  M y' - f = 0  those of Hairer & Wanner II, sec. IV.8, from where the monitor of convergence
// and the error estimate are:
//
//   eta |dW_k| <= kappa,   eta = Theta/(1 - Theta),   Theta = mean of |dW_k|/|dW_k-1|
//   err = -(gamma/h F_y' + F_y)^-1 F(t_n, y_n, -(e_1 Z_1 + e_2 Z_2 + e_3 Z_3)/h)
#include "integrators/radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "integrators/driver.h"
#include "integrators/radau_tables.h"

// a polynomial is not extrapolated further than so many of its steps
#define EXTRAPOLATION_MAX 10
// Theta that counts as divergence
#define THETA_MAX 0.99
// how much of the old eta is believed in the first iteration
#define ETA_POWER 0.8
// bounds and safety of the step that is proposed when convergence is too slow
#define SLOW_MIN 1e-4
#define SLOW_MAX 20.0
#define SLOW_SAFETY 0.8
#define SMALLEST_ERROR 1e-10
// iterations after which a rate is no longer that of algebraic unknowns that follow the others
#define SETTLED 3

typedef enum Verdict { GO_ON, ENOUGH, STALLED, TOO_SLOW, GIVE_UP } Verdict;

typedef struct Monitor {
    double norm, rate; // of the iteration before
    double eta, theta;
} Monitor;

// unknowns of higher index, which are derivatives of others, may be wrong by powers of 1/h
static void set_scale(const CdIntegrator *it, double h) {
    const CdiRadau *r = it->method;
    const CdiFlat *f = it->flat;
    cdi_flat_scale(f, it->state, r->rtol, r->atol, r->scale);
    for (int k = 0; k < f->n; k++) {
        for (int power = r->powers[k]; power > 0; power--) r->scale[k] *= h;
    }
}

// the polynomial of the last step, continued; zero without one
static void predict(const CdIntegrator *it, double h) {
    const CdiRadau *r = it->method;
    const size_t n = (size_t)it->flat->n;
    const double h_poly = r->kept.h_poly;
    if (h_poly == 0 || h > EXTRAPOLATION_MAX * h_poly) {
        memset(r->Z, 0, 3 * n * sizeof *r->Z);
        return;
    }
    const double *k1 = r->poly, *k2 = k1 + n, *k3 = k2 + n;
    for (int i = 0; i < 3; i++) {
        const double s = radau_c[i] * h / h_poly;
        const double s1 = s - (radau_c[0] - 1), s2 = s - (radau_c[1] - 1);
        double *Z = r->Z + (size_t)i * n;
        for (size_t k = 0; k < n; k++) Z[k] = s * (k1[k] + s2 * (k2[k] + s1 * k3[k]));
    }
}

static CdStatus stage_residuals(CdIntegrator *it, double h) {
    const CdiRadau *r = it->method;
    const size_t n = (size_t)it->flat->n;
    const double *Z1 = r->Z, *Z2 = Z1 + n, *Z3 = Z2 + n;
    for (int i = 0; i < 3; i++) {
        const double *a = radau_a_inverse[i], *Z = r->Z + (size_t)i * n;
        const double a1 = a[0] / h, a2 = a[1] / h, a3 = a[2] / h;
        for (size_t k = 0; k < n; k++) {
            r->Y[k] = it->state[k] + Z[k];
            r->dY[k] = a1 * Z1[k] + a2 * Z2[k] + a3 * Z3[k];
        }
        CD_TRY(cdi_flat_residual(it->flat, it->now.t + radau_c[i] * h, r->Y, r->dY,
                                 r->R + (size_t)i * n));
    }
    return CD_OK;
}

// -T^-1 R
static void transform(const CdiRadau *r, size_t n) {
    const double(*t)[3] = radau_t_inverse;
    const double *R1 = r->R, *R2 = R1 + n, *R3 = R2 + n;
    for (size_t k = 0; k < n; k++) {
        r->w1[k] = -(t[0][0] * R1[k] + t[0][1] * R2[k] + t[0][2] * R3[k]);
        r->w23[2 * k] = -(t[1][0] * R1[k] + t[1][1] * R2[k] + t[1][2] * R3[k]);
        r->w23[2 * k + 1] = -(t[2][0] * R1[k] + t[2][1] * R2[k] + t[2][2] * R3[k]);
    }
}

static double increment_square(const CdiRadau *r, size_t k) {
    const double s = r->scale[k], a = r->w1[k] * s, b = r->w23[2 * k] * s;
    const double c = r->w23[2 * k + 1] * s;
    return a * a + b * b + c * c;
}

static double increment_norm(const CdiRadau *r, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += increment_square(r, k);
    return n > 0 ? sqrt(sum / (3 * (double)n)) : 0;
}

int cdi_radau_worst(const CdIntegrator *it) {
    const CdiRadau *r = it->method;
    int worst = 0;
    for (int k = 1; k < it->flat->n; k++) {
        if (increment_square(r, (size_t)k) > increment_square(r, (size_t)worst)) worst = k;
    }
    return worst;
}

int cdi_radau_nonfinite(const CdIntegrator *it) {
    const CdiRadau *r = it->method;
    const int n = it->flat->n;
    for (int k = 0; k < 3 * n; k++) {
        if (!isfinite(r->R[k])) return k % n;
    }
    return 0;
}

static void update(const CdiRadau *r, size_t n) {
    const double(*t)[3] = radau_t;
    double *Z1 = r->Z, *Z2 = Z1 + n, *Z3 = Z2 + n;
    for (size_t k = 0; k < n; k++) {
        const double w1 = r->w1[k], w2 = r->w23[2 * k], w3 = r->w23[2 * k + 1];
        Z1[k] += t[0][0] * w1 + t[0][1] * w2 + t[0][2] * w3;
        Z2[k] += t[1][0] * w1 + t[1][1] * w2 + t[1][2] * w3;
        Z3[k] += t[2][0] * w1 + w2;
    }
}

// one iteration, its increments in w1 and w23
static CdStatus iterate(CdIntegrator *it, double h, double *norm) {
    const CdiRadau *r = it->method;
    const size_t n = (size_t)it->flat->n;
    CD_TRY(stage_residuals(it, h));
    transform(r, n);
    CD_TRY(cdi_flat_lin_solve(r->real, r->w1, 1));
    CD_TRY(cdi_flat_lin_solve(r->complex_, r->w23, 1));
    it->stats->iterations++;
    *norm = increment_norm(r, n);
    return isfinite(*norm) ? CD_OK : CD_NONFINITE;
}

// rate of convergence after iteration number `count`, the second or a later one
static void measure(Monitor *m, int count, double norm) {
    const double rate = norm / m->norm;
    m->theta = count == 2 ? rate : sqrt(rate * m->rate);
    m->rate = rate;
    if (m->theta < THETA_MAX) m->eta = m->theta / (1 - m->theta);
}

// with `left` more iterations the error would still be so many times the tolerance: a smaller step
static bool too_slow(const CdiRadau *r, const Monitor *m, double norm, int left, double h,
                     double *retry) {
    const double excess = m->eta * norm * pow(m->theta, left) / r->tolerance;
    if (excess < 1) return false;
    const double bounded = fmax(SLOW_MIN, fmin(SLOW_MAX, excess));
    *retry = h * SLOW_SAFETY * pow(bounded, -1 / (4.0 + left));
    return true;
}

// go on, be content with what rounding errors leave, or give up
static Verdict judge(const CdIntegrator *it, Monitor *m, int count, double norm, double h,
                     double *retry) {
    const CdiRadau *r = it->method;
    const double theta = m->theta;
    if (count > 1 && count < r->limit) {
        measure(m, count, norm);
        if (m->theta >= THETA_MAX) {
            m->theta = theta;
            if (norm > r->noise) return GIVE_UP;
            return count <= SETTLED ? GO_ON : STALLED;
        }
        if (it->options->adaptive && too_slow(r, m, norm, r->limit - 1 - count, h, retry)) {
            return TOO_SLOW;
        }
    }
    m->norm = fmax(norm, DBL_EPSILON);
    return m->eta * norm <= r->tolerance ? ENOUGH : GO_ON;
}

static CdiRadauOutcome converge(CdIntegrator *it, Monitor *m, double h, double *retry,
                                CdStatus *why) {
    CdiRadau *r = it->method;
    const size_t n = (size_t)it->flat->n;
    double norm = INFINITY;
    *why = CD_NOCONV;
    for (int count = 1; count <= r->limit; count++) {
        const CdStatus status = iterate(it, h, &norm);
        if (status != CD_OK) {
            *why = status;
            return CDI_RADAU_DIVERGED;
        }
        const Verdict verdict = judge(it, m, count, norm, h, retry);
        if (verdict == TOO_SLOW) return CDI_RADAU_SLOW;
        if (verdict == GIVE_UP) return CDI_RADAU_DIVERGED;
        update(r, n);
        r->iterations = count;
        if (verdict != GO_ON) return CDI_RADAU_SOLVED;
    }
    return m->eta * norm <= r->noise ? CDI_RADAU_SOLVED : CDI_RADAU_DIVERGED;
}

CdStatus cdi_radau_newton(CdIntegrator *it, double h, CdiRadauOutcome *outcome, double *retry,
                          CdStatus *why) {
    CdiRadau *r = it->method;
    const CdiRadauOptions *o = (const CdiRadauOptions *)it->options;
    Monitor m = {.eta = pow(fmax(r->kept.eta, DBL_EPSILON), ETA_POWER), .theta = o->reuse_rate};
    set_scale(it, h);
    predict(it, h);
    *outcome = converge(it, &m, h, retry, why);
    r->kept.eta = m.eta;
    r->kept.theta = m.theta;
    return *outcome == CDI_RADAU_DIVERGED && !cdi_is_recoverable(*why) ? *why : CD_OK;
}

// r->error = -(gamma/h F_y' + F_y)^-1 F(t, Y, dY)
static CdStatus filter(CdIntegrator *it, const double *Y, double *norm) {
    const CdiRadau *r = it->method;
    const size_t n = (size_t)it->flat->n;
    CD_TRY(cdi_flat_residual(it->flat, it->now.t, Y, r->dY, r->R));
    for (size_t k = 0; k < n; k++) r->error[k] = -r->R[k];
    CD_TRY(cdi_flat_lin_solve(r->real, r->error, 1));
    const double rms = cdi_vecn()->wrms(n, r->error, r->scale);
    *norm = isnan(rms) ? INFINITY : fmax(rms, SMALLEST_ERROR);
    return CD_OK;
}

static CdStatus estimate(CdIntegrator *it, double h, double *norm) {
    const CdiRadau *r = it->method;
    const size_t n = (size_t)it->flat->n;
    const double e1 = -radau_e[0] / h, e2 = -radau_e[1] / h, e3 = -radau_e[2] / h;
    const double *Z1 = r->Z, *Z2 = Z1 + n, *Z3 = Z2 + n;
    for (size_t k = 0; k < n; k++) r->dY[k] = e1 * Z1[k] + e2 * Z2[k] + e3 * Z3[k];
    CD_TRY(filter(it, it->state, norm));
    // stiff components are overestimated: damp them once more where a rejection would cost
    if (*norm < 1 || !isfinite(*norm) || !(r->kept.first || r->kept.rejected)) return CD_OK;
    for (size_t k = 0; k < n; k++) r->Y[k] = it->state[k] + r->error[k];
    return filter(it, r->Y, norm);
}

CdStatus cdi_radau_error(CdIntegrator *it, double h, double *norm) {
    const CdStatus status = estimate(it, h, norm);
    if (status == CD_OK) return CD_OK;
    *norm = INFINITY;
    return cdi_is_recoverable(status) ? CD_OK : status;
}
