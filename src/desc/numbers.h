// numbers.h - arrays and rows of real numbers in JSON, shared by the field types that have them
#ifndef CARDAN_DESC_NUMBERS_H
#define CARDAN_DESC_NUMBERS_H

#include "desc/type.h"

// [a, b, ...] of n numbers, and rows of them, into v
CdStatus cdi_read_numbers(CdReader *r, const CdField *f, const CdJson *json, int n, double v[]);
CdStatus cdi_read_rows(CdReader *r, const CdField *f, const CdJson *json, int rows, int cols,
                       double v[]);
void cdi_write_numbers(CdJsonWriter *w, const double v[], int n);
void cdi_write_rows(CdJsonWriter *w, const double v[], int rows, int cols);

// schema of the same; 0: any number of rows or columns
void cdi_schema_numbers(CdSchema *s, const char *range, int n);
void cdi_schema_rows(CdSchema *s, const char *range, int rows, int cols);

// how large is a matrix given as rows, and does that fit the field?
CdStatus cdi_matrix_size(CdReader *r, const CdField *f, const CdJson *json, CdMatrix *m);
CdStatus cdi_matrix_check_size(CdReader *r, const CdField *f, const CdJson *json, size_t rows,
                               size_t cols);

// what the types MATRIX and TABLE share
void cdi_matrix_write(CdJsonWriter *w, const CdField *f, const void *value);
void cdi_matrix_clear(CdContext *ctx, const CdField *f, void *value);
bool cdi_matrix_complete(const CdField *f);
void cdi_matrix_words(CdText *out, const CdField *f);
void cdi_matrix_details(CdJsonWriter *w, const CdField *f);

#endif
