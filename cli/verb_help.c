// verb_help.c - cardan help [TOPIC]: verbs, classes of items, exit codes, from their tables
#include <string.h>

#include "base/utf8.h"
#include "classes.h"
#include "reference.h"

typedef struct HelpVerb {
    int form;
} HelpVerb;

enum { AS_TEXT, AS_MAN, AS_MARKDOWN, AS_BASH, AS_ZSH, AS_FISH };
static const char *const forms[] = {"text", "man", "markdown", "bash", "zsh", "fish", NULL};

static const CdField fields[] = {
    CD_FIELD(HelpVerb, form, ENUM, "", "\"text\"", "",
             "text; the page of a verb for man(1) or as Markdown; completion for a shell",
             .names = forms, .word = "FORM"),
};
static const CdDesc options_class = {
    .name = "HelpVerb", .doc = "Forms", .size = sizeof(HelpVerb), CD_FIELDS(fields)};

// ---- what there is

static void print_list(void) {
    const char *group, *last = "";
    const CdDesc *desc;
    puts("verb");
    cli_verb_list(stdout);
    for (int i = 0; (desc = cli_class_at(i, &group)); i++) {
        if (strcmp(group, last) != 0) puts(group);
        printf("  %-22s %s\n", desc->name, desc->doc);
        last = group;
    }
    puts(
        "\ncardan help VERB tells how it is used; cardan help CLASS shows fields, units, defaults\n"
        "and an example; cardan help exit-codes tells what the program ends with.");
}

static void write_entry(CdJsonWriter *w, const char *name, const char *group, const char *doc) {
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "name", name);
    if (group) cdi_json_key_text(w, "group", group);
    cdi_json_key_text(w, "doc", doc);
    cdi_json_end_object(w);
}

static void write_list(CdJsonWriter *w) {
    const CdDesc *desc;
    const char *group;
    cdi_json_key(w, "verbs");
    cdi_json_begin_array(w, false);
    for (const CliVerb *const *v = cli_verbs; *v; v++) write_entry(w, (*v)->name, NULL, (*v)->doc);
    cdi_json_end_array(w);
    cdi_json_key(w, "classes");
    cdi_json_begin_array(w, false);
    for (int i = 0; (desc = cli_class_at(i, &group)); i++) {
        write_entry(w, desc->name, group, desc->doc);
    }
    cdi_json_end_array(w);
}

// ---- one topic

static int help_class(Cli *cli, const CdDesc *desc) {
    CdText page;
    if (cli->json) {
        cdi_json_key(&cli->w, "table");
        cdi_desc_introspect(desc, &cli->w);
        return CLI_OK;
    }
    cdi_text_init(&page, cli->ctx);
    cdi_desc_manual(desc, &page);
    const CdStatus status = page.status;
    if (status == CD_OK) puts(page.v);
    cdi_text_free(&page);
    return cli_code(status);
}

static const char *const kinds[] = {[CLI_TEXT] = "text",
                                    [CLI_FILE] = "file",
                                    [CLI_WORD] = "word",
                                    [CLI_CLASS] = "class",
                                    [CLI_TOPIC] = "topic"};

static void write_arg(CdJsonWriter *w, const CliArg *a) {
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "name", a->name);
    cdi_json_key_text(w, "kind", kinds[a->kind]);
    cdi_json_key_bool(w, "optional", a->optional);
    cdi_json_key_bool(w, "many", a->many);
    cdi_json_key_text(w, "doc", a->doc);
    cdi_json_end_object(w);
}

static int help_verb(Cli *cli, const CliVerb *verb) {
    const CdDesc *table;
    if (!cli->json) {
        cli_verb_usage(stdout, verb, cli->ctx);
        return CLI_OK;
    }
    cdi_json_key_text(&cli->w, "doc", verb->doc);
    cdi_json_key(&cli->w, "arguments");
    cdi_json_begin_array(&cli->w, false);
    for (const CliArg *a = verb->args; a && a->name; a++) write_arg(&cli->w, a);
    cdi_json_end_array(&cli->w);
    cdi_json_key(&cli->w, "tables");
    cdi_json_begin_array(&cli->w, false);
    for (int i = 0; (table = cli_table(verb, i)); i++) cdi_desc_introspect(table, &cli->w);
    cdi_json_end_array(&cli->w);
    return CLI_OK;
}

static int help_codes(Cli *cli) {
    if (!cli->json) {
        cli_exit_codes(stdout);
        return CLI_OK;
    }
    cdi_json_key(&cli->w, "exit_codes");
    cdi_json_begin_array(&cli->w, false);
    for (const CliCode *c = cli_codes; c->name; c++) {
        cdi_json_begin_object(&cli->w);
        cdi_json_key_integer(&cli->w, "code", c->code);
        cdi_json_key_text(&cli->w, "name", c->name);
        cdi_json_key_text(&cli->w, "doc", c->doc);
        cdi_json_end_object(&cli->w);
    }
    cdi_json_end_array(&cli->w);
    return CLI_OK;
}

// ---- for others to read

static int write_form(Cli *cli, int form, const char *topic) {
    const CliVerb *verb = topic ? cli_verb(topic) : NULL;
    CdText page;
    if (topic && (!verb || form >= AS_BASH)) {
        cli_complain(cli,
                     verb ? "help: a completion is for all verbs; leave out '%s'"
                          : "help: only verbs have such a page, not '%s'",
                     topic);
        return CLI_USAGE;
    }
    cdi_text_init(&page, cli->ctx);
    switch (form) {
    case AS_MAN: cli_manual(verb, &page); break;
    case AS_MARKDOWN: cli_markdown(verb, &page); break;
    case AS_BASH: cli_bash(&page); break;
    case AS_ZSH: cli_zsh(&page); break;
    default: cli_fish(&page); break;
    }
    const CdStatus status = page.status;
    if (cli->json) {
        cdi_json_key_text(&cli->w, "page", page.v);
    } else if (status == CD_OK) {
        fputs(page.v, stdout);
    }
    cdi_text_free(&page);
    return cli_code(status);
}

static int run(Cli *cli) {
    const HelpVerb *o = cli->options;
    const char *topic = cli->nargs == 1 ? cli->args[0] : NULL;
    if (o->form != AS_TEXT) return write_form(cli, o->form, topic);
    char shown[CD_SHOWN_MAX];
    if (!topic) {
        if (cli->json) {
            write_list(&cli->w);
        } else {
            print_list();
        }
        return CLI_OK;
    }
    if (strcmp(topic, CLI_EXIT_CODES) == 0) return help_codes(cli);
    if (cli_verb(topic)) return help_verb(cli, cli_verb(topic));
    CdSuggestion s = {.word = topic};
    const CdDesc *desc = cli_class(topic, &s);
    if (desc) return help_class(cli, desc);
    for (const CliVerb *const *v = cli_verbs; *v; v++) cdi_suggest_from(&s, (*v)->name);
    cdi_suggest_from(&s, CLI_EXIT_CODES);
    cli_complain(cli, "help: there is no verb or class '%s'%s%s%s", cdi_shown(topic, shown),
                 CLI_HINT(s, "; 'cardan help' lists them"));
    return CLI_USAGE;
}

static const CliArg args[] = {
    {"TOPIC", "a verb, a class of items or 'exit-codes'; without one all are listed", CLI_TOPIC,
     .optional = true},
    {0}};

const CliVerb cli_help = {.name = "help",
                          .doc = "list verbs and item classes, or tell all about one",
                          .args = args,
                          .options = &options_class,
                          .examples = "  cardan help RigidBody\n"
                                      "  cardan help run --form man | man -l -\n"
                                      "  source <(cardan help --form bash)",
                          .run = run};
