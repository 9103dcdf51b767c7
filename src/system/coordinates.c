// coordinates.c - items on single coordinates: forces, constraints and their derivatives
//
//   s_i = q_i,  s_i' = v_i        f_i(t, s, s') on coordinate i;   0 = c(t, s), linear in s
//   g_t = c_t,  gamma = c_tt      constraints add nothing to K
//
// Laws are asked for some items at a time: of one class, with as many coordinates each.
#include <string.h>

#include "system/lines.h"
#include "system/link.h"

// of connectors and loads
#define FORCE_COORDINATES_MAX 2

// ---- numbering and patterns

static const CdCoordinateLaw *law_of(const CdSystemCoordinates *c) {
    return c->item->cls->coordinate;
}

static CdStatus number_item(CdSystem *s, const CdItem *item) {
    const int n = item->ncoordinates;
    int *q = CD_TAKE(&s->arena, int, 2 * (size_t)n), *v = q + n;
    if (!q) return CD_NOMEM;
    for (int i = 0; i < n; i++) {
        const CdCoordinate *at = &s->model->coordinates.v[item->coordinate[i]];
        q[i] = s->bodies[at->body].q0 + at->direction;
        v[i] = s->bodies[at->body].v0 + at->direction;
    }
    const bool joint = item->cls->category == CD_JOINT;
    s->coordinates[s->ncoordinates++] =
        (CdSystemCoordinates){.item = item, .n = n, .q = q, .v = v, .row = joint ? s->ng++ : -1};
    s->ncouplings += joint;
    return CD_OK;
}

// of a category those on n coordinates; 0: all
static CdStatus number_items(CdSystem *s, CdCategory category, int n) {
    for (size_t k = 0; k < s->model->of[category].n; k++) {
        const CdItem *item = s->model->of[category].v[k];
        if (!item->cls->coordinate || (n > 0 && item->ncoordinates != n)) continue;
        CD_TRY(number_item(s, item));
    }
    return CD_OK;
}

CdStatus cdi_coordinates_number(CdSystem *s) {
    const CdModel *m = s->model;
    const size_t most = m->of[CD_JOINT].n + m->of[CD_CONNECTOR].n + m->of[CD_LOAD].n;
    s->coordinates = CD_TAKE(&s->arena, CdSystemCoordinates, most);
    if (!s->coordinates) return CD_NOMEM;
    CD_TRY(number_items(s, CD_JOINT, 0));
    for (CdCategory c = CD_CONNECTOR; c <= CD_LOAD; c++) {
        for (int n = 1; n <= FORCE_COORDINATES_MAX; n++) CD_TRY(number_items(s, c, n));
    }
    return CD_OK;
}

CdStatus cdi_coordinates_pattern(const CdSystem *s, CdPatternBuilder *b) {
    for (int k = 0; k < s->ncoordinates; k++) {
        const CdSystemCoordinates *c = &s->coordinates[k];
        if (c->row < 0) CD_TRY(cdi_pattern_add_block(b, c->n, c->v, c->n, c->v));
    }
    return CD_OK;
}

CdStatus cdi_coordinates_jpattern(const CdSystem *s, CdPatternBuilder *b) {
    for (int k = 0; k < s->ncoordinates; k++) {
        const CdSystemCoordinates *c = &s->coordinates[k];
        if (c->row >= 0) CD_TRY(cdi_pattern_add_block(b, 1, &c->row, c->n, c->v));
    }
    return CD_OK;
}

CdStatus cdi_coordinates_place(CdSystem *s) {
    for (int k = 0; k < s->ncoordinates; k++) {
        CdSystemCoordinates *c = &s->coordinates[k];
        const int rows = c->row < 0 ? c->n : 1;
        int *slots = CD_TAKE(&s->arena, int, (size_t)(rows * c->n));
        if (!slots) return CD_NOMEM;
        for (int i = 0; i < rows * c->n; i++) {
            const int column = c->v[i % c->n];
            slots[i] = c->row < 0 ? cdi_pattern_slot(s->pattern, c->v[i / c->n], column)
                                  : cdi_pattern_slot(s->jpattern, c->row, column);
        }
        c->slots = c->row < 0 ? slots : NULL;
        c->jslots = c->row < 0 ? NULL : slots;
    }
    return CD_OK;
}

void cdi_coordinates_factors(CdSystem *s) {
    for (int k = 0; k < s->ncouplings; k++) {
        CdSystemCoordinates *c = &s->coordinates[k];
        c->offset = law_of(c)->coupling(c->item->data, &c->factors);
    }
}

// ---- numbers of one item

typedef struct Numbers {
    double *s, *sdot, *f, *J;
} Numbers;

// items of a run, and numbers of one: s, s', f and J
#define RUN_MAX 8
#define NUMBERS_MAX (3 * FORCE_COORDINATES_MAX + 2 * FORCE_COORDINATES_MAX * FORCE_COORDINATES_MAX)

CdStatus cdi_coordinates_work(CdSystemWork *w) {
    w->line_ops = cdi_line_ops(cdi_isa());
    w->coordinate = CD_TAKE(&w->arena, double, (size_t)RUN_MAX *NUMBERS_MAX);
    return w->coordinate ? CD_OK : CD_NOMEM;
}

// v NULL: s only
static Numbers gather(const CdSystemWork *w, const CdSystemCoordinates *c, const double *q,
                      const double *v) {
    double *at = w->coordinate;
    const Numbers x = {.s = at, .sdot = at + c->n, .f = at + 2 * c->n, .J = at + 3 * c->n};
    for (int i = 0; i < c->n; i++) {
        x.s[i] = q[c->q[i]];
        x.sdot[i] = v ? v[c->v[i]] : 0;
    }
    return x;
}

// items that one call serves, and their numbers, item by item
typedef struct Run {
    int items, n; // n: coordinates of each
    const CdSystemCoordinates *c[RUN_MAX];
    const void *p[RUN_MAX];
    Numbers x;
} Run;

static bool alike(const CdSystemCoordinates *a, const CdSystemCoordinates *b) {
    return a->n == b->n && a->item->cls == b->item->cls;
}

// of the items `from` ... `end` - 1, or those of a list, as many as are alike; how many
static int gather_run(const CdSystemWork *w, const int *list, int from, int end, const double *q,
                      const double *v, Run *r) {
    const CdSystemCoordinates *all = w->system->coordinates;
    r->items = 0;
    while (r->items < RUN_MAX && from + r->items < end) {
        const int k = list ? list[from + r->items] : from + r->items;
        if (r->items > 0 && !alike(r->c[0], &all[k])) break;
        r->c[r->items] = &all[k];
        r->p[r->items++] = w->coordinate_data[k];
    }
    r->n = r->c[0]->n;
    const int size = r->items * r->n;
    double *s = w->coordinate, *sdot = s + size;
    r->x = (Numbers){s, sdot, sdot + size, sdot + 2 * size};
    for (int i = 0; i < r->items; i++) {
        for (int j = 0; j < r->n; j++) {
            *s++ = q[r->c[i]->q[j]];
            *sdot++ = v ? v[r->c[i]->v[j]] : 0;
        }
    }
    return r->items;
}

// ---- forces

static void run_force(const Run *r, double t, double *J) {
    law_of(r->c[0])->force(r->items, r->p, t, r->n, r->x.s, r->x.sdot, r->x.f, J);
}

void cdi_coordinates_add_others(const CdSystemWork *w, const CdPoint *at, double sign,
                                double *out) {
    const CdSystemLines *lines = w->system->lines;
    for (int begin = 0, step; begin < lines->nother; begin += step) {
        Run r;
        step = gather_run(w, lines->other, begin, lines->nother, at->q, at->v, &r);
        run_force(&r, at->t, NULL);
        for (int i = 0; i < r.items; i++) {
            for (int j = 0; j < r.n; j++) out[r.c[i]->v[j]] += sign * r.x.f[r.n * i + j];
        }
    }
}

void cdi_coordinates_force(const CdSystemWork *w, const CdPoint *at, double sign, double *out) {
    const CdSystemLines *lines = w->system->lines;
    for (int i = 0; lines->pushes && i < w->system->nv; i++) out[i] += sign * lines->constant[i];
    for (int i = 0; i < lines->nblocks; i++) {
        cdi_lines_block(lines, w->line_ops, i, sign, at->q, at->v, out);
    }
    cdi_lines_single(lines, 0, w->system->nv, sign, at->q, at->v, out);
    cdi_coordinates_add_others(w, at, sign, out);
}

// of one item: rows of its J
static void add_slopes(const CdSystemCoordinates *c, const double *J, double *C, double *K) {
    for (int i = 0; i < c->n; i++) {
        const double *row = J + 2 * c->n * i;
        for (int j = 0; j < c->n; j++) {
            if (K) K[c->slots[i * c->n + j]] -= row[j];
            if (C) C[c->slots[i * c->n + j]] -= row[c->n + j];
        }
    }
}

void cdi_coordinates_derivatives(const CdSystemWork *w, const CdPoint *at, double *C, double *K) {
    const int end = w->system->ncoordinates;
    for (int begin = w->system->ncouplings, step; begin < end; begin += step) {
        Run r;
        step = gather_run(w, NULL, begin, end, at->q, at->v, &r);
        run_force(&r, at->t, r.x.J);
        for (int i = 0; i < r.items; i++) {
            add_slopes(r.c[i], r.x.J + 2 * r.n * r.n * i, C, K);
        }
    }
}

const double *cdi_coordinates_law(const CdSystemWork *w, const CdSystemCoordinates *c,
                                  const void *p, const CdPoint *at) {
    const Numbers x = gather(w, c, at->q, at->v);
    law_of(c)->force(1, &p, at->t, c->n, x.s, x.sdot, x.f, x.J);
    return x.f;
}

// ---- constraints

// c, and with v and vdot what they add to c_t and c_tt (NULL: nothing)
static void levels_of(const CdSystemCoordinates *c, double t, const double *q, const double *v,
                      const double *vdot, double level[3]) {
    cdi_function_eval(c->offset, t, level);
    for (int i = 0; i < 3; i++) level[i] = -level[i];
    for (int i = 0; i < c->n; i++) {
        level[0] += c->factors[i] * q[c->q[i]];
        if (v) level[1] += c->factors[i] * v[c->v[i]];
        if (vdot) level[2] += c->factors[i] * vdot[c->v[i]];
    }
}

void cdi_coordinates_rows(const CdSystemWork *w, const CdPoint *at, double *g, double *J,
                          double *terms, double *gamma) {
    for (int k = 0; k < w->system->ncouplings; k++) {
        const CdSystemCoordinates *c = &w->system->coordinates[k];
        double level[3];
        levels_of(c, at->t, at->q, NULL, NULL, level);
        if (g) g[c->row] = level[0];
        if (terms) terms[c->row] = level[1];
        if (gamma) gamma[c->row] = level[2];
        // a coordinate may be named more than once
        for (int i = 0; J && i < c->n; i++) J[c->jslots[i]] += c->factors[i];
    }
}

void cdi_coordinates_levels(const CdSystemWork *w, const CdPoint *at, double *r, double *g,
                            double *velocity, double *acceleration) {
    for (int k = 0; k < w->system->ncouplings; k++) {
        const CdSystemCoordinates *c = &w->system->coordinates[k];
        double level[3];
        levels_of(c, at->t, at->q, velocity ? at->v : NULL, acceleration ? at->vdot : NULL, level);
        if (g) g[c->row] = level[0];
        if (velocity) velocity[c->row] = level[1];
        if (acceleration) acceleration[c->row] = level[2];
        for (int i = 0; r && i < c->n; i++) r[c->v[i]] += c->factors[i] * at->lambda[c->row];
    }
}

void cdi_coordinates_residuals(const CdSystemCoordinates *c, const CdPoint *at,
                               double residual[3]) {
    double level[3];
    levels_of(c, at->t, at->q, at->v, at->vdot, level);
    for (int i = 0; i < 3; i++) residual[i] = fmax(residual[i], fabs(level[i]));
}

// ---- for channels

double cdi_coordinates_energy(const CdSystemWork *w, double t, const double *q) {
    double sum = 0;
    for (int k = 0; k < w->system->ncoordinates; k++) {
        const CdSystemCoordinates *c = &w->system->coordinates[k];
        if (!law_of(c)->energy) continue;
        sum += law_of(c)->energy(w->coordinate_data[k], t, c->n, gather(w, c, q, NULL).s);
    }
    return sum;
}

void cdi_coordinates_outputs(const CdSystemWork *w, const CdSystemCoordinates *c, const void *p,
                             const CdPoint *at, double *out) {
    const Numbers x = gather(w, c, at->q, at->v);
    law_of(c)->outputs(p, at->t, c->n, x.s, x.sdot, out);
}

void cdi_coordinates_outputs_jac(const CdSystemWork *w, const CdSystemCoordinates *c,
                                 const CdPoint *at, double *J) {
    const CdCoordinateLaw *law = law_of(c);
    const Numbers x = gather(w, c, at->q, at->v);
    const void *p = w->coordinate_data[c - w->system->coordinates];
    double out[CD_FORCE_NOUT_MAX], own[CD_FORCE_NOUT_MAX * 4];
    law->outputs_jac(p, at->t, c->n, x.s, x.sdot, out, own);
    memset(J, 0, (size_t)(24 * law->nout) * sizeof *J);
    for (int i = 0; i < law->nout; i++) {
        for (int j = 0; j < c->n; j++) {
            J[24 * i + j] = own[2 * c->n * i + j];
            J[24 * i + 12 + j] = own[2 * c->n * i + c->n + j];
        }
    }
}
