// explain.c - which callback, unknown or constraint something failed at, in the user's words
//
//   J^T P = Q R     columns in the order of what they add: those behind the rank depend on others
//
// Golub & Van Loan, Matrix Computations, 4th ed., sec. 5.4.2.
#include <stdio.h>

#include "problem/work.h"

// largest J that is taken apart
#define ENTRIES_MAX 1000000
// constraints that are named
#define NAMED_MAX 8

void cdi_unknown_name(const CdiProblem *p, int k, char *text, size_t size) {
    const int sizes[] = {p->nv, p->ny, p->nx, p->ng, p->nn};
    const char *const letters[] = {"v", "y", "x", "g", "N"};
    const char *const *names = k < p->nd ? p->user.v_names : p->user.constraint_names;
    const int i = k < p->nd ? k : k - p->nd;
    if (names && (k < p->nv || k >= p->nd)) {
        snprintf(text, size, "%s", names[i]);
        return;
    }
    int part = 0;
    while (part < 4 && k >= sizes[part]) k -= sizes[part++];
    if (part < 3) {
        snprintf(text, size, "%s[%d]", letters[part], k);
    } else {
        snprintf(text, size, "constraint %d of %s", k, letters[part]);
    }
}

// ---- callbacks

CdStatus cdi_callback_failed(CdiProblem *p, const char *callback, CdStatus status) {
    p->failed = callback;
    p->failed_raw = (int)status;
    p->failed_with = status > CD_OK && status < CD_NSTATUS ? status : CD_INVALID;
    return p->failed_with;
}

bool cdi_callback_explain(const CdiProblem *p, CdStatus status, CdText *text) {
    if (!p->failed || p->failed_with != status) return false;
    if (p->failed_raw == (int)status) {
        cdi_text_addf(text, "'%s' returned CD_%s", p->failed, cd_status_name(status));
    } else {
        cdi_text_addf(text, "'%s' returned %d, which is no status", p->failed, p->failed_raw);
    }
    return true;
}

// ---- matrices

static CdStatus dependent(const CdiProblem *p, const double *J, CdArena *scratch, const int **which,
                          int *n) {
    const CdPattern *a = p->jpattern;
    const size_t nv = (size_t)p->nv, nc = (size_t)p->nc;
    double *qr = CD_TAKE(scratch, double, nv *nc);
    double *tau = CD_TAKE(scratch, double, nc);
    double *work = CD_TAKE(scratch, double, cdi_qr_work(p->nv, p->nc));
    int *jpvt = CD_TAKE(scratch, int, nc), rank = 0;
    if (!qr || !jpvt || !tau || !work) return CD_NOMEM;
    for (int j = 0; j < p->nv; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            qr[(size_t)a->row[k] * nv + (size_t)j] = J[k];
        }
    }
    CD_TRY(cdi_qr_factor(p->nv, p->nc, qr, p->nv, jpvt, tau, work, &rank));
    *which = jpvt + rank;
    *n = p->nc - rank;
    return CD_OK;
}

static void name_dependent(const CdiProblem *p, const int *which, int n, CdText *text) {
    for (int k = 0; k < n && k < NAMED_MAX; k++) {
        char name[64];
        cdi_unknown_name(p, p->nd + which[k] - 1, name, sizeof name);
        cdi_text_addf(text, "%s%s", k > 0 ? ", " : "", name);
    }
    if (n > NAMED_MAX) cdi_text_addf(text, " and %d more", n - NAMED_MAX);
    cdi_text_add(text, n > 1 ? " depend on the other constraints or do not restrict anything"
                             : " depends on the other constraints or does not restrict anything");
}

static bool explain_constraints(const CdiProblem *p, const double *J, CdText *text) {
    if (!J || p->nc == 0 || (int64_t)p->nc * p->nv > ENTRIES_MAX) return false;
    CdArena scratch;
    cdi_arena_init(&scratch, p->ctx, 0);
    const int *which = NULL;
    int n = 0;
    const bool found = dependent(p, J, &scratch, &which, &n) == CD_OK && n > 0;
    if (found) name_dependent(p, which, n, text);
    cdi_arena_clear(&scratch);
    return found;
}

// unknown k of a matrix whose constraints begin at row nd
static void name_of(const CdiProblem *p, int nd, int k, char *name, size_t size) {
    cdi_unknown_name(p, k < nd ? k : k - nd + p->nd, name, size);
}

static void explain_singular(const CdiProblem *p, const CdiFactor *f, int nd, CdText *text) {
    const int row = cdi_linsol_bad_row(f->linsol);
    const int column = f->weak >= 0 ? f->weak : cdi_linsol_bad_column(f->linsol);
    char name[64];
    name_of(p, nd, row >= 0 ? row : column, name, sizeof name);
    if (row >= 0) {
        cdi_text_addf(text, "the equation of %s is empty", name);
    } else if (column >= 0) {
        cdi_text_addf(text, "no pivot for unknown %s", name);
    } else {
        cdi_text_add(text, cd_status_text(CD_SINGULAR));
    }
}

void cdi_explain_factor(const CdiProblem *p, const CdiFactor *f, int nd, const double *J,
                        CdStatus status, CdText *text) {
    const int column = cdi_linsol_bad_column(f->linsol);
    if (status == CD_SINGULAR && f->status == CD_SINGULAR) {
        if (!explain_constraints(p, J, text)) explain_singular(p, f, nd, text);
    } else if (status == CD_NONFINITE && column >= 0) {
        char name[64];
        name_of(p, nd, column, name, sizeof name);
        cdi_text_addf(text, "derivatives with respect to %s are not finite", name);
    } else {
        cdi_text_add(text, cd_status_text(status));
    }
}
