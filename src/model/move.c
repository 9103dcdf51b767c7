// move.c - items of a sub-model by its pose: x' = R x + t for points, R d for directions
//
// A body takes the pose through its fields. What they cannot take (a mass point does not turn) is
// left to the markers that it carries, if it stays the same while the body moves:
//   F' X' = pose F X,   X' = D X,   D = F'^-1 pose F
// A body whose directions of motion would not be moved along is refused: its law holds in the
// world.
#include <string.h>

#include "items/marker.h"
#include "model/build.h"

// of positions and axes, relative to their size
#define SAME 1e-9

static bool near(const double *a, const double *b, int n, double size) {
    for (int i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= SAME * (1 + size))) return false;
    }
    return true;
}

static bool is_eye(const double R[9]) {
    double eye[9];
    eye33(eye);
    return near(R, eye, 9, 0);
}

// ---- fields

static bool is_type(const CdItem *item, const char *field, CdType type) {
    const CdField *f = cdi_desc_field(&item->cls->desc, field);
    return f && f->type == type && !f->list;
}

static bool has(const CdItem *item, const char *field) {
    return cdi_desc_field(&item->cls->desc, field) != NULL;
}

static void move_point(const CdItem *item, const char *field, const CdFrame *pose) {
    if (!is_type(item, field, CD_TYPE_VEC3)) return;
    double *p = cdi_item_member(item, field), Rp[3];
    mul3v(pose->R, p, Rp);
    add3(Rp, pose->p, p);
    cdi_object_mark(item->placed, field);
}

static void turn_vector(const CdItem *item, const char *field, const CdFrame *pose) {
    if (!is_type(item, field, CD_TYPE_VEC3)) return;
    double *d = cdi_item_member(item, field), Rd[3];
    mul3v(pose->R, d, Rd);
    copy3(Rd, d);
    cdi_object_mark(item->placed, field);
}

static void turn_rotation(const CdItem *item, const char *field, const double quat_wxyz[4]) {
    if (!is_type(item, field, CD_TYPE_QUATERNION)) return;
    double *q = cdi_item_member(item, field), r[4];
    quat_mul(quat_wxyz, q, r);
    quat_unit(r, q);
    cdi_object_mark(item->placed, field);
}

// of a body in the plane: about z
static void turn_angle(const CdItem *item, const char *field, const CdFrame *pose) {
    if (!is_type(item, field, CD_TYPE_REAL)) return;
    *(double *)cdi_item_member(item, field) += atan2(pose->R[3], pose->R[0]);
    cdi_object_mark(item->placed, field);
}

// ---- bodies

// body frame and twist of the reference frame at the start
typedef struct Start {
    CdFrame frame;
    double twist[6], J[6 * CD_BODY_NV_MAX];
    double size; // of positions and speeds, what rounding is measured by
} Start;

static void find_start(const CdItem *body, Start *s) {
    const CdBodyLaw *law = body->cls->body;
    double q[CD_BODY_NV_MAX + 1] = {0}, v[CD_BODY_NV_MAX] = {0};
    CdFrame reference, user;
    *s = (Start){0};
    law->start(body->data, q, v);
    law->frame(body->data, q, &reference);
    law->user_frame(body->data, &user);
    law->jacobian(body->data, s->J);
    frame_compose(&reference, &user, &s->frame);
    s->size = norm3(s->frame.p);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < law->nv; k++) s->twist[i] += s->J[law->nv * i + k] * v[k];
        s->size += fabs(s->twist[i]);
    }
}

// F'^-1 pose F
static void find_rest(const CdFrame *before, const CdFrame *pose, const CdFrame *after,
                      CdFrame *rest) {
    CdFrame moved;
    frame_compose(pose, before, &moved);
    frame_between(after, &moved, rest);
}

// is R d for every translation d of the law again one that it can do? Columns are axes or zero.
static bool keeps_directions(const CdBodyLaw *law, const double *J, const double *after,
                             const CdFrame *pose) {
    for (int k = 0; k < law->nv; k++) {
        double d[3], Rd[3];
        for (int i = 0; i < 3; i++) d[i] = J[law->nv * i + k];
        mul3v(pose->R, d, Rd);
        for (int l = 0; l < law->nv; l++) {
            double e[3];
            for (int i = 0; i < 3; i++) e[i] = after[law->nv * i + l];
            const double along = dot3(e, Rd);
            for (int i = 0; i < 3; i++) Rd[i] -= along * e[i];
        }
        if (norm3(Rd) > SAME) return false;
    }
    return true;
}

// axes that the body turns about, in its own axes: is D^T w' = w for each?
static bool keeps_axes(const CdBodyLaw *law, const double *before, const double *after,
                       const CdFrame *rest) {
    for (int k = 0; k < law->nv; k++) {
        double w[3], w_after[3], Dw[3];
        for (int i = 0; i < 3; i++) {
            w[i] = before[law->nv * (3 + i) + k];
            w_after[i] = after[law->nv * (3 + i) + k];
        }
        tmul3v(rest->R, w_after, Dw);
        if (!near(w, Dw, 3, 0)) return false;
    }
    return true;
}

static bool is_moved(const CdBodyLaw *law, const Start *before, const Start *after,
                     const CdFrame *pose, const CdFrame *rest) {
    const double zero[3] = {0, 0, 0}, size = after->size + before->size;
    double v[3], w[3];
    mul3v(pose->R, before->twist, v);
    tmul3v(rest->R, after->twist + 3, w);
    return near(rest->p, zero, 3, size) && near(v, after->twist, 3, size) &&
           near(w, before->twist + 3, 3, size) && keeps_axes(law, before->J, after->J, rest) &&
           keeps_directions(law, before->J, after->J, pose);
}

static CdStatus finish_body(CdItem *body, const Start *before, const CdFrame *pose) {
    Start after;
    CdFrame rest;
    find_start(body, &after);
    find_rest(&before->frame, pose, &after.frame, &rest);
    if (is_moved(body->cls->body, before, &after, pose, &rest)) {
        CdFrame *kept = CD_TAKE(&body->model->arena, CdFrame, 1);
        if (!kept) return CD_NOMEM;
        *kept = rest;
        body->rest = is_eye(rest.R) ? NULL : kept;
        return CD_OK;
    }
    return cdi_item_complain(body, NULL,
                             "cannot be placed so: its directions of motion are fixed in the "
                             "world; change the pose of the Include, or use a body in space");
}

static CdStatus move_body(CdItem *item, const CdScope *scope) {
    const CdSource source = {.file = scope->file, .params = scope->params};
    Start before;
    if (item->cls == &cd_body_ground) return CD_OK;
    find_start(item, &before);
    move_point(item, "position", &scope->pose);
    turn_rotation(item, "orientation", scope->quat_wxyz);
    if (has(item, "axis")) {
        turn_vector(item, "axis", &scope->pose);
    } else {
        turn_angle(item, "angle", &scope->pose);
    }
    turn_vector(item, "velocity", &scope->pose);
    turn_vector(item, "angular_velocity", &scope->pose);
    // members that follow from fields
    CD_TRY(cdi_object_check(item->placed, &source));
    return finish_body(item, &before, &scope->pose);
}

// ---- markers

// what a place on a body is to be moved by: one on the ground is one of the world
static const CdFrame *rest_of(const CdItem *item, const CdScope *scope) {
    const CdRef *ref = cdi_item_member(item, "body");
    const CdItem *body = ref ? ref->target : NULL;
    if (!body) return NULL;
    return body->cls == &cd_body_ground ? &scope->pose : body->moved ? body->rest : NULL;
}

static CdStatus move_marker(const CdItem *item, const CdScope *scope) {
    const CdFrame *rest = rest_of(item, scope);
    double q[4];
    if (!rest) return CD_OK;
    quat_from_mat(rest->R, q);
    move_point(item, "position", rest);
    turn_rotation(item, "orientation", q);
    return CD_OK;
}

static int find_coordinate(const CdBodyLaw *law, const char *name) {
    int k = 0;
    while (k < law->nv && strcmp(law->names[k], name) != 0) k++;
    return k;
}

// a coordinate means the same only if the pose neither shifts nor turns it
static CdStatus move_coordinate(const CdItem *item, const CdScope *scope) {
    const CdCoordinateMarkerFields *p = item->data;
    const CdItem *body = p->body.target;
    const CdBodyLaw *law = body->cls->body;
    const int k = find_coordinate(law, p->coordinate);
    double J[6 * CD_BODY_NV_MAX] = {0}, d[3], Rd[3];
    // of a body on an axis of its own it is moved along
    if (!body->moved || has(body, "axis") || k == law->nv) return CD_OK;
    law->jacobian(body->data, J);
    for (int i = 0; i < 3; i++) d[i] = J[law->nv * i + k];
    mul3v(scope->pose.R, d, Rd);
    const bool same = norm3(d) > 0 ? near(d, Rd, 3, 0) && fabs(dot3(d, scope->pose.p)) <= SAME
                                   : is_eye(scope->pose.R);
    if (same) return CD_OK;
    return cdi_item_complain(item, "coordinate",
                             "'%s' is another one after the pose of the Include; use markers that "
                             "are frames",
                             p->coordinate);
}

// ---- what acts on them

// at a point and along an axis of the world; its x turns along
static CdStatus move_pair(const CdItem *item, const CdScope *scope) {
    if (!has(item, "across")) return CD_OK;
    double *across = cdi_item_member(item, "across");
    const double *axis = cdi_item_member(item, "axis"),
                 given[3] = {across[0], across[1], across[2]};
    cdi_pair_across(axis, given, across);
    move_point(item, "at", &scope->pose);
    turn_vector(item, "axis", &scope->pose);
    turn_vector(item, "across", &scope->pose);
    return CD_OK;
}

static CdStatus move_load(const CdItem *item, const CdScope *scope) {
    const int *axes = cdi_item_member(item, "axes");
    const CdFrame *rest = rest_of(item, scope);
    if (rest) move_point(item, "point", rest);
    if (item->cls->category != CD_LOAD || !axes || *axes != 0 || is_eye(scope->pose.R)) {
        return CD_OK;
    }
    return cdi_item_complain(item, "axes",
                             "are those of the world, which do not turn with the Include; take "
                             "the marker's \"own\", or turn the Include back");
}

// ---- all

static CdStatus move(CdItem *item, const CdScope *scope) {
    switch (item->cls->category) {
    case CD_BODY: return move_body(item, scope);
    case CD_MARKER:
        return item->cls == &cd_marker_coordinate ? move_coordinate(item, scope)
                                                  : move_marker(item, scope);
    case CD_JOINT:
    case CD_CONNECTOR: return move_pair(item, scope);
    default: return move_load(item, scope);
    }
}

CdStatus cdi_item_move(CdItem *item) {
    CD_TRY(move(item, item->scope));
    item->moved = true;
    return CD_OK;
}
