// scene.c - the scene of a model: poses at the start, its extent, and the unit of symbols
//
// The unit is a small part of the whole, but small also against a usual lever (the median distance
// from a centre of mass to a marker), so that a chain of many short links stays legible.
#include <stdlib.h>

#include "geom/shape.h"
#include "system/system.h"
#include "view/scene.h"

#define BLOCK 65536
// m; what is farther away is a mistake, and squares of it would overflow in products of others
#define FAR 1e12
#define UNIT_OF_SIZE 0.032
#define UNIT_OF_LEVER 0.16
#define SEGMENTS 32
// levers less than this part of the whole are none
#define SHORT 1e-9

void cdi_view_marker(const CdModel *model, int marker, CdFrame *x) {
    const CdMarker *m = &model->markers.v[marker];
    CdFrame user;
    cdi_model_body(model, m->body)->user_frame(model->of[CD_BODY].v[m->body]->data, &user);
    frame_between(&user, &m->offset, x);
}

void cdi_view_com(const CdModel *model, int body, double com[3]) {
    CdFrame user, reference = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, x;
    cdi_model_body(model, body)->user_frame(model->of[CD_BODY].v[body]->data, &user);
    frame_between(&user, &reference, &x);
    copy3(x.p, com);
}

// ---- start

void cdi_view_poses(const CdSystem *system, const double *q, CdFrame *poses) {
    for (int i = 0; i < system->nbodies; i++) {
        const CdSystemBody *b = &system->bodies[i];
        CdFrame reference, user;
        b->law->frame(b->p, q + b->q0, &reference);
        b->law->user_frame(b->p, &user);
        frame_compose(&reference, &user, &poses[i]);
    }
}

static CdStatus place_bodies(const CdSystem *system, CdArena *arena, CdFrame *start) {
    double *q = CD_TAKE(arena, double, (size_t)system->nq);
    double *v = CD_TAKE(arena, double, (size_t)system->nv);
    if (!q || !v) return CD_NOMEM;
    cdi_system_start(system, q, v);
    cdi_view_poses(system, q, start);
    return CD_OK;
}

static CdStatus find_start(CdScene *scene) {
    const CdModel *model = scene->model;
    CdSystem *system;
    scene->nbodies = (int)model->of[CD_BODY].n;
    CdFrame *start = CD_TAKE(&scene->arena, CdFrame, (size_t)scene->nbodies);
    if (!start) return CD_NOMEM;
    CD_TRY(cdi_system_new(model, &system));
    const CdStatus status = place_bodies(system, &scene->arena, start);
    scene->start = start;
    cdi_system_free(system);
    return status;
}

// ---- extent

static CdStatus include(CdScene *scene, int body, const double point[3], bool *any) {
    double x[3], Rp[3];
    mul3v(scene->start[body].R, point, Rp);
    add3(scene->start[body].p, Rp, x);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(x[i]) < FAR)) {
            return cdi_fail(scene->model->ctx, CD_INVALID,
                            "body '%s' cannot be drawn: a point of it is at %g m; it must be "
                            "nearer than %g m",
                            cdi_item_name(scene->model->of[CD_BODY].v[body]), x[i], FAR);
        }
        scene->lower[i] = *any ? fmin(scene->lower[i], x[i]) : x[i];
        scene->upper[i] = *any ? fmax(scene->upper[i], x[i]) : x[i];
    }
    *any = true;
    return CD_OK;
}

static CdStatus find_extent(CdScene *scene) {
    const CdModel *m = scene->model;
    bool any = false;
    for (int i = 1; i < scene->nbodies; i++) {
        double com[3];
        cdi_view_com(m, i, com);
        CD_TRY(include(scene, i, com, &any));
    }
    for (size_t i = 0; i < m->markers.n; i++) {
        CdFrame x;
        cdi_view_marker(m, (int)i, &x);
        CD_TRY(include(scene, m->markers.v[i].body, x.p, &any));
    }
    for (size_t i = 0; i < scene->parts.n; i++) {
        const CdPart *p = &scene->parts.v[i];
        for (int k = 0; k < p->mesh.nvertices; k++) {
            CD_TRY(include(scene, p->body, p->mesh.vertices + 3 * k, &any));
        }
    }
    return CD_OK;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// median of the distances from centres of mass to markers; 0: there are none
static CdStatus find_lever(CdScene *scene, double *lever) {
    const CdModel *m = scene->model;
    double *d = CD_TAKE(&scene->arena, double, m->markers.n);
    size_t n = 0;
    if (!d) return CD_NOMEM;
    for (size_t i = 0; i < m->markers.n; i++) {
        double com[3], way[3];
        CdFrame x;
        if (m->markers.v[i].body == 0) continue;
        cdi_view_marker(m, (int)i, &x);
        cdi_view_com(m, m->markers.v[i].body, com);
        sub3(x.p, com, way);
        if (norm3(way) > SHORT * scene->size) d[n++] = norm3(way);
    }
    qsort(d, n, sizeof *d, compare);
    *lever = n > 0 ? d[n / 2] : 0;
    return CD_OK;
}

static CdStatus find_unit(CdScene *scene) {
    double d[3], lever;
    sub3(scene->upper, scene->lower, d);
    axpy3(0.5, d, scene->lower, scene->centre);
    scene->size = norm3(d) > 0 ? norm3(d) : 1;
    CD_TRY(find_lever(scene, &lever));
    scene->unit = UNIT_OF_SIZE * scene->size;
    if (lever > 0) scene->unit = fmin(scene->unit, UNIT_OF_LEVER * lever);
    scene->unit *= scene->symbols;
    return CD_OK;
}

// ---- shapes

// the field of a body that holds its solid; NULL: none given
static const CdVariant *shape_of(const CdItem *body) {
    const CdDesc *desc = &body->cls->desc;
    for (int i = 0; i < desc->nfields; i++) {
        const CdField *f = &desc->fields[i];
        if (f->variants != cdi_shape_classes || f->list) continue;
        const CdVariant *v = (const void *)((const char *)body->data + f->offset);
        if (v->desc) return v;
    }
    return NULL;
}

static CdStatus add_shapes(CdScene *scene) {
    const CdModel *m = scene->model;
    for (int i = 1; i < scene->nbodies; i++) {
        const CdVariant *v = shape_of(m->of[CD_BODY].v[i]);
        CdPart part = {.item = m->of[CD_BODY].v[i], .body = i, .shaped = true};
        if (!v) continue;
        CD_TRY(cdi_shape_mesh(v->desc, v->data, SEGMENTS, &scene->arena, &part.mesh));
        CD_TRY(CD_PUSH(m->ctx, scene->parts, part));
    }
    return CD_OK;
}

// ---- all

static CdStatus build(CdScene *scene) {
    CD_TRY(find_start(scene));
    CD_TRY(add_shapes(scene));
    CD_TRY(find_extent(scene));
    CD_TRY(find_unit(scene));
    CD_TRY(cdi_view_bars(scene));
    CD_TRY(cdi_view_links(scene));
    return cdi_view_supports(scene);
}

CdStatus cdi_view_scene_sized(const CdModel *model, double symbols, CdScene **out) {
    CdScene *scene = cdi_alloc(model->ctx, sizeof *scene);
    *out = NULL;
    if (!scene) return CD_NOMEM;
    scene->model = model;
    scene->symbols = symbols;
    cdi_arena_init(&scene->arena, model->ctx, BLOCK);
    const CdStatus status = build(scene);
    if (status == CD_OK) {
        *out = scene;
    } else {
        cdi_view_scene_free(scene);
    }
    return status;
}

CdStatus cdi_view_scene(const CdModel *model, CdScene **scene) {
    return cdi_view_scene_sized(model, 1, scene);
}

void cdi_view_scene_free(CdScene *scene) {
    if (!scene) return;
    CdContext *ctx = scene->model->ctx;
    cdi_array_free(ctx, &scene->parts.any);
    cdi_array_free(ctx, &scene->spans.any);
    cdi_array_free(ctx, &scene->arrows.any);
    cdi_arena_clear(&scene->arena);
    cdi_free(ctx, scene);
}
