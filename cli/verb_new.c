// verb_new.c - cardan new KIND: a commented model to start from
//
// The models are the files of cli/starters, built in. The first line of each is "// NAME: what it
// is".
#include <string.h>

#include "base/file.h"
#include "cli.h"
#include "starters.h"

typedef struct NewVerb {
    bool force;
} NewVerb;

static const CdField fields[] = {
    CD_FIELD(NewVerb, force, BOOL, "", "false", "", "replace a file that is there", .letter = 'f'),
};
static const CdDesc options_class = {
    .name = "NewVerb", .doc = "New models", .size = sizeof(NewVerb), CD_FIELDS(fields)};

// after "// NAME: "
static void title(const CliStarter *s, char *text, size_t size) {
    const char *begin = memchr(s->text, ':', s->n), *end = memchr(s->text, '\n', s->n);
    if (!begin || !end || begin + 2 > end) begin = end = s->text;
    const int n = end > begin ? (int)(end - begin) - 2 : 0;
    snprintf(text, size, "%.*s", n, begin + (n > 0 ? 2 : 0));
}

static int list(Cli *cli) {
    char text[128];
    if (cli->json) {
        cdi_json_key(&cli->w, "kinds");
        cdi_json_begin_array(&cli->w, false);
    }
    for (const CliStarter *s = cli_starters; s->name; s++) {
        title(s, text, sizeof text);
        if (!cli->json) {
            printf("  %-18s %s\n", s->name, text);
            continue;
        }
        cdi_json_begin_object(&cli->w);
        cdi_json_key_text(&cli->w, "name", s->name);
        cdi_json_key_text(&cli->w, "doc", text);
        cdi_json_end_object(&cli->w);
    }
    if (cli->json) cdi_json_end_array(&cli->w);
    return CLI_OK;
}

static int write(Cli *cli, const CliStarter *s, const char *path) {
    const NewVerb *o = cli->options;
    const bool to_stdout = strcmp(path, "-") == 0;
    if (!to_stdout && !o->force && cdi_file_exists(path)) {
        cli_complain(cli,
                     "new: '%s' is there already; give --force to replace it, or another "
                     "name with -o",
                     path);
        return CLI_OUTPUT;
    }
    const CdStatus status = cdi_file_write(cli->ctx, path, s->text, s->n);
    if (cli->json) cdi_json_key_text(&cli->w, "output", path);
    if (status == CD_OK && !to_stdout && !cli->quiet && !cli->json) {
        fprintf(stderr, "%s is written; next: cardan run %s\n", path, path);
    }
    return cli_code(status);
}

static int run(Cli *cli) {
    if (cli->nargs == 0) return list(cli);
    const CliStarter *s = cli_starters;
    while (strcmp(s->name, cli->args[0]) != 0) s++;
    char path[128];
    snprintf(path, sizeof path, "%s.json", s->name);
    return write(cli, s, cli->output ? cli->output : path);
}

static const CliArg args[] = {{"KIND", "what to start from; without it the kinds are listed",
                               CLI_WORD, .optional = true, .words = cli_starter_names},
                              {0}};

const CliVerb cli_new = {.name = "new",
                         .doc = "write a commented model to start from",
                         .args = args,
                         .options = &options_class,
                         .output = "the model; -: standard output; without it KIND.json",
                         .examples = "  cardan new\n"
                                     "  cardan new slider-crank -o engine.json",
                         .run = run};
