// fuzz_method.c - whatever is written as a method gives an integrator that runs, or messages
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "integrators/driver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void demand(bool ok) {
    if (!ok) abort();
}

static void count(void *user, const CdMessage *message) {
    char text[300];
    demand(cd_message_format(message, text, sizeof text) > 0);
    ++*(int *)user;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    CdContext *ctx = cd_context_new(NULL);
    const CdIntegratorClass *cls;
    CdObject *options;
    int messages = 0;
    cd_context_set_sink(ctx, count, &messages);
    char *text = cdi_strndup(ctx, (const char *)data, n);
    const CdStatus status = cdi_method_read(ctx, text, &cls, &options);
    demand((status == CD_OK) == (options != NULL) && (status == CD_OK) == (messages == 0));
    if (options) {
        const CdCommonOptions *o = cdi_object_data(options);
        demand(o->step >= 0 && o->rtol > 0 && o->atol > 0 && (o->adaptive || o->step > 0));
        demand(o->digits == 0 || (o->adaptive && o->digits <= cls->calibration.most));
        demand(o->event_limit >= 1 && o->max_steps >= 0 && cls->order >= 1);
    }
    cdi_object_free(options);
    cdi_free(ctx, text);
    demand(cd_context_memory(ctx).live_blocks == 0);
    cd_context_free(ctx);
    return 0;
}
