// lexer.c - cuts a kernel file into words
#include "lexer.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Lexer {
    Mem *mem;
    Messages *m;
    const Source *source;
    size_t at, end;
    bool inside; // of a kernel region
    int depth;   // of braces, within a struct type outside of the regions
    Tokens *out;
} Lexer;

static const char *rest(const Lexer *l) {
    return l->source->text + l->at;
}

static Place here(const Lexer *l) {
    return (Place){l->source, l->at};
}

static size_t line_length(const Lexer *l) {
    size_t n = 0;
    while (l->at + n < l->end && rest(l)[n] != '\n') n++;
    return n;
}

static void push(Lexer *l, TokenKind kind, size_t skip, size_t n) {
    Token t = {.kind = kind, .place = {l->source, l->at + skip}, .outside = !l->inside};
    t.text = mem_copy(l->mem, rest(l) + skip, n);
    PUSH(l->mem, l->out, t);
    l->at += skip + n;
}

// the text of a "//" line without the slashes and blanks around it
static size_t comment_body(const Lexer *l, size_t *n) {
    size_t skip = 2, len = line_length(l);
    while (skip < len && isspace((unsigned char)rest(l)[skip])) skip++;
    while (len > skip && isspace((unsigned char)rest(l)[len - 1])) len--;
    *n = len - skip;
    return skip;
}

static bool is(const Lexer *l, size_t skip, size_t n, const char *word) {
    return n == strlen(word) && memcmp(rest(l) + skip, word, n) == 0;
}

static void comment(Lexer *l) {
    size_t n;
    const size_t skip = comment_body(l, &n), all = line_length(l);
    const Place place = here(l);
    if (is(l, skip, n, "kernel")) {
        if (l->inside)
            message_error(l->m, place,
                          "kernel region opened twice; end the first one "
                          "with \"// end kernel\"");
        l->inside = true;
    } else if (is(l, skip, n, "end kernel")) {
        if (!l->inside)
            message_error(l->m, place,
                          "no kernel region is open here; start one with "
                          "\"// kernel\"");
        l->inside = false;
    } else if (l->inside && n >= 4 && memcmp(rest(l) + skip, "adc:", 4) == 0) {
        push(l, T_DIRECTIVE, skip + 4, n - 4);
        return;
    }
    l->at += all;
}

static void block_comment(Lexer *l) {
    const Place place = here(l);
    const char *close = strstr(rest(l) + 2, "*/");
    if (!close) {
        if (l->inside) message_error(l->m, place, "comment without end; close it with */");
        l->at = l->end;
        return;
    }
    l->at = (size_t)(close - l->source->text) + 2;
}

static bool keyword(const Lexer *l, size_t *at, size_t n, const char *word) {
    const size_t len = strlen(word);
    while (*at < n && (rest(l)[*at] == ' ' || rest(l)[*at] == '\t')) ++*at;
    if (n - *at < len || memcmp(rest(l) + *at, word, len) != 0) return false;
    if (*at + len < n && isalnum((unsigned char)rest(l)[*at + len])) return false;
    *at += len;
    while (*at < n && (rest(l)[*at] == ' ' || rest(l)[*at] == '\t')) ++*at;
    return true;
}

// #include "x" and #define NAME VALUE become words; guards, <...> and #pragma once are passed over
static void preprocessor(Lexer *l) {
    const Place place = here(l);
    const size_t n = line_length(l), start = l->at;
    size_t at = 1, value = 1;
    if (keyword(l, &at, n, "include")) {
        const char *quote =
            at < n && rest(l)[at] == '"' ? memchr(rest(l) + at + 1, '"', n - at - 1) : NULL;
        if (quote) push(l, T_INCLUDE, at + 1, (size_t)(quote - rest(l)) - at - 1);
    } else if (l->inside && keyword(l, &value, n, "define")) {
        size_t name = value;
        while (name < n && (isalnum((unsigned char)rest(l)[name]) || rest(l)[name] == '_')) name++;
        if (name < n) push(l, T_DEFINE, value, n - value);
    } else if (l->inside) {
        static const char *const fine[] = {"ifndef", "endif", "pragma"};
        bool known = false;
        for (int i = 0; i < 3; i++) {
            size_t k = 1;
            known = known || keyword(l, &k, n, fine[i]);
        }
        if (!known) {
            message_error(l->m, place,
                          "this preprocessor line is not in the subset; write #include "
                          "\"file\" or #define NAME integer");
        }
    }
    l->at = start + n;
}

static void number(Lexer *l) {
    const char *s = rest(l);
    const Place place = here(l);
    size_t n = 0;
    bool real = false;
    const bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    while (
        isalnum((unsigned char)s[n]) || s[n] == '.' ||
        ((s[n] == '+' || s[n] == '-') && n > 0 && !hex && (s[n - 1] == 'e' || s[n - 1] == 'E'))) {
        real = real || s[n] == '.' || (!hex && (s[n] == 'e' || s[n] == 'E'));
        n++;
    }
    push(l, real ? T_REAL : T_INT, 0, n);
    Token *t = &l->out->at[l->out->n - 1];
    char *end;
    errno = 0;
    if (real) {
        t->real = strtod(t->text, &end);
    } else {
        t->integer = strtol(t->text, &end, 0);
        if (errno || t->integer > 1000000000L) {
            message_error(l->m, place, "integer too large; write it as a double");
        }
    }
    if (*end) {
        message_error(l->m, place,
                      "'%s' is not a number of the subset; write a plain integer or "
                      "double without suffix",
                      t->text);
    }
}

static void mark(Lexer *l) {
    static const char *const two[] = {"->", "++", "--", "+=", "-=", "*=", "/=", "%=", "<=", ">=",
                                      "==", "!=", "&&", "||", "<<", ">>", "&=", "|=", "^="};
    for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
        if (strncmp(rest(l), two[i], 2) == 0) {
            push(l, T_MARK, 0, 2);
            return;
        }
    }
    if (l->inside && !strchr("+-*/%<>=!&|^~?:;,.(){}[]", rest(l)[0])) {
        const unsigned char c = (unsigned char)rest(l)[0];
        if (c > ' ' && c < 127) {
            message_error(l->m, here(l), "character '%c' is not in the subset; remove it", c);
        } else {
            message_error(l->m, here(l), "byte 0x%02x is not in the subset; remove it", c);
        }
        l->at++;
        return;
    }
    push(l, T_MARK, 0, 1);
}

static void word(Lexer *l) {
    const char c = *rest(l);
    if (isalpha((unsigned char)c) || c == '_') {
        size_t n = 0;
        while (isalnum((unsigned char)rest(l)[n]) || rest(l)[n] == '_') n++;
        push(l, T_NAME, 0, n);
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)rest(l)[1]))) {
        number(l);
    } else {
        mark(l);
    }
}

// outside of the regions: the words of a typedef struct up to the semicolon behind its brace
static void outside_struct(Lexer *l) {
    int depth = 0;
    const int first = l->out->n;
    Messages quiet = {.mem = l->mem, .nerror = MAX_ERRORS};
    Messages *loud = l->m;
    l->m = &quiet;
    while (l->at < l->end) {
        const char c = *rest(l);
        if (isspace((unsigned char)c)) {
            l->at++;
        } else if (strncmp(rest(l), "//", 2) == 0) {
            l->at += line_length(l);
        } else if (strncmp(rest(l), "/*", 2) == 0) {
            block_comment(l);
        } else if (c == '"' || c == '\'' || c == '#') {
            l->out->n = first; // not a plain struct: nothing for kernels
            break;
        } else {
            word(l);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ';' && depth <= 0) break;
        }
    }
    if (l->at >= l->end) l->out->n = first;
    l->m = loud;
}

static void outside_line(Lexer *l) {
    static const char start[] = "typedef struct ";
    if (strncmp(rest(l), start, sizeof start - 1) == 0) {
        const size_t at = l->at;
        outside_struct(l);
        if (l->at > at) return;
    }
    if (*rest(l) == '#') {
        preprocessor(l);
    } else if (strncmp(rest(l), "//", 2) == 0) {
        comment(l);
    } else {
        l->at += line_length(l);
    }
    if (l->at < l->end && *rest(l) == '\n') l->at++;
}

static void inside_word(Lexer *l) {
    const char *s = rest(l);
    if (isspace((unsigned char)*s)) {
        l->at++;
    } else if (strncmp(s, "//", 2) == 0) {
        comment(l);
    } else if (strncmp(s, "/*", 2) == 0) {
        block_comment(l);
    } else if (*s == '#') {
        preprocessor(l);
    } else {
        word(l);
    }
}

// is there a line "// kernel"?
static bool has_region(const Source *source) {
    Lexer l = {.source = source, .end = source->n};
    while (l.at < l.end) {
        while (l.at < l.end && (*rest(&l) == ' ' || *rest(&l) == '\t')) l.at++;
        size_t n;
        if (strncmp(rest(&l), "//", 2) == 0) {
            const size_t skip = comment_body(&l, &n);
            if (is(&l, skip, n, "kernel")) return true;
        }
        l.at += line_length(&l) + 1;
    }
    return false;
}

void lex(Mem *mem, Messages *m, const Source *source, bool whole, Tokens *out) {
    const bool regions = has_region(source);
    Lexer l = {.mem = mem, .m = m, .source = source, .end = source->n, .out = out};
    l.inside = !regions && whole;
    if (regions || whole) {
        while (l.at < l.end && !message_full(m)) {
            if (l.inside) {
                inside_word(&l);
            } else {
                outside_line(&l);
            }
        }
        if (regions && l.inside) {
            message_error(m, here(&l),
                          "kernel region without end; close it with \"// end kernel\"");
        }
    }
    l.at = l.end;
    push(&l, T_END, 0, 0);
}

void lex_directive(Mem *mem, Messages *m, const Token *directive, Tokens *out) {
    Lexer l = {.mem = mem, .m = m, .source = directive->place.source, .inside = true, .out = out};
    l.at = directive->place.at;
    l.end = l.at + strlen(directive->text);
    while (l.at < l.end && !message_full(m)) {
        if (isspace((unsigned char)*rest(&l))) {
            l.at++;
        } else {
            word(&l);
        }
    }
    l.at = l.end;
    push(&l, T_END, 0, 0);
}
