// text.c - growable text, and the nearest word for "did you mean"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

void cdi_text_init(CdText *text, CdContext *ctx) {
    *text = (CdText){.ctx = ctx};
}

void cdi_text_free(CdText *text) {
    cdi_free(text->ctx, text->v);
    cdi_text_init(text, text->ctx);
}

void cdi_text_clear(CdText *text) {
    text->n = 0;
    text->status = CD_OK;
    if (text->v) text->v[0] = '\0';
}

// room for n more characters and the NUL
static bool fit(CdText *text, size_t n) {
    if (text->status != CD_OK) return false;
    if (text->v && n < text->cap - text->n) return true;
    size_t cap = text->cap ? 2 * text->cap : 64;
    if (n > SIZE_MAX / 2 - text->n - 1) cap = 0;
    if (cap && cap < text->n + n + 1) cap = text->n + n + 1;
    char *v = cap ? cdi_resize(text->ctx, text->v, cap) : NULL;
    if (!v) {
        text->status = CD_NOMEM;
        return false;
    }
    text->v = v;
    text->cap = cap;
    return true;
}

void cdi_text_addn(CdText *text, const char *s, size_t n) {
    if (!fit(text, n)) return;
    memcpy(text->v + text->n, s, n);
    text->n += n;
    text->v[text->n] = '\0';
}

void cdi_text_add(CdText *text, const char *s) {
    cdi_text_addn(text, s, strlen(s));
}

void cdi_text_addf(CdText *text, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0 || !fit(text, (size_t)n)) return;
    va_start(args, fmt);
    vsnprintf(text->v + text->n, (size_t)n + 1, fmt, args);
    va_end(args);
    text->n += (size_t)n;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// longest word that is compared; anything longer is no typing mistake of a name
#define WORD_MAX 64

// a suggestion may differ by a third of the letters, but by no more than this
#define EDITS_MAX 3

static int least(int a, int b) {
    return a < b ? a : b;
}

// edit distance with neighbouring letters swapped counted as one (optimal string alignment);
// anything above limit once that is certain
static int distance(const char *a, const char *b, int limit) {
    int na = (int)strlen(a), nb = (int)strlen(b);
    if (na - nb > limit || nb - na > limit) return limit + 1;
    int row[3][WORD_MAX + 1];
    int *older = row[0], *old = row[1], *now = row[2];
    for (int j = 0; j <= nb; j++) old[j] = j;
    for (int i = 1; i <= na; i++) {
        int best = now[0] = i;
        for (int j = 1; j <= nb; j++) {
            now[j] = least(old[j - 1] + (lower(a[i - 1]) != lower(b[j - 1])),
                           least(old[j], now[j - 1]) + 1);
            bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) now[j] = least(now[j], older[j - 2] + 1);
            best = least(best, now[j]);
        }
        if (best > limit) return limit + 1;
        int *spare = older;
        older = old;
        old = now;
        now = spare;
    }
    return old[nb];
}

void cdi_suggest_from(CdSuggestion *s, const char *name) {
    size_t len = strlen(s->word), n = strlen(name);
    if (len == 0 || len > WORD_MAX || n > WORD_MAX) return;
    int limit = len < 3 ? 1 : least((int)len / 3, EDITS_MAX);
    if (s->name) limit = s->distance - 1;
    int d = distance(s->word, name, limit);
    if (d > limit || d >= (int)n) return;
    s->name = name;
    s->distance = d;
}

const char *cdi_suggest(const char *word, const char *const names[], size_t n) {
    CdSuggestion s = {.word = word};
    for (size_t i = 0; i < n; i++) cdi_suggest_from(&s, names[i]);
    return s.name;
}

bool cdi_matches(const char *pattern, const char *name) {
    const char *star = NULL, *from = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            from = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == 0;
}

bool cdi_equal(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool cdi_ends_with(const char *text, const char *end) {
    const size_t n = text ? strlen(text) : 0, m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

bool cdi_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
