// completion.c - what shells offer after a tab: verbs, options, words and files, from the tables
#include <string.h>

#include "classes.h"
#include "reference.h"

// ---- what can stand where

// what completes the value of an option
typedef enum Value { VALUE_NONE, VALUE_WORDS, VALUE_FILE } Value;

static bool takes_value(const CdField *f) {
    return f->type != CD_TYPE_BOOL || f->list;
}

static Value value_of(const CdField *f) {
    if (f->type == CD_TYPE_ENUM) return VALUE_WORDS;
    const bool file = f->type == CD_TYPE_PATH || (f->word && strcmp(f->word, "FILE") == 0);
    return file ? VALUE_FILE : VALUE_NONE;
}

// the words of an argument, each after a space
static void add_words(const CliArg *a, CdText *out) {
    const CdDesc *desc;
    const char *group;
    if (a->kind == CLI_WORD) {
        for (const char *const *w = a->words; *w; w++) cdi_text_addf(out, " %s", *w);
    }
    if (a->kind == CLI_TOPIC) {
        for (const CliVerb *const *v = cli_verbs; *v; v++) cdi_text_addf(out, " %s", (*v)->name);
        cdi_text_addf(out, " %s", CLI_EXIT_CODES);
    }
    if (a->kind == CLI_CLASS || a->kind == CLI_TOPIC) {
        for (int i = 0; (desc = cli_class_at(i, &group)); i++)
            cdi_text_addf(out, " %s", desc->name);
    }
}

// "--step", or "--no-x" where that is what one would want to say
static void add_long(const CdField *f, CdText *out) {
    char name[CLI_NAME_MAX];
    const bool on = !takes_value(f) && f->def && strcmp(f->def, "true") == 0;
    cdi_text_addf(out, "--%s%s", on ? "no-" : "", cli_option_name(f, name));
}

typedef void EachOption(void *user, const CliVerb *verb, const CdField *f, CdText *out);

static void each_option(const CliVerb *verb, EachOption *each, void *user, CdText *out) {
    const CdDesc *table;
    for (int k = 0; (table = cli_table(verb, k)); k++) {
        for (int i = 0; i < table->nfields; i++) each(user, verb, &table->fields[i], out);
    }
}

// ---- bash

static void bash_name(void *user, const CliVerb *verb, const CdField *f, CdText *out) {
    (void)user;
    (void)verb;
    cdi_text_add(out, " ");
    add_long(f, out);
    if (f->letter) cdi_text_addf(out, " -%c", f->letter);
}

static void bash_value(void *user, const CliVerb *verb, const CdField *f, CdText *out) {
    (void)user;
    (void)verb;
    if (!takes_value(f)) return;
    cdi_text_add(out, "        ");
    add_long(f, out);
    if (f->letter) cdi_text_addf(out, " | -%c", f->letter);
    cdi_text_add(out, ") ");
    if (value_of(f) == VALUE_WORDS) {
        cdi_text_add(out, "_cardan_words \"");
        for (const char *const *n = f->names; *n; n++) {
            cdi_text_addf(out, "%s%s", n == f->names ? "" : " ", *n);
        }
        cdi_text_add(out, "\"; return ;;\n");
    } else if (value_of(f) == VALUE_FILE) {
        cdi_text_add(out, "_cardan_files \"\"; return ;;\n");
    } else {
        cdi_text_add(out, "return ;;\n");
    }
}

static void bash_valued(void *user, const CliVerb *verb, const CdField *f, CdText *out) {
    if (takes_value(f)) bash_name(user, verb, f, out);
}

static void bash_args(const CliVerb *verb, CdText *out) {
    int i = 0;
    cdi_text_add(out, "        case $n in\n");
    for (const CliArg *a = verb->args; a && a->name; a++) {
        cdi_text_addf(out, a->many ? "        *) " : "        %d) ", i++);
        if (a->kind == CLI_FILE) {
            cdi_text_addf(out, "_cardan_files \"%s\" ;;\n", a->suffix ? a->suffix : "");
        } else {
            cdi_text_add(out, "_cardan_words \"");
            add_words(a, out);
            cdi_text_add(out, "\" ;;\n");
        }
    }
    cdi_text_add(out, "        esac\n");
}

static void bash_verb(const CliVerb *verb, CdText *out) {
    cdi_text_addf(out, "    %s)\n        case $previous in\n", verb->name);
    each_option(verb, bash_value, NULL, out);
    cdi_text_add(out, "        esac\n        options=\"");
    each_option(verb, bash_name, NULL, out);
    cdi_text_add(out, "\"\n        _cardan_count \"");
    each_option(verb, bash_valued, NULL, out);
    cdi_text_add(out,
                 " \"\n        case $word in -*) _cardan_words \"$options\"; return ;; esac\n");
    bash_args(verb, out);
    cdi_text_add(out, "        ;;\n");
}

// clang-format off
static const char bash_head[] =
    "# cardan.bash - completion for bash, made from the tables by 'cardan help --form bash'\n"
    "\n"
    "_cardan_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\"); }\n"
    "\n"
    "# files with a suffix, and folders\n"
    "_cardan_files() {\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(compgen -f -X \"!*$1\" -- \"$word\"; compgen -d -- \"$word\")\n"
    "}\n"
    "\n"
    "# arguments before the word, without options and their values\n"
    "_cardan_count() {\n"
    "    local i\n"
    "    n=0\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        case ${COMP_WORDS[i]} in\n"
    "        -?*) case $1 in *\" ${COMP_WORDS[i]} \"*)\n"
    "            i=$((i + 1))\n"
    "            [[ ${COMP_WORDS[i]} != = ]] || i=$((i + 1)) ;;\n"
    "        esac ;;\n"
    "        *) n=$((n + 1)) ;;\n"
    "        esac\n"
    "    done\n"
    "}\n"
    "\n"
    "_cardan() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options n\n"
    "    COMPREPLY=()\n"
    "    # --name=value is three words\n"
    "    if [[ $word == = ]]; then\n"
    "        word=\n"
    "    elif [[ $previous == = && $COMP_CWORD -gt 2 ]]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n";
static const char bash_tail[] =
    "    esac\n"
    "}\n"
    "\n"
    "complete -F _cardan cardan\n";
// clang-format on

void cli_bash(CdText *out) {
    cdi_text_add(out, bash_head);
    cdi_text_add(out, "    if [[ $COMP_CWORD -eq 1 ]]; then\n        _cardan_words \"");
    for (const CliVerb *const *v = cli_verbs; *v; v++) cdi_text_addf(out, "%s ", (*v)->name);
    cdi_text_add(out, "--help --version\"\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (const CliVerb *const *v = cli_verbs; *v; v++) bash_verb(*v, out);
    cdi_text_add(out, bash_tail);
}

// ---- zsh

// inside '...', where [ ] and : separate parts
static void zsh_text(const char *s, CdText *out) {
    for (; *s; s++) {
        if (*s == '\'') {
            cdi_text_add(out, "'\\''");
        } else if (*s == '[' || *s == ']' || *s == ':' || *s == '\\') {
            cdi_text_addf(out, "\\%c", *s);
        } else {
            cdi_text_addn(out, s, 1);
        }
    }
}

static void zsh_doc(const CliVerb *verb, const CdField *f, CdText *out) {
    CdText doc;
    cdi_text_init(&doc, out->ctx);
    cli_option_doc(verb, f, &doc);
    cdi_text_add(out, "[");
    zsh_text(doc.v ? doc.v : "", out);
    cdi_text_add(out, "]");
    cdi_text_free(&doc);
}

static void zsh_value(const CdField *f, CdText *out) {
    if (!takes_value(f)) return;
    cdi_text_addf(out, ":%s:", f->name);
    if (value_of(f) == VALUE_FILE) cdi_text_add(out, "_files");
    if (value_of(f) != VALUE_WORDS) return;
    for (const char *const *n = f->names; *n; n++) {
        cdi_text_addf(out, "%s%s", n == f->names ? "(" : " ", *n);
    }
    cdi_text_add(out, ")");
}

static void zsh_option(void *user, const CliVerb *verb, const CdField *f, CdText *out) {
    (void)user;
    cdi_text_addf(out, "            '%s", f->list ? "*" : "");
    add_long(f, out);
    if (takes_value(f)) cdi_text_add(out, "=");
    zsh_doc(verb, f, out);
    zsh_value(f, out);
    cdi_text_add(out, "' \\\n");
    if (!f->letter) return;
    cdi_text_addf(out, "            '-%c%s", f->letter, takes_value(f) ? "+" : "");
    zsh_doc(verb, f, out);
    zsh_value(f, out);
    cdi_text_add(out, "' \\\n");
}

static void zsh_args(const CliVerb *verb, CdText *out) {
    int i = 1;
    for (const CliArg *a = verb->args; a && a->name; a++) {
        char place[16] = "*";
        if (!a->many) snprintf(place, sizeof place, "%d", i++);
        cdi_text_addf(out, "            '%s:%s:", place, a->name);
        if (a->kind == CLI_FILE) {
            cdi_text_addf(out, "_files%s%s%s", a->suffix ? " -g \"*" : "",
                          a->suffix ? a->suffix : "", a->suffix ? "\"" : "");
        } else if (a->kind != CLI_TEXT) {
            cdi_text_add(out, "(");
            add_words(a, out);
            cdi_text_add(out, ")");
        }
        cdi_text_add(out, "' \\\n");
    }
    cdi_text_add(out, "            && return\n");
}

void cli_zsh(CdText *out) {
    cdi_text_add(out, "#compdef cardan\n"
                      "# _cardan - completion for zsh, made from the tables by 'cardan help --form "
                      "zsh'\n\n_cardan() {\n    local curcontext=$curcontext state line\n    "
                      "local -a verbs\n    verbs=(\n");
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        cdi_text_addf(out, "        '%s:", (*v)->name);
        zsh_text((*v)->doc, out);
        cdi_text_add(out, "'\n");
    }
    cdi_text_add(out, "    )\n    _arguments -C '1:verb:->verb' '*::argument:->rest' && return\n"
                      "    case $state in\n    verb) _describe verb verbs ;;\n"
                      "    rest)\n        case $words[1] in\n");
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        cdi_text_addf(out, "        %s) _arguments -s \\\n", (*v)->name);
        each_option(*v, zsh_option, NULL, out);
        zsh_args(*v, out);
        cdi_text_add(out, "            ;;\n");
    }
    cdi_text_add(out, "        esac\n        ;;\n    esac\n}\n\n_cardan \"$@\"\n");
}

// ---- fish

static void fish_text(const char *s, CdText *out) {
    cdi_text_add(out, "'");
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\') cdi_text_add(out, "\\");
        cdi_text_addn(out, s, 1);
    }
    cdi_text_add(out, "'");
}

static void fish_option(void *user, const CliVerb *verb, const CdField *f, CdText *out) {
    (void)user;
    CdText name, doc;
    cdi_text_init(&name, out->ctx);
    cdi_text_init(&doc, out->ctx);
    add_long(f, &name);
    cli_option_doc(verb, f, &doc);
    cdi_text_addf(out, "complete -c cardan -n '__fish_seen_subcommand_from %s' -l %s", verb->name,
                  name.v ? name.v + 2 : "");
    if (f->letter) cdi_text_addf(out, " -s %c", f->letter);
    if (takes_value(f)) cdi_text_add(out, value_of(f) == VALUE_FILE ? " -r -F" : " -x");
    for (const char *const *n = f->names; value_of(f) == VALUE_WORDS && *n; n++) {
        cdi_text_addf(out, "%s%s%s", n == f->names ? " -a '" : " ", *n, n[1] ? "" : "'");
    }
    cdi_text_add(out, " -d ");
    fish_text(doc.v ? doc.v : "", out);
    cdi_text_add(out, "\n");
    cdi_text_free(&name);
    cdi_text_free(&doc);
}

static void fish_args(const CliVerb *verb, CdText *out) {
    for (const CliArg *a = verb->args; a && a->name; a++) {
        if (a->kind == CLI_TEXT) continue;
        cdi_text_addf(out, "complete -c cardan -n '__fish_seen_subcommand_from %s'", verb->name);
        if (a->kind == CLI_FILE) {
            cdi_text_addf(out, " -k -a '(__fish_complete_suffix %s)'\n",
                          a->suffix ? a->suffix : ".");
        } else {
            cdi_text_add(out, " -a '");
            add_words(a, out);
            cdi_text_add(out, "'\n");
        }
    }
}

void cli_fish(CdText *out) {
    cdi_text_add(out, "# cardan.fish - completion for fish, made from the tables by 'cardan help "
                      "--form fish'\n\ncomplete -c cardan -f\n");
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        cdi_text_addf(out, "complete -c cardan -n __fish_use_subcommand -a %s -d ", (*v)->name);
        fish_text((*v)->doc, out);
        cdi_text_add(out, "\n");
    }
    for (const CliVerb *const *v = cli_verbs; *v; v++) {
        cdi_text_add(out, "\n");
        each_option(*v, fish_option, NULL, out);
        fish_args(*v, out);
    }
}
