// verb_help.c - cardan help [CLASS]: manual pages of items, from their tables
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "geom/shape.h"
#include "model/model.h"

extern const CliVerb cli_help;

// classes of a model file beside items
static const CdDesc *const others[] = {&cd_include, &cd_run, NULL};

static void list(const char *title, const CdDesc *const *classes) {
    puts(title);
    for (const CdDesc *const *d = classes; *d; d++) printf("  %-22s %s\n", (*d)->name, (*d)->doc);
}

static void list_items(void) {
    for (int c = 0; c < CD_NCATEGORIES; c++) {
        printf("%s\n", cdi_category_names[c]);
        for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
            if ((int)(*cls)->category != c) continue;
            printf("  %-22s %s\n", (*cls)->desc.name, (*cls)->desc.doc);
        }
    }
    list("shape", cdi_shape_classes);
    list("model", others);
    puts("\ncardan help CLASS shows fields, units, defaults and an example.");
}

static const CdDesc *find(const char *name, CdSuggestion *s) {
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if (strcmp((*cls)->desc.name, name) == 0) return &(*cls)->desc;
        cdi_suggest_from(s, (*cls)->desc.name);
    }
    const CdDesc *const *lists[] = {cdi_shape_classes, others};
    for (int i = 0; i < 2; i++) {
        for (const CdDesc *const *d = lists[i]; *d; d++) {
            if (strcmp((*d)->name, name) == 0) return *d;
            cdi_suggest_from(s, (*d)->name);
        }
    }
    return NULL;
}

static int run(Cli *cli) {
    CliInput in;
    CdText page;
    CdJsonWriter w;
    if (!cli_options(cli, &cli_help, NULL, 1, &in)) return CLI_USAGE;
    if (in.nargs == 0) {
        list_items();
        return CLI_OK;
    }
    CdSuggestion s = {.word = in.args[0]};
    const CdDesc *desc = find(in.args[0], &s);
    if (!desc) {
        cli_complain("help: there is no class '%s'%s%s%s", in.args[0],
                     s.name ? "; did you mean '" : "; 'cardan help' lists them",
                     s.name ? s.name : "", s.name ? "'?" : "");
        return CLI_USAGE;
    }
    cdi_text_init(&page, cli->ctx);
    cdi_json_writer_init(&w, &page, 2);
    if (cli->json) {
        cdi_desc_introspect(desc, &w);
    } else {
        cdi_desc_manual(desc, &page);
    }
    printf("%s\n", page.v ? page.v : "");
    cdi_text_free(&page);
    return CLI_OK;
}

const CliVerb cli_help = {.name = "help",
                          .usage = "[CLASS] [--json]",
                          .doc = "list item classes, or the manual page of one",
                          .run = run};
