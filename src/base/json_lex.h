// json_lex.h - the smallest pieces of JSON text: white space, strings, numbers, words
#ifndef CARDAN_BASE_JSON_LEX_H
#define CARDAN_BASE_JSON_LEX_H

#include "base/arena.h"
#include "base/json.h"

// a place in the text that messages and values point to
typedef struct CdJsonPos {
    int line, col; // from 1; col counts bytes
} CdJsonPos;

typedef struct CdJsonLexer {
    CdContext *ctx;
    const char *file;
    const char *p, *end;    // what is still to read
    const char *line_start; // of the line that p is in
    int line;
} CdJsonLexer;

CdJsonPos cdi_json_pos(const CdJsonLexer *lex, const char *at); // at: in the line of p
CdStatus cdi_json_fail(const CdJsonLexer *lex, CdStatus status, CdJsonPos pos, const char *fmt, ...)
    CD_PRINTF(4, 5);

#define CD_JSON_SHOWN_MAX 64

// what stands at p, for messages: "'x'", "the word 'abc'", "the end of the input", ...
const char *cdi_json_shown(const CdJsonLexer *lex, char buf[CD_JSON_SHOWN_MAX]);
size_t cdi_json_word(const CdJsonLexer *lex); // bytes of the word of letters and digits at p

CdStatus cdi_json_skip_space(CdJsonLexer *lex); // and comments

// read what starts at p and go behind it; p is at the opening quote of a string
CdStatus cdi_json_lex_string(CdJsonLexer *lex, CdArena *arena, const char **text, size_t *n);
CdStatus cdi_json_lex_number(CdJsonLexer *lex, CdJson *value);
CdStatus cdi_json_lex_word(CdJsonLexer *lex, CdJson *value); // true, false, null; or why not

#endif
