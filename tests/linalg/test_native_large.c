// test_native_large.c - long chains that move as one: small pivots by right, and dependent rows
//
//   a straight rod of N equal pieces, welded to each other, on a hinge at its end; a piece has
//   velocities (y, theta) and the length 1
//
//   theta' = F (N - 1/2) / sum_i (m (i + 1/2)^2 + I),   y_i' = (i + 1/2) theta'
//
// for a force F on the middle of the last piece. The condition grows with N^4.
#include "linalg/native.h"
#include "linalg/solvers.h"

#define MASS 2.0
#define INERTIA 0.25
#define FORCE 3.0

// unknowns of piece k, its weld to the one before: y, then theta (none of the first)
static int y_of(int k) {
    return 2 * k;
}

static int weld_of(int pieces, int k) {
    return 2 * pieces + (k == 0 ? 0 : 2 * k - 1);
}

typedef struct Entry {
    int row, column;
    double value;
} Entry;

// the entries of J of the weld of piece k; returns how many
static int weld(int pieces, int k, Entry *e) {
    const int row = weld_of(pieces, k), y = y_of(k), before = y_of(k - 1);
    int n = 0;
    e[n++] = (Entry){row, y, 1};
    e[n++] = (Entry){row, y + 1, -0.5};
    if (k == 0) return n;
    e[n++] = (Entry){row, before, -1};
    e[n++] = (Entry){row, before + 1, -0.5};
    e[n++] = (Entry){row + 1, y + 1, 1};
    e[n++] = (Entry){row + 1, before + 1, -1};
    return n;
}

static void rod_new(Sparse *a, CdContext *ctx, int pieces) {
    const int n = 4 * pieces - 1;
    Entry e[6];
    CdPatternBuilder b;
    *a = (Sparse){.ctx = ctx};
    cdi_pattern_begin(&b, ctx, n, n, true);
    cdi_pattern_add_diagonal(&b);
    for (int k = 0; k < pieces; k++) {
        for (int i = weld(pieces, k, e) - 1; i >= 0; i--) {
            cdi_pattern_add(&b, e[i].row, e[i].column);
        }
        // room for a second row like that of y
        for (int i = 0; k > 0 && i < 4; i++) cdi_pattern_add(&b, e[0].row + 1, e[i].column);
    }
    sparse_end(a, &b);
    for (int i = 0; i < a->p->nnz; i++) a->v[i] = 0;
    for (int k = 0; k < 2 * pieces; k++) {
        a->v[cdi_pattern_slot(a->p, k, k)] = k % 2 ? INERTIA : MASS;
    }
    for (int k = 0; k < pieces; k++) {
        for (int i = weld(pieces, k, e) - 1; i >= 0; i--) {
            a->v[cdi_pattern_slot(a->p, e[i].row, e[i].column)] = e[i].value;
            a->v[cdi_pattern_slot(a->p, e[i].column, e[i].row)] = e[i].value;
        }
    }
}

// the weld of theta of piece k reads as that of y
static void repeat_weld(Sparse *a, int pieces, int k) {
    Entry e[6];
    weld(pieces, k, e);
    for (int i = 0; i < 4; i++) {
        a->v[cdi_pattern_slot(a->p, e[i].row + 1, e[i].column)] = e[i].value;
        a->v[cdi_pattern_slot(a->p, e[i].column, e[i].row + 1)] = e[i].value;
    }
}

// a piece is a group, a weld is one
static CdLinsol *open_rod(CdContext *ctx, const Sparse *a, int pieces, CdLinsolShare *share) {
    const CdLinsolClass *cls = NULL;
    int *group = calloc((size_t)a->n, sizeof *group);
    for (int i = 0; i < a->n; i++) {
        group[i] = i < 2 * pieces ? i / 2 : pieces + (i - 2 * pieces + 1) / 2;
    }
    CHECK_OK(cdi_linsol_find(ctx, "native", &cls));
    const Way way = {cls, {.group = group, .multipliers = a->n - 2 * pieces, .share = share}};
    CdLinsol *s = open_way(ctx, way, a->p);
    free(group);
    return s;
}

static void check_motion(CdLinsol *s, int pieces, double tol) {
    double *b = calloc((size_t)s->n, sizeof *b), moment = 0, worst = 0;
    for (int k = 0; k < pieces; k++) moment += MASS * (k + 0.5) * (k + 0.5) + INERTIA;
    b[y_of(pieces - 1)] = FORCE;
    CHECK_OK(cdi_linsol_solve(s, 1, b, s->n, false));
    const double turn = FORCE * (pieces - 0.5) / moment;
    for (int k = 0; k < pieces; k++) {
        worst = fmax(worst, fabs(b[y_of(k)] / ((k + 0.5) * turn) - 1));
        worst = fmax(worst, fabs(b[y_of(k) + 1] / turn - 1));
    }
    CHECK(worst < tol);
    free(b);
}

TEST(long_rods_are_not_left_to_others) {
    TestLog log;
    test_log_open(&log);
    static const int pieces[] = {100, 1000, 10000};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        Sparse a;
        rod_new(&a, log.ctx, pieces[k]);
        CdLinsol *s = open_rod(log.ctx, &a, pieces[k], NULL);
        assemble(s, a.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK_INT(cdi_linsol_stats(s).left, 0);
        check_motion(s, pieces[k], 1e-8);
        cdi_linsol_free(s);
        sparse_free(&a);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// small pivots by right do not hide those of dependent rows
TEST(a_row_that_repeats_is_found_in_a_long_rod) {
    enum { PIECES = 4000, TWICE = 1234 };
    TestLog log;
    test_log_open(&log);
    Sparse a;
    rod_new(&a, log.ctx, PIECES);
    repeat_weld(&a, PIECES, TWICE);
    CdLinsol *s = open_rod(log.ctx, &a, PIECES, NULL);
    assemble(s, a.v, false);
    int column = -1;
    const CdStatus status = cdi_linsol_factor(s);
    if (status == CD_OK) CHECK(cdi_linsol_weakest_pivot(s, &column) < 1e-14);
    if (status == CD_SINGULAR) column = cdi_linsol_bad_column(s);
    CHECK(status == CD_OK || status == CD_SINGULAR);
    const int row = weld_of(PIECES, TWICE);
    CHECK(column == row || column == row + 1);
    cdi_linsol_free(s);
    sparse_free(&a);
    test_log_close(&log);
}

// the rod with its end clamped, of pieces with a third velocity that nothing holds: multipliers of
// the clamp meet the whole of it, so that one pivot falls as 1/N^3, but nothing is singular
static void clamped_new(Sparse *a, CdContext *ctx, int pieces) {
    const int n = 5 * pieces;
    CdPatternBuilder b;
    *a = (Sparse){.ctx = ctx};
    cdi_pattern_begin(&b, ctx, n, n, true);
    cdi_pattern_add_diagonal(&b);
    for (int k = 0; k < pieces; k++) {
        for (int row = 3 * pieces + 2 * k; row < 3 * pieces + 2 * k + 2; row++) {
            for (int i = k > 0 ? -3 : 0; i < 3; i++) cdi_pattern_add(&b, row, 3 * k + i);
        }
        for (int i = 0; i < 3; i++) cdi_pattern_add(&b, 3 * k + i, 3 * k + (i + 1) % 3);
    }
    sparse_end(a, &b);
    memset(a->v, 0, (size_t)a->p->nnz * sizeof *a->v);
    for (int i = 0; i < 3 * pieces; i++) a->v[cdi_pattern_slot(a->p, i, i)] = 1;
    for (int k = 0; k < pieces; k++) {
        const int row = 3 * pieces + 2 * k, y = 3 * k;
        const Entry e[] = {{row, y, 1},      {row, y + 1, -0.5}, {row + 1, y + 1, 1},
                           {row, y - 3, -1}, {row, y - 2, -0.5}, {row + 1, y - 2, -1}};
        for (int i = 0; i < (k > 0 ? 6 : 3); i++) {
            a->v[cdi_pattern_slot(a->p, e[i].row, e[i].column)] = e[i].value;
            a->v[cdi_pattern_slot(a->p, e[i].column, e[i].row)] = e[i].value;
        }
    }
}

static CdLinsol *open_clamped(CdContext *ctx, const Sparse *a, int pieces) {
    const CdLinsolClass *cls = NULL;
    int *group = calloc((size_t)a->n, sizeof *group);
    for (int i = 0; i < a->n; i++) {
        group[i] = i < 3 * pieces ? i / 3 : pieces + (i - 3 * pieces) / 2;
    }
    CHECK_OK(cdi_linsol_find(ctx, "native", &cls));
    const Way way = {cls, {.group = group, .multipliers = 2 * pieces}};
    CdLinsol *s = open_way(ctx, way, a->p);
    free(group);
    return s;
}

TEST(a_pivot_that_its_load_explains_is_no_zero) {
    enum { PIECES = 80000 };
    TestLog log;
    test_log_open(&log);
    Sparse a;
    clamped_new(&a, log.ctx, PIECES);
    CdLinsol *s = open_clamped(log.ctx, &a, PIECES);
    assemble(s, a.v, false);
    CHECK_OK(cdi_linsol_factor(s));
    CHECK_INT(cdi_linsol_stats(s).left, 0);
    int column;
    CHECK(cdi_linsol_weakest_pivot(s, &column) > 1e-6);
    // a force of 1 on every piece: what the clamp bears
    double *x = calloc((size_t)a.n, sizeof *x);
    for (int k = 0; k < PIECES; k++) x[3 * k] = 1;
    CHECK_OK(cdi_linsol_solve(s, 1, x, a.n, false));
    CHECK_NEAR(x[3 * PIECES] / PIECES, 1, 1e-9);
    CHECK_NEAR(2 * x[3 * PIECES + 1] / PIECES / PIECES, 1, 1e-9);
    free(x);
    cdi_linsol_free(s);
    sparse_free(&a);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// to the bit, though what they share goes first and one of them needs an order of its own later
TEST(solvers_share_an_analysis) {
    enum { PIECES = 300, SOLVERS = 3 };
    TestLog log;
    test_log_open(&log);
    Sparse a;
    rod_new(&a, log.ctx, PIECES);
    CdLinsolShare share = {0};
    CdLinsol *s[SOLVERS];
    double *x[SOLVERS];
    for (int k = 0; k < SOLVERS; k++) {
        s[k] = open_rod(log.ctx, &a, PIECES, k == 0 ? NULL : &share);
        x[k] = calloc((size_t)a.n, sizeof *x[k]);
        for (int i = 0; i < a.n; i++) x[k][i] = 1.0 / (i + 1);
    }
    CHECK(share.cls == s[0]->real);
    const CdiNativeTree *tree = share.analysis;
    CHECK_INT(atomic_load(&tree->users), SOLVERS);
    cdi_linsol_share_free(&share);
    CHECK(!share.analysis && !share.cls);
    CHECK_INT(atomic_load(&tree->users), SOLVERS - 1);
    // a weld that does not act reads 1, with an order of its own
    const size_t bytes = (size_t)a.p->nnz * sizeof *a.v;
    double *values = malloc(bytes);
    memcpy(values, a.v, bytes);
    for (int i = 0; i < a.n; i++) {
        const int row = weld_of(PIECES, PIECES / 2), up = cdi_pattern_slot(a.p, row, i);
        if (up >= 0) a.v[up] = a.v[cdi_pattern_slot(a.p, i, row)] = i == row;
    }
    assemble(s[1], a.v, false);
    CHECK_OK(cdi_linsol_factor(s[1]));
    for (int k = 0; k < SOLVERS; k += 2) {
        assemble(s[k], values, false);
        CHECK_OK(cdi_linsol_factor(s[k]));
        CHECK_OK(cdi_linsol_solve(s[k], 1, x[k], a.n, false));
    }
    CHECK(memcmp(x[0], x[2], (size_t)a.n * sizeof *x[0]) == 0);
    CHECK(isfinite(x[0][0]));
    for (int k = 0; k < SOLVERS; k++) {
        cdi_linsol_free(s[k]);
        free(x[k]);
    }
    free(values);
    sparse_free(&a);
    test_log_close(&log);
}

int main(void) {
    RUN(long_rods_are_not_left_to_others);
    RUN(a_row_that_repeats_is_found_in_a_long_rod);
    RUN(a_pivot_that_its_load_explains_is_no_zero);
    RUN(solvers_share_an_analysis);
    return test_end();
}
