// numbers.c - arrays and rows of real numbers in JSON
#include "desc/numbers.h"

#include <limits.h>
#include <math.h>

CdStatus cdi_read_numbers(CdReader *r, const CdField *f, const CdJson *json, int n, double v[]) {
    if (json->kind != CD_JSON_ARRAY) return cdi_reject_kind(r, json, cdi_type(f->type)->form);
    if (json->n != (size_t)n) {
        return cdi_reject(r, json, "must have %d numbers, not %zu", n, json->n);
    }
    CdStatus status = CD_OK;
    for (int i = 0; i < n; i++) {
        const CdJson *element = json->items + i;
        // any number will do
        if (element->kind == CD_JSON_NUMBER && isfinite(element->number) && !*f->range) {
            v[i] = element->number;
            continue;
        }
        size_t mark = cdi_enter_element(r, (size_t)i);
        if (element->kind == CD_JSON_NUMBER || element->kind == CD_JSON_STRING) {
            CD_COLLECT(status, cdi_read_quantity(r, f, element, v + i));
        } else {
            status = cdi_reject_kind(r, element, "a number");
        }
        cdi_leave(r, mark);
    }
    return status;
}

CdStatus cdi_read_rows(CdReader *r, const CdField *f, const CdJson *json, int rows, int cols,
                       double v[]) {
    if (json->kind != CD_JSON_ARRAY) return cdi_reject_kind(r, json, cdi_type(f->type)->form);
    if (json->n != (size_t)rows) {
        return cdi_reject(r, json, "must have %d rows, not %zu", rows, json->n);
    }
    CdStatus status = CD_OK;
    for (int i = 0; i < rows; i++) {
        size_t mark = cdi_enter_element(r, (size_t)i);
        const CdJson *row = json->items + i;
        if (row->kind == CD_JSON_ARRAY) {
            CD_COLLECT(status, cdi_read_numbers(r, f, row, cols, v + (size_t)i * (size_t)cols));
        } else {
            status = cdi_reject_kind(r, row, "a row of numbers [...]");
        }
        cdi_leave(r, mark);
    }
    return status;
}

void cdi_write_numbers(CdJsonWriter *w, const double v[], int n) {
    cdi_json_begin_array(w, true);
    for (int i = 0; i < n; i++) cdi_json_number(w, v[i]);
    cdi_json_end_array(w);
}

void cdi_write_rows(CdJsonWriter *w, const double v[], int rows, int cols) {
    cdi_json_begin_array(w, false);
    for (int i = 0; i < rows; i++) cdi_write_numbers(w, v + (size_t)i * (size_t)cols, cols);
    cdi_json_end_array(w);
}

// exactly n elements, or at least one where n is 0
static void schema_count(CdSchema *s, int n) {
    cdi_json_key_integer(s->w, "minItems", n ? n : 1);
    if (n == 0) return;
    cdi_json_key_integer(s->w, "maxItems", n);
}

void cdi_schema_numbers(CdSchema *s, const char *range, int n) {
    cdi_schema_type(s, "array");
    schema_count(s, n);
    cdi_json_key(s->w, "items");
    cdi_json_begin_object(s->w);
    cdi_schema_number(s, "number", range);
    cdi_json_end_object(s->w);
}

void cdi_schema_rows(CdSchema *s, const char *range, int rows, int cols) {
    cdi_schema_type(s, "array");
    schema_count(s, rows);
    cdi_json_key(s->w, "items");
    cdi_json_begin_object(s->w);
    cdi_schema_numbers(s, range, cols);
    cdi_json_end_object(s->w);
}

CdStatus cdi_matrix_check_size(CdReader *r, const CdField *f, const CdJson *json, size_t rows,
                               size_t cols) {
    if (rows == 0 || cols == 0) return cdi_reject(r, json, "must not be empty");
    if (f->rows && rows != (size_t)f->rows) {
        return cdi_reject(r, json, "must have %d rows, not %zu", f->rows, rows);
    }
    if (f->cols && cols != (size_t)f->cols) {
        return cdi_reject(r, json, "must have %d columns, not %zu", f->cols, cols);
    }
    if (rows > INT_MAX || cols > INT_MAX) return cdi_reject(r, json, "is too large");
    return CD_OK;
}

// every row is looked at before memory is taken, so that a single long row cannot ask for too much
CdStatus cdi_matrix_size(CdReader *r, const CdField *f, const CdJson *json, CdMatrix *m) {
    if (json->kind != CD_JSON_ARRAY) return cdi_reject_kind(r, json, cdi_type(f->type)->form);
    CdStatus status = CD_OK;
    for (size_t i = 0; i < json->n; i++) {
        const CdJson *row = json->items + i;
        size_t mark = cdi_enter_element(r, i);
        if (row->kind != CD_JSON_ARRAY) {
            status = cdi_reject_kind(r, row, "a row of numbers [...]");
        } else if (row->n != json->items[0].n && json->items[0].kind == CD_JSON_ARRAY) {
            status = cdi_reject(r, row, "must be as long as the first row, %zu, not %zu",
                                json->items[0].n, row->n);
        }
        cdi_leave(r, mark);
    }
    CD_TRY(status);
    size_t cols = json->n ? json->items[0].n : 0;
    CD_TRY(cdi_matrix_check_size(r, f, json, json->n, cols));
    m->rows = (int)json->n;
    m->cols = (int)cols;
    return CD_OK;
}

void cdi_matrix_write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    const CdMatrix *m = value;
    if (m->v) {
        cdi_write_rows(w, m->v, m->rows, m->cols);
    } else {
        cdi_json_null(w);
    }
}

void cdi_matrix_clear(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    CdMatrix *m = value;
    cdi_free(ctx, m->v);
    *m = (CdMatrix){0};
}

bool cdi_matrix_complete(const CdField *f) {
    return f->rows >= 0 && f->cols >= 0;
}

void cdi_matrix_words(CdText *out, const CdField *f) {
    if (f->rows && f->cols) {
        cdi_text_addf(out, " %d by %d", f->rows, f->cols);
    } else if (f->cols) {
        cdi_text_addf(out, " of %d columns", f->cols);
    } else if (f->rows) {
        cdi_text_addf(out, " of %d rows", f->rows);
    }
}

void cdi_matrix_details(CdJsonWriter *w, const CdField *f) {
    cdi_json_key_integer(w, "rows", f->rows);
    cdi_json_key_integer(w, "cols", f->cols);
}
