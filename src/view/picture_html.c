// picture_html.c - a run as one HTML file: the page of web/viewer with its data as JSON
//
// docs/viewer.md has the format. Numbers of the motion are rounded: positions to 2^-20 of the
// longest way, quaternions to 2^-16, forces to 2^-12 and channels to 2^-16 of the range of each.
// Every < is written as \u003c, so that no name can end the element that the data stand in.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "system/scene.h"
#include "view/pack.h"
#include "view/page_template.h"
#include "view/picture.h"

#define FORMAT 1
#define POSITION_BITS 20
#define FORCE_BITS 12
#define CHANNEL_BITS 16
#define QUATERNION_STEP (1.0 / (1 << 16))
#define HASH_LETTERS 17
#define WIDE_VERTICES 65536 // from here on numbers of vertices need 4 bytes

static const char *const kinds[] = {[CD_PART_BODY] = "body",
                                    [CD_PART_JOINT] = "joint",
                                    [CD_PART_CONNECTOR] = "connector",
                                    [CD_PART_SUPPORT] = "support"};
static const char *const styles[] = {[CD_SPAN_NONE] = "line",
                                     [CD_SPAN_LINE] = "line",
                                     [CD_SPAN_SPRING] = "spring",
                                     [CD_SPAN_SPRING_DAMPER] = "spring_damper",
                                     [CD_SPAN_ACTUATOR] = "actuator"};

typedef struct Page {
    const CdMotion *m;
    CdText json, work; // work: a value under construction
    CdJsonWriter w;
} Page;

// ---- values

static void key_text(Page *p, const char *key, const char *text) {
    cdi_json_key_text(&p->w, key, text ? text : "");
}

static void key_number(Page *p, const char *key, double x) {
    cdi_json_key(&p->w, key);
    cdi_json_number(&p->w, x);
}

static void key_array(Page *p, const char *key) {
    cdi_json_key(&p->w, key);
    cdi_json_begin_array(&p->w, false);
}

static void key_bytes(Page *p, const char *key, const void *bytes, size_t n) {
    cdi_text_clear(&p->work);
    cdi_base64(&p->work, bytes, n);
    if (p->work.status != CD_OK) p->json.status = p->work.status;
    key_text(p, key, p->work.v);
}

static void item(Page *p, const CdItem *it) {
    key_text(p, "name", cdi_item_name(it));
    key_text(p, "class", it->cls->desc.name);
}

// ---- what the run is

static void head(Page *p) {
    const CdLogHeader *h = cdi_log_header(p->m->log);
    char hash[HASH_LETTERS];
    snprintf(hash, sizeof hash, "%016" PRIx64, h->hash);
    cdi_json_key_integer(&p->w, "format", FORMAT);
    cdi_text_clear(&p->work);
    if (cdi_picture_title(p->m, &p->work) != CD_OK) p->json.status = p->work.status;
    key_text(p, "title", p->work.v);
    key_text(p, "file", h->file);
    key_text(p, "method", h->method);
    key_text(p, "hash", hash);
    key_text(p, "generator", "cardan " CD_VERSION);
    cdi_json_key_bool(&p->w, "complete", cdi_log_complete(p->m->log));
    cdi_json_key_integer(&p->w, "rows", (long long)p->m->table->rows);
}

// ---- what there is to see

static void bodies(Page *p) {
    const CdModel *model = p->m->model;
    key_array(p, "bodies");
    for (size_t i = 0; i < model->of[CD_BODY].n; i++) {
        cdi_json_begin_object(&p->w);
        item(p, model->of[CD_BODY].v[i]);
        cdi_json_end_object(&p->w);
    }
    cdi_json_end_array(&p->w);
}

static void key_indices(Page *p, const char *key, const int *numbers, size_t n, bool wide) {
    const size_t bytes = wide ? 4 : 2;
    CdText raw;
    cdi_text_init(&raw, p->m->ctx);
    for (size_t i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)numbers[i];
        const char four[4] = {(char)x, (char)(x >> 8), (char)(x >> 16), (char)(x >> 24)};
        cdi_text_addn(&raw, four, bytes);
    }
    if (raw.status != CD_OK) p->json.status = raw.status;
    key_bytes(p, key, raw.v, raw.status == CD_OK ? raw.n : 0);
    cdi_text_free(&raw);
}

static void mesh(Page *p, const CdMesh *mesh) {
    const bool wide = mesh->nvertices >= WIDE_VERTICES;
    CdText raw;
    cdi_text_init(&raw, p->m->ctx);
    for (int i = 0; i < 3 * mesh->nvertices; i++) {
        const float x = (float)mesh->vertices[i];
        cdi_text_addn(&raw, (const char *)&x, sizeof x);
    }
    if (raw.status != CD_OK) p->json.status = raw.status;
    cdi_json_key_bool(&p->w, "wide", wide);
    key_bytes(p, "points", raw.v, raw.status == CD_OK ? raw.n : 0);
    cdi_text_free(&raw);
    key_indices(p, "triangles", mesh->triangles, 3 * (size_t)mesh->ntriangles, wide);
    key_indices(p, "edges", mesh->edges, 2 * (size_t)mesh->nedges, wide);
}

static void parts(Page *p) {
    const CdScene *scene = p->m->scene;
    key_array(p, "parts");
    for (size_t i = 0; i < scene->parts.n; i++) {
        const CdPart *part = &scene->parts.v[i];
        cdi_json_begin_object(&p->w);
        key_text(p, "kind", kinds[part->kind]);
        item(p, part->item);
        cdi_json_key_integer(&p->w, "body", part->body);
        mesh(p, &part->mesh);
        cdi_json_end_object(&p->w);
    }
    cdi_json_end_array(&p->w);
}

static void spans(Page *p) {
    const CdScene *scene = p->m->scene;
    key_array(p, "spans");
    for (size_t i = 0; i < scene->spans.n; i++) {
        const CdSpan *s = &scene->spans.v[i];
        cdi_json_begin_object(&p->w);
        key_text(p, "kind", s->item->cls->category == CD_JOINT ? "joint" : "connector");
        item(p, s->item);
        key_text(p, "style", styles[s->style]);
        key_array(p, "ends");
        for (int k = 0; k < 2; k++) {
            cdi_json_begin_object(&p->w);
            cdi_json_key_integer(&p->w, "body", s->body[k]);
            cdi_json_key_numbers(&p->w, "point", s->point[k], 3);
            cdi_json_end_object(&p->w);
        }
        cdi_json_end_array(&p->w);
        cdi_json_end_object(&p->w);
    }
    cdi_json_end_array(&p->w);
}

static void markers(Page *p) {
    const CdModel *model = p->m->model;
    key_array(p, "markers");
    for (size_t i = 0; i < model->markers.n; i++) {
        const CdMarker *marker = &model->markers.v[i];
        CdFrame x;
        cdi_view_marker(model, (int)i, &x);
        cdi_json_begin_object(&p->w);
        key_text(p, "name", marker->item ? cdi_item_name(marker->item) : "");
        cdi_json_key_integer(&p->w, "body", marker->body);
        cdi_json_key_numbers(&p->w, "p", x.p, 3);
        cdi_json_key_numbers(&p->w, "R", x.R, 9);
        cdi_json_end_object(&p->w);
    }
    cdi_json_end_array(&p->w);
}

static void forces(Page *p) {
    static const char *const of[CD_NCATEGORIES] = {
        [CD_JOINT] = "joint", [CD_CONNECTOR] = "connector", [CD_LOAD] = "load"};
    key_array(p, "forces");
    for (int i = 0; i < p->m->nforces; i++) {
        const CdMotionForce *f = &p->m->forces[i];
        cdi_json_begin_object(&p->w);
        key_text(p, "kind", of[f->item->cls->category]);
        item(p, f->item);
        cdi_json_key_integer(&p->w, "body", f->body);
        cdi_json_key_numbers(&p->w, "point", f->point, 3);
        cdi_json_end_object(&p->w);
    }
    cdi_json_end_array(&p->w);
}

static void scene(Page *p) {
    double up[3];
    cdi_motion_up(p->m, up);
    cdi_json_key_numbers(&p->w, "up", up, 3);
    key_number(p, "size", p->m->scene->size);
    key_number(p, "unit", p->m->scene->unit);
    bodies(p);
    parts(p);
    spans(p);
    markers(p);
    forces(p);
}

// ---- numbers over time

static bool is_position(const CdMotion *m, int column) {
    return column < CD_POSE_NUMBERS * (m->nbodies - 1) && column % CD_POSE_NUMBERS < 3;
}

// one step for all positions
static double position_step(const CdMotion *m) {
    double most = 0;
    for (int c = 0; c < m->ncolumns; c++) {
        if (!is_position(m, c)) continue;
        const double *x = m->columns + (size_t)c * m->nframes;
        const double step = cdi_pack_scale(x, m->nframes, POSITION_BITS).step;
        if (step > most) most = step;
    }
    return most;
}

static CdPackScale motion_scale(const CdMotion *m, int column, double position) {
    const double *x = m->columns + (size_t)column * m->nframes;
    const bool force = column >= CD_POSE_NUMBERS * (m->nbodies - 1);
    CdPackScale s = cdi_pack_scale(x, m->nframes, force ? FORCE_BITS : POSITION_BITS);
    if (!force) s.step = is_position(m, column) ? position : QUATERNION_STEP;
    return s;
}

typedef struct Table {
    size_t rows;
    int columns;
    const double *time, *numbers; // by columns
    CdPackScale *scales;
} Table;

static CdStatus table(Page *p, const char *key, const Table *t) {
    CdPack pack;
    cdi_pack_init(&pack, p->m->ctx);
    for (int c = 0; c < t->columns; c++) {
        cdi_pack_column(&pack, &t->scales[c], t->numbers + (size_t)c * t->rows, t->rows);
    }
    cdi_pack_end(&pack);
    cdi_json_key(&p->w, key);
    cdi_json_begin_object(&p->w);
    key_bytes(p, "time", t->time, t->rows * sizeof *t->time);
    cdi_json_key(&p->w, "lo");
    cdi_json_begin_array(&p->w, true);
    for (int c = 0; c < t->columns; c++) cdi_json_number(&p->w, t->scales[c].lo);
    cdi_json_end_array(&p->w);
    cdi_json_key(&p->w, "step");
    cdi_json_begin_array(&p->w, true);
    for (int c = 0; c < t->columns; c++) cdi_json_number(&p->w, t->scales[c].step);
    cdi_json_end_array(&p->w);
    const CdStatus status = pack.bytes.status;
    key_bytes(p, "data", pack.bytes.v, status == CD_OK ? pack.bytes.n : 0);
    cdi_json_end_object(&p->w);
    cdi_pack_free(&pack);
    return status;
}

static CdStatus numbers(Page *p) {
    const CdMotion *m = p->m;
    const double position = position_step(m);
    const int most = m->ncolumns > m->nchannels ? m->ncolumns : m->nchannels;
    CdPackScale *scales = cdi_alloc_array(m->ctx, (size_t)most + 1, sizeof *scales);
    if (!scales) return CD_NOMEM;
    cdi_json_key(&p->w, "error");
    cdi_json_begin_object(&p->w);
    key_number(p, "position", position / 2);
    cdi_json_end_object(&p->w);
    for (int c = 0; c < m->ncolumns; c++) scales[c] = motion_scale(m, c, position);
    CdStatus status =
        table(p, "motion", &(Table){m->nframes, m->ncolumns, m->time, m->columns, scales});
    for (int c = 0; c < m->nchannels; c++) {
        scales[c] = cdi_pack_scale(m->plots + (size_t)c * m->npoints, m->npoints, CHANNEL_BITS);
        // nothing but its name is told of a twin
        if (m->twin[c] >= 0) scales[c] = (CdPackScale){0, 0};
    }
    if (status == CD_OK) {
        status =
            table(p, "plots", &(Table){m->npoints, m->nchannels, m->plot_time, m->plots, scales});
    }
    cdi_free(m->ctx, scales);
    return status;
}

static void channels(Page *p) {
    const CdChannel *channel = p->m->table->channels;
    key_array(p, "channels");
    for (int i = 0; i < p->m->nchannels; i++) {
        cdi_json_begin_object(&p->w);
        key_text(p, "name", channel[i].name);
        key_text(p, "unit", channel[i].unit);
        if (p->m->twin[i] >= 0) cdi_json_key_integer(&p->w, "twin", p->m->twin[i]);
        cdi_json_end_object(&p->w);
    }
    cdi_json_end_array(&p->w);
}

// ---- the page

static CdStatus put_json(CdOutFile *out, const char *json) {
    while (*json) {
        const size_t n = strcspn(json, "<");
        CD_TRY(cdi_out_add(out, json, n));
        json += n;
        if (*json != '<') break;
        CD_TRY(cdi_out_add(out, "\\u003c", strlen("\\u003c")));
        json++;
    }
    return CD_OK;
}

static CdStatus put_page(CdOutFile *out, const char *json) {
    const char *mark = strstr(cdi_page_template, CD_PAGE_MARK);
    if (!mark) return CD_BUG;
    CD_TRY(cdi_out_add(out, cdi_page_template, (size_t)(mark - cdi_page_template)));
    CD_TRY(put_json(out, json));
    mark += strlen(CD_PAGE_MARK);
    return cdi_out_add(out, mark, strlen(mark));
}

static CdStatus make_json(Page *p) {
    cdi_json_writer_init(&p->w, &p->json, 0);
    cdi_json_begin_object(&p->w);
    head(p);
    scene(p);
    channels(p);
    CD_TRY(numbers(p));
    cdi_json_end_object(&p->w);
    return p->json.status;
}

CdPictureWrite cdi_picture_html;
CdStatus cdi_picture_html(const CdMotion *m, CdOutFile *out) {
    Page p = {.m = m};
    cdi_text_init(&p.json, m->ctx);
    cdi_text_init(&p.work, m->ctx);
    CdStatus status = make_json(&p);
    if (status == CD_OK) status = put_page(out, p.json.v);
    cdi_text_free(&p.json);
    cdi_text_free(&p.work);
    return status;
}
