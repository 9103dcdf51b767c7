// params.h - named numbers that expressions may use
#ifndef CARDAN_DESC_PARAMS_H
#define CARDAN_DESC_PARAMS_H

#include "base/json.h"

typedef struct CdParams {
    size_t n;
    const char **names;
    double *values;
} CdParams;

// from {"L": "500 mm", "m": 2, "J": "m*L^2/12"}, in any order; circles are reported. file may be
// NULL.
CdStatus cdi_params_read(CdContext *ctx, const CdJson *json, const char *file, CdParams **params);
void cdi_params_free(CdContext *ctx, CdParams *params); // NULL does nothing

#endif
