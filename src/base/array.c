// array.c - growable arrays: doubling capacity, overflow checked
#include "base/array.h"

CdStatus cdi_array_fit(CdContext *ctx, CdArray *a, size_t extra, size_t size) {
    if (extra <= a->cap - a->n) return CD_OK;
    if (extra > SIZE_MAX / 2 - a->n) return CD_NOMEM;
    size_t cap = a->cap ? 2 * a->cap : 8;
    if (cap < a->n + extra) cap = a->n + extra;
    if (cap > SIZE_MAX / size) return CD_NOMEM;
    void *v = cdi_resize(ctx, a->v, cap * size);
    if (!v) return CD_NOMEM;
    a->v = v;
    a->cap = cap;
    return CD_OK;
}

void cdi_array_free(CdContext *ctx, CdArray *a) {
    cdi_free(ctx, a->v);
    *a = (CdArray){0};
}
