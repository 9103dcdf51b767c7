// test_examples.c - the example of every class, read and run in a small model that has what it
// refers to; and all tables looked through
#include <string.h>

#include "cardan/integrator.h"
#include "system/system.h"
#include "test.h"

#define MAX_TEXT 8192
#define MAX_STATE 64

// what examples may refer to; an item is taken when its name occurs in the text so far
typedef struct Support {
    const char *name, *item;
} Support;

static const Support supports[] = {
    {"place", "{\"class\": \"Sensor\", \"name\": \"place\", \"body\": \"link\"}"},
    {"strut", "{\"class\": \"SpringDamper\", \"name\": \"strut\", \"marker_a\": \"top\", "
              "\"marker_b\": \"hub\", \"length\": 0.5, \"stiffness\": 100}"},
    {"joint", "{\"class\": \"RevoluteJoint\", \"name\": \"joint\", \"body_b\": \"link\"}"},
    {"hinge", "{\"class\": \"RevoluteJoint\", \"name\": \"hinge\", \"body_b\": \"link\"}"},
    {"pivot", "{\"class\": \"Marker\", \"name\": \"pivot\", \"body\": \"ground\"}"},
    {"top", "{\"class\": \"Marker\", \"name\": \"top\", \"body\": \"ground\", \"position\": "
            "[0, 1, 0]}"},
    {"tip", "{\"class\": \"Marker\", \"name\": \"tip\", \"body\": \"link\", \"position\": "
            "[0.5, 0, 0]}"},
    {"hub", "{\"class\": \"Marker\", \"name\": \"hub\", \"body\": \"link\"}"},
    {"drive", "{\"class\": \"CoordinateMarker\", \"name\": \"drive\", \"body\": \"wheel\", "
              "\"coordinate\": \"angle\"}"},
    {"height", "{\"class\": \"CoordinateMarker\", \"name\": \"height\", \"body\": \"link\", "
               "\"coordinate\": \"y\"}"},
    {"wheel", "{\"class\": \"Rotor\", \"name\": \"wheel\", \"inertia\": 0.1}"},
    {"link", "{\"class\": \"RigidBody\", \"name\": \"link\", \"position\": [1, 0, 0], \"mass\": 2, "
             "\"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}"},
};
enum { NSUPPORTS = sizeof supports / sizeof *supports };

// the name in quotes, behind a key; key "": as any value
static bool has(const char *text, const char *key, const char *name) {
    char word[MAX_TEXT];
    const size_t n = (size_t)snprintf(word, sizeof word, "%s\"%s\"", key, name);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if (at[n] != ':') return true;
    }
    return false;
}

// by an expression that begins with it
static bool is_read(const char *text, const char *name) {
    char word[MAX_TEXT];
    snprintf(word, sizeof word, "\"%s.", name);
    return strstr(text, word) != NULL;
}

// supports stand in an order such that what an item refers to comes later
static void write_model(const char *example, char *text, size_t size) {
    size_t n = (size_t)snprintf(text, size, "{\"cardan\": 1, \"items\": [%s", example);
    for (int i = 0; i < NSUPPORTS; i++) {
        const char *name = supports[i].name;
        if (has(text, "\"name\": ", name)) continue;
        if (!has(text, "", name) && !is_read(text, name)) continue;
        n += (size_t)snprintf(text + n, size - n, ", %s", supports[i].item);
    }
    snprintf(text + n, size - n, "]}");
}

static void run(CdContext *ctx, const CdModel *model) {
    double q[MAX_STATE], v[MAX_STATE];
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    CdIntegrator *it;
    CHECK_OK(cdi_system_new(model, &system));
    CHECK_OK(cdi_system_work_new(system, NULL, &work));
    cdi_system_problem(work, &problem);
    cdi_system_start(system, q, v);
    if (system->nv > 0 && CHECK_OK(cd_integrator_new(ctx, &problem, "rk4(step=0.001)", &it))) {
        CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = q, .v = v}));
        CHECK_OK(cd_integrator_run(it, 0.02, NULL));
        cd_integrator_free(it);
    }
    cdi_system_work_free(work);
    cdi_system_free(system);
}

static CdText written(CdModel *model) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, model->ctx);
    cdi_json_writer_init(&w, &text, 0);
    cdi_json_begin_array(&w, false);
    for (size_t i = 0; i < model->items.n; i++) {
        cdi_object_write(model->items.v[i]->object, &w, CD_RESOLVED);
    }
    cdi_json_end_array(&w);
    return text;
}

// the fields are taken from what the object keeps of them
static void read_again(CdModel *model) {
    CdModel *again;
    if (!CHECK_OK(cdi_model_vary(model, NULL, 0, &again))) return;
    CdText a = written(model), b = written(again);
    CHECK_TEXT(b.v, a.v);
    cdi_text_free(&a);
    cdi_text_free(&b);
    cdi_model_free(again);
}

static void check_example(const CdItemClass *cls) {
    char text[MAX_TEXT];
    TestLog log;
    CdModel *model;
    test_log_open(&log);
    write_model(cls->desc.example, text, sizeof text);
    CHECK(has(cls->desc.example, "\"class\": ", cls->desc.name));
    if (CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), cls->desc.name, &model))) {
        run(log.ctx, model);
        read_again(model);
        cdi_model_free(model);
    }
    if (!CHECK_TEXT(log.text, "")) printf("  from %s\n", text);
    test_log_close(&log);
}

TEST(every_example_runs_without_a_message) {
    int n = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++, n++) check_example(*cls);
    CHECK(n >= 20);
}

static CdStatus assemble(CdContext *ctx, void *user) {
    CdModel *model;
    CdSystem *system;
    CD_TRY(cdi_model_read_text(ctx, user, strlen(user), "x", &model));
    const CdStatus status = cdi_system_new(model, &system);
    cdi_system_free(system);
    cdi_model_free(model);
    return status;
}

TEST(memory_may_run_out_in_any_example) {
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        char text[MAX_TEXT];
        write_model((*cls)->desc.example, text, sizeof text);
        CHECK_OOM(assemble, text);
    }
}

TEST(every_table_is_sound) {
    TestLog log;
    test_log_open(&log);
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        CHECK_OK(cdi_desc_validate(log.ctx, &(*cls)->desc));
        CHECK((*cls)->desc.example != NULL);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(names_of_classes_are_found_and_unique) {
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        CHECK(cdi_item_class((*cls)->desc.name) == *cls);
    }
    CHECK(cdi_item_class("revolutejoint") == NULL);
}

int main(void) {
    RUN(every_example_runs_without_a_message);
    RUN(memory_may_run_out_in_any_example);
    RUN(every_table_is_sound);
    RUN(names_of_classes_are_found_and_unique);
    return test_end();
}
