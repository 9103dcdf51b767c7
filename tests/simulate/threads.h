// threads.h - a model that is run with one, two, three and eight threads ends with the same bits
#ifndef CARDAN_TESTS_THREADS_H
#define CARDAN_TESTS_THREADS_H

#include "simulate/session.h"
#include "test.h"

#define THREADS_STEP 0.001

static inline uint64_t hash_with(const CdModel *model, const char *method, int steps, int threads) {
    const CdRunOptions options = {.duration = steps * THREADS_STEP,
                                  .step = THREADS_STEP,
                                  .method = (char *)method,
                                  .threads = threads};
    CdRunSummary summary;
    CHECK_OK(cdi_simulate_run(model, &options, NULL, &summary));
    CHECK_INT(summary.stats.steps, steps);
    return summary.hash;
}

// masses on springs
static inline void write_masses(CdText *text, int n) {
    for (int i = 0; i < n; i++) {
        cdi_text_addf(text,
                      ", {\"class\": \"MassPoint1D\", \"name\": \"p%d\", \"mass\": 1}, "
                      "{\"class\": \"CoordinateMarker\", \"name\": \"x%d\", \"body\": \"p%d\", "
                      "\"coordinate\": \"s\"}, {\"class\": \"CoordinateSpringDamper\", \"name\": "
                      "\"spring%d\", \"marker_a\": \"x%d\", \"stiffness\": %d, \"length\": 0.01}",
                      i, i, i, i, i, 100 + i);
    }
}

// how many threads share the work if so many are asked for
static inline int threads_of(const CdModel *model, int threads) {
    CdSession s;
    CHECK_OK(cdi_session_open(&s, model, "gen-alpha", threads, NULL));
    const int workers = cd_pool_workers(s.pool);
    cdi_session_close(&s);
    return workers;
}

// the model that `write` writes, which must be worth the threads; NULL: it is not sound
static inline CdModel *threads_model(TestLog *log, void (*write)(CdText *text)) {
    CdText text;
    CdModel *model;
    test_log_open(log);
    cdi_text_init(&text, log->ctx);
    write(&text);
    CHECK_OK(cdi_model_read_text(log->ctx, text.v, text.n, "threads.json", &model));
    CHECK_INT(model ? threads_of(model, 2) : 0, 2);
    cdi_text_free(&text);
    return model;
}

static inline void threads_model_free(TestLog *log, CdModel *model) {
    CHECK_TEXT(log->text, "");
    cdi_model_free(model);
    test_log_close(log);
}

static inline void check_threads(void (*write)(CdText *text), int steps, int nmethods,
                                 const char *const *methods) {
    TestLog log;
    CdModel *model = threads_model(&log, write);
    for (int k = 0; model && k < nmethods; k++) {
        const uint64_t one = hash_with(model, methods[k], steps, 1);
        CHECK(hash_with(model, methods[k], steps, 2) == one);
        CHECK(hash_with(model, methods[k], steps, 3) == one);
        CHECK(hash_with(model, methods[k], steps, 8) == one);
        CHECK(hash_with(model, methods[k], steps, 0) == one); // as many as pay
    }
    threads_model_free(&log, model);
}

#endif
