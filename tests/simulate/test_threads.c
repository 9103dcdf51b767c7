// test_threads.c - the same bits for any number of threads
#include <string.h>

#include "simulate/simulate.h"
#include "test.h"

#define LINKS 60

// a hanging chain of links with a spring beside every joint; wide enough for several ranges
static void write_chain(CdText *text) {
    cdi_text_add(text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\"}");
    for (int i = 0; i < LINKS; i++) {
        char above[16] = "ground";
        if (i > 0) snprintf(above, sizeof above, "b%d", i - 1);
        cdi_text_addf(text,
                      ", {\"class\": \"RigidBody\", \"name\": \"b%d\", \"position\": [%g, 0, 0], "
                      "\"shape\": {\"class\": \"Cuboid\", \"size\": [0.1, 0.02, 0.03]}}",
                      i, 0.05 + 0.1 * i);
        cdi_text_addf(text,
                      ", {\"class\": \"UniversalJoint\", \"name\": \"j%d\", \"body_a\": \"%s\", "
                      "\"body_b\": \"b%d\", \"at\": [%g, 0, 0], \"axis\": [0, 0, 1]}",
                      i, above, i, 0.1 * i);
        cdi_text_addf(text,
                      ", {\"class\": \"Marker\", \"name\": \"m%d\", \"body\": \"b%d\", "
                      "\"position\": [0, 0.03, 0.01]}",
                      i, i);
        if (i == 0) continue;
        cdi_text_addf(text,
                      ", {\"class\": \"SpringDamper\", \"name\": \"s%d\", \"marker_a\": \"m%d\", "
                      "\"marker_b\": \"m%d\", \"length\": 0.09, \"stiffness\": 50, \"damping\": 1}",
                      i, i - 1, i);
    }
    cdi_text_add(text, "]}");
}

static uint64_t hash_with(const CdModel *model, const char *method, int threads) {
    const CdRunOptions options = {
        .duration = 0.05, .step = 0.001, .method = (char *)method, .threads = threads};
    CdRunSummary summary;
    CHECK_OK(cdi_simulate_run(model, &options, NULL, &summary));
    CHECK_INT(summary.stats.steps, 50);
    return summary.hash;
}

TEST(any_number_of_threads_gives_the_same_bits) {
    static const char *const methods[] = {"gen-alpha", "rk4 formulation=index1",
                                          "gen-alpha formulation=index3"};
    TestLog log;
    CdText text;
    CdModel *model;
    test_log_open(&log);
    cdi_text_init(&text, log.ctx);
    write_chain(&text);
    CHECK_OK(cdi_model_read_text(log.ctx, text.v, text.n, "chain.json", &model));
    for (int k = 0; model && k < 3; k++) {
        const uint64_t one = hash_with(model, methods[k], 1);
        CHECK(hash_with(model, methods[k], 2) == one);
        CHECK(hash_with(model, methods[k], 3) == one);
        CHECK(hash_with(model, methods[k], 8) == one);
    }
    CHECK_TEXT(log.text, "");
    cdi_model_free(model);
    cdi_text_free(&text);
    test_log_close(&log);
}

int main(void) {
    RUN(any_number_of_threads_gives_the_same_bits);
    return test_end();
}
