// test_pack.c - packed columns: what comes out is what went in, rounded, and it is short
#include "view/pack.h"

#include <math.h>
#include <string.h>

#include "test.h"

#define N 1000

// ---- a reader, written from the description in pack.h alone

typedef struct Reader {
    const unsigned char *bytes;
    size_t n, at; // at: bits
} Reader;

static unsigned bit(Reader *r) {
    if (!CHECK(r->at < 8 * r->n)) return 0;
    const unsigned x = r->bytes[r->at / 8] >> (7 - r->at % 8) & 1;
    r->at++;
    return x;
}

static uint64_t bits(Reader *r, int n) {
    uint64_t x = 0;
    for (int i = 0; i < n; i++) x = 2 * x + bit(r);
    return x;
}

static int64_t code(Reader *r, int k) {
    uint64_t ones = 0;
    while (ones < 20 && bit(r)) ones++;
    const uint64_t u = ones == 20 ? bits(r, 32) : (ones << k) + bits(r, k);
    return u % 2 ? -(int64_t)((u + 1) / 2) : (int64_t)(u / 2);
}

static void read_column(Reader *r, const CdPackScale *s, double *x, size_t n) {
    int64_t a = 0, b = 0, c = 0;
    int order = 0, k = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % 128 == 0) {
            order = (int)bits(r, 2);
            k = (int)bits(r, 5);
        }
        const int64_t guess[] = {0, a, 2 * a - b, 3 * a - 3 * b + c};
        const int64_t now = guess[order] + (k == 31 ? 0 : code(r, k));
        x[i] = now == -1 ? NAN : s->lo + (double)now * s->step;
        c = b;
        b = a;
        a = now;
    }
}

// bits per number; errors are checked
static double round_trip(const double *x, size_t n, int nbits) {
    TestLog log;
    CdPack pack;
    double back[N];
    test_log_open(&log);
    cdi_pack_init(&pack, log.ctx);
    const CdPackScale s = cdi_pack_scale(x, n, nbits);
    cdi_pack_column(&pack, &s, x, n);
    cdi_pack_end(&pack);
    CHECK_OK(pack.bytes.status);
    Reader r = {.bytes = (const unsigned char *)pack.bytes.v, .n = pack.bytes.n};
    read_column(&r, &s, back, n);
    CHECK(8 * r.n - r.at < 8);
    for (size_t i = 0; i < n; i++) {
        const bool is_number = fabs(x[i]) < 1e300;
        if (!is_number) CHECK(isnan(back[i]));
        if (is_number) CHECK_NEAR(back[i], x[i], s.step * 0.5000001 + 4e-16 * fabs(x[i]));
    }
    const double per = 8.0 * (double)r.n / (double)n;
    cdi_pack_free(&pack);
    test_log_close(&log);
    return per;
}

TEST(smooth_motion_takes_few_bits) {
    double x[N];
    for (int i = 0; i < N; i++) x[i] = 3 + sin(0.02 * i) + 0.1 * sin(0.3 * i);
    CHECK(round_trip(x, N, 16) < 9);
    CHECK(round_trip(x, N, 20) < 13);
}

TEST(what_does_not_move_takes_little) {
    double x[N];
    for (int i = 0; i < N; i++) x[i] = -0.1;
    CHECK(round_trip(x, N, 20) < 0.1);
    for (int i = 0; i < N; i++) x[i] = 2.5 * i;
    CHECK(round_trip(x, N, 20) < 4);
}

TEST(noise_is_kept) {
    double x[N];
    TestRandom random = {.state = 7};
    for (int i = 0; i < N; i++) x[i] = test_random(&random, -1, 1);
    const double per = round_trip(x, N, 12);
    CHECK(per > 11 && per < 14);
    for (int i = 0; i < N; i++) x[i] = i % 97 == 0 ? 1e6 : test_random(&random, -1, 1);
    round_trip(x, N, 24);
}

// heights of rare spikes on both sides of what ones can say
TEST(spikes_are_kept) {
    double x[N] = {0};
    for (int i = 0; i < 16; i++) x[60 * i + 3] = i;
    CHECK(round_trip(x, N, 4) < 2);
}

TEST(what_is_no_number_is_told) {
    double x[N];
    for (int i = 0; i < N; i++) x[i] = i % 3 == 0 ? NAN : i % 7 == 0 ? -INFINITY : i;
    round_trip(x, N, 16);
    for (int i = 0; i < N; i++) x[i] = NAN;
    CHECK(round_trip(x, N, 16) < 2);
}

TEST(any_range_and_any_length) {
    const double huge[] = {-9e299, 1.7e308, 0, 9e299}, tiny[] = {0, 5e-324, 1e-310, 0};
    double x[N];
    round_trip(huge, 4, 20);
    round_trip(tiny, 4, 20);
    for (int i = 0; i < N; i++) x[i] = 1e9 + 1e-3 * i;
    for (size_t n = 0; n <= 260; n += 1 + n / 3) round_trip(x, n, 14);
}

// RFC 4648, section 10
TEST(bytes_become_text) {
    static const char *const words[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"},
                                           {"\xff\xef\xbe", "/+++"}};
    TestLog log;
    CdText text;
    test_log_open(&log);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cdi_text_init(&text, log.ctx);
        cdi_base64(&text, words[i][0], strlen(words[i][0]));
        CHECK_TEXT(text.v ? text.v : "", words[i][1]);
        cdi_text_free(&text);
    }
    test_log_close(&log);
}

int main(void) {
    RUN(smooth_motion_takes_few_bits);
    RUN(what_does_not_move_takes_little);
    RUN(noise_is_kept);
    RUN(spikes_are_kept);
    RUN(what_is_no_number_is_told);
    RUN(any_range_and_any_length);
    RUN(bytes_become_text);
    return test_end();
}
