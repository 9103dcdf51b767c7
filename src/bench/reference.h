// reference.h - a table of reference values with names of its columns
#ifndef CARDAN_BENCH_REFERENCE_H
#define CARDAN_BENCH_REFERENCE_H

#include "base/context.h"

typedef struct CdReference {
    CdContext *ctx;
    char *text;   // of the file
    char **names; // of columns, the first is the time
    size_t rows, cols;
    double *v; // by rows
} CdReference;

CdStatus cdi_reference_read(CdContext *ctx, const char *path, CdReference *reference);
void cdi_reference_free(CdReference *reference);                          // zeros do nothing
int cdi_reference_column(const CdReference *reference, const char *name); // -1: none

#endif
