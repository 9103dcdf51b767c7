// pattern_build.c - patterns from couplings: index lists go in, merged and sorted columns come out
//
// Blocks are kept as the two lists they were given as, not as their nr nc couplings. At the end
// column j runs over the blocks that contain it and marks their rows:
//
//   rows of column j = union of the rows of all blocks with j among their columns
//
// so memory is that of the lists and of the result, however often couplings repeat (120 bodies on
// one joint, 8 elements on one node). Time is that of all couplings.
// Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, sec. 2.4 and 2.6.
#include <limits.h>
#include <string.h>

#include "linalg/pattern_sort.h"

void cdi_pattern_begin(CdPatternBuilder *b, CdContext *ctx, int rows, int cols, bool symmetric) {
    *b = (CdPatternBuilder){.ctx = ctx, .rows = rows, .cols = cols, .symmetric = symmetric};
    if (rows < 0 || cols < 0 || rows == INT_MAX || cols == INT_MAX) {
        b->status =
            cdi_fail(ctx, CD_LIMIT, "a pattern cannot have %d rows and %d columns", rows, cols);
    } else if (symmetric && rows != cols) {
        b->status =
            cdi_fail(ctx, CD_INVALID,
                     "a symmetric pattern must be square, not %d rows and %d columns", rows, cols);
    }
}

void cdi_pattern_drop(CdPatternBuilder *b) {
    cdi_array_free(b->ctx, &b->blocks.any);
}

static CdStatus check_list(CdPatternBuilder *b, const char *what, int n, const int *list,
                           int limit) {
    if (n < 0) {
        return cdi_fail(b->ctx, CD_INVALID, "pattern: a list of %ss cannot have %d entries", what,
                        n);
    }
    for (int k = 0; k < n; k++) {
        if (list[k] >= 0 && list[k] < limit) continue;
        return cdi_fail(b->ctx, CD_INVALID, "pattern: there is no %s %d; there are %d", what,
                        list[k], limit);
    }
    return CD_OK;
}

static void append(CdPatternBuilder *b, int n, const int *list) {
    if (n > 0) memcpy(b->blocks.v + b->blocks.n, list, (size_t)n * sizeof *list);
    b->blocks.n += (size_t)n;
}

static CdStatus push_block(CdPatternBuilder *b, int nr, const int *rows, int nc, const int *cols) {
    const int head[2] = {nr, nc};
    const size_t need = 2 + (size_t)nr + (size_t)nc;
    CD_TRY(cdi_array_fit(b->ctx, &b->blocks.any, need, sizeof *b->blocks.v));
    append(b, 2, head);
    append(b, nr, rows);
    append(b, nc, cols);
    return CD_OK;
}

static CdStatus add(CdPatternBuilder *b, int nr, const int *rows, int nc, const int *cols) {
    CD_TRY(check_list(b, "row", nr, rows, b->rows));
    CD_TRY(check_list(b, "column", nc, cols, b->cols));
    CD_TRY(push_block(b, nr, rows, nc, cols));
    const bool same = nr == nc && (nr == 0 || memcmp(rows, cols, (size_t)nr * sizeof *rows) == 0);
    return b->symmetric && !same ? push_block(b, nc, cols, nr, rows) : CD_OK;
}

CdStatus cdi_pattern_add_block(CdPatternBuilder *b, int nr, const int *rows, int nc,
                               const int *cols) {
    if (b->status == CD_OK) b->status = add(b, nr, rows, nc, cols);
    return b->status;
}

CdStatus cdi_pattern_add(CdPatternBuilder *b, int i, int j) {
    return cdi_pattern_add_block(b, 1, &i, 1, &j);
}

CdStatus cdi_pattern_add_diagonal(CdPatternBuilder *b) {
    for (int i = 0; i < b->rows && i < b->cols; i++) CD_TRY(cdi_pattern_add(b, i, i));
    return b->status;
}

// one stored block
typedef struct Block {
    int nr, nc;
    const int *rows, *cols;
} Block;

static Block block_at(const CdPatternBuilder *b, size_t at) {
    const int *v = b->blocks.v + at;
    return (Block){v[0], v[1], v + 2, v + 2 + v[0]};
}

static size_t after(Block block, size_t at) {
    return at + 2 + (size_t)block.nr + (size_t)block.nc;
}

// blocks of every column: list[start[j]] ... are their places
typedef struct Uses {
    size_t *start, *list;
} Uses;

static CdStatus find_uses(const CdPatternBuilder *b, CdArena *scratch, Uses *uses) {
    size_t *start = CD_TAKE(scratch, size_t, (size_t)b->cols + 2);
    if (!start) return CD_NOMEM;
    for (size_t at = 0; at < b->blocks.n; at = after(block_at(b, at), at)) {
        const Block block = block_at(b, at);
        for (int c = 0; c < block.nc; c++) start[block.cols[c] + 2]++;
    }
    for (int j = 0; j <= b->cols; j++) start[j + 1] += start[j];
    size_t *list = CD_TAKE(scratch, size_t, start[b->cols + 1]);
    if (!list) return CD_NOMEM;
    for (size_t at = 0; at < b->blocks.n; at = after(block_at(b, at), at)) {
        const Block block = block_at(b, at);
        for (int c = 0; c < block.nc; c++) list[start[block.cols[c] + 1]++] = at;
    }
    *uses = (Uses){start, list};
    return CD_OK;
}

// rows of column j, each once, into out (NULL: only count); mark[i] == j once i is in
static int column_rows(const CdPatternBuilder *b, const Uses *uses, int j, int *mark, int *out) {
    int n = 0;
    for (size_t k = uses->start[j]; k < uses->start[j + 1]; k++) {
        const Block block = block_at(b, uses->list[k]);
        for (int r = 0; r < block.nr; r++) {
            const int i = block.rows[r];
            if (mark[i] == j) continue;
            mark[i] = j;
            if (out) out[n] = i;
            n++;
        }
    }
    return n;
}

static void unmark(int n, int *mark) {
    for (int i = 0; i < n; i++) mark[i] = -1;
}

static CdStatus count_entries(const CdPatternBuilder *b, const Uses *uses, int *mark, int *nnz) {
    *nnz = 0;
    unmark(b->rows, mark);
    for (int j = 0; j < b->cols; j++) {
        const int n = column_rows(b, uses, j, mark, NULL);
        if (n > INT_MAX - *nnz) {
            return cdi_fail(b->ctx, CD_LIMIT, "a pattern cannot have more than %d entries",
                            INT_MAX);
        }
        *nnz += n;
    }
    return CD_OK;
}

static CdStatus build(const CdPatternBuilder *b, CdArena *scratch, CdPattern **out) {
    Uses uses;
    int nnz, *ptr, *row;
    CD_TRY(find_uses(b, scratch, &uses));
    int *mark = CD_TAKE(scratch, int, (size_t)b->rows);
    if (!mark) return CD_NOMEM;
    CD_TRY(count_entries(b, &uses, mark, &nnz));
    CD_TRY(cdi_pattern_alloc(b->ctx, b->rows, b->cols, nnz, out, &ptr, &row));
    unmark(b->rows, mark);
    for (int j = 0; j < b->cols; j++) {
        ptr[j + 1] = ptr[j] + column_rows(b, &uses, j, mark, row + ptr[j]);
    }
    return cdi_columns_sort(scratch, b->rows, b->cols, ptr, row, NULL);
}

CdStatus cdi_pattern_end(CdPatternBuilder *b, CdPattern **pattern) {
    *pattern = NULL;
    CdArena scratch;
    cdi_arena_init(&scratch, b->ctx, 0);
    CdStatus status = b->status;
    if (status == CD_OK) status = build(b, &scratch, pattern);
    cdi_arena_clear(&scratch);
    cdi_pattern_drop(b);
    if (status != CD_OK) {
        cdi_pattern_free(*pattern);
        *pattern = NULL;
    }
    return status;
}
