// integrators_hand.c - DOPRI5 and generalised-alpha written by hand for the chain of masses
//
// Straight loops over arrays for one problem, no options, no events, no dense output: the least
// that these methods cost. Hairer, Norsett & Wanner I, II.5; Arnold & Bruels 2007.
#include "integrators_hand.h"

#include <math.h>
#include <string.h>

#include "linalg/linsol.h"

void chain_start(int n, double *q, double *v) {
    for (int i = 0; i < n; i++) {
        q[i] = 0.1 * sin(3.0 * (i + 1) / (n + 1));
        v[i] = 0.01 * (i % 3);
    }
}

void chain_force(int n, const double *q, double *f) {
    const double k = CHAIN_STIFFNESS;
    if (n == 1) {
        f[0] = -2 * k * q[0];
        return;
    }
    f[0] = k * (q[1] - 2 * q[0]);
    for (int i = 1; i < n - 1; i++) f[i] = k * (q[i - 1] - 2 * q[i] + q[i + 1]);
    f[n - 1] = k * (q[n - 2] - 2 * q[n - 1]);
}

static void rate(int n, const double *y, double *f) {
    memcpy(f, y + n, (size_t)n * sizeof *f);
    chain_force(n, y, f + n);
}

// ---- DOPRI5

static double error_norm(int m, double h, const double *y, const double *y1, const double *k1,
                         const double *k3, const double *k4, const double *k5, const double *k6,
                         const double *k7, double rtol, double atol) {
    double sum = 0;
    for (int i = 0; i < m; i++) {
        const double e = h * (71.0 / 57600 * k1[i] - 71.0 / 16695 * k3[i] + 71.0 / 1920 * k4[i] -
                              17253.0 / 339200 * k5[i] + 22.0 / 525 * k6[i] - 1.0 / 40 * k7[i]);
        const double x = e / (atol + rtol * fmax(fabs(y[i]), fabs(y1[i])));
        sum += x * x;
    }
    return sqrt(sum / m);
}

static void stages(int n, double h, const double *restrict y, double *restrict z, double **k) {
    const int m = 2 * n;
    const double *k1 = k[0];
    double *k2 = k[1], *k3 = k[2], *k4 = k[3], *k5 = k[4], *k6 = k[5];
    for (int i = 0; i < m; i++) z[i] = y[i] + h * (1.0 / 5 * k1[i]);
    rate(n, z, k2);
    for (int i = 0; i < m; i++) z[i] = y[i] + h * (3.0 / 40 * k1[i] + 9.0 / 40 * k2[i]);
    rate(n, z, k3);
    for (int i = 0; i < m; i++) {
        z[i] = y[i] + h * (44.0 / 45 * k1[i] - 56.0 / 15 * k2[i] + 32.0 / 9 * k3[i]);
    }
    rate(n, z, k4);
    for (int i = 0; i < m; i++) {
        z[i] = y[i] + h * (19372.0 / 6561 * k1[i] - 25360.0 / 2187 * k2[i] +
                           64448.0 / 6561 * k3[i] - 212.0 / 729 * k4[i]);
    }
    rate(n, z, k5);
    for (int i = 0; i < m; i++) {
        z[i] = y[i] + h * (9017.0 / 3168 * k1[i] - 355.0 / 33 * k2[i] + 46732.0 / 5247 * k3[i] +
                           49.0 / 176 * k4[i] - 5103.0 / 18656 * k5[i]);
    }
    rate(n, z, k6);
    for (int i = 0; i < m; i++) {
        z[i] = y[i] + h * (35.0 / 384 * k1[i] + 500.0 / 1113 * k3[i] + 125.0 / 192 * k4[i] -
                           2187.0 / 6784 * k5[i] + 11.0 / 84 * k6[i]);
    }
    rate(n, z, k[6]);
}

int hand_dopri5(int n, double *y, double t_end, double rtol, double atol, double h, double *work) {
    const int m = 2 * n;
    double *k[7], *z = work, t = 0, err_old = 1e-4;
    int tried = 0;
    bool rejected = false;
    for (int i = 0; i < 7; i++) k[i] = work + (i + 1) * m;
    rate(n, y, k[0]);
    while (t < t_end) {
        if (t + 1.01 * h > t_end) h = t_end - t;
        stages(n, h, y, z, k);
        tried++;
        const double err = error_norm(m, h, y, z, k[0], k[2], k[3], k[4], k[5], k[6], rtol, atol);
        const double fac = pow(err, 0.2 - 0.75 * 0.04) / 0.9;
        if (!(err <= 1)) {
            h /= fmin(10, fac);
            rejected = true;
            continue;
        }
        t = t + h >= t_end ? t_end : t + h;
        double h_new = h / fmax(1.0 / 5, fmin(10, fac / pow(err_old, 0.04)));
        if (rejected) h_new = fmin(h_new, h);
        rejected = false;
        err_old = fmax(err, 1e-4);
        h = h_new;
        // the last stage is the first of the next step
        double *swap = k[0];
        k[0] = k[6];
        k[6] = swap;
        memcpy(y, z, (size_t)m * sizeof *y);
    }
    return tried;
}

// ---- generalised-alpha

struct HandGenAlpha {
    CdContext *ctx;
    CdPattern *pattern;
    CdLinsol *solver;
    int n;
    double h, am, af, gamma, beta;
    double *a, *acc, *r; // auxiliary a, v', right-hand side
    double *f;
};

static CdStatus factor(HandGenAlpha *g) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, g->ctx, g->n, g->n, true);
    for (int i = 0; i < g->n; i++) {
        CD_TRY(cdi_pattern_add(&b, i, i));
        if (i > 0) CD_TRY(cdi_pattern_add(&b, i, i - 1));
    }
    CD_TRY(cdi_pattern_end(&b, &g->pattern));
    CD_TRY(cdi_linsol_new(g->ctx, NULL, g->pattern, NULL, &g->solver));
    // (1 - am)/(1 - af) M + h^2 beta K, for increments of a
    const double cm = (1 - g->am) / (1 - g->af), ck = g->h * g->h * g->beta * CHAIN_STIFFNESS;
    const int *map = cdi_linsol_map(g->solver);
    double *s = cdi_linsol_begin(g->solver);
    for (int i = 0; i < g->n; i++) {
        s[map[cdi_pattern_slot(g->pattern, i, i)]] += cm + 2 * ck;
        if (i > 0) s[map[cdi_pattern_slot(g->pattern, i, i - 1)]] -= ck;
        if (i > 0) s[map[cdi_pattern_slot(g->pattern, i - 1, i)]] -= ck;
    }
    return cdi_linsol_factor(g->solver);
}

CdStatus hand_gen_alpha_new(CdContext *ctx, int n, double h, double rho, HandGenAlpha **out) {
    HandGenAlpha *g = *out = cdi_alloc(ctx, sizeof *g);
    if (!g) return CD_NOMEM;
    *g = (HandGenAlpha){.ctx = ctx, .n = n, .h = h};
    g->am = (2 * rho - 1) / (rho + 1);
    g->af = rho / (rho + 1);
    g->gamma = 0.5 + g->af - g->am;
    g->beta = (g->gamma + 0.5) * (g->gamma + 0.5) / 4;
    g->a = cdi_alloc_array(ctx, (size_t)(4 * n), sizeof(double));
    if (!g->a) return CD_NOMEM;
    g->acc = g->a + n;
    g->r = g->acc + n;
    g->f = g->r + n;
    return factor(g);
}

CdStatus hand_gen_alpha_run(HandGenAlpha *g, double *q, double *v, int steps) {
    const int n = g->n;
    const double h = g->h, h2 = h * h, am = g->am, af = g->af, gamma = g->gamma, beta = g->beta;
    double *restrict a = g->a, *restrict acc = g->acc, *restrict r = g->r, *restrict f = g->f;
    chain_force(n, q, acc);
    memcpy(a, acc, (size_t)n * sizeof *a);
    for (int k = 0; k < steps; k++) {
        // predict with v' unchanged
        for (int i = 0; i < n; i++) {
            const double a1 = (acc[i] - am * a[i]) / (1 - am);
            q[i] += h * v[i] + h2 * ((0.5 - beta) * a[i] + beta * a1);
            v[i] += h * ((1 - gamma) * a[i] + gamma * a1);
            a[i] = a1;
        }
        chain_force(n, q, f);
        for (int i = 0; i < n; i++) r[i] = f[i] - acc[i];
        CD_TRY(cdi_linsol_solve(g->solver, 1, r, n, false));
        for (int i = 0; i < n; i++) {
            a[i] += r[i];
            acc[i] += (1 - am) / (1 - af) * r[i];
            v[i] += h * gamma * r[i];
            q[i] += h2 * beta * r[i];
        }
    }
    return CD_OK;
}

void hand_gen_alpha_free(HandGenAlpha *g) {
    if (!g) return;
    cdi_linsol_free(g->solver);
    cdi_pattern_free(g->pattern);
    cdi_free(g->ctx, g->a);
    cdi_free(g->ctx, g);
}
