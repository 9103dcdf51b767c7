// factor.c - a linear solver whose next factor has the same bits after save and load
//
// Solvers may refactor with the pivots of an earlier matrix. Saved are therefore the last matrix
// whose pivots were chosen freely, and the last one of all: factored in this order by a solver that
// has seen nothing else they bring it where it was. The first of them is left out where it decides
// nothing.
#include "problem/factor.h"

#include <string.h>

// a pivot below this part of its column is one of dependent constraints or a singular mass matrix
#define DEPENDENT 1e-14

static size_t numbers(const CdiFactor *f) {
    return (f->values == CDI_COMPLEX ? 2 : 1) * (size_t)f->pattern->nnz;
}

// symmetry is for those that need half the work then
static CdStatus open(const CdiFactor *f, CdLinsol **out) {
    CdLinsolSetup setup = {.complex = f->values == CDI_COMPLEX,
                           .group = f->group,
                           .multipliers = f->multipliers,
                           .source = f->source,
                           .nsource = f->nsource,
                           .share = f->share,
                           .pool = f->pool};
    const CdLinsolClass *cls = f->cls ? f->cls : cdi_linsol_auto(f->pattern, &setup);
    setup.symmetric = setup.only_solves = f->values == CDI_SYMMETRIC && cls->halves;
    return cdi_linsol_new(f->ctx, cls, f->pattern, &setup, out);
}

void cdi_factor_free(CdiFactor *f) {
    cdi_linsol_free(f->linsol);
    cdi_free(f->ctx, f->full);
    f->linsol = NULL;
    f->full = NULL;
}

CdStatus cdi_factor_open(CdiFactor *f) {
    f->weak = -1;
    f->full = cdi_resize(f->ctx, NULL, (numbers(f) + 1) * sizeof *f->full);
    const CdStatus status = f->full ? open(f, &f->linsol) : CD_NOMEM;
    if (status != CD_OK) cdi_factor_free(f);
    return status;
}

static CdStatus watch_pivots(CdiFactor *f) {
    int column;
    if (cdi_linsol_weakest_pivot(f->linsol, &column) > DEPENDENT) return CD_OK;
    f->weak = column;
    return CD_SINGULAR;
}

CdStatus cdi_factor_do(CdiFactor *f, bool watch) {
    const int64_t before = cdi_linsol_stats(f->linsol).factors;
    f->weak = -1;
    f->status = cdi_linsol_factor(f->linsol);
    f->has_current = true;
    f->current_is_full = cdi_linsol_stats(f->linsol).factors != before;
    if (cdi_linsol_unbiased(f->linsol)) f->has_full = f->current_is_full = false;
    if (f->current_is_full) {
        memcpy(f->full, cdi_linsol_matrix(f->linsol).v, numbers(f) * sizeof *f->full);
        f->has_full = true;
    }
    if (f->status == CD_OK && watch) f->status = watch_pivots(f);
    return f->status;
}

// ---- save and load

size_t cdi_factor_save_size(const CdiFactor *f) {
    return 3 * sizeof(bool) + 2 * numbers(f) * sizeof(double);
}

char *cdi_factor_save(const CdiFactor *f, char *to) {
    const size_t bytes = numbers(f) * sizeof(double);
    const bool flags[3] = {f->has_full, f->has_current, f->current_is_full};
    memcpy(to, flags, sizeof flags);
    to += sizeof flags;
    memset(to, 0, 2 * bytes);
    if (f->has_full && bytes > 0) memcpy(to, f->full, bytes);
    if (f->has_current && bytes > 0) memcpy(to + bytes, cdi_linsol_matrix(f->linsol).v, bytes);
    return to + 2 * bytes;
}

// numbers in `from` may not be aligned
static CdStatus factor_bytes(CdiFactor *f, const char *from) {
    const size_t bytes = numbers(f) * sizeof(double);
    double *values = cdi_alloc(f->ctx, bytes + sizeof *values);
    if (!values) return CD_NOMEM;
    memcpy(values, from, bytes);
    cdi_linsol_set(f->linsol, values);
    f->status = cdi_linsol_factor(f->linsol);
    cdi_free(f->ctx, values);
    return CD_OK;
}

CdStatus cdi_factor_load(CdiFactor *f, const char **from) {
    const size_t bytes = numbers(f) * sizeof(double);
    bool flags[3];
    CdLinsol *fresh;
    CD_TRY(open(f, &fresh));
    cdi_linsol_free(f->linsol);
    f->linsol = fresh;
    memcpy(flags, *from, sizeof flags);
    const char *full = *from + sizeof flags;
    *from = full + 2 * bytes;
    f->has_full = flags[0];
    f->has_current = flags[1];
    f->current_is_full = flags[2];
    f->weak = -1;
    if (f->has_full) memcpy(f->full, full, bytes);
    if (f->has_full) CD_TRY(factor_bytes(f, full));
    return f->has_current && !f->current_is_full ? factor_bytes(f, full + bytes) : CD_OK;
}
