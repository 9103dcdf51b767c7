// log_head.c - the header of a log as JSON: what was run, how, by what, and what the rows hold
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/isa.h"
#include "results/log_chunk.h"

#define FORMAT "cardan log"
// a reader refuses larger ones; what is added without harm to readers does not change it
#define FORMAT_VERSION 2

// no header needs more
#define HEAD_LIMITS \
    ((CdJsonLimits){.bytes = (size_t)1 << 28, .values = 10000000, .depth = CD_JSON_DEPTH_MAX})
#define CHANNELS_MAX 1000000

#if defined(__clang__)
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *cdi_log_compiler(void) {
    return COMPILER;
}

// ---- writing

static void key_text(CdJsonWriter *w, const char *key, const char *text) {
    if (!text) return;
    cdi_json_key_text(w, key, text);
}

static void write_model(CdJsonWriter *w, const CdLogHeader *h) {
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, h->hash);
    cdi_json_key(w, "model");
    cdi_json_begin_object(w);
    key_text(w, "file", h->file);
    key_text(w, "hash", hash);
    cdi_json_end_object(w);
}

static void write_build(CdJsonWriter *w) {
    cdi_json_key(w, "build");
    cdi_json_begin_object(w);
    key_text(w, "cardan", CD_VERSION);
    key_text(w, "compiler", COMPILER);
    key_text(w, "isa", cdi_isa_name(cdi_isa()));
    cdi_json_end_object(w);
}

static void write_channels(CdJsonWriter *w, const CdLogHeader *h) {
    cdi_json_key(w, "channels");
    cdi_json_begin_array(w, false);
    for (int i = 0; i < h->n; i++) {
        cdi_json_begin_object(w);
        key_text(w, "name", h->channels[i].name);
        key_text(w, "unit", h->channels[i].unit);
        if (h->channels[i].not_unique) {
            cdi_json_key_bool(w, "not_unique", true);
        }
        cdi_json_end_object(w);
    }
    cdi_json_end_array(w);
}

CdStatus cdi_log_head_write(CdContext *ctx, const CdLogHeader *h, CdText *out) {
    CdJsonWriter w;
    char date[CD_DATE_MAX];
    (void)ctx;
    cdi_clock_date(date);
    cdi_json_writer_init(&w, out, 1);
    cdi_json_begin_object(&w);
    key_text(&w, "format", FORMAT);
    cdi_json_key_integer(&w, "version", FORMAT_VERSION);
    write_model(&w, h);
    key_text(&w, "method", h->method);
    cdi_json_key(&w, "run");
    cdi_json_raw(&w, h->run ? h->run : "{}");
    write_build(&w);
    key_text(&w, "date", date);
    key_text(&w, "units", "SI, angles in rad, time in s");
    cdi_json_key_integer(&w, "scene", h->nscene);
    cdi_json_key_bool(&w, "resumable", h->resumable);
    write_channels(&w, h);
    cdi_json_end_object(&w);
    return out->status;
}

// ---- reading

typedef struct Reader {
    CdContext *ctx;
    const char *file;
    CdArena *arena;
} Reader;

static CdStatus refuse(const Reader *r, const char *what) {
    const CdPlace place = {.file = r->file};
    return cdi_fail_at(r->ctx, CD_INVALID, &place, "the header of the log is wrong: %s", what);
}

static const CdJson *member(const CdJson *object, const char *key) {
    return object ? cdi_json_get(object, key) : NULL;
}

static bool is_true(const CdJson *value) {
    return value && value->kind == CD_JSON_BOOL && value->boolean;
}

// NULL: it is not there
static CdStatus copy_text(const Reader *r, const CdJson *object, const char *key,
                          const char **text) {
    const CdJson *j = member(object, key);
    *text = NULL;
    if (!j) return CD_OK;
    if (j->kind != CD_JSON_STRING) return refuse(r, "a text is something else");
    *text = cdi_arena_strndup(r->arena, j->text, j->n);
    return *text ? CD_OK : CD_NOMEM;
}

static CdStatus copy_json(const Reader *r, const CdJson *value, const char **text) {
    CdText out;
    CdJsonWriter w;
    if (!value) return refuse(r, "it has no run");
    cdi_text_init(&out, r->ctx);
    cdi_json_writer_init(&w, &out, 0);
    cdi_json_value(&w, value);
    CdStatus status = out.status;
    if (status == CD_OK) *text = cdi_arena_strndup(r->arena, out.v, out.n);
    if (status == CD_OK && !*text) status = CD_NOMEM;
    cdi_text_free(&out);
    return status;
}

static CdStatus check_format(const Reader *r, const CdJson *root) {
    const CdJson *format = cdi_json_get(root, "format"), *version = cdi_json_get(root, "version");
    const CdPlace place = {.file = r->file};
    if (!format || format->kind != CD_JSON_STRING || strcmp(format->text, FORMAT) != 0) {
        return refuse(r, "it does not say \"format\": \"" FORMAT "\"");
    }
    if (!version || version->kind != CD_JSON_NUMBER || !(version->number >= 1)) {
        return refuse(r, "it has no version");
    }
    if (version->number < FORMAT_VERSION + 1) return CD_OK;
    return cdi_fail_at(r->ctx, CD_INVALID, &place,
                       "the log has format version %g, this program (%s) reads up to %d; read it "
                       "with a newer cardan",
                       version->number, CD_VERSION, FORMAT_VERSION);
}

static CdStatus read_hash(const Reader *r, const CdJson *model, uint64_t *hash) {
    const CdJson *j = member(model, "hash");
    char *end;
    if (!j || j->kind != CD_JSON_STRING || j->n != 16) return refuse(r, "the model has no hash");
    *hash = strtoull(j->text, &end, 16);
    return *end ? refuse(r, "the model has no hash") : CD_OK;
}

static CdStatus read_channels(const Reader *r, const CdJson *list, CdLogHeader *h) {
    if (!list || list->kind != CD_JSON_ARRAY || list->n > CHANNELS_MAX) {
        return refuse(r, "it has no list of channels");
    }
    CdChannel *channels = CD_TAKE(r->arena, CdChannel, list->n);
    if (!channels) return CD_NOMEM;
    for (size_t i = 0; i < list->n; i++) {
        CD_TRY(copy_text(r, &list->items[i], "name", &channels[i].name));
        CD_TRY(copy_text(r, &list->items[i], "unit", &channels[i].unit));
        if (!channels[i].name || !channels[i].unit) {
            return refuse(r, "a channel has no name or no unit");
        }
        channels[i].not_unique = is_true(cdi_json_get(&list->items[i], "not_unique"));
    }
    h->n = (int)list->n;
    h->channels = channels;
    return CD_OK;
}

static CdStatus read_scene(const Reader *r, const CdJson *scene, CdLogHeader *h) {
    if (!scene) return CD_OK;
    if (scene->kind != CD_JSON_NUMBER || !scene->integral || scene->number < 0 ||
        scene->number > h->n) {
        return refuse(r, "'scene' must be a number of channels");
    }
    h->nscene = (int)scene->number;
    return CD_OK;
}

// empty if it is not there, as people are to see it
static CdStatus copy_word(const Reader *r, const CdJson *object, const char *key,
                          const char **text) {
    CD_TRY(copy_text(r, object, key, text));
    if (!*text) *text = "";
    return CD_OK;
}

static CdStatus read_all(const Reader *r, const CdJson *root, CdLogHeader *h) {
    const CdJson *model = cdi_json_get(root, "model"), *build = cdi_json_get(root, "build");
    CD_TRY(check_format(r, root));
    CD_TRY(copy_text(r, model, "file", &h->file));
    CD_TRY(read_hash(r, model, &h->hash));
    CD_TRY(copy_word(r, root, "method", &h->method));
    CD_TRY(copy_json(r, cdi_json_get(root, "run"), &h->run));
    CD_TRY(copy_word(r, build, "cardan", &h->version));
    CD_TRY(copy_word(r, build, "compiler", &h->compiler));
    CD_TRY(copy_word(r, build, "isa", &h->isa));
    CD_TRY(copy_word(r, root, "date", &h->date));
    h->resumable = is_true(cdi_json_get(root, "resumable"));
    CD_TRY(read_channels(r, cdi_json_get(root, "channels"), h));
    return read_scene(r, cdi_json_get(root, "scene"), h);
}

CdStatus cdi_log_head_read(CdContext *ctx, const char *file, const char *text, size_t n,
                           CdArena *arena, CdLogHeader *h) {
    const Reader r = {.ctx = ctx, .file = file, .arena = arena};
    CdJsonDoc *doc;
    *h = (CdLogHeader){0};
    CD_TRY(cdi_json_read(ctx, file, text, n, HEAD_LIMITS, &doc));
    const CdStatus status = read_all(&r, cdi_json_root(doc), h);
    cdi_json_free(doc);
    return status;
}
