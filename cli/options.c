// options.c - the words of a command line, read by the tables of a verb
//
//   --step 0.01   --step=0.01   --quick   --no-quick   -o FILE   -oFILE   --   ARGUMENT
//
// Rows of truth values take no value; rows of lists may be given often; of other rows the last
// counts. "_" in the name of a row is "-" on the command line. Everything that is wrong is told.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"
#include "cli.h"

// ---- options of every verb

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
static const char *const colors[] = {"auto", "always", "never", NULL};

#define GLOBAL(...) CD_FIELD(CliGlobals, __VA_ARGS__)
static const CdField global_fields[] = {
    GLOBAL(json, BOOL, "", "false", "", "one JSON object on standard output and nothing else"),
    GLOBAL(quiet, BOOL, "", "false", "", "only errors and warnings on standard error",
           .letter = 'q'),
    GLOBAL(color, ENUM, "", "\"auto\"", "",
           "colour of the words error and warning; auto: on a terminal, unless NO_COLOR is set",
           .names = colors),
    GLOBAL(help, BOOL, "", "false", "", "tell how the verb is used", .letter = 'h'),
};
const CdDesc cli_globals = {.name = "Common",
                            .doc = "Options of every verb",
                            .size = sizeof(CliGlobals),
                            CD_FIELDS(global_fields)};

typedef struct Output {
    char *output;
} Output;
static const CdField output_fields[] = {
    CD_FIELD(Output, output, STRING, "", "null", "", "where it is written; -: standard output",
             .letter = 'o', .word = "FILE"),
};
const CdDesc cli_output = {
    .name = "Output", .doc = "Output", .size = sizeof(Output), CD_FIELDS(output_fields)};

const CdDesc *cli_table(const CliVerb *verb, int i) {
    const CdDesc *all[] = {verb->output ? &cli_output : NULL, verb->options, verb->overrides,
                           &cli_globals};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k] && i-- == 0) return all[k];
    }
    return NULL;
}

const char *cli_option_name(const CdField *f, char name[CLI_NAME_MAX]) {
    snprintf(name, CLI_NAME_MAX, "%s", f->name);
    for (char *c = name; *c; c++) {
        if (*c == '_') *c = '-';
    }
    return name;
}

// ---- finding rows

static bool is_called(const CdField *f, const char *word, size_t n) {
    if (strlen(f->name) != n) return false;
    for (size_t i = 0; i < n; i++) {
        if (f->name[i] != word[i] && !(f->name[i] == '_' && word[i] == '-')) return false;
    }
    return true;
}

static bool find_name(const CliVerb *verb, const char *word, size_t n, CliGiven *found) {
    const CdDesc *table;
    for (int k = 0; (table = cli_table(verb, k)); k++) {
        for (int i = 0; i < table->nfields; i++) {
            if (!is_called(&table->fields[i], word, n)) continue;
            *found = (CliGiven){table, &table->fields[i], NULL};
            return true;
        }
    }
    return false;
}

static bool find_letter(const CliVerb *verb, char letter, CliGiven *found) {
    const CdDesc *table;
    for (int k = 0; (table = cli_table(verb, k)); k++) {
        for (int i = 0; i < table->nfields; i++) {
            if (table->fields[i].letter != letter) continue;
            *found = (CliGiven){table, &table->fields[i], NULL};
            return true;
        }
    }
    return false;
}

static bool unknown(Cli *cli, const char *word) {
    const CdDesc *table;
    char name[64], shown[CD_SHOWN_MAX];
    CdSuggestion s = {.word = name};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (char *c = name; *c; c++) {
        if (*c == '-') *c = '_';
    }
    for (int k = 0; name[1] == '_' && (table = cli_table(cli->verb, k)); k++) {
        for (int i = 0; i < table->nfields; i++) {
            CdSuggestion one = {.word = name + 2};
            cdi_suggest_from(&one, table->fields[i].name);
            if (one.name && (!s.name || one.distance < s.distance)) s = one;
        }
    }
    char near[CLI_NAME_MAX + 2] = "--", *end = near + 2;
    if (s.name) cli_option_name(&(CdField){.name = s.name}, end);
    s.name = s.name ? near : NULL;
    char other[128];
    snprintf(other, sizeof other, "; 'cardan %s --help' lists them", cli->verb->name);
    cli_complain(cli, "%s: unknown option '%s'%s%s%s", cli->verb->name, cdi_shown(word, shown),
                 CLI_HINT(s, other));
    return false;
}

// ---- taking words

static bool looks_like_option(const char *word) {
    return word[0] == '-' && (isalpha((unsigned char)word[1]) || (word[1] == '-' && word[2]));
}

// the value of an option: what is attached to it, or the next word
static bool take_value(Cli *cli, CliGiven *g, const char *attached, int *i) {
    const bool truth = g->field->type == CD_TYPE_BOOL && !g->field->list;
    char name[CLI_NAME_MAX];
    g->value = attached ? attached : truth ? "true" : NULL;
    if (!g->value && *i + 1 < cli->nwords && !looks_like_option(cli->words[*i + 1])) {
        g->value = cli->words[++*i];
    }
    if (!g->value) {
        cli_complain(cli, "%s: option '--%s' needs a value: %s", cli->verb->name,
                     cli_option_name(g->field, name), g->field->doc);
        return false;
    }
    cli->given[cli->ngiven++] = *g;
    return true;
}

static bool take_long(Cli *cli, int *i) {
    const char *word = cli->words[*i] + 2, *equals = strchr(word, '=');
    const size_t n = equals ? (size_t)(equals - word) : strlen(word);
    CliGiven g;
    if (find_name(cli->verb, word, n, &g)) {
        return take_value(cli, &g, equals ? equals + 1 : NULL, i);
    }
    const bool no = n > 3 && strncmp(word, "no-", 3) == 0 && !equals;
    if (no && find_name(cli->verb, word + 3, n - 3, &g) && g.field->type == CD_TYPE_BOOL) {
        return take_value(cli, &g, "false", i);
    }
    return unknown(cli, cli->words[*i]);
}

// -q, -qh, -oFILE, -o FILE
static bool take_short(Cli *cli, int *i) {
    for (const char *c = cli->words[*i] + 1; *c; c++) {
        CliGiven g;
        if (!find_letter(cli->verb, *c, &g)) return unknown(cli, cli->words[*i]);
        const bool truth = g.field->type == CD_TYPE_BOOL;
        if (!take_value(cli, &g, !truth && c[1] ? c + 1 : NULL, i)) return false;
        if (!truth) break;
    }
    return true;
}

// ---- arguments

static int most_args(const CliVerb *verb) {
    int n = 0;
    for (const CliArg *a = verb->args; a && a->name; a++) {
        if (a->many) return -1;
        n++;
    }
    return n;
}

static bool check_word(Cli *cli, const CliArg *a, const char *word) {
    CdSuggestion s = {.word = word};
    char shown[CD_SHOWN_MAX];
    CdText words;
    if (a->kind != CLI_WORD) return true;
    cdi_text_init(&words, cli->ctx);
    for (const char *const *w = a->words; *w; w++) {
        if (strcmp(*w, word) == 0) {
            cdi_text_free(&words);
            return true;
        }
        cdi_suggest_from(&s, *w);
        cdi_text_addf(&words, "%s%s", words.n ? ", " : "; there are ", *w);
    }
    cli_complain(cli, "%s: %s cannot be '%s'%s%s%s", cli->verb->name, a->name,
                 cdi_shown(word, shown), CLI_HINT(s, words.v ? words.v : ""));
    cdi_text_free(&words);
    return false;
}

static bool check_args(Cli *cli) {
    const int most = most_args(cli->verb);
    char shown[CD_SHOWN_MAX];
    bool ok = true;
    int i = 0;
    for (const CliArg *a = cli->verb->args; a && a->name; a++) {
        if (i < cli->nargs) {
            ok = check_word(cli, a, cli->args[i++]) && ok;
        } else if (!a->optional) {
            cli_complain(cli, "%s: %s is missing: give %s", cli->verb->name, a->name, a->doc);
            ok = false;
        }
    }
    for (i = most; most >= 0 && i < cli->nargs; i++) {
        cli_complain(cli, "%s: too many arguments: '%s'", cli->verb->name,
                     cdi_shown(cli->args[i], shown));
        ok = false;
    }
    return ok;
}

// ---- values

static bool is_number(const char *value) {
    char *end;
    strtod(value, &end);
    return *value && !*end;
}

static bool is_text(const CdField *f) {
    return f->type == CD_TYPE_STRING || f->type == CD_TYPE_ENUM || f->type == CD_TYPE_PATH ||
           f->type == CD_TYPE_REF;
}

// words are texts, anything else is JSON: numbers, lists, truth values
static CdStatus set_one(CdObject *object, const CdField *f, const char *value) {
    if (is_text(f) || (f->type == CD_TYPE_REAL && !is_number(value))) {
        return cdi_object_set_text(object, f->name, value, NULL);
    }
    return cdi_object_set(object, f->name, value, NULL);
}

// all that were given, each an element or an array of elements, as one array
static CdStatus set_list(Cli *cli, CdObject *object, const CdField *f) {
    CdText all;
    CdJsonWriter w;
    cdi_text_init(&all, cli->ctx);
    cdi_json_writer_init(&w, &all, 0);
    cdi_json_begin_array(&w, true);
    for (int i = 0; i < cli->ngiven; i++) {
        const char *value = cli->given[i].value;
        const size_t n = strlen(value);
        if (cli->given[i].field != f) continue;
        if (n > 2 && value[0] == '[' && value[n - 1] == ']') {
            char *inside = cdi_strndup(cli->ctx, value + 1, n - 2);
            if (inside) cdi_json_raw(&w, inside);
            cdi_free(cli->ctx, inside);
        } else if (is_text(f) || (f->type == CD_TYPE_REAL && !is_number(value))) {
            cdi_json_string(&w, value);
        } else {
            cdi_json_raw(&w, value);
        }
    }
    cdi_json_end_array(&w);
    const CdStatus status =
        all.status == CD_OK ? cdi_object_set(object, f->name, all.v, NULL) : all.status;
    cdi_text_free(&all);
    return status;
}

static CdStatus set_row(Cli *cli, CdObject *object, const CdField *f) {
    const char *value = NULL;
    char name[CLI_NAME_MAX];
    for (int i = 0; i < cli->ngiven; i++) {
        if (cli->given[i].field == f) value = cli->given[i].value;
    }
    if (!value) return CD_OK;
    cli->option = cli_option_name(f, name);
    CdStatus status;
    if (!cdi_utf8_valid(value)) {
        status = cdi_fail(cli->ctx, CD_INVALID, "is not valid UTF-8");
    } else {
        status = f->list ? set_list(cli, object, f) : set_one(object, f, value);
    }
    cli->option = NULL;
    return status;
}

static CdStatus set_rows(Cli *cli, const CdDesc *table, CdObject *object) {
    CdStatus status = CD_OK;
    for (int i = 0; i < table->nfields; i++) {
        const CdStatus one = set_row(cli, object, &table->fields[i]);
        if (one != CD_OK) status = one;
    }
    return status;
}

CdStatus cli_override(Cli *cli, CdObject *object) {
    return set_rows(cli, cli->verb->overrides, object);
}

// ---- all of it

static bool read_words(Cli *cli) {
    bool ok = true, options = true;
    for (int i = 0; i < cli->nwords; i++) {
        const char *word = cli->words[i];
        if (options && strcmp(word, "--") == 0) {
            options = false;
        } else if (options && strncmp(word, "--", 2) == 0) {
            ok = take_long(cli, &i) && ok;
        } else if (options && looks_like_option(word)) {
            ok = take_short(cli, &i) && ok;
        } else {
            cli->args[cli->nargs++] = word;
        }
    }
    return ok;
}

// an object of a table with what was given; false after a message
static bool read_table(Cli *cli, const CdDesc *table, CdObject **object) {
    return cdi_object_new(cli->ctx, table, NULL, object) == CD_OK &&
           set_rows(cli, table, *object) == CD_OK;
}

static bool read_globals(Cli *cli) {
    if (!read_table(cli, &cli_globals, &cli->globals)) return false;
    if (cdi_object_check(cli->globals, NULL) != CD_OK) return false;
    const CliGlobals *g = cdi_object_data(cli->globals);
    cli->quiet = g->quiet;
    if (g->color != COLOR_AUTO) cli->colored = g->color == COLOR_ALWAYS;
    for (int i = 0; i < cli->ngiven; i++) {
        if (cli->given[i].field == output_fields) cli->output = cli->given[i].value;
    }
    if (!cli->json || !cli->output || strcmp(cli->output, "-") != 0) return true;
    cli_complain(cli, "%s: --json and -o - both want standard output; give -o a file",
                 cli->verb->name);
    return false;
}

static bool read_options(Cli *cli) {
    const CliVerb *verb = cli->verb;
    bool ok = true;
    if (verb->options) {
        ok = read_table(cli, verb->options, &cli->object) &&
             cdi_object_check(cli->object, NULL) == CD_OK;
        if (ok) cli->options = cdi_object_data(cli->object);
    }
    // once without the file, so that wrong usage is told before anything is read
    if (verb->overrides) {
        CdObject *tried;
        ok = read_table(cli, verb->overrides, &tried) && ok;
        cdi_object_free(tried);
    }
    return ok;
}

// results in the place of what they are made from would be the end of it
static bool check_output(Cli *cli) {
    const CliArg *a = cli->verb->args;
    if (!cli->output || !a || cli->verb->in_place) return true;
    for (int i = 0; i < cli->nargs && a[i].name && a[i].kind == CLI_FILE; i++) {
        if (!cdi_file_same(cli->args[i], cli->output)) continue;
        cli_complain(cli, "%s: -o would replace '%s', which is read; give it another name",
                     cli->verb->name, cli->args[i]);
        return false;
    }
    return true;
}

bool cli_read(Cli *cli) {
    const size_t n = (size_t)cli->nwords + 1;
    size_t letters = 0;
    for (int i = 0; i < cli->nwords; i++) letters += strlen(cli->words[i]);
    cli->given = cdi_alloc_array(cli->ctx, n + letters, sizeof *cli->given);
    cli->args = cdi_alloc_array(cli->ctx, n, sizeof *cli->args);
    if (!cli->given || !cli->args) {
        cli_complain(cli, "out of memory");
        return false;
    }
    bool ok = read_words(cli);
    ok = read_globals(cli) && ok;
    const CliGlobals *g = cli->globals ? cdi_object_data(cli->globals) : NULL;
    if (g && g->help) return ok;
    ok = check_args(cli) && ok;
    ok = ok && check_output(cli);
    return read_options(cli) && ok;
}

void cli_forget(Cli *cli) {
    cdi_object_free(cli->object);
    cdi_object_free(cli->globals);
    cdi_free(cli->ctx, cli->given);
    cdi_free(cli->ctx, cli->args);
}
