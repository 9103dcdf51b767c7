// coordinates.c - items on single coordinates: forces, constraints and their derivatives
//
//   s_i = q_i,  s_i' = v_i        f_i(t, s, s') on coordinate i;   0 = c(t, s), linear in s
//   g_t = c_t,  gamma = c_tt      constraints add nothing to K
#include <string.h>

#include "system/lines.h"
#include "system/link.h"

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
    if (n > s->max_coordinates) s->max_coordinates = n;
    return CD_OK;
}

CdStatus cdi_coordinates_number(CdSystem *s) {
    const CdModel *m = s->model;
    const size_t most = m->of[CD_JOINT].n + m->of[CD_CONNECTOR].n + m->of[CD_LOAD].n;
    s->coordinates = CD_TAKE(&s->arena, CdSystemCoordinates, most);
    if (!s->coordinates) return CD_NOMEM;
    for (CdCategory c = CD_JOINT; c <= CD_LOAD; c++) {
        for (size_t k = 0; k < m->of[c].n; k++) {
            if (m->of[c].v[k]->cls->coordinate) CD_TRY(number_item(s, m->of[c].v[k]));
        }
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

// ---- numbers of one item

typedef struct Numbers {
    double *s, *sdot, *f, *J;
} Numbers;

CdStatus cdi_coordinates_work(CdSystemWork *w) {
    const size_t n = (size_t)w->system->max_coordinates;
    w->line_ops = cdi_line_ops(cdi_isa());
    w->coordinate = CD_TAKE(&w->arena, double, 3 * n + 2 * n * n);
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

// ---- forces

void cdi_coordinates_add_others(const CdSystemWork *w, const CdPoint *at, double sign,
                                double *out) {
    const CdSystemLines *lines = w->system->lines;
    for (int i = 0; i < lines->nother; i++) {
        const int k = lines->other[i];
        const CdSystemCoordinates *c = &w->system->coordinates[k];
        const Numbers x = gather(w, c, at->q, at->v);
        law_of(c)->force(w->coordinate_data[k], at->t, c->n, x.s, x.sdot, x.f, x.J);
        for (int j = 0; j < c->n; j++) out[c->v[j]] += sign * x.f[j];
    }
}

void cdi_coordinates_force(const CdSystemWork *w, const CdPoint *at, double sign, double *out) {
    const CdSystemLines *lines = w->system->lines;
    for (int i = 0; lines->pushes && i < w->system->nv; i++) out[i] += sign * lines->constant[i];
    for (int i = 0; i < lines->nblocks; i++) {
        cdi_lines_block(lines, w->line_ops, i, sign, at->q, at->v, out);
    }
    cdi_lines_single(lines, sign, at->q, at->v, out);
    cdi_coordinates_add_others(w, at, sign, out);
}

void cdi_coordinates_derivatives(const CdSystemWork *w, const CdPoint *at, double *C, double *K) {
    for (int k = 0; k < w->system->ncoordinates; k++) {
        const CdSystemCoordinates *c = &w->system->coordinates[k];
        if (c->row >= 0) continue;
        const Numbers x = gather(w, c, at->q, at->v);
        law_of(c)->force(w->coordinate_data[k], at->t, c->n, x.s, x.sdot, x.f, x.J);
        for (int i = 0; i < c->n; i++) {
            const double *row = x.J + 2 * c->n * i;
            for (int j = 0; j < c->n; j++) {
                if (K) K[c->slots[i * c->n + j]] -= row[j];
                if (C) C[c->slots[i * c->n + j]] -= row[c->n + j];
            }
        }
    }
}

const double *cdi_coordinates_law(const CdSystemWork *w, const CdSystemCoordinates *c,
                                  const void *p, const CdPoint *at) {
    const Numbers x = gather(w, c, at->q, at->v);
    law_of(c)->force(p, at->t, c->n, x.s, x.sdot, x.f, x.J);
    return x.f;
}

// ---- constraints

void cdi_coordinates_rows(const CdSystemWork *w, const CdPoint *at, double *g, double *J,
                          double *terms, double *gamma) {
    for (int k = 0; k < w->system->ncoordinates; k++) {
        const CdSystemCoordinates *c = &w->system->coordinates[k];
        double value, ct, ctt;
        if (c->row < 0) continue;
        const Numbers x = gather(w, c, at->q, NULL);
        law_of(c)->constraint(c->item->data, at->t, c->n, x.s, &value, x.f, &ct, &ctt);
        if (g) g[c->row] = value;
        if (terms) terms[c->row] = ct;
        if (gamma) gamma[c->row] = ctt;
        // a coordinate may be named more than once
        for (int i = 0; J && i < c->n; i++) J[c->jslots[i]] += x.f[i];
    }
}

void cdi_coordinates_levels(const CdSystemWork *w, const CdPoint *at, double *r, double *g,
                            double *velocity, double *acceleration) {
    for (int k = 0; k < w->system->ncoordinates; k++) {
        const CdSystemCoordinates *c = &w->system->coordinates[k];
        double value, rate, second;
        // joints come first
        if (c->row < 0) return;
        const Numbers x = gather(w, c, at->q, at->v);
        law_of(c)->constraint(c->item->data, at->t, c->n, x.s, &value, x.f, &rate, &second);
        for (int i = 0; i < c->n; i++) {
            rate += x.f[i] * x.sdot[i];
            if (acceleration) second += x.f[i] * at->vdot[c->v[i]];
            if (r) r[c->v[i]] += x.f[i] * at->lambda[c->row];
        }
        if (g) g[c->row] = value;
        if (velocity) velocity[c->row] = rate;
        if (acceleration) acceleration[c->row] = second;
    }
}

void cdi_coordinates_residuals(const CdSystemWork *w, const CdSystemCoordinates *c,
                               const CdPoint *at, double residual[3]) {
    const Numbers x = gather(w, c, at->q, at->v);
    double level[3];
    law_of(c)->constraint(c->item->data, at->t, c->n, x.s, &level[0], x.f, &level[1], &level[2]);
    for (int i = 0; i < c->n; i++) {
        level[1] += x.f[i] * x.sdot[i];
        level[2] += x.f[i] * at->vdot[c->v[i]];
    }
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
