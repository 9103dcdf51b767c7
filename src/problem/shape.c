// shape.c - what matrices [A J^T; J E] of one pattern have in common, once for all of them
//
// The matrix of accelerations and those of integrators often have the same pattern, which then is
// analysed once. Shapes stay until the problem goes.
#include <limits.h>
#include <string.h>

#include "linalg/pattern_sort.h"
#include "problem/work.h"

// column j of [A J^T; J E], ascending, into row (NULL: only counted); t: J^T
typedef struct Blocks {
    const CdPattern *a, *j, *t;
    int nd, diagonal; // from which on diagonals are there
} Blocks;

static int put(int *row, int n, int i) {
    if (row) row[n] = i;
    return n + 1;
}

static int column_of_a(const Blocks *b, int j, int *row) {
    const bool diagonal = j >= b->diagonal;
    int n = 0, k = b->a ? b->a->ptr[j] : 0;
    const int end = b->a ? b->a->ptr[j + 1] : 0;
    for (; k < end && b->a->row[k] < j; k++) n = put(row, n, b->a->row[k]);
    if (diagonal) n = put(row, n, j);
    for (; k < end; k++) {
        if (!diagonal || b->a->row[k] != j) n = put(row, n, b->a->row[k]);
    }
    return n;
}

static int column(const Blocks *b, int j, int *row) {
    const bool of_a = j < b->nd;
    const CdPattern *c = of_a ? b->j : b->t;
    const int at = of_a ? j : j - b->nd, shift = of_a ? b->nd : 0;
    int n = of_a ? column_of_a(b, j, row) : 0;
    for (int k = at < c->cols ? c->ptr[at] : 0; at < c->cols && k < c->ptr[at + 1]; k++) {
        n = put(row, n, shift + c->row[k]);
    }
    return of_a ? n : put(row, n, j);
}

static CdStatus join_blocks(CdContext *ctx, const Blocks *b, int n, CdPattern **out) {
    int64_t nnz = 0;
    int *ptr, *row;
    for (int j = 0; j < n; j++) nnz += column(b, j, NULL);
    if (nnz > INT_MAX) {
        return cdi_fail(ctx, CD_LIMIT, "a pattern cannot have more than %d entries", INT_MAX);
    }
    CD_TRY(cdi_pattern_alloc(ctx, n, n, (int)nnz, out, &ptr, &row));
    for (int j = 0; j < n; j++) ptr[j + 1] = ptr[j] + column(b, j, row + ptr[j]);
    return CD_OK;
}

static CdStatus build_pattern(const CdiProblem *p, const CdPattern *a, int nd, int diagonal,
                              CdPattern **out) {
    CdPattern *t;
    CD_TRY(cdi_pattern_transpose(p->ctx, p->jpattern, NULL, &t));
    const Blocks blocks = {a, p->jpattern, t, nd, diagonal};
    const CdStatus status = join_blocks(p->ctx, &blocks, nd + p->nc, out);
    cdi_pattern_free(t);
    return status;
}

static bool same(const CdPattern *a, const CdPattern *b) {
    return a->cols == b->cols && a->nnz == b->nnz &&
           memcmp(a->ptr, b->ptr, ((size_t)a->cols + 1) * sizeof *a->ptr) == 0 &&
           (a->nnz == 0 || memcmp(a->row, b->row, (size_t)a->nnz * sizeof *a->row) == 0);
}

static CdiShape *known(const CdiProblem *p, const CdPattern *pattern, int nd) {
    CdiShape *shape = p->work->shapes;
    while (shape && (shape->nd != nd || !same(shape->pattern, pattern))) shape = shape->next;
    return shape;
}

static CdStatus add(CdiProblem *p, CdPattern *pattern, int nd, CdiShape **out) {
    CdiShape *shape = CD_TAKE(&p->arena, CdiShape, 1);
    if (!shape) return CD_NOMEM;
    CD_TRY(cdi_groups(p, &p->arena, nd, p->nc, &shape->group));
    shape->nd = nd;
    shape->pattern = pattern;
    shape->next = p->work->shapes;
    *out = p->work->shapes = shape;
    return CD_OK;
}

CdStatus cdi_shape_find(CdiProblem *p, const CdPattern *a, int nd, int diagonal, CdiShape **out) {
    CdPattern *pattern;
    CD_TRY(build_pattern(p, a, nd, diagonal, &pattern));
    *out = known(p, pattern, nd);
    const CdStatus status = *out ? CD_OK : add(p, pattern, nd, out);
    if (status != CD_OK || (*out)->pattern != pattern) cdi_pattern_free(pattern);
    return status;
}

// where the solver finds entries: A column by column, J by its own columns, which meet rows of J^T
// as these ascend
static CdStatus find_source(CdiProblem *p, const CdiShape *shape, bool symmetric,
                            CdiShapeForm *form) {
    const CdPattern *all = shape->pattern, *J = p->jpattern;
    int *next = cdi_alloc_array(p->ctx, (size_t)p->nc + 1, sizeof *next);
    int *source = CD_TAKE(&p->arena, int, (size_t)all->nnz), a = 0, j = 0;
    if (!next || !source) {
        cdi_free(p->ctx, next);
        return CD_NOMEM;
    }
    form->at_jt = all->nnz - 2 * J->nnz - p->nc;
    form->at_j = form->at_jt + (symmetric ? 0 : J->nnz);
    form->at_e = form->at_j + J->nnz;
    form->nsource = form->at_e + p->nc;
    for (int c = 0; c < shape->nd; c++) {
        for (int k = all->ptr[c]; k < all->ptr[c + 1]; k++) {
            source[k] = all->row[k] < shape->nd ? a++ : form->at_j + j++;
        }
    }
    for (int i = 0; i < p->nc; i++) next[i] = all->ptr[shape->nd + i];
    for (int k = 0; k < J->nnz; k++) source[next[J->row[k]]++] = form->at_jt + k;
    for (int i = 0; i < p->nc; i++) source[next[i]] = form->at_e + i;
    form->source = source;
    cdi_free(p->ctx, next);
    return CD_OK;
}

CdStatus cdi_shape_open(CdiProblem *p, CdiShape *shape, CdiValues values, CdiFactor *f) {
    CdiShapeForm *form = &shape->form[values];
    if (!form->source) CD_TRY(find_source(p, shape, values == CDI_SYMMETRIC, form));
    *f = cdi_factor_of(p, shape->pattern, values);
    f->group = shape->group;
    f->multipliers = p->nc;
    f->source = form->source;
    f->nsource = form->nsource;
    f->share = &form->share;
    return cdi_factor_open(f);
}

void cdi_shapes_free(CdiProblem *p) {
    for (CdiShape *shape = p->work->shapes; shape; shape = shape->next) {
        for (int k = 0; k < CDI_NVALUES; k++) {
            cdi_linsol_free(shape->form[k].spare);
            cdi_free(p->ctx, shape->form[k].spare_given);
            cdi_linsol_share_free(&shape->form[k].share);
        }
        cdi_pattern_free(shape->pattern);
    }
    p->work->shapes = NULL;
}
