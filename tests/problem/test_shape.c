// test_shape.c - matrices of one problem share pattern and slots, and nothing else
#include <stdlib.h>
#include <string.h>

#include "problem/models.h"
#include "problem/work.h"

static int count_shapes(const CdiProblem *p) {
    int n = 0;
    for (const CdiShape *s = p->work->shapes; s; s = s->next) n++;
    return n;
}

static bool has(const CdPattern *a, int i, int j) {
    return i >= 0 && j >= 0 && i < a->rows && j < a->cols && cdi_pattern_slot(a, i, j) >= 0;
}

// entries are those of the parts, no more and no less
static void check_pattern(const CdiProblem *p, const CdiShape *s, const CdPattern *a,
                          int diagonal) {
    const int n = s->nd + p->nc;
    CHECK_INT(s->pattern->rows, n);
    CHECK_INT(s->pattern->cols, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const bool wanted = (a && has(a, i, j)) || (i == j && i >= diagonal) ||
                                has(p->jpattern, i - s->nd, j) || has(p->jpattern, j - s->nd, i);
            CHECK_INT(has(s->pattern, i, j), wanted);
        }
    }
}

TEST(shapes_have_the_entries_of_their_parts) {
    TestLog log;
    test_log_open(&log);
    Pendulum pendulum = {.mass = 2, .length = 1.5, .gravity = 9.81};
    Top held;
    const CdProblem user[] = {pendulum_problem(&pendulum), top_problem(&held, true),
                              sleigh_problem(), mixed_problem(), track_problem()};
    for (size_t k = 0; k < sizeof user / sizeof *user; k++) {
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &user[k], &at);
        CdiLin *lin;
        CHECK_OK(cdi_lin_new(p, false, &lin));
        check_pattern(p, p->work->operator_shape, p->pattern, 0);
        CdiShape *kkt, *again;
        const CdPattern *m = p->work->mass_pattern;
        CHECK_OK(cdi_shape_find(p, m, p->nv, m ? p->nv : 0, &kkt));
        check_pattern(p, kkt, m, m ? p->nv : 0);
        const int n = count_shapes(p);
        CHECK_OK(cdi_shape_find(p, p->pattern, p->nd, 0, &again));
        CHECK(again == p->work->operator_shape);
        CHECK_INT(count_shapes(p), n);
        // rows of y and x, or what M and K do not have in common, make another
        CHECK_INT(n, kkt == again ? 1 : 2);
        if (p->nd > p->nv) CHECK(kkt != again);
        cdi_lin_free(lin);
        cdi_problem_free(p);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// x = A^-1 (1, 1/2, 1/3, ...) of an operator
static void solve_with(CdiLin *lin, const CdPoint *at, double ck, int n, double *x) {
    const CdOperator op = {
        .cm = {1.5}, .cc = {0.5}, .ck = {ck}, .level = CD_VELOCITY, .at = (CdPoint *)at};
    for (int i = 0; i < n; i++) x[i] = 1.0 / (i + 1);
    CHECK_OK(cdi_lin_setup(lin, &op));
    CHECK_OK(cdi_lin_solve(lin, x, 1, false));
}

// one alone; then beside others, real and complex, of which some have gone, and after its load
TEST(operators_of_one_shape_do_not_meet) {
    TestLog log;
    test_log_open(&log);
    Pendulum pendulum = {.mass = 2, .length = 1.5, .gravity = 9.81};
    const CdProblem user = pendulum_problem(&pendulum);
    double alone[8], x[8], other[8];
    CdPoint at;
    CdiLin *lin[4];
    for (int round = 0; round < 2; round++) {
        CdiProblem *p = problem_open(log.ctx, &user, &at);
        pendulum_motion(&pendulum, 0.3, &at);
        for (int k = 0; k < (round == 0 ? 1 : 4); k++) CHECK_OK(cdi_lin_new(p, k == 2, &lin[k]));
        if (round == 0) {
            solve_with(lin[0], &at, 0.25, p->n, alone);
            cdi_lin_free(lin[0]);
            cdi_problem_free(p);
            continue;
        }
        CHECK_INT(count_shapes(p), 1);
        cdi_lin_free(lin[0]);
        cdi_lin_free(lin[2]);
        solve_with(lin[1], &at, 0.25, p->n, x);
        solve_with(lin[3], &at, 4, p->n, other);
        CHECK(memcmp(x, alone, (size_t)p->n * sizeof *x) == 0);
        CHECK(memcmp(other, alone, (size_t)p->n * sizeof *x) != 0);
        char *bytes = cdi_alloc(log.ctx, cdi_lin_save_size(lin[1]));
        cdi_lin_save(lin[1], bytes);
        CHECK_OK(cdi_lin_load(lin[3], bytes));
        for (int i = 0; i < p->n; i++) x[i] = 1.0 / (i + 1);
        CHECK_OK(cdi_lin_solve(lin[3], x, 1, false));
        CHECK(memcmp(x, alone, (size_t)p->n * sizeof *x) == 0);
        cdi_free(log.ctx, bytes);
        cdi_lin_free(lin[1]);
        cdi_lin_free(lin[3]);
        cdi_problem_free(p);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// what no form asks for is saved as zeros, whatever memory had there
TEST(saved_operators_are_the_same_bytes) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = sleigh_problem();
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CdiLin *lin[2];
    char *bytes[2];
    for (int k = 0; k < 2; k++) {
        CHECK_OK(cdi_lin_new(p, false, &lin[k]));
        CHECK_OK(cdi_lin_setup(lin[k], &(CdOperator){.cm = {1}, .at = &at}));
        const size_t size = cdi_lin_save_size(lin[k]);
        bytes[k] = malloc(size);
        memset(bytes[k], k ? 0x55 : 0xaa, size);
        cdi_lin_save(lin[k], bytes[k]);
    }
    CHECK(memcmp(bytes[0], bytes[1], cdi_lin_save_size(lin[0])) == 0);
    for (int k = 0; k < 2; k++) {
        cdi_lin_free(lin[k]);
        free(bytes[k]);
    }
    cdi_problem_free(p);
    test_log_close(&log);
}

int main(void) {
    RUN(shapes_have_the_entries_of_their_parts);
    RUN(operators_of_one_shape_do_not_meet);
    RUN(saved_operators_are_the_same_bytes);
    return test_end();
}
