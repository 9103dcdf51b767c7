// test_allocations.c - no step of any problem asks for memory
//
// Every variant of every folder with a check.json runs as it is scored, only not as far. The first
// steps may find that the order of a matrix, guessed from its pattern, has to be chosen by its
// values.
#include <dirent.h>
#include <string.h>

#include "simulate/simulate.h"
#include "test.h"

#define FOLDER CD_SOURCE_DIR "/problems/"
// steps before and while blocks are counted
#define FIRST 10
#define LAST 40
#define VARIANTS_LEAST 20

typedef struct Count {
    CdContext *ctx;
    int steps;
    uint64_t blocks, within; // at the first step that counts; more since then
} Count;

static CdStatus at_pause(void *user, bool *save) {
    Count *c = user;
    const uint64_t blocks = cd_context_memory(c->ctx).total_blocks;
    *save = false;
    if (++c->steps == FIRST) c->blocks = blocks;
    c->within = c->steps > FIRST ? blocks - c->blocks : 0;
    return CD_OK;
}

static bool enough(void *user, double t) {
    (void)t;
    return ((const Count *)user)->steps == LAST;
}

static CdStatus row(void *user, double t, const double *values) {
    (void)user, (void)t, (void)values;
    return CD_OK;
}

// of one variant, blocks that were taken within its steps
static uint64_t count(CdContext *ctx, const char *folder, const CdJson *variant) {
    char path[512];
    CdModel *model;
    CdObject *run;
    CdRunSummary summary;
    Count c = {.ctx = ctx};
    const CdRunObserver observer = {.user = &c, .row = row, .pause = at_pause, .cancelled = enough};
    snprintf(path, sizeof path, "%s/%s", folder, cdi_json_get(variant, "model")->text);
    CHECK_OK(cdi_model_read_file(ctx, path, &model));
    const CdSource source = {.file = path, .params = model->params};
    CHECK_OK(cdi_object_read(ctx, &cd_run, cdi_json_get(variant, "run"), &source, &run));
    CHECK_INT(cdi_simulate_run(model, cdi_object_data(run), &observer, &summary), CD_CANCELLED);
    CHECK_INT(c.steps, LAST);
    cdi_object_free(run);
    cdi_model_free(model);
    return c.within;
}

static int check_folder(const char *folder) {
    char path[512];
    TestLog log;
    CdJsonDoc *doc;
    int n = 0;
    snprintf(path, sizeof path, "%s/check.json", folder);
    test_log_open(&log);
    if (cdi_json_read_file(log.ctx, path, CD_JSON_LIMITS, &doc) == CD_OK) {
        const CdJson *variants = cdi_json_get(cdi_json_root(doc), "variants");
        for (; n < (int)variants->n; n++) {
            const uint64_t blocks = count(log.ctx, folder, &variants->items[n]);
            if (blocks) printf("%s: variant %d takes memory\n", folder, n);
            CHECK_INT(blocks, 0);
        }
        cdi_json_free(doc);
    }
    test_log_close(&log);
    return n;
}

TEST(steps_of_problems_take_no_memory) {
    DIR *dir = opendir(FOLDER);
    int n = 0;
    CHECK(dir);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        char folder[512];
        if (e->d_name[0] == '.') continue;
        snprintf(folder, sizeof folder, FOLDER "%s", e->d_name);
        n += check_folder(folder);
    }
    if (dir) closedir(dir);
    CHECK(n >= VARIANTS_LEAST);
}

int main(void) {
    RUN(steps_of_problems_take_no_memory);
    return test_end();
}
