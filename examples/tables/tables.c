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

static CdStatus print_object(CdContext *ctx, const CdObject *object, CdWriteForm form) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_object_write(object, &w, form);
    CdStatus status = text.status;
    const char *what = form == CD_AS_GIVEN ? "as given" : "resolved, in SI units";
    if (status == CD_OK) printf("%s:\n%s\n\n", what, text.v);
    cdi_text_free(&text);
    return status;
}

static CdStatus read_item(CdContext *ctx, const CdJson *json, const CdSource *source, bool print) {
    CdObject *object;
    CD_TRY(cdi_object_read(ctx, &cd_wheel, json, source, &object));
    CdStatus status = print ? print_object(ctx, object, CD_AS_GIVEN) : CD_OK;
    if (print && status == CD_OK) status = print_object(ctx, object, CD_RESOLVED);
    cdi_object_free(object);
    return status;
}

// every item is read, so that all mistakes are told
static CdStatus read_items(CdContext *ctx, const CdJson *items, const CdSource *source,
                           bool print) {
    CdStatus status = CD_OK;
    for (size_t i = 0; items && items->kind == CD_JSON_ARRAY && i < items->n; i++) {
        CdStatus one = read_item(ctx, items->items + i, source, print);
        if (one != CD_OK) status = one;
    }
    return status;
}

// {"parameters": {...}, "items": [...]}
static CdStatus read_file(CdContext *ctx, const char *path, bool print) {
    CdJsonDoc *doc;
    CD_TRY(cdi_json_read_file(ctx, path, CD_JSON_LIMITS, &doc));
    const CdJson *given = cdi_json_get(cdi_json_root(doc), "parameters");
    const CdJson *items = cdi_json_get(cdi_json_root(doc), "items");
    CdParams *params = NULL;
    CdStatus status = given ? cdi_params_read(ctx, given, path, &params) : CD_OK;
    CdSource source = {.file = path, .params = params};
    if (status == CD_OK) status = read_items(ctx, items, &source, print);
    cdi_params_free(ctx, params);
    cdi_json_free(doc);
    return status;
}

static CdStatus print_schema(CdContext *ctx) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_desc_schema(&cd_wheel, &w);
    if (text.status == CD_OK) printf("%s\n", text.v);
    CdStatus status = text.status;
    cdi_text_free(&text);
    return status;
}

static CdStatus print_manual(CdContext *ctx) {
    CdText text;
    cdi_text_init(&text, ctx);
    cdi_desc_manual(&cd_wheel, &text);
    if (text.status == CD_OK) printf("%s", text.v);
    CdStatus status = text.status;
    cdi_text_free(&text);
    return status;
}

static CdStatus tour(CdContext *ctx, const char *good, const char *wrong) {
    CD_TRY(cdi_desc_validate(ctx, &cd_wheel));
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
