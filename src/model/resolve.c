// resolve.c - names to items, markers to places on bodies; every mistake is reported
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "items/marker.h"
#include "model/build.h"

#define NAME_MAX_BYTES 200
#define COORDINATES_MAX 200

static CdStatus complain(const CdModel *m, const CdItem *item, const char *field, const char *fmt,
                         ...) CD_PRINTF(4, 5);
static CdStatus complain(const CdModel *m, const CdItem *item, const char *field, const char *fmt,
                         ...) {
    const CdPlace place = cdi_object_place(item->object, field);
    va_list args;
    va_start(args, fmt);
    const CdStatus status = cdi_vfail_at(m->ctx, CD_INVALID, &place, fmt, args);
    va_end(args);
    return status;
}

// ---- names

static int by_name(const void *a, const void *b) {
    const CdItem *x = *(CdItem *const *)a, *y = *(CdItem *const *)b;
    const int order = strcmp(cdi_item_name(x), cdi_item_name(y));
    if (order != 0) return order;
    return x < y ? -1 : x > y; // an arena gives later items higher addresses within a block
}

static CdStatus check_name(const CdModel *m, const CdItem *item) {
    const char *name = cdi_item_name(item);
    const size_t n = strlen(name);
    if (n == 0) return complain(m, item, NULL, "an item needs a name; write \"name\": \"...\"");
    if (n > NAME_MAX_BYTES) {
        return complain(m, item, "name", "is %zu bytes long; at most %d are allowed", n,
                        NAME_MAX_BYTES);
    }
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == '"') {
            return complain(m, item, "name", "must not hold quotes or control characters");
        }
    }
    return CD_OK;
}

static CdStatus sort_names(CdModel *m) {
    CdStatus status = CD_OK;
    CdItem **sorted = CD_TAKE(&m->arena, CdItem *, m->items.n);
    if (!sorted) return CD_NOMEM;
    memcpy(sorted, m->items.v, m->items.n * sizeof *sorted);
    qsort(sorted, m->items.n, sizeof *sorted, by_name);
    m->by_name = sorted;
    for (size_t i = 0; i < m->items.n; i++) {
        CD_COLLECT(status, check_name(m, m->items.v[i]));
        if (i == 0 || strcmp(cdi_item_name(sorted[i - 1]), cdi_item_name(sorted[i])) != 0) continue;
        if (*cdi_item_name(sorted[i]) == 0) continue;
        const CdPlace first = cdi_object_place(sorted[i - 1]->object, NULL);
        if (first.line > 0) {
            status = complain(m, sorted[i], "name", "is taken by the item in line %d", first.line);
        } else {
            status = complain(m, sorted[i], "name", "is taken%s",
                              strcmp(cdi_item_name(sorted[i]), "ground") == 0
                                  ? "; the ground is part of every model"
                                  : "");
        }
    }
    return status;
}

// ---- references

static CdStatus unknown_name(const CdModel *m, const CdItem *item, const CdField *f,
                             const char *name) {
    CdSuggestion s = {.word = name};
    for (size_t i = 0; i < m->items.n; i++) {
        if (strcmp(cdi_category_names[m->items.v[i]->cls->category], f->target) == 0) {
            cdi_suggest_from(&s, cdi_item_name(m->items.v[i]));
        }
    }
    return complain(m, item, f->name, "there is no %s '%s'%s%s%s", f->target, name,
                    s.name ? "; did you mean '" : "", s.name ? s.name : "", s.name ? "'?" : "");
}

static CdStatus find_target(const CdModel *m, const CdItem *item, const CdField *f, CdRef *ref) {
    if (!ref->name) return CD_OK;
    const CdItem *target = cdi_model_find(m, ref->name);
    if (!target) return unknown_name(m, item, f, ref->name);
    const char *category = cdi_category_names[target->cls->category];
    if (strcmp(category, f->target) != 0) {
        return complain(m, item, f->name, "must name a %s; '%s' is a %s", f->target, ref->name,
                        category);
    }
    ref->target = target;
    return CD_OK;
}

// rows of type REF at the top of the struct; nested objects hold none
static CdStatus find_targets(const CdModel *m, CdItem *item) {
    CdStatus status = CD_OK;
    for (int k = 0; k < item->cls->desc.nfields; k++) {
        const CdField *f = &item->cls->desc.fields[k];
        char *member = (char *)item->data + f->offset;
        if (f->type != CD_TYPE_REF) continue;
        CdList *list = (CdList *)(void *)member;
        const int n = f->list ? list->n : 1;
        CdRef *refs = f->list ? list->v : (CdRef *)(void *)member;
        for (int i = 0; i < n; i++) CD_COLLECT(status, find_target(m, item, f, &refs[i]));
    }
    return status;
}

// ---- frames

static void compose(const CdFrame *a, const CdFrame *x, CdFrame *out) {
    double d[3];
    mul3v(a->R, x->p, d);
    add3(a->p, d, out->p);
    mul33(a->R, x->R, out->R);
}

// x with a x = b
static void between(const CdFrame *a, const CdFrame *b, CdFrame *x) {
    frame_offset(a, b, x->p);
    tmul33(a->R, b->R, x->R);
}

static void set_frame(const double at[3], const double x[3], const double y[3], const double z[3],
                      CdFrame *f) {
    copy3(at, f->p);
    for (int i = 0; i < 3; i++) {
        f->R[3 * i] = x[i];
        f->R[3 * i + 1] = y[i];
        f->R[3 * i + 2] = z[i];
    }
}

// z along axis, x in a direction that depends on it alone; along z of the world: its axes
static void frame_about(const double at[3], const double axis[3], CdFrame *f) {
    double z[3], x[3], y[3], side[3], e[3] = {0, 0, 0};
    unit3(axis, z);
    int least = 0;
    for (int i = 1; i < 3; i++) least = fabs(z[i]) < fabs(z[least]) ? i : least;
    e[least] = 1;
    cross3(z, e, side);
    unit3(side, y);
    cross3(y, z, x);
    set_frame(at, x, y, z, f);
}

// x along axis, z of the world
static void frame_in_plane(const double at[3], const double axis[3], CdFrame *f) {
    const double z[3] = {0, 0, 1};
    double x[3], y[3];
    unit3(axis, x);
    cross3(z, x, y);
    set_frame(at, x, y, z, f);
}

static void frame_at_start(const CdItem *body, CdFrame *f) {
    double q[CD_BODY_NV_MAX + 1], v[CD_BODY_NV_MAX];
    body->cls->body->start(body->data, q, v);
    body->cls->body->frame(body->data, q, f);
}

static CdStatus add_marker(CdModel *m, CdMarker marker, int *number) {
    *number = (int)m->markers.n;
    return CD_PUSH(m->ctx, m->markers, marker);
}

static CdStatus add_world_marker(CdModel *m, const CdItem *body, const CdFrame *world,
                                 int *number) {
    CdFrame at;
    CdMarker marker = {.body = body->index};
    frame_at_start(body, &at);
    between(&at, world, &marker.offset);
    return add_marker(m, marker, number);
}

// ---- markers

static CdStatus place_marker(CdModel *m, CdItem *item) {
    const CdMarkerFields *p = item->data;
    const CdItem *body = p->body.target;
    CdFrame user, x;
    CdMarker marker = {.body = body->index, .item = item};
    body->cls->body->user_frame(body->data, &user);
    copy3(p->position, x.p);
    quat_to_mat(p->orientation, x.R);
    compose(&user, &x, &marker.offset);
    return add_marker(m, marker, &item->marker[0]);
}

static CdStatus place_coordinate(CdModel *m, CdItem *item) {
    const CdCoordinateMarkerFields *p = item->data;
    const CdItem *body = p->body.target;
    const CdBodyLaw *law = body->cls->body;
    const char *near = cdi_suggest(p->coordinate, law->names, (size_t)law->nv);
    // rotations of a body in space are no coordinates that could be added up
    const int n = law->kinematics ? 3 : law->nv;
    for (int k = 0; k < n; k++) {
        if (strcmp(law->names[k], p->coordinate) != 0) continue;
        item->marker[0] = (int)m->coordinates.n;
        return CD_PUSH(m->ctx, m->coordinates, ((CdCoordinate){body->index, k}));
    }
    return complain(m, item, "coordinate", "body '%s' has no coordinate '%s'%s%s%s",
                    cdi_item_name(body), p->coordinate, near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
}

// ---- what acts between markers

static CdStatus check_pair(const CdModel *m, const CdItem *item, const CdPair *p) {
    const bool markers = p->marker_a.name || p->marker_b.name;
    const bool bodies = p->body_a.name || p->body_b.name;
    if (markers && bodies) {
        return complain(m, item, p->marker_a.name ? "marker_a" : "marker_b",
                        "markers and bodies are both given; give one kind");
    }
    if (!markers && !bodies) {
        return complain(m, item, NULL,
                        "it joins nothing; give marker_a and marker_b, or body_a and body_b with "
                        "at and axis");
    }
    if (markers && !(p->marker_a.name && p->marker_b.name)) {
        return complain(m, item, NULL, "%s is missing", p->marker_a.name ? "marker_b" : "marker_a");
    }
    return CD_OK;
}

static CdStatus check_bodies(const CdModel *m, const CdItem *item) {
    const int a = m->markers.v[item->marker[0]].body, b = m->markers.v[item->marker[1]].body;
    if (a != b) return CD_OK;
    return complain(m, item, NULL, "joins body '%s' to itself", cdi_item_name(m->of[CD_BODY].v[a]));
}

static CdStatus marker_of(const CdModel *m, const CdItem *item, const char *field,
                          const CdItem *marker, int *number) {
    *number = marker->marker[0];
    if (marker->cls == &cd_marker_frame) return CD_OK;
    return complain(m, item, field, "must be a frame; '%s' is a single coordinate",
                    cdi_item_name(marker));
}

static CdStatus pair_frame(const CdModel *m, const CdItem *item, const CdPair *p, CdFrame *world) {
    if (!item->cls->joint || !item->cls->joint->axis_in_plane) {
        frame_about(p->at, p->axis, world);
        return CD_OK;
    }
    frame_in_plane(p->at, p->axis, world);
    if (p->axis[2] == 0) return CD_OK;
    return complain(m, item, "axis",
                    "must lie in the plane x, y; its z is %g; give a direction such as [1, 0, 0]",
                    p->axis[2]);
}

static CdStatus connect_pair(CdModel *m, CdItem *item, const CdPair *p) {
    CD_TRY(check_pair(m, item, p));
    if (p->marker_a.target) {
        CD_TRY(marker_of(m, item, "marker_a", p->marker_a.target, &item->marker[0]));
        CD_TRY(marker_of(m, item, "marker_b", p->marker_b.target, &item->marker[1]));
        return check_bodies(m, item);
    }
    const CdItem *ground = m->of[CD_BODY].v[0];
    const CdItem *a = p->body_a.target ? p->body_a.target : ground;
    const CdItem *b = p->body_b.target ? p->body_b.target : ground;
    CdFrame world;
    CD_TRY(pair_frame(m, item, p, &world));
    CD_TRY(add_world_marker(m, a, &world, &item->marker[0]));
    CD_TRY(add_world_marker(m, b, &world, &item->marker[1]));
    return check_bodies(m, item);
}

static const void *member(const CdItem *item, const char *field) {
    const CdField *f = cdi_desc_field(&item->cls->desc, field);
    return f ? (const char *)item->data + f->offset : NULL;
}

// ---- one coordinate of a joint

static CdStatus no_coordinate(const CdModel *m, const CdItem *item, const CdJointCoordinate *of,
                              const CdItem *joint) {
    char list[COORDINATES_MAX] = "";
    size_t n = 0;
    for (int k = 0; k < of->law->nrel && n < sizeof list; k++) {
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", k > 0 ? ", " : "",
                              of->law->rel_names[k]);
    }
    if (of->coordinate[0] == 0) {
        return complain(m, item, "joint", "%s '%s' has several coordinates; choose one of %s",
                        joint->cls->desc.name, cdi_item_name(joint), list);
    }
    return complain(m, item, "coordinate", "%s '%s' has no coordinate '%s'; it has %s",
                    joint->cls->desc.name, cdi_item_name(joint), of->coordinate, list);
}

static CdStatus connect_coordinate(const CdModel *m, CdItem *item, CdJointCoordinate *of) {
    const CdItem *joint = of->joint.target;
    of->law = joint->cls->joint;
    of->p = joint->data;
    if (!of->law || of->law->nrel == 0) {
        return complain(m, item, "joint", "must have coordinates; %s '%s' has none",
                        joint->cls->desc.name, cdi_item_name(joint));
    }
    memcpy(item->marker, joint->marker, sizeof item->marker);
    of->index = of->law->nrel == 1 && of->coordinate[0] == 0 ? 0 : -1;
    for (int k = 0; k < of->law->nrel; k++) {
        if (strcmp(of->coordinate, of->law->rel_names[k]) == 0) of->index = k;
    }
    return of->index >= 0 ? CD_OK : no_coordinate(m, item, of, joint);
}

// once the markers of all joints are known
static CdStatus connect_joint_coordinates(CdModel *m) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < m->of[CD_JOINT].n; i++) {
        CdItem *item = m->of[CD_JOINT].v[i];
        if (!cdi_desc_field(&item->cls->desc, "joint")) continue;
        // the struct belongs to the item's object, and is the model's to complete
        CD_COLLECT(status, connect_coordinate(m, item, (CdJointCoordinate *)item->data));
    }
    return status;
}

// an item at one marker, or at a point of a body: the marker is then made here
static CdStatus connect_point(CdModel *m, CdItem *item, const CdRef *marker) {
    const CdRef *body = member(item, "body");
    const double *point = member(item, "point");
    if (marker->target && body->target) {
        return complain(m, item, "body", "marker and body are both given; give one of them");
    }
    if (marker->target) {
        return marker_of(m, item, "marker", marker->target, &item->marker[0]);
    }
    if (!body->target) {
        return complain(m, item, NULL, "it is nowhere; give marker, or body and point");
    }
    const CdItem *on = body->target;
    CdMarker made = {.body = on->index};
    CdFrame user, x;
    on->cls->body->user_frame(on->data, &user);
    copy3(point, x.p);
    eye33(x.R);
    compose(&user, &x, &made.offset);
    return add_marker(m, made, &item->marker[0]);
}

// joint or connector that a sensor looks at; NULL: neither
static const CdItem *source_of(const CdItem *item) {
    const CdRef *joint = member(item, "joint"), *connector = member(item, "connector");
    return joint ? joint->target : connector ? connector->target : NULL;
}

static CdStatus check_source(const CdModel *m, const CdItem *item) {
    const CdItem *source = source_of(item);
    const CdSensorLaw *law = item->cls->sensor;
    const char *why = law && law->refuse ? law->refuse(item->data, source->cls) : NULL;
    if (!why) return CD_OK;
    return complain(m, item, NULL, "'%s' is a %s, which %s", cdi_item_name(source),
                    source->cls->desc.name, why);
}

// what an item acts on follows from the names of its fields
static CdStatus connect_item(CdModel *m, CdItem *item) {
    const CdRef *marker = member(item, "marker");
    const CdItem *source = source_of(item);
    const bool pair = cdi_desc_field(&item->cls->desc, "marker_a") != NULL;
    if (pair && !item->cls->coordinate) return connect_pair(m, item, item->data);
    if (source) memcpy(item->marker, source->marker, sizeof item->marker);
    if (marker && !item->cls->coordinate) return connect_point(m, item, marker);
    return check_source(m, item);
}

// ---- laws on coordinates

static CdStatus take_coordinates(CdModel *m, CdItem *item, const CdRef *refs, int n) {
    int *list = CD_TAKE(&m->arena, int, (size_t)n);
    if (!list) return CD_NOMEM;
    for (int i = 0; i < n; i++) {
        const CdItem *marker = refs[i].target;
        if (marker->cls != &cd_marker_coordinate) {
            return complain(m, item, NULL, "'%s' must be a coordinate marker",
                            cdi_item_name(marker));
        }
        list[i] = marker->marker[0];
    }
    item->ncoordinates = n;
    item->coordinate = list;
    return CD_OK;
}

static CdStatus connect_coordinates(CdModel *m, CdItem *item) {
    const CdList *markers = member(item, "markers");
    const CdRef *a = member(item, "marker_a"), *b = member(item, "marker_b");
    const CdRef *one = member(item, "marker");
    if (markers) return take_coordinates(m, item, markers->v, markers->n);
    if (one) return take_coordinates(m, item, one, 1);
    const CdRef pair[2] = {*a, *b};
    return take_coordinates(m, item, pair, b->target ? 2 : 1);
}

// ---- all of it

static CdStatus check_objects(CdModel *m) {
    const CdSource source = {.file = m->file, .params = m->params};
    CdStatus status = CD_OK;
    for (size_t i = 0; i < m->items.n; i++) {
        CdItem *item = m->items.v[i];
        if (!cdi_object_data(item->object)) {
            CD_COLLECT(status, cdi_object_check(item->object, &source));
        }
        item->data = cdi_object_data(item->object);
    }
    return status;
}

static CdStatus place_markers(CdModel *m) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < m->of[CD_MARKER].n; i++) {
        CdItem *item = m->of[CD_MARKER].v[i];
        const bool frame = item->cls == &cd_marker_frame;
        CD_COLLECT(status, frame ? place_marker(m, item) : place_coordinate(m, item));
    }
    return status;
}

static CdStatus connect_items(CdModel *m) {
    CdStatus status = CD_OK;
    for (CdCategory c = CD_JOINT; c <= CD_SENSOR; c++) {
        for (size_t i = 0; i < m->of[c].n; i++) {
            CdItem *item = m->of[c].v[i];
            CD_COLLECT(status, connect_item(m, item));
            if (item->cls->coordinate) CD_COLLECT(status, connect_coordinates(m, item));
        }
        if (c == CD_JOINT) CD_COLLECT(status, connect_joint_coordinates(m));
    }
    return status;
}

CdStatus cdi_model_resolve(CdModel *m) {
    CdStatus status = CD_OK;
    CD_COLLECT(status, sort_names(m));
    CD_COLLECT(status, check_objects(m));
    if (status != CD_OK) return status;
    for (size_t i = 0; i < m->items.n; i++) CD_COLLECT(status, find_targets(m, m->items.v[i]));
    if (status != CD_OK) return status;
    CD_COLLECT(status, place_markers(m));
    if (status != CD_OK) return status;
    CD_TRY(connect_items(m));
    for (size_t i = 0; i < m->of[CD_LOAD].n; i++) {
        const CdItem *item = m->of[CD_LOAD].v[i];
        if (!item->cls->gravity) continue;
        const double *g = item->cls->gravity(item->data);
        for (int k = 0; k < 3; k++) m->gravity[k] += g[k];
    }
    return CD_OK;
}
