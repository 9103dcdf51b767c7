// array.h - growable arrays of any element type
//
//   CD_ARRAY(double) times = {0};
//   CD_TRY(CD_PUSH(ctx, times, 0.5));
//   ... times.v[i], times.n ...
//   cdi_array_free(ctx, &times.any);
#ifndef CARDAN_BASE_ARRAY_H
#define CARDAN_BASE_ARRAY_H

#include "base/context.h"

typedef struct CdArray {
    void *v;
    size_t n, cap;
} CdArray;

#define CD_ARRAY(T)        \
    union {                \
        CdArray any;       \
        struct {           \
            T *v;          \
            size_t n, cap; \
        };                 \
    }

// make room for extra more elements
CdStatus cdi_array_fit(CdContext *ctx, CdArray *a, size_t extra, size_t size);
void cdi_array_free(CdContext *ctx, CdArray *a); // back to empty

// append one element; a status
#define CD_PUSH(ctx, a, x)                                                                   \
    (cdi_array_fit(ctx, &(a).any, 1, sizeof *(a).v) == CD_OK ? ((a).v[(a).n++] = (x), CD_OK) \
                                                             : CD_NOMEM)

#endif
