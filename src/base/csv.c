// csv.c - reads tables of numbers
#include "base/csv.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"

typedef struct Csv {
    CdContext *ctx;
    const char *file;
    const char *at, *end, *line_start;
    int line;
    char separator; // comma or semicolon, whichever came first; 0: none yet
    bool results;   // words are numbers too, and the line of names is kept
    const char *names;
    size_t names_n;
    size_t rows, cols;
    CD_ARRAY(double) values;
} Csv;

static CdPlace here(const Csv *c) {
    return (CdPlace){.file = c->file, .line = c->line, .col = (int)(c->at - c->line_start) + 1};
}

static bool at_line_end(const Csv *c) {
    return c->at == c->end || *c->at == '\n' || *c->at == '\r' || *c->at == '#';
}

static void skip_blanks(Csv *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t')) c->at++;
}

// past the end of the line: LF, CR or both
static void next_line(Csv *c) {
    while (c->at < c->end && *c->at != '\n' && *c->at != '\r') c->at++;
    if (c->end - c->at >= 2 && c->at[0] == '\r' && c->at[1] == '\n') c->at++;
    if (c->at < c->end) c->at++;
    c->line_start = c->at;
    c->line++;
}

// a separator is a comma or semicolon with blanks around it, or blanks alone
static CdStatus skip_separator(Csv *c, bool *found) {
    const char *start = c->at;
    skip_blanks(c);
    if (c->at < c->end && (*c->at == ',' || *c->at == ';')) {
        CdPlace place = here(c);
        if (c->separator && c->separator != *c->at) {
            return cdi_fail_at(c->ctx, CD_INVALID, &place,
                               "commas and semicolons in one table; write decimals with a point");
        }
        c->separator = *c->at++;
        skip_blanks(c);
    }
    *found = c->at > start;
    return CD_OK;
}

// nan, inf or -inf: its length, 0 if it is none of them
static size_t read_word(const Csv *c, double *x) {
    static const struct {
        const char *text;
        double value;
    } words[] = {{"nan", NAN}, {"-nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    for (size_t i = 0; c->results && i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i].text);
        if ((size_t)(c->end - c->at) < n || memcmp(c->at, words[i].text, n) != 0) continue;
        *x = words[i].value;
        return n;
    }
    return 0;
}

static CdStatus read_value(Csv *c) {
    double x;
    size_t plus = c->at < c->end && *c->at == '+';
    size_t n = cdi_number_read(c->at + plus, (size_t)(c->end - c->at) - plus, &x);
    const size_t word = n == 0 && !plus ? read_word(c, &x) : 0;
    CdPlace place = here(c);
    if (n + word == 0) return cdi_fail_at(c->ctx, CD_INVALID, &place, "expected a number");
    if (!word && !isfinite(x)) {
        return cdi_fail_at(c->ctx, CD_INVALID, &place, "the number is too large for a double");
    }
    c->at += plus + n + word;
    return CD_PUSH(c->ctx, c->values, x);
}

static CdStatus read_row(Csv *c) {
    size_t cols = 0;
    for (;;) {
        CD_TRY(read_value(c));
        cols++;
        bool separated = false;
        CD_TRY(skip_separator(c, &separated));
        if (at_line_end(c)) break;
        CdPlace place = here(c);
        if (!separated) {
            return cdi_fail_at(c->ctx, CD_INVALID, &place,
                               "expected a comma, semicolon or space between two numbers");
        }
    }
    CdPlace place = here(c);
    if (c->rows > 0 && cols != c->cols) {
        return cdi_fail_at(c->ctx, CD_INVALID, &place, "%zu columns here, but %zu in the first row",
                           cols, c->cols);
    }
    c->cols = cols;
    c->rows++;
    return CD_OK;
}

// names of columns: every cell begins with a letter, perhaps in quotes; none is a number in words
static bool is_header(const Csv *c) {
    const char *at = c->at;
    bool cell_begins = true;
    for (; at < c->end && *at != '\n' && *at != '\r' && *at != '#'; at++) {
        bool separator = *at == ',' || *at == ';' || *at == '\t';
        if (cell_begins && (*at == ' ' || *at == '"')) continue;
        if (cell_begins && !cdi_is_letter(*at)) return false;
        size_t left = (size_t)(c->end - at);
        bool word = left >= 3 && (memcmp(at, "nan", 3) == 0 || memcmp(at, "inf", 3) == 0 ||
                                  memcmp(at, "NaN", 3) == 0 || memcmp(at, "Inf", 3) == 0);
        if (cell_begins && word && (left == 3 || !cdi_is_letter(at[3]))) return false;
        cell_begins = separator;
        // names of results may begin with anything; the first is that of time
        if (c->results) return true;
    }
    return true;
}

static void keep_header(Csv *c) {
    c->names = c->at;
    while (c->at < c->end && *c->at != '\n' && *c->at != '\r') c->at++;
    c->names_n = (size_t)(c->at - c->names);
}

static CdStatus read_lines(Csv *c) {
    bool first = true;
    while (c->at < c->end) {
        skip_blanks(c);
        if (!at_line_end(c)) {
            if (!first || !is_header(c)) {
                CD_TRY(read_row(c));
            } else {
                keep_header(c);
            }
            first = false;
        }
        next_line(c);
    }
    CdPlace place = {.file = c->file};
    if (c->rows == 0 && !(c->results && c->names)) {
        return cdi_fail_at(c->ctx, CD_INVALID, &place, "the table has no numbers");
    }
    return CD_OK;
}

static CdStatus read_text(Csv *c, const char *text, size_t n) {
    static const char mark[] = "\xef\xbb\xbf"; // byte order mark, as spreadsheets write it
    const size_t skip = n >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    c->at = c->line_start = text + skip;
    c->end = text + n;
    c->line = 1;
    const CdStatus status = read_lines(c);
    if (status != CD_OK) cdi_array_free(c->ctx, &c->values.any);
    return status;
}

CdStatus cdi_csv_read(CdContext *ctx, const char *file, const char *text, size_t n, size_t *rows,
                      size_t *cols, double **values) {
    Csv c = {.ctx = ctx, .file = file};
    CD_TRY(read_text(&c, text, n));
    *rows = c.rows;
    *cols = c.cols;
    *values = c.values.v;
    return CD_OK;
}

CdStatus cdi_csv_read_results(CdContext *ctx, const char *file, const char *text, size_t n,
                              CdCsv *csv) {
    Csv c = {.ctx = ctx, .file = file, .results = true};
    *csv = (CdCsv){0};
    CD_TRY(read_text(&c, text, n));
    *csv = (CdCsv){c.rows, c.cols, c.values.v, c.names, c.names_n};
    return CD_OK;
}
