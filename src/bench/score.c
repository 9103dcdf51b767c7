// score.c - run the variants of a problem and measure their errors
#include "bench/score.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "bench/reference.h"

#define COLUMNS_MAX 64

// relative difference of sample times that still counts as equal
#define TIME_TOLERANCE 1e-9

typedef struct Variant {
    CdContext *ctx;
    const char *folder;
    const CdScoring *scoring;
    CdReference reference;
    const CdJson *columns; // reference column -> channel
    int column[COLUMNS_MAX], channel[COLUMNS_MAX];
    double threshold;
    // during a run
    size_t row;
    double sum;
} Variant;

static CdStatus broken(const Variant *v, const CdJson *at, const char *what) {
    const CdPlace place = {.file = v->folder, .line = at ? at->line : 0, .col = at ? at->col : 0};
    return cdi_fail_at(v->ctx, CD_INVALID, &place, "check.json: %s", what);
}

static const char *text_of(const CdJson *object, const char *key) {
    const CdJson *j = cdi_json_get(object, key);
    return j && j->kind == CD_JSON_STRING ? j->text : NULL;
}

static double number_of(const CdJson *object, const char *key, double otherwise) {
    const CdJson *j = cdi_json_get(object, key);
    return j && j->kind == CD_JSON_NUMBER ? j->number : otherwise;
}

static bool is_fine(const CdJson *variant) {
    const CdJson *j = cdi_json_get(variant, "fine");
    return j && j->kind == CD_JSON_BOOL && j->boolean;
}

// ---- comparison, sample by sample

static int find_channel(const CdRunBegin *rows, const char *name) {
    for (int i = 0; i < rows->n; i++) {
        if (strcmp(rows->channels[i].name, name) == 0) return i;
    }
    return -1;
}

static CdStatus begin(void *user, const CdRunBegin *rows) {
    Variant *v = user;
    for (size_t k = 0; k < v->columns->n; k++) {
        const CdJson *c = &v->columns->items[k];
        v->column[k] = cdi_reference_column(&v->reference, c->key);
        v->channel[k] = find_channel(rows, c->text);
        if (v->column[k] < 0) return broken(v, c, "the reference has no such column");
        if (v->channel[k] < 0) return broken(v, c, "the model has no such channel");
    }
    return CD_OK;
}

static CdStatus compare(void *user, double t, const double *values) {
    Variant *v = user;
    const CdReference *r = &v->reference;
    if (v->row >= r->rows) return CD_OK;
    const double *ref = r->v + v->row * r->cols;
    const double span = r->v[(r->rows - 1) * r->cols];
    if (fabs(t - ref[0]) > TIME_TOLERANCE * span) {
        return broken(v, NULL, "times of the reference are not equally spaced from 0");
    }
    for (size_t k = 0; k < v->columns->n; k++) {
        const double y = values[v->channel[k]], y_ref = ref[v->column[k]];
        const double e = (y - y_ref) / fmax(fabs(y_ref), v->threshold);
        v->sum += e * e;
    }
    v->row++;
    return CD_OK;
}

static bool cancelled(void *user, double t) {
    const CdScoring *s = ((const Variant *)user)->scoring;
    return s->cancelled && s->cancelled(s->user, t);
}

// ---- one variant

static CdStatus read_run(Variant *v, const CdModel *model, const CdJson *json, CdObject **run) {
    const CdJson *given = cdi_json_get(json, "run");
    const CdSource source = {.file = v->folder, .params = model->params};
    if (!given) return broken(v, json, "\"run\" is missing: {\"duration\": ..., \"step\": ...}");
    CD_TRY(cdi_object_read(v->ctx, &cd_run, given, &source, run));
    if (v->scoring->method) {
        CD_TRY(cdi_object_set_text(*run, "method", v->scoring->method, NULL));
    }
    if (v->scoring->step > 0) CD_TRY(cdi_object_set_real(*run, "step", v->scoring->step));
    const CdReference *r = &v->reference;
    CD_TRY(cdi_object_set_real(*run, "interval", r->v[r->cols] - r->v[0]));
    return cdi_object_check(*run, &source);
}

static CdStatus score_run(Variant *v, const CdModel *model, const CdObject *run, CdScore *s) {
    const CdRunObserver observer = {
        .user = v, .begin = begin, .row = compare, .cancelled = cancelled};
    s->status = cdi_simulate_run(model, cdi_object_data(run), &observer, &s->run);
    const double n = (double)(v->reference.rows * v->columns->n);
    const bool all = s->status == CD_OK && v->row == v->reference.rows;
    s->error = all ? sqrt(v->sum / n) : INFINITY;
    s->passed = s->error <= s->limit;
    if (s->status == CD_CANCELLED || s->status == CD_NOMEM) return s->status;
    return v->scoring->score(v->scoring->user, s);
}

static CdStatus score_model(Variant *v, const char *path, const CdJson *json, CdScore *s) {
    CdModel *model;
    CdObject *run = NULL;
    CD_TRY(cdi_model_read_file(v->ctx, path, &model));
    CdStatus status = read_run(v, model, json, &run);
    if (status == CD_OK) status = score_run(v, model, run, s);
    cdi_object_free(run);
    cdi_model_free(model);
    return status;
}

static CdStatus check_columns(Variant *v, const CdJson *json) {
    v->columns = cdi_json_get(json, "columns");
    if (!v->columns || v->columns->kind != CD_JSON_OBJECT || v->columns->n == 0 ||
        v->columns->n > COLUMNS_MAX) {
        return broken(v, json, "\"columns\" must name channels: {\"x\": \"tip.x\"}");
    }
    for (size_t k = 0; k < v->columns->n; k++) {
        if (v->columns->items[k].kind != CD_JSON_STRING) {
            return broken(v, &v->columns->items[k], "a channel must be given as text");
        }
    }
    return CD_OK;
}

static CdStatus score_variant(Variant *v, const char *file, const CdJson *json, CdScore *s) {
    const char *model = text_of(json, "model"), *reference = text_of(json, "reference");
    if (!model || !reference) return broken(v, json, "a variant needs \"model\" and \"reference\"");
    CD_TRY(check_columns(v, json));
    v->threshold = number_of(json, "threshold", 1e-3);
    s->limit = number_of(json, "limit", 1e-3);
    char *model_path = cdi_path_join(v->ctx, file, model);
    char *reference_path = cdi_path_join(v->ctx, file, reference);
    CdStatus status = model_path && reference_path ? CD_OK : CD_NOMEM;
    if (status == CD_OK) status = cdi_reference_read(v->ctx, reference_path, &v->reference);
    if (status == CD_OK) status = score_model(v, model_path, json, s);
    cdi_reference_free(&v->reference);
    cdi_free(v->ctx, model_path);
    cdi_free(v->ctx, reference_path);
    return status;
}

// ---- a folder

static CdStatus score_all(CdContext *ctx, const char *file, const CdJson *root,
                          const CdScoring *scoring) {
    const CdJson *variants = cdi_json_get(root, "variants");
    const char *problem = text_of(root, "problem");
    bool found = false;
    const Variant blank = {.ctx = ctx, .folder = file, .scoring = scoring};
    if (!variants || variants->kind != CD_JSON_ARRAY || !problem) {
        return broken(&blank, root, "\"problem\" and \"variants\" are missing");
    }
    for (size_t i = 0; i < variants->n; i++) {
        const CdJson *json = &variants->items[i];
        const char *name = text_of(json, "name");
        if (!name) return broken(&blank, json, "a variant needs a \"name\"");
        if (scoring->variant && strcmp(scoring->variant, name) != 0) continue;
        if (scoring->quick && is_fine(json)) continue;
        found = true;
        Variant v = blank;
        CdScore s = {.problem = problem, .variant = name};
        CD_TRY(score_variant(&v, file, json, &s));
    }
    if (found) return CD_OK;
    return cdi_fail(ctx, CD_NOTFOUND, "problem '%s' has no variant '%s'", problem,
                    scoring->variant ? scoring->variant : "");
}

CdStatus cdi_score_folder(CdContext *ctx, const char *folder, const CdScoring *scoring) {
    CdText path;
    CdJsonDoc *doc = NULL;
    cdi_text_init(&path, ctx);
    cdi_text_addf(&path, "%s/check.json", folder);
    CdStatus status = path.status;
    if (status == CD_OK) status = cdi_json_read_file(ctx, path.v, CD_JSON_LIMITS, &doc);
    if (status == CD_OK) status = score_all(ctx, path.v, cdi_json_root(doc), scoring);
    cdi_json_free(doc);
    cdi_text_free(&path);
    return status;
}
