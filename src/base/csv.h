// csv.h - tables of numbers in text files
//
// One row per line; columns separated by commas, semicolons, tabs or spaces; # begins a comment; a
// first line that is not numeric holds the names of the columns and is skipped. All rows have the
// same number of columns.
#ifndef CARDAN_BASE_CSV_H
#define CARDAN_BASE_CSV_H

#include "base/context.h"

// values by rows, owned by the caller (cdi_free); the first mistake is reported with file, line and
// column
CdStatus cdi_csv_read(CdContext *ctx, const char *file, const char *text, size_t n, size_t *rows,
                      size_t *cols, double **values);

// the same for results, which may hold nan, inf and -inf, and may be names without any row
typedef struct CdCsv {
    size_t rows, cols;
    double *values;    // by rows, owned by the caller (cdi_free)
    const char *names; // the line of names in the text that was read; NULL: none
    size_t names_n;    // its bytes
} CdCsv;
CdStatus cdi_csv_read_results(CdContext *ctx, const char *file, const char *text, size_t n,
                              CdCsv *csv);

#endif
