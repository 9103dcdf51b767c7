// main.c - the command line: finds the verb, reads its words, calls it, turns status into codes
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "cli.h"

#define VERB(name) extern const CliVerb cli_##name;
#include "verbs.def"
#undef VERB

const CliVerb *const cli_verbs[] = {
#define VERB(name) &cli_##name,
#include "verbs.def"
#undef VERB
    NULL};

const CliCode cli_codes[] = {
#define X(name, code, doc) {#name, code, doc},
    CLI_CODES(X)
#undef X
        {0}};

int cli_code(CdStatus status) {
    switch (status) {
    case CD_OK: return CLI_OK;
    case CD_CANCELLED: return CLI_INTERRUPTED;
    case CD_INVALID:
    case CD_NOTFOUND: return CLI_INPUT;
    case CD_IO: return CLI_OUTPUT;
    default: return CLI_FAILED;
    }
}

// ---- Ctrl-C, and what else asks a program to end

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

void cli_catch_interrupt(void) {
    // the handler goes after the first signal, so that the second one ends the program
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // nohup has it ignored
    struct sigaction old;
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
}

bool cli_interrupted(void) {
    return interrupted != 0;
}

// ---- verbs

const CliVerb *cli_verb(const char *name) {
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        if (strcmp((*v)->name, name) == 0) return *v;
    }
    return NULL;
}

static int unknown_verb(Cli *cli, const char *word) {
    CdSuggestion s = {.word = word};
    char shown[CD_SHOWN_MAX];
    for (const CliVerb *const *v = cli_verbs; *v; v++) cdi_suggest_from(&s, (*v)->name);
    cli_complain(cli, "there is no verb '%s'%s%s%s", cdi_shown(word, shown),
                 CLI_HINT(s, "; 'cardan --help' lists them"));
    return CLI_USAGE;
}

// ---- main

static bool is(const char *word, const char *a, const char *b) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

// --json counts from the first message on, wherever it stands
static bool has_json(int n, char **words) {
    for (int i = 0; i < n && strcmp(words[i], "--") != 0; i++) {
        if (strcmp(words[i], "--json") == 0) return true;
    }
    return false;
}

static int call(Cli *cli, const char *word) {
    cli->verb = cli_verb(is(word, "--version", "-V") ? "version" : word);
    cdi_json_key_text(&cli->w, "verb", cli->verb ? cli->verb->name : NULL);
    if (!cli->verb) return unknown_verb(cli, word);
    const bool ok = cli_read(cli);
    const CliGlobals *g = cli->globals ? cdi_object_data(cli->globals) : NULL;
    if (g && g->help && !cli->json) {
        cli_verb_usage(stdout, cli->verb, cli->ctx);
        return CLI_OK;
    }
    return ok ? cli->verb->run(cli) : CLI_USAGE;
}

static int run_words(Cli *cli, int argc, char **argv) {
    cli->words = argv + 2;
    cli->nwords = argc - 2;
    cli->json = cli->asked || has_json(argc - 1, argv + 1);
    interrupted = 0;
    cd_context_set_sink(cli->ctx, cli_tell, cli);
    cli_answer_begin(cli);
    const int code = cli_answer_end(cli, call(cli, argv[1]));
    cli_forget(cli);
    return code;
}

int cli_main(int argc, char **argv) {
    if (argc < 2 || is(argv[1], "--help", "-h")) {
        cli_usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? CLI_USAGE : CLI_OK;
    }
    Cli cli = {.ctx = cd_context_new(NULL)};
    if (!cli.ctx) {
        fputs("cardan: error: out of memory\n", stderr);
        return CLI_FAILED;
    }
    const int code = run_words(&cli, argc, argv);
    cd_context_free(cli.ctx);
    return code;
}

int cli_ask(CdContext *ctx, int argc, char **argv, CdText *answer) {
    Cli cli = {.ctx = ctx, .asked = answer};
    return run_words(&cli, argc, argv);
}
