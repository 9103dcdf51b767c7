// json_mutate.h - mutations that mostly keep JSON well-formed: scalars exchanged, objects doubled
// or taken out, so that a fuzz target gets past its parser
#ifndef CARDAN_TESTS_FUZZ_JSON_MUTATE_H
#define CARDAN_TESTS_FUZZ_JSON_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SPANS_MAX 2000

typedef struct Span {
    size_t from, to;
} Span;

typedef struct Spans {
    Span v[SPANS_MAX];
    size_t n;
} Spans;

static inline unsigned draw(uint64_t *state, size_t n) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*state >> 33) % (n ? n : 1));
}

// strings and numbers, keys too
static inline void find_scalars(const char *text, size_t n, Spans *spans) {
    spans->n = 0;
    for (size_t i = 0; i < n && spans->n < SPANS_MAX;) {
        size_t k = i;
        if (text[i] == '"') {
            k = i + 1;
            while (k < n && text[k] != '"') k += text[k] == '\\' ? 2 : 1;
            k = k < n ? k + 1 : n;
        } else {
            while (k < n && strchr("+-.0123456789eE", text[k]) && text[k]) k++;
        }
        if (k > i) spans->v[spans->n++] = (Span){i, k};
        i = k > i ? k : i + 1;
    }
}

// {...} without the outermost
static inline void find_objects(const char *text, size_t n, Spans *spans) {
    size_t open[64], depth = 0;
    spans->n = 0;
    for (size_t i = 0; i < n && spans->n < SPANS_MAX; i++) {
        if (text[i] == '{' && depth < 64) open[depth++] = i;
        if (text[i] == '}' && depth > 1) spans->v[spans->n++] = (Span){open[--depth], i + 1};
    }
}

// put `with` in place of a span; the new size, or the old one if it does not fit
static inline size_t splice(char *text, size_t n, size_t max, Span at, const char *with,
                            size_t nwith) {
    const size_t rest = n - at.to;
    if (at.from + nwith + rest > max) return n;
    memmove(text + at.from + nwith, text + at.to, rest);
    memcpy(text + at.from, with, nwith);
    return at.from + nwith + rest;
}

static inline size_t exchange_scalar(char *text, size_t n, size_t max, const char *const *words,
                                     size_t nwords, uint64_t *state, Spans *spans) {
    char copy[256];
    find_scalars(text, n, spans);
    if (spans->n == 0) return n;
    const Span at = spans->v[draw(state, spans->n)];
    if (draw(state, 2) == 0) {
        const char *word = words[draw(state, nwords)];
        return splice(text, n, max, at, word, strlen(word));
    }
    const Span from = spans->v[draw(state, spans->n)];
    const size_t k = from.to - from.from;
    if (k > sizeof copy) return n;
    memcpy(copy, text + from.from, k);
    return splice(text, n, max, at, copy, k);
}

static inline size_t change_object(char *text, size_t n, size_t max, uint64_t *state,
                                   Spans *spans) {
    char copy[2000] = ", ";
    find_objects(text, n, spans);
    if (spans->n == 0) return n;
    Span at = spans->v[draw(state, spans->n)];
    const size_t k = at.to - at.from;
    if (draw(state, 2) == 0 && k + 2 <= sizeof copy) {
        memcpy(copy + 2, text + at.from, k);
        return splice(text, n, max, (Span){at.to, at.to}, copy, k + 2);
    }
    while (at.to < n && strchr(", \n", text[at.to]) && text[at.to]) at.to++;
    return splice(text, n, max, at, "", 0);
}

static inline size_t mutate_json(char *text, size_t n, size_t max, const char *const *words,
                                 size_t nwords, unsigned seed) {
    uint64_t state = seed;
    Spans *spans = malloc(sizeof *spans);
    if (!spans) return n;
    const unsigned times = 1 + draw(&state, 4);
    for (unsigned i = 0; i < times; i++) {
        n = draw(&state, 5) == 0 ? change_object(text, n, max, &state, spans)
                                 : exchange_scalar(text, n, max, words, nwords, &state, spans);
    }
    free(spans);
    return n;
}

#endif
