// test_diff.c - two results compared: values, times, channels
#include "results/diff.h"

#include <math.h>
#include <string.h>

#include "test.h"

static TestLog said;

static CdTable *csv(const char *text) {
    CdTable *t = NULL;
    CHECK_OK(cdi_table_of_csv(said.ctx, "x.csv", text, strlen(text), &t));
    return t;
}

typedef struct Pair {
    CdTable *a, *b;
    CdDiff *diff;
} Pair;

static Pair compare(CdTable *a, CdTable *b, CdDiffOptions o) {
    Pair p = {a, b, NULL};
    CHECK_OK(cdi_diff(a, b, &o, &p.diff));
    return p;
}

static Pair of(const char *a, const char *b, CdDiffOptions o) {
    return compare(csv(a), csv(b), o);
}

static void drop(Pair *p) {
    cdi_diff_free(p->diff);
    cdi_table_free(p->a);
    cdi_table_free(p->b);
}

static const CdDiffOptions exact = {0, 0, false}, between = {0, 0, true};

TEST(what_is_the_same) {
    test_log_open(&said);
    Pair p = of("t,x,y\n0,1,nan\n1,0.0,inf\n", "t,y,x\n0,nan,1\n1,inf,-0.0\n", exact);
    CHECK(p.diff->same && p.diff->same_times);
    CHECK_INT(p.diff->compared, 2);
    CHECK_INT(p.diff->n, 2);
    CHECK_TEXT(p.diff->channels[0].name, "x");
    CHECK(p.diff->channels[1].largest == 0 && isnan(p.diff->channels[1].t_first));
    drop(&p);
    p = of("t,x\n", "t,x\n", exact);
    CHECK(p.diff->same && p.diff->compared == 0);
    drop(&p);
    test_log_close(&said);
}

TEST(where_they_differ) {
    test_log_open(&said);
    const char *a = "t,x,y\n0,1,0\n1,-4,0\n2,3,0\n", *b = "t,x,y\n0,1,0\n1,-4.5,0\n2,5,0\n";
    Pair p = of(a, b, exact);
    const CdChannelDiff *x = &p.diff->channels[0];
    CHECK(!p.diff->same && x->differs && !p.diff->channels[1].differs);
    CHECK_INT(p.diff->ndiffer, 1);
    CHECK(x->largest == 2 && x->scale == 5 && x->t_first == 1 && x->t_largest == 2);
    drop(&p);

    // at the tolerance, and just below it
    p = of(a, b, (CdDiffOptions){.atol = 2});
    CHECK(p.diff->same);
    drop(&p);
    p = of(a, b, (CdDiffOptions){.rtol = 0.4});
    CHECK(p.diff->same);
    drop(&p);
    p = of(a, b, (CdDiffOptions){.rtol = 0.2, .atol = 0.99});
    CHECK(!p.diff->same);
    drop(&p);
    test_log_close(&said);
}

TEST(no_tolerance_forgives_what_is_no_number) {
    test_log_open(&said);
    const CdDiffOptions wide = {1, 1e300, false};
    const char *wrong[] = {"nan", "inf", "-inf"};
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "t,x\n0,1\n1,%s\n", wrong[i]);
        Pair p = of("t,x\n0,1\n1,2\n", text, wide);
        CHECK(!p.diff->same && p.diff->channels[0].largest == INFINITY);
        CHECK(p.diff->channels[0].t_largest == 1 && p.diff->channels[0].scale == 2);
        drop(&p);
    }
    Pair p = of("t,x\n0,inf\n", "t,x\n0,-inf\n", wide);
    CHECK(!p.diff->same);
    drop(&p);
    test_log_close(&said);
}

TEST(channels_of_one_only) {
    test_log_open(&said);
    Pair p = of("t,x,y,x\n0,1,2,3\n", "t,z,x,x,x\n0,9,1,3,4\n", exact);
    CHECK(!p.diff->same && p.diff->ndiffer == 0);
    CHECK_INT(p.diff->n, 2); // channels of one name meet in their order
    CHECK_INT(p.diff->nonly_a, 1);
    CHECK_INT(p.diff->nonly_b, 2);
    CHECK_TEXT(p.diff->only_a[0], "y");
    CHECK_TEXT(p.diff->only_b[0], "z");
    CHECK_TEXT(p.diff->only_b[1], "x");
    drop(&p);
    test_log_close(&said);
}

TEST(other_times_are_told) {
    test_log_open(&said);
    Pair p = of("t,x\n0,0\n1,1\n2,2\n", "t,x\n0,0\n1.5,1\n2,2\n", exact);
    CHECK(!p.diff->same && !p.diff->same_times && p.diff->ndiffer == 0);
    CHECK(p.diff->compared == 1 && p.diff->t_a == 1 && p.diff->t_b == 1.5);
    drop(&p);
    p = of("t,x\n0,0\n1,1\n", "t,x\n0,0\n1,1\n2,2\n", exact);
    CHECK(!p.diff->same && p.diff->compared == 2 && isnan(p.diff->t_a) && p.diff->t_b == 2);
    drop(&p);
    // rounding is forgiven only where tolerances are
    const char *rounded = "t,x\n0,0\n1.0000000000000002,1\n";
    p = of("t,x\n0,0\n1,1\n", rounded, exact);
    CHECK(!p.diff->same_times);
    drop(&p);
    p = of("t,x\n0,0\n1,1\n", rounded, (CdDiffOptions){.atol = 1e-9});
    CHECK(p.diff->same);
    drop(&p);
    test_log_close(&said);
}

TEST(between_rows_is_a_line) {
    test_log_open(&said);
    Pair p =
        of("t,x\n-1,7\n0,0\n0.25,0.5\n1,2\n2.5,5\n3,6\n4,7\n", "t,x\n0,0\n1,2\n3,6\n", between);
    CHECK(p.diff->same);
    CHECK_INT(p.diff->compared, 5); // what the other does not reach is left out
    drop(&p);
    p = of("t,x\n0,0\n1,3\n", "t,x\n0,0\n2,4\n", between);
    CHECK(!p.diff->same && p.diff->channels[0].largest == 1 && p.diff->channels[0].t_largest == 1);
    drop(&p);
    p = of("t,x\n0,0\n1,3\n", "t,x\n2,0\n3,4\n", between);
    CHECK(!p.diff->same && p.diff->compared == 0);
    drop(&p);
    // a jump: two rows at one time
    p = of("t,x\n0,0\n1,1\n1,5\n2,5\n", "t,x\n0,0\n0.5,0.5\n1,1\n1,5\n2,5\n", between);
    CHECK(p.diff->same && p.diff->compared == 4);
    drop(&p);
    p = of("t,x\n0,0\n1,1\n1,5\n", "t,x\n0,0\n1,1\n1,5\n", between);
    CHECK(p.diff->same && p.diff->compared == 3);
    drop(&p);
    test_log_close(&said);
}

// ---- long tables

// x = t^2 at times i dt
static CdStatus parabola(CdTable *t, uint64_t first, uint64_t n, double *rows) {
    const double dt = *(const double *)t->source;
    for (uint64_t i = first; i < first + n; i++) {
        *rows++ = (double)i * dt;
        for (int k = 0; k < t->n; k++) *rows++ = (double)i * dt * (double)i * dt;
    }
    return CD_OK;
}

static CdTable *parabolas(const CdChannel *channels, int n, double *dt, uint64_t rows) {
    CdTable *t = NULL;
    CHECK_OK(cdi_table_new(said.ctx, &t));
    t->n = n;
    t->channels = channels;
    t->rows = rows;
    t->read = parabola;
    t->source = dt;
    return t;
}

TEST(long_tables_in_blocks) {
    test_log_open(&said);
    const CdChannel one[] = {{.name = "x", .unit = "m"}, {.name = "y", .unit = "m"}};
    double fine = 0.25, coarse = 1;
    Pair p = compare(parabolas(one, 1, &fine, 400001), parabolas(one, 2, &coarse, 100001), between);
    CHECK_INT(p.diff->compared, 400001);
    // chords of a parabola are dt^2/4 above it in their middle
    CHECK(p.diff->channels[0].largest == 0.25 && p.diff->channels[0].t_first == 0.25);
    CHECK_BITS(p.diff->channels[0].t_largest, 0.5);
    drop(&p);
    p = compare(parabolas(one, 2, &fine, 400000), parabolas(one, 1, &fine, 400001), exact);
    CHECK(p.diff->compared == 400000 && p.diff->ndiffer == 0 && p.diff->t_b == 100000);
    drop(&p);
    test_log_close(&said);
}

// more channels than a block has numbers: every block is one row
TEST(wide_tables_row_by_row) {
    test_log_open(&said);
    enum { N = CD_TABLE_BLOCK + 1 };
    CdChannel *channels = cdi_alloc_array(said.ctx, N, sizeof *channels);
    for (int k = 0; k < N; k++) channels[k] = (CdChannel){.name = "x", .unit = "m"};
    double fine = 0.5, coarse = 1;
    Pair p = compare(parabolas(channels, N, &fine, 4), parabolas(channels, N, &coarse, 3), between);
    CHECK(p.diff->n == N && p.diff->compared == 4);
    CHECK(p.diff->channels[N - 1].largest == 0.25);
    drop(&p);
    cdi_free(said.ctx, channels);
    test_log_close(&said);
}

static CdStatus small_diff(CdContext *ctx, void *user) {
    static const char text[] = "t,x,y\n0,1,2\n1,2,3\n";
    CdTable *a, *b;
    CdDiff *diff;
    CdDiffOptions o = {.interpolate = *(bool *)user};
    CD_TRY(cdi_table_of_csv(ctx, "a.csv", text, strlen(text), &a));
    CdStatus status = cdi_table_of_csv(ctx, "b.csv", text, strlen(text), &b);
    if (status == CD_OK) {
        status = cdi_diff(a, b, &o, &diff);
        if (status == CD_OK) cdi_diff_free(diff);
        cdi_table_free(b);
    }
    cdi_table_free(a);
    return status;
}

TEST(lack_of_memory_is_survived) {
    bool yes = true, no = false;
    CHECK_OOM(small_diff, &yes);
    CHECK_OOM(small_diff, &no);
}

int main(void) {
    RUN(what_is_the_same);
    RUN(where_they_differ);
    RUN(no_tolerance_forgives_what_is_no_number);
    RUN(channels_of_one_only);
    RUN(other_times_are_told);
    RUN(between_rows_is_a_line);
    RUN(long_tables_in_blocks);
    RUN(wide_tables_row_by_row);
    RUN(lack_of_memory_is_survived);
    return test_end();
}
