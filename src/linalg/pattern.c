// pattern.c - patterns of sparse matrices: transposition, permutation, look-up
//
//   transposing twice sorts all columns in O(rows + cols + nnz)
//
// Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, sec. 2.5 and 2.7.
#include "linalg/pattern.h"

#include <limits.h>
#include <string.h>

#include "linalg/pattern_sort.h"

void cdi_pattern_free(CdPattern *p) {
    if (!p) return;
    CdContext *ctx = p->arena.ctx;
    cdi_arena_clear(&p->arena);
    cdi_free(ctx, p);
}

CdStatus cdi_pattern_alloc(CdContext *ctx, int rows, int cols, int nnz, CdPattern **out, int **ptr,
                           int **row) {
    *out = NULL;
    CdPattern *p = cdi_alloc(ctx, sizeof *p);
    if (!p) return CD_NOMEM;
    *p = (CdPattern){.rows = rows, .cols = cols, .nnz = nnz};
    cdi_arena_init(&p->arena, ctx, 0);
    p->ptr = *ptr = CD_TAKE(&p->arena, int, (size_t)cols + 1);
    p->row = *row = CD_TAKE(&p->arena, int, (size_t)nnz);
    if (!*ptr || !*row) {
        cdi_pattern_free(p);
        return CD_NOMEM;
    }
    *out = p;
    return CD_OK;
}

// columns of A become rows in order, so the rows of each new column ascend
void cdi_columns_transpose(int rows, int cols, const int *ptr, const int *row, int *tptr, int *trow,
                           int *map) {
    memset(tptr, 0, ((size_t)rows + 1) * sizeof *tptr);
    for (int k = 0; k < ptr[cols]; k++) tptr[row[k] + 1]++;
    for (int i = 0; i < rows; i++) tptr[i + 1] += tptr[i];
    for (int j = 0; j < cols; j++) {
        for (int k = ptr[j]; k < ptr[j + 1]; k++) {
            const int to = tptr[row[k]]++;
            trow[to] = j;
            if (map) map[k] = to;
        }
    }
    // every start has moved to the next one
    for (int i = rows; i > 0; i--) tptr[i] = tptr[i - 1];
    tptr[0] = 0;
}

CdStatus cdi_columns_sort(CdArena *scratch, int rows, int cols, int *ptr, int *row, int *map) {
    const size_t nnz = (size_t)ptr[cols];
    int *tptr = CD_TAKE(scratch, int, (size_t)rows + 1);
    int *trow = CD_TAKE(scratch, int, nnz);
    int *there = CD_TAKE(scratch, int, nnz);
    int *back = CD_TAKE(scratch, int, nnz);
    if (!tptr || !trow || !there || !back) return CD_NOMEM;
    cdi_columns_transpose(rows, cols, ptr, row, tptr, trow, there);
    cdi_columns_transpose(cols, rows, tptr, trow, ptr, row, back);
    for (size_t k = 0; map && k < nnz; k++) map[k] = back[there[k]];
    return CD_OK;
}

CdStatus cdi_pattern_transpose(CdContext *ctx, const CdPattern *p, int *map, CdPattern **out) {
    int *ptr, *row;
    CD_TRY(cdi_pattern_alloc(ctx, p->cols, p->rows, p->nnz, out, &ptr, &row));
    cdi_columns_transpose(p->rows, p->cols, p->ptr, p->row, ptr, row, map);
    return CD_OK;
}

CdStatus cdi_permutation_invert(CdContext *ctx, int n, const int *perm, int *inverse) {
    for (int k = 0; k < n; k++) inverse[k] = -1;
    for (int k = 0; k < n; k++) {
        const int i = perm[k];
        if (i < 0 || i >= n) {
            return cdi_fail(ctx, CD_INVALID, "permutation: entry %d is %d; it must be in 0 ... %d",
                            k, i, n - 1);
        }
        if (inverse[i] >= 0) {
            return cdi_fail(ctx, CD_INVALID, "permutation: entries %d and %d are both %d",
                            inverse[i], k, i);
        }
        inverse[i] = k;
    }
    return CD_OK;
}

// columns in their new order with renumbered rows; from[k] is where entry k was
static void gather_columns(const CdPattern *p, const int *row_to, const int *col_perm, int *ptr,
                           int *row, int *from) {
    int n = 0;
    for (int j = 0; j < p->cols; j++) {
        const int old = col_perm ? col_perm[j] : j;
        ptr[j] = n;
        for (int k = p->ptr[old]; k < p->ptr[old + 1]; k++) {
            row[n] = row_to ? row_to[p->row[k]] : p->row[k];
            from[n++] = k;
        }
    }
    ptr[p->cols] = n;
}

static CdStatus permute(CdContext *ctx, CdArena *scratch, const CdPattern *p, const int *row_perm,
                        const int *col_perm, int *map, int *ptr, int *row) {
    int *row_to = CD_TAKE(scratch, int, (size_t)p->rows);
    int *col_to = CD_TAKE(scratch, int, (size_t)p->cols);
    int *from = CD_TAKE(scratch, int, (size_t)p->nnz);
    int *sorted = CD_TAKE(scratch, int, (size_t)p->nnz);
    if (!row_to || !col_to || !from || !sorted) return CD_NOMEM;
    if (row_perm) CD_TRY(cdi_permutation_invert(ctx, p->rows, row_perm, row_to));
    if (col_perm) CD_TRY(cdi_permutation_invert(ctx, p->cols, col_perm, col_to));
    gather_columns(p, row_perm ? row_to : NULL, col_perm, ptr, row, from);
    CD_TRY(cdi_columns_sort(scratch, p->rows, p->cols, ptr, row, sorted));
    for (int k = 0; map && k < p->nnz; k++) map[from[k]] = sorted[k];
    return CD_OK;
}

CdStatus cdi_pattern_permute(CdContext *ctx, const CdPattern *p, const int *row_perm,
                             const int *col_perm, int *map, CdPattern **out) {
    int *ptr, *row;
    CD_TRY(cdi_pattern_alloc(ctx, p->rows, p->cols, p->nnz, out, &ptr, &row));
    CdArena scratch;
    cdi_arena_init(&scratch, ctx, 0);
    CdStatus status = permute(ctx, &scratch, p, row_perm, col_perm, map, ptr, row);
    cdi_arena_clear(&scratch);
    if (status != CD_OK) {
        cdi_pattern_free(*out);
        *out = NULL;
    }
    return status;
}

// rows of column j of A and of its transposed t, each once and ascending, into row (NULL: only
// count); map: entries of A
static int merge_column(const CdPattern *p, const CdPattern *t, int j, int first, int *row,
                        int *map) {
    int k = p->ptr[j], l = t->ptr[j], n = first;
    while (k < p->ptr[j + 1] || l < t->ptr[j + 1]) {
        const int i = k < p->ptr[j + 1] ? p->row[k] : p->rows;
        const int other = l < t->ptr[j + 1] ? t->row[l] : p->rows;
        if (i <= other && map) map[k] = n;
        if (row) row[n] = i < other ? i : other;
        k += i <= other;
        l += other <= i;
        n++;
    }
    return n;
}

static CdStatus merge(CdContext *ctx, const CdPattern *p, const CdPattern *t, int *map,
                      CdPattern **out) {
    int64_t nnz = 0;
    int *ptr, *row;
    for (int j = 0; j < p->cols; j++) nnz += merge_column(p, t, j, 0, NULL, NULL);
    if (nnz > INT_MAX) {
        return cdi_fail(ctx, CD_LIMIT, "a pattern cannot have more than %d entries", INT_MAX);
    }
    CD_TRY(cdi_pattern_alloc(ctx, p->rows, p->cols, (int)nnz, out, &ptr, &row));
    for (int j = 0; j < p->cols; j++) ptr[j + 1] = merge_column(p, t, j, ptr[j], row, map);
    return CD_OK;
}

CdStatus cdi_pattern_symmetrize(CdContext *ctx, const CdPattern *p, int *map, CdPattern **out) {
    CdPattern *t;
    *out = NULL;
    if (p->rows != p->cols) {
        return cdi_fail(ctx, CD_INVALID,
                        "a symmetric pattern must be square, not %d rows and %d columns", p->rows,
                        p->cols);
    }
    CD_TRY(cdi_pattern_transpose(ctx, p, NULL, &t));
    const CdStatus status = merge(ctx, p, t, map, out);
    cdi_pattern_free(t);
    return status;
}

int cdi_pattern_slot(const CdPattern *p, int i, int j) {
    if (j < 0 || j >= p->cols) return -1;
    int lo = p->ptr[j], hi = p->ptr[j + 1];
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (p->row[mid] < i) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < p->ptr[j + 1] && p->row[lo] == i ? lo : -1;
}

CdStatus cdi_pattern_slots(CdContext *ctx, const CdPattern *p, int nr, const int *rows, int nc,
                           const int *cols, int *slots) {
    for (int c = 0; c < nc; c++) {
        for (int r = 0; r < nr; r++) {
            const int slot = cdi_pattern_slot(p, rows[r], cols[c]);
            if (slot < 0) {
                return cdi_fail(ctx, CD_INVALID, "the pattern has no entry in row %d, column %d",
                                rows[r], cols[c]);
            }
            slots[(size_t)r + (size_t)nr * (size_t)c] = slot;
        }
    }
    return CD_OK;
}

bool cdi_pattern_is_symmetric(const CdPattern *p) {
    if (p->rows != p->cols) return false;
    for (int j = 0, off = 0; j < p->cols; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            if (cdi_pattern_slot_like(p, j, p->row[k], &off) < 0) return false;
        }
    }
    return true;
}
