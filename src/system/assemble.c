// assemble.c - numbers of coordinates and constraints, patterns, and where every item adds to them
#include "linalg/pattern.h"
#include "system/lines.h"
#include "system/link.h"
#include "system/signals.h"
#include "system/tiles.h"

// items of one class from which a tile costs less than they do one by one
#define TILE_MIN 2

// ---- numbering

static CdStatus number_bodies(CdSystem *s) {
    const CdModel *m = s->model;
    s->nbodies = (int)m->of[CD_BODY].n;
    s->bodies = CD_TAKE(&s->arena, CdSystemBody, (size_t)s->nbodies);
    if (!s->bodies) return CD_NOMEM;
    for (int i = 0; i < s->nbodies; i++) {
        const CdItem *item = m->of[CD_BODY].v[i];
        CdSystemBody *b = &s->bodies[i];
        *b = (CdSystemBody){
            .law = item->cls->body, .p = item->data, .item = item, .q0 = s->nq, .v0 = s->nv};
        s->nq += b->law->nq;
        s->nv += b->law->nv;
    }
    for (int i = s->nbodies - 1; i >= 0; i--) {
        CdSystemBody *b = &s->bodies[i];
        b->alike = i + 1 < s->nbodies && b[1].law == b->law ? b[1].alike + 1 : 1;
    }
    s->rotations = CD_TAKE(&s->arena, int, (size_t)s->nbodies);
    if (!s->rotations) return CD_NOMEM;
    for (int i = 0; i < s->nbodies; i++) {
        const CdSystemBody *b = &s->bodies[i];
        if (b->law->retract) s->rotations[s->nrotations++] = b->v0 + b->law->rotation;
    }
    return CD_OK;
}

static void add_body(const CdSystem *s, int marker, CdSystemLink *l) {
    const CdSystemBody *b = &s->bodies[s->model->markers.v[marker].body];
    for (int j = 0; j < b->law->nv; j++) l->v[l->n++] = b->v0 + j;
}

static CdSystemLink make_link(const CdSystem *s, const CdItem *item, int nmarkers) {
    CdSystemLink l = {.item = item, .a = item->marker[0], .b = -1};
    add_body(s, l.a, &l);
    l.na = l.n;
    if (nmarkers == 2) {
        l.b = item->marker[1];
        add_body(s, l.b, &l);
    }
    return l;
}

static CdStatus number_joints(CdSystem *s) {
    const CdModel *m = s->model;
    s->joints = CD_TAKE(&s->arena, CdSystemLink, m->of[CD_JOINT].n);
    if (!s->joints) return CD_NOMEM;
    for (size_t k = 0; k < m->of[CD_JOINT].n; k++) {
        const CdItem *item = m->of[CD_JOINT].v[k];
        const CdJointLaw *law = item->cls->joint;
        if (!law) continue;
        CdSystemLink *l = &s->joints[s->njoints++];
        *l = make_link(s, item, 2);
        for (int i = 0; i < law->nc; i++) l->rows[i] = i;
        l->nc = law->rows ? law->rows(item->data, l->rows) : law->nc;
        l->row0 = s->ng;
        s->ng += l->nc;
    }
    return CD_OK;
}

static CdStatus number_forces(CdSystem *s) {
    const CdModel *m = s->model;
    s->forces = CD_TAKE(&s->arena, CdSystemLink, m->of[CD_CONNECTOR].n + m->of[CD_LOAD].n);
    if (!s->forces) return CD_NOMEM;
    for (CdCategory c = CD_CONNECTOR; c <= CD_LOAD; c++) {
        for (size_t k = 0; k < m->of[c].n; k++) {
            const CdItem *item = m->of[c].v[k];
            if (!item->cls->force) continue;
            CdSystemLink *l = &s->forces[s->nforces++];
            *l = make_link(s, item, item->cls->force->nmarkers);
            l->memory0 = s->nmemory;
            s->nmemory += item->cls->force->nmemory;
        }
    }
    return CD_OK;
}

// ---- patterns

static CdStatus add_couplings(CdPatternBuilder *b, const CdSystemLink *links, int n) {
    for (int k = 0; k < n; k++) {
        CD_TRY(cdi_pattern_add_block(b, links[k].n, links[k].v, links[k].n, links[k].v));
    }
    return CD_OK;
}

static void body_velocities(const CdSystemBody *b, int v[CD_BODY_NV_MAX]) {
    for (int j = 0; j < b->law->nv; j++) v[j] = b->v0 + j;
}

static CdStatus add_bodies(CdPatternBuilder *b, const CdSystem *s) {
    for (int i = 0; i < s->nbodies; i++) {
        int v[CD_BODY_NV_MAX];
        body_velocities(&s->bodies[i], v);
        const int nv = s->bodies[i].law->nv;
        CD_TRY(cdi_pattern_add_block(b, nv, v, nv, v));
    }
    return CD_OK;
}

static CdStatus build_pattern(CdSystem *s) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, s->ctx, s->nv, s->nv, true);
    // what fails here fails at the end too
    (void)add_bodies(&b, s);
    (void)add_couplings(&b, s->joints, s->njoints);
    (void)add_couplings(&b, s->forces, s->nforces);
    (void)cdi_coordinates_pattern(s, &b);
    (void)cdi_signals_pattern(s, &b);
    return cdi_pattern_end(&b, &s->pattern);
}

// bodies, and those between which something with inertia turns
static CdStatus build_mass_pattern(CdSystem *s) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, s->ctx, s->nv, s->nv, true);
    // what fails here fails at the end too
    (void)add_bodies(&b, s);
    for (int k = 0; k < s->nforces; k++) {
        const CdSystemLink *l = &s->forces[k];
        if (l->item->cls->force->inertia) (void)add_couplings(&b, l, 1);
    }
    return cdi_pattern_end(&b, &s->mass_pattern);
}

static CdStatus build_jpattern(CdSystem *s) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, s->ctx, s->ng, s->nv, false);
    for (int k = 0; k < s->njoints; k++) {
        const CdSystemLink *l = &s->joints[k];
        int rows[CD_JOINT_NC_MAX];
        for (int i = 0; i < l->nc; i++) rows[i] = l->row0 + i;
        if (cdi_pattern_add_block(&b, l->nc, rows, l->n, l->v) != CD_OK) break;
    }
    (void)cdi_coordinates_jpattern(s, &b);
    return cdi_pattern_end(&b, &s->jpattern);
}

// ---- places in the patterns; matrices of links are by rows

static CdStatus find_slots(CdSystem *s, CdSystemLink *l) {
    l->slots = CD_TAKE(&s->arena, int, (size_t)(l->n * l->n));
    l->jslots = CD_TAKE(&s->arena, int, (size_t)(l->nc * l->n));
    if (!l->slots || !l->jslots) return CD_NOMEM;
    for (int i = 0, off = 0; i < l->n; i++) {
        for (int j = 0; j < l->n; j++) {
            l->slots[i * l->n + j] = cdi_pattern_slot_like(s->pattern, l->v[i], l->v[j], &off);
        }
    }
    for (int i = 0, off = 0; i < l->nc; i++) {
        for (int j = 0; j < l->n; j++) {
            l->jslots[i * l->n + j] =
                cdi_pattern_slot_like(s->jpattern, l->row0 + i, l->v[j], &off);
        }
    }
    return CD_OK;
}

static void place_bodies(CdSystem *s) {
    for (int i = 0; i < s->nbodies; i++) {
        CdSystemBody *b = &s->bodies[i];
        const int nv = b->law->nv;
        for (int k = 0, off = 0; k < nv * nv; k++) {
            b->slots[k] = cdi_pattern_slot_like(s->pattern, b->v0 + k / nv, b->v0 + k % nv, &off);
        }
    }
}

// ---- numbers that follow from fields

static CdStatus find_masses(CdSystem *s) {
    s->mass = CD_TAKE(&s->arena, double, (size_t)s->mass_pattern->nnz);
    if (!s->mass) return CD_NOMEM;
    for (int i = 0; i < s->nbodies; i++) {
        const CdSystemBody *b = &s->bodies[i];
        const int nv = b->law->nv;
        double M[CD_BODY_NV_MAX * CD_BODY_NV_MAX];
        b->law->mass(b->p, M);
        for (int k = 0, off = 0; k < nv * nv; k++) {
            const int row = b->v0 + k / nv, col = b->v0 + k % nv;
            s->mass[cdi_pattern_slot_like(s->mass_pattern, row, col, &off)] = M[k];
        }
    }
    return CD_OK;
}

void cdi_system_masses(const CdSystem *s, double *M) {
    const CdPattern *all = s->pattern, *of = s->mass_pattern;
    for (int j = 0, m = 0; j < s->nv; j++) {
        for (int k = all->ptr[j]; k < all->ptr[j + 1]; k++) {
            const bool has = m < of->ptr[j + 1] && of->row[m] == all->row[k];
            M[k] = has ? s->mass[m++] : 0;
        }
    }
}

// s' = j v of what turns between two markers, about z
static void spin_row(const CdSystem *s, const CdSystemLink *l, double j[2 * CD_BODY_NV_MAX]) {
    for (int i = 0; i < l->n; i++) {
        const bool first = i < l->na;
        const CdMarker *m = &s->model->markers.v[first ? l->a : l->b];
        const CdSystemBody *b = &s->bodies[m->body];
        const int nv = b->law->nv, k = first ? i : i - l->na;
        j[i] = 0;
        for (int r = 0; r < 3; r++) j[i] += m->offset.R[3 * r + 2] * b->J[(3 + r) * nv + k];
        if (first) j[i] = -j[i];
    }
}

// masses between bodies: I j^T j
static void add_rotors(CdSystem *s) {
    for (int k = 0; k < s->nforces; k++) {
        const CdSystemLink *l = &s->forces[k];
        const CdForceLaw *law = l->item->cls->force;
        double j[2 * CD_BODY_NV_MAX];
        if (!law->inertia) continue;
        const double inertia = law->inertia(l->item->data);
        spin_row(s, l, j);
        for (int i = 0, off = 0; i < l->n * l->n; i++) {
            const int row = l->v[i / l->n], col = l->v[i % l->n];
            s->mass[cdi_pattern_slot_like(s->mass_pattern, row, col, &off)] +=
                inertia * j[i / l->n] * j[i % l->n];
        }
    }
}

static bool is_identity(const CdSystemBody *b) {
    const int nv = b->law->nv;
    bool is = nv == 6;
    for (int i = 0; is && i < nv * nv; i++) is = b->J[i] == (i % (nv + 1) == 0);
    return is;
}

static CdStatus find_numbers(CdSystem *s) {
    for (int i = 0; i < s->nbodies; i++) {
        CdSystemBody *b = &s->bodies[i];
        b->weight = b->law->weight(b->p);
        b->law->jacobian(b->p, b->J);
        b->plain = is_identity(b);
    }
    CD_TRY(find_masses(s));
    add_rotors(s);
    copy3(s->model->gravity, s->gravity);
    cdi_coordinates_factors(s);
    CD_TRY(cdi_lines_find(s));
    CD_TRY(cdi_plain_find(s));
    CD_TRY(cdi_tiles_new(s, cdi_isa(), TILE_MIN));
    return cdi_system_sections_find(s);
}

static CdStatus assemble(CdSystem *s) {
    CD_TRY(number_bodies(s));
    CD_TRY(number_joints(s));
    CD_TRY(number_forces(s));
    CD_TRY(cdi_coordinates_number(s));
    CD_TRY(cdi_signals_number(s));
    CD_TRY(build_pattern(s));
    CD_TRY(build_mass_pattern(s));
    CD_TRY(build_jpattern(s));
    place_bodies(s);
    CD_TRY(cdi_coordinates_place(s));
    CD_TRY(cdi_signals_place(s));
    for (int k = 0; k < s->njoints; k++) CD_TRY(find_slots(s, &s->joints[k]));
    for (int k = 0; k < s->nforces; k++) CD_TRY(find_slots(s, &s->forces[k]));
    CD_TRY(find_numbers(s));
    return cdi_system_moves(s);
}

CdStatus cdi_system_new(const CdModel *model, CdSystem **system) {
    CdSystem *s = *system = cdi_alloc(model->ctx, sizeof *s);
    if (!s) return CD_NOMEM;
    *s = (CdSystem){.ctx = model->ctx, .model = model, .nmarkers = (int)model->markers.n};
    cdi_arena_init(&s->arena, model->ctx, 0);
    const CdStatus status = assemble(s);
    if (status != CD_OK) {
        cdi_system_free(s);
        *system = NULL;
    }
    return status;
}

// ---- other numbers on the same structure

static const CdItem *in_variant(const CdModel *variant, const CdItem *item) {
    return variant->of[item->cls->category].v[item->index];
}

static CdStatus vary_joint(const CdModel *variant, CdSystemLink *l) {
    const CdItem *item = l->item = in_variant(variant, l->item);
    const CdJointLaw *law = item->cls->joint;
    int rows[CD_JOINT_NC_MAX];
    const int nc = law->rows ? law->rows(item->data, rows) : l->nc;
    bool same = nc == l->nc;
    for (int i = 0; same && law->rows && i < nc; i++) same = rows[i] == l->rows[i];
    if (same) return CD_OK;
    const CdPlace place = cdi_object_place(item->object, NULL);
    return cdi_fail_at(variant->ctx, CD_INVALID, &place,
                       "the parameters change which of its constraints are in force; make a model "
                       "with them in place of setting them");
}

static CdStatus vary_items(CdSystem *s, const CdSystem *base) {
    CdStatus status = CD_OK;
    for (int i = 0; i < s->nbodies; i++) {
        s->bodies[i] = base->bodies[i];
        s->bodies[i].item = in_variant(s->model, base->bodies[i].item);
        s->bodies[i].p = s->bodies[i].item->data;
    }
    for (int k = 0; k < s->njoints; k++) {
        s->joints[k] = base->joints[k];
        CD_COLLECT(status, vary_joint(s->model, &s->joints[k]));
    }
    for (int k = 0; k < s->nforces; k++) {
        s->forces[k] = base->forces[k];
        s->forces[k].item = in_variant(s->model, base->forces[k].item);
    }
    for (int k = 0; k < s->ncoordinates; k++) {
        s->coordinates[k] = base->coordinates[k];
        s->coordinates[k].item = in_variant(s->model, base->coordinates[k].item);
    }
    return status;
}

static CdStatus vary(CdSystem *s, const CdSystem *base) {
    s->bodies = CD_TAKE(&s->arena, CdSystemBody, (size_t)s->nbodies);
    s->joints = CD_TAKE(&s->arena, CdSystemLink, (size_t)s->njoints);
    s->forces = CD_TAKE(&s->arena, CdSystemLink, (size_t)s->nforces);
    s->coordinates = CD_TAKE(&s->arena, CdSystemCoordinates, (size_t)s->ncoordinates);
    if (!s->bodies || !s->joints || !s->forces || !s->coordinates) return CD_NOMEM;
    CD_TRY(vary_items(s, base));
    CD_TRY(cdi_signals_vary(s));
    return find_numbers(s);
}

CdStatus cdi_system_vary(const CdSystem *base, const CdModel *variant, CdSystem **system) {
    CdSystem *s = *system = cdi_alloc(base->ctx, sizeof *s);
    if (!s) return CD_NOMEM;
    *s = *base;
    s->model = variant;
    s->base = base;
    cdi_arena_init(&s->arena, s->ctx, 0);
    const CdStatus status = vary(s, base);
    if (status != CD_OK) {
        cdi_system_free(s);
        *system = NULL;
    }
    return status;
}

void cdi_system_free(CdSystem *s) {
    if (!s) return;
    if (!s->base) {
        cdi_pattern_free(s->pattern);
        cdi_pattern_free(s->mass_pattern);
        cdi_pattern_free(s->jpattern);
    }
    cdi_arena_clear(&s->arena);
    cdi_free(s->ctx, s);
}

// ---- work

// bodies without velocities stay where they are
static void place_fixed(CdSystemWork *w) {
    for (int i = 0; i < w->system->nbodies; i++) {
        const CdSystemBody *b = &w->system->bodies[i];
        if (b->law->nv == 0) b->law->frame(b->p, NULL, &w->body[i]);
    }
}

static void find_data(CdSystemWork *w) {
    const CdSystem *s = w->system;
    const CdModel *m = s->model;
    place_fixed(w);
    for (int k = 0; k < s->nforces; k++) w->force_data[k] = s->forces[k].item->data;
    for (int k = 0; k < s->ncoordinates; k++) w->coordinate_data[k] = s->coordinates[k].item->data;
    for (size_t k = 0; k < m->of[CD_SENSOR].n; k++) w->sensor_data[k] = m->of[CD_SENSOR].v[k]->data;
    cdi_signals_bind(w);
}

static CdStatus take_data(CdSystemWork *w) {
    const CdSystem *s = w->system;
    const size_t nsensors = s->model->of[CD_SENSOR].n;
    w->force_data = CD_TAKE(&w->arena, const void *, (size_t)s->nforces);
    w->coordinate_data = CD_TAKE(&w->arena, const void *, (size_t)s->ncoordinates);
    w->sensor_data = CD_TAKE(&w->arena, const void *, nsensors);
    if (!w->force_data || !w->coordinate_data || !w->sensor_data) return CD_NOMEM;
    CD_TRY(cdi_signals_work(w));
    find_data(w);
    return CD_OK;
}

CdStatus cdi_system_work_new(const CdSystem *s, CdPool *pool, CdSystemWork **work) {
    CdSystemWork *w = *work = cdi_alloc(s->ctx, sizeof *w);
    if (!w) return CD_NOMEM;
    *w = (CdSystemWork){.system = s, .pool = pool};
    cdi_arena_init(&w->arena, s->ctx, 0);
    const size_t nb = (size_t)s->nbodies, nm = (size_t)s->nmarkers;
    w->body = CD_TAKE(&w->arena, CdFrame, nb);
    w->body_twist = cdi_take(&w->arena, nb, sizeof *w->body_twist);
    w->body_rate = cdi_take(&w->arena, nb, sizeof *w->body_rate);
    w->frame = CD_TAKE(&w->arena, CdFrame, nm);
    w->twist = cdi_take(&w->arena, nm, sizeof *w->twist);
    w->bias = cdi_take(&w->arena, nm, sizeof *w->bias);
    w->joint_K = CD_TAKE(&w->arena, CdSystemBlock, (size_t)s->njoints);
    w->force_K = CD_TAKE(&w->arena, CdSystemBlock, (size_t)s->nforces);
    w->force_C = CD_TAKE(&w->arena, CdSystemBlock, (size_t)s->nforces);
    w->still = CD_TAKE(&w->arena, double, (size_t)s->nv);
    w->joint_sum = cdi_take(&w->arena, (size_t)s->njoints, sizeof *w->joint_sum);
    w->force_sum = cdi_take(&w->arena, (size_t)s->nforces, sizeof *w->force_sum);
    w->memory = CD_TAKE(&w->arena, double, (size_t)s->nmemory);
    const bool taken = w->body && w->body_twist && w->body_rate && w->frame && w->twist &&
                       w->bias && w->joint_K && w->force_K && w->force_C && w->still &&
                       w->joint_sum && w->force_sum && w->memory;
    if (taken && cdi_coordinates_work(w) == CD_OK && take_data(w) == CD_OK) return CD_OK;
    cdi_system_work_free(w);
    *work = NULL;
    return CD_NOMEM;
}

void cdi_system_work_free(CdSystemWork *w) {
    if (!w) return;
    CdContext *ctx = w->system->ctx;
    cdi_arena_clear(&w->arena);
    cdi_free(ctx, w);
}

void cdi_system_work_use(CdSystemWork *w, const CdSystem *s) {
    w->system = s;
    find_data(w);
}
