// fuzz_json.c - whatever is read as JSON is written, read and written again to the same text
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

#define NINDENT 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void demand(bool ok) {
    if (!ok) abort();
}

// a refusal has its one message with a place; success has none
typedef struct Heard {
    int messages;
    CdMessage last;
} Heard;

static void hear(void *user, const CdMessage *message) {
    Heard *heard = user;
    heard->messages++;
    heard->last = *message;
    char text[200];
    demand(cd_message_format(message, text, sizeof text) > 0);
}

static CdText write(CdContext *ctx, const CdJsonDoc *doc, int indent) {
    CdText out;
    CdJsonWriter w;
    cdi_text_init(&out, ctx);
    cdi_json_writer_init(&w, &out, indent);
    cdi_json_value(&w, cdi_json_root(doc));
    demand(out.status == CD_OK);
    return out;
}

static CdJsonDoc *read(CdContext *ctx, const char *text, size_t n) {
    // the writer adds blanks, so what it wrote may be longer than what was read
    CdJsonLimits limits = {.bytes = (size_t)1 << 20, .values = 4096, .depth = 32};
    Heard heard = {0};
    CdJsonDoc *doc;
    cd_context_set_sink(ctx, hear, &heard);
    CdStatus status = cdi_json_read(ctx, "fuzz", text, n, limits, &doc);
    demand((status == CD_OK) == (doc != NULL));
    demand(heard.messages == (status != CD_OK));
    demand(status == CD_OK || status == CD_INVALID || status == CD_LIMIT);
    if (status != CD_OK) demand(heard.last.status == status);
    if (status == CD_INVALID) demand(heard.last.place.line > 0 && heard.last.place.col > 0);
    return doc;
}

// write, read, write: the two texts are equal
static void round_trip(CdContext *ctx, const CdJsonDoc *doc, int indent) {
    CdText once = write(ctx, doc, indent);
    CdJsonDoc *again = read(ctx, once.v, once.n);
    demand(again != NULL);
    CdText twice = write(ctx, again, indent);
    demand(once.n == twice.n && memcmp(once.v, twice.v, once.n) == 0);
    cdi_json_free(again);
    cdi_text_free(&once);
    cdi_text_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static const int indents[NINDENT] = {0, 2, 5};
    CdContext *ctx = cd_context_new(NULL);
    demand(ctx != NULL);
    CdJsonDoc *doc = read(ctx, (const char *)data, n);
    if (doc) {
        for (int i = 0; i < NINDENT; i++) round_trip(ctx, doc, indents[i]);
    }
    cdi_json_free(doc);
    demand(cd_context_memory(ctx).live_blocks == 0);
    cd_context_free(ctx);
    return 0;
}
