// test_operator.c - the matrix of integrators is the derivative of r and of the constraints
#include "problem/models.h"

// after the headers, which have members of this name
#include <complex.h>

#define N_MAX 8 // order of the small problems

typedef struct Models {
    Pendulum pendulum;
    Top top, held, guided;
    Chain chain;
} Models;

#define NMODELS 8
static void models(Models *m, CdProblem user[NMODELS]) {
    m->pendulum = (Pendulum)PENDULUM;
    user[0] = pendulum_problem(&m->pendulum);
    user[1] = top_problem(&m->top, false);
    user[2] = top_problem(&m->held, true);
    user[3] = sleigh_problem();
    user[4] = mixed_problem();
    user[5] = chain_problem(&m->chain, 5);
    user[6] = track_problem();
    user[7] = guided_problem(&m->guided);
}

// ---- real: against differences of r and c along the solution

// turn: increments that led to `at`, which d adds to; NULL: q moves from there
static void move(CdiProblem *p, const CdPoint *at, const CdOperator *op, const double *turn,
                 const double *d, double h, CdPoint *to) {
    double delta[N_MAX], from[N_MAX], back[N_MAX];
    cdi_point_copy(p, to, at);
    for (int i = 0; i < p->nv; i++) {
        delta[i] = h * op->ck[0] * d[i];
        to->v[i] += h * op->cc[0] * d[i];
        to->vdot[i] += h * op->cm[0] * d[i];
    }
    if (turn) {
        for (int i = 0; i < p->nv; i++) {
            back[i] = -turn[i];
            delta[i] += turn[i];
        }
        cdi_retract(p, at->q, back, from);
        cdi_retract(p, from, delta, to->q);
    } else if (p->nv > 0) {
        cdi_retract(p, at->q, delta, to->q);
    }
    for (int i = 0; i < p->ny; i++) {
        to->y[i] += h * op->cc[0] * d[p->nv + i];
        to->ydot[i] += h * op->cm[0] * d[p->nv + i];
    }
    for (int i = 0; i < p->nx; i++) to->x[i] += h * op->cc[0] * d[p->nv + p->ny + i];
    for (int i = 0; i < p->nc; i++) to->lambda[i] += h * d[p->nd + i];
}

static void derivative(CdiProblem *p, const CdPoint *at, const CdOperator *op, const double *turn,
                       const double *d, CdPoint *to, double *out) {
    const double h = 1e-5, levels[3] = {op->ck[0], op->cc[0], op->cm[0]};
    double side[2][N_MAX];
    for (int k = 0; k < 2; k++) {
        move(p, at, op, turn, d, k ? h : -h, to);
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

// along increments of some length where there are rotations
static void check_derivative(bool turns) {
    TestLog log;
    test_log_open(&log);
    Models m;
    CdProblem user[NMODELS];
    models(&m, user);
    TestRandom random = {11};
    for (int k = 0; k < NMODELS; k++) {
        if (turns && user[k].nrotations == 0) continue;
        CdPoint at, to;
        CdiProblem *p = problem_open(log.ctx, &user[k], &at);
        CHECK_OK(cdi_point_take(p, &p->arena, &to));
        CdiLin *lin;
        CHECK_OK(cdi_lin_new(p, false, &lin));
        for (int level = CD_POSITION; level <= CD_ACCELERATION; level++) {
            double b[N_MAX], x[N_MAX], back[N_MAX], turn[N_MAX];
            point_random(p, &random, &at);
            fill(&random, p->nv, turn);
            const CdOperator op = {.ci = {0.3},
                                   .cm = {1.1},
                                   .cc = {0.7},
                                   .ck = {0.4},
                                   .ce = {0.2},
                                   .level = (CdConstraintLevel)level,
                                   .at = &at};
            fill(&random, p->n, b);
            memcpy(x, b, sizeof b);
            const CdiKnown known = {.turn = turns ? turn : NULL};
            CHECK_OK(cdi_lin_setup_with(lin, &op, &known));
            CHECK_OK(cdi_lin_solve(lin, x, 1, false));
            derivative(p, &at, &op, known.turn, x, &to, back);
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

TEST(the_operator_is_the_derivative) {
    check_derivative(false);
}

TEST(the_operator_is_the_derivative_along_long_rotations) {
    check_derivative(true);
}

TEST(what_was_turned_can_be_had_straight) {
    TestLog log;
    test_log_open(&log);
    Top top;
    const CdProblem user = guided_problem(&top);
    TestRandom random = {3};
    for (int level = CD_POSITION; level <= CD_ACCELERATION; level++) {
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &user, &at);
        CdiLin *plain, *turned, *straight;
        double turn[N_MAX], b[2][N_MAX];
        CHECK_OK(cdi_lin_new(p, false, &plain));
        CHECK_OK(cdi_lin_new(p, false, &turned));
        point_random(p, &random, &at);
        fill(&random, p->nv, turn);
        fill(&random, p->n, b[0]);
        memcpy(b[1], b[0], sizeof b[0]);
        const CdOperator op = {.cm = {1.1},
                               .cc = {0.7},
                               .ck = {0.4},
                               .ce = {0.2},
                               .level = (CdConstraintLevel)level,
                               .at = &at};
        CHECK_OK(cdi_lin_setup(plain, &op));
        CHECK_OK(cdi_lin_straight(plain, &straight));
        CHECK(!straight);
        CHECK_OK(cdi_lin_setup_with(turned, &op, &(CdiKnown){.turn = turn}));
        const CdStatistics before = p->counts;
        CHECK_OK(cdi_lin_straight(turned, &straight));
        CHECK(memcmp(&before, &p->counts, sizeof before) == 0);
        CHECK_OK(cdi_lin_solve(plain, b[0], 1, false));
        CHECK_OK(cdi_lin_solve(straight, b[1], 1, false));
        for (int i = 0; i < p->n; i++) CHECK_NEAR(b[1][i], b[0][i], 1e-12);
        cdi_lin_free(plain);
        cdi_lin_free(turned);
        cdi_lin_free(straight);
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
    return c[0] + c[1] * I;
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
                double complex sum = -z(b[s] + 2 * (size_t)i);
                for (int j = 0; j < p->n; j++) {
                    const double *xj = x + 2 * (s * p->n + j);
                    sum += (transposed ? a.a[j][i] : a.a[i][j]) * z(xj);
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

TEST(jacobians_that_are_known_need_not_be_taken) {
    TestLog log;
    test_log_open(&log);
    Models m;
    CdProblem user[NMODELS];
    models(&m, user);
    TestRandom random = {7};
    for (int k = 0; k < NMODELS; k++) {
        CdPoint at, other;
        CdiProblem *p = problem_open(log.ctx, &user[k], &at);
        CdiLin *taken, *given;
        double Ja[16] = {0}, b[3][N_MAX];
        CHECK_OK(cdi_point_take(p, &p->arena, &other));
        CHECK_OK(cdi_lin_new(p, false, &taken));
        CHECK_OK(cdi_lin_new(p, false, &given));
        point_random(p, &random, &at);
        point_random(p, &random, &other);
        const CdOperator op = {.ci = {1},
                               .cm = {0.5},
                               .cc = {0.7},
                               .ck = {0.2},
                               .ce = {0.1},
                               .level = CD_VELOCITY,
                               .at = &at,
                               .t_a = other.t,
                               .q_a = other.q};
        CdPoint a = at;
        a.t = other.t;
        a.q = other.q;
        CHECK_OK(cdi_jacobian(p, &a, Ja));
        CHECK_OK(cdi_lin_setup(taken, &op));
        CHECK_OK(cdi_lin_setup_with(given, &op, &(CdiKnown){.J_a = Ja, .b = taken}));
        fill(&random, p->n, b[0]);
        memcpy(b[1], b[0], sizeof b[0]);
        memcpy(b[2], b[0], sizeof b[0]);
        CHECK_OK(cdi_lin_solve(taken, b[2], 1, false));
        CHECK_OK(cdi_lin_solve(given, b[1], 1, false));
        for (int i = 0; i < p->n; i++) CHECK_BITS(b[1][i], b[2][i]);
        // slopes are added: J + 0.3 Cq
        const CdiKnown sloped = {.J_a = Ja, .b = taken, .slopes = 0.3};
        CHECK_OK(cdi_lin_setup_with(given, &op, &sloped));
        double x[N_MAX], sum[2][N_MAX] = {{0}};
        fill(&random, p->nv, x);
        cdi_lin_mul_add(given, CD_OF_J, 1, x, sum[0]);
        cdi_lin_mul_add(taken, CD_OF_J, 1, x, sum[1]);
        cdi_lin_mul_add(taken, CD_OF_CQ, 0.3, x, sum[1]);
        for (int i = 0; i < p->nc; i++) CHECK_NEAR(sum[0][i], sum[1][i], 1e-14);
        // and the first ones are believed
        for (int i = 0; i < 16; i++) Ja[i] = 2 * Ja[i];
        CHECK_OK(cdi_lin_setup_with(given, &op, &(CdiKnown){.J_a = Ja, .b = taken}));
        memcpy(b[1], b[0], sizeof b[0]);
        CHECK_OK(cdi_lin_solve(given, b[1], 1, false));
        CHECK((p->nc > 0) == (memcmp(b[1], b[2], (size_t)p->n * sizeof(double)) != 0));
        cdi_lin_free(taken);
        cdi_lin_free(given);
        cdi_problem_free(p);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- what is evaluated when

TEST(only_what_counts_is_evaluated_and_kept) {
    TestLog log;
    test_log_open(&log);
    Chain chain;
    const CdProblem user = chain_problem(&chain, 5);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CdiLin *lin;
    CHECK_OK(cdi_lin_new(p, false, &lin));
    CdOperator op = {.cm = {1}, .at = &at};
    CHECK_OK(cdi_lin_setup(lin, &op));
    CHECK_INT(p->counts.difference_evaluations, 0);
    op.cc[0] = 1;
    CHECK_OK(cdi_lin_setup(lin, &op));
    CHECK_INT(p->counts.difference_evaluations, 1 + 3);
    CHECK_INT(p->counts.jacobians, 2);
    // kept, but K is missing
    op.keep = true;
    op.cc[0] = 2;
    op.ck[0] = 3;
    CHECK_OK(cdi_lin_setup(lin, &op));
    CHECK_INT(p->counts.difference_evaluations, 2 * (1 + 3));
    CHECK_INT(p->counts.jacobians, 2);
    op.ck[0] = 4;
    CHECK_OK(cdi_lin_setup(lin, &op));
    CHECK_INT(p->counts.difference_evaluations, 2 * (1 + 3));
    CHECK_INT(p->counts.factors, 4);
    // A x of the parts; K of springs of 100 at rest is 100 (2, -1)
    double x[5] = {1}, y[5] = {0};
    cdi_lin_mul_add(lin, CD_OF_M, 2, x, y);
    cdi_lin_mul_add(lin, CD_OF_C, 1, x, y);
    cdi_lin_mul_add(lin, CD_OF_K, -1, x, y);
    CHECK_NEAR(y[0], 2 + 2 * 0.5 - 200, 1e-4);
    CHECK_NEAR(y[1], -0.5 + 100, 1e-4);
    CHECK_BITS(y[2], 0);
    cdi_lin_free(lin);
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(kept_derivatives_follow_the_level) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = track_problem();
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CdiLin *kept, *fresh;
    CHECK_OK(cdi_lin_new(p, false, &kept));
    CHECK_OK(cdi_lin_new(p, false, &fresh));
    TestRandom random = {21};
    point_random(p, &random, &at);
    for (int level = CD_POSITION; level <= CD_ACCELERATION; level++) {
        double a[5] = {1, 2, 3, 4, 5}, b[5] = {1, 2, 3, 4, 5};
        CdOperator op = {
            .cm = {3}, .cc = {2}, .ck = {1}, .level = (CdConstraintLevel)level, .at = &at};
        CHECK_OK(cdi_lin_setup(fresh, &op));
        op.keep = level > CD_POSITION;
        CHECK_OK(cdi_lin_setup(kept, &op));
        CHECK_OK(cdi_lin_solve(fresh, a, 1, false));
        CHECK_OK(cdi_lin_solve(kept, b, 1, false));
        CHECK(memcmp(a, b, sizeof a) == 0);
    }
    cdi_lin_free(kept);
    cdi_lin_free(fresh);
    cdi_problem_free(p);
    test_log_close(&log);
}

static CdStatus counted_mass(void *data, const CdPoint *at, double *M) {
    double *mass = data;
    (void)at;
    mass[1] += 1;
    M[0] = mass[0];
    return CD_OK;
}

static CdStatus no_force(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    f[0] = 1;
    return CD_OK;
}

TEST(a_constant_mass_is_taken_once_until_something_changes) {
    TestLog log;
    test_log_open(&log);
    double mass[2] = {4, 0};
    const CdProblem user = {
        .data = mass, .nv = 1, .mass = counted_mass, .mass_constant = true, .force = no_force};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CdiLin *lin;
    CHECK_OK(cdi_lin_new(p, false, &lin));
    const CdOperator op = {.cm = {1}, .at = &at};
    for (int k = 0; k < 3; k++) {
        double b = 8, r;
        CHECK_OK(cdi_lin_setup(lin, &op));
        CHECK_OK(cdi_lin_solve(lin, &b, 1, false));
        CHECK_BITS(b, 2);
        CHECK_OK(cdi_accelerations(p, &at));
        CHECK_BITS(at.vdot[0], 0.25);
        CHECK_OK(cdi_residual(p, &at, &r));
        CHECK_BITS(r, 0);
    }
    CHECK_BITS(mass[1], 1);
    CHECK_INT(p->counts.factors, 3 + 1);
    mass[0] = 2;
    cdi_problem_changed(p);
    double b = 8;
    CHECK_OK(cdi_lin_setup(lin, &op));
    CHECK_OK(cdi_lin_solve(lin, &b, 1, false));
    CHECK_BITS(b, 4);
    CHECK_OK(cdi_accelerations(p, &at));
    CHECK_BITS(at.vdot[0], 0.5);
    CHECK_BITS(mass[1], 2);
    cdi_lin_free(lin);
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(the_identity_alone_serves_every_row) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = mixed_problem();
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CdiLin *lin;
    CHECK_OK(cdi_lin_new(p, false, &lin));
    CHECK_OK(cdi_lin_setup(lin, &(CdOperator){.ci = {2}, .at = &at}));
    double b[4] = {2, 4, 6, 8};
    CHECK_OK(cdi_lin_solve(lin, b, 1, false));
    for (int i = 0; i < 4; i++) CHECK_BITS(b[i], i + 1);
    cdi_lin_free(lin);
    cdi_problem_free(p);
    test_log_close(&log);
}

// ---- what was wrong

// three constraints on three coordinates of which the third is twice the first
static CdStatus twice_g(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = at->q[0] + 0.3 * at->q[1];
    g[1] = at->q[1] - at->q[2];
    g[2] = *(const double *)data * g[0] + 0.1 * g[1];
    return CD_OK;
}

static CdStatus twice_j(void *data, const CdPoint *at, double *J) {
    const double f = *(const double *)data,
                 dense[9] = {1, 0, f, 0.3, 1, 0.3 * f + 0.1, 0, -1, -0.1};
    (void)at;
    memcpy(J, dense, sizeof dense);
    return CD_OK;
}

static CdStatus rest(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    memset(f, 0, 3 * sizeof *f);
    return CD_OK;
}

static void check_explained(CdiProblem *p, const CdOperator *op, CdStatus status, const char *why) {
    CdiLin *lin;
    CdText text;
    cdi_text_init(&text, p->ctx);
    CHECK_OK(cdi_lin_new(p, false, &lin));
    CHECK_INT(cdi_lin_setup(lin, op), status);
    cdi_lin_explain(lin, &text);
    CHECK_TEXT(text.v, why);
    cdi_text_free(&text);
    cdi_lin_free(lin);
}

TEST(dependent_constraints_are_named) {
    TestLog log;
    test_log_open(&log);
    double factor = 2;
    const CdProblem user = {.data = &factor,
                            .nv = 3,
                            .ng = 3,
                            .force = rest,
                            .constraint = twice_g,
                            .constraint_jacobian = twice_j};
    for (const CdLinsolClass *const *cls = cd_linsol_classes; *cls; cls++) {
        CdiProblem *p;
        CdPoint at;
        CHECK_OK(cdi_problem_new(log.ctx, &user, &(CdProblemSetup){.linsol = *cls}, &p));
        CHECK_OK(cdi_point_take(p, &p->arena, &at));
        const CdOperator op = {.cm = {3}, .at = &at};
        check_explained(p, &op, CD_SINGULAR,
                        "constraint 0 of g depends on the other constraints or does not restrict "
                        "anything");
        // a penalty makes it regular
        const CdOperator soft = {.cm = {3}, .ce = {1e-3}, .at = &at};
        CdiLin *lin;
        CHECK_OK(cdi_lin_new(p, false, &lin));
        CHECK_OK(cdi_lin_setup(lin, &soft));
        cdi_lin_free(lin);
        CHECK_INT(cdi_accelerations(p, &at), CD_SINGULAR);
        CHECK_INT(cdi_consistent(p, &at, 1e-3), CD_SINGULAR);
        cdi_problem_free(p);
        CHECK_TEXT(log.text,
                   "problem 'problem': accelerations and rates cannot be found at the start (t = "
                   "0): constraint 0 of g depends on the other constraints or does not restrict "
                   "anything\n");
        test_log_clear(&log);
    }
    test_log_close(&log);
}

static CdStatus zero_mass(void *data, const CdPoint *at, double *M) {
    (void)at;
    for (int k = 0; k < 9; k++) M[k] = k % 4 ? 0 : 1;
    M[4] = *(const double *)data;
    return CD_OK;
}

TEST(a_singular_or_broken_mass_matrix_is_named) {
    TestLog log;
    test_log_open(&log);
    double mass = 0;
    const CdProblem user = {.data = &mass, .nv = 3, .force = rest, .mass = zero_mass};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    const CdOperator op = {.cm = {1}, .at = &at};
    check_explained(p, &op, CD_SINGULAR, "the equation of v[1] is empty");
    mass = NAN;
    check_explained(p, &op, CD_NONFINITE, "derivatives with respect to v[1] are not finite");
    mass = 1e-8; // light is not singular
    CdiLin *lin;
    CHECK_OK(cdi_lin_new(p, false, &lin));
    CHECK_OK(cdi_lin_setup(lin, &op));
    cdi_lin_free(lin);
    cdi_problem_free(p);
    test_log_close(&log);
}

// ---- own linear algebra: one mass, cM 2 + cK 50

typedef struct Own {
    int alive, setups;
    double stiffness, q_a;
} Own;

static CdStatus own_new(void *data, bool is_complex, void **lin) {
    Own *own = data;
    CHECK(!is_complex);
    own->alive++;
    *lin = own;
    return CD_OK;
}

static CdStatus own_setup(void *data, void *lin, const CdOperator *op) {
    Own *own = lin;
    CHECK(data == lin);
    own->setups++;
    own->stiffness = 2 * op->cm[0] + 50 * op->ck[0];
    own->q_a = op->q_a ? op->q_a[0] : 0;
    return own->stiffness != 0 ? CD_OK : CD_SINGULAR;
}

static CdStatus own_solve(void *data, void *lin, double *b, int nrhs, bool transposed) {
    (void)data, (void)transposed;
    for (int k = 0; k < nrhs; k++) b[k] /= ((Own *)lin)->stiffness;
    return CD_OK;
}

static void own_free(void *data, void *lin) {
    (void)lin;
    ((Own *)data)->alive--;
}

static CdStatus own_mass(void *data, const CdPoint *at, double *M) {
    (void)data, (void)at;
    M[0] = 2;
    return CD_OK;
}

static CdStatus own_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = -50 * at->q[0];
    return CD_OK;
}

static CdProblem own_problem(Own *own) {
    return (CdProblem){.data = own,
                       .nv = 1,
                       .force = own_force,
                       .mass = own_mass,
                       .lin_new = own_new,
                       .lin_setup = own_setup,
                       .lin_solve = own_solve,
                       .lin_free = own_free};
}

TEST(own_linear_algebra_is_used) {
    TestLog log;
    test_log_open(&log);
    Own own = {0};
    const CdProblem user = own_problem(&own);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CdiLin *lin;
    CHECK_OK(cdi_lin_new(p, false, &lin));
    CHECK_INT(own.alive, 1);
    CdOperator op = {.cm = {1}, .ck = {0.5}, .at = &at};
    CHECK_OK(cdi_lin_setup(lin, &op));
    op.keep = true;
    op.ck[0] = 1;
    CHECK_OK(cdi_lin_setup(lin, &op));
    double b[2] = {104, 52}, y = 0;
    CHECK_OK(cdi_lin_solve(lin, b, 2, false));
    CHECK_BITS(b[0], 2);
    CHECK_BITS(b[1], 1);
    CHECK_INT(p->counts.solves, 2);
    CHECK_INT(p->counts.jacobians, 1);
    CHECK_INT(p->counts.factors, 2);
    cdi_lin_mul_add(lin, CD_OF_K, 2, &(double){3}, &y);
    CHECK_NEAR(y, 300, 1e-5);
    char *bytes = cdi_alloc(log.ctx, cdi_lin_save_size(lin));
    cdi_lin_save(lin, bytes);
    own.stiffness = 0;
    own.setups = 0;
    CHECK_OK(cdi_lin_load(lin, bytes));
    CHECK_INT(own.setups, 2);
    CHECK_BITS(own.stiffness, 52);
    cdi_free(log.ctx, bytes);
    op.cm[0] = op.ck[0] = 0;
    CHECK_INT(cdi_lin_setup(lin, &op), CD_SINGULAR);
    cdi_lin_free(lin);
    cdi_problem_free(p);
    CHECK_INT(own.alive, 0);
    test_log_close(&log);
}

// gaps of the operator and where its numbers lie do not matter
TEST(saved_own_linear_algebra_is_the_same_bytes) {
    TestLog log;
    test_log_open(&log);
    Own own = {0};
    const CdProblem user = own_problem(&own);
    CdPoint at[2];
    CdiProblem *p = problem_open(log.ctx, &user, &at[0]);
    CHECK_OK(cdi_point_take(p, &p->arena, &at[1]));
    CdiLin *lin[2];
    char *bytes[2];
    const double q_a[2] = {3, 3};
    for (int k = 0; k < 2; k++) {
        CdOperator op;
        memset(&op, k ? 0x55 : 0xaa, sizeof op);
        op.is_complex = op.keep = false;
        for (int i = 0; i < 2; i++) op.ci[i] = op.cm[i] = op.cc[i] = op.ck[i] = op.ce[i] = 1;
        op.level = CD_POSITION;
        op.at = &at[k];
        op.t_a = 2;
        op.q_a = &q_a[k];
        CHECK_OK(cdi_lin_new(p, false, &lin[k]));
        CHECK_OK(cdi_lin_setup(lin[k], &op));
        bytes[k] = cdi_alloc(log.ctx, cdi_lin_save_size(lin[k]));
        cdi_lin_save(lin[k], bytes[k]);
    }
    CHECK(memcmp(bytes[0], bytes[1], cdi_lin_save_size(lin[0])) == 0);
    own.q_a = 0;
    CHECK_OK(cdi_lin_load(lin[0], bytes[1]));
    CHECK_BITS(own.q_a, 3);
    for (int k = 0; k < 2; k++) {
        cdi_lin_free(lin[k]);
        cdi_free(log.ctx, bytes[k]);
    }
    cdi_problem_free(p);
    test_log_close(&log);
}

static CdStatus make(CdContext *ctx, void *user) {
    CdiProblem *p;
    CdiLin *lin;
    CD_TRY(cdi_problem_new(ctx, user, NULL, &p));
    CdStatus status = cdi_lin_new(p, true, &lin);
    if (status == CD_OK) cdi_lin_free(lin);
    cdi_problem_free(p);
    return status;
}

TEST(every_allocation_may_fail) {
    Models m;
    CdProblem user[NMODELS];
    models(&m, user);
    for (int k = 0; k < NMODELS; k++) CHECK_OOM(make, &user[k]);
    // singular beside its rows of zeros
    const double B[4] = {1, 2, 2, 4};
    CdProblem leading = mixed_problem();
    leading.leading = B;
    CHECK_OOM(make, &leading);
}

int main(void) {
    RUN(the_operator_is_the_derivative);
    RUN(the_operator_is_the_derivative_along_long_rotations);
    RUN(what_was_turned_can_be_had_straight);
    RUN(complex_coefficients_and_two_configurations);
    RUN(jacobians_that_are_known_need_not_be_taken);
    RUN(only_what_counts_is_evaluated_and_kept);
    RUN(kept_derivatives_follow_the_level);
    RUN(a_constant_mass_is_taken_once_until_something_changes);
    RUN(the_identity_alone_serves_every_row);
    RUN(dependent_constraints_are_named);
    RUN(a_singular_or_broken_mass_matrix_is_named);
    RUN(own_linear_algebra_is_used);
    RUN(saved_own_linear_algebra_is_the_same_bytes);
    RUN(every_allocation_may_fail);
    return test_end();
}
