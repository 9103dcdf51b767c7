// table_csv.c - results in a CSV file as a table; all of it is held in memory
//
//   # time in s; tip.x in m        units; may be missing
//   t,tip.x                        names, in quotes if they hold commas; if missing: c1, c2, ...
//   0,0.5
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "results/csv_file.h"
#include "results/table.h"

#define MORE_MAX 32 // letters of a name that is made here

static CdStatus read_rows(CdTable *t, uint64_t first, uint64_t n, double *rows) {
    const double *values = t->source;
    const size_t width = (size_t)t->n + 1;
    if (n > 0) memcpy(rows, values + first * width, (size_t)n * width * sizeof *rows);
    return CD_OK;
}

static void close_rows(CdTable *t) {
    cdi_free(t->ctx, t->source);
}

// ---- names

static bool separates(char c) {
    return c == ',' || c == ';' || c == '\t';
}

// one name at *at, which moves behind it and its separator
static char *take_name(CdArena *arena, const char **at, const char *end) {
    const char *p = *at;
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    const bool quoted = p < end && *p == '"';
    const char *begin = quoted ? ++p : p;
    while (p < end && (quoted ? *p != '"' : !separates(*p))) p++;
    const char *stop = p;
    while (!quoted && stop > begin && stop[-1] == ' ') stop--;
    while (p < end && !separates(*p)) p++;
    *at = p < end ? p + 1 : end;
    return cdi_arena_strndup(arena, begin, (size_t)(stop - begin));
}

static char *make_name(CdArena *arena, int k) {
    char text[MORE_MAX];
    const int n = snprintf(text, sizeof text, "c%d", k + 1);
    return cdi_arena_strndup(arena, text, (size_t)n);
}

static size_t count_names(const CdCsv *csv) {
    size_t n = 1;
    bool quoted = false;
    for (size_t i = 0; i < csv->names_n; i++) {
        const char c = csv->names[i];
        if (c == '"') quoted = !quoted;
        n += !quoted && separates(c);
    }
    return n;
}

// the number of columns that the names and the rows agree upon
static CdStatus count_columns(CdContext *ctx, const char *file, CdCsv *csv) {
    const size_t named = csv->names ? count_names(csv) : csv->cols;
    if (csv->rows == 0) csv->cols = named;
    const CdPlace place = {.file = file};
    if (csv->cols != named) {
        return cdi_fail_at(ctx, CD_INVALID, &place, "%zu names, but %zu columns of numbers", named,
                           csv->cols);
    }
    if (csv->cols > INT32_MAX) return cdi_fail_at(ctx, CD_LIMIT, &place, "too many columns");
    return CD_OK;
}

static CdStatus name_channels(CdTable *t, CdChannel *channels, const CdCsv *csv) {
    const char *at = csv->names, *end = csv->names ? csv->names + csv->names_n : NULL;
    if (at && !take_name(&t->arena, &at, end)) return CD_NOMEM; // of time
    for (int k = 0; k < t->n; k++) {
        channels[k].unit = "";
        channels[k].name = at ? take_name(&t->arena, &at, end) : make_name(&t->arena, k);
        if (!channels[k].name) return CD_NOMEM;
    }
    return CD_OK;
}

// ---- units

static bool skip(const char **at, const char *end, const char *word) {
    const size_t n = strlen(word);
    if ((size_t)(end - *at) < n || memcmp(*at, word, n) != 0) return false;
    *at += n;
    return true;
}

// length of a unit; marked: CD_CSV_NOT_UNIQUE stands behind it
static size_t without_mark(const char *unit, size_t n, bool *marked) {
    const size_t m = strlen(CD_CSV_NOT_UNIQUE);
    *marked = n >= m && memcmp(unit + n - m, CD_CSV_NOT_UNIQUE, m) == 0;
    return *marked ? n - m : n;
}

// "; tip.x in m" of every channel in turn; what comes after the first surprise has no unit
static CdStatus name_units(CdTable *t, CdChannel *channels, const char *text, size_t n) {
    const char *at = text, *end = text + n;
    if (!skip(&at, end, "# time in s")) return CD_OK;
    for (int k = 0; k < t->n; k++) {
        if (!skip(&at, end, "; ") || !skip(&at, end, channels[k].name) || !skip(&at, end, " in ")) {
            return CD_OK;
        }
        const char *begin = at;
        while (at < end && *at != ';' && *at != '\n' && *at != '\r') at++;
        const size_t length = without_mark(begin, (size_t)(at - begin), &channels[k].not_unique);
        channels[k].unit = cdi_arena_strndup(&t->arena, begin, length);
        if (!channels[k].unit) return CD_NOMEM;
    }
    return CD_OK;
}

CdStatus cdi_table_of_csv(CdContext *ctx, const char *file, const char *text, size_t n,
                          CdTable **table) {
    CdCsv csv;
    *table = NULL;
    CD_TRY(cdi_csv_read_results(ctx, file, text, n, &csv));
    CdTable *t = NULL;
    CdStatus status = count_columns(ctx, file, &csv);
    if (status == CD_OK) status = cdi_table_new(ctx, &t);
    if (status != CD_OK) {
        cdi_free(ctx, csv.values);
        return status;
    }
    t->n = (int)csv.cols - 1;
    t->rows = csv.rows;
    t->read = read_rows;
    t->close = close_rows;
    t->source = csv.values;
    CdChannel *channels = CD_TAKE(&t->arena, CdChannel, (size_t)t->n);
    t->channels = channels;
    status = channels ? name_channels(t, channels, &csv) : CD_NOMEM;
    if (status == CD_OK) status = name_units(t, channels, text, n);
    if (status == CD_OK) {
        *table = t;
    } else {
        cdi_table_free(t);
    }
    return status;
}
