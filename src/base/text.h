// text.h - growable text and a few words about strings
#ifndef CARDAN_BASE_TEXT_H
#define CARDAN_BASE_TEXT_H

#include <string.h>

#include "base/context.h"

// text under construction. Appending never fails visibly: the first failure sticks in status, and
// what follows is dropped, so a writer checks once at its end. v is NULL until something is added.
typedef struct CdText {
    CdContext *ctx;
    char *v; // NUL-terminated
    size_t n, cap;
    CdStatus status;
} CdText;

void cdi_text_init(CdText *text, CdContext *ctx);
void cdi_text_free(CdText *text);
void cdi_text_clear(CdText *text); // keep the memory
void cdi_text_add(CdText *text, const char *s);
void cdi_text_addn(CdText *text, const char *s, size_t n);
void cdi_text_addf(CdText *text, const char *fmt, ...) CD_PRINTF(2, 3); // %g and the like: see note
// Numbers for files go through cdi_number_write (number.h): printf depends on the locale.

// "did you mean": the name closest to a word (case ignored), NULL if none is close enough
typedef struct CdSuggestion {
    const char *word, *name;
    int distance;
} CdSuggestion;

void cdi_suggest_from(CdSuggestion *s, const char *name); // offer one name
const char *cdi_suggest(const char *word, const char *const names[], size_t n);

// does all of the name fit? * stands for anything, also for nothing
bool cdi_matches(const char *pattern, const char *name);

bool cdi_equal(const char *a, const char *b); // NULL equals only NULL
// of two texts, most of which differ in their first byte
static inline bool cdi_same(const char *a, const char *b) {
    return *a == *b && strcmp(a, b) == 0;
}
// is it the end of a longer text? NULL ends with nothing
bool cdi_ends_with(const char *text, const char *end);
bool cdi_is_letter(char c); // of a name: a to z, A to Z or _

#endif
