// flat_form.c - which form a problem can be had in, and what its unknowns are like
//
//             q  v  y  x  lambda (g, N)  mu
//   index 1   1  1  1  1     1    1            0 = J v' + gamma
//   index 2   1  1  1  1     2    2            0 = J v + (g_t, n)
//   index 3   1  2  1  1     3    2            0 = g, 0 = N v + n
//   ggl       1  1  1  1     2    2       2    both
//
// Errors of an unknown of index i are weighted by h^(i-1). Hairer, Lubich & Roche, The Numerical
// Solution of Differential-Algebraic Systems by Runge-Kutta Methods, Springer 1989, sec. 1 and 6.
#include "problem/flat_work.h"
#include "problem/work.h"

const char *const cdi_form_names[] = {"auto", "index1", "index2", "index3", "ggl", NULL};

// smallest pivot, relative to its column, that makes y' of B y' = phi worth something
#define PIVOT_MIN 1e-13

// ---- leading matrix

static CdStatus factor_leading(const CdiProblem *p, int *bad) {
    CdLinsol *s;
    CD_TRY(cdi_linsol_new(p->ctx, NULL, p->work->leading_pattern, NULL, &s));
    cdi_linsol_set(s, p->user.leading);
    CdStatus status = cdi_linsol_factor(s);
    *bad = cdi_linsol_bad_column(s);
    if (status == CD_OK && cdi_linsol_weakest_pivot(s, bad) < PIVOT_MIN) status = CD_SINGULAR;
    cdi_linsol_free(s);
    return status;
}

// y' can be had from B y' = phi
static CdStatus need_regular_leading(const CdiProblem *p) {
    int bad = -1;
    const CdStatus status = factor_leading(p, &bad);
    if (status != CD_SINGULAR && status != CD_NONFINITE) return status;
    return cdi_fail(p->ctx, CD_INVALID,
                    "problem '%s': B of B y' = phi is singular (no pivot for y[%d]), so there is "
                    "no explicit form; use an implicit method such as radau5 or ida",
                    cdi_problem_name(p), bad);
}

// ---- form

static CdStatus choose_explicit(CdiFlat *f) {
    const CdiProblem *p = f->p;
    const char *name = cdi_problem_name(p);
    if (p->kind == CD_KIND_IMPLICIT) {
        return cdi_fail(p->ctx, CD_INVALID,
                        "problem '%s': F(t, y, y') = 0 has no explicit form; use an implicit "
                        "method such as radau5 or ida",
                        name);
    }
    if (p->nx > 0) {
        return cdi_fail(p->ctx, CD_INVALID,
                        "problem '%s': %d algebraic unknown%s no rate; use an implicit "
                        "method such as radau5 or ida",
                        name, p->nx, p->nx == 1 ? " x has" : "s x have");
    }
    if (p->nc > 0 && f->setup.form != CD_FORM_AUTO && f->setup.form != CD_INDEX1) {
        return cdi_fail(p->ctx, CD_INVALID,
                        "problem '%s': an explicit method cannot take its constraints in form "
                        "'%s'; use form 'index1' or an implicit method such as radau5 or ida",
                        name, cdi_form_names[f->setup.form]);
    }
    if (p->user.leading) CD_TRY(need_regular_leading(p));
    f->setup.form = p->nc > 0 ? CD_INDEX1 : CD_FORM_AUTO;
    return CD_OK;
}

static CdForm implicit_form(const CdiFlat *f) {
    const CdiProblem *p = f->p;
    if (p->nc == 0) return CD_FORM_AUTO;
    if (f->setup.form == CD_INDEX1) return CD_INDEX1;
    // without g all others are the same
    if (p->ng == 0) return CD_INDEX2;
    return f->setup.form == CD_FORM_AUTO ? CD_GGL : f->setup.form;
}

CdStatus cdi_flat_choose_form(CdiFlat *f) {
    if (f->setup.explicit_form) return choose_explicit(f);
    f->setup.form = implicit_form(f);
    return CD_OK;
}

// ---- description

static const char *explicit_path(const CdiFlat *f) {
    switch (f->p->kind) {
    case CD_KIND_ODE: return "ode";
    case CD_KIND_LEADING: return "B y' = f -> ode";
    default: return f->p->nc > 0 ? "mechanical, index 1 -> ode" : "mechanical -> ode";
    }
}

static const char *mechanical_path(const CdiFlat *f) {
    switch (f->setup.form) {
    case CD_INDEX1: return "mechanical, index 1 -> implicit";
    case CD_INDEX2: return "mechanical, index 2 -> implicit";
    case CD_INDEX3: return "mechanical, index 3 -> implicit";
    case CD_GGL: return "mechanical, stabilised index 2 -> implicit";
    default: return "mechanical -> implicit";
    }
}

static const char *implicit_path(const CdiFlat *f) {
    switch (f->p->kind) {
    case CD_KIND_ODE: return "ode -> implicit";
    case CD_KIND_LEADING: return "B y' = f -> implicit";
    case CD_KIND_IMPLICIT: return "implicit";
    default: return mechanical_path(f);
    }
}

static void set_index(CdiFlat *f) {
    const CdiProblem *p = f->p;
    const CdiFlatParts *from = &f->work->from;
    const CdForm form = f->setup.form;
    for (int i = 0; i < f->n; i++) f->index[i] = 1;
    if (f->setup.explicit_form) return;
    for (int i = 0; i < p->ny && p->user.index; i++)
        f->index[from->y + (size_t)i] = p->user.index[i];
    for (int i = 0; i < p->nv && form == CD_INDEX3; i++) f->index[from->v + (size_t)i] = 2;
    if (form == CD_INDEX1) return;
    for (size_t i = from->lambda; i < (size_t)f->n; i++) f->index[i] = 2;
    for (int i = 0; i < p->ng && form == CD_INDEX3; i++) f->index[from->lambda + (size_t)i] = 3;
}

// does y[j]' appear: has column j of B an entry? F tells only where it is evaluated
static bool has_rate(const CdiProblem *p, int j) {
    const CdSparsity *s = &p->user.leading_sparsity;
    if (!p->user.leading) return true;
    const size_t first = s->ptr ? (size_t)s->ptr[j] : (size_t)j * (size_t)p->ny;
    const size_t end = s->ptr ? (size_t)s->ptr[j + 1] : first + (size_t)p->ny;
    for (size_t k = first; k < end; k++) {
        if (p->user.leading[k] != 0) return true;
    }
    return false;
}

static void set_differential(CdiFlat *f) {
    const CdiProblem *p = f->p;
    const size_t y = f->work->from.y;
    for (size_t i = 0; i < y; i++) f->differential[i] = true;
    for (int j = 0; j < p->ny; j++) f->differential[y + (size_t)j] = has_rate(p, j);
}

static void set_weight(CdiFlat *f) {
    // the user's have the order of Y, but for mu
    const size_t given = f->p->user.weight ? f->work->from.mu : 0;
    for (size_t i = 0; i < (size_t)f->n; i++) f->weight[i] = i < given ? f->p->user.weight[i] : 1;
}

CdStatus cdi_flat_describe(CdiFlat *f) {
    const size_t n = (size_t)f->n;
    f->path = f->setup.explicit_form ? explicit_path(f) : implicit_path(f);
    f->index = CD_TAKE(&f->arena, int, n);
    f->differential = CD_TAKE(&f->arena, bool, n);
    f->weight = CD_TAKE(&f->arena, double, n);
    if (!f->index || !f->differential || !f->weight) return CD_NOMEM;
    set_index(f);
    set_differential(f);
    set_weight(f);
    return CD_OK;
}
