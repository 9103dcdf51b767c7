// test_native.c - own factors in a fixed order: which pivots they have, and what they do without
#include "linalg/native.h"

#include "linalg/solvers.h"

static const CdLinsolClass *native(CdContext *ctx) {
    const CdLinsolClass *cls = NULL;
    CHECK_OK(cdi_linsol_find(ctx, "native", &cls));
    return cls;
}

static CdLinsol *open_native(CdContext *ctx, const CdPattern *p, bool symmetric, const int *group) {
    const Way way = {native(ctx), {.symmetric = symmetric, .group = group}};
    return open_way(ctx, way, p);
}

// ---- mechanisms

#define BODY 6
#define JOINTS_MAX 400
#define BODIES_MAX 1300

// bodies with 6 velocities, joints with some rows between two of them (-1: ground), 0: a spring
typedef struct Net {
    Sparse a;
    int group[16 * BODIES_MAX];
    int nbodies;
} Net;

typedef struct Joint {
    int a, b, rows;
} Joint;

static Net *net_new(CdContext *ctx, TestRandom *r, int nbodies, int njoints, const Joint *joint) {
    Net *t = calloc(1, sizeof *t);
    CdPatternBuilder b;
    int n = BODY * nbodies;
    for (int i = 0; i < n; i++) t->group[i] = i / BODY;
    for (int j = 0; j < njoints; j++) n += joint[j].rows;
    cdi_pattern_begin(&b, ctx, n, n, true);
    cdi_pattern_add_diagonal(&b);
    for (int k = 0; k < nbodies; k++) {
        for (int i = 0; i < BODY * BODY; i++) {
            cdi_pattern_add(&b, BODY * k + i / BODY, BODY * k + i % BODY);
        }
    }
    for (int j = 0, row = BODY * nbodies; j < njoints; j++) {
        for (int i = 0; joint[j].rows == 0 && i < BODY * BODY; i++) {
            cdi_pattern_add(&b, BODY * joint[j].a + i / BODY, BODY * joint[j].b + i % BODY);
        }
        for (int i = 0; i < joint[j].rows; i++, row++) {
            t->group[row] = nbodies + j;
            for (int k = 0; k < BODY; k++) {
                if (joint[j].a >= 0) cdi_pattern_add(&b, row, BODY * joint[j].a + k);
                cdi_pattern_add(&b, row, BODY * joint[j].b + k);
            }
        }
    }
    t->nbodies = nbodies;
    t->a.ctx = ctx;
    sparse_end(&t->a, &b);
    sparse_fill(&t->a, r, 0, false);
    sparse_symmetric_values(&t->a);
    for (int i = 0; i < n; i++) {
        t->a.v[cdi_pattern_slot(t->a.p, i, i)] = i < BODY * nbodies ? BODY + 1 : 0;
    }
    return t;
}

static void net_free(Net *t) {
    sparse_free(&t->a);
    free(t);
}

static int make_chain(Joint *joint, int n, int rows) {
    for (int k = 0; k < n; k++) joint[k] = (Joint){k - 1, k, rows};
    return n;
}

// a star whose every arm is a chain: parents with many children
static int make_star(Joint *joint, int n, int rows) {
    for (int k = 0; k < n; k++) joint[k] = (Joint){k == 0 ? -1 : k <= 10 ? 0 : k - 10, k, rows};
    return n;
}

// two chains of joints that leave three freedoms, tied by rungs
static int make_ladder(Joint *joint, int n, int rows) {
    int count = 0;
    (void)rows;
    for (int k = 0; k < n; k++) {
        joint[count++] = (Joint){k < 2 ? -1 : k - 2, k, 3};
        if (k % 2) joint[count++] = (Joint){k - 1, k, 3};
    }
    return count;
}

typedef int Maker(Joint *joint, int n, int rows);
static Maker *const makers[] = {make_chain, make_star, make_ladder};

// pivots as they are, both forms of factors, no second solver, no refinement
TEST(mechanisms_need_no_search) {
    TestLog log;
    TestRandom r = {1};
    test_log_open(&log);
    for (size_t kind = 0; kind < sizeof makers / sizeof *makers; kind++) {
        for (int n = 1; n <= 121; n += 40) {
            for (int symmetric = 0; symmetric < 2; symmetric++) {
                Joint joint[JOINTS_MAX];
                const int njoints = makers[kind](joint, n, 5);
                Net *t = net_new(log.ctx, &r, n, njoints, joint);
                CdLinsol *s = open_native(log.ctx, t->a.p, symmetric, t->group);
                assemble(s, t->a.v, false);
                CHECK_OK(cdi_linsol_factor(s));
                CHECK_INT(cdi_linsol_stats(s).left, 0);
                CHECK(try_solve(s, &t->a, &r, false) < 1e3);
                CHECK(try_solve(s, &t->a, &r, true) < 1e3);
                CdInertia in = {0, 0, 0};
                if (symmetric) CHECK_OK(cdi_linsol_inertia(s, &in));
                if (symmetric) CHECK_INT(in.positive, BODY * n);
                cdi_linsol_free(s);
                net_free(t);
            }
        }
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// what is a body, a joint and a multiplier is enough for an order: no memory is taken later, and
// that is what auto relies on
TEST(known_mechanisms_take_no_memory_in_a_run) {
    TestLog log;
    TestRandom r = {8};
    test_log_open(&log);
    for (size_t kind = 0; kind < sizeof makers / sizeof *makers; kind++) {
        Joint joint[JOINTS_MAX];
        const int n = 30, njoints = makers[kind](joint, n, 5);
        Net *t = net_new(log.ctx, &r, n, njoints, joint);
        CdLinsolSetup setup = {.group = t->group, .multipliers = t->a.n - BODY * n};
        CdLinsol *s = open_way(log.ctx, (Way){NULL, setup}, t->a.p);
        CHECK_TEXT(cdi_linsol_name(s), "native");
        const uint64_t before = cd_context_memory(log.ctx).total_blocks;
        for (int again = 0; again < 3; again++) {
            assemble(s, t->a.v, false);
            CHECK_OK(cdi_linsol_factor(s));
            CHECK(try_solve(s, &t->a, &r, again % 2) < 1e3);
        }
        CHECK_INT(cd_context_memory(log.ctx).total_blocks, before);
        CHECK_INT(cdi_linsol_stats(s).factors, 1);
        CHECK_INT(cdi_linsol_stats(s).refactors, 2);
        cdi_linsol_free(s);
        setup.complex = true;
        s = open_way(log.ctx, (Way){NULL, setup}, t->a.p);
        CHECK_TEXT(cdi_linsol_name(s), "klu");
        cdi_linsol_free(s);
        net_free(t);
    }
    test_log_close(&log);
}

// order and numbering of bodies and joints are anyone's; groups need not be told
TEST(shuffled_unknowns_are_solved) {
    TestLog log;
    TestRandom r = {2};
    test_log_open(&log);
    for (int trial = 0; trial < 40; trial++) {
        Joint joint[JOINTS_MAX];
        const int n = 1 + pick(&r, 40), njoints = makers[trial % 3](joint, n, 1 + pick(&r, 5));
        Net *t = net_new(log.ctx, &r, n, njoints, joint);
        const size_t order = (size_t)t->a.n;
        int *perm = malloc(order * sizeof *perm), *map = malloc((size_t)t->a.p->nnz * sizeof *map);
        int *group = malloc(order * sizeof *group);
        for (int k = 0; k < t->a.n; k++) perm[k] = k;
        for (int k = t->a.n - 1; k > 0; k--) {
            const int other = pick(&r, k + 1), keep = perm[k];
            perm[k] = perm[other];
            perm[other] = keep;
        }
        Sparse b = {.ctx = log.ctx, .n = t->a.n};
        CHECK_OK(cdi_pattern_permute(log.ctx, t->a.p, perm, perm, map, &b.p));
        b.v = cdi_alloc_array(log.ctx, (size_t)b.p->nnz, sizeof *b.v);
        for (int k = 0; k < b.p->nnz; k++) b.v[map[k]] = t->a.v[k];
        for (int k = 0; k < b.n; k++) group[k] = t->group[perm[k]];
        CdLinsol *s = open_native(log.ctx, b.p, trial % 2, trial % 4 < 2 ? group : NULL);
        assemble(s, b.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK(try_solve(s, &b, &r, false) < 1e5);
        CHECK(try_refined(s, &b, &r, true, 2) < 10);
        if (trial % 4 < 2) CHECK_INT(cdi_linsol_stats(s).left, 0);
        cdi_linsol_free(s);
        sparse_free(&b);
        net_free(t);
        free(perm);
        free(map);
        free(group);
    }
    test_log_close(&log);
}

// any pattern, with or without diagonals, rows that are empty, couplings given twice
TEST(random_patterns_agree_with_dense) {
    TestLog log;
    TestRandom r = {3};
    test_log_open(&log);
    const CdLinsolClass *dense;
    CHECK_OK(cdi_linsol_find(log.ctx, "dense", &dense));
    for (int trial = 0; trial < 300; trial++) {
        const int n = 1 + pick(&r, 40);
        const bool symmetric = trial % 3 == 0, diagonal = trial % 5 != 0;
        Sparse a = sparse_random(log.ctx, &r, n, pick(&r, 5), symmetric, diagonal);
        sparse_fill(&a, &r, trial % 2, false);
        if (symmetric) sparse_symmetric_values(&a);
        CdLinsol *s = open_native(log.ctx, a.p, symmetric, NULL);
        CdLinsol *d = open_way(log.ctx, (Way){dense, {.symmetric = symmetric}}, a.p);
        assemble(s, a.v, false);
        assemble(d, a.v, false);
        const CdStatus expected = cdi_linsol_factor(d);
        int column;
        const bool doubtful =
            expected == CD_OK && cdi_linsol_weakest_pivot(d, &column) < 1000 * DBL_EPSILON;
        const CdStatus status = cdi_linsol_factor(s);
        if (!doubtful) CHECK_INT(status, expected);
        if (status == CD_OK) CHECK(try_refined(s, &a, &r, trial % 2, 3) < 10);
        cdi_linsol_free(s);
        cdi_linsol_free(d);
        sparse_free(&a);
    }
    test_log_close(&log);
}

// a ring that is closed where nothing gives its last joint a pivot: replaced, and mended
TEST(lost_pivots_are_mended_by_refinement) {
    TestLog log;
    TestRandom r = {4};
    test_log_open(&log);
    enum { N = 120 };
    Joint joint[N + 1];
    make_chain(joint, N, 5);
    joint[N] = (Joint){0, N - 1, 3};
    Net *t = net_new(log.ctx, &r, N, N + 1, joint);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        CdLinsol *s = open_native(log.ctx, t->a.p, symmetric, t->group);
        assemble(s, t->a.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK_INT(cdi_linsol_stats(s).left, 0);
        CHECK(try_solve(s, &t->a, &r, false) < 100);
        CHECK(try_solve(s, &t->a, &r, true) < 100);
        // one row of the last joint twice: nothing can be mended
        const int last = t->a.n - 1;
        for (int i = 0; i < BODY * N; i++) {
            const int from = cdi_pattern_slot(t->a.p, last - 1, i);
            if (from < 0) continue;
            t->a.v[cdi_pattern_slot(t->a.p, last, i)] = t->a.v[from];
            t->a.v[cdi_pattern_slot(t->a.p, i, last)] = t->a.v[from];
        }
        int column = -1;
        assemble(s, t->a.v, false);
        const CdStatus status = cdi_linsol_factor(s);
        if (status == CD_OK) CHECK(cdi_linsol_weakest_pivot(s, &column) < 1e-14);
        if (status == CD_SINGULAR) column = cdi_linsol_bad_column(s);
        CHECK(status == CD_OK || status == CD_SINGULAR);
        CHECK(column >= 0);
        CHECK_INT(cdi_linsol_stats(s).left, 1);
        sparse_fill(&t->a, &r, 0, false);
        sparse_symmetric_values(&t->a);
        for (int i = 0; i < t->a.n; i++) {
            t->a.v[cdi_pattern_slot(t->a.p, i, i)] = i < BODY * N ? BODY + 1 : 0;
        }
        cdi_linsol_free(s);
    }
    net_free(t);
    test_log_close(&log);
}

// (0 1; 1 0) has no pivots on its diagonal: 1e-8 in place of one costs half of the digits, which
// every solution gets back
TEST(replaced_pivots_cost_no_digits) {
    TestLog log;
    TestRandom r = {9};
    test_log_open(&log);
    enum { N = 80 };
    CdPatternBuilder b;
    Sparse a = {.ctx = log.ctx};
    cdi_pattern_begin(&b, log.ctx, N, N, true);
    cdi_pattern_add_diagonal(&b);
    cdi_pattern_add(&b, N - 2, N - 1);
    sparse_end(&a, &b);
    for (int j = 0; j < N; j++) {
        for (int k = a.p->ptr[j]; k < a.p->ptr[j + 1]; k++) a.v[k] = j < N - 2 || a.p->row[k] != j;
    }
    CdLinsol *s = open_native(log.ctx, a.p, false, NULL);
    assemble(s, a.v, false);
    CHECK_OK(cdi_linsol_factor(s));
    CHECK_INT(cdi_linsol_stats(s).left, 0);
    for (int t = 0; t < 2; t++) CHECK(try_solve(s, &a, &r, t) < 10);
    cdi_linsol_free(s);
    sparse_free(&a);
    test_log_close(&log);
}

// rows that do not act read 1; when they act again the order is found anew, once
TEST(constraints_that_come_back_change_the_order) {
    TestLog log;
    TestRandom r = {5};
    test_log_open(&log);
    enum { N = 20 };
    Joint joint[N];
    make_chain(joint, N, 5);
    Net *t = net_new(log.ctx, &r, N, N, joint);
    double *full = malloc((size_t)t->a.p->nnz * sizeof *full);
    memcpy(full, t->a.v, (size_t)t->a.p->nnz * sizeof *full);
    for (int j = 0; j < t->a.n; j++) {
        for (int k = t->a.p->ptr[j]; k < t->a.p->ptr[j + 1]; k++) {
            const int i = t->a.p->row[k];
            if (i >= BODY * N || j >= BODY * N) t->a.v[k] = i == j;
        }
    }
    CdLinsol *s = open_native(log.ctx, t->a.p, false, t->group);
    assemble(s, t->a.v, false);
    CHECK_OK(cdi_linsol_factor(s));
    CHECK(try_solve(s, &t->a, &r, false) < 20);
    memcpy(t->a.v, full, (size_t)t->a.p->nnz * sizeof *full);
    for (int again = 0; again < 3; again++) {
        assemble(s, t->a.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK(try_solve(s, &t->a, &r, false) < 1e3);
    }
    const CdLinsolStats stats = cdi_linsol_stats(s);
    CHECK_INT(stats.left, 0);
    CHECK(stats.factors <= 2);
    CHECK_INT(stats.factors + stats.refactors, 4);
    cdi_linsol_free(s);
    free(full);
    net_free(t);
    test_log_close(&log);
}

// a search for pivots is told of once, where it matters
TEST(what_is_left_to_others_is_told) {
    TestLog log;
    TestRandom r = {6};
    test_log_open(&log);
    enum { N = 70 };
    CdPatternBuilder b;
    Sparse a = {.ctx = log.ctx};
    cdi_pattern_begin(&b, log.ctx, N, N, false);
    for (int i = 0; i < N; i++) cdi_pattern_add(&b, (i + 1) % N, i);
    sparse_end(&a, &b);
    sparse_fill(&a, &r, 0, false);
    CdLinsol *s = open_native(log.ctx, a.p, false, NULL);
    for (int again = 0; again < 2; again++) {
        assemble(s, a.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK(try_solve(s, &a, &r, false) < 10);
    }
    CHECK_INT(cdi_linsol_stats(s).left, 2);
    CHECK_TEXT(log.text, "linear solver 'native': a matrix of order 70 needs a search for pivots "
                         "and is left to 'klu'\n");
    test_log_clear(&log);
    cdi_linsol_free(s);
    const int group[N] = {N};
    const CdLinsolSetup setup = {.group = group};
    CHECK_INT(cdi_linsol_new(log.ctx, native(log.ctx), a.p, &setup, &s), CD_INVALID);
    CHECK_TEXT(log.text, "unknown 0 is in group 70, not in 0 ... 69\n");
    sparse_free(&a);
    test_log_close(&log);
}

// ---- equal systems side by side, chains cut into pieces, threads

#define ISLAND 6 // bodies

// chains of a few bodies, each tied to the ground
static int make_islands(Joint *joint, int n, int rows) {
    for (int k = 0; k < n; k++) joint[k] = (Joint){k % ISLAND ? k - 1 : -1, k, rows};
    return n;
}

// the same of two kinds
static int make_kinds(Joint *joint, int n, int rows) {
    const int half = n / ISLAND / 2 * ISLAND;
    make_islands(joint, n, rows);
    for (int k = half; k < n; k++) joint[k].rows = rows - 1;
    return n;
}

// a star whose arms have any joints: no two are alike
static int make_wild(Joint *joint, int n, int rows) {
    TestRandom r = {17};
    make_star(joint, n, rows);
    for (int k = 0; k < n; k++) joint[k].rows = 1 + pick(&r, rows);
    return n;
}

static Maker *const divided[] = {make_islands, make_chain, make_star, make_kinds};
enum { NDIVIDED = sizeof divided / sizeof *divided };

static CdiNativeTree *analyze(CdContext *ctx, const Net *t, bool symmetric) {
    const CdCsc a = {.pattern = t->a.p, .v = t->a.v};
    CdiNativeTree *tree = NULL;
    CHECK_OK(cdi_native_analyze(ctx, &a, t->group, (CdiNativeWay){.cut = true}, symmetric, &tree));
    return tree;
}

// unknowns that are eliminated side by side with others
static int count_wide(const CdiNativeTree *tree) {
    int inside = 0;
    for (int k = 0; k < tree->nunits; k++) {
        const CdiNativeUnit *u = &tree->units[k];
        inside += u->width > 1 ? u->count * u->part->n : 0;
    }
    return inside;
}

// five trees with two branches at every body, eliminated from all sides to one of their last
// bodies: the way from there to where they branch is long. No unit has all of them side by side
TEST(large_trees_are_split_where_they_branch) {
    enum { TREES = 5, BODIES = 255 };
    TestLog log;
    TestRandom r = {13};
    Joint joint[TREES * BODIES];
    test_log_open(&log);
    for (int k = 0; k < TREES * BODIES; k++) {
        const int tree = k / BODIES * BODIES, body = k - tree;
        joint[k] = (Joint){body == 0 ? -1 : tree + (body - 1) / 2, k, 5};
    }
    Net *t = net_new(log.ctx, &r, TREES * BODIES, TREES * BODIES, joint);
    CdiNativeTree *tree = analyze(log.ctx, t, false);
    for (int k = 0; k < tree->nunits; k++) CHECK(tree->units[k].part->n < tree->n / TREES);
    CHECK(4 * count_wide(tree) > 3 * tree->n);
    cdi_native_tree_free(tree);
    net_free(t);
    test_log_close(&log);
}

// pieces of bodies that springs couple, too, have nearly twice the numbers
TEST(long_chains_are_cut_where_bodies_meet_joints_only) {
    enum { BODIES = 300 };
    TestLog log;
    TestRandom r = {19};
    Joint joint[2 * BODIES];
    test_log_open(&log);
    make_chain(joint, BODIES, 5);
    for (int k = 1; k < BODIES; k++) joint[BODIES + k - 1] = (Joint){k - 1, k, 0};
    Net *loose = net_new(log.ctx, &r, BODIES, BODIES, joint);
    Net *tight = net_new(log.ctx, &r, BODIES, 2 * BODIES - 1, joint);
    CdiNativeTree *cut = analyze(log.ctx, loose, true), *whole = analyze(log.ctx, tight, true);
    CHECK(4 * count_wide(cut) > 3 * cut->n);
    CHECK_INT(count_wide(whole), 0);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        CdLinsol *s = open_native(log.ctx, loose->a.p, symmetric, loose->group);
        assemble(s, loose->a.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK(try_solve(s, &loose->a, &r, false) < 10);
        CHECK_INT(cdi_linsol_stats(s).left, 0);
        cdi_linsol_free(s);
    }
    cdi_native_tree_free(cut);
    cdi_native_tree_free(whole);
    net_free(loose);
    net_free(tight);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// more than half of the unknowns are in wide units, which are full but for the last of a kind, if
// that has more than two; steps are one to one
TEST(equal_subtrees_share_a_unit) {
    TestLog log;
    TestRandom r = {11};
    test_log_open(&log);
    for (int kind = 0; kind < NDIVIDED; kind++) {
        Joint joint[JOINTS_MAX];
        const int n = 20 * ISLAND, njoints = divided[kind](joint, n, 5);
        Net *t = net_new(log.ctx, &r, n, njoints, joint);
        CdiNativeTree *tree = analyze(log.ctx, t, kind % 2);
        for (int k = 0; k < tree->nunits; k++) {
            const CdiNativeUnit *u = &tree->units[k];
            const bool last = k + 1 == tree->nunits || u[1].like != u->like;
            CHECK(u->width == 1 || u->count == CDI_NATIVE_WIDE || (last && u->count > 2));
        }
        CHECK(2 * count_wide(tree) > tree->n);
        for (int i = 0; i < tree->n; i++) CHECK_INT(tree->perm[tree->step[i]], i);
        cdi_native_tree_free(tree);
        net_free(t);
    }
    test_log_close(&log);
}

// symmetric or not, transposed or not, whatever the last unit of a kind holds
TEST(units_of_any_count_are_solved) {
    TestLog log;
    TestRandom r = {12};
    test_log_open(&log);
    for (int trial = 0; trial < 64; trial++) {
        Joint joint[JOINTS_MAX];
        const int n = ISLAND * (4 + trial / 4), njoints = divided[trial % NDIVIDED](joint, n, 5);
        Net *t = net_new(log.ctx, &r, n, njoints, joint);
        const bool symmetric = trial / 4 % 2;
        for (int k = 0; !symmetric && k < t->a.p->nnz; k++) {
            if (t->a.v[k] < 3) t->a.v[k] *= test_random(&r, 0.9, 1.1);
        }
        CdLinsol *s = open_native(log.ctx, t->a.p, symmetric, t->group);
        for (int time = 0; time < 2; time++) { // the second one finds what the first has left
            assemble(s, t->a.v, false);
            CHECK_OK(cdi_linsol_factor(s));
        }
        CHECK_INT(cdi_linsol_stats(s).left, 0);
        CHECK(try_solve(s, &t->a, &r, false) < 1e3);
        CHECK(try_solve(s, &t->a, &r, true) < 1e3);
        CdInertia in = {0, 0, 0};
        if (symmetric) CHECK_OK(cdi_linsol_inertia(s, &in));
        if (symmetric) CHECK_INT(in.positive, BODY * n);
        if (symmetric) CHECK_INT(in.negative, t->a.n - BODY * n);
        cdi_linsol_free(s);
        net_free(t);
    }
    test_log_close(&log);
}

// a system among equals whose joint acts twice: found, and named
TEST(one_of_many_is_singular) {
    TestLog log;
    TestRandom r = {13};
    test_log_open(&log);
    Joint joint[JOINTS_MAX];
    enum { N = 20 * ISLAND };
    const int njoints = make_islands(joint, N, 5);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        Net *t = net_new(log.ctx, &r, N, njoints, joint);
        const int row = BODY * N + 5 * (7 * ISLAND + 2);
        for (int i = 0; i < BODY * N; i++) {
            const int from = cdi_pattern_slot(t->a.p, row, i);
            if (from < 0) continue;
            t->a.v[cdi_pattern_slot(t->a.p, row + 1, i)] = t->a.v[from];
            t->a.v[cdi_pattern_slot(t->a.p, i, row + 1)] = t->a.v[from];
        }
        CdLinsol *s = open_native(log.ctx, t->a.p, symmetric, t->group);
        assemble(s, t->a.v, false);
        int column = -1;
        const CdStatus status = cdi_linsol_factor(s);
        if (status == CD_OK) CHECK(cdi_linsol_weakest_pivot(s, &column) < 1e-14);
        if (status == CD_SINGULAR) column = cdi_linsol_bad_column(s);
        CHECK(status == CD_OK || status == CD_SINGULAR);
        CHECK(column >= 0);
        CHECK(column < t->a.n);
        CHECK_INT(t->group[column] % N / ISLAND, 7);
        cdi_linsol_free(s);
        net_free(t);
    }
    test_log_close(&log);
}

// factors, solutions and what is said of pivots do not depend on the number of threads
TEST(threads_do_not_change_a_bit) {
    TestLog log;
    TestRandom r = {14};
    test_log_open(&log);
    static const int workers[] = {1, 2, 3, 8};
    for (int trial = 0; trial < 2 * NDIVIDED + 2; trial++) {
        Joint joint[JOINTS_MAX];
        const bool wild = trial / 2 == NDIVIDED;
        const int n = wild ? JOINTS_MAX : 30 * ISLAND;
        const int njoints = (wild ? make_wild : divided[trial / 2])(joint, n, 5);
        Net *t = net_new(log.ctx, &r, n, njoints, joint);
        CdiNativeTree *tree = analyze(log.ctx, t, trial % 2);
        CHECK(tree->nunits > 0);
        const CdiNativeUnit *last = &tree->units[tree->nunits > 0 ? tree->nunits - 1 : 0];
        CHECK(!wild || (last->width == 1 && last->part->nouter > 0));
        cdi_native_tree_free(tree);
        const size_t order = (size_t)t->a.n;
        double *b = malloc(2 * order * sizeof *b), *x = b + order, least = 0;
        for (size_t k = 0; k < sizeof workers / sizeof *workers; k++) {
            CdPool *pool;
            CHECK_OK(cd_pool_new(log.ctx, workers[k], &pool));
            const CdLinsolSetup setup = {.symmetric = trial % 2, .group = t->group, .pool = pool};
            CdLinsol *s = open_way(log.ctx, (Way){native(log.ctx), setup}, t->a.p);
            double *y = k == 0 ? b : x;
            int column;
            assemble(s, t->a.v, false);
            CHECK_OK(cdi_linsol_factor(s));
            for (size_t i = 0; i < order; i++) y[i] = 1.0 / (double)(i + 1);
            CHECK_OK(cdi_linsol_solve(s, 1, y, t->a.n, trial % 3 == 0));
            if (k == 0) least = cdi_linsol_weakest_pivot(s, &column);
            CHECK(cdi_linsol_weakest_pivot(s, &column) == least);
            CHECK(memcmp(y, b, order * sizeof *b) == 0);
            cdi_linsol_free(s);
            cd_pool_free(pool);
        }
        free(b);
        net_free(t);
    }
    test_log_close(&log);
}

// unknowns that meet nobody, rows without an entry
TEST(lone_unknowns_and_empty_rows) {
    TestLog log;
    TestRandom r = {15};
    test_log_open(&log);
    enum { N = 37 };
    CdPatternBuilder b;
    Sparse a = {.ctx = log.ctx};
    cdi_pattern_begin(&b, log.ctx, N, N, true);
    cdi_pattern_add_diagonal(&b);
    sparse_end(&a, &b);
    for (int k = 0; k < N; k++) a.v[k] = 1 + k;
    CdLinsol *s = open_native(log.ctx, a.p, true, NULL);
    assemble(s, a.v, false);
    CHECK_OK(cdi_linsol_factor(s));
    CHECK(try_solve(s, &a, &r, false) < 4);
    a.v[20] = 0;
    assemble(s, a.v, false);
    CHECK_INT(cdi_linsol_factor(s), CD_SINGULAR);
    CHECK_INT(cdi_linsol_bad_row(s), 20);
    a.v[20] = NAN;
    assemble(s, a.v, false);
    CHECK_INT(cdi_linsol_factor(s), CD_NONFINITE);
    CHECK_INT(cdi_linsol_bad_column(s), 20);
    cdi_linsol_free(s);
    sparse_free(&a);
    test_log_close(&log);
}

// triangles and paths of three have the same panels, but not the same numbers of A in them
TEST(systems_of_a_unit_may_lack_numbers) {
    TestLog log;
    TestRandom r = {18};
    test_log_open(&log);
    enum { N = 48 };
    CdPatternBuilder b;
    Sparse a = {.ctx = log.ctx};
    cdi_pattern_begin(&b, log.ctx, N, N, true);
    cdi_pattern_add_diagonal(&b);
    for (int k = 0; k < N; k += 3) {
        cdi_pattern_add(&b, k, k + 1);
        cdi_pattern_add(&b, k + 1, k + 2);
        if (k % 2) cdi_pattern_add(&b, k, k + 2);
    }
    sparse_end(&a, &b);
    sparse_fill(&a, &r, 0, false);
    for (int k = 0; k < N; k++) a.v[cdi_pattern_slot(a.p, k, k)] = 4;
    CdLinsol *s = open_native(log.ctx, a.p, false, NULL);
    assemble(s, a.v, false);
    CHECK_OK(cdi_linsol_factor(s));
    CHECK(try_solve(s, &a, &r, false) < 20);
    cdi_linsol_free(s);
    sparse_free(&a);
    test_log_close(&log);
}

// a chain that is cut and pairs that are alike
static CdStatus beads(CdContext *ctx, void *user) {
    CdPatternBuilder b;
    CdPattern *p;
    CdLinsol *s = NULL;
    enum { CHAIN = 40, N = 56 };
    cdi_pattern_begin(&b, ctx, N, N, true);
    cdi_pattern_add_diagonal(&b);
    for (int k = 1; k < CHAIN; k++) cdi_pattern_add(&b, k, k - 1);
    for (int k = CHAIN + 1; k < N; k += 2) cdi_pattern_add(&b, k, k - 1);
    CD_TRY(cdi_pattern_end(&b, &p));
    const CdLinsolSetup setup = {.symmetric = true};
    CdStatus status = cdi_linsol_new(ctx, user, p, &setup, &s);
    double *a = status == CD_OK ? cdi_linsol_begin(s) : NULL;
    for (int k = 0; a && k < N; k++) a[cdi_pattern_slot(p, k, k)] = 2;
    if (a) status = cdi_linsol_factor(s);
    cdi_linsol_free(s);
    cdi_pattern_free(p);
    return status;
}

TEST(memory_of_units_fails_cleanly) {
    TestLog log;
    test_log_open(&log);
    CHECK_OOM(beads, (void *)native(log.ctx));
    test_log_close(&log);
}

// the same bits whatever the processor can
TEST(instruction_sets_agree_to_the_bit) {
    TestLog log;
    TestRandom r = {7};
    test_log_open(&log);
    enum { N = 120 };
    for (int trial = 0; trial < 2 * NDIVIDED; trial++) {
        const bool symmetric = trial % 2;
        Joint joint[JOINTS_MAX];
        const int njoints = divided[trial / 2](joint, N, 5);
        Net *t = net_new(log.ctx, &r, N, njoints, joint);
        const CdCsc a = {.pattern = t->a.p, .v = t->a.v};
        const size_t bytes = (size_t)t->a.n * sizeof(double);
        double *z[CD_NISA] = {NULL};
        for (int isa = 0; isa < CD_NISA; isa++) {
            CdiNativeTree *tree;
            CdiNative m;
            if (!cdi_native_ops((CdIsa)isa, 1)) continue;
            CHECK_OK(cdi_native_analyze(log.ctx, &a, t->group, (CdiNativeWay){.cut = true},
                                        symmetric, &tree));
            CHECK_OK(cdi_native_open(log.ctx, tree, NULL, (CdIsa)isa, &m));
            CHECK(tree->nunits > 0);
            for (int k = 0; k < tree->nsteps; k++) m.scale[k] = 1;
            z[isa] = malloc(bytes);
            for (int k = 0; k < tree->n; k++) z[isa][k] = 1.0 / (k + 1);
            cdi_native_factor(&m, a.v);
            cdi_native_solve(&m, trial % 3 == 0, z[isa]);
            CHECK(memcmp(z[isa], z[0], bytes) == 0);
            CHECK(isfinite(z[isa][0]));
            cdi_native_close(&m);
            cdi_native_tree_free(tree);
        }
        for (int isa = 0; isa < CD_NISA; isa++) free(z[isa]);
        net_free(t);
    }
    test_log_close(&log);
}

int main(void) {
    RUN(mechanisms_need_no_search);
    RUN(known_mechanisms_take_no_memory_in_a_run);
    RUN(shuffled_unknowns_are_solved);
    RUN(random_patterns_agree_with_dense);
    RUN(lost_pivots_are_mended_by_refinement);
    RUN(replaced_pivots_cost_no_digits);
    RUN(constraints_that_come_back_change_the_order);
    RUN(what_is_left_to_others_is_told);
    RUN(large_trees_are_split_where_they_branch);
    RUN(long_chains_are_cut_where_bodies_meet_joints_only);
    RUN(equal_subtrees_share_a_unit);
    RUN(units_of_any_count_are_solved);
    RUN(one_of_many_is_singular);
    RUN(threads_do_not_change_a_bit);
    RUN(lone_unknowns_and_empty_rows);
    RUN(systems_of_a_unit_may_lack_numbers);
    RUN(memory_of_units_fails_cleanly);
    RUN(instruction_sets_agree_to_the_bit);
    return test_end();
}
