// shape.c - what matrices [A J^T; J E] of one pattern have in common, once for all of them
//
// The matrix of accelerations and those of integrators often have the same pattern, which then is
// analysed once. Shapes stay until the problem goes.
#include <string.h>

#include "problem/work.h"

static CdStatus build_pattern(const CdiProblem *p, const CdPattern *a, int nd, int diagonal,
                              CdPattern **out) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, p->ctx, nd + p->nc, nd + p->nc, false);
    if (a) cdi_pattern_place(&b, a, 0, false);
    cdi_pattern_place(&b, p->jpattern, nd, true);
    for (int i = diagonal; i < nd + p->nc; i++) cdi_pattern_add(&b, i, i);
    return cdi_pattern_end(&b, out);
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

CdStatus cdi_shape_open(CdiProblem *p, CdiShape *shape, CdArena *arena, bool is_complex,
                        CdiFactor *f) {
    CD_TRY(cdi_factor_new(p->ctx, arena, p->setup.linsol, p->user.pool, shape->pattern,
                          shape->group, p->nc, is_complex, &shape->form[is_complex].share, f));
    CdiShapeForm *form = &shape->form[is_complex];
    const int *map = cdi_linsol_map(f->linsol);
    const CdPattern *in = shape->pattern;
    if (form->slot_e) return CD_OK;
    form->slot_j = cdi_slots_take(&p->arena, in, map, p->jpattern, shape->nd, 0, false);
    form->slot_jt = cdi_slots_take(&p->arena, in, map, p->jpattern, shape->nd, 0, true);
    form->slot_e = cdi_slots_diagonal(&p->arena, in, map, shape->nd, p->nc);
    return form->slot_j && form->slot_jt && form->slot_e ? CD_OK : CD_NOMEM;
}

void cdi_shapes_free(CdiProblem *p) {
    for (CdiShape *shape = p->work->shapes; shape; shape = shape->next) {
        for (int k = 0; k < 2; k++) cdi_linsol_share_free(&shape->form[k].share);
        cdi_pattern_free(shape->pattern);
    }
    p->work->shapes = NULL;
}
