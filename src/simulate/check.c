// check.c - looks a model over without running it, and suggests what to do about each finding
//
// Degrees of freedom are nv - rank J. A constraint that depends on others is redundant if the
// others fulfil it, and in conflict if no position or no velocity fulfils them all.
#include "simulate/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/simulate.h"
#include "system/link.h"
#include "system/signals.h"

// violations of the start that are worth a word
#define EXACT 1e-9
// of the triangle inequality
#define TRIANGLE (1 + 1e-9)

const char *const cdi_severity_names[] = {"error", "warning", "info", NULL};

// ---- findings

static const char *keep(CdCheck *c, const CdText *text) {
    return text->v ? cdi_arena_strndup(&c->arena, text->v, text->n) : "";
}

CdStatus cdi_check_add(CdCheck *c, CdFinding f) {
    if (!f.text || !f.hint) return CD_NOMEM;
    c->errors += f.severity == CD_FINDING_ERROR;
    c->warnings += f.severity == CD_FINDING_WARNING;
    return CD_PUSH(c->ctx, c->findings, f);
}

static CdStatus add_text(CdCheck *c, CdFinding f, const char *hint, CdText *text) {
    f.text = keep(c, text);
    f.hint = hint;
    const CdStatus status = text->status;
    cdi_text_free(text);
    return status == CD_OK ? cdi_check_add(c, f) : status;
}

// ---- freedom

static void names_of(const CdCheck *c, const CdIsland *is, CdText *text) {
    for (int i = 0; i < is->nbodies; i++) {
        cdi_text_addf(text, "%s'%s'", i > 0 ? ", " : "",
                      cdi_item_name(c->system->bodies[is->bodies[i]].item));
    }
}

static CdStatus check_freedom(CdCheck *c, const CdIsland *is) {
    CdText text;
    const int dof = is->nv - is->rank;
    if (is->nrows == 0 || dof > 0) return CD_OK;
    cdi_text_init(&text, c->ctx);
    names_of(c, is, &text);
    cdi_text_add(&text, is->nbodies == 1 ? " cannot move" : " cannot move against each other");
    return add_text(c, (CdFinding){.severity = CD_FINDING_INFO, .code = "fixed"},
                    "with joints that leave more freedom it could; prescribed motions are fine",
                    &text);
}

// ---- redundant constraints

// |y^T R x| over what it consists of, the largest of all dependencies
static double disagreement(const CdIsland *is, const double *x) {
    double worst = 0;
    for (int k = 0; k < is->nnull; k++) {
        const double *y = is->null + (size_t)k * (size_t)is->nrows;
        double sum = 0;
        for (int i = 0; i < is->nrows; i++) sum += y[i] * is->scale[i] * x[is->rows[i]];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static CdStatus add_conflict(CdCheck *c, const CdIsland *is, const double *x, const char *level) {
    CdText text;
    CdFinding f = {.severity = CD_FINDING_ERROR,
                   .code = "conflict",
                   .nnumbers = 1,
                   .number_names = {"violation"},
                   .numbers = {disagreement(is, x)}};
    cdi_text_init(&text, c->ctx);
    cdi_text_add(&text, "joints ");
    cdi_start_joints(&c->start, is, &text);
    cdi_text_addf(&text, " contradict each other: no %s meet all of their constraints", level);
    return add_text(
        c, f, "change lengths, points or axes so that the parts fit, or free directions", &text);
}

static CdStatus add_redundant(CdCheck *c, const CdIsland *is) {
    CdText text;
    const int n = is->nrows - is->rank;
    CdFinding f = {.severity = CD_FINDING_WARNING,
                   .code = "redundant",
                   .nnumbers = 3,
                   .number_names = {"constraints", "weakest", "strongest_left_out"},
                   .numbers = {n, is->weakest, is->strongest_left_out}};
    cdi_text_init(&text, c->ctx);
    cdi_text_addf(&text, "%d constraint%s of joints ", n, n > 1 ? "s" : "");
    cdi_start_joints(&c->start, is, &text);
    cdi_text_addf(&text, " %s redundant: the others hold %s already", n > 1 ? "are" : "is",
                  n > 1 ? "them" : "it");
    return add_text(
        c, f,
        "the motion is right, but reactions of these joints are not unique, and the "
        "smallest are told; joints that leave more freedom, a ball in place of a hinge, "
        "make them unique",
        &text);
}

// what a projection did not find although no dependency is to blame
static CdStatus check_assembly(CdCheck *c) {
    const bool position = c->start.position != CD_OK;
    if (!position && c->start.velocity == CD_OK) return CD_OK;
    for (size_t k = 0; k < c->findings.n; k++) {
        if (strcmp(c->findings.v[k].code, "conflict") == 0) return CD_OK;
    }
    return cdi_check_add(
        c, (CdFinding){.severity = CD_FINDING_ERROR,
                       .code = "assembly",
                       .text = position ? "no positions near the start meet all joints"
                                        : "no velocities near the start meet all joints",
                       .hint = "check lengths and points of the joints, and give bodies a "
                               "start closer to where they belong"});
}

static CdStatus check_redundant(CdCheck *c, const CdIsland *is) {
    if (is->rank == is->nrows) return CD_OK;
    if (is->nv == 0) {
        const CdRow *row = &c->start.rows[is->rows[0]];
        return cdi_check_add(c, (CdFinding){.severity = CD_FINDING_ERROR,
                                            .code = "idle",
                                            .item = cdi_item_name(row->item),
                                            .text = "joins bodies that cannot move",
                                            .hint = "name a body that moves"});
    }
    const CdStart *s = &c->start;
    if (s->position == CD_NOCONV && disagreement(is, s->g) > EXACT) {
        return add_conflict(c, is, s->g, "positions");
    }
    if (s->velocity == CD_NOCONV && disagreement(is, s->ct) > EXACT) {
        return add_conflict(c, is, s->ct, "velocities");
    }
    return add_redundant(c, is);
}

// ---- singular start

static CdStatus check_singular(CdCheck *c, const CdIsland *is, int rank) {
    CdText text;
    if (rank <= is->rank) return CD_OK;
    CdFinding f = {.severity = CD_FINDING_ERROR,
                   .code = "singular",
                   .nnumbers = 2,
                   .number_names = {"rank", "rank_nearby"},
                   .numbers = {is->rank, rank}};
    cdi_text_init(&text, c->ctx);
    cdi_text_add(&text, "the start is a singular position of bodies ");
    names_of(c, is, &text);
    cdi_text_addf(&text, ": constraints of rank %d there, %d nearby", is->rank, rank);
    return add_text(c, f,
                    "the mechanism can go on in more than one way there; start a little away from "
                    "it",
                    &text);
}

// ---- start values

// the joint whose first row it is
static CdStatus check_start_of(CdCheck *c, int row, const double *x, bool velocity) {
    const CdSystem *s = c->system;
    const CdItem *joint = c->start.rows[row].item;
    double worst = 0;
    CdText text;
    for (int i = row; i < s->ng && c->start.rows[i].item == joint; i++) {
        worst = fmax(worst, isfinite(x[i]) ? fabs(x[i]) : INFINITY);
    }
    if (worst <= EXACT) return CD_OK;
    const bool much = worst > CD_START_TOLERANCE || c->start.position != CD_OK;
    CdFinding f = {.severity = much ? CD_FINDING_ERROR : CD_FINDING_INFO,
                   .code = velocity ? "velocity" : "position",
                   .item = cdi_item_name(joint),
                   .nnumbers = 1,
                   .number_names = {"violation"},
                   .numbers = {worst}};
    cdi_text_init(&text, c->ctx);
    cdi_text_addf(&text, "start %s do not fit: ", velocity ? "velocities" : "positions");
    cdi_start_violation(&c->start, row, s->ng, x, EXACT, &text);
    return add_text(c, f,
                    much       ? velocity ? "give bodies velocities that the joint allows"
                                          : "move the bodies or markers so that they meet"
                    : velocity ? "a run changes the velocities to fit"
                               : "a run moves the bodies to fit",
                    &text);
}

static CdStatus check_start(CdCheck *c) {
    for (int i = 0; i < c->system->ng; i++) {
        const CdRow *row = &c->start.rows[i];
        if (row->index > 0) continue;
        CD_TRY(check_start_of(c, i, c->start.g, false));
        if (c->start.position == CD_OK) CD_TRY(check_start_of(c, i, c->start.gv, true));
    }
    return CD_OK;
}

// ---- axes and branches

static double angle_of(const double R[9]) {
    const double x = (R[0] + R[4] + R[8] - 1) / 2;
    return acos(x > 1 ? 1 : x < -1 ? -1 : x);
}

// products of axes vanish at half a turn as well: the pose of b in a must be that of the
// coordinates, or none
static CdStatus check_branch(CdCheck *c, const CdSystemLink *l) {
    const CdJointLaw *law = l->item->cls->joint;
    const CdFrame *a = &c->work->frame[l->a], *b = &c->work->frame[l->b];
    double s[CD_JOINT_NREL_MAX], R[9], D[9];
    CdFrame x;
    eye33(x.R);
    if (law->nrel > 0 && law->relative) {
        cdi_joint_coordinates(law, l->item->data, a, b, s);
        law->relative(l->item->data, s, &x);
    } else if (l->nc < CD_JOINT_NC_MAX) {
        return CD_OK;
    }
    tmul33(a->R, b->R, R);
    tmul33(x.R, R, D);
    const double angle = angle_of(D);
    if (!(angle > 1)) return CD_OK;
    const bool flipped = a->R[2] * b->R[2] + a->R[5] * b->R[5] + a->R[8] * b->R[8] < 0;
    return cdi_check_add(
        c, (CdFinding){.severity = CD_FINDING_ERROR,
                       .code = flipped ? "flipped" : "branch",
                       .item = cdi_item_name(l->item),
                       .text = flipped ? "the axes of its markers point against each other"
                                       : "is put together the wrong way round: its markers are "
                                         "turned against each other where they should agree",
                       .hint = flipped ? "turn the z axis of one of the markers round"
                                       : "turn one of the markers, or the body it is on",
                       .nnumbers = 1,
                       .number_names = {"angle"},
                       .numbers = {angle}});
}

static double worst_row(const CdCheck *c, const CdSystemLink *l) {
    double worst = 0;
    for (int i = 0; i < l->nc; i++) worst = fmax(worst, fabs(c->start.g[l->row0 + i]));
    return worst;
}

static CdStatus check_axes(CdCheck *c) {
    for (int k = 0; k < c->system->njoints; k++) {
        const CdSystemLink *l = &c->system->joints[k];
        if (worst_row(c, l) <= CD_START_TOLERANCE) CD_TRY(check_branch(c, l));
    }
    return CD_OK;
}

// ---- masses

static CdStatus check_inertia(CdCheck *c, const CdSystemBody *b, const double *M) {
    double J[9], e[3], work[64];
    int iwork[64];
    for (int i = 0; i < 9; i++) J[i] = M[6 * (3 + i / 3) + 3 + i % 3];
    CD_TRY(cdi_eig(3, J, 3, e, work, iwork));
    CdFinding f = {.severity = CD_FINDING_ERROR,
                   .code = "inertia",
                   .item = cdi_item_name(b->item),
                   .nnumbers = 3,
                   .number_names = {"inertia_1", "inertia_2", "inertia_3"},
                   .numbers = {e[0], e[1], e[2]}};
    if (!(e[0] > 0)) {
        f.text = "its inertia about some axis is not positive";
        f.hint = "check the products of inertia and the point the inertia is about";
        return cdi_check_add(c, f);
    }
    if (e[2] <= TRIANGLE * (e[0] + e[1])) return CD_OK;
    f.severity = CD_FINDING_WARNING;
    f.text = "no solid has its inertia: the largest principal moment is greater than the sum of "
             "the others";
    f.hint = "check the inertia and the point it is about, or give a shape";
    return cdi_check_add(c, f);
}

static CdStatus check_mass(CdCheck *c, const CdSystemBody *b) {
    const int nv = b->law->nv;
    double M[CD_BODY_NV_MAX * CD_BODY_NV_MAX];
    if (nv == 0) return CD_OK;
    b->law->mass(b->p, M);
    for (int j = 0; j < nv; j++) {
        if (M[j * nv + j] > 0) continue;
        return cdi_check_add(
            c, (CdFinding){.severity = CD_FINDING_ERROR,
                           .code = "mass",
                           .item = cdi_item_name(b->item),
                           .text = "has no mass or inertia in one of its directions",
                           .hint = "give mass and inertia, or a shape with its density"});
    }
    return nv == 6 ? check_inertia(c, b, M) : CD_OK;
}

// ---- connections

static bool touches(const CdSystem *s, const CdSystemLink *l, int body) {
    const CdMarker *m = s->model->markers.v;
    return m[l->a].body == body || (l->b >= 0 && m[l->b].body == body);
}

static bool has_coordinate(const CdSystem *s, int body) {
    const CdSystemBody *b = &s->bodies[body];
    for (int k = 0; k < s->ncoordinates; k++) {
        for (int i = 0; i < s->coordinates[k].n; i++) {
            const int v = s->coordinates[k].v[i];
            if (v >= b->v0 && v < b->v0 + b->law->nv) return true;
        }
    }
    return false;
}

static CdStatus check_connected(CdCheck *c, int body) {
    const CdSystem *s = c->system;
    if (s->bodies[body].law->nv == 0 || has_coordinate(s, body)) return CD_OK;
    for (int k = 0; k < s->njoints; k++) {
        if (touches(s, &s->joints[k], body)) return CD_OK;
    }
    for (int k = 0; k < s->nforces; k++) {
        if (touches(s, &s->forces[k], body)) return CD_OK;
    }
    return cdi_check_add(
        c, (CdFinding){.severity = CD_FINDING_WARNING,
                       .code = "unconnected",
                       .item = cdi_item_name(s->bodies[body].item),
                       .text = "is connected to nothing",
                       .hint = "add a joint or a connector, unless it is meant to fly"});
}

static CdStatus check_force(CdCheck *c, const CdSystemLink *l) {
    const CdSystemWork *w = c->work;
    double v[12], wrench[12] = {0}, d[3] = {0};
    const CdForceInput in = cdi_force_input(w, l, 0, v);
    if (l->b >= 0) sub3(in.b->p, in.a->p, d);
    l->item->cls->force->value(w->force_data[l - w->system->forces], &in, wrench);
    bool finite = true;
    for (int i = 0; i < 12; i++) finite = finite && isfinite(wrench[i]);
    if (finite) return CD_OK;
    const bool meet = l->b >= 0 && norm3(d) == 0;
    return cdi_check_add(
        c, (CdFinding){.severity = CD_FINDING_ERROR,
                       .code = meet ? "length" : "force",
                       .item = cdi_item_name(l->item),
                       .text = meet ? "has no length at the start, so its force has no "
                                      "direction"
                                    : "its force at the start is not a number",
                       .hint = meet ? "move one of its ends"
                                    : "check its stiffness, damping and functions"});
}

// ---- all of it

static CdStatus look(CdCheck *c) {
    const CdSystem *s = c->system;
    CD_TRY(cdi_start_find(c->work, &c->arena, &c->start));
    const CdRank *rank = &c->start.rank;
    c->nbodies = s->nbodies - 1;
    c->njoints = (int)s->model->of[CD_JOINT].n;
    c->nv = s->nv;
    c->nc = s->ng;
    c->rank = rank->rank;
    c->dof = s->nv - rank->rank;
    for (int i = 0; i < s->nbodies; i++) CD_TRY(check_mass(c, &s->bodies[i]));
    for (int i = 0; i < s->nbodies; i++) CD_TRY(check_connected(c, i));
    CD_TRY(check_start(c));
    cdi_system_place(c->work, c->start.q0, c->start.v0);
    cdi_signals_force(c->work, &(CdPoint){.q = c->start.q0, .v = c->start.v0});
    CD_TRY(check_axes(c));
    for (int k = 0; k < s->nforces; k++) CD_TRY(check_force(c, &s->forces[k]));
    CD_TRY(cdi_check_stiffness(c));
    if (s->nv > 0) CD_TRY(cdi_check_inertia(c));
    const int *nearby;
    CD_TRY(cdi_start_nearby(s, &c->start, &c->arena, &nearby));
    for (int k = 0; k < rank->nislands; k++) {
        CD_TRY(check_freedom(c, &rank->islands[k]));
        CD_TRY(check_redundant(c, &rank->islands[k]));
        CD_TRY(check_singular(c, &rank->islands[k], nearby[k]));
    }
    return check_assembly(c);
}

CdStatus cdi_check(const CdModel *model, CdCheck **out) {
    CdCheck *c = *out = cdi_alloc(model->ctx, sizeof *c);
    CdSystem *system = NULL;
    if (!c) return CD_NOMEM;
    c->ctx = model->ctx;
    cdi_arena_init(&c->arena, model->ctx, 0);
    CdStatus status = cdi_system_new(model, &system);
    c->system = system;
    if (status == CD_OK) status = cdi_system_work_new(system, NULL, &c->work);
    if (status == CD_OK) status = look(c);
    if (status != CD_OK) {
        cdi_check_free(c);
        *out = NULL;
    }
    return status;
}

void cdi_check_free(CdCheck *c) {
    if (!c) return;
    CdContext *ctx = c->ctx;
    cdi_system_work_free(c->work);
    cdi_system_free((CdSystem *)c->system);
    cdi_array_free(ctx, &c->findings.any);
    cdi_arena_clear(&c->arena);
    cdi_free(ctx, c);
}

// ---- JSON

// names of the joints of an island; only: rows that count, NULL: all
static void write_joints(const CdCheck *c, const CdIsland *is, const bool *only, CdJsonWriter *w) {
    const CdItem *last = NULL;
    for (int i = 0; i < is->nrows; i++) {
        const CdItem *item = c->start.rows[is->rows[i]].item;
        if (item == last || (only && !only[is->rows[i]])) continue;
        cdi_json_string(w, cdi_item_name(item));
        last = item;
    }
}

static void write_island(const CdCheck *c, const CdIsland *is, CdJsonWriter *w) {
    cdi_json_begin_object(w);
    cdi_json_key(w, "bodies");
    cdi_json_begin_array(w, true);
    for (int i = 0; i < is->nbodies; i++) {
        cdi_json_string(w, cdi_item_name(c->system->bodies[is->bodies[i]].item));
    }
    cdi_json_end_array(w);
    cdi_json_key(w, "joints");
    cdi_json_begin_array(w, true);
    write_joints(c, is, NULL, w);
    cdi_json_end_array(w);
    cdi_json_key(w, "not_unique");
    cdi_json_begin_array(w, true);
    write_joints(c, is, c->start.not_unique, w);
    cdi_json_end_array(w);
    cdi_json_key_integer(w, "velocities", is->nv);
    cdi_json_key_integer(w, "constraints", is->nrows);
    cdi_json_key_integer(w, "rank", is->rank);
    cdi_json_key_integer(w, "dof", is->nv - is->rank);
    cdi_json_end_object(w);
}

static void write_finding(const CdFinding *f, CdJsonWriter *w) {
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "severity", cdi_severity_names[f->severity]);
    cdi_json_key_text(w, "code", f->code);
    if (f->item) cdi_json_key_text(w, "item", f->item);
    cdi_json_key_text(w, "text", f->text);
    cdi_json_key_text(w, "hint", f->hint);
    cdi_json_key(w, "numbers");
    cdi_json_begin_object(w);
    for (int i = 0; i < f->nnumbers; i++) {
        cdi_json_key_number(w, f->number_names[i], f->numbers[i]);
    }
    cdi_json_end_object(w);
    cdi_json_end_object(w);
}

void cdi_check_write(const CdCheck *c, CdJsonWriter *w) {
    cdi_json_key_integer(w, "dof", c->dof);
    cdi_json_key_integer(w, "bodies", c->nbodies);
    cdi_json_key_integer(w, "joints", c->njoints);
    cdi_json_key_integer(w, "velocities", c->nv);
    cdi_json_key_integer(w, "constraints", c->nc);
    cdi_json_key_integer(w, "rank", c->rank);
    cdi_signs_write(&c->inertia, w);
    cdi_json_key_integer(w, "errors", c->errors);
    cdi_json_key_integer(w, "warnings", c->warnings);
    cdi_json_key(w, "islands");
    cdi_json_begin_array(w, false);
    for (int k = 0; k < c->start.rank.nislands; k++) {
        write_island(c, &c->start.rank.islands[k], w);
    }
    cdi_json_end_array(w);
    cdi_json_key(w, "findings");
    cdi_json_begin_array(w, false);
    for (size_t k = 0; k < c->findings.n; k++) write_finding(&c->findings.v[k], w);
    cdi_json_end_array(w);
}
