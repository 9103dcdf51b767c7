// test_context.c - status texts, messages, counted memory, arenas, arrays, texts, suggestions,
// clocks
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/isa.h"
#include "test.h"

TEST(status_has_name_and_text) {
    CHECK_TEXT(cd_status_name(CD_NOMEM), "NOMEM");
    CHECK_TEXT(cd_status_text(CD_NOMEM), "out of memory");
    CHECK_TEXT(cd_status_name((CdStatus)999), "UNKNOWN");
    CHECK_TEXT(cd_status_text((CdStatus)-1), "unknown status");
}

TEST(message_reads_from_the_outside_in) {
    CdMessage m = {CD_ERROR,
                   CD_INVALID,
                   {"a.json", 41, 17, "RevoluteJoint", "crank", "axis"},
                   "must not be zero"};
    char buf[200];
    const char *all = "a.json:41:17: RevoluteJoint 'crank': field 'axis': must not be zero";
    CHECK_INT(cd_message_format(&m, buf, sizeof buf), strlen(all));
    CHECK_TEXT(buf, all);
    m.place.item_name = NULL;
    m.place.line = 0;
    cd_message_format(&m, buf, sizeof buf);
    CHECK_TEXT(buf, "a.json: RevoluteJoint: field 'axis': must not be zero");
    m.place = (CdPlace){0};
    cd_message_format(&m, buf, 5);
    CHECK_TEXT(buf, "must");
    CHECK_INT(cd_message_format(&m, NULL, 0), strlen("must not be zero"));
}

TEST(messages_keep_to_their_line) {
    CdMessage m = {
        CD_ERROR, CD_INVALID, {.item_class = "Wheel", .item_name = "a\nb\x1b[1m"}, "é\t"};
    char buf[200], name[201];
    cd_message_format(&m, buf, sizeof buf);
    CHECK_TEXT(buf, "Wheel 'a\\nb\\x1b[1m': é\\x09");

    // long names are shortened, characters are not cut in two
    memset(name, 'x', 200);
    memcpy(name + 59, "é", 2);
    name[200] = '\0';
    m.place.item_name = name;
    cd_message_format(&m, buf, sizeof buf);
    CHECK_TEXT(buf + 62, "xxxx...': é\\x09");
    m.place.item_name = "a";
    cd_message_format(&m, buf, 13);
    CHECK_TEXT(buf, "Wheel 'a': ");
    cd_message_format(&m, buf, 14);
    CHECK_TEXT(buf, "Wheel 'a': é");
}

TEST(long_messages_end_in_dots) {
    static TestLog log;
    test_log_open(&log);
    char big[3000];
    memset(big, 'x', sizeof big);
    big[sizeof big - 1] = '\0';
    CHECK_INT(cdi_fail(log.ctx, CD_IO, "%s", big), CD_IO);
    CHECK_INT(log.n, 2048);
    CHECK_TEXT(log.text + log.n - 5, "x...\n");
    test_log_close(&log);
}

static void keep_level(void *user, const CdMessage *message) {
    CdMessage *last = user;
    *last = (CdMessage){message->level, message->status, message->place, NULL};
}

TEST(warnings_are_no_failures) {
    static TestLog log;
    test_log_open(&log);
    cdi_warn(log.ctx, "%d of %s", 3, "them");
    CHECK_TEXT(log.text, "3 of them\n");
    CdMessage last = {CD_ERROR, CD_BUG, {0}, NULL};
    cd_context_set_sink(log.ctx, keep_level, &last);
    cdi_warn(log.ctx, "x");
    CHECK_INT(last.level, CD_WARNING);
    CHECK_INT(last.status, CD_OK);
    cdi_fail(log.ctx, CD_IO, "x");
    CHECK_INT(last.level, CD_ERROR);
    CHECK_INT(last.status, CD_IO);
    cd_context_set_sink(log.ctx, NULL, NULL);
    cdi_warn(log.ctx, "nobody listens");
    test_log_close(&log);
}

TEST(memory_is_counted) {
    CdContext *ctx = cd_context_new(NULL);
    char *a = cdi_alloc(ctx, 100);
    for (int i = 0; i < 100; i++) CHECK_INT(a[i], 0);
    CHECK_INT((uintptr_t)a % 16, 0);
    a = cdi_resize(ctx, a, 300);
    char *b = cdi_strdup(ctx, "hello");
    CHECK_TEXT(b, "hello");
    CdMemory m = cd_context_memory(ctx);
    CHECK_INT(m.live_bytes, 306);
    CHECK_INT(m.live_blocks, 2);
    CHECK_INT(m.total_blocks, 3);
    cdi_free(ctx, a);
    cdi_free(ctx, NULL);
    m = cd_context_memory(ctx);
    CHECK_INT(m.live_bytes, 6);
    CHECK_INT(m.live_blocks, 1);
    CHECK_INT(m.peak_bytes, 306);
    cdi_free(ctx, b);
    CHECK(cdi_resize(ctx, NULL, SIZE_MAX) == NULL);
    CHECK(cdi_alloc_array(ctx, SIZE_MAX / 2, 4) == NULL);
    cd_context_free(ctx);
    cd_context_free(NULL);
}

TEST(the_nth_allocation_fails) {
    CdContext *ctx = cd_context_new(NULL);
    cdi_context_fail_at(ctx, 2, true);
    void *a = cdi_alloc(ctx, 8);
    CHECK(a != NULL);
    CHECK(cdi_alloc(ctx, 8) == NULL);
    CHECK(cdi_resize(ctx, a, 16) == NULL);
    cdi_context_fail_at(ctx, 1, false);
    CHECK(cdi_alloc(ctx, 8) == NULL);
    a = cdi_resize(ctx, a, 16);
    CHECK(a != NULL);
    cdi_context_fail_at(ctx, 0, false);
    cdi_free(ctx, a);
    CHECK_INT(cd_context_memory(ctx).live_blocks, 0);
    cd_context_free(ctx);
}

static void *never(void *user, void *p, size_t n) {
    (void)p;
    (void)n;
    ++*(int *)user;
    return NULL;
}

TEST(users_bring_their_own_memory) {
    int calls = 0;
    CdAllocator allocator = {never, &calls};
    CHECK(cd_context_new(&allocator) == NULL);
    CHECK_INT(calls, 1);
}

TEST(arena_aligns_and_gives_back) {
    CdContext *ctx = cd_context_new(NULL);
    CdArena arena;
    cdi_arena_init(&arena, ctx, 256);
    for (size_t align = 1; align <= CD_ARENA_ALIGN; align *= 2) {
        for (size_t n = 0; n < 1000; n += 37) {
            unsigned char *p = cdi_arena_alloc(&arena, n, align);
            CHECK_INT((uintptr_t)p % align, 0);
            for (size_t i = 0; i < n; i++) CHECK(p[i] == 0);
            memset(p, 0xff, n);
        }
    }
    CHECK_TEXT(cdi_arena_strndup(&arena, "hinge joint", 5), "hinge");
    CHECK_TEXT(cdi_arena_join(&arena, 3, (const char *const[]){"joint '", "hinge", "'"}),
               "joint 'hinge'");
    CHECK_TEXT(cdi_arena_join(&arena, 0, NULL), "");
    CHECK(cdi_arena_alloc(&arena, SIZE_MAX - 10, 1) == NULL);
    cdi_arena_clear(&arena);
    CHECK_INT(cd_context_memory(ctx).live_blocks, 0);
    CHECK(cdi_arena_alloc(&arena, 10, 8) != NULL);
    cdi_arena_clear(&arena);
    cd_context_free(ctx);
}

TEST(small_pieces_share_blocks_and_large_ones_do_not_disturb_them) {
    CdContext *ctx = cd_context_new(NULL);
    CdArena arena;
    cdi_arena_init(&arena, ctx, 0);
    char *before = cdi_arena_alloc(&arena, 1000, 8);
    CHECK_INT(cd_context_memory(ctx).live_blocks, 1);
    for (int k = 0; k < 1000; k++) {
        char *p = cdi_arena_alloc(&arena, 40, 8);
        for (int i = 0; i < 40; i++) CHECK(p[i] == 0);
        memset(p, 0xff, 40);
        if (k % 100 == 0) CHECK(cdi_arena_alloc(&arena, 100000, 8) != NULL);
        if (k % 100 == 99) CHECK(before + 40 == p); // side by side
        before = p;
    }
    // ten large ones, and blocks that double up to 64 kB
    const CdMemory memory = cd_context_memory(ctx);
    CHECK(memory.live_blocks < 20);
    CHECK(memory.live_bytes < 1000000 + 2 * 41000);
    cdi_arena_clear(&arena);
    CHECK_INT(cd_context_memory(ctx).live_bytes, 0);
    cd_context_free(ctx);
}

static CdStatus grow(CdContext *ctx, void *user) {
    (void)user;
    CD_ARRAY(int) a = {0};
    CdStatus status = CD_OK;
    for (int i = 0; i < 100 && status == CD_OK; i++) status = CD_PUSH(ctx, a, i * i);
    for (size_t i = 0; i < a.n; i++) CHECK_INT(a.v[i], i * i);
    cdi_array_free(ctx, &a.any);
    CHECK_INT(a.cap, 0);
    return status;
}

TEST(arrays_grow) {
    CHECK_OOM(grow, NULL);
    CdContext *ctx = cd_context_new(NULL);
    CD_ARRAY(double) a = {0};
    CHECK_INT(cdi_array_fit(ctx, &a.any, SIZE_MAX / 4, sizeof(double)), CD_NOMEM);
    CHECK_INT(cdi_array_fit(ctx, &a.any, SIZE_MAX, 1), CD_NOMEM);
    cd_context_free(ctx);
}

static CdStatus build_text(CdContext *ctx, void *user) {
    (void)user;
    CdText t;
    cdi_text_init(&t, ctx);
    for (int i = 0; i < 50; i++) cdi_text_addf(&t, "%d,", i);
    cdi_text_addn(&t, "end!", 3);
    if (t.status == CD_OK) {
        CHECK_TEXT(t.v + t.n - 6, "49,end");
        cdi_text_clear(&t);
        CHECK_TEXT(t.v, "");
    }
    CdStatus status = t.status;
    cdi_text_free(&t);
    return status;
}

TEST(text_grows_and_remembers_failure) {
    CHECK_OOM(build_text, NULL);
}

static CdStatus fill_arena(CdContext *ctx, void *user) {
    (void)user;
    CdArena arena;
    cdi_arena_init(&arena, ctx, 64);
    CdStatus status = CD_OK;
    for (int i = 0; i < 10 && status == CD_OK; i++) {
        if (!cdi_arena_alloc(&arena, 100, 8)) status = CD_NOMEM;
    }
    cdi_arena_clear(&arena);
    return status;
}

TEST(arena_survives_lack_of_memory) {
    CHECK_OOM(fill_arena, NULL);
}

TEST(suggestions_are_close_or_absent) {
    static const char *const names[] = {"stiffness", "damping", "length", "marker_a", "marker_b"};
    CHECK_TEXT(cdi_suggest("stifness", names, 5), "stiffness");
    CHECK_TEXT(cdi_suggest("lenght", names, 5), "length");
    CHECK_TEXT(cdi_suggest("MARKER_B", names, 5), "marker_b");
    CHECK_TEXT(cdi_suggest("dampign", names, 5), "damping");
    CHECK_TEXT(cdi_suggest("colour", names, 5), NULL);
    CHECK_TEXT(cdi_suggest("marker_bb", names, 5), "marker_b");
    CHECK_TEXT(cdi_suggest("dxmpyng", names, 5), "damping");
    CHECK_TEXT(cdi_suggest("dxmpyzg", names, 5), NULL);
    CHECK_TEXT(cdi_suggest("", names, 5), NULL);
    char big[200];
    memset(big, 'a', sizeof big);
    big[sizeof big - 1] = '\0';
    CHECK_TEXT(cdi_suggest(big, names, 5), NULL);
}

TEST(clocks_run_forward) {
    int64_t wall = cdi_clock_ns(), cpu = cdi_clock_thread_ns();
    volatile double x = 0;
    for (int i = 0; i < 1000000; i++) x += 1;
    CHECK(x > 0);
    CHECK(cdi_clock_ns() > wall);
    CHECK(cdi_clock_thread_ns() > cpu);
}

TEST(isa_is_known) {
    CHECK(cdi_isa() < CD_NISA);
    CHECK_TEXT(cdi_isa_name(CD_ISA_AVX512), "avx512");
}

int main(void) {
    RUN(status_has_name_and_text);
    RUN(message_reads_from_the_outside_in);
    RUN(messages_keep_to_their_line);
    RUN(long_messages_end_in_dots);
    RUN(warnings_are_no_failures);
    RUN(memory_is_counted);
    RUN(the_nth_allocation_fails);
    RUN(users_bring_their_own_memory);
    RUN(arena_aligns_and_gives_back);
    RUN(small_pieces_share_blocks_and_large_ones_do_not_disturb_them);
    RUN(arrays_grow);
    RUN(text_grows_and_remembers_failure);
    RUN(arena_survives_lack_of_memory);
    RUN(suggestions_are_close_or_absent);
    RUN(clocks_run_forward);
    RUN(isa_is_known);
    return test_end();
}
