// json_lex.c - the smallest pieces of JSON text, and what is said when they are wrong
//
// The grammar is RFC 8259; UTF-8 as in table 3-7 of the Unicode standard.
#include "base/json_lex.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

#define SHOWN_WORD_MAX 40
#define INTEGRAL_MAX 9007199254740992.0 // 2^53
#define INTEGRAL_MAX_TEXT "9007199254740992"

CdJsonPos cdi_json_pos(const CdJsonLexer *lex, const char *at) {
    return (CdJsonPos){lex->line, (int)(at - lex->line_start) + 1};
}

CdStatus cdi_json_fail(const CdJsonLexer *lex, CdStatus status, CdJsonPos pos, const char *fmt,
                       ...) {
    CdPlace place = {.file = lex->file, .line = pos.line, .col = pos.col};
    va_list args;
    va_start(args, fmt);
    cdi_vfail_at(lex->ctx, status, &place, fmt, args);
    va_end(args);
    return status;
}

#define FAIL_AT(lex, at, ...) cdi_json_fail(lex, CD_INVALID, cdi_json_pos(lex, at), __VA_ARGS__)

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

size_t cdi_json_word(const CdJsonLexer *lex) {
    const char *p = lex->p;
    while (p < lex->end && is_word(*p)) p++;
    return (size_t)(p - lex->p);
}

static CdStatus fail_utf8(const CdJsonLexer *lex, const char *at) {
    return FAIL_AT(lex, at, "byte 0x%02x is not valid UTF-8; save the text as UTF-8",
                   (unsigned char)*at);
}

const char *cdi_json_shown(const CdJsonLexer *lex, char buf[CD_JSON_SHOWN_MAX]) {
    if (lex->p == lex->end) return "the end of the input";
    int word = (int)cdi_json_word(lex), n = (int)cdi_utf8_size(lex->p, lex->end);
    unsigned char c = (unsigned char)*lex->p;
    if (word > SHOWN_WORD_MAX) {
        snprintf(buf, CD_JSON_SHOWN_MAX, "'%.*s...'", SHOWN_WORD_MAX, lex->p);
    } else if (word > 0 || (n > 0 && c > ' ' && c != 0x7f)) {
        snprintf(buf, CD_JSON_SHOWN_MAX, "'%.*s'", word > 0 ? word : n, lex->p);
    } else {
        snprintf(buf, CD_JSON_SHOWN_MAX, "byte 0x%02x", c);
    }
    return buf;
}

// CR, LF and CR LF are one line end each; p is behind its first byte
static const char *end_line(CdJsonLexer *lex, const char *p) {
    if (p[-1] == '\r' && p < lex->end && *p == '\n') p++;
    lex->line++;
    lex->line_start = p;
    return p;
}

// a character of a comment; p goes behind it
static CdStatus skip_character(CdJsonLexer *lex) {
    if (*lex->p == '\0')
        return FAIL_AT(lex, lex->p, "NUL character in a comment; is this a text file?");
    size_t n = cdi_utf8_size(lex->p, lex->end);
    if (n == 0) return fail_utf8(lex, lex->p);
    lex->p += n;
    if (lex->p[-1] == '\n' || lex->p[-1] == '\r') lex->p = end_line(lex, lex->p);
    return CD_OK;
}

static CdStatus skip_comment(CdJsonLexer *lex) {
    CdJsonPos start = cdi_json_pos(lex, lex->p);
    char kind = lex->end - lex->p > 1 ? lex->p[1] : '\0';
    if (kind != '/' && kind != '*') {
        return cdi_json_fail(lex, CD_INVALID, start,
                             "a single slash means nothing; comments start with // or /*");
    }
    lex->p += 2;
    if (kind == '/') {
        while (lex->p < lex->end && *lex->p != '\n' && *lex->p != '\r') CD_TRY(skip_character(lex));
        return CD_OK;
    }
    while (lex->end - lex->p > 1) {
        if (lex->p[0] == '*' && lex->p[1] == '/') {
            lex->p += 2;
            return CD_OK;
        }
        CD_TRY(skip_character(lex));
    }
    return cdi_json_fail(lex, CD_INVALID, start, "this comment is not closed; end it with */");
}

CdStatus cdi_json_skip_space(CdJsonLexer *lex) {
    for (;;) {
        const char *p = lex->p, *end = lex->end;
        while (p < end && (*p == ' ' || *p == '\t')) p++;
        lex->p = p;
        if (p == end) return CD_OK;
        if (*p == '\n' || *p == '\r') {
            lex->p = end_line(lex, p + 1);
        } else if (*p == '/') {
            CD_TRY(skip_comment(lex));
        } else if (*p == '#') {
            return FAIL_AT(lex, p, "# starts no comment; comments start with // or /*");
        } else {
            return CD_OK;
        }
    }
}

static CdStatus fail_control(const CdJsonLexer *lex, const char *at) {
    if (*at == '\n' || *at == '\r') {
        return FAIL_AT(lex, at,
                       "the line ends inside a string; close it with a double quote, or write \\n");
    }
    if (*at == '\t') return FAIL_AT(lex, at, "tab character inside a string; write \\t");
    if (*at == '\0') return FAIL_AT(lex, at, "NUL character inside a string; is this a text file?");
    return FAIL_AT(lex, at, "control character 0x%02x inside a string; write \\u%04x",
                   (unsigned char)*at, (unsigned char)*at);
}

// value of four hexadecimal digits, -1 if they are not
static int hex4(const char *p, const char *end) {
    if (end - p < 4) return -1;
    int x = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int d = is_digit(c)              ? c - '0'
                : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                         : -1;
        if (d < 0) return -1;
        x = 16 * x + d;
    }
    return x;
}

static bool is_high_half(int x) {
    return x >= 0xd800 && x <= 0xdbff;
}

static bool is_low_half(int x) {
    return x >= 0xdc00 && x <= 0xdfff;
}

// code point of \uXXXX or of a pair of them at p; -1: no digits, -2: half a pair
static int escaped_point(const char *p, const char *end, size_t *size) {
    int x = hex4(p + 2, end);
    *size = 6;
    if (is_low_half(x)) return -2;
    if (!is_high_half(x)) return x;
    bool pair = end - p >= 12 && p[6] == '\\' && p[7] == 'u';
    int y = pair ? hex4(p + 8, end) : -1;
    if (!is_low_half(y)) return -2;
    *size = 12;
    return 0x10000 + ((x - 0xd800) << 10) + (y - 0xdc00);
}

static const char escape_letters[] = "\"\\/bfnrt";
static const char escape_values[] = "\"\\/\b\f\n\r\t";

// bytes of the escape at p
static CdStatus check_escape(const CdJsonLexer *lex, const char *p, size_t *size) {
    char c = lex->end - p > 1 ? p[1] : '\0';
    *size = 2;
    if (c && strchr(escape_letters, c)) return CD_OK;
    if (c != 'u') {
        bool visible = c > ' ' && c < 0x7f;
        return FAIL_AT(lex, p,
                       "\\%.*s is no escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
                       visible, visible ? p + 1 : "");
    }
    int point = escaped_point(p, lex->end, size);
    if (point == -1) return FAIL_AT(lex, p, "\\u needs four hexadecimal digits, as in \\u00e4");
    if (point == -2) {
        return FAIL_AT(lex, p, "%.6s is half a surrogate pair; write both, as in \\ud83d\\ude00",
                       p);
    }
    if (point == 0) return FAIL_AT(lex, p, "\\u0000 is not allowed; texts hold no NUL characters");
    return CD_OK;
}

// characters of a string that need no second look
static bool is_plain(char c) {
    return (unsigned char)c >= ' ' && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

// check the string at p and find its closing quote
static CdStatus scan_string(const CdJsonLexer *lex, const char **close, bool *escapes) {
    const char *p = lex->p + 1;
    for (;;) {
        while (p < lex->end && is_plain(*p)) p++;
        if (p == lex->end) break;
        size_t n = 1;
        if (*p == '"') {
            *close = p;
            return CD_OK;
        } else if (*p == '\\') {
            *escapes = true;
            CD_TRY(check_escape(lex, p, &n));
        } else if ((unsigned char)*p < ' ') {
            return fail_control(lex, p);
        } else {
            n = cdi_utf8_size(p, lex->end);
            if (n == 0) return fail_utf8(lex, p);
        }
        p += n;
    }
    return FAIL_AT(lex, lex->p, "this string is not closed; end it with a double quote");
}

static char *put_utf8(char *out, int x) {
    if (x < 0x80) {
        *out++ = (char)x;
        return out;
    }
    if (x < 0x800) {
        *out++ = (char)(0xc0 | x >> 6);
    } else {
        if (x < 0x10000) {
            *out++ = (char)(0xe0 | x >> 12);
        } else {
            *out++ = (char)(0xf0 | x >> 18);
            *out++ = (char)(0x80 | (x >> 12 & 0x3f));
        }
        *out++ = (char)(0x80 | (x >> 6 & 0x3f));
    }
    *out++ = (char)(0x80 | (x & 0x3f));
    return out;
}

// replace the escapes of a checked text, in place; returns its new length
static size_t unescape(char *text, size_t n) {
    const char *p = text, *end = text + n;
    char *out = text;
    while (p < end) {
        if (*p != '\\') {
            *out++ = *p++;
        } else if (p[1] == 'u') {
            size_t size;
            out = put_utf8(out, escaped_point(p, end, &size));
            p += size;
        } else {
            *out++ = escape_values[strchr(escape_letters, p[1]) - escape_letters];
            p += 2;
        }
    }
    *out = '\0';
    return (size_t)(out - text);
}

CdStatus cdi_json_lex_string(CdJsonLexer *lex, CdArena *arena, const char **text, size_t *n) {
    const char *close = NULL;
    bool escapes = false;
    CD_TRY(scan_string(lex, &close, &escapes));
    *n = (size_t)(close - lex->p) - 1;
    char *copy = cdi_arena_strndup(arena, lex->p + 1, *n);
    if (!copy) return CD_NOMEM;
    if (escapes) *n = unescape(copy, *n);
    *text = copy;
    lex->p = close + 1;
    return CD_OK;
}

static CdStatus fail_exponent_or_word(CdJsonLexer *lex, const char *tail) {
    const char *after = tail + 1;
    bool sign = after < lex->end && (*after == '+' || *after == '-');
    bool exponent = (*tail == 'e' || *tail == 'E');
    if (exponent && (sign || after == lex->end || !is_word(*after)))
        return FAIL_AT(lex, tail, "a digit is missing in the exponent");
    char buf[CD_JSON_SHOWN_MAX];
    lex->p = tail;
    return FAIL_AT(lex, tail, "%s must not follow a number; put texts in double quotes",
                   cdi_json_shown(lex, buf));
}

// the number ended after n bytes, but what follows belongs to it in the writer's mind
static CdStatus fail_number_tail(CdJsonLexer *lex, size_t n) {
    const char *start = lex->p, *tail = start + n;
    if (*tail == '.' && tail + 1 < lex->end && is_digit(tail[1]))
        return FAIL_AT(lex, tail, "a number has one decimal point, and none in its exponent");
    if (*tail == '.') return FAIL_AT(lex, tail, "a digit is missing after the decimal point");
    bool zero = n - (*start == '-') == 1 && tail[-1] == '0';
    if (zero && is_digit(*tail))
        return FAIL_AT(lex, start, "a number must not start with zeros; leave them out");
    if (zero && (*tail == 'x' || *tail == 'X'))
        return FAIL_AT(lex, start, "hexadecimal numbers are not JSON; write it in decimals");
    return fail_exponent_or_word(lex, tail);
}

// a minus sign without a number
static CdStatus fail_minus(CdJsonLexer *lex) {
    const char *minus = lex->p++;
    if (lex->p < lex->end && *lex->p == '.')
        return FAIL_AT(lex, minus, "a number must not start with a point; write -0.5, not -.5");
    if (lex->p < lex->end && is_word(*lex->p)) {
        char buf[CD_JSON_SHOWN_MAX];
        return FAIL_AT(lex, minus,
                       "%s after a minus sign is not a JSON number; write a finite number or null",
                       cdi_json_shown(lex, buf));
    }
    return FAIL_AT(lex, minus, "a digit is missing after the minus sign");
}

// was the number written without fraction and exponent, and does the double hold it exactly?
static bool is_integral(const char *p, size_t n, double x) {
    if (!(fabs(x) <= INTEGRAL_MAX) || x != trunc(x)) return false;
    if (*p == '-') p++, n--;
    for (size_t i = 0; i < n; i++) {
        if (!is_digit(p[i])) return false;
    }
    return fabs(x) < INTEGRAL_MAX || memcmp(p, INTEGRAL_MAX_TEXT, n) == 0;
}

CdStatus cdi_json_lex_number(CdJsonLexer *lex, CdJson *value) {
    size_t n = cdi_number_read(lex->p, (size_t)(lex->end - lex->p), &value->number);
    if (n == 0) return fail_minus(lex);
    const char *after = lex->p + n;
    if (after < lex->end && (is_word(*after) || *after == '.')) return fail_number_tail(lex, n);
    if (isinf(value->number)) {
        return FAIL_AT(lex, lex->p, "this number is too large; the largest is about 1.8e308");
    }
    value->kind = CD_JSON_NUMBER;
    value->integral = is_integral(lex->p, n, value->number);
    lex->p = after;
    return CD_OK;
}

// words of other languages and what JSON says for them; NULL: no word for it
typedef struct Word {
    const char *word, *right;
} Word;

static const Word foreign_words[] = {
    {"NaN", NULL},      {"nan", NULL},         {"NAN", NULL},      {"Infinity", NULL},
    {"infinity", NULL}, {"inf", NULL},         {"Inf", NULL},      {"INF", NULL},
    {"True", "true"},   {"TRUE", "true"},      {"False", "false"}, {"FALSE", "false"},
    {"None", "null"},   {"undefined", "null"}, {"nil", "null"},    {"NULL", "null"},
    {"Null", "null"},   {"INFINITY", NULL},    {"yes", "true"},    {"no", "false"},
};

static bool is_this(const CdJsonLexer *lex, size_t n, const char *word) {
    return strlen(word) == n && memcmp(lex->p, word, n) == 0;
}

static CdStatus fail_word(const CdJsonLexer *lex, size_t n) {
    for (size_t i = 0; i < sizeof foreign_words / sizeof *foreign_words; i++) {
        const Word *w = &foreign_words[i];
        if (!is_this(lex, n, w->word)) continue;
        if (w->right) return FAIL_AT(lex, lex->p, "%s is not JSON; write %s", w->word, w->right);
        return FAIL_AT(lex, lex->p, "%s is not a JSON number; write a finite number or null",
                       w->word);
    }
    char buf[CD_JSON_SHOWN_MAX];
    return FAIL_AT(lex, lex->p, "%s is not a JSON value; put texts in double quotes",
                   cdi_json_shown(lex, buf));
}

CdStatus cdi_json_lex_word(CdJsonLexer *lex, CdJson *value) {
    size_t n = cdi_json_word(lex);
    if (is_this(lex, n, "null")) {
        value->kind = CD_JSON_NULL;
    } else if (is_this(lex, n, "true") || is_this(lex, n, "false")) {
        value->kind = CD_JSON_BOOL;
        value->boolean = *lex->p == 't';
    } else {
        return fail_word(lex, n);
    }
    lex->p += n;
    return CD_OK;
}
