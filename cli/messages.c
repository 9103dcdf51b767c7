// messages.c - what the program says: messages on standard error, or all of it as one JSON object
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli.h"

#define MESSAGE_MAX 4096

// names in JSON, words before the text and their colours
static const struct {
    const char *name, *word, *color;
} levels[] = {{"error", "error: ", "\033[1;31m"},
              {"warning", "warning: ", "\033[1;35m"},
              {"info", "", ""},
              {"debug", "", ""}};

bool cli_tty(FILE *file) {
    return isatty(fileno(file)) == 1;
}

void cli_clear_bar(Cli *cli) {
    if (cli->bar > 0) fprintf(stderr, "\r%*s\r", cli->bar, "");
    cli->bar = 0;
}

// texts may quote what strangers wrote: nothing in them may steer the terminal or break the JSON
static const char *clean(char *text) {
    char *p = text, *end = text + strlen(text);
    while (p < end) {
        const size_t n = cdi_utf8_size(p, end);
        const unsigned char c = (unsigned char)*p;
        if (n == 0 || (c < ' ' && c != '\n' && c != '\t') || c == 0x7f) *p = '?';
        p += n > 0 ? n : 1;
    }
    return text;
}

// ---- messages

static void key_clean(CdJsonWriter *w, const char *key, const char *text) {
    char copy[MESSAGE_MAX];
    if (!text) return;
    snprintf(copy, sizeof copy, "%s", text);
    cdi_json_key_text(w, key, clean(copy));
}

static void collect(Cli *cli, const CdMessage *m) {
    CdJsonWriter w;
    CdText one;
    cdi_text_init(&one, cli->ctx);
    cdi_json_writer_init(&w, &one, 0);
    cdi_json_begin_object(&w);
    cdi_json_key_text(&w, "level", levels[m->level].name);
    key_clean(&w, "file", m->place.file);
    key_clean(&w, "class", m->place.item_class);
    key_clean(&w, "item", m->place.item_name);
    key_clean(&w, "field", m->place.field);
    key_clean(&w, "text", m->text);
    if (m->place.line > 0) {
        cdi_json_key_integer(&w, "line", m->place.line);
        cdi_json_key_integer(&w, "column", m->place.col);
    }
    cdi_json_end_object(&w);
    if (one.v) cdi_text_addf(&cli->said, "%s%s", cli->said.n ? ", " : "", one.v);
    cdi_text_free(&one);
}

// "model.json:3:7: error: RigidBody 'link': field 'mass': must be ...", as editors know it
static void print(const Cli *cli, const CdMessage *m) {
    char text[MESSAGE_MAX], file[MESSAGE_MAX], place[32] = "";
    CdMessage rest = *m;
    rest.place.file = NULL;
    rest.place.line = 0;
    cd_message_format(&rest, text, sizeof text);
    snprintf(file, sizeof file, "%s", m->place.file ? m->place.file : "cardan");
    if (m->place.file && m->place.line > 0) {
        snprintf(place, sizeof place, ":%d:%d", m->place.line, m->place.col);
    }
    const char *color = cli->colored ? levels[m->level].color : "";
    fprintf(stderr, "%s%s: %s%s%s%s\n", clean(file), place, color, levels[m->level].word,
            *color ? "\033[0m" : "", clean(text));
}

void cli_tell(void *user, const CdMessage *message) {
    Cli *cli = user;
    CdMessage m = *message;
    char text[MESSAGE_MAX];
    if (m.level == CD_DEBUG || (m.level == CD_INFO && cli->quiet)) return;
    // about a value on the command line: where it stands is known best by the option's name
    if (cli->option) {
        snprintf(text, sizeof text, "%s: option '--%s': %s", cli->verb->name, cli->option, m.text);
        m.place = (CdPlace){0};
        m.text = text;
    }
    if (cli->json) {
        collect(cli, &m);
    } else {
        cli_clear_bar(cli);
        print(cli, &m);
    }
}

void cli_complain(Cli *cli, const char *fmt, ...) {
    char text[MESSAGE_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    cli_tell(cli, &(CdMessage){.level = CD_ERROR, .status = CD_INVALID, .text = text});
}

// ---- answers

void cli_answer_begin(Cli *cli) {
    // until the options are read; NO_COLOR counts if it is not empty: no-color.org
    const char *no = getenv("NO_COLOR");
    cli->colored = !(no && *no) && cli_tty(stderr);
    cdi_text_init(&cli->said, cli->ctx);
    cdi_text_init(&cli->answer, cli->ctx);
    cdi_json_writer_init(&cli->w, &cli->answer, 2);
    cdi_json_begin_object(&cli->w);
    cdi_json_key_integer(&cli->w, "version", CLI_JSON_VERSION);
}

static const char *code_name(int code) {
    const CliCode *c = cli_codes;
    while (c->name && c->code != code) c++;
    return c->name;
}

static int print_answer(Cli *cli, int code) {
    CdText all;
    cdi_json_key_text(&cli->w, "status", code_name(code));
    cdi_json_key_integer(&cli->w, "exit_code", code);
    cdi_text_init(&all, cli->ctx);
    cdi_text_addf(&all, "[%s]", cli->said.v ? cli->said.v : "");
    cdi_json_key(&cli->w, "messages");
    cdi_json_raw(&cli->w, all.v ? all.v : "[]");
    cdi_text_free(&all);
    cdi_json_end_object(&cli->w);
    const bool made = cli->answer.status == CD_OK && cli->said.status == CD_OK;
    if (cli->asked) {
        if (made) cdi_text_addn(cli->asked, cli->answer.v, cli->answer.n);
        return code;
    }
    if (!made) {
        fputs("cardan: error: the answer cannot be made: out of memory\n", stderr);
        return CLI_FAILED;
    }
    puts(cli->answer.v);
    return code;
}

int cli_answer_end(Cli *cli, int code) {
    if (cli->json) code = print_answer(cli, code);
    cdi_text_free(&cli->answer);
    cdi_text_free(&cli->said);
    if (cli->asked) return code;
    const bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed) return code;
    fputs("cardan: error: cannot write to standard output\n", stderr);
    return CLI_OUTPUT;
}
