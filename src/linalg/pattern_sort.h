// pattern_sort.h - bare columns: what building and rearranging patterns have in common
#ifndef CARDAN_LINALG_PATTERN_SORT_H
#define CARDAN_LINALG_PATTERN_SORT_H

#include "linalg/pattern.h"

// a pattern whose arrays ptr (cols + 1) and row (nnz) are still to be filled
CdStatus cdi_pattern_alloc(CdContext *ctx, int rows, int cols, int nnz, CdPattern **out, int **ptr,
                           int **row);

// the transpose of columns in any order: tptr of rows + 1, trow of as many as row; map[k] (NULL:
// unwanted) becomes the new position of entry k
void cdi_columns_transpose(int rows, int cols, const int *ptr, const int *row, int *tptr, int *trow,
                           int *map);
// let the rows of every column ascend, in place
CdStatus cdi_columns_sort(CdArena *scratch, int rows, int cols, int *ptr, int *row, int *map);

#endif
