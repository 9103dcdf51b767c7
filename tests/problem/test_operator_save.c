// test_operator_save.c - operators that are saved, loaded and kept for long have the same bits
#include "problem/models.h"

#define ORDER 40

static CdOperator operator_at(const CdPoint *at, int number) {
    return (CdOperator){.is_complex = true,
                        .cm = {1 + number, 0.5},
                        .cc = {0.1 * (number + 1), 0.2},
                        .ck = {0.01, 0.03 * number},
                        .level = CD_VELOCITY,
                        .at = at};
}

// set-ups at three points; the last one after save and load, or without
static void run(CdContext *ctx, const CdProblem *user, const CdLinsolClass *cls, bool is_complex,
                bool through_load, double *b) {
    CdiProblem *p;
    CdiLin *lin, *other;
    CdPoint at[3];
    TestRandom random = {6};
    CHECK_OK(cdi_problem_new(ctx, user, &(CdProblemSetup){.linsol = cls}, &p));
    CHECK_OK(cdi_lin_new(p, is_complex, &lin));
    CHECK_OK(cdi_lin_new(p, is_complex, &other));
    for (int k = 0; k < 3; k++) {
        CHECK_OK(cdi_point_take(p, &p->arena, &at[k]));
        point_random(p, &random, &at[k]);
    }
    fill(&random, 2 * p->n, b);
    CdOperator op = operator_at(&at[0], 0);
    CHECK_OK(cdi_lin_setup(lin, &op));
    op = operator_at(&at[1], 1);
    CHECK_OK(cdi_lin_setup(lin, &op));
    if (through_load) {
        // a solver with a past of its own
        op = operator_at(&at[2], 5);
        CHECK_OK(cdi_lin_setup(other, &op));
        char *bytes = cdi_alloc(ctx, cdi_lin_save_size(lin));
        cdi_lin_save(lin, bytes);
        CHECK_OK(cdi_lin_load(other, bytes));
        cdi_free(ctx, bytes);
    }
    CdiLin *last = through_load ? other : lin;
    CHECK_OK(cdi_lin_solve(last, b, 1, false)); // as it was loaded
    op = operator_at(&at[2], 2);
    op.keep = true;
    CHECK_OK(cdi_lin_setup(last, &op));
    CHECK_OK(cdi_lin_solve(last, b, 1, false));
    op = operator_at(&at[2], 3);
    CHECK_OK(cdi_lin_setup(last, &op));
    CHECK_OK(cdi_lin_solve(last, b, 1, true));
    cdi_lin_free(lin);
    cdi_lin_free(other);
    cdi_problem_free(p);
}

TEST(a_loaded_operator_continues_bit_for_bit) {
    TestLog log;
    test_log_open(&log);
    Chain chain;
    Top top;
    Pendulum m = PENDULUM;
    const CdProblem users[] = {chain_problem(&chain, ORDER), top_problem(&top, true),
                               pendulum_problem(&m), mixed_problem()};
    for (const CdLinsolClass *const *cls = cd_linsol_classes; *cls; cls++) {
        for (size_t k = 0; k < sizeof users / sizeof *users; k++) {
            for (int is_complex = 0; is_complex < 2; is_complex++) {
                double straight[2 * ORDER], loaded[2 * ORDER];
                run(log.ctx, &users[k], *cls, is_complex, false, straight);
                run(log.ctx, &users[k], *cls, is_complex, true, loaded);
                const int n = users[k].nv + users[k].ny + users[k].nx + users[k].ng;
                CHECK(memcmp(straight, loaded, (size_t)n * sizeof *loaded) == 0);
            }
        }
    }
    test_log_close(&log);
}

// the same right-hand side over and over: from some solve on, an inverse answers
#define SMALL 10
#define OFTEN (3 * SMALL)

TEST(a_matrix_that_is_kept_long_is_inverted) {
    TestLog log;
    CdiProblem *p;
    CdiLin *lin, *other;
    Chain chain;
    CdPoint at;
    TestRandom random = {8};
    double b[SMALL], first[SMALL], x[SMALL], y[SMALL];
    int changes = 0;
    test_log_open(&log);
    const CdProblem user = chain_problem(&chain, SMALL);
    CHECK_OK(cdi_problem_new(log.ctx, &user, &(CdProblemSetup){0}, &p));
    CHECK_OK(cdi_lin_new(p, false, &lin));
    CHECK_OK(cdi_lin_new(p, false, &other));
    CHECK_OK(cdi_point_take(p, &p->arena, &at));
    point_random(p, &random, &at);
    fill(&random, SMALL, b);
    CdOperator op = {.cm = {1}, .cc = {0.1}, .ck = {0.01}, .at = &at};
    for (int again = 0; again < 2; again++) {
        op.cm[0] += again; // another matrix, another inverse
        CHECK_OK(cdi_lin_setup(lin, &op));
        for (int k = 0; k < OFTEN; k++) {
            memcpy(x, b, sizeof x);
            CHECK_OK(cdi_lin_solve(lin, x, 1, false));
            if (k == 0) memcpy(first, x, sizeof x);
            for (int i = 0; i < SMALL; i++) CHECK_NEAR(x[i], first[i], 1e-13);
            changes += k > 0 && memcmp(x, first, sizeof x) != 0;
            // saved before and after, it goes on alike
            char *bytes = cdi_alloc(log.ctx, cdi_lin_save_size(lin));
            cdi_lin_save(lin, bytes);
            CHECK_OK(cdi_lin_load(other, bytes));
            cdi_free(log.ctx, bytes);
            memcpy(x, b, sizeof x);
            memcpy(y, b, sizeof y);
            CHECK_OK(cdi_lin_solve(lin, x, 1, false));
            CHECK_OK(cdi_lin_solve(other, y, 1, false));
            CHECK(memcmp(x, y, sizeof x) == 0);
        }
    }
    CHECK(changes > 0); // the inverse rounds differently, so it was there
    cdi_lin_free(lin);
    cdi_lin_free(other);
    cdi_problem_free(p);
    test_log_close(&log);
}

// rows coupled to their neighbours, with a diagonal that is weak or strong
typedef struct Weak {
    Chain chain;
    double diagonal;
} Weak;

static CdStatus weak_rate(void *data, const CdPoint *at, double *phi) {
    (void)data, (void)at, (void)phi;
    return CD_BUG;
}

static CdStatus weak_derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    const Weak *w = data;
    (void)at, (void)M, (void)K;
    for (int j = 0; j < w->chain.n; j++) {
        for (int k = w->chain.ptr[j]; k < w->chain.ptr[j + 1]; k++) {
            const int i = w->chain.row[k];
            C[k] = i == j ? w->diagonal * (1 + 0.1 * sin(i)) : 1 + 0.3 * cos(3 * i + j);
        }
    }
    return CD_OK;
}

// pivots of the weak matrix serve the strong one, which would choose others
static void run_weak(CdContext *ctx, bool through_load, bool with_past, double *b) {
    Weak w = {.diagonal = 1e-7};
    chain_problem(&w.chain, ORDER);
    const CdProblem user = {.data = &w,
                            .ny = ORDER,
                            .rate = weak_rate,
                            .derivatives = weak_derivatives,
                            .sparsity = {.ptr = w.chain.ptr, .row = w.chain.row}};
    CdiProblem *p;
    CdiLin *lin, *other;
    CdPoint at;
    CHECK_OK(cdi_problem_new(ctx, &user, NULL, &p));
    CHECK_OK(cdi_point_take(p, &p->arena, &at));
    CHECK_OK(cdi_lin_new(p, false, &lin));
    CHECK_OK(cdi_lin_new(p, false, &other));
    const CdOperator op = {.cc = {1}, .at = &at};
    if (with_past) CHECK_OK(cdi_lin_setup(lin, &op));
    w.diagonal = 1.7;
    CHECK_OK(cdi_lin_setup(lin, &op));
    char *bytes = cdi_alloc(ctx, cdi_lin_save_size(lin));
    cdi_lin_save(lin, bytes);
    CHECK_OK(cdi_lin_setup(other, &op));
    CHECK_OK(cdi_lin_load(other, bytes));
    cdi_free(ctx, bytes);
    CdiLin *last = through_load ? other : lin;
    for (int i = 0; i < ORDER; i++) b[i] = 1.0 / (i + 1);
    CHECK_OK(cdi_lin_solve(last, b, 1, false));
    w.diagonal = 1.3;
    CHECK_OK(cdi_lin_setup(last, &op));
    CHECK_OK(cdi_lin_solve(last, b, 1, false));
    cdi_lin_free(lin);
    cdi_lin_free(other);
    cdi_problem_free(p);
}

TEST(pivots_of_the_past_are_loaded_too) {
    TestLog log;
    test_log_open(&log);
    double straight[ORDER], loaded[ORDER], fresh[ORDER];
    run_weak(log.ctx, false, true, straight);
    run_weak(log.ctx, true, true, loaded);
    run_weak(log.ctx, false, false, fresh);
    CHECK(memcmp(straight, loaded, sizeof loaded) == 0);
    // else the test would not see anything
    CHECK(memcmp(straight, fresh, sizeof fresh) != 0);
    test_log_close(&log);
}

TEST(an_operator_that_was_never_set_up_can_be_saved) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = sleigh_problem();
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CdiLin *lin;
    CHECK_OK(cdi_lin_new(p, false, &lin));
    char *bytes = cdi_alloc(log.ctx, cdi_lin_save_size(lin));
    cdi_lin_save(lin, bytes);
    CHECK_OK(cdi_lin_setup(lin, &(CdOperator){.cm = {1}, .at = &at}));
    CHECK_OK(cdi_lin_load(lin, bytes));
    CHECK_OK(cdi_lin_setup(lin, &(CdOperator){.cm = {1}, .at = &at}));
    cdi_free(log.ctx, bytes);
    cdi_lin_free(lin);
    cdi_problem_free(p);
    test_log_close(&log);
}

static CdStatus load_fails(CdContext *ctx, void *user) {
    CdiProblem *p;
    CdiLin *lin;
    CdPoint at;
    CD_TRY(cdi_problem_new(ctx, user, NULL, &p));
    CdStatus status = cdi_point_take(p, &p->arena, &at);
    if (status == CD_OK) status = cdi_lin_new(p, false, &lin);
    if (status == CD_OK) {
        const CdOperator op = {.cm = {1}, .at = &at};
        void *bytes = cdi_alloc(ctx, cdi_lin_save_size(lin));
        at.q[1] = 1;
        status = bytes ? cdi_lin_setup(lin, &op) : CD_NOMEM;
        if (status == CD_OK) cdi_lin_save(lin, bytes);
        if (status == CD_OK) status = cdi_lin_load(lin, bytes);
        cdi_free(ctx, bytes);
        cdi_lin_free(lin);
    }
    cdi_problem_free(p);
    return status;
}

TEST(loading_may_run_out_of_memory) {
    Pendulum m = PENDULUM;
    CdProblem user = pendulum_problem(&m);
    CHECK_OOM(load_fails, &user);
}

int main(void) {
    RUN(a_loaded_operator_continues_bit_for_bit);
    RUN(a_matrix_that_is_kept_long_is_inverted);
    RUN(pivots_of_the_past_are_loaded_too);
    RUN(an_operator_that_was_never_set_up_can_be_saved);
    RUN(loading_may_run_out_of_memory);
    return test_end();
}
