// fuzz_desc.c - whatever is read as an object of every field type is written and read again to the
// same
#include <stdlib.h>
#include <string.h>

#include "../desc/gadget.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void demand(bool ok) {
    if (!ok) abort();
}

static void count(void *user, const CdMessage *message) {
    char text[300];
    demand(cd_message_format(message, text, sizeof text) > 0);
    ++*(int *)user;
}

// NULL and at least one message, or an object and none
static CdObject *read(CdContext *ctx, const char *text, size_t n) {
    CdJsonLimits limits = {.bytes = (size_t)1 << 20, .values = 20000, .depth = 32};
    CdJsonDoc *doc;
    CdObject *object = NULL;
    int messages = 0;
    cd_context_set_sink(ctx, count, &messages);
    CdSource source = {.file = "fuzz", .no_files = true};
    CdStatus status = cdi_json_read(ctx, "fuzz", text, n, limits, &doc);
    if (status == CD_OK) {
        status = cdi_object_read(ctx, &gadget_class, cdi_json_root(doc), &source, &object);
    }
    demand((status == CD_OK) == (object != NULL) && (status == CD_OK) == (messages == 0));
    cdi_json_free(doc);
    return object;
}

static CdText write(CdContext *ctx, const CdObject *object, CdWriteForm form) {
    CdText out;
    CdJsonWriter w;
    cdi_text_init(&out, ctx);
    cdi_json_writer_init(&w, &out, 2);
    cdi_object_write(object, &w, form);
    demand(out.status == CD_OK);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    CdContext *ctx = cd_context_new(NULL);
    CdObject *object = read(ctx, (const char *)data, n);
    for (int form = CD_AS_GIVEN; object && form <= CD_RESOLVED; form++) {
        CdText once = write(ctx, object, (CdWriteForm)form);
        CdObject *again = read(ctx, once.v, once.n);
        demand(again != NULL);
        CdText twice = write(ctx, again, (CdWriteForm)form);
        demand(strcmp(once.v, twice.v) == 0);
        cdi_text_free(&once);
        cdi_text_free(&twice);
        cdi_object_free(again);
    }
    cdi_object_free(object);
    demand(cd_context_memory(ctx).live_blocks == 0);
    cd_context_free(ctx);
    return 0;
}
