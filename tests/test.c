// test.c - the whole test framework
#include "test.h"

#include <math.h>
#include <string.h>

// the only mutable globals of the project: a test program is one run of one thread
static int passed, failed;
static bool current_ok;

void test_run(const char *name, void (*body)(void)) {
    current_ok = true;
    body();
    printf("%s %s\n", current_ok ? "ok  " : "FAIL", name);
    if (current_ok) {
        passed++;
    } else {
        failed++;
    }
    fflush(stdout);
}

int test_end(void) {
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}

bool test_check(const char *file, int line, bool ok, const char *what) {
    if (!ok) {
        printf("%s:%d: failed: %s\n", file, line, what);
        current_ok = false;
    }
    return ok;
}

bool test_int(const char *file, int line, const char *what, long long got, long long expected) {
    if (got == expected) return true;
    printf("%s:%d: %s is %lld, expected %lld\n", file, line, what, got, expected);
    current_ok = false;
    return false;
}

bool test_text(const char *file, int line, const char *what, const char *got,
               const char *expected) {
    if (cdi_equal(got, expected)) return true;
    printf("%s:%d: %s is\n%s\nexpected\n%s\n", file, line, what, got ? got : "(null)",
           expected ? expected : "(null)");
    current_ok = false;
    return false;
}

bool test_near(const char *file, int line, const char *what, double got, double expected,
               double tol) {
    if (fabs(got - expected) <= tol) return true;
    printf("%s:%d: %s is %.17g, expected %.17g within %g (off by %g)\n", file, line, what, got,
           expected, tol, got - expected);
    current_ok = false;
    return false;
}

bool test_bits(const char *file, int line, const char *what, double got, double expected) {
    if (memcmp(&got, &expected, sizeof got) == 0) return true;
    printf("%s:%d: %s is %a, expected exactly %a\n", file, line, what, got, expected);
    current_ok = false;
    return false;
}

static void collect(void *user, const CdMessage *message) {
    TestLog *log = user;
    size_t room = sizeof log->text - log->n;
    size_t n = cd_message_format(message, log->text + log->n, room);
    if (n + 2 > room) return;
    log->n += n;
    log->text[log->n++] = '\n';
    log->text[log->n] = '\0';
}

void test_log_open(TestLog *log) {
    log->ctx = cd_context_new(NULL);
    test_log_clear(log);
    cd_context_set_sink(log->ctx, collect, log);
}

void test_log_clear(TestLog *log) {
    log->n = 0;
    log->text[0] = '\0';
}

void test_log_close(TestLog *log) {
    CHECK_INT(cd_context_memory(log->ctx).live_blocks, 0);
    CHECK_INT(cd_context_memory(log->ctx).live_bytes, 0);
    cd_context_free(log->ctx);
}

// far above what any tested function needs
#define OOM_STEPS_MAX 100000

// one run of the body; false ends the walk
static bool oom_step(const char *where, TestBody *body, void *user, uint64_t n, bool and_after) {
    CdContext *ctx = cd_context_new(NULL);
    cdi_context_fail_at(ctx, n, and_after);
    CdStatus status = body(ctx, user);
    CdMemory memory = cd_context_memory(ctx);
    cd_context_free(ctx);
    bool reached = memory.total_blocks >= n;
    bool ok = memory.live_blocks == 0 && status == (reached ? CD_NOMEM : CD_OK);
    if (!ok || (n == 1 && !reached)) {
        printf("%s: %s, %zu blocks leaked, when allocation %llu %sfails\n", where,
               cd_status_name(status), memory.live_blocks, (unsigned long long)n,
               and_after ? "and all after it " : "");
        current_ok = false;
        return false;
    }
    return reached;
}

void test_oom(const char *file, int line, const char *what, TestBody *body, void *user) {
    char where[300];
    snprintf(where, sizeof where, "%s:%d: %s", file, line, what);
    for (int and_after = 0; and_after <= 1; and_after++) {
        uint64_t n = 1;
        while (n <= OOM_STEPS_MAX && oom_step(where, body, user, n, and_after)) n++;
        test_check(file, line, n <= OOM_STEPS_MAX, "the allocation walk ends");
    }
}

uint64_t test_random_bits(TestRandom *r) {
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double test_random(TestRandom *r, double lo, double hi) {
    return lo + (hi - lo) * (double)(test_random_bits(r) >> 11) * 0x1p-53;
}
