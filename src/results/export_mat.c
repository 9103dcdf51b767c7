// export_mat.c - results for MATLAB, Octave and scipy.io.loadmat: a MAT file of version 5
//
//   file    = 116 bytes of text, 8 of nothing, version, "IM"; elements
//   element = type u32, bytes u32, content, zeros up to 8 bytes; up to 4 bytes stay in the tag
//   array   = an element of type "matrix": class, sizes, name, numbers; each an element again
//
// Every column is a variable of its own, n x 1. Names of channels become names of variables; the
// cell array `channels` keeps variable, channel and unit of them all. An element holds less than
// 2 GiB. MathWorks, MAT-File Format, version 5.
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "results/bytes.h"
#include "results/export.h"

#define HEAD_TEXT 116
#define HEAD_BYTES 128
#define VERSION 0x0100
#define NAME_MAX_BYTES 63 // of a variable
#define ELEMENT_MAX 0x7fffffffu
#define INLINE_MAX 4 // bytes that stay in the tag

enum { INT8 = 1, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14, UTF8 = 16 };
enum { CELL_ARRAY = 1, CHAR_ARRAY = 4, DOUBLE_ARRAY = 6 };

typedef struct Mat {
    const char **keys;
    uint64_t *offsets; // of the numbers of every column
    uint64_t end;
} Mat;

static uint64_t pad8(uint64_t n) {
    return (n + 7) / 8 * 8;
}

// ---- elements

static void put_tag(CdText *to, uint32_t type, uint64_t bytes) {
    put32(to, type);
    put32(to, (uint32_t)bytes);
}

static void put_element(CdText *to, uint32_t type, const char *data, size_t n) {
    const bool small = n > 0 && n <= INLINE_MAX;
    if (small) {
        put32(to, (uint32_t)n << 16 | type);
    } else {
        put_tag(to, type, n);
    }
    cdi_text_addn(to, data, n);
    put_zeros(to, small ? INLINE_MAX - n : (size_t)pad8(n) - n);
}

// what comes before the content: class, sizes, name
static void put_array(CdText *to, unsigned cls, uint32_t rows, uint32_t cols, const char *name) {
    put_tag(to, UINT32, 8);
    put32(to, cls);
    put32(to, 0);
    put_tag(to, INT32, 8);
    put32(to, rows);
    put32(to, cols);
    put_element(to, INT8, name, strlen(name));
}

// the size in a tag, once it is known
static void set_size(CdText *to, size_t tag) {
    const size_t n = to->n - tag - 8;
    for (size_t i = 0; to->status == CD_OK && i < 4; i++) {
        to->v[tag + 4 + i] = (char)(n >> 8 * i & 0xff);
    }
}

// ---- texts: UTF-8

// Copy with ? for bytes that are none and for letters of four bytes, which MATLAB counts twice and
// SciPy once; the number of letters.
static uint32_t copy_letters(const char *text, char to[CD_EXPORT_NAME_MAX + 1]) {
    const char *end = text + strlen(text);
    uint32_t letters = 0;
    for (const char *c = text; c < end; letters++) {
        const size_t n = cdi_utf8_size(c, end);
        const bool kept = n > 0 && n < 4;
        *to = '?';
        if (kept) memcpy(to, c, n);
        to += kept ? n : 1;
        c += n > 0 ? n : 1;
    }
    *to = 0;
    return letters;
}

static void put_text(CdText *to, const char *text) {
    char letters[CD_EXPORT_NAME_MAX + 1];
    const uint32_t n = copy_letters(text, letters);
    const size_t tag = to->n;
    put_tag(to, MATRIX, 0);
    put_array(to, CHAR_ARRAY, n > 0, n, "");
    put_element(to, UTF8, letters, strlen(letters));
    set_size(to, tag);
}

// ---- variables

static CdStatus too_large(CdExport *e, const char *what) {
    return cdi_fail(e->ctx, CD_LIMIT,
                    "%s: %s needs 2 GiB or more, which MAT files of version 5 cannot hold; take "
                    "fewer samples or channels, or another format",
                    e->path, what);
}

static CdStatus place_column(CdExport *e, int k) {
    Mat *m = e->work;
    const uint64_t rows = e->table->rows, bytes = rows * sizeof(double);
    if (bytes > ELEMENT_MAX - HEAD_BYTES - NAME_MAX_BYTES) return too_large(e, "every channel");
    put_tag(&e->bytes, MATRIX, 0);
    put_array(&e->bytes, DOUBLE_ARRAY, (uint32_t)rows, 1, m->keys[k]);
    put_tag(&e->bytes, DOUBLE, bytes);
    CD_TRY(e->bytes.status);
    const uint64_t head = e->bytes.n;
    // the tag tells the size with the numbers
    const uint32_t size = (uint32_t)(head - 8 + bytes);
    for (int i = 0; i < 4; i++) e->bytes.v[4 + i] = (char)(size >> 8 * i & 0xff);
    CD_TRY(cdi_export_put(e, m->end));
    m->offsets[k] = m->end + head;
    m->end = m->offsets[k] + bytes;
    return CD_OK;
}

static CdStatus put_channels(CdExport *e) {
    const Mat *m = e->work;
    const int n = e->table->n + 1;
    put_tag(&e->bytes, MATRIX, 0);
    put_array(&e->bytes, CELL_ARRAY, (uint32_t)n, 3, "channels");
    for (int k = 0; k < n; k++) put_text(&e->bytes, m->keys[k]);
    for (int k = 0; k < n; k++) put_text(&e->bytes, cdi_export_name(e, k));
    for (int k = 0; k < n; k++) put_text(&e->bytes, cdi_export_unit(e, k));
    if (e->bytes.n > ELEMENT_MAX) return too_large(e, "the list of channels");
    set_size(&e->bytes, 0);
    return cdi_export_put(e, m->end);
}

static CdStatus put_head(CdExport *e) {
    char text[HEAD_TEXT + 1];
    snprintf(text, sizeof text, "%-*s", HEAD_TEXT,
             "MATLAB 5.0 MAT-file, Created by: cardan " CD_VERSION);
    cdi_text_addn(&e->bytes, text, HEAD_TEXT);
    put64(&e->bytes, 0);
    put16(&e->bytes, VERSION);
    cdi_text_add(&e->bytes, "IM");
    return cdi_export_put(e, 0);
}

// ---- the format

static bool allowed(char c, bool first) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (!first && ((c >= '0' && c <= '9') || c == '_'));
}

static const char *const reserved[] = {
    "channels", "break", "case",     "catch",  "classdef", "continue",  "else",   "elseif",
    "end",      "for",   "function", "global", "if",       "otherwise", "parfor", "persistent",
    "return",   "spmd",  "switch",   "try",    "while",    NULL};

static CdStatus open(CdExport *e) {
    const int n = e->table->n + 1;
    Mat *m = e->work = CD_TAKE(&e->arena, Mat, 1);
    if (!m) return CD_NOMEM;
    m->offsets = CD_TAKE(&e->arena, uint64_t, (size_t)n);
    if (!m->offsets) return CD_NOMEM;
    CD_TRY(cdi_export_keys(e, allowed, NAME_MAX_BYTES, reserved, &m->keys));
    CD_TRY(put_head(e));
    m->end = HEAD_BYTES;
    for (int k = 0; k < n; k++) CD_TRY(place_column(e, k));
    return put_channels(e);
}

static CdStatus column(CdExport *e, int k, uint64_t first, uint64_t n, const double *values) {
    const Mat *m = e->work;
    return cdi_out_at(e->out, m->offsets[k] + first * sizeof *values, values,
                      (size_t)n * sizeof *values);
}

const CdExportClass cd_export_mat = {
    .name = "mat",
    .extension = ".mat",
    .doc = "MATLAB 5, one variable per channel; the cell array `channels` tells their names",
    .open = open,
    .column = column,
};
