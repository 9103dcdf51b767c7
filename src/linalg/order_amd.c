// order_amd.c - approximate minimum degree of SuiteSparse; our own order where that was left out
//
// AMD is called at its inner level, so that its memory is the context's. Amestoy, Davis, Duff, ACM
// TOMS 30 (2004) 381.
#include "linalg/order.h"

#if CARDAN_SUITESPARSE
#include <limits.h>

#include <suitesparse/amd.h>

// what AMD destroys: the columns of S without its diagonal, and room behind them
typedef struct AmdInput {
    int *start, *len, *rows;
    int size, used;
} AmdInput;

static CdStatus amd_input(CdContext *ctx, CdArena *scratch, const CdPattern *s, AmdInput *in) {
    // a fifth more than needed saves garbage collections (AMD user guide)
    const int64_t size = (int64_t)s->nnz + s->nnz / 5 + s->cols + 1;
    if (size > INT_MAX) return cdi_fail(ctx, CD_LIMIT, "the pattern is too large to be ordered");
    in->size = (int)size;
    in->start = CD_TAKE(scratch, int, (size_t)s->cols);
    in->len = CD_TAKE(scratch, int, (size_t)s->cols);
    in->rows = CD_TAKE(scratch, int, (size_t)size);
    if (!in->start || !in->len || !in->rows) return CD_NOMEM;
    in->used = 0;
    for (int j = 0; j < s->cols; j++) {
        in->start[j] = in->used;
        for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) {
            if (s->row[k] != j) in->rows[in->used++] = s->row[k];
        }
        in->len[j] = in->used - in->start[j];
    }
    return CD_OK;
}

CdStatus cdi_order_amd(CdContext *ctx, CdArena *scratch, const CdPattern *s, int *perm) {
    AmdInput in = {0};
    CD_TRY(amd_input(ctx, scratch, s, &in));
    const int n = s->cols;
    double control[AMD_CONTROL], info[AMD_INFO];
    int *work[6];
    for (int w = 0; w < 6; w++) {
        work[w] = CD_TAKE(scratch, int, (size_t)n);
        if (!work[w]) return CD_NOMEM;
    }
    amd_defaults(control);
    amd_2(n, in.start, in.rows, in.len, in.size, in.used, work[0], work[1], perm, work[2], work[3],
          work[4], work[5], control, info);
    return CD_OK;
}
#else
CdStatus cdi_order_amd(CdContext *ctx, CdArena *scratch, const CdPattern *s, int *perm) {
    (void)ctx;
    return cdi_order_degree(scratch, s, perm);
}
#endif
