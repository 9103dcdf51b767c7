// factor.h - a linear solver whose next factor has the same bits after save and load
#ifndef CARDAN_PROBLEM_FACTOR_H
#define CARDAN_PROBLEM_FACTOR_H

#include "linalg/linsol.h"

// what is known of the values of a matrix
typedef enum CdiValues { CDI_REAL, CDI_COMPLEX, CDI_SYMMETRIC, CDI_NVALUES } CdiValues;

// no operation but free on one that is all zero
typedef struct CdiFactor {
    CdContext *ctx;
    const CdLinsolClass *cls; // NULL: auto
    CdPool *pool;             // NULL: one thread
    const CdPattern *pattern;
    const int *group;  // of unknowns; NULL: not known
    int multipliers;   // how many of the last unknowns are
    const int *source; // of entries, see cdi_linsol_give; NULL: that is not used
    int nsource;
    CdLinsolShare *share; // NULL: nothing is
    CdiValues values;
    CdLinsol *linsol;
    double *full;     // the last matrix whose pivots were chosen freely, if it matters; not cleared
    bool has_full;    // there is one
    bool has_current; // there is a last matrix
    bool current_is_full; // they are the same
    CdStatus status;      // of the last factor
    int weak;             // column whose pivot was too small; -1: none
} CdiFactor;

// members down to `values` are there, pool to share as in CdLinsolSetup; what they point to must
// outlive the factor
CdStatus cdi_factor_open(CdiFactor *f);
void cdi_factor_free(CdiFactor *f);
// values are in the solver, see cdi_linsol_begin and give. watch: a pivot that is only rounding is
// CD_SINGULAR
CdStatus cdi_factor_do(CdiFactor *f, bool watch);
size_t cdi_factor_save_size(const CdiFactor *f);
char *cdi_factor_save(const CdiFactor *f, char *to); // returns the end
CdStatus cdi_factor_load(CdiFactor *f, const char **from);

#endif
