// test_few.c - few masses, whose steps leave out what only larger models need, move as they should
//
//   m x'' = -k (x - L) from rest at 0, trapezoidal rule of step h:
//   x_n = L (1 - cos n phi),   tan phi/2 = sqrt(k/m) h/2
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/threads.h"

#define LENGTH 0.01
#define STEPS 200
#define MASSES_MAX 65 // one more than a block has

typedef struct Tape {
    int at[MASSES_MAX]; // channels of places
    double place[MASSES_MAX];
} Tape;

static CdStatus begin(void *user, const CdRunBegin *rows) {
    Tape *tape = user;
    for (int k = 0; k < rows->n; k++) {
        int i, end = 0;
        if (sscanf(rows->channels[k].name, "p%d.x%n", &i, &end) != 1) continue;
        if (end > 0 && !rows->channels[k].name[end]) tape->at[i] = k;
    }
    return CD_OK;
}

static CdStatus row(void *user, double t, const double *values) {
    Tape *tape = user;
    (void)t;
    for (int i = 0; i < MASSES_MAX; i++) tape->place[i] = values[tape->at[i]];
    return CD_OK;
}

static double exact(double stiffness) {
    const double phi = 2 * atan(sqrt(stiffness) * THREADS_STEP / 2);
    return LENGTH * (1 - cos(STEPS * phi));
}

TEST(few_masses_move_as_the_rule_says) {
    static const int sizes[] = {1, 2, 3, 10, 64, MASSES_MAX};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        TestLog log;
        CdText text;
        CdModel *model;
        Tape tape = {.at = {0}};
        CdRunSummary summary;
        const CdRunObserver observer = {.user = &tape, .begin = begin, .row = row};
        const CdRunOptions options = {
            .duration = STEPS * THREADS_STEP,
            .step = THREADS_STEP,
            .method = (char *)"threads=1 integrator=gen-alpha(rho=1,adaptive=false)",
            .threads = 1};
        test_log_open(&log);
        cdi_text_init(&text, log.ctx);
        cdi_text_add(&text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": "
                            "\"none\", \"acceleration\": [0, 0, 0]}");
        write_masses(&text, sizes[k]);
        cdi_text_add(&text, "]}");
        CHECK_OK(cdi_model_read_text(log.ctx, text.v, text.n, "few.json", &model));
        CHECK_OK(cdi_simulate_run(model, &options, &observer, &summary));
        CHECK_INT(summary.stats.steps, STEPS);
        // Newton's method would mend what is solved wrongly
        CHECK(summary.stats.jacobians <= 2);
        CHECK(summary.stats.iterations < STEPS + STEPS / 4);
        for (int i = 0; i < sizes[k]; i++) CHECK_NEAR(tape.place[i], exact(100 + i), 1e-13);
        CHECK_TEXT(log.text, "");
        cdi_model_free(model);
        cdi_text_free(&text);
        test_log_close(&log);
    }
}

int main(void) {
    RUN(few_masses_move_as_the_rule_says);
    return test_end();
}
