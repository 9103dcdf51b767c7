// connect.c - markers at their places on bodies; joints, connectors and loads at their markers
//
// What an item acts on follows from the names of its fields: marker_a and marker_b, or body_a,
// body_b, at and axis; marker, or body and point; joint or connector.
#include <stdio.h>
#include <string.h>

#include "items/marker.h"
#include "model/build.h"

#define COORDINATES_MAX 200

// sine of an angle that is none
#define PARALLEL 1e-6

// ---- frames

static void set_frame(const double at[3], const double x[3], const double y[3], const double z[3],
                      CdFrame *f) {
    copy3(at, f->p);
    for (int i = 0; i < 3; i++) {
        f->R[3 * i] = x[i];
        f->R[3 * i + 1] = y[i];
        f->R[3 * i + 2] = z[i];
    }
}

// z along axis, x as near as can be to `across`; false: it is along the axis
static bool frame_about(const double at[3], const double axis[3], const double across[3],
                        CdFrame *f) {
    double z[3], x[3], y[3], side[3];
    unit3(axis, z);
    cross3(z, across, side);
    unit3(side, y);
    cross3(y, z, x);
    set_frame(at, x, y, z, f);
    return norm3(side) > PARALLEL * norm3(across);
}

void cdi_pair_across(const double axis[3], const double across[3], double out[3]) {
    int least = 0;
    copy3(across, out);
    if (norm3(across) > 0) return;
    for (int i = 1; i < 3; i++) least = fabs(axis[i]) < fabs(axis[least]) ? i : least;
    out[least] = 1;
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
    frame_between(&at, world, &marker.offset);
    return add_marker(m, marker, number);
}

// "x, y, z"; none: left as it is
static void list_names(int n, const char *const *names, char list[COORDINATES_MAX]) {
    size_t at = 0;
    for (int k = 0; k < n && at < COORDINATES_MAX; k++) {
        const char *comma = k > 0 ? ", " : "";
        at += (size_t)snprintf(list + at, COORDINATES_MAX - at, "%s%s", comma, names[k]);
    }
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
    frame_compose(&user, &x, &marker.offset);
    return add_marker(m, marker, &item->marker[0]);
}

static CdStatus place_coordinate(CdModel *m, CdItem *item) {
    const CdCoordinateMarkerFields *p = item->data;
    const CdItem *body = p->body.target;
    const CdBodyLaw *law = body->cls->body;
    char list[COORDINATES_MAX] = "none";
    // rotations of a body in space are no coordinates that could be added up
    const int n = law->kinematics ? 3 : law->nv;
    for (int k = 0; k < n; k++) {
        if (strcmp(law->names[k], p->coordinate) != 0) continue;
        item->marker[0] = (int)m->coordinates.n;
        return CD_PUSH(m->ctx, m->coordinates, ((CdCoordinate){body->index, k}));
    }
    list_names(n, law->names, list);
    return cdi_item_complain(item, "coordinate", "body '%s' has no coordinate '%s'; it has %s",
                             cdi_item_name(body), p->coordinate, list);
}

// ---- what acts between markers

static CdStatus check_pair(const CdItem *item, const CdPair *p) {
    const bool markers = p->marker_a.name || p->marker_b.name;
    const bool bodies = p->body_a.name || p->body_b.name;
    if (markers && bodies) {
        return cdi_item_complain(item, p->marker_a.name ? "marker_a" : "marker_b",
                                 "markers and bodies are both given; give one kind");
    }
    if (!markers && !bodies) {
        return cdi_item_complain(
            item, NULL,
            "it joins nothing; give marker_a and marker_b, or body_a and body_b with "
            "at and axis");
    }
    if (markers && !(p->marker_a.name && p->marker_b.name)) {
        return cdi_item_complain(item, NULL, "%s is missing; give both markers",
                                 p->marker_a.name ? "marker_b" : "marker_a");
    }
    return CD_OK;
}

static CdStatus check_bodies(const CdModel *m, const CdItem *item) {
    const int a = m->markers.v[item->marker[0]].body, b = m->markers.v[item->marker[1]].body;
    if (a != b) return CD_OK;
    return cdi_item_complain(item, NULL, "joins body '%s' to itself; name two bodies",
                             cdi_item_name(m->of[CD_BODY].v[a]));
}

static CdStatus marker_of(const CdItem *item, const char *field, const CdItem *marker,
                          int *number) {
    *number = marker->marker[0];
    if (marker->cls == &cd_marker_frame) return CD_OK;
    return cdi_item_complain(item, field, "must be a frame; '%s' is a single coordinate",
                             cdi_item_name(marker));
}

static CdStatus pair_frame(const CdItem *item, const CdPair *p, CdFrame *world) {
    if (!item->cls->joint || !item->cls->joint->axis_in_plane) {
        double across[3];
        cdi_pair_across(p->axis, p->across, across);
        if (frame_about(p->at, p->axis, across, world)) return CD_OK;
        return cdi_item_complain(item, "across",
                                 "must not be along the axis; leave it out, or "
                                 "give a direction across it");
    }
    frame_in_plane(p->at, p->axis, world);
    if (p->axis[2] == 0) return CD_OK;
    return cdi_item_complain(
        item, "axis", "must lie in the plane x, y; its z is %g; give a direction such as [1, 0, 0]",
        p->axis[2]);
}

static CdStatus connect_pair(CdModel *m, CdItem *item, const CdPair *p) {
    CD_TRY(check_pair(item, p));
    if (p->marker_a.target) {
        CD_TRY(marker_of(item, "marker_a", p->marker_a.target, &item->marker[0]));
        CD_TRY(marker_of(item, "marker_b", p->marker_b.target, &item->marker[1]));
        return check_bodies(m, item);
    }
    const CdItem *ground = m->of[CD_BODY].v[0];
    const CdItem *a = p->body_a.target ? p->body_a.target : ground;
    const CdItem *b = p->body_b.target ? p->body_b.target : ground;
    CdFrame world;
    CD_TRY(pair_frame(item, p, &world));
    CD_TRY(add_world_marker(m, a, &world, &item->marker[0]));
    CD_TRY(add_world_marker(m, b, &world, &item->marker[1]));
    return check_bodies(m, item);
}

// ---- one coordinate of a joint

// numbers and names of those that may change, their number returned
static int free_coordinates(const CdJointCoordinate *of, int number[CD_JOINT_NREL_MAX],
                            const char *names[CD_JOINT_NREL_MAX]) {
    int n = 0;
    for (int k = 0; of->law && k < of->law->nrel; k++) {
        if (!cdi_joint_is_free(of->law, of->p, k)) continue;
        number[n] = k;
        names[n++] = of->law->rel_names[k];
    }
    return n;
}

static CdStatus no_coordinate(const CdItem *item, const CdJointCoordinate *of, const CdItem *joint,
                              int n, const char *const *names) {
    char list[COORDINATES_MAX] = "";
    list_names(n, names, list);
    if (of->coordinate[0] == 0) {
        return cdi_item_complain(item, "joint", "%s '%s' has several coordinates; choose one of %s",
                                 joint->cls->desc.name, cdi_item_name(joint), list);
    }
    return cdi_item_complain(item, "coordinate", "%s '%s' has no free coordinate '%s'; it has %s",
                             joint->cls->desc.name, cdi_item_name(joint), of->coordinate, list);
}

static CdStatus connect_coordinate(CdItem *item, CdJointCoordinate *of) {
    const CdItem *joint = of->joint.target;
    of->law = joint->cls->joint;
    of->p = joint->data;
    int number[CD_JOINT_NREL_MAX];
    const char *names[CD_JOINT_NREL_MAX];
    const int n = free_coordinates(of, number, names);
    if (n == 0) {
        return cdi_item_complain(item, "joint", "must have free coordinates; %s '%s' has none",
                                 joint->cls->desc.name, cdi_item_name(joint));
    }
    memcpy(item->marker, joint->marker, sizeof item->marker);
    of->index = n == 1 && of->coordinate[0] == 0 ? number[0] : -1;
    for (int k = 0; k < n; k++) {
        if (strcmp(of->coordinate, names[k]) == 0) of->index = number[k];
    }
    return of->index >= 0 ? CD_OK : no_coordinate(item, of, joint, n, names);
}

// an item at one marker, or at a point of a body: the marker is then made here
static CdStatus connect_point(CdModel *m, CdItem *item, const CdRef *marker) {
    const CdRef *body = cdi_item_member(item, "body");
    const double *point = cdi_item_member(item, "point");
    if (marker->target && body->target) {
        return cdi_item_complain(item, "body", "marker and body are both given; give one of them");
    }
    if (marker->target) {
        return marker_of(item, "marker", marker->target, &item->marker[0]);
    }
    if (!body->target) {
        return cdi_item_complain(item, NULL, "it is nowhere; give marker, or body and point");
    }
    const CdItem *on = body->target;
    CdMarker made = {.body = on->index};
    CdFrame user, x;
    on->cls->body->user_frame(on->data, &user);
    copy3(point, x.p);
    eye33(x.R);
    frame_compose(&user, &x, &made.offset);
    return add_marker(m, made, &item->marker[0]);
}

const CdItem *cdi_item_source(const CdItem *item) {
    const CdRef *joint = cdi_item_member(item, "joint"),
                *connector = cdi_item_member(item, "connector");
    return joint ? joint->target : connector ? connector->target : NULL;
}

static CdStatus check_source(const CdItem *item) {
    const CdItem *source = cdi_item_source(item);
    const CdSensorLaw *law = item->cls->sensor;
    const char *why = law && law->refuse ? law->refuse(item->data, source->cls) : NULL;
    if (!why) return CD_OK;
    return cdi_item_complain(item, NULL, "'%s' is a %s, which %s", cdi_item_name(source),
                             source->cls->desc.name, why);
}

static CdStatus connect_frames(CdModel *m, CdItem *item) {
    const CdRef *marker = cdi_item_member(item, "marker");
    const CdItem *source = cdi_item_source(item);
    const bool pair = cdi_desc_field(&item->cls->desc, "marker_a") != NULL;
    // the struct belongs to the item's object, and is the model's to complete
    if (item->cls->category == CD_JOINT && cdi_desc_field(&item->cls->desc, "joint")) {
        return connect_coordinate(item, (CdJointCoordinate *)item->data);
    }
    if (pair && !item->cls->coordinate) return connect_pair(m, item, item->data);
    if (source) memcpy(item->marker, source->marker, sizeof item->marker);
    if (marker && !item->cls->coordinate) return connect_point(m, item, marker);
    return check_source(item);
}

// ---- laws on coordinates

static CdStatus take_coordinates(CdModel *m, CdItem *item, const CdRef *refs, int n) {
    int *list = CD_TAKE(&m->arena, int, (size_t)n);
    if (!list) return CD_NOMEM;
    for (int i = 0; i < n; i++) {
        const CdItem *marker = refs[i].target;
        if (marker->cls != &cd_marker_coordinate) {
            return cdi_item_complain(item, NULL, "'%s' must be a coordinate marker",
                                     cdi_item_name(marker));
        }
        list[i] = marker->marker[0];
    }
    item->ncoordinates = n;
    item->coordinate = list;
    return CD_OK;
}

static CdStatus connect_coordinates(CdModel *m, CdItem *item) {
    const CdList *markers = cdi_item_member(item, "markers");
    const CdRef *a = cdi_item_member(item, "marker_a"), *b = cdi_item_member(item, "marker_b");
    const CdRef *one = cdi_item_member(item, "marker");
    if (markers) return take_coordinates(m, item, markers->v, markers->n);
    if (one) return take_coordinates(m, item, one, 1);
    const CdRef pair[2] = {*a, *b};
    return take_coordinates(m, item, pair, b->target ? 2 : 1);
}

CdStatus cdi_item_place(CdModel *m, CdItem *item) {
    return item->cls == &cd_marker_frame ? place_marker(m, item) : place_coordinate(m, item);
}

CdStatus cdi_item_connect(CdModel *m, CdItem *item) {
    CD_TRY(connect_frames(m, item));
    return item->cls->coordinate ? connect_coordinates(m, item) : CD_OK;
}
