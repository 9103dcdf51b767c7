// start.c - the state at the start: bodies as their fields say, moved by joints with start values
//
// Joints make a forest in which those with start values come first. Along it, from the ground
// outwards, a body is placed on the one before it:
//   over a joint with start values:  X_b = X_a X_AB(s),  and its twist from  s' and c' = 0,
//   over any other, if the body before it was moved:  with it, as one rigid body.
// Values that a joint does not give are those of the bodies' fields. Joints that close loops are
// left to whoever makes positions consistent.
#include <string.h>

#include "base/sets.h"
#include "math/dense.h"
#include "system/link.h"

#define TWIST 6
#define DIRECTIONS 12

typedef struct Pose {
    CdFrame frame;
    double twist[TWIST];
} Pose;

// ---- which bodies move, over which joints

static const CdList *start_list(const CdItem *item, const char *field) {
    const CdField *f = cdi_desc_field(&item->cls->desc, field);
    return f ? (const CdList *)(const void *)((const char *)item->data + f->offset) : NULL;
}

static bool has_start(const CdSystemLink *l) {
    const CdList *s = start_list(l->item, "start"), *rate = start_list(l->item, "start_rate");
    return s && rate && (s->n > 0 || rate->n > 0);
}

static int body_of(const CdSystem *s, int marker) {
    return s->model->markers.v[marker].body;
}

// joints of the forest: of every cycle the last is left out, joints with start values come first
static void choose_joints(const CdSystem *s, int *parent, bool *chosen) {
    cdi_sets_begin(s->nbodies, parent);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < s->njoints; k++) {
            const CdSystemLink *l = &s->joints[k];
            if (has_start(l) != (pass == 0)) continue;
            if (cdi_sets_join(parent, body_of(s, l->a), body_of(s, l->b))) chosen[k] = true;
        }
    }
}

// chosen joints at every body: those of body i are list[first[i]] ... list[first[i + 1] - 1]
static void list_joints(const CdSystem *s, const bool *chosen, int *first, int *list) {
    memset(first, 0, (size_t)(s->nbodies + 2) * sizeof *first);
    for (int k = 0; k < s->njoints; k++) {
        if (!chosen[k]) continue;
        first[body_of(s, s->joints[k].a) + 2]++;
        first[body_of(s, s->joints[k].b) + 2]++;
    }
    for (int i = 2; i <= s->nbodies + 1; i++) first[i] += first[i - 1];
    for (int k = 0; k < s->njoints; k++) {
        if (!chosen[k]) continue;
        list[first[body_of(s, s->joints[k].a) + 1]++] = k;
        list[first[body_of(s, s->joints[k].b) + 1]++] = k;
    }
}

typedef enum Mark { UNSEEN, RESTING, MOVED } Mark;

// breadth first from a body on; queue is room for all bodies
static void walk(CdSystem *s, int from, const int *first, const int *list, Mark *mark, int *queue) {
    int head = 0, tail = 0;
    queue[tail++] = from;
    mark[from] = RESTING;
    while (head < tail) {
        const int i = queue[head++];
        for (int n = first[i]; n < first[i + 1]; n++) {
            const CdSystemLink *l = &s->joints[list[n]];
            const int a = body_of(s, l->a), b = body_of(s, l->b), child = a == i ? b : a;
            if (mark[child] != UNSEEN) continue;
            const bool moves = has_start(l) || mark[i] == MOVED;
            mark[child] = moves ? MOVED : RESTING;
            queue[tail++] = child;
            if (moves) s->moves[s->nmoves++] = (CdSystemMove){list[n], child == b};
        }
    }
}

CdStatus cdi_system_moves(CdSystem *s) {
    const size_t nb = (size_t)s->nbodies, nj = (size_t)s->njoints;
    bool any = false;
    for (int k = 0; k < s->njoints; k++) any = any || has_start(&s->joints[k]);
    if (!any) return CD_OK;
    int *parent = CD_TAKE(&s->arena, int, nb), *first = CD_TAKE(&s->arena, int, nb + 2);
    int *list = CD_TAKE(&s->arena, int, 2 * nj), *queue = CD_TAKE(&s->arena, int, nb);
    bool *chosen = CD_TAKE(&s->arena, bool, nj);
    Mark *mark = CD_TAKE(&s->arena, Mark, nb);
    s->moves = CD_TAKE(&s->arena, CdSystemMove, nb);
    if (!parent || !first || !list || !queue || !chosen || !mark || !s->moves) return CD_NOMEM;
    memset(chosen, 0, nj * sizeof *chosen);
    for (size_t i = 0; i < nb; i++) mark[i] = UNSEEN;
    choose_joints(s, parent, chosen);
    list_joints(s, chosen, first, list);
    for (int i = 0; i < s->nbodies; i++) {
        if (mark[i] == UNSEEN) walk(s, i, first, list, mark, queue);
    }
    return CD_OK;
}

// ---- poses of markers and bodies

static void invert(const CdFrame *x, CdFrame *out) {
    double d[3];
    transpose33(x->R, out->R);
    mul3v(out->R, x->p, d);
    scale3(-1, d, out->p);
}

// of a marker, from the coordinates of its body
static void marker_pose(const CdSystem *s, int marker, const double *q, const double *v,
                        Pose *out) {
    const CdMarker *m = &s->model->markers.v[marker];
    const CdSystemBody *b = &s->bodies[m->body];
    const int nv = b->law->nv;
    double twist[TWIST] = {0};
    CdFrame body;
    b->law->frame(b->p, q, &body);
    for (int i = 0; i < TWIST; i++) {
        for (int j = 0; j < nv; j++) twist[i] += b->J[i * nv + j] * v[j];
    }
    frame_compose(&body, &m->offset, &out->frame);
    cdi_marker_twist(&body, &m->offset, twist, out->twist);
}

static void marker_by_fields(const CdSystem *s, int marker, Pose *out) {
    const CdSystemBody *b = &s->bodies[body_of(s, marker)];
    double q[CD_BODY_NV_MAX + 1], v[CD_BODY_NV_MAX];
    b->law->start(b->p, q, v);
    marker_pose(s, marker, q, v, out);
}

// put a body where its marker is in the pose, as near as its coordinates allow. Columns of J are
// orthonormal, so J^T is its pseudo-inverse.
static void place_body(const CdSystem *s, int marker, const Pose *pose, double *q, double *v) {
    const CdMarker *m = &s->model->markers.v[marker];
    const CdSystemBody *b = &s->bodies[m->body];
    const int nv = b->law->nv;
    double twist[TWIST], lever[3], Rlever[3], step[TWIST], E[9], delta[CD_BODY_NV_MAX];
    CdFrame inverse, wanted, now;
    invert(&m->offset, &inverse);
    frame_compose(&pose->frame, &inverse, &wanted);
    mul3v(m->offset.R, &pose->twist[3], &twist[3]);
    cross3(&twist[3], m->offset.p, lever);
    mul3v(wanted.R, lever, Rlever);
    sub3(pose->twist, Rlever, twist);
    b->law->frame(b->p, q, &now);
    sub3(wanted.p, now.p, step);
    tmul33(now.R, wanted.R, E);
    so3_log(E, &step[3]);
    for (int j = 0; j < nv; j++) {
        delta[j] = v[j] = 0;
        for (int i = 0; i < TWIST; i++) {
            delta[j] += b->J[i * nv + j] * step[i];
            v[j] += b->J[i * nv + j] * twist[i];
        }
    }
    if (b->law->retract) {
        double moved[CD_BODY_NV_MAX + 1];
        b->law->retract(1, q, delta, moved);
        memcpy(q, moved, (size_t)b->law->nq * sizeof *q);
    } else {
        for (int j = 0; j < nv; j++) q[j] += delta[j];
    }
}

// ---- moves

// the child keeps its pose and twist relative to the parent's
static void carry(const Pose *parent_then, const Pose *child_then, const Pose *parent,
                  Pose *child) {
    CdFrame x;
    double w[3], wd[3], rel[3], v[3], turn[3];
    frame_between(&parent_then->frame, &child_then->frame, &x);
    frame_compose(&parent->frame, &x, &child->frame);
    // velocity of the child's origin in axes of the parent, less that of the parent's space there
    sub3(child_then->twist, parent_then->twist, v);
    tmul3v(parent_then->frame.R, v, rel);
    cross3(&parent_then->twist[3], x.p, wd);
    sub3(rel, wd, v);
    cross3(&parent->twist[3], x.p, wd);
    add3(v, wd, rel);
    mul3v(parent->frame.R, rel, v);
    add3(parent->twist, v, child->twist);
    sub3(&parent->twist[3], &parent_then->twist[3], w);
    tmul3v(x.R, w, turn);
    add3(&child_then->twist[3], turn, &child->twist[3]);
}

// bodies that move in a plane: no motion out of that of marker a
static void plane_rows(const CdFrame *a, const CdFrame *b, double rows[3][DIRECTIONS]) {
    memset(rows, 0, 3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        rows[0][i] = -a->R[3 * i + 2];
        rows[0][6 + i] = a->R[3 * i + 2];
        for (int k = 0; k < 2; k++) {
            double axis[3], seen[3];
            frame_axis(a, k, axis);
            tmul3v(b->R, axis, seen);
            rows[1 + k][3 + i] = i == k ? -1 : 0;
            rows[1 + k][9 + i] = seen[i];
        }
    }
}

// rows over both twists, and what they are to be: c' = 0, s' as given. Returns their number.
static int twist_rows(const CdSystemLink *l, const CdFrame f[2], const double *sdot,
                      double rows[][DIRECTIONS], double *rhs) {
    const CdJointLaw *law = l->item->cls->joint;
    const void *p = l->item->data;
    const double still[DIRECTIONS] = {0};
    double c[CD_JOINT_NC_MAX], s[CD_JOINT_NREL_MAX], cv[CD_JOINT_NC_MAX];
    double J[CD_JOINT_NC_MAX * DIRECTIONS], S[CD_JOINT_NREL_MAX * DIRECTIONS];
    int n = 0;
    law->jac(p, 0, &f[0], &f[1], c, J);
    law->rel_jac(p, &f[0], &f[1], s, S);
    law->vel(p, 0, &f[0], &f[1], still, cv);
    for (int i = 0; i < l->nc; i++) {
        memcpy(rows[n], J + DIRECTIONS * l->rows[i], sizeof rows[n]);
        rhs[n++] = -cv[l->rows[i]];
    }
    for (int k = 0; k < law->nrel; k++) {
        if (!cdi_joint_is_free(law, p, k)) continue;
        memcpy(rows[n], S + DIRECTIONS * k, sizeof rows[n]);
        rhs[n++] = sdot[k];
    }
    if (n != 3) return n;
    plane_rows(&f[0], &f[1], rows + n);
    for (int i = 0; i < 3; i++) rhs[n + i] = 0;
    return n + 3;
}

// twist of one marker from that of the other; where the rows do not determine it, it stays
static void solve_twist(const CdSystemLink *l, const CdFrame f[2], const double *sdot, bool of_b,
                        const double *known, double *twist) {
    double rows[2 * CD_JOINT_NC_MAX][DIRECTIONS], rhs[2 * CD_JOINT_NC_MAX], A[TWIST * TWIST];
    int piv[TWIST];
    const int n = twist_rows(l, f, sdot, rows, rhs), own = of_b ? 6 : 0, other = 6 - own;
    if (n != TWIST) return;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < TWIST; j++) {
            A[i + TWIST * j] = rows[i][own + j];
            rhs[i] -= rows[i][other + j] * known[j];
        }
    }
    if (cdi_lu_factor(TWIST, A, TWIST, piv, NULL) != CD_OK) return;
    cdi_lu_solve(TWIST, A, TWIST, piv, 1, rhs, TWIST);
    memcpy(twist, rhs, TWIST * sizeof *twist);
}

static void override(const CdList *given, double *values) {
    if (given->n > 0) memcpy(values, given->v, (size_t)given->n * sizeof *values);
}

// a child over a joint with start values
static void set_relative(const CdSystemLink *l, const Pose then[2], bool to_b, const Pose *parent,
                         Pose *child) {
    const CdJointLaw *law = l->item->cls->joint;
    double s[CD_JOINT_NREL_MAX], sdot[CD_JOINT_NREL_MAX], v[DIRECTIONS];
    CdFrame x, back;
    memcpy(v, then[0].twist, sizeof then[0].twist);
    memcpy(v + TWIST, then[1].twist, sizeof then[1].twist);
    cdi_joint_coordinates(law, l->item->data, &then[0].frame, &then[1].frame, s);
    law->rates(l->item->data, &then[0].frame, &then[1].frame, v, sdot);
    override(start_list(l->item, "start"), s);
    override(start_list(l->item, "start_rate"), sdot);
    law->relative(l->item->data, s, &x);
    invert(&x, &back);
    frame_compose(&parent->frame, to_b ? &x : &back, &child->frame);
    const CdFrame f[2] = {to_b ? parent->frame : child->frame, to_b ? child->frame : parent->frame};
    solve_twist(l, f, sdot, to_b, parent->twist, child->twist);
}

static void make_move(const CdSystem *s, const CdSystemMove *move, double *q, double *v) {
    const CdSystemLink *l = &s->joints[move->joint];
    const int from = move->to_b ? l->a : l->b, to = move->to_b ? l->b : l->a;
    const CdSystemBody *before = &s->bodies[body_of(s, from)], *b = &s->bodies[body_of(s, to)];
    Pose then[2], parent, child;
    marker_by_fields(s, l->a, &then[0]);
    marker_by_fields(s, l->b, &then[1]);
    marker_pose(s, from, q + before->q0, v + before->v0, &parent);
    carry(&then[move->to_b ? 0 : 1], &then[move->to_b ? 1 : 0], &parent, &child);
    if (has_start(l)) set_relative(l, then, move->to_b, &parent, &child);
    place_body(s, to, &child, q + b->q0, v + b->v0);
}

void cdi_system_start(const CdSystem *s, double *q, double *v) {
    for (int i = 0; i < s->nbodies; i++) {
        const CdSystemBody *b = &s->bodies[i];
        b->law->start(b->p, q + b->q0, v + b->v0);
    }
    for (int k = 0; k < s->nmoves; k++) make_move(s, &s->moves[k], q, v);
}
