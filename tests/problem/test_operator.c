// test_operator.c - the matrix of integrators is the derivative of r and of the constraints
#include "problem/models.h"

// after the headers, which have members of this name
#include <complex.h>

#define PENDULUM \
    { .mass = 2, .length = 1.5, .gravity = 9.81, .damping = 0.3, .a = 0.4, .w = 2 }
#define N_MAX 8 // order of the small problems

typedef struct Models {
    Pendulum pendulum;
    Top top, held;
    Chain chain;
} Models;

#define NMODELS 6
static void models(Models *m, CdProblem user[NMODELS]) {
    m->pendulum = (Pendulum)PENDULUM;
    user[0] = pendulum_problem(&m->pendulum);
    user[1] = top_problem(&m->top, false);
    user[2] = top_problem(&m->held, true);
    user[3] = sleigh_problem();
    user[4] = mixed_problem();
    user[5] = chain_problem(&m->chain, 5);
}

// ---- real: against differences of r and c along the solution

static void move(CdiProblem *p, const CdPoint *at, const CdOperator *op, const double *d, double h,
                 CdPoint *to) {
    double delta[N_MAX];
    cdi_point_copy(p, to, at);
    for (int i = 0; i < p->nv; i++) {
        delta[i] = h * op->ck[0] * d[i];
        to->v[i] += h * op->cc[0] * d[i];
        to->vdot[i] += h * op->cm[0] * d[i];
    }
    if (p->nv > 0) cdi_retract(p, at->q, delta, to->q);
    for (int i = 0; i < p->ny; i++) {
        to->y[i] += h * op->cc[0] * d[p->nv + i];
        to->ydot[i] += h * op->cm[0] * d[p->nv + i];
    }
    for (int i = 0; i < p->nx; i++) to->x[i] += h * op->cc[0] * d[p->nv + p->ny + i];
    for (int i = 0; i < p->nc; i++) to->lambda[i] += h * d[p->nd + i];
}

static void derivative(CdiProblem *p, const CdPoint *at, const CdOperator *op, const double *d,
                       CdPoint *to, double *out) {
    const double h = 1e-5, levels[3] = {op->ck[0], op->cc[0], op->cm[0]};
    double side[2][N_MAX];
    for (int k = 0; k < 2; k++) {
        move(p, at, op, d, k ? h : -h, to);
        CHECK_OK(cdi_residual(p, to, side[k]));
        CHECK_OK(cdi_level_residual(p, to, op->level, side[k] + p->nd));
    }
    for (int i = 0; i < p->n; i++) {
        int level = (int)op->level;
        if (i >= p->nd + p->ng && level < CD_VELOCITY) level = CD_VELOCITY;
        out[i] = (side[1][i] - side[0][i]) / (2 * h) / (i < p->nd ? 1 : levels[level]);
        if (i < p->nv) out[i] += op->ci[0] * d[i];
        if (i >= p->nd) out[i] -= op->ce[0] * d[i];
    }
}

TEST(the_operator_is_the_derivative) {
    TestLog log;
    test_log_open(&log);
    Models m;
    CdProblem user[NMODELS];
    models(&m, user);
    TestRandom random = {11};
    for (int k = 0; k < NMODELS; k++) {
        CdPoint at, to;
        CdiProblem *p = problem_open(log.ctx, &user[k], &at);
        CHECK_OK(cdi_point_take(p, &p->arena, &to));
        CdiLin *lin;
        CHECK_OK(cdi_lin_new(p, false, &lin));
        for (int level = CD_POSITION; level <= CD_ACCELERATION; level++) {
            point_random(p, &random, &at);
            const CdOperator op = {.ci = {0.3},
                                   .cm = {1.1},
                                   .cc = {0.7},
                                   .ck = {0.4},
                                   .ce = {0.2},
                                   .level = (CdConstraintLevel)level,
                                   .at = &at};
            double b[N_MAX], x[N_MAX], back[N_MAX];
            fill(&random, p->n, b);
            memcpy(x, b, sizeof b);
            CHECK_OK(cdi_lin_setup(lin, &op));
            CHECK_OK(cdi_lin_solve(lin, x, 1, false));
            derivative(p, &at, &op, x, &to, back);
            double size = 1;
            for (int i = 0; i < p->n; i++) size = fmax(size, fabs(x[i]));
            for (int i = 0; i < p->n; i++) CHECK_NEAR(back[i], b[i], 2e-5 * size);
        }
        CHECK_INT(p->counts.jacobians, 3);
        CHECK_INT(p->counts.factors, 3);
        CHECK_INT(p->counts.solves, 3);
        cdi_lin_free(lin);
        cdi_problem_free(p);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- complex: against the formula in numbers

typedef struct Dense {
    double complex a[N_MAX][N_MAX];
} Dense;

static double complex z(const double c[2]) {
    return CMPLX(c[0], c[1]);
}

static void add(const CdPattern *a, const double *v, int row, double complex c, bool transposed,
                Dense *to) {
    for (int j = 0; j < a->cols; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            const int i = row + a->row[k];
            if (transposed) {
                to->a[j][i] += c * v[k];
            } else {
                to->a[i][j] += c * v[k];
            }
        }
    }
}

static void by_formula(CdiProblem *p, const CdOperator *op, Dense *to) {
    double M[64], C[64], K[64], J[16], Ja[16], Cv[16], Cq[16];
    *to = (Dense){0};
    CHECK_OK(cdi_derivatives(p, op->at, M, C, K));
    CHECK_OK(cdi_jacobian(p, op->at, J));
    CHECK_OK(cdi_level_derivatives(p, op->at, op->level, Cv, Cq));
    CdPoint a = *op->at;
    a.t = op->t_a;
    if (op->q_a) a.q = (double *)op->q_a;
    CHECK_OK(cdi_jacobian(p, &a, Ja));
    add(p->pattern, M, 0, z(op->cm), false, to);
    add(p->pattern, C, 0, z(op->cc), false, to);
    add(p->pattern, K, 0, z(op->ck), false, to);
    add(p->jpattern, Ja, p->nd, 1, true, to);
    add(p->jpattern, J, p->nd, 1, false, to);
    const double complex by = op->level == CD_ACCELERATION ? z(op->cm) : z(op->cc);
    if (op->level == CD_ACCELERATION) add(p->jpattern, Cv, p->nd, z(op->cc) / by, false, to);
    add(p->jpattern, Cq, p->nd, z(op->ck) / by, false, to);
    for (int i = 0; i < p->nv; i++) to->a[i][i] += z(op->ci);
    for (int i = p->nd; i < p->n; i++) to->a[i][i] -= z(op->ce);
}

static void check_complex(CdiProblem *p, CdiLin *lin, const CdOperator *op, TestRandom *random) {
    double b[2][2 * N_MAX], x[2 * 2 * N_MAX];
    Dense a;
    by_formula(p, op, &a);
    CHECK_OK(cdi_lin_setup(lin, op));
    for (int transposed = 0; transposed < 2; transposed++) {
        for (int s = 0; s < 2; s++) {
            fill(random, 2 * p->n, b[s]);
            memcpy(x + 2 * (size_t)(s * p->n), b[s], 2 * sizeof(double) * (size_t)p->n);
        }
        CHECK_OK(cdi_lin_solve(lin, x, 2, transposed));
        for (int s = 0; s < 2; s++) {
            for (int i = 0; i < p->n; i++) {
                double complex sum = -CMPLX(b[s][2 * i], b[s][2 * i + 1]);
                for (int j = 0; j < p->n; j++) {
                    const double *xj = x + 2 * (s * p->n + j);
                    sum += (transposed ? a.a[j][i] : a.a[i][j]) * CMPLX(xj[0], xj[1]);
                }
                CHECK_NEAR(cabs(sum), 0, 1e-12);
            }
        }
    }
}

TEST(complex_coefficients_and_two_configurations) {
    TestLog log;
    test_log_open(&log);
    Models m;
    CdProblem user[NMODELS];
    models(&m, user);
    TestRandom random = {5};
    for (int k = 0; k < NMODELS; k++) {
        CdPoint at, other;
        CdiProblem *p = problem_open(log.ctx, &user[k], &at);
        CHECK_OK(cdi_point_take(p, &p->arena, &other));
        CdiLin *lin;
        CHECK_OK(cdi_lin_new(p, true, &lin));
        for (int level = CD_POSITION; level <= CD_ACCELERATION; level++) {
            point_random(p, &random, &at);
            point_random(p, &random, &other);
            const CdOperator op = {.is_complex = true,
                                   .ci = {0.3, -0.1},
                                   .cm = {1.1, 2},
                                   .cc = {0.7, -0.5},
                                   .ck = {0.4, 0.3},
                                   .ce = {0.2, 0.6},
                                   .level = (CdConstraintLevel)level,
                                   .at = &at,
                                   .t_a = other.t,
                                   .q_a = other.q};
            check_complex(p, lin, &op, &random);
        }
        cdi_lin_free(lin);
        cdi_problem_free(p);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

int main(void) {
    RUN(the_operator_is_the_derivative);
    RUN(complex_coefficients_and_two_configurations);
    return test_end();
}
