// test_sections.c - unknowns in sections that do not meet, solved for by themselves
#include "linalg/solvers.h"

#define BLOCK 12
#define BLOCKS 21

// BLOCKS full blocks, some of which are tied to the next one
static Sparse make(CdContext *ctx, TestRandom *r, bool tied) {
    Sparse a = {.ctx = ctx};
    CdPatternBuilder b;
    cdi_pattern_begin(&b, ctx, BLOCK * BLOCKS, BLOCK * BLOCKS, true);
    cdi_pattern_add_diagonal(&b);
    for (int k = 0; k < BLOCKS; k++) {
        for (int i = 0; i < BLOCK * BLOCK; i++) {
            cdi_pattern_add(&b, BLOCK * k + i / BLOCK, BLOCK * k + i % BLOCK);
        }
    }
    if (tied) cdi_pattern_add(&b, BLOCK * 9 - 1, BLOCK * 9);
    sparse_end(&a, &b);
    sparse_fill(&a, r, BLOCK, false);
    return a;
}

// solved group by group from the last one up: the bits of all at once; how many groups there are
static int check_groups(CdLinsol *s, const Sparse *a, TestRandom *r) {
    int of[BLOCK * BLOCKS], first[BLOCKS + 1], groups = 0;
    double whole[BLOCK * BLOCKS], apart[BLOCK * BLOCKS];
    bool together[BLOCKS];
    const CdLinsolSections sections = {.n = BLOCKS, .of = of, .together = together, .first = first};
    for (int i = 0; i < a->n; i++) of[i] = i / BLOCK;
    if (!cdi_linsol_sections(s, &sections)) return 0;
    CHECK(!together[0]);
    for (int i = 0; i < a->n; i++) whole[i] = apart[i] = test_random(r, -1, 1);
    CHECK_OK(cdi_linsol_solve(s, 1, whole, a->n, false));
    for (int end = BLOCKS, k = BLOCKS - 1; k >= 0; k--) {
        if (together[k]) continue;
        cdi_linsol_solve_sections(s, &sections, k, end, 0, apart);
        end = k;
        groups++;
    }
    int differ = 0;
    for (int i = 0; i < a->n; i++) differ += memcmp(&whole[i], &apart[i], sizeof *apart) != 0;
    CHECK_INT(differ, 0);
    return groups;
}

static int groups_of(const char *name, bool tied) {
    TestLog log;
    TestRandom r = {11};
    const CdLinsolClass *cls;
    test_log_open(&log);
    Sparse a = make(log.ctx, &r, tied);
    CHECK_OK(cdi_linsol_find(log.ctx, name, &cls));
    CdLinsol *s = open_way(log.ctx, (Way){cls, {0}}, a.p);
    cdi_linsol_set(s, a.v);
    CHECK_OK(cdi_linsol_factor(s));
    const int groups = check_groups(s, &a, &r);
    cdi_linsol_free(s);
    sparse_free(&a);
    test_log_close(&log);
    return groups;
}

// eight alike are one unit, the last of them not full
TEST(units_hold_their_sections_together) {
    CHECK_INT(groups_of("native", false), (BLOCKS + 7) / 8);
}

TEST(tied_sections_are_solved_together) {
    const int groups = groups_of("native", true);
    CHECK(groups < (BLOCKS + 7) / 8);
}

TEST(others_solve_all_at_once) {
    CHECK_INT(groups_of("dense", false), 0);
}

int main(void) {
    RUN(units_hold_their_sections_together);
    RUN(tied_sections_are_solved_together);
    RUN(others_solve_all_at_once);
    return test_end();
}
