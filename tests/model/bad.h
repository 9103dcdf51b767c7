// bad.h - models that must be refused, each with the message to the letter
#ifndef CARDAN_TESTS_MODEL_BAD_H
#define CARDAN_TESTS_MODEL_BAD_H

#include <string.h>

#include "simulate/simulate.h"
#include "test.h"

// items that most cases build upon, one per line: lines 2 to 4
#define LINK                                                                                       \
    "{\"class\": \"RigidBody\", \"name\": \"link\", \"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, " \
    "0], [0, 0, 1]]}"
#define BAR                                                                                       \
    "{\"class\": \"RigidBody\", \"name\": \"bar\", \"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, " \
    "0], [0, 0, 1]]}"

// a model whose items stand in lines 2, 3, ...
#define MODEL(items) "{\"cardan\": 1, \"items\": [\n" items "\n]}"

// read the text as x.json; are these the messages, one per line?
static inline void refuses(const char *text, const char *messages) {
    TestLog log;
    CdModel *model;
    test_log_open(&log);
    const CdStatus status = cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &model);
    CHECK(status == CD_INVALID || status == CD_NOTFOUND || status == CD_LIMIT);
    CHECK(model == NULL);
    CHECK_TEXT(log.text, messages);
    cdi_model_free(model);
    test_log_close(&log);
}

static inline void accepts(const char *text) {
    TestLog log;
    CdModel *model;
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &model));
    CHECK_TEXT(log.text, "");
    cdi_model_free(model);
    test_log_close(&log);
}

#endif
