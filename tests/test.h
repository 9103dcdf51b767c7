// test.h - the whole test framework: checks that go on after a failure, collected messages, failing
// memory
//
//   TEST(adds) { CHECK_INT(1 + 1, 2); }
//   int main(void) { RUN(adds); return test_end(); }
#ifndef CARDAN_TESTS_TEST_H
#define CARDAN_TESTS_TEST_H

#include <stdbool.h>
#include <stdio.h>

#include "base/context.h"
#include "base/text.h"

#define TEST(name) static void name(void)
#define RUN(name) test_run(#name, name)

#define CHECK(cond) test_check(__FILE__, __LINE__, (cond), #cond)
#define CHECK_INT(a, b) test_int(__FILE__, __LINE__, #a, (long long)(a), (long long)(b))
#define CHECK_TEXT(a, b) test_text(__FILE__, __LINE__, #a, a, b)
#define CHECK_NEAR(a, b, tol) test_near(__FILE__, __LINE__, #a, a, b, tol) // |a - b| <= tol
#define CHECK_BITS(a, b) test_bits(__FILE__, __LINE__, #a, a, b) // the same double, bit by bit
#define CHECK_OK(status) CHECK_INT(status, CD_OK)

void test_run(const char *name, void (*body)(void));
int test_end(void); // exit code; prints "N passed, M failed"

bool test_check(const char *file, int line, bool ok, const char *what);
bool test_int(const char *file, int line, const char *what, long long got, long long expected);
bool test_text(const char *file, int line, const char *what, const char *got, const char *expected);
bool test_near(const char *file, int line, const char *what, double got, double expected,
               double tol);
bool test_bits(const char *file, int line, const char *what, double got, double expected);

// a context whose messages are collected as lines of text in the order they came
typedef struct TestLog {
    CdContext *ctx;
    char text[65536];
    size_t n;
} TestLog;

void test_log_open(TestLog *log);
void test_log_clear(TestLog *log);
void test_log_close(TestLog *log); // fails the test if memory of the context is still in use

// run the body with the 1st, 2nd, ... allocation failing, alone and with all after it, until it
// gets through; every failure must be CD_NOMEM and give back all memory. The body gets a fresh
// context and frees what it made.
typedef CdStatus TestBody(CdContext *ctx, void *user);
#define CHECK_OOM(body, user) test_oom(__FILE__, __LINE__, #body, body, user)
void test_oom(const char *file, int line, const char *what, TestBody *body, void *user);

// deterministic pseudo-random numbers (splitmix64)
typedef struct TestRandom {
    uint64_t state;
} TestRandom;

uint64_t test_random_bits(TestRandom *r);
double test_random(TestRandom *r, double lo, double hi); // uniform

#endif
