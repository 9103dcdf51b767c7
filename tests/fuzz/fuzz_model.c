// fuzz_model.c - any text as a model: it is refused with a message, or written, read again to the
// same, assembled and simulated for a few steps; nothing is left behind
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_mutate.h"
#include "simulate/check.h"

// beyond these an input only takes time
#define BYTES_MAX 20000
#define ITEMS_MAX 40

#define STEPS 10

#define WORDS_MAX 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed);
// of libFuzzer; not there when a corpus is replayed
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max) __attribute__((weak));

static void demand(bool ok) {
    if (!ok) abort();
}

static void count(void *user, const CdMessage *message) {
    char text[300];
    demand(cd_message_format(message, text, sizeof text) > 0);
    *(int *)user += message->level == CD_ERROR;
}

// NULL and at least one message, or a model and none
static CdModel *read(CdContext *ctx, const char *text, size_t n) {
    CdModel *model;
    int errors = 0;
    cd_context_set_sink(ctx, count, &errors);
    const CdStatus status = cdi_model_read_foreign(ctx, text, n, &model);
    demand((status == CD_OK) == (model != NULL) && (status == CD_OK) == (errors == 0));
    return model;
}

static CdText write(CdContext *ctx, const CdModel *model, CdWriteForm form) {
    CdText out;
    CdJsonWriter w;
    cdi_text_init(&out, ctx);
    cdi_json_writer_init(&w, &out, 2);
    cdi_model_write(model, &w, form);
    demand(out.status == CD_OK);
    return out;
}

static void write_and_read(CdContext *ctx, const CdModel *model) {
    CdText once = write(ctx, model, CD_AS_GIVEN);
    CdModel *again = read(ctx, once.v, once.n);
    demand(again != NULL);
    CdText twice = write(ctx, again, CD_AS_GIVEN);
    demand(strcmp(once.v, twice.v) == 0);
    cdi_text_free(&once);
    cdi_text_free(&twice);
    cdi_model_free(again);
}

static void check(CdContext *ctx, const CdModel *model) {
    CdCheck *found;
    int errors = 0;
    cd_context_set_sink(ctx, count, &errors);
    const CdStatus status = cdi_check(model, &found);
    demand(status == CD_OK || errors > 0);
    cdi_check_free(found);
}

static CdStatus step(CdSimulation *sim) {
    double value;
    CD_TRY(cd_simulation_start(sim));
    for (int i = 0; i < STEPS; i++) CD_TRY(cd_simulation_step(sim, 1));
    for (int i = 0; i < cd_simulation_channels(sim); i++) {
        CD_TRY(cd_simulation_get(sim, cd_simulation_channel(sim, i, NULL), &value));
    }
    return CD_OK;
}

static void simulate(CdContext *ctx, CdModel *model, const char *method) {
    CdSimulation *sim;
    int errors = 0;
    cd_context_set_sink(ctx, count, &errors);
    CdStatus status = cd_simulation_new(model, method, &sim);
    if (status == CD_OK) status = step(sim);
    cd_simulation_free(sim);
    demand((status == CD_OK) == (errors == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    if (n > BYTES_MAX) return 0;
    CdContext *ctx = cd_context_new(NULL);
    CdModel *model = read(ctx, (const char *)data, n);
    if (model && model->items.n <= ITEMS_MAX) {
        write_and_read(ctx, model);
        check(ctx, model);
        simulate(ctx, model, "rk4(step=0.001)");
        simulate(ctx, model, "gen-alpha(step=0.001)");
    }
    cdi_model_free(model);
    demand(cd_context_memory(ctx).live_blocks == 0);
    cd_context_free(ctx);
    return 0;
}

// ---- mutations

static const char *const values[] = {
    "0",           "1",          "-1",          "0.5",       "1e300",
    "1e-300",      "-1e9",       "1e-9",        "3",         "null",
    "true",        "[]",         "{}",          "[0, 0, 0]", "[0, 1, 0]",
    "[1, 2, 3]",   "\"ground\"", "\"1/0\"",     "\"t\"",     "\"sin(t)\"",
    "\"exp(t)\"",  "\"2 mm\"",   "\"x\"",       "\"rz\"",    "\"position\"",
    "\"1e308*2\"", "\"t^0.5\"",  "[1, 0, 0, 0]"};

// values, names of all classes and of their fields
static size_t list_words(char (*text)[64], const char **words) {
    size_t n = sizeof values / sizeof *values, k = 0;
    memcpy(words, values, sizeof values);
    for (const CdItemClass *const *c = cd_item_classes; *c; c++) {
        for (int i = -1; i < (*c)->desc.nfields && n < WORDS_MAX; i++) {
            const char *name = i < 0 ? (*c)->desc.name : (*c)->desc.fields[i].name;
            snprintf(text[k], sizeof text[k], "\"%s\"", name);
            words[n++] = text[k++];
        }
    }
    return n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed) {
    static char text[WORDS_MAX][64];
    static const char *words[WORDS_MAX];
    static size_t nwords;
    if (nwords == 0) nwords = list_words(text, words);
    if (seed % 4 == 0 && LLVMFuzzerMutate) return LLVMFuzzerMutate(data, n, max);
    return mutate_json((char *)data, n, max, words, nwords, seed);
}
