// manual.c - manual pages in the language of man(7), and reference pages in Markdown
//
// Both are a page of the same parts (synopsis, arguments, options, exit codes, examples) in two
// spellings.
#include <string.h>

#include "reference.h"

#define OVERVIEW                                                                              \
    "Cardan simulates multibody systems: bodies, joints, springs, dampers, loads and "        \
    "controls that a model file lists. Data go to standard output, messages and progress to " \
    "standard error. A model or result - is standard input, -o - is standard output."

// how a kind of page is spelt
typedef struct Style {
    void (*text)(CdText *out, const char *s); // with what the language would take for its own
    void (*head)(CdText *out, const char *title);
    void (*term)(CdText *out, const char *term, const char *doc);
    void (*code)(CdText *out, const char *lines);
} Style;

// ---- man(7)

static void roff_text(CdText *out, const char *s) {
    bool line_begins = true;
    for (; *s; s++) {
        if (line_begins && (*s == '.' || *s == '\'')) cdi_text_add(out, "\\&");
        if (*s == '\\') {
            cdi_text_add(out, "\\e");
        } else if (*s == '-') {
            cdi_text_add(out, "\\-");
        } else {
            cdi_text_addn(out, s, 1);
        }
        line_begins = *s == '\n';
    }
}

static void roff_head(CdText *out, const char *title) {
    cdi_text_add(out, ".SH ");
    for (const char *c = title; *c; c++) {
        const char upper = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
        cdi_text_addn(out, &upper, 1);
    }
    cdi_text_add(out, "\n");
}

static void roff_term(CdText *out, const char *term, const char *doc) {
    cdi_text_add(out, ".TP\n.B ");
    roff_text(out, term);
    cdi_text_add(out, "\n");
    roff_text(out, doc);
    cdi_text_add(out, "\n");
}

static void roff_code(CdText *out, const char *lines) {
    cdi_text_add(out, ".nf\n");
    roff_text(out, lines);
    cdi_text_add(out, "\n.fi\n");
}

static const Style roff = {roff_text, roff_head, roff_term, roff_code};

// ---- Markdown

static void mark_text(CdText *out, const char *s) {
    for (; *s; s++) {
        if (strchr("<>*_|[]", *s)) cdi_text_add(out, "\\");
        cdi_text_addn(out, s, 1);
    }
}

static void mark_head(CdText *out, const char *title) {
    cdi_text_addf(out, "\n## %c%s\n\n", *title - 'a' + 'A', title + 1);
}

static void mark_term(CdText *out, const char *term, const char *doc) {
    cdi_text_addf(out, "- `%s`: ", term);
    mark_text(out, doc);
    cdi_text_add(out, "\n");
}

static void mark_code(CdText *out, const char *lines) {
    cdi_text_addf(out, "```text\n%s\n```\n", lines);
}

static const Style markdown = {mark_text, mark_head, mark_term, mark_code};

// ---- parts of a page

static void options(const Style *s, const CliVerb *verb, CdText *out) {
    const CdDesc *table;
    CdText words, doc;
    cdi_text_init(&words, out->ctx);
    cdi_text_init(&doc, out->ctx);
    s->head(out, "options");
    for (int k = 0; (table = cli_table(verb, k)); k++) {
        for (int i = 0; i < table->nfields; i++) {
            cdi_text_clear(&words);
            cdi_text_clear(&doc);
            cli_option_words(&table->fields[i], &words);
            cli_option_doc(verb, &table->fields[i], &doc);
            const char *word = words.v ? words.v : "";
            s->term(out, word + strspn(word, " "), doc.v ? doc.v : "");
        }
    }
    cdi_text_free(&words);
    cdi_text_free(&doc);
}

static void exit_codes(const Style *s, CdText *out) {
    char number[16];
    s->head(out, "exit codes");
    for (const CliCode *c = cli_codes; c->name; c++) {
        snprintf(number, sizeof number, "%d", c->code);
        s->term(out, number, c->doc);
    }
}

static void verb_parts(const Style *s, const CliVerb *verb, CdText *out) {
    if (verb->args) s->head(out, "arguments");
    for (const CliArg *a = verb->args; a && a->name; a++) s->term(out, a->name, a->doc);
    options(s, verb, out);
    if (verb->examples) {
        s->head(out, "examples");
        s->code(out, verb->examples);
    }
}

// ---- pages

static void sentence(const Style *s, const char *text, CdText *out) {
    const char first = (char)(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text);
    cdi_text_addn(out, &first, 1);
    s->text(out, text + 1);
    cdi_text_add(out, ".\n");
}

static void verb_manual(const CliVerb *verb, CdText *out) {
    CdText line;
    cdi_text_init(&line, out->ctx);
    cli_synopsis(verb, &line);
    cdi_text_addf(out, ".SH NAME\ncardan\\-%s \\- ", verb->name);
    roff_text(out, verb->doc);
    cdi_text_add(out, "\n.SH SYNOPSIS\n");
    roff_text(out, line.v ? line.v : "");
    cdi_text_add(out, "\n.SH DESCRIPTION\n");
    sentence(&roff, verb->doc, out);
    if (verb->text) {
        cdi_text_add(out, ".PP\n");
        roff_text(out, verb->text);
        cdi_text_add(out, "\n");
    }
    verb_parts(&roff, verb, out);
    exit_codes(&roff, out);
    cdi_text_add(out, ".SH SEE ALSO\n.BR cardan (1)\n");
    cdi_text_free(&line);
}

static void program_manual(CdText *out) {
    cdi_text_add(out, ".SH NAME\ncardan \\- multibody dynamics\n.SH SYNOPSIS\ncardan VERB "
                      "[OPTION]... [ARGUMENT]...\n.SH DESCRIPTION\n");
    roff_text(out, OVERVIEW);
    cdi_text_add(out, "\n");
    roff_head(out, "verbs");
    for (const CliVerb *const *v = cli_verbs; *v; v++) roff_term(out, (*v)->name, (*v)->doc);
    exit_codes(&roff, out);
    cdi_text_add(out, ".SH ENVIRONMENT\n");
    roff_term(out, "NO_COLOR", "if it is not empty, no colours are used");
    cdi_text_add(out, ".SH SEE ALSO\n");
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        cdi_text_addf(out, ".BR cardan\\-%s (1)%s\n", (*v)->name, v[1] ? "," : "");
    }
}

void cli_manual(const CliVerb *verb, CdText *out) {
    char name[CLI_NAME_MAX] = "CARDAN";
    if (verb) snprintf(name, sizeof name, "CARDAN\\-%s", verb->name);
    for (char *c = name; *c; c++) *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    cdi_text_addf(out,
                  ".\\\" made from the tables of cardan by 'cardan help --form man'\n"
                  ".TH %s 1 \"\" \"cardan " CD_VERSION "\" \"Cardan\"\n",
                  name);
    if (verb) {
        verb_manual(verb, out);
    } else {
        program_manual(out);
    }
}

static void program_markdown(CdText *out) {
    cdi_text_add(out, "# The verbs of cardan\n\n");
    mark_text(out, OVERVIEW);
    cdi_text_add(out, "\n\n| verb | |\n|---|---|\n");
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        cdi_text_addf(out, "| [%s](%s.md) | ", (*v)->name, (*v)->name);
        mark_text(out, (*v)->doc);
        cdi_text_add(out, " |\n");
    }
    exit_codes(&markdown, out);
}

void cli_markdown(const CliVerb *verb, CdText *out) {
    if (!verb) {
        program_markdown(out);
        return;
    }
    cdi_text_addf(out, "# cardan %s\n\n", verb->name);
    sentence(&markdown, verb->doc, out);
    if (verb->text) {
        cdi_text_add(out, "\n");
        mark_text(out, verb->text);
        cdi_text_add(out, "\n");
    }
    cdi_text_add(out, "\n```text\n");
    cli_synopsis(verb, out);
    cdi_text_add(out, "\n```\n");
    verb_parts(&markdown, verb, out);
}
