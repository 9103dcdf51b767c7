// test_rank.c - dependent rows of sparse matrices against a dense QR with column pivoting
#include "linalg/rank.h"

#include "linalg/sparse.h"
#include "math/dense.h"

enum { NV = 6, NC = 5, BODIES_MAX = 40 };
#define TOL 1e-9

// joints between bodies, NC rows each
typedef struct Mechanism {
    CdContext *ctx;
    CdPattern *p;
    double *v;
    int *row_group, *col_group;
    int nbodies, njoints;
    int joint[4 * BODIES_MAX][2]; // bodies; -1: the ground
} Mechanism;

static void add_joint(Mechanism *m, int a, int b) {
    m->joint[m->njoints][0] = a;
    m->joint[m->njoints++][1] = b;
}

static void block(CdPatternBuilder *b, int joint, int body) {
    int rows[NC], cols[NV];
    if (body < 0) return;
    for (int i = 0; i < NC; i++) rows[i] = NC * joint + i;
    for (int j = 0; j < NV; j++) cols[j] = NV * body + j;
    cdi_pattern_add_block(b, NC, rows, NV, cols);
}

// J = (... -E A_a ... E A_b ...): the first rows of E are common to all joints, so that those of a
// loop add up to 0
static void build(Mechanism *m, TestRandom *r, int common) {
    CdPatternBuilder b;
    double A[BODIES_MAX][NV * NV], E[NC * NV];
    cdi_pattern_begin(&b, m->ctx, NC * m->njoints, NV * m->nbodies, false);
    for (int k = 0; k < m->njoints; k++) {
        for (int s = 0; s < 2; s++) block(&b, k, m->joint[k][s]);
    }
    CHECK_OK(cdi_pattern_end(&b, &m->p));
    m->v = cdi_alloc_array(m->ctx, (size_t)m->p->nnz + 1, sizeof *m->v);
    m->row_group = cdi_alloc_array(m->ctx, (size_t)m->p->rows + 1, sizeof(int));
    m->col_group = cdi_alloc_array(m->ctx, (size_t)m->p->cols + 1, sizeof(int));
    for (int i = 0; i < m->p->rows; i++) m->row_group[i] = i / NC;
    for (int j = 0; j < m->p->cols; j++) m->col_group[j] = j / NV;
    for (int k = 0; k < m->nbodies; k++) {
        for (int i = 0; i < NV * NV; i++) A[k][i] = test_random(r, -0.2, 0.2) + (i % (NV + 1) == 0);
    }
    for (int k = 0; k < m->njoints; k++) {
        for (int i = 0; i < NC * NV; i++) {
            if (k == 0 || i / NV >= common) E[i] = test_random(r, -0.5, 0.5);
        }
        for (int s = 0; s < 2; s++) {
            const int body = m->joint[k][s];
            for (int i = 0; body >= 0 && i < NC * NV; i++) {
                double sum = 0;
                for (int l = 0; l < NV; l++) sum += E[i / NV * NV + l] * A[body][l * NV + i % NV];
                m->v[cdi_pattern_slot(m->p, NC * k + i / NV, NV * body + i % NV)] = s ? sum : -sum;
            }
        }
    }
}

static void drop(Mechanism *m) {
    cdi_pattern_free(m->p);
    cdi_free(m->ctx, m->v);
    cdi_free(m->ctx, m->row_group);
    cdi_free(m->ctx, m->col_group);
}

static int dense_rank(const Mechanism *m, const bool *without) {
    const int rows = m->p->rows, cols = m->p->cols, n = rows < cols ? rows : cols;
    double *a = cdi_alloc_array(m->ctx, (size_t)rows * (size_t)cols, sizeof *a);
    double *work = cdi_alloc_array(m->ctx, cdi_qr_work(cols, rows), sizeof *work);
    double *tau = cdi_alloc_array(m->ctx, (size_t)n, sizeof *tau);
    int *jpvt = cdi_alloc_array(m->ctx, (size_t)rows, sizeof *jpvt), rank;
    for (int j = 0; j < cols; j++) {
        for (int k = m->p->ptr[j]; k < m->p->ptr[j + 1]; k++) {
            if (!without || !without[m->p->row[k]]) a[m->p->row[k] * cols + j] = m->v[k];
        }
    }
    CHECK_OK(cdi_qr_factor(cols, rows, a, cols, jpvt, tau, work, &rank));
    rank = 0;
    while (rank < n && fabs(a[rank * cols + rank]) > TOL) rank++;
    cdi_free(m->ctx, a);
    cdi_free(m->ctx, work);
    cdi_free(m->ctx, tau);
    cdi_free(m->ctx, jpvt);
    return rank;
}

// y^T J = 0 and J x = 0
static void check_products(const Mechanism *m, const CdDependent *d) {
    const CdPattern *p = m->p;
    for (int c = 0; c < d->nnull; c++) {
        const double *y = d->null + c * p->rows;
        double max = 0;
        for (int i = 0; i < p->rows; i++) max = fmax(max, fabs(y[i]));
        CHECK_NEAR(max, 1, 1e-15);
        for (int j = 0; j < p->cols; j++) {
            double sum = 0;
            for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) sum += m->v[k] * y[p->row[k]];
            CHECK_NEAR(sum, 0, 1e-11);
        }
    }
    double *u = cdi_alloc_array(m->ctx, (size_t)p->rows, sizeof *u), max = 0;
    for (int j = 0; d->free && j < p->cols; j++) {
        max = fmax(max, fabs(d->free[j]));
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) u[p->row[k]] += m->v[k] * d->free[j];
    }
    if (d->free) CHECK_NEAR(max, 1, 1e-15);
    for (int i = 0; i < p->rows; i++) CHECK_NEAR(u[i], 0, 1e-10);
    cdi_free(m->ctx, u);
}

// rows that a dependency has a share of are those without which the rank stays
static void check_shares(const Mechanism *m, const CdDependent *d) {
    bool *without = cdi_alloc_array(m->ctx, (size_t)m->p->rows, sizeof *without);
    for (int i = 0; i < m->p->rows; i += 7) {
        double share = 0;
        for (int c = 0; c < d->nnull; c++) share = fmax(share, fabs(d->null[c * m->p->rows + i]));
        without[i] = true;
        CHECK_INT(dense_rank(m, without), d->rank - (share > 1e-7 ? 0 : 1));
        without[i] = false;
    }
    for (int k = 0; k < d->n; k++) without[d->row[k]] = true;
    CHECK_INT(dense_rank(m, without), d->rank);
    cdi_free(m->ctx, without);
}

static void check(const Mechanism *m, int redundant) {
    const CdRows rows = {
        .pattern = *m->p, .values = m->v, .row_group = m->row_group, .col_group = m->col_group};
    CdArena arena;
    CdDependent d;
    cdi_arena_init(&arena, m->ctx, 0);
    CHECK_OK(cdi_dependent_rows(&arena, &rows, TOL, &d));
    CHECK(!d.believed);
    CHECK_INT(m->p->rows - d.rank, redundant);
    CHECK_INT(d.n, redundant);
    CHECK_INT(d.rank, dense_rank(m, NULL));
    CHECK(d.weakest > 1e-4 && d.strongest_left_out < 1e-12);
    CHECK((d.free != NULL) == (redundant > 0 && d.rank < m->p->cols));
    check_products(m, &d);
    check_shares(m, &d);
    cdi_arena_clear(&arena);
}

TEST(trees_have_full_rank) {
    TestLog log;
    TestRandom r = {3};
    test_log_open(&log);
    for (int k = 0; k < 6; k++) {
        Mechanism m = {.ctx = log.ctx, .nbodies = 25};
        for (int b = 0; b < m.nbodies; b++) add_joint(&m, b == 0 ? -1 : pick(&r, b), b);
        build(&m, &r, k % 3);
        check(&m, 0);
        drop(&m);
    }
    test_log_close(&log);
}

// rungs and a tail that hangs on one of them: a loop has 20 rows for 18 velocities, so that two of
// them are redundant, or as many as they have in common
TEST(every_loop_of_a_ladder_has_its_dependencies) {
    TestLog log;
    TestRandom r = {4};
    test_log_open(&log);
    for (int common = 0; common < 4; common++) {
        Mechanism m = {.ctx = log.ctx, .nbodies = 3 * 8 + 3};
        for (int k = 0; k < 8; k++) {
            for (int s = 0; s < 2; s++) add_joint(&m, k > 0 ? 3 * k - 3 + s : -1, 3 * k + s);
            add_joint(&m, 3 * k, 3 * k + 2);
            add_joint(&m, 3 * k + 2, 3 * k + 1);
        }
        for (int b = 24; b < 27; b++) add_joint(&m, b == 24 ? 17 : b - 1, b);
        build(&m, &r, common);
        check(&m, 8 * (common > 2 ? common : 2));
        drop(&m);
    }
    test_log_close(&log);
}

// all bodies on one, five pairs of them in loops of 15 rows for 12 velocities; and an island of its
// own that is not held
TEST(bodies_with_many_joints_are_no_trouble) {
    TestLog log;
    TestRandom r = {5};
    test_log_open(&log);
    Mechanism m = {.ctx = log.ctx, .nbodies = 14};
    add_joint(&m, -1, 0);
    for (int b = 1; b < 12; b++) add_joint(&m, 0, b);
    for (int b = 1; b < 11; b += 2) add_joint(&m, b, b + 1);
    add_joint(&m, 12, 13);
    build(&m, &r, 2);
    check(&m, 15);
    drop(&m);
    test_log_close(&log);
}

// a joint that says the same twice is no leaf
TEST(rows_of_one_joint_may_depend_on_each_other) {
    TestLog log;
    TestRandom r = {8};
    test_log_open(&log);
    Mechanism m = {.ctx = log.ctx, .nbodies = 3};
    for (int b = 0; b < 3; b++) add_joint(&m, b - 1, b);
    build(&m, &r, 0);
    for (int j = 0; j < m.p->cols; j++) {
        const int k = cdi_pattern_slot(m.p, 2 * NC, j);
        if (k >= 0) m.v[k + 1] = m.v[k];
    }
    check(&m, 1);
    drop(&m);
    test_log_close(&log);
}

// joints on the ground only are rows of zeros
TEST(rows_of_zeros_depend_on_nothing) {
    TestLog log;
    TestRandom r = {6};
    test_log_open(&log);
    Mechanism m = {.ctx = log.ctx, .nbodies = 2};
    add_joint(&m, -1, 0);
    add_joint(&m, -1, -1);
    add_joint(&m, 0, 1);
    build(&m, &r, 0);
    check(&m, NC);
    drop(&m);
    test_log_close(&log);
}

static CdStatus analyse(CdContext *ctx, void *user) {
    Mechanism *m = user;
    TestRandom r = {7};
    CdArena arena;
    CdDependent d;
    *m = (Mechanism){.ctx = ctx, .nbodies = 4};
    for (int b = 0; b < 4; b++) add_joint(m, b - 1, b);
    add_joint(m, 0, 2);
    CdPatternBuilder b;
    cdi_pattern_begin(&b, ctx, NC * m->njoints, NV * m->nbodies, false);
    for (int k = 0; k < m->njoints; k++) {
        for (int s = 0; s < 2; s++) block(&b, k, m->joint[k][s]);
    }
    CD_TRY(cdi_pattern_end(&b, &m->p));
    double v[500];
    for (int k = 0; k < m->p->nnz; k++) v[k] = test_random(&r, -1, 1);
    cdi_arena_init(&arena, ctx, 0);
    const CdRows rows = {.pattern = *m->p, .values = v};
    const CdStatus status = cdi_dependent_rows(&arena, &rows, TOL, &d);
    cdi_arena_clear(&arena);
    cdi_pattern_free(m->p);
    return status;
}

TEST(memory_may_run_out) {
    Mechanism m;
    CHECK_OOM(analyse, &m);
}

int main(void) {
    RUN(trees_have_full_rank);
    RUN(every_loop_of_a_ladder_has_its_dependencies);
    RUN(bodies_with_many_joints_are_no_trouble);
    RUN(rows_of_one_joint_may_depend_on_each_other);
    RUN(rows_of_zeros_depend_on_nothing);
    RUN(memory_may_run_out);
    return test_end();
}
