// tables.c - reads a description through its table and prints all that the table gives
//
//   tables good.json wrong.json      the tour of ./do demo
//   tables --schema                  the JSON Schema alone
//   tables --check FILE              messages of one file; exit code 1 if there are any

#include <stdio.h>
#include <string.h>

#include "wheel.h"

static void print_message(void *user, const CdMessage *message) {
    char line[1000];
    cd_message_format(message, line, sizeof line);
    fprintf(user, "%s\n", line);
}

// {"parameters": {...}, "items": [...]}: read every item, print those that are good
static CdStatus read_file(CdContext *ctx, const char *path, bool print) {
    CdJsonDoc *doc;
    CdParams *params = NULL;
    CD_TRY(cdi_json_read_file(ctx, path, CD_JSON_LIMITS, &doc));
    const CdJson *root = cdi_json_root(doc);
    const CdJson *given = cdi_json_get(root, "parameters");
    const CdJson *items = cdi_json_get(root, "items");
    CdStatus status = given ? cd_params_read(ctx, given, path, &params) : CD_OK;
    CdSource source = {.file = path, .params = params};
    for (size_t i = 0; status != CD_NOMEM && items && i < items->n; i++) {
        CdObject *object;
        CdStatus one = cd_object_read(ctx, &wheel_class, items->items + i, &source, &object);
        if (one != CD_OK) status = one;
        for (int form = CD_AS_GIVEN; print && object && form <= CD_RESOLVED; form++) {
            CdText text;
            CdJsonWriter w;
            cdi_text_init(&text, ctx);
            cdi_json_writer_init(&w, &text, 2);
            cd_object_write(object, &w, (CdWriteForm)form);
            printf("%s:\n%s\n\n", form == CD_AS_GIVEN ? "as given" : "resolved, in SI units",
                   text.status == CD_OK ? text.v : cd_status_text(text.status));
            cdi_text_free(&text);
        }
        cd_object_free(object);
    }
    cd_params_free(ctx, params);
    cdi_json_free(doc);
    return status;
}

static CdStatus print_schema(CdContext *ctx) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, ctx);
    cdi_json_writer_init(&w, &text, 2);
    cd_desc_schema(&wheel_class, &w);
    if (text.status == CD_OK) printf("%s\n", text.v);
    CdStatus status = text.status;
    cdi_text_free(&text);
    return status;
}

static CdStatus print_manual(CdContext *ctx) {
    CdText text;
    cdi_text_init(&text, ctx);
    cd_desc_manual(&wheel_class, &text);
    if (text.status == CD_OK) printf("%s", text.v);
    CdStatus status = text.status;
    cdi_text_free(&text);
    return status;
}

static CdStatus tour(CdContext *ctx, const char *good, const char *wrong) {
    printf("==== %s, read through the table of Wheel and printed back\n\n", good);
    CD_TRY(read_file(ctx, good, true));
    printf("==== its manual page\n\n");
    CD_TRY(print_manual(ctx));
    printf("\n==== its JSON Schema\n\n");
    CD_TRY(print_schema(ctx));
    printf("\n==== the mistakes of %s, all told at once\n\n", wrong);
    fflush(stdout);
    return read_file(ctx, wrong, false) == CD_INVALID ? CD_OK : CD_BUG;
}

int main(int argc, char **argv) {
    CdContext *ctx = cd_context_new(NULL);
    if (!ctx) return 1;
    CdStatus status = CD_INVALID;
    if (argc == 2 && strcmp(argv[1], "--schema") == 0) {
        cd_context_set_sink(ctx, print_message, stderr);
        status = print_schema(ctx);
    } else if (argc == 3 && strcmp(argv[1], "--check") == 0) {
        cd_context_set_sink(ctx, print_message, stderr);
        status = read_file(ctx, argv[2], false);
    } else if (argc == 3 && argv[1][0] != '-') {
        cd_context_set_sink(ctx, print_message, stdout);
        status = tour(ctx, argv[1], argv[2]);
    } else {
        fprintf(stderr, "usage: tables GOOD.json WRONG.json | --schema | --check FILE\n");
    }
    cd_context_free(ctx);
    return status == CD_OK ? 0 : 1;
}
