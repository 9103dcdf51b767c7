// motion.c - a log made ready for moving pictures: the model, its scene, frames and plots
#include "view/motion.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "math/turns.h"
#include "system/scene.h"
#include "view/plotted.h"

#define ARENA_BLOCK 65536
#define RATE 50.0 // frames per second of the run
#define FRAMES_MIN 2000
#define NUMBERS_MAX 12000000 // of all frames: more is more than a browser plays well

// ---- what the columns of the log are

static CdStatus refuse(const CdMotion *m, const char *what) {
    return cdi_fail(m->ctx, CD_INVALID, "%s; the log can be shown only as `cardan run` writes it",
                    what);
}

static CdStatus check_bodies(const CdMotion *m, const CdChannel *scene) {
    for (int body = 1; body < m->nbodies; body++) {
        const char *name = cdi_item_name(m->model->of[CD_BODY].v[body]);
        for (int i = 0; i < CD_POSE_NUMBERS; i++) {
            const char *channel = scene[CD_POSE_NUMBERS * (body - 1) + i].name;
            if (!cdi_scene_is_of(channel, name, cdi_pose_names[i])) {
                return refuse(m, "poses of bodies are missing in the log");
            }
        }
    }
    return CD_OK;
}

// the item of "@hinge.fx", NULL: there is none; its five neighbours are of the same
static CdStatus find_link(const CdMotion *m, const CdChannel *c, const CdItem **item) {
    const char *dot = cdi_scene_is(c->name) ? strrchr(c->name, '.') : NULL;
    *item = NULL;
    if (!dot) return CD_OK;
    char *name = cdi_strndup(m->ctx, c->name + 1, (size_t)(dot - c->name - 1));
    if (!name) return CD_NOMEM;
    *item = cdi_model_find(m->model, name);
    for (int i = 0; i < CD_FORCE_NUMBERS && *item; i++) {
        if (!cdi_scene_is_of(c[i].name, name, cdi_force_names[i])) *item = NULL;
    }
    cdi_free(m->ctx, name);
    return CD_OK;
}

// -1: it acts on no markers
static int last_marker(const CdItem *item) {
    if (item->cls->joint) return item->marker[1];
    if (!item->cls->force) return -1;
    return item->marker[item->cls->force->nmarkers - 1];
}

static CdStatus find_forces(CdMotion *m, const CdChannel *c) {
    CdMotionForce *forces = CD_TAKE(&m->arena, CdMotionForce, (size_t)m->nforces);
    if (!forces) return CD_NOMEM;
    m->forces = forces;
    for (int i = 0; i < m->nforces; i++) {
        const CdItem *item;
        CdFrame x;
        CD_TRY(find_link(m, &c[CD_FORCE_NUMBERS * i], &item));
        const int marker = item ? last_marker(item) : -1;
        if (marker < 0 || (size_t)marker >= m->model->markers.n) {
            return refuse(m, "the log has forces that do not belong to its model");
        }
        cdi_view_marker(m->model, marker, &x);
        forces[i] = (CdMotionForce){.item = item, .body = m->model->markers.v[marker].body};
        copy3(x.p, forces[i].point);
    }
    return CD_OK;
}

static CdStatus find_columns(CdMotion *m) {
    const CdTable *t = m->table;
    m->nbodies = (int)m->model->of[CD_BODY].n;
    while (m->nchannels < t->n && !cdi_scene_is(t->channels[m->nchannels].name)) m->nchannels++;
    m->ncolumns = t->n - m->nchannels;
    const int forces = m->ncolumns - CD_POSE_NUMBERS * (m->nbodies - 1);
    if (forces < 0 || forces % CD_FORCE_NUMBERS != 0) {
        return refuse(m, "the log does not fit its model");
    }
    m->nforces = forces / CD_FORCE_NUMBERS;
    CD_TRY(check_bodies(m, t->channels + m->nchannels));
    return find_forces(m, t->channels + t->n - forces);
}

// ---- which rows become frames

static CdStatus row_time(CdMotion *m, uint64_t row, double *numbers, double *t) {
    CD_TRY(m->table->read(m->table, row, 1, numbers));
    *t = numbers[0];
    return CD_OK;
}

// every how many rows there is a frame
static CdStatus find_stride(CdMotion *m, double rate, double *numbers, uint64_t *stride) {
    const uint64_t rows = m->table->rows;
    double t0, t1;
    CD_TRY(row_time(m, 0, numbers, &t0));
    CD_TRY(row_time(m, rows - 1, numbers, &t1));
    const double per_second = t1 > t0 ? (double)(rows - 1) / (t1 - t0) : 1;
    double every = floor(per_second / (rate > 0 ? rate : RATE) * (1 + 1e-9));
    const double most = floor((double)rows / FRAMES_MIN);
    if (rate <= 0 && every > most) every = most;
    const double least = ceil((double)rows * (double)m->ncolumns / NUMBERS_MAX);
    if (every < least && least > 1) {
        cdi_inform(m->ctx, "the log is long: one row of %.0f is shown", least);
        every = least;
    }
    *stride = every > 1 ? (uint64_t)every : 1;
    return CD_OK;
}

// ---- frames

// numbers that are none stay what they were: pictures cannot show them
static void add_frame(CdMotion *m, size_t room, const double *row) {
    const double *scene = row + 1 + m->nchannels;
    const size_t k = m->nframes;
    if (!isfinite(row[0]) || (k > 0 && !(row[0] > m->time[k - 1]))) return;
    m->time[k] = row[0];
    for (int c = 0; c < m->ncolumns; c++) {
        double *column = m->columns + (size_t)c * room;
        column[k] = isfinite(scene[c]) ? scene[c] : k > 0 ? column[k - 1] : 0;
    }
    for (int body = 1; body < m->nbodies && k > 0; body++) {
        double *first = m->columns + (size_t)(CD_POSE_NUMBERS * (body - 1) + 3) * room, q[4],
               was[4];
        for (size_t i = 0; i < 4; i++) {
            q[i] = first[i * room + k];
            was[i] = first[i * room + k - 1];
        }
        quat_continue(was, q);
        for (size_t i = 0; i < 4; i++) first[i * room + k] = q[i];
    }
    m->nframes++;
}

// rows were left out: columns move together
static void close_ranks(CdMotion *m, size_t room) {
    for (int c = 1; c < m->ncolumns; c++) {
        memmove(m->columns + (size_t)c * m->nframes, m->columns + (size_t)c * room,
                m->nframes * sizeof(double));
    }
}

static CdStatus read_rows(CdMotion *m, uint64_t stride, double *rows, size_t room) {
    const uint64_t n = m->table->rows, block = cdi_table_block(m->table);
    const size_t width = (size_t)m->table->n + 1;
    for (uint64_t first = 0; first < n; first += block) {
        const uint64_t here = n - first < block ? n - first : block;
        CD_TRY(m->table->read(m->table, first, here, rows));
        for (uint64_t i = 0; i < here; i++) {
            const double *row = rows + i * width;
            if ((first + i) % stride == 0 || first + i == n - 1) add_frame(m, room, row);
            cdi_plotted_row(m, first + i, row);
        }
    }
    return CD_OK;
}

static CdStatus read_log(CdMotion *m, double rate, double *rows) {
    uint64_t stride;
    CD_TRY(find_stride(m, rate, rows, &stride));
    const size_t room = (size_t)(m->table->rows / stride) + 2;
    m->time = CD_TAKE(&m->arena, double, room);
    m->columns = CD_TAKE(&m->arena, double, room *(size_t)m->ncolumns);
    if (!m->time || !m->columns) return CD_NOMEM;
    CD_TRY(cdi_plotted_begin(m));
    CD_TRY(read_rows(m, stride, rows, room));
    if (m->nframes == 0) return refuse(m, "no row of the log has a time");
    close_ranks(m, room);
    cdi_plotted_end(m);
    return CD_OK;
}

// ---- all of it

// the channels that are asked for, and those of the scene
static CdStatus open_table(CdMotion *m, const CdSelection *part) {
    CdTable *whole;
    CdSelection s = *part;
    const char **patterns = CD_TAKE(&m->arena, const char *, (size_t)s.npatterns + 1);
    if (!patterns) return CD_NOMEM;
    for (int i = 0; i < s.npatterns; i++) patterns[i] = s.patterns[i];
    if (s.npatterns > 0) patterns[s.npatterns++] = CD_SCENE_PATTERN;
    s.patterns = patterns;
    s.scene = true;
    CD_TRY(cdi_table_of_log(m->ctx, m->log, &whole));
    CD_TRY(cdi_table_select(whole, &s, &m->table));
    return m->table->rows > 0 ? CD_OK : refuse(m, "there is no row");
}

static CdStatus open(CdMotion *m, const char *path, const CdSelection *part, double rate) {
    CD_TRY(cdi_log_open(m->ctx, path, &m->log));
    const CdLogHeader *h = cdi_log_header(m->log);
    if (!h->model) return refuse(m, "the log holds no model");
    if (h->nscene == 0) return refuse(m, "the log holds no poses");
    CD_TRY(cdi_model_read_kept(m->ctx, h->model, strlen(h->model), &m->model));
    CD_TRY(cdi_view_scene(m->model, &m->scene));
    CD_TRY(open_table(m, part));
    CD_TRY(find_columns(m));
    double *rows = cdi_table_room(m->table);
    if (!rows) return CD_NOMEM;
    const CdStatus status = read_log(m, rate, rows);
    cdi_free(m->ctx, rows);
    return status;
}

CdStatus cdi_motion_open(CdContext *ctx, const char *log, const CdSelection *part, double rate,
                         CdMotion **motion) {
    CdMotion *m = *motion = cdi_alloc(ctx, sizeof *m);
    if (!m) return CD_NOMEM;
    m->ctx = ctx;
    cdi_arena_init(&m->arena, ctx, ARENA_BLOCK);
    const CdStatus status = open(m, log, part, rate);
    if (status != CD_OK) {
        cdi_motion_free(m);
        *motion = NULL;
    }
    return status;
}

void cdi_motion_free(CdMotion *m) {
    if (!m) return;
    cdi_view_scene_free(m->scene);
    cdi_model_free(m->model);
    cdi_table_free(m->table);
    cdi_log_free(m->log);
    cdi_arena_clear(&m->arena);
    cdi_free(m->ctx, m);
}

void cdi_motion_pose(const CdMotion *m, int body, size_t frame, double p[3], double q[4]) {
    const size_t n = m->nframes;
    const double one[4] = {1, 0, 0, 0}, *first = m->columns + frame;
    double raw[4];
    zero3(p);
    memcpy(q, one, sizeof one);
    if (body == 0) return;
    first += (size_t)(CD_POSE_NUMBERS * (body - 1)) * n;
    for (size_t i = 0; i < 3; i++) p[i] = first[i * n];
    for (size_t i = 0; i < 4; i++) raw[i] = first[(3 + i) * n];
    quat_unit(raw, q);
    if (!isfinite(q[0])) memcpy(q, one, sizeof one);
}

// do all bodies stay in planes of one z, turning about it?
static bool is_flat(const CdMotion *m) {
    const double tolerance = 1e-6;
    for (int body = 1; body < m->nbodies; body++) {
        double p[3], q[4], z0 = 0;
        for (size_t k = 0; k < m->nframes; k++) {
            cdi_motion_pose(m, body, k, p, q);
            if (k == 0) z0 = p[2];
            if (fabs(p[2] - z0) > tolerance * m->scene->size) return false;
            if (fabs(q[1]) + fabs(q[2]) > tolerance) return false;
        }
    }
    return true;
}

void cdi_motion_up(const CdMotion *m, double up[3]) {
    const double *g = m->model->gravity, norm = sqrt(dot3(g, g));
    const bool flat = norm > 0 ? false : is_flat(m);
    for (int i = 0; i < 3; i++) up[i] = norm > 0 ? -g[i] / norm : i == (flat ? 1 : 2);
}
