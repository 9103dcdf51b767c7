// test_native_list.c - short columns of own factors, which are eliminated one by one by lists
#include "linalg/native.h"

#include <stdlib.h>

#include "linalg/solvers.h"

enum { CHAIN, WILD, TREE, COMB, ROWS, RINGS, STARS, ARMS, NSHAPES, CLUBS = NSHAPES, SHUFFLED };
#define CORE 14 // unknowns of a comb that all meet each other
// unknowns of an island: arms of six, three and CORE, and what joins them; the last of clubs all
// meet each other
#define ARM 24

// pairs of unknowns that meet: a chain, one with a longer spring now and then, a tree, teeth on a
// dense core, islands that are short chains, that and both ends tied to one unknown, with four
// equal arms or different ones; or short chains of which every third one is numbered otherwise
static int partner(int shape, TestRandom *r, int j) {
    switch (shape) {
    case CHAIN:
    case WILD: return j - 1;
    case TREE: return pick(r, j);
    case ROWS:
    case RINGS: return j % ARM == 0 ? j : j - 1;
    case SHUFFLED: {
        const int k = j % ARM, step = j / ARM % 3 == 2 ? 7 : 1;
        return k == 0 ? j : j - k + (k + ARM - step) % ARM;
    }
    case STARS: return j % (ARM / 4) == 0 ? j : j - 1;
    case CLUBS:
    case ARMS: {
        const int k = j % ARM;
        return k == 0 || k == 6 || k == 9 ? j : j - 1;
    }
    default: return j < CORE ? j - 1 : j % 9 == 0 ? pick(r, CORE) : j - 1;
    }
}

static Sparse make(CdContext *ctx, TestRandom *r, int shape, int n, bool symmetric) {
    Sparse a = {.ctx = ctx};
    CdPatternBuilder b;
    cdi_pattern_begin(&b, ctx, n, n, true);
    cdi_pattern_add_diagonal(&b);
    for (int j = 1; j < n; j++) cdi_pattern_add(&b, j, partner(shape, r, j));
    for (int j = 2; shape == WILD && j < n; j += 1 + pick(r, 40)) cdi_pattern_add(&b, j, j - 2);
    for (int j = ARM; shape == RINGS && j < n; j++) {
        if (j % ARM == 0 || j % ARM == ARM - 1) cdi_pattern_add(&b, j, 0);
    }
    for (int j = ARM - 1; shape == STARS && j < n; j += ARM) {
        for (int k = 1; k < 4; k++) cdi_pattern_add(&b, j, j - k * (ARM / 4));
    }
    for (int j = ARM - 1; (shape == ARMS || shape == CLUBS) && j < n; j += ARM) {
        cdi_pattern_add(&b, j, j - ARM + 6);
        cdi_pattern_add(&b, j, j - ARM + 9);
        for (int k = 0; shape == CLUBS && k < CORE * CORE; k++) {
            cdi_pattern_add(&b, j - CORE + k / CORE, j - CORE + k % CORE);
        }
    }
    for (int j = 0; shape == COMB && j < CORE * CORE; j++) {
        cdi_pattern_add(&b, j / CORE, j % CORE);
    }
    sparse_end(&a, &b);
    sparse_fill(&a, r, CORE, false);
    if (symmetric) sparse_symmetric_values(&a);
    return a;
}

static const CdLinsolClass *native(CdContext *ctx) {
    const CdLinsolClass *cls = NULL;
    CHECK_OK(cdi_linsol_find(ctx, "native", &cls));
    return cls;
}

static CdLinsol *open_native(const Sparse *a, bool symmetric, CdPool *pool) {
    const Way way = {native(a->ctx), {.symmetric = symmetric, .pool = pool}};
    CdLinsol *s = open_way(a->ctx, way, a->p);
    assemble(s, a->v, false);
    return s;
}

static CdiNativeTree *analyze(const Sparse *a, bool symmetric) {
    const CdCsc csc = {.pattern = a->p, .v = a->v};
    CdiNativeTree *tree = NULL;
    CHECK_OK(cdi_native_analyze(a->ctx, &csc, NULL, (CdiNativeWay){.cut = true}, symmetric, &tree));
    return tree;
}

// unknowns by kind of their supernodes
static void count(const CdiNativeTree *t, int *single, int *others) {
    *single = *others = 0;
    for (int k = 0; k <= t->nunits; k++) {
        const CdiNativeUnit *u = &t->units[k];
        for (int i = 0; i < u->part->nsupernodes; i++) {
            const CdiSupernode *s = &u->part->supernodes[i];
            *(s->kind == CDI_NATIVE_SINGLE ? single : others) += u->count * s->ncols;
        }
    }
}

// chains and trees have nothing else, the core of a comb has panels
TEST(short_columns_stay_single) {
    TestLog log;
    TestRandom r = {1};
    test_log_open(&log);
    for (int shape = 0; shape < NSHAPES; shape++) {
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            int single, others;
            Sparse a = make(log.ctx, &r, shape, 400, symmetric);
            CdiNativeTree *t = analyze(&a, symmetric);
            count(t, &single, &others);
            CHECK_INT(single + others, a.n);
            CHECK(10 * single > 9 * a.n);
            CHECK((others > 0) == (shape == COMB));
            CHECK(shape != CHAIN || (t->nunits > 0 && t->units[0].width > 1));
            // no zeros are stored: as many numbers as a chain has
            if (shape == TREE && symmetric) CHECK_INT(t->nnz, 2 * a.n - 1);
            cdi_native_tree_free(t);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

// pieces of a chain are walked from both ends, to a column in the middle; what is wild is not
TEST(pieces_have_two_chains) {
    TestLog log;
    TestRandom r = {6};
    test_log_open(&log);
    for (int n = 200; n < 240; n++) {
        Sparse a = make(log.ctx, &r, CHAIN, n, true);
        CdiNativeTree *t = analyze(&a, true);
        for (int k = 0; k < t->nunits; k++) {
            const CdiNativePart *part = t->units[k].part;
            CHECK_INT(part->chain[0] + part->chain[1], part->n - 1);
            CHECK(abs(part->chain[0] - part->chain[1]) <= 1);
        }
        CHECK(t->nunits > 0);
        cdi_native_tree_free(t);
        sparse_free(&a);
    }
    Sparse tree = make(log.ctx, &r, TREE, 400, true);
    CdiNativeTree *t = analyze(&tree, true);
    for (int k = 0; k <= t->nunits; k++) {
        const CdiNativePart *part = t->units[k].part;
        CHECK(part->chain[0] + part->chain[1] < part->n || part->n == 0);
    }
    cdi_native_tree_free(t);
    sparse_free(&tree);
    test_log_close(&log);
}

// numbers of straight chains stay in registers: pieces of a long one have a neighbour on either
// side, islands have none; rings that meet one unknown and three arms or more are not straight
TEST(straight_chains_are_known) {
    static const struct {
        int shape, kind;
    } cases[] = {{CHAIN, CDI_NATIVE_BESIDE}, {ROWS, CDI_NATIVE_STRAIGHT}, {RINGS, 0}, {STARS, 0}};
    TestLog log;
    TestRandom r = {7};
    test_log_open(&log);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sparse a = make(log.ctx, &r, cases[i].shape, 10 * ARM, false);
        CdiNativeTree *t = analyze(&a, false);
        int seen = 0;
        for (int k = 0; k < t->nunits; k++) {
            const CdiNativePart *part = t->units[k].part;
            if (part->chain[0] == 0) continue;
            CHECK_INT(part->straight, cases[i].kind);
            seen++;
        }
        CHECK(seen > 0);
        cdi_native_tree_free(t);
        sparse_free(&a);
    }
    test_log_close(&log);
}

// islands that are chains, each tied to unknowns of the first, from one of its unknowns to one of
// those
#define TIES_MAX 4
#define HUBS 4
typedef struct Ties {
    int n, from[TIES_MAX], to[TIES_MAX];
} Ties;

static Sparse make_tied(CdContext *ctx, TestRandom *r, int n, const Ties *ties) {
    Sparse a = {.ctx = ctx};
    CdPatternBuilder b;
    cdi_pattern_begin(&b, ctx, n, n, true);
    cdi_pattern_add_diagonal(&b);
    for (int j = 1; j < n; j++) cdi_pattern_add(&b, j, partner(ROWS, r, j));
    for (int first = ARM; first < n; first += ARM) {
        for (int k = 0; k < ties->n; k++) cdi_pattern_add(&b, first + ties->from[k], ties->to[k]);
    }
    sparse_end(&a, &b);
    sparse_fill(&a, r, CORE, false);
    return a;
}

// from both ends of every island up to one of its unknowns; those that others are tied to are last
static void order_islands(int n, int middle, int *order) {
    int k = 0;
    for (int first = 0; first < n; first += ARM) {
        for (int i = first == 0 ? HUBS : 0; i < middle; i++) order[k++] = first + i;
        for (int i = ARM - 1; i >= middle; i--) order[k++] = first + i;
    }
    for (int i = 0; i < HUBS; i++) order[k++] = i;
}

// in orders that would not always be found: rows beside that begin halfway, are two, stand beside
// one chain only or beside both
TEST(chains_with_other_rows_are_not_straight) {
    enum { N = 10 * ARM };
    static const Ties cases[] = {{1, {3}, {0}},
                                 {4, {0, 0, ARM - 1, ARM - 1}, {0, 1, 2, 3}},
                                 {1, {0}, {0}},
                                 {2, {0, ARM - 1}, {0, 0}}};
    static int order[N];
    static double b[N], x[N];
    TestLog log;
    TestRandom r = {9};
    test_log_open(&log);
    for (int trial = 0; trial < 8; trial++) {
        Sparse a = make_tied(log.ctx, &r, N, &cases[trial / 2]);
        const CdCsc csc = {.pattern = a.p, .v = a.v};
        CdiNativeTree *t = NULL;
        CdiNative m;
        int seen = 0;
        order_islands(N, trial % 2 == 0 ? 11 : 13, order);
        CHECK_OK(cdi_native_analyze(a.ctx, &csc, NULL, (CdiNativeWay){.given = order}, false, &t));
        CHECK_OK(cdi_native_open(log.ctx, t, NULL, cdi_isa(), &m));
        for (int k = 0; k < t->nunits; k++) {
            if (t->units[k].part->chain[0] == 0) continue;
            CHECK_INT(t->units[k].part->straight, 0);
            seen++;
        }
        CHECK(seen > 0);
        for (int i = 0; i < N; i++) b[i] = x[i] = test_random(&r, -1, 1);
        cdi_native_factor(&m, a.v);
        cdi_native_solve(&m, false, x);
        cdi_csc_mul_add(&csc, false, -1, x, b);
        for (int i = 0; i < N; i++) CHECK(fabs(b[i]) < 1e-12);
        cdi_native_close(&m);
        cdi_native_tree_free(t);
        sparse_free(&a);
    }
    test_log_close(&log);
}

// every column is in one stretch, the unknowns of those that are not copied one by one follow each
// other; how many are
static int check_stretches(const CdiNativeTree *t, const CdiNativeUnit *u) {
    int next = 0, alone = 0;
    for (int i = 0; i < u->nstretches; i++) {
        const CdiNativeStretch s = t->stretches[u->stretch + i];
        CHECK_INT(s.begin, next);
        CHECK(s.end - s.begin >= (s.by == 0 ? 1 : CDI_NATIVE_LANES));
        next = s.end;
        if (s.by == 0) alone += s.end - s.begin;
        for (int k = u->width * s.begin; s.by != 0 && k < u->width * (s.end - 1); k++) {
            const int *perm = t->perm + u->step + k;
            CHECK_INT(perm[u->width], perm[0] + s.by);
        }
    }
    CHECK_INT(next, u->part->n);
    return alone;
}

TEST(neighbours_are_copied_together) {
    TestLog log;
    TestRandom r = {8};
    int seen = 0;
    test_log_open(&log);
    for (int shape = 0; shape <= SHUFFLED; shape++) {
        Sparse a = make(log.ctx, &r, shape, 20 * ARM, true);
        CdiNativeTree *t = analyze(&a, true);
        for (int k = 0; k < t->nunits; k++) {
            if (t->units[k].width == 1) continue;
            const int alone = check_stretches(t, &t->units[k]);
            CHECK(shape != CHAIN || alone == 0);
            seen += shape == CHAIN || shape == SHUFFLED;
        }
        cdi_native_tree_free(t);
        sparse_free(&a);
    }
    CHECK(seen > 1);
    test_log_close(&log);
}

// whatever is left of what was found out about columns
static void solve_with(CdContext *ctx, CdiNativeTree *t, const Sparse *a, bool transposed,
                       double *b) {
    CdiNative m;
    CHECK_OK(cdi_native_open(ctx, t, NULL, cdi_isa(), &m));
    for (int i = 0; i < a->n; i++) b[i] = 1.0 / (i + 1);
    cdi_native_factor(&m, a->v);
    cdi_native_solve(&m, transposed, b);
    cdi_native_close(&m);
}

TEST(short_cuts_change_no_bits) {
    enum { N = 20 * ARM };
    static double fast[N], plain[N];
    TestLog log;
    TestRandom r = {10};
    test_log_open(&log);
    for (int trial = 0; trial <= 2 * SHUFFLED + 1; trial++) {
        Sparse a = make(log.ctx, &r, trial / 2, N - trial, trial % 2);
        CdiNativeTree *t = analyze(&a, trial % 2);
        solve_with(log.ctx, t, &a, trial % 3 == 0, fast);
        for (int k = 0; k < t->nunits; k++) {
            CdiNativeUnit *u = &t->units[k];
            ((CdiNativePart *)u->part)->straight = 0;
            for (int i = 0; i < u->nstretches; i++) t->stretches[u->stretch + i].by = 0;
        }
        solve_with(log.ctx, t, &a, trial % 3 == 0, plain);
        CHECK(memcmp(fast, plain, (size_t)a.n * sizeof *fast) == 0);
        cdi_native_tree_free(t);
        sparse_free(&a);
    }
    test_log_close(&log);
}

TEST(lists_solve) {
    TestLog log;
    TestRandom r = {2};
    test_log_open(&log);
    for (int trial = 0; trial < 120; trial++) {
        const bool symmetric = trial % 2;
        Sparse a = make(log.ctx, &r, trial / 2 % (NSHAPES + 1), CORE + 5 * trial, symmetric);
        CdLinsol *s = open_native(&a, symmetric, NULL);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK_INT(cdi_linsol_stats(s).left, 0);
        CHECK(try_solve(s, &a, &r, false) < 10);
        CHECK(try_solve(s, &a, &r, true) < 10);
        cdi_linsol_free(s);
        sparse_free(&a);
    }
    test_log_close(&log);
}

// islands in which all unknowns meet, of several sizes, some of each
static Sparse make_blocks(CdContext *ctx, TestRandom *r) {
    enum { KINDS = 5, EACH = 9 };
    static const int sizes[KINDS] = {13, 9, 5, 11, 3};
    Sparse a = {.ctx = ctx};
    CdPatternBuilder b;
    cdi_pattern_begin(&b, ctx, EACH * 41, EACH * 41, true);
    for (int k = 0, first = 0; k < KINDS * EACH; first += sizes[k++ % KINDS]) {
        const int size = sizes[k % KINDS];
        for (int i = 0; i < size * size; i++) {
            cdi_pattern_add(&b, first + i / size, first + i % size);
        }
    }
    sparse_end(&a, &b);
    sparse_fill(&a, r, 2 * CORE, false);
    sparse_symmetric_values(&a);
    return a;
}

// what is no number in one of them stays there, though others work where it has worked
TEST(islands_keep_what_is_no_number) {
    TestLog log;
    TestRandom r = {5};
    test_log_open(&log);
    Sparse a = make_blocks(log.ctx, &r);
    CdiNativeTree *tree = analyze(&a, true);
    CdiNative m;
    double *b = calloc((size_t)a.n, sizeof *b), *x = calloc((size_t)a.n, sizeof *x);
    CHECK_OK(cdi_native_open(log.ctx, tree, NULL, cdi_isa(), &m));
    CHECK(tree->nunits > 1);
    cdi_native_factor(&m, a.v);
    for (int spoilt = 0; spoilt < a.n; spoilt++) {
        for (int i = 0; i < a.n; i++) b[i] = x[i] = test_random(&r, -1, 1);
        x[spoilt] = NAN;
        cdi_native_solve(&m, false, x);
        cdi_native_solve(&m, false, b);
        for (int i = 0; i < a.n; i++) {
            const bool met = a.p->row[a.p->ptr[i]] == a.p->row[a.p->ptr[spoilt]];
            CHECK(met ? isnan(x[i]) : x[i] == b[i]);
        }
    }
    cdi_native_close(&m);
    cdi_native_tree_free(tree);
    free(b);
    free(x);
    sparse_free(&a);
    test_log_close(&log);
}

// signs of pivots are those of a dense factor
TEST(inertia_of_lists) {
    TestLog log;
    TestRandom r = {3};
    test_log_open(&log);
    for (int shape = 0; shape < NSHAPES; shape++) {
        Sparse a = make(log.ctx, &r, shape, 300, true);
        const CdLinsolClass *dense;
        CHECK_OK(cdi_linsol_find(log.ctx, "dense", &dense));
        CdLinsol *s = open_native(&a, true, NULL);
        CdLinsol *d = open_way(log.ctx, (Way){dense, {.symmetric = true}}, a.p);
        CdInertia in = {0, 0, 0}, proper = {0, 0, 0};
        assemble(d, a.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK_OK(cdi_linsol_factor(d));
        CHECK_OK(cdi_linsol_inertia(s, &in));
        CHECK_OK(cdi_linsol_inertia(d, &proper));
        CHECK_INT(in.positive, proper.positive);
        CHECK_INT(in.negative, proper.negative);
        CHECK(in.negative > 0);
        cdi_linsol_free(s);
        cdi_linsol_free(d);
        sparse_free(&a);
    }
    test_log_close(&log);
}

// a mass that hangs on nothing: its row and column are zero
TEST(a_loose_mass_is_named) {
    TestLog log;
    TestRandom r = {4};
    test_log_open(&log);
    enum { LOOSE = 217 };
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        Sparse a = make(log.ctx, &r, CHAIN, 400, symmetric);
        for (int j = 0; j < a.n; j++) {
            for (int k = a.p->ptr[j]; k < a.p->ptr[j + 1]; k++) {
                if (j == LOOSE || a.p->row[k] == LOOSE) a.v[k] = 0;
            }
        }
        CdLinsol *s = open_native(&a, symmetric, NULL);
        int column = -1;
        const CdStatus status = cdi_linsol_factor(s);
        if (status == CD_OK) CHECK(cdi_linsol_weakest_pivot(s, &column) < 1e-14);
        if (status == CD_SINGULAR) column = cdi_linsol_bad_column(s);
        CHECK_INT(column, LOOSE);
        cdi_linsol_free(s);
        sparse_free(&a);
    }
    test_log_close(&log);
}

// neither threads nor instruction sets change a bit
TEST(lists_are_the_same_everywhere) {
    TestLog log;
    TestRandom r = {5};
    test_log_open(&log);
    for (int trial = 0; trial < 2 * NSHAPES; trial++) {
        enum { N = 3000 };
        static double z[2][N];
        Sparse a = make(log.ctx, &r, trial / 2, N, trial % 2);
        CdiNativeTree *tree = analyze(&a, trial % 2);
        int ways = 0;
        for (int isa = 0; isa < CD_NISA; isa++) {
            for (int workers = 1; workers <= 4 && cdi_native_ops((CdIsa)isa, 1); workers += 3) {
                double *b = z[ways++ > 0];
                CdiNative m;
                CdPool *pool;
                CHECK_OK(cd_pool_new(log.ctx, workers, &pool));
                CHECK_OK(cdi_native_open(log.ctx, tree, pool, (CdIsa)isa, &m));
                for (int k = 0; k < N; k++) b[k] = 1.0 / (k + 1);
                cdi_native_factor(&m, a.v);
                cdi_native_solve(&m, trial % 3 == 0, b);
                CHECK(memcmp(b, z[0], sizeof z[0]) == 0);
                CHECK(isfinite(b[0]));
                cdi_native_close(&m);
                cd_pool_free(pool);
            }
        }
        cdi_native_tree_free(tree);
        sparse_free(&a);
    }
    test_log_close(&log);
}

int main(void) {
    RUN(short_columns_stay_single);
    RUN(pieces_have_two_chains);
    RUN(straight_chains_are_known);
    RUN(chains_with_other_rows_are_not_straight);
    RUN(neighbours_are_copied_together);
    RUN(short_cuts_change_no_bits);
    RUN(lists_solve);
    RUN(islands_keep_what_is_no_number);
    RUN(inertia_of_lists);
    RUN(a_loose_mass_is_named);
    RUN(lists_are_the_same_everywhere);
    return test_end();
}
