// usage.c - how verbs are used, in words made from their tables
#include <stdarg.h>
#include <string.h>

#include "cli.h"

// where the meaning of an option begins
#define COLUMN 30

#define WIDTH 98

// what stands for a value
static const char *value_word(const CdField *f) {
    if (f->word) return f->word;
    switch (f->type) {
    case CD_TYPE_INT: return "N";
    case CD_TYPE_REAL: return "NUMBER";
    case CD_TYPE_STRING: return "TEXT";
    case CD_TYPE_PATH: return "FILE";
    default: return "VALUE";
    }
}

void cli_option_words(const CdField *f, CdText *out) {
    char name[CLI_NAME_MAX];
    const bool truth = f->type == CD_TYPE_BOOL && !f->list;
    const bool on = truth && f->def && strcmp(f->def, "true") == 0;
    if (f->letter) {
        cdi_text_addf(out, "-%c, ", f->letter);
    } else {
        cdi_text_add(out, "    ");
    }
    cdi_text_addf(out, "--%s%s", on ? "no-" : "", cli_option_name(f, name));
    if (truth) return;
    if (f->type != CD_TYPE_ENUM || f->word) {
        cdi_text_addf(out, " %s", value_word(f));
        return;
    }
    for (const char *const *n = f->names; *n; n++) {
        cdi_text_addf(out, "%s%s", n == f->names ? " " : "|", *n);
    }
}

// "time to simulate [s]; default 0; may be repeated"
void cli_option_doc(const CliVerb *verb, const CdField *f, CdText *out) {
    const bool unit = f->unit[0] && strcmp(f->unit, "1") != 0;
    const char *def = f->def;
    // nothing, off, none, or a number that stands for no limit
    if (def &&
        (strcmp(def, "null") == 0 || strstr(def, "e300") || f->type == CD_TYPE_BOOL || f->list))
        def = NULL;
    if (f == cli_output.fields && verb->output) {
        cdi_text_add(out, verb->output);
        return;
    }
    // an option that can only be turned off
    const bool on = f->type == CD_TYPE_BOOL && !f->list && f->def && strcmp(f->def, "true") == 0;
    cdi_text_addf(out, "%s%s", on ? "turn off: " : "", f->doc);
    if (unit) cdi_text_addf(out, " [%s]", f->unit);
    if (def) cdi_text_addf(out, "; default %s", def);
    if (f->list) cdi_text_add(out, "; may be given often");
}

void cli_synopsis(const CliVerb *verb, CdText *out) {
    cdi_text_addf(out, "cardan %s [OPTION]...", verb->name);
    for (const CliArg *a = verb->args; a && a->name; a++) {
        cdi_text_addf(out, " %s%s%s%s", a->optional ? "[" : "", a->name, a->optional ? "]" : "",
                      a->many ? "..." : "");
    }
}

// bytes of text that stand on one line
static size_t line_of(const char *text, size_t width) {
    size_t n = strlen(text);
    if (n <= width) return n;
    for (n = width; n > 0 && text[n] != ' ';) n--;
    return n > 0 ? n : strlen(text);
}

// "  left     right", the right side in lines of its own column
static void put_row(FILE *to, const char *left, const char *right) {
    int gap = COLUMN - 2 - (int)strlen(left);
    fprintf(to, "  %s", left);
    if (gap < 2) {
        fputc('\n', to);
        gap = COLUMN;
    }
    while (*right) {
        const size_t n = line_of(right, WIDTH - COLUMN);
        fprintf(to, "%*s%.*s\n", gap, "", (int)n, right);
        right += n + strspn(right + n, " ");
        gap = COLUMN;
    }
}

static void put_options(FILE *to, const CliVerb *verb, CdContext *ctx) {
    const CdDesc *table;
    CdText left, right;
    cdi_text_init(&left, ctx);
    cdi_text_init(&right, ctx);
    for (int k = 0; (table = cli_table(verb, k)); k++) {
        fprintf(to, "%s", table == &cli_globals ? "\n" : k == 0 ? "\noptions\n" : "");
        for (int i = 0; i < table->nfields; i++) {
            cdi_text_clear(&left);
            cdi_text_clear(&right);
            cli_option_words(&table->fields[i], &left);
            cli_option_doc(verb, &table->fields[i], &right);
            put_row(to, left.v ? left.v : "", right.v ? right.v : "");
        }
    }
    cdi_text_free(&left);
    cdi_text_free(&right);
}

void cli_verb_usage(FILE *to, const CliVerb *verb, CdContext *ctx) {
    CdText line;
    cdi_text_init(&line, ctx);
    cli_synopsis(verb, &line);
    fprintf(to, "usage: %s\n\n%s\n", line.v ? line.v : "", verb->doc);
    if (verb->text) fprintf(to, "\n%s\n", verb->text);
    cdi_text_free(&line);
    if (verb->args) fputs("\narguments\n", to);
    for (const CliArg *a = verb->args; a && a->name; a++) put_row(to, a->name, a->doc);
    put_options(to, verb, ctx);
    if (verb->examples) fprintf(to, "\nexamples\n%s\n", verb->examples);
}

void cli_verb_list(FILE *to) {
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        fprintf(to, "  %-10s %s\n", (*v)->name, (*v)->doc);
    }
}

void cli_usage(FILE *to) {
    fputs("usage: cardan VERB ...\n\n", to);
    cli_verb_list(to);
    fputs("\ncardan VERB --help tells more, cardan help TOPIC about classes of items and about\n"
          "exit-codes. Options of every verb: --json --quiet --color --help.\n",
          to);
}

void cli_exit_codes(FILE *to) {
    for (const CliCode *c = cli_codes; c->name; c++) {
        fprintf(to, "  %3d  %-12s %s\n", c->code, c->name, c->doc);
    }
}
