// json_check.h - reads a text and compares what is said about it
#ifndef CARDAN_TESTS_BASE_JSON_CHECK_H
#define CARDAN_TESTS_BASE_JSON_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "test.h"

static TestLog said;

// the text is copied to memory of exactly its size, so that the sanitizers see a step beyond
static inline CdJsonDoc *read_n(const char *text, size_t n, CdJsonLimits limits,
                                CdStatus expected) {
    CdJsonDoc *doc;
    char *copy = n > 0 ? malloc(n) : NULL;
    if (n > 0) memcpy(copy, text, n);
    test_log_clear(&said);
    CdStatus status = cdi_json_read(said.ctx, "m.json", copy, n, limits, &doc);
    if (!CHECK_INT(status, expected)) printf("%s%.300s\n", said.text, text);
    CHECK((doc != NULL) == (status == CD_OK));
    free(copy);
    return doc;
}

static inline CdJsonDoc *read_ok(const char *text) {
    CdJsonDoc *doc = read_n(text, strlen(text), CD_JSON_LIMITS, CD_OK);
    CHECK_TEXT(said.text, "");
    return doc;
}

// the text is refused with these words
static inline void refused_n(const char *text, size_t n, const char *message) {
    cdi_json_free(read_n(text, n, CD_JSON_LIMITS, CD_INVALID));
    if (said.n > 0) said.text[said.n - 1] = '\0';
    CHECK_TEXT(said.text, message);
}

static inline void refused(const char *text, const char *message) {
    refused_n(text, strlen(text), message);
}

#endif
