// replay.c - moments of a run, from its log
#include "view/replay.h"

#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "math/turns.h"
#include "system/scene.h"

// parts of the run that a time may lie beyond its ends: decimals of a command line
#define BEYOND 1e-9

CdStatus cdi_replay_open(CdLog *log, const CdScene *scene, CdArena *arena, CdReplay *r) {
    CdContext *ctx = scene->model->ctx;
    const CdLogHeader *head = cdi_log_header(log);
    const uint64_t n = cdi_log_rows(log);
    *r = (CdReplay){.log = log, .scene = scene, .arena = arena};
    if (n == 0) return cdi_fail(ctx, CD_INVALID, "the log has no rows; the run ended before one");
    if (head->nscene < CD_POSE_NUMBERS * (scene->nbodies - 1)) {
        return cdi_fail(ctx, CD_INVALID, "the log has no places of bodies; it cannot be drawn");
    }
    r->row = CD_TAKE(arena, double, (size_t)head->n + 1);
    r->next = CD_TAKE(arena, double, (size_t)head->n + 1);
    if (!r->row || !r->next) return CD_NOMEM;
    CD_TRY(cdi_log_read(log, 0, 1, r->row));
    CD_TRY(cdi_log_read(log, n - 1, 1, r->next));
    r->first = r->row[0];
    r->last = r->next[0];
    return CD_OK;
}

// ---- rows

// row: the last that is not after t; next: the one after it, or the same
static CdStatus find_rows(CdReplay *r, double t) {
    uint64_t low = 0, high = cdi_log_rows(r->log) - 1;
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        CD_TRY(cdi_log_read(r->log, middle, 1, r->row));
        if (r->row[0] <= t) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    CD_TRY(cdi_log_read(r->log, low, 1, r->row));
    return cdi_log_read(r->log, low + 1 < cdi_log_rows(r->log) ? low + 1 : low, 1, r->next);
}

// numbers between the rows into the first of them
static void blend(CdReplay *r, double t) {
    const int n = cdi_log_header(r->log)->n;
    const double span = r->next[0] - r->row[0], s = span > 0 ? (t - r->row[0]) / span : 0;
    if (!(s > 0)) return;
    // q and -q are the same rotation
    const int poses = 1 + n - cdi_log_header(r->log)->nscene;
    for (int b = 0; b < r->scene->nbodies - 1; b++) {
        const int at = poses + CD_POSE_NUMBERS * b + 3;
        quat_continue(r->row + at, r->next + at);
    }
    for (int i = 0; i <= n; i++) r->row[i] += s * (r->next[i] - r->row[i]);
}

static CdFrame *take_poses(CdReplay *r) {
    const CdLogHeader *head = cdi_log_header(r->log);
    CdFrame *poses = CD_TAKE(r->arena, CdFrame, (size_t)r->scene->nbodies);
    if (!poses) return NULL;
    eye33(poses[0].R);
    for (int i = 1; i < r->scene->nbodies; i++) {
        const double *x = r->row + 1 + head->n - head->nscene + CD_POSE_NUMBERS * (i - 1);
        double q[4];
        copy3(x, poses[i].p);
        quat_unit(x + 3, q);
        quat_to_mat(q, poses[i].R);
    }
    return poses;
}

// ---- arrows

// force or moment of an item in the row; false: the log does not have it
static bool vector_of(const CdReplay *r, const CdItem *item, CdArrowStyle style, double out[3]) {
    char name[2 * CD_CHANNEL_NAME_MAX];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, CD_SCENE_MARK "%s.%s", cdi_item_name(item),
                 cdi_force_names[(style == CD_ARROW_FORCE ? 0 : 3) + i]);
        const int k = cdi_log_channel(r->log, name);
        if (k < 0) return false;
        out[i] = r->row[1 + k];
    }
    return true;
}

static int add_reactions(const CdReplay *r, CdCategory category, CdArrow *arrows) {
    const CdModel *m = r->scene->model;
    int n = 0;
    for (size_t i = 0; i < m->of[category].n; i++) {
        const CdItem *item = m->of[category].v[i];
        CdArrow a = {.item = item, .style = CD_ARROW_FORCE};
        CdFrame x;
        if (!item->cls->joint && !item->cls->force) continue;
        if (!vector_of(r, item, CD_ARROW_FORCE, a.vector)) continue;
        cdi_view_marker(m, item->marker[1], &x);
        a.body = m->markers.v[item->marker[1]].body;
        copy3(x.p, a.point);
        arrows[n++] = a;
    }
    return n;
}

static CdStatus take_arrows(CdReplay *r, bool reactions, CdMoment *moment) {
    const CdScene *s = r->scene;
    const size_t links = s->model->of[CD_JOINT].n + s->model->of[CD_CONNECTOR].n;
    CdArrow *arrows = CD_TAKE(r->arena, CdArrow, s->arrows.n + links);
    int n = 0;
    if (!arrows) return CD_NOMEM;
    for (size_t i = 0; i < s->arrows.n; i++) {
        arrows[n] = s->arrows.v[i];
        n += vector_of(r, arrows[n].item, arrows[n].style, arrows[n].vector);
    }
    if (reactions) n += add_reactions(r, CD_JOINT, arrows + n);
    if (reactions) n += add_reactions(r, CD_CONNECTOR, arrows + n);
    moment->arrows = arrows;
    moment->narrows = n;
    return CD_OK;
}

CdStatus cdi_replay_moment(CdReplay *r, double t, bool reactions, CdMoment *moment) {
    const double room = BEYOND * (r->last - r->first);
    if (!(t >= r->first - room && t <= r->last + room)) {
        return cdi_fail(r->scene->model->ctx, CD_INVALID,
                        "the log has no time %g s; it goes from %g s to %g s", t, r->first,
                        r->last);
    }
    CD_TRY(find_rows(r, t));
    blend(r, t);
    moment->pose = take_poses(r);
    return moment->pose ? take_arrows(r, reactions, moment) : CD_NOMEM;
}
