// main.c - the command line: finds the verb, tells messages, turns status into exit codes
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

#define VERB(name) extern const CliVerb cli_##name;
#include "verbs.def"
#undef VERB

const CliVerb *const cli_verbs[] = {
#define VERB(name) &cli_##name,
#include "verbs.def"
#undef VERB
    NULL};

#define MESSAGE_MAX 4096

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

bool cli_interrupted(void) {
    return interrupted != 0;
}

void cli_complain(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fputs("cardan: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
}

// ---- messages of the library

static const char *const levels[] = {"error", "warning", "info", "debug"};

static void collect(Cli *cli, const CdMessage *m) {
    CdJsonWriter w;
    CdText one;
    cdi_text_init(&one, cli->ctx);
    cdi_json_writer_init(&w, &one, 0);
    cdi_json_begin_object(&w);
    cdi_json_key(&w, "level");
    cdi_json_string(&w, levels[m->level]);
    const struct {
        const char *key, *text;
    } texts[] = {{"file", m->place.file},
                 {"class", m->place.item_class},
                 {"item", m->place.item_name},
                 {"field", m->place.field},
                 {"text", m->text}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!texts[i].text) continue;
        cdi_json_key(&w, texts[i].key);
        cdi_json_string(&w, texts[i].text);
    }
    if (m->place.line > 0) {
        cdi_json_key(&w, "line");
        cdi_json_integer(&w, m->place.line);
        cdi_json_key(&w, "column");
        cdi_json_integer(&w, m->place.col);
    }
    cdi_json_end_object(&w);
    if (one.v) cdi_text_addf(&cli->said, "%s%s", cli->said.n ? ", " : "", one.v);
    cdi_text_free(&one);
}

static void tell(void *user, const CdMessage *m) {
    Cli *cli = user;
    char text[MESSAGE_MAX];
    if (m->level == CD_ERROR) cli->errors++;
    if (m->level == CD_DEBUG) return;
    if (cli->json) collect(cli, m);
    cd_message_format(m, text, sizeof text);
    fprintf(stderr, "%s%s\n", m->level == CD_WARNING ? "warning: " : "", text);
}

// ---- usage

static void usage(FILE *to) {
    fputs("usage: cardan VERB ...\n\n", to);
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        fprintf(to, "  %-10s %s\n", (*v)->name, (*v)->doc);
    }
    fputs("\ncardan VERB --help tells more. Exit codes: 0 done, 1 failed, 2 wrong usage.\n", to);
}

static void verb_usage(const CliVerb *v) {
    printf("usage: cardan %s %s\n\n%s\n", v->name, v->usage, v->doc);
    for (int i = 0; v->options && i < v->options->nfields; i++) {
        const CdField *f = &v->options->fields[i];
        printf("  --%-12s %s%s%s%s\n", f->name, f->doc, f->def ? " (default " : "",
               f->def ? f->def : "", f->def ? ")" : "");
    }
}

static const CliVerb *find_verb(const char *word) {
    CdSuggestion s = {.word = word};
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        if (strcmp((*v)->name, word) == 0) return *v;
        cdi_suggest_from(&s, (*v)->name);
    }
    cli_complain("there is no verb '%s'%s%s%s", word,
                 s.name ? "; did you mean '" : "; 'cardan --help' lists them", s.name ? s.name : "",
                 s.name ? "'?" : "");
    return NULL;
}

// ---- options

static bool set_row(CdObject *object, const CdField *f, const char *value) {
    // words are texts, anything else is JSON: numbers, lists, truth values
    const bool quoted = f->type == CD_TYPE_STRING || f->type == CD_TYPE_ENUM;
    if (quoted && !f->list) return cdi_object_set_text(object, f->name, value, NULL) == CD_OK;
    if (f->type == CD_TYPE_REAL) {
        char end;
        double x;
        if (sscanf(value, "%lf%c", &x, &end) != 1) {
            return cdi_object_set_text(object, f->name, value, NULL) == CD_OK;
        }
    }
    return cdi_object_set(object, f->name, value, NULL) == CD_OK;
}

static const CdField *find_row(const CliVerb *verb, const char *name, size_t n) {
    for (int i = 0; verb->options && i < verb->options->nfields; i++) {
        const CdField *f = &verb->options->fields[i];
        if (strlen(f->name) == n && memcmp(f->name, name, n) == 0) return f;
    }
    return NULL;
}

static bool unknown_option(const CliVerb *verb, const char *arg) {
    CdSuggestion s = {.word = arg + 2};
    for (int i = 0; verb->options && i < verb->options->nfields; i++) {
        cdi_suggest_from(&s, verb->options->fields[i].name);
    }
    cdi_suggest_from(&s, "json");
    cli_complain("%s: unknown option '%s'%s%s%s", verb->name, arg,
                 s.name ? "; did you mean '--" : "", s.name ? s.name : "", s.name ? "'?" : "");
    return false;
}

// one argument that begins with --; *i moves over its value
static bool take_option(Cli *cli, const CliVerb *verb, CdObject *object, int *i) {
    const char *arg = cli->argv[*i], *equals = strchr(arg, '=');
    const size_t n = equals ? (size_t)(equals - arg) - 2 : strlen(arg) - 2;
    if (strcmp(arg, "--json") == 0) {
        cli->json = true;
        return true;
    }
    const CdField *f = object ? find_row(verb, arg + 2, n) : NULL;
    if (!f) return unknown_option(verb, arg);
    // a truth value alone is true
    const char *value = equals ? equals + 1 : f->type == CD_TYPE_BOOL ? "true" : NULL;
    if (!value && *i + 1 < cli->argc) value = cli->argv[++*i];
    if (value) return set_row(object, f, value);
    cli_complain("%s: option '--%s' needs a value", verb->name, f->name);
    return false;
}

bool cli_options(Cli *cli, const CliVerb *verb, CdObject *object, int max, CliInput *in) {
    bool ok = true;
    *in = (CliInput){0};
    for (int i = 0; i < cli->argc; i++) {
        const char *arg = cli->argv[i];
        if (strcmp(arg, "-o") == 0 && i + 1 < cli->argc) {
            in->output = cli->argv[++i];
        } else if (strncmp(arg, "--", 2) == 0) {
            ok = take_option(cli, verb, object, &i) && ok;
        } else if (in->nargs < max) {
            in->args[in->nargs++] = arg;
        } else {
            cli_complain("%s: too many arguments: '%s'", verb->name, arg);
            ok = false;
        }
    }
    return ok;
}

// ---- main

static bool has(int argc, char **argv, const char *word) {
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], word) == 0) return true;
    }
    return false;
}

int main(int argc, char **argv) {
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? CLI_USAGE : CLI_OK;
    }
    const CliVerb *verb = find_verb(strcmp(argv[1], "--version") == 0 ? "version" : argv[1]);
    if (!verb) return CLI_USAGE;
    if (has(argc - 2, argv + 2, "--help")) {
        verb_usage(verb);
        return CLI_OK;
    }
    Cli cli = {.ctx = cd_context_new(NULL), .argc = argc - 2, .argv = argv + 2};
    if (!cli.ctx) {
        cli_complain("out of memory");
        return CLI_FAILED;
    }
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    cli.json = has(cli.argc, cli.argv, "--json");
    cdi_text_init(&cli.said, cli.ctx);
    cd_context_set_sink(cli.ctx, tell, &cli);
    int code = verb->run(&cli);
    if (fflush(stdout) != 0) {
        cli_complain("cannot write to standard output");
        code = CLI_FAILED;
    }
    cdi_text_free(&cli.said);
    cd_context_free(cli.ctx);
    return code;
}
