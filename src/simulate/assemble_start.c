// assemble_start.c - from the start that a model asks for to one that meets its constraints
//
//   q0, v0  ->  rank of J  ->  q: g = 0, least change in the norm of M  ->  v: J v + g_t = 0
//
// The rank is found first, since projections need to know how many constraints depend on others,
// and again at q: away from the constraints J may have a higher rank. A start where the rank is
// lower than nearby is a singular position: there the rank rises with the first power of a motion
// that the constraints allow, while that of redundant ones does, off the constraints, with the
// second. Drives will move, so that the motion is one that the other constraints allow: with equal
// crank and rod folded together, the angle between them driven, all other motions are about the
// bearing and keep the rank.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/check.h"

// changes of the start that nobody needs to know
#define SMALL_MOVE 1e-9
// bodies and joints that are named in one message
#define NAMED_MAX 6
// part of a direction that makes it that of an axis; size of one that is none
#define MOSTLY 0.999
#define NONE 1e-9
// share in a dependency that counts
#define SHARE 1e-6
// residuals, relative to what they consist of, of constraints that agree
#define AGREE 1e-8
// motion to look for a higher rank nearby, and the pivot that tells one
#define NEARBY 1e-3
#define NEARBY_RANK 3e-5
// times at which a drive is elsewhere than at the start
static const double later[] = {1e-3, 0.7};

// ---- rows

static void name_direction(const char *how, const double d[3], char text[CD_ROW_TEXT]) {
    const double size = norm3(d);
    const size_t n = strlen(how);
    for (int i = 0; i < 3; i++) {
        if (fabs(d[i]) < MOSTLY * size) continue;
        memcpy(text, how, n);
        memcpy(text + n, (const char[]){' ', "xyz"[i], '\0'}, 3);
        return;
    }
    snprintf(text, CD_ROW_TEXT, "%s (%.2g, %.2g, %.2g)", how, d[0] / size, d[1] / size,
             d[2] / size);
}

// by what moves marker b, in axes of marker a
static void name_row(const CdFrame *a, const CdFrame *b, const double *J, char text[CD_ROW_TEXT]) {
    double d[3], w[3];
    tmul3v(a->R, J + 6, d);
    if (norm3(d) > NONE) {
        name_direction("along", d, text);
        return;
    }
    mul3v(b->R, J + 9, w);
    tmul3v(a->R, w, d);
    if (norm3(d) > NONE) {
        name_direction("about", d, text);
    } else {
        snprintf(text, CD_ROW_TEXT, "nothing");
    }
}

static CdStatus finish_row(CdArena *arena, CdRow *row) {
    const char *const texts[] = {"joint '", cdi_item_name(row->item), "' ", row->what};
    row->name = cdi_arena_join(arena, sizeof texts / sizeof *texts, texts);
    return row->name ? CD_OK : CD_NOMEM;
}

CdStatus cdi_rows(CdSystemWork *w, double t, CdArena *arena, CdRow **out) {
    const CdSystem *s = w->system;
    CdRow *rows = *out = CD_TAKE(arena, CdRow, (size_t)s->ng);
    if (!rows) return CD_NOMEM;
    for (int k = 0; k < s->njoints; k++) {
        const CdSystemLink *l = &s->joints[k];
        const CdFrame *a = &w->frame[l->a], *b = &w->frame[l->b];
        double c[CD_JOINT_NC_MAX], J[CD_JOINT_NC_MAX * 12];
        l->item->cls->joint->jac(l->item->data, t, a, b, c, J);
        for (int i = 0; i < l->nc; i++) {
            CdRow *row = &rows[l->row0 + i];
            *row = (CdRow){.item = l->item, .link = k, .index = i};
            name_row(a, b, J + 12 * l->rows[i], row->what);
        }
    }
    for (int k = 0; k < s->ncoordinates; k++) {
        const CdSystemCoordinates *c = &s->coordinates[k];
        if (c->row < 0) continue;
        rows[c->row] = (CdRow){.item = c->item, .link = -1, .what = "of coordinates"};
    }
    for (int i = 0; i < s->ng; i++) CD_TRY(finish_row(arena, &rows[i]));
    return CD_OK;
}

static CdStatus name_unknowns(const CdSystem *s, CdArena *arena, CdStart *start) {
    const char **v = CD_TAKE(arena, const char *, (size_t)s->nv);
    const char **c = CD_TAKE(arena, const char *, (size_t)s->ng);
    if (!v || !c) return CD_NOMEM;
    for (int i = 0; i < s->ng; i++) c[i] = start->rows[i].name;
    for (int b = 0; b < s->nbodies; b++) {
        const CdSystemBody *body = &s->bodies[b];
        for (int j = 0; j < body->law->nv; j++) {
            const char *const texts[] = {body->law->names[j], " of body '",
                                         cdi_item_name(body->item), "'"};
            v[body->v0 + j] = cdi_arena_join(arena, sizeof texts / sizeof *texts, texts);
            if (!v[body->v0 + j]) return CD_NOMEM;
        }
    }
    start->problem.v_names = v;
    start->problem.constraint_names = c;
    return CD_OK;
}

// bodies and joints, each by its first number
static CdStatus group_unknowns(const CdSystem *s, CdArena *arena, CdStart *start) {
    int *v = CD_TAKE(arena, int, (size_t)s->nv), *c = CD_TAKE(arena, int, (size_t)s->ng);
    if (!v || !c) return CD_NOMEM;
    for (int i = 0; i < s->nv; i++) v[i] = i;
    for (int i = 0; i < s->ng; i++) c[i] = i;
    for (int b = 0; b < s->nbodies; b++) {
        const CdSystemBody *body = &s->bodies[b];
        for (int j = 0; j < body->law->nv; j++) v[body->v0 + j] = body->v0;
    }
    for (int k = 0; k < s->njoints; k++) {
        const CdSystemLink *l = &s->joints[k];
        for (int i = 0; i < l->nc; i++) c[l->row0 + i] = l->row0;
    }
    start->problem.v_groups = v;
    start->problem.constraint_groups = c;
    return CD_OK;
}

// ---- what can be found out

static double largest(int n, const double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) max = fmax(max, isfinite(x[i]) ? fabs(x[i]) : INFINITY);
    return max;
}

static CdStatus take_numbers(const CdSystem *s, CdArena *arena, CdStart *start) {
    const size_t nq = (size_t)s->nq, nv = (size_t)s->nv, ng = (size_t)s->ng;
    start->q0 = CD_TAKE(arena, double, nq);
    start->q = CD_TAKE(arena, double, nq);
    start->v0 = CD_TAKE(arena, double, nv);
    start->v = CD_TAKE(arena, double, nv);
    start->g = CD_TAKE(arena, double, ng);
    start->gv = CD_TAKE(arena, double, ng);
    start->ct = CD_TAKE(arena, double, ng);
    start->J = CD_TAKE(arena, double, (size_t)s->jpattern->nnz);
    start->not_unique = CD_TAKE(arena, bool, ng);
    start->left_out = CD_TAKE(arena, bool, ng);
    const bool ok = start->not_unique && start->left_out && start->q0 && start->q && start->v0 &&
                    start->v && start->g && start->gv && start->ct && start->J;
    return ok ? CD_OK : CD_NOMEM;
}

static void put(double *to, const double *from, int n) {
    if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

// q of `at` to the constraints
static CdStatus project_position(const CdSystem *s, CdStart *start, CdiProblem *p, CdPoint *at) {
    put(at->q, start->q0, s->nq);
    cdi_normalise(p, at->q);
    start->position = cdi_project_position(p, at);
    put(start->q, at->q, s->nq);
    if (start->position == CD_NOMEM) return CD_NOMEM;
    return s->ng > 0 ? cdi_jacobian(p, at, start->J) : CD_OK;
}

// what a projection leaves means that constraints disagree
static CdStatus project_velocity(const CdSystem *s, CdStart *start, CdiProblem *p, CdPoint *at) {
    const CdProblem *u = &start->problem;
    put(at->v, start->v0, s->nv);
    if (s->ng == 0) return CD_OK;
    CD_TRY(u->velocity_terms(u->data, at, start->ct));
    CD_TRY(cdi_velocity_residual(p, at, start->gv));
    start->velocity = cdi_project_velocity(p, at);
    if (start->velocity != CD_OK) return start->velocity == CD_NOMEM ? CD_NOMEM : CD_OK;
    double *left = start->g; // its turn comes later
    CD_TRY(cdi_velocity_residual(p, at, left));
    const double size = largest(s->ng, start->ct) + largest(s->ng, start->gv) +
                        largest(s->jpattern->nnz, start->J) * largest(s->nv, at->v);
    if (largest(s->ng, left) > AGREE * size) start->velocity = CD_NOCONV;
    return CD_OK;
}

static bool moved(const CdSystem *s, const CdStart *start) {
    return memcmp(start->q, start->q0, (size_t)s->nq * sizeof *start->q) != 0;
}

// q and v with as many constraints left out as the rank says; the rank at q, unless it is known for
// q0 and q is the same
static CdStatus project(CdSystemWork *w, CdArena *arena, CdStart *start, bool known) {
    const CdSystem *s = w->system;
    const CdProblemSetup setup = {.brief = true};
    CdiProblem *p;
    CdPoint at;
    CD_TRY(cdi_problem_new(s->ctx, &start->problem, &setup, &p));
    CdStatus status = cdi_point_take(p, &p->arena, &at);
    if (status == CD_OK) status = project_position(s, start, p, &at);
    if (status == CD_OK) status = project_velocity(s, start, p, &at);
    if (status == CD_OK) {
        put(start->v, start->velocity == CD_OK ? at.v : start->v0, s->nv);
        if (!known || moved(s, start)) {
            status = cdi_rank(arena, s, start->J, CD_RANK_TOLERANCE, &start->rank);
        }
    }
    cdi_problem_free(p);
    return status;
}

// functions of the user's may give anything
static CdStatus refuse_nonfinite(const CdSystem *s, const CdStart *start) {
    const CdPattern *a = s->jpattern;
    int bad = -1;
    for (int k = 0; k < a->nnz; k++) bad = isfinite(start->J[k]) ? bad : a->row[k];
    for (int i = 0; i < s->ng; i++) {
        bad = isfinite(start->g[i]) && isfinite(start->ct[i]) ? bad : i;
    }
    if (bad < 0) return CD_OK;
    const CdPlace place = cdi_object_place(start->rows[bad].item->object, NULL);
    return cdi_fail_at(s->ctx, CD_INVALID, &place, "its constraint %s is not a number at the start",
                       start->rows[bad].what);
}

// away from the constraints by `off`, directions that depend on others on them may not do so
static double rank_tolerance(double off) {
    return fmax(CD_RANK_TOLERANCE, fmin(10 * off, CD_START_TOLERANCE));
}

// y of any dependency at a row of the island
static bool takes_part(const CdIsland *is, int i) {
    for (int k = 0; k < is->nnull; k++) {
        if (fabs(is->null[(size_t)k * (size_t)is->nrows + (size_t)i]) > SHARE) return true;
    }
    return false;
}

static void mark_rows(const CdRank *rank, bool *not_unique, bool *left_out) {
    for (int k = 0; k < rank->nislands; k++) {
        const CdIsland *is = &rank->islands[k];
        for (int i = 0; i < is->nrows; i++) {
            not_unique[is->rows[i]] = takes_part(is, i);
            left_out[is->rows[i]] = false;
        }
        for (int i = 0; i < is->nrows - is->rank; i++) left_out[is->left_out[i]] = true;
    }
}

// what projections and integrators need to know of the rank
static void set_redundant(const CdSystem *s, CdStart *start) {
    start->problem.redundant = s->ng > 0 ? s->ng - start->rank.rank : 0;
    mark_rows(&start->rank, start->not_unique, start->left_out);
    start->problem.redundant_rows = start->left_out;
}

// *close: with the tolerance that holds on the constraints
static CdStatus find_rank(CdSystemWork *w, CdArena *arena, CdStart *start, bool *close) {
    const CdSystem *s = w->system;
    const CdProblem *u = &start->problem;
    const CdPoint at = {.q = start->q0, .v = start->v0};
    CD_TRY(u->constraint_jacobian(u->data, &at, start->J));
    CD_TRY(u->constraint(u->data, &at, start->g));
    CD_TRY(u->velocity_terms(u->data, &at, start->ct));
    CD_TRY(refuse_nonfinite(s, start));
    const double tol = rank_tolerance(largest(s->ng, start->g));
    *close = tol == CD_RANK_TOLERANCE;
    return cdi_rank(arena, s, start->J, tol, &start->rank);
}

CdStatus cdi_start_find(CdSystemWork *w, CdArena *arena, CdStart *start) {
    const CdSystem *s = w->system;
    memset(start, 0, sizeof *start);
    cdi_system_problem(w, &start->problem);
    CD_TRY(take_numbers(s, arena, start));
    cdi_system_start(s, start->q0, start->v0);
    put(start->q, start->q0, s->nq);
    put(start->v, start->v0, s->nv);
    cdi_system_place(w, start->q0, NULL);
    CD_TRY(cdi_rows(w, 0, arena, &start->rows));
    CD_TRY(name_unknowns(s, arena, start));
    CD_TRY(group_unknowns(s, arena, start));
    if (s->nv == 0) return cdi_rank(arena, s, start->J, CD_RANK_TOLERANCE, &start->rank);
    bool known = false;
    if (s->ng > 0) CD_TRY(find_rank(w, arena, start, &known));
    // once more if the rank at q is another
    for (int k = 0; k < 2; k++) {
        set_redundant(s, start);
        const int before = start->problem.redundant;
        CD_TRY(project(w, arena, start, known && k == 0));
        if (start->position != CD_OK || s->ng - start->rank.rank == before) break;
    }
    if (s->ng == 0) return CD_OK;
    mark_rows(&start->rank, start->not_unique, start->left_out);
    const CdPoint at = {.q = start->q0, .v = start->v0};
    return start->problem.constraint(start->problem.data, &at, start->g);
}

// ---- singular positions

static bool may_be_singular(const CdIsland *is) {
    return is->rank < is->nrows && is->free;
}

// drives: rows that time changes
static CdStatus find_drives(const CdSystem *s, const CdStart *start, CdArena *scratch,
                            bool **drives) {
    const CdProblem *u = &start->problem;
    double *g = CD_TAKE(scratch, double, (size_t)s->ng),
           *then = CD_TAKE(scratch, double, (size_t)s->ng);
    *drives = CD_TAKE(scratch, bool, (size_t)s->ng);
    if (!g || !then || !*drives) return CD_NOMEM;
    CD_TRY(u->constraint(u->data, &(CdPoint){.q = start->q}, g));
    for (size_t k = 0; k < sizeof later / sizeof *later; k++) {
        CD_TRY(u->constraint(u->data, &(CdPoint){.t = later[k], .q = start->q}, then));
        for (int i = 0; i < s->ng; i++) (*drives)[i] = (*drives)[i] || then[i] != g[i];
    }
    return CD_OK;
}

// velocities that constraints allow where drives are let go; islands share none, so that all of
// them are moved at once
static CdStatus find_motion(const CdSystem *s, const CdStart *start, CdArena *scratch, double *d) {
    const CdPattern *a = s->jpattern;
    double *J = CD_TAKE(scratch, double, (size_t)a->nnz);
    bool *drives;
    CdRank found;
    if (!J) return CD_NOMEM;
    CD_TRY(find_drives(s, start, scratch, &drives));
    for (int k = 0; k < a->nnz; k++) J[k] = drives[a->row[k]] ? 0 : start->J[k];
    CD_TRY(cdi_rank_again(scratch, s, J, CD_RANK_TOLERANCE, &start->rank, &found));
    for (int k = 0; k < found.nislands; k++) {
        const CdIsland *is = &found.islands[k];
        if (!may_be_singular(&start->rank.islands[k]) || !is->free) continue;
        for (int j = 0; j < is->nv; j++) d[is->v[j]] = NEARBY * is->free[j];
    }
    return CD_OK;
}

static CdStatus nearby(const CdSystem *s, const CdStart *start, CdArena *scratch, int *ranks) {
    const CdProblem *u = &start->problem;
    double *d = CD_TAKE(scratch, double, (size_t)s->nv);
    double *q = CD_TAKE(scratch, double, (size_t)s->nq);
    double *J = CD_TAKE(scratch, double, (size_t)s->jpattern->nnz);
    CdRank found;
    if (!d || !q || !J) return CD_NOMEM;
    CD_TRY(find_motion(s, start, scratch, d));
    for (int i = 0; !u->retract && i < s->nv; i++) q[i] = start->q[i] + d[i];
    if (u->retract) u->retract(u->data, start->q, d, q);
    CD_TRY(u->constraint_jacobian(u->data, &(CdPoint){.q = q}, J));
    CD_TRY(cdi_rank_again(scratch, s, J, NEARBY_RANK, &start->rank, &found));
    for (int k = 0; k < found.nislands; k++) {
        if (may_be_singular(&start->rank.islands[k])) ranks[k] = found.islands[k].rank;
    }
    return CD_OK;
}

CdStatus cdi_start_nearby(const CdSystem *s, const CdStart *start, CdArena *arena,
                          const int **ranks) {
    const CdRank *rank = &start->rank;
    CdArena scratch;
    bool any = false;
    int *found = CD_TAKE(arena, int, (size_t)rank->nislands);
    *ranks = found;
    if (!found) return CD_NOMEM;
    for (int k = 0; k < rank->nislands; k++) {
        found[k] = rank->islands[k].rank;
        any = any || may_be_singular(&rank->islands[k]);
    }
    if (!any || start->position != CD_OK) return CD_OK;
    cdi_arena_init(&scratch, s->ctx, 0);
    const CdStatus status = nearby(s, start, &scratch, found);
    cdi_arena_clear(&scratch);
    return status;
}

// ---- words

void cdi_start_violation(const CdStart *start, int first, int nrows, const double *c, double least,
                         CdText *text) {
    const CdItem *joint = start->rows[first].item;
    bool comma = false;
    for (int i = first; i < nrows && start->rows[i].item == joint; i++) {
        if (fabs(c[i]) <= least) continue;
        cdi_text_addf(text, "%s%s by %.4g", comma ? ", " : "", start->rows[i].what, c[i]);
        comma = true;
    }
}

void cdi_start_joints(const CdStart *start, const CdIsland *is, CdText *text) {
    const CdItem *last = NULL;
    int n = 0, more = 0;
    for (int i = 0; i < is->nrows; i++) {
        const CdItem *item = start->rows[is->rows[i]].item;
        if (item == last || !start->not_unique[is->rows[i]]) continue;
        last = item;
        if (n < NAMED_MAX) {
            cdi_text_addf(text, "%s'%s'", n++ > 0 ? ", " : "", cdi_item_name(item));
        } else {
            more++;
        }
    }
    if (more > 0) cdi_text_addf(text, " and %d more", more);
}

// ---- the start of a run

// one message per joint whose rows are off by more than tol: what is, and what to do
static CdStatus refuse(const CdSystem *s, const CdStart *start, const double *c, double tol,
                       const char *what, const char *hint) {
    CdStatus status = CD_OK;
    for (int i = 0; i < s->ng; i++) {
        const CdRow *row = &start->rows[i];
        double worst = 0;
        if (row->index > 0) continue;
        for (int k = i; k < s->ng && start->rows[k].item == row->item; k++) {
            worst = fmax(worst, isfinite(c[k]) ? fabs(c[k]) : INFINITY);
        }
        if (worst <= tol) continue;
        CdText text;
        cdi_text_init(&text, s->ctx);
        cdi_start_violation(start, i, s->ng, c, tol, &text);
        const CdPlace place = cdi_object_place(row->item->object, NULL);
        status = cdi_fail_at(s->ctx, CD_INVALID, &place, "%s: %s; up to %g is mended, %s", what,
                             text.v ? text.v : "", tol, hint);
        cdi_text_free(&text);
    }
    return status;
}

static CdStatus refuse_conflict(const CdSystem *s, const CdStart *start, CdStatus status,
                                const char *what) {
    CdText text;
    if (status == CD_OK) return CD_OK;
    cdi_text_init(&text, s->ctx);
    for (int k = 0; k < start->rank.nislands; k++) {
        const CdIsland *is = &start->rank.islands[k];
        if (is->rank == is->nrows) continue;
        if (text.n > 0) cdi_text_add(&text, ", ");
        cdi_start_joints(start, is, &text);
    }
    cdi_fail(s->ctx, CD_INVALID,
             "no %s meet all joints at the start%s%s; 'cardan check' tells which joints are in "
             "each other's way",
             what, text.v ? ": see joints " : "", text.v ? text.v : "");
    cdi_text_free(&text);
    return CD_INVALID;
}

static CdStatus refuse_singular(const CdSystem *s, CdArena *arena, const CdStart *start) {
    const int *nearby;
    CD_TRY(cdi_start_nearby(s, start, arena, &nearby));
    for (int k = 0; k < start->rank.nislands; k++) {
        const CdIsland *is = &start->rank.islands[k];
        CdText text;
        if (nearby[k] <= is->rank) continue;
        cdi_text_init(&text, s->ctx);
        cdi_start_joints(start, is, &text);
        cdi_fail(s->ctx, CD_SINGULAR,
                 "the start is a singular position of joints %s: their constraints have rank %d "
                 "there and %d nearby; start a little away from it",
                 text.v ? text.v : "", is->rank, nearby[k]);
        cdi_text_free(&text);
        return CD_SINGULAR;
    }
    return CD_OK;
}

static double angle_between(const CdFrame *a, const CdFrame *b) {
    double R[9];
    tmul33(a->R, b->R, R);
    const double c = (R[0] + R[4] + R[8] - 1) / 2;
    return acos(c > 1 ? 1 : c < -1 ? -1 : c);
}

static CdStatus tell_moves(CdSystemWork *w, const CdStart *start) {
    const CdSystem *s = w->system;
    CdText text;
    int n = 0;
    CdFrame *old = cdi_alloc_array(s->ctx, (size_t)s->nbodies, sizeof *old);
    if (!old) return CD_NOMEM;
    cdi_system_place(w, start->q0, NULL);
    memcpy(old, w->body, (size_t)s->nbodies * sizeof *old);
    cdi_system_place(w, start->q, NULL);
    cdi_text_init(&text, s->ctx);
    for (int b = 0; b < s->nbodies; b++) {
        double d[3];
        sub3(w->body[b].p, old[b].p, d);
        const double angle = angle_between(&old[b], &w->body[b]);
        // an arc cosine near 1 has half of the digits
        if (norm3(d) <= SMALL_MOVE && angle <= sqrt(SMALL_MOVE)) continue;
        if (n++ >= NAMED_MAX) continue;
        cdi_text_addf(&text, "%s'%s' by %.3g m and %.3g rad", n > 1 ? ", " : "",
                      cdi_item_name(s->bodies[b].item), norm3(d), angle);
    }
    if (n > NAMED_MAX) cdi_text_addf(&text, " and %d more", n - NAMED_MAX);
    if (text.v) cdi_inform(s->ctx, "start: bodies are moved to meet the joints: %s", text.v);
    cdi_text_free(&text);
    cdi_free(s->ctx, old);
    return CD_OK;
}

static CdStatus tell_redundant(const CdSystem *s, const CdStart *start) {
    for (int k = 0; k < start->rank.nislands; k++) {
        const CdIsland *is = &start->rank.islands[k];
        CdText text;
        if (is->rank == is->nrows) continue;
        cdi_text_init(&text, s->ctx);
        cdi_start_joints(start, is, &text);
        const CdStatus status = text.status;
        const int n = is->nrows - is->rank;
        if (status == CD_OK) {
            cdi_inform(s->ctx,
                       "%d of the constraints of joints %s %s redundant; of the reactions that "
                       "make this motion the smallest are told",
                       n, text.v, n == 1 ? "is" : "are");
        }
        cdi_text_free(&text);
        CD_TRY(status);
    }
    return CD_OK;
}

CdStatus cdi_start_make(CdSystemWork *w, CdArena *arena, double tol, CdStart *start) {
    const CdSystem *s = w->system;
    CdStatus status;
    CD_TRY(cdi_start_find(w, arena, start));
    const char *hint = "give another start";
    status = refuse(s, start, start->g, tol, "the start violates the joint", hint);
    if (status == CD_OK) {
        status = refuse(s, start, start->gv, tol, "the start violates its velocity", hint);
    }
    CD_TRY(status);
    CD_TRY(refuse_conflict(s, start, start->position, "positions"));
    CD_TRY(refuse_conflict(s, start, start->velocity, "velocities"));
    CD_TRY(refuse_singular(s, arena, start));
    set_redundant(s, start);
    CD_TRY(tell_redundant(s, start));
    return tell_moves(w, start);
}

// ---- other parameters at a state

static CdStatus met(const CdSystem *s, const CdStart *start, const CdPoint *at, double tol,
                    CdArena *scratch, CdStartMet *found) {
    const CdProblem *u = &start->problem;
    const CdPattern *a = s->jpattern;
    double *g = CD_TAKE(scratch, double, (size_t)s->ng),
           *gv = CD_TAKE(scratch, double, (size_t)s->ng);
    double *J = CD_TAKE(scratch, double, (size_t)a->nnz);
    const char *hint = "take a smaller change, or start anew with it";
    CdRank rank;
    if (!g || !gv || !J) return CD_NOMEM;
    CD_TRY(u->constraint(u->data, at, g));
    CD_TRY(u->velocity_terms(u->data, at, gv));
    CD_TRY(u->constraint_jacobian(u->data, at, J));
    for (int j = 0; j < s->nv; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) gv[a->row[k]] += J[k] * at->v[j];
    }
    CD_TRY(refuse(s, start, g, tol, "the state violates the joint with the new parameters", hint));
    CD_TRY(
        refuse(s, start, gv, tol, "the state violates its velocity with the new parameters", hint));
    CD_TRY(cdi_rank(scratch, s, J, rank_tolerance(largest(s->ng, g)), &rank));
    found->redundant = s->ng - rank.rank;
    mark_rows(&rank, found->not_unique, found->left_out);
    return CD_OK;
}

CdStatus cdi_start_met(CdSystemWork *w, const CdStart *start, const CdPoint *at, double tol,
                       CdStartMet *found) {
    CdArena scratch;
    found->redundant = 0;
    if (w->system->ng == 0) return CD_OK;
    cdi_arena_init(&scratch, w->system->ctx, 0);
    const CdStatus status = met(w->system, start, at, tol, &scratch, found);
    cdi_arena_clear(&scratch);
    return status;
}
