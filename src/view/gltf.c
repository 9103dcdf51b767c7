// gltf.c - a run as animated glTF 2.0: nodes of bodies with their parts, and one animation
#include "view/gltf.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "view/pack.h"
#include "view/picture.h"
#include "view/surface.h"

enum { FLOAT = 5126, ARRAY_BUFFER = 34962 }; // words of OpenGL
enum { GREY = CD_BODY_COLOURS, JOINT, CONNECTOR, NMATERIALS };
#define SPAN_RADIUS 0.45 // in units of symbols
#define SEGMENTS 16
#define BINARY_MAX ((size_t)1 << 31) // lengths in files are 32 bits
#define ARENA_BLOCK 65536

// arrays of the file that grow side by side
typedef struct List {
    CdText text;
    CdJsonWriter w;
    int n;
} List;

typedef struct Gltf {
    const CdMotion *m;
    CdArena arena; // for a mesh at a time
    List nodes, meshes, accessors, views, samplers, channels;
    CdText binary;
    float *numbers; // of one column of vectors
    size_t nframes; // whose times differ as float
    size_t *frames;
    int time; // accessor
} Gltf;

// ---- lists

static void list_init(List *l, CdContext *ctx) {
    cdi_text_init(&l->text, ctx);
    cdi_json_writer_init(&l->w, &l->text, 0);
    cdi_json_begin_array(&l->w, false);
}

static CdJsonWriter *list_add(List *l) {
    l->n++;
    cdi_json_begin_object(&l->w);
    return &l->w;
}

static void key_list(CdJsonWriter *w, const char *key, List *l) {
    cdi_json_end_array(&l->w);
    if (l->text.status != CD_OK) w->out->status = l->text.status;
    if (l->n == 0 || !l->text.v) return; // empty arrays are not allowed
    cdi_json_key(w, key);
    cdi_json_raw(w, l->text.v);
}

// ---- numbers

static void key_bounds(CdJsonWriter *w, const float *x, size_t n, int width) {
    double lo[3], hi[3];
    for (int k = 0; k < width; k++) lo[k] = hi[k] = x[k];
    for (size_t i = 0; i < n * (size_t)width; i++) {
        const size_t k = i % (size_t)width;
        lo[k] = fmin(lo[k], x[i]);
        hi[k] = fmax(hi[k], x[i]);
    }
    cdi_json_key_numbers(w, "min", lo, width);
    cdi_json_key_numbers(w, "max", hi, width);
}

// n vectors of `width` floats; target 0: for animations. The accessor is returned.
static int add_floats(Gltf *g, const float *x, size_t n, int width, int target, bool bounds) {
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const size_t bytes = n * (size_t)width * sizeof *x;
    CdJsonWriter *view = list_add(&g->views), *w = list_add(&g->accessors);
    cdi_json_key_integer(view, "buffer", 0);
    cdi_json_key_integer(view, "byteOffset", (long long)g->binary.n);
    cdi_json_key_integer(view, "byteLength", (long long)bytes);
    if (target) cdi_json_key_integer(view, "target", target);
    cdi_json_end_object(view);
    cdi_json_key_integer(w, "bufferView", g->views.n - 1);
    cdi_json_key_integer(w, "componentType", FLOAT);
    cdi_json_key_integer(w, "count", (long long)n);
    cdi_json_key_text(w, "type", types[width]);
    if (bounds) key_bounds(w, x, n, width);
    cdi_json_end_object(w);
    if (bytes > BINARY_MAX - g->binary.n) g->binary.status = CD_LIMIT;
    cdi_text_addn(&g->binary, (const char *)x, bytes);
    return g->accessors.n - 1;
}

// ---- meshes

static CdStatus add_mesh(Gltf *g, const CdMesh *mesh, const char *name, int material, int *number) {
    CdSurface s;
    cdi_arena_clear(&g->arena);
    CD_TRY(cdi_surface(&g->arena, mesh, &s));
    const int points = add_floats(g, s.points, (size_t)s.ncorners, 3, ARRAY_BUFFER, true);
    const int normals = add_floats(g, s.normals, (size_t)s.ncorners, 3, ARRAY_BUFFER, false);
    CdJsonWriter *w = list_add(&g->meshes);
    cdi_json_key_text(w, "name", name);
    cdi_json_key(w, "primitives");
    cdi_json_begin_array(w, false);
    cdi_json_begin_object(w);
    cdi_json_key(w, "attributes");
    cdi_json_begin_object(w);
    cdi_json_key_integer(w, "POSITION", points);
    cdi_json_key_integer(w, "NORMAL", normals);
    cdi_json_end_object(w);
    cdi_json_key_integer(w, "material", material);
    cdi_json_end_object(w);
    cdi_json_end_array(w);
    cdi_json_end_object(w);
    *number = g->meshes.n - 1;
    return CD_OK;
}

static int part_material(const CdPart *part) {
    switch (part->kind) {
    case CD_PART_JOINT: return JOINT;
    case CD_PART_CONNECTOR: return CONNECTOR;
    case CD_PART_SUPPORT: return GREY;
    case CD_PART_BODY: break;
    }
    return part->body == 0 ? GREY : (part->body - 1) % CD_BODY_COLOURS;
}

static double linear(unsigned byte) {
    const double x = byte / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static void materials(CdJsonWriter *w) {
    static const unsigned others[] = {0x8b95a3, 0x46505e, 0x6d7b8d};
    static const char *const names[] = {"ground", "joint", "connector"};
    cdi_json_key(w, "materials");
    cdi_json_begin_array(w, false);
    for (int i = 0; i < NMATERIALS; i++) {
        const unsigned c = i < GREY ? cdi_body_colours[i] : others[i - GREY];
        const double rgba[4] = {linear(c >> 16), linear(c >> 8 & 255), linear(c & 255), 1};
        cdi_json_begin_object(w);
        cdi_json_key_text(w, "name", i < GREY ? "body" : names[i - GREY]);
        cdi_json_key(w, "pbrMetallicRoughness");
        cdi_json_begin_object(w);
        cdi_json_key_numbers(w, "baseColorFactor", rgba, 4);
        cdi_json_key(w, "metallicFactor");
        cdi_json_number(w, 0.1);
        cdi_json_key(w, "roughnessFactor");
        cdi_json_number(w, 0.6);
        cdi_json_end_object(w);
        cdi_json_end_object(w);
    }
    cdi_json_end_array(w);
}

// ---- animation

static void xyzw(const double q[4], float out[4]) {
    for (int i = 0; i < 4; i++) out[i] = (float)q[(i + 1) % 4];
}

// one path of a node from g->numbers
static void animate(Gltf *g, int node, const char *path, int width) {
    const int output = add_floats(g, g->numbers, g->nframes, width, 0, false);
    CdJsonWriter *s = list_add(&g->samplers), *c = list_add(&g->channels);
    cdi_json_key_integer(s, "input", g->time);
    cdi_json_key_integer(s, "output", output);
    cdi_json_key_text(s, "interpolation", "LINEAR");
    cdi_json_end_object(s);
    cdi_json_key_integer(c, "sampler", g->samplers.n - 1);
    cdi_json_key(c, "target");
    cdi_json_begin_object(c);
    cdi_json_key_integer(c, "node", node);
    cdi_json_key_text(c, "path", path);
    cdi_json_end_object(c);
    cdi_json_end_object(c);
}

// frames that differ as float from the one before, from time 0 on
static CdStatus choose_frames(Gltf *g) {
    const CdMotion *m = g->m;
    g->frames = cdi_alloc_array(m->ctx, m->nframes, sizeof *g->frames);
    g->numbers = cdi_alloc_array(m->ctx, m->nframes, 4 * sizeof *g->numbers);
    if (!g->frames || !g->numbers) return CD_NOMEM;
    for (size_t k = 0; k < m->nframes; k++) {
        const float t = (float)(m->time[k] - m->time[0]);
        if (g->nframes > 0 && !(t > g->numbers[g->nframes - 1])) continue;
        g->frames[g->nframes] = k;
        g->numbers[g->nframes++] = t;
    }
    g->time = add_floats(g, g->numbers, g->nframes, 1, 0, true);
    return CD_OK;
}

static void animate_body(Gltf *g, int body, int node) {
    double p[3], q[4];
    for (size_t k = 0; k < g->nframes; k++) {
        cdi_motion_pose(g->m, body, g->frames[k], p, q);
        for (size_t i = 0; i < 3; i++) g->numbers[3 * k + i] = (float)p[i];
    }
    animate(g, node, "translation", 3);
    for (size_t k = 0; k < g->nframes; k++) {
        cdi_motion_pose(g->m, body, g->frames[k], p, q);
        xyzw(q, g->numbers + 4 * k);
    }
    animate(g, node, "rotation", 4);
}

// ---- nodes: 0 the root, then bodies, then spans, then parts

static int body_node(int body) {
    return 1 + body;
}

static void key_children(Gltf *g, CdJsonWriter *w, int body) {
    const CdScene *scene = g->m->scene;
    int node = 1 + g->m->nbodies + (int)scene->spans.n;
    bool any = false;
    for (size_t i = 0; i < scene->parts.n; i++, node++) {
        if (scene->parts.v[i].body != body) continue;
        if (!any) {
            cdi_json_key(w, "children");
            cdi_json_begin_array(w, true);
        }
        any = true;
        cdi_json_integer(w, node);
    }
    if (any) cdi_json_end_array(w);
}

// up becomes y, on the shortest way
static void up_rotation(const CdMotion *m, double rotation[4]) {
    double up[3], axis[3], q[4], y[3] = {0, 1, 0};
    cdi_motion_up(m, up);
    cross3(up, y, axis);
    const double raw[4] = {1 + dot3(up, y), axis[0], axis[1], axis[2]}, turned[4] = {0, 1, 0, 0};
    quat_unit(raw[0] > 1e-9 ? raw : turned, q);
    for (int i = 0; i < 4; i++) rotation[i] = q[(i + 1) % 4];
}

static CdStatus add_root(Gltf *g) {
    const int nchildren = g->m->nbodies + (int)g->m->scene->spans.n;
    CdText title;
    double rotation[4];
    cdi_text_init(&title, g->m->ctx);
    const CdStatus status = cdi_picture_title(g->m, &title);
    CdJsonWriter *w = list_add(&g->nodes);
    cdi_json_key_text(w, "name", title.v ? title.v : "");
    cdi_text_free(&title);
    up_rotation(g->m, rotation);
    cdi_json_key_numbers(w, "rotation", rotation, 4);
    cdi_json_key(w, "children");
    cdi_json_begin_array(w, true);
    for (int i = 0; i < nchildren; i++) cdi_json_integer(w, 1 + i);
    cdi_json_end_array(w);
    cdi_json_end_object(w);
    return status;
}

static void add_bodies(Gltf *g) {
    for (int body = 0; body < g->m->nbodies; body++) {
        double p[3], q[4], rotation[4];
        CdJsonWriter *w = list_add(&g->nodes);
        cdi_motion_pose(g->m, body, 0, p, q);
        for (int i = 0; i < 4; i++) rotation[i] = q[(i + 1) % 4];
        cdi_json_key_text(w, "name", cdi_item_name(g->m->model->of[CD_BODY].v[body]));
        cdi_json_key_numbers(w, "translation", p, 3);
        cdi_json_key_numbers(w, "rotation", rotation, 4);
        key_children(g, w, body);
        cdi_json_end_object(w);
        if (body > 0) animate_body(g, body, body_node(body));
    }
}

static CdStatus add_parts(Gltf *g) {
    const CdScene *scene = g->m->scene;
    for (size_t i = 0; i < scene->parts.n; i++) {
        const CdPart *part = &scene->parts.v[i];
        const char *name = cdi_item_name(part->item);
        int mesh = -1;
        if (part->mesh.ntriangles > 0) {
            CD_TRY(add_mesh(g, &part->mesh, name, part_material(part), &mesh));
        }
        CdJsonWriter *w = list_add(&g->nodes);
        cdi_json_key_text(w, "name", name);
        if (mesh >= 0) cdi_json_key_integer(w, "mesh", mesh);
        cdi_json_end_object(w);
    }
    return CD_OK;
}

// ---- spans

typedef struct Place {
    double p[3], q[4], length;
} Place;

static void span_place(const Gltf *g, const CdSpan *span, size_t frame, Place *place) {
    double ends[2][3], d[3];
    for (int k = 0; k < 2; k++) {
        double p[3], q[4], x[3];
        cdi_motion_pose(g->m, span->body[k], frame, p, q);
        quat_rotate(q, span->point[k], x);
        add3(p, x, ends[k]);
    }
    sub3(ends[1], ends[0], d);
    copy3(ends[0], place->p);
    place->length = fmax(norm3(d), 1e-9 * g->m->scene->size);
    // the shortest turn from z to d; opposite to it about x
    const double raw[4] = {place->length + d[2], -d[1], d[0], 0}, turned[4] = {0, 1, 0, 0};
    quat_unit(raw[0] > 1e-9 * place->length ? raw : turned, place->q);
}

static void animate_span(Gltf *g, const CdSpan *span, int node, double radius) {
    Place place;
    float *x = g->numbers;
    for (size_t k = 0; k < g->nframes; k++) {
        span_place(g, span, g->frames[k], &place);
        for (size_t i = 0; i < 3; i++) x[3 * k + i] = (float)place.p[i];
    }
    animate(g, node, "translation", 3);
    for (size_t k = 0; k < g->nframes; k++) {
        span_place(g, span, g->frames[k], &place);
        xyzw(place.q, x + 4 * k);
        double dot = 0;
        for (size_t i = 0; i < 4 && k > 0; i++)
            dot += (double)x[4 * k + i] * (double)x[4 * k + i - 4];
        for (size_t i = 0; i < 4 && dot < 0; i++) x[4 * k + i] = -x[4 * k + i];
    }
    animate(g, node, "rotation", 4);
    for (size_t k = 0; k < g->nframes; k++) {
        span_place(g, span, g->frames[k], &place);
        x[3 * k] = x[3 * k + 1] = (float)radius;
        x[3 * k + 2] = (float)place.length;
    }
    animate(g, node, "scale", 3);
}

static CdStatus span_mesh(CdArena *arena, CdSpanStyle style, double aspect, CdMesh *mesh) {
    const double up[3] = {0, 0, 0.5}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (style == CD_SPAN_SPRING || style == CD_SPAN_SPRING_DAMPER) {
        return cdi_mesh_coil(arena, aspect, mesh);
    }
    CD_TRY(cdi_mesh_cylinder(arena, style == CD_SPAN_ACTUATOR ? 0.6 : 0.35, 1, SEGMENTS, mesh));
    cdi_mesh_move(mesh, up, one);
    return CD_OK;
}

static CdStatus add_span(Gltf *g, const CdSpan *span) {
    const double radius = SPAN_RADIUS * g->m->scene->unit;
    const int material = span->item->cls->category == CD_JOINT ? JOINT : CONNECTOR;
    Place place;
    CdMesh mesh;
    CdArena arena;
    int number = -1;
    span_place(g, span, 0, &place);
    cdi_arena_init(&arena, g->m->ctx, ARENA_BLOCK);
    CdStatus status = span_mesh(&arena, span->style, place.length / radius, &mesh);
    if (status == CD_OK) {
        status = add_mesh(g, &mesh, cdi_item_name(span->item), material, &number);
    }
    cdi_arena_clear(&arena);
    CdJsonWriter *w = list_add(&g->nodes);
    cdi_json_key_text(w, "name", cdi_item_name(span->item));
    cdi_json_key_integer(w, "mesh", number);
    cdi_json_end_object(w);
    animate_span(g, span, g->nodes.n - 1, radius);
    return status;
}

// ---- the file

static void write_head(const Gltf *g, CdJsonWriter *w) {
    cdi_json_key(w, "asset");
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "version", "2.0");
    cdi_json_key_text(w, "generator", "cardan " CD_VERSION);
    cdi_json_end_object(w);
    cdi_json_key_integer(w, "scene", 0);
    cdi_json_key(w, "scenes");
    cdi_json_raw(w, "[{\"nodes\": [0]}]");
    (void)g;
}

static void write_animation(Gltf *g, CdJsonWriter *w) {
    const bool any = g->channels.n > 0;
    if (any) {
        cdi_json_key(w, "animations");
        cdi_json_begin_array(w, false);
        cdi_json_begin_object(w);
        cdi_json_key_text(w, "name", "run");
    }
    key_list(w, "samplers", &g->samplers);
    key_list(w, "channels", &g->channels);
    if (any) {
        cdi_json_end_object(w);
        cdi_json_end_array(w);
    }
}

static void write_buffer(const Gltf *g, CdJsonWriter *w, bool inline_buffer) {
    cdi_json_key(w, "buffers");
    cdi_json_begin_array(w, false);
    cdi_json_begin_object(w);
    cdi_json_key_integer(w, "byteLength", (long long)g->binary.n);
    if (inline_buffer) {
        CdText uri;
        cdi_text_init(&uri, g->m->ctx);
        cdi_text_add(&uri, "data:application/octet-stream;base64,");
        cdi_base64(&uri, g->binary.v, g->binary.n);
        if (uri.status != CD_OK) w->out->status = uri.status;
        cdi_json_key_text(w, "uri", uri.v ? uri.v : "");
        cdi_text_free(&uri);
    }
    cdi_json_end_object(w);
    cdi_json_end_array(w);
}

static CdStatus collect(Gltf *g) {
    CD_TRY(choose_frames(g));
    CD_TRY(add_root(g));
    add_bodies(g);
    for (size_t i = 0; i < g->m->scene->spans.n; i++) CD_TRY(add_span(g, &g->m->scene->spans.v[i]));
    CD_TRY(add_parts(g));
    return g->binary.status;
}

static CdStatus write_all(Gltf *g, bool inline_buffer, CdText *json) {
    CdJsonWriter w;
    CD_TRY(collect(g));
    cdi_json_writer_init(&w, json, 0);
    cdi_json_begin_object(&w);
    write_head(g, &w);
    key_list(&w, "nodes", &g->nodes);
    key_list(&w, "meshes", &g->meshes);
    materials(&w);
    write_animation(g, &w);
    key_list(&w, "accessors", &g->accessors);
    key_list(&w, "bufferViews", &g->views);
    write_buffer(g, &w, inline_buffer);
    cdi_json_end_object(&w);
    return json->status;
}

CdStatus cdi_gltf(const CdMotion *m, bool inline_buffer, CdGltf *gltf) {
    Gltf g = {.m = m};
    List *lists[] = {&g.nodes, &g.meshes, &g.accessors, &g.views, &g.samplers, &g.channels};
    const size_t nlists = sizeof lists / sizeof *lists;
    cdi_arena_init(&g.arena, m->ctx, ARENA_BLOCK);
    for (size_t i = 0; i < nlists; i++) list_init(lists[i], m->ctx);
    cdi_text_init(&g.binary, m->ctx);
    cdi_text_init(&gltf->json, m->ctx);
    const CdStatus status = write_all(&g, inline_buffer, &gltf->json);
    gltf->binary = g.binary;
    for (size_t i = 0; i < nlists; i++) cdi_text_free(&lists[i]->text);
    cdi_free(m->ctx, g.frames);
    cdi_free(m->ctx, g.numbers);
    cdi_arena_clear(&g.arena);
    if (status == CD_LIMIT) cdi_fail(m->ctx, status, "the run is too long for one glTF file");
    return status;
}

void cdi_gltf_free(CdGltf *gltf) {
    cdi_text_free(&gltf->json);
    cdi_text_free(&gltf->binary);
}
