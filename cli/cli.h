// cli.h - what the verbs of the command line share; one file per verb, one line in verbs.def
//
// A verb is a row of words: what it is called, what its arguments are, the table of its options.
// The frame (main.c, options.c, messages.c, usage.c) reads the command line by these tables, tells
// what is wrong with it, writes help, manual pages and completions from them, and calls the verb.
// Data go to standard output, talk to standard error.
//
// With --json standard output is one object and standard error is silent:
//   {"version": 1, "verb": "run", ...what the verb writes..., "status": "OK", "exit_code": 0,
//    "messages": [{"level": "warning", "text": "..."}]}
#ifndef CARDAN_CLI_CLI_H
#define CARDAN_CLI_CLI_H

#include <stdio.h>

#include "desc/desc.h"

#define CLI_JSON_VERSION 1

// exit codes: name in JSON, number, what it means
#define CLI_CODES(X)                                                                \
    X(OK, 0, "done")                                                                \
    X(FAILED, 1, "a run failed, a check found errors, or results differ")           \
    X(USAGE, 2, "wrong usage: a verb, an option or an argument")                    \
    X(INPUT, 3, "a model or another file cannot be read, or what it says is wrong") \
    X(OUTPUT, 4, "results cannot be written")                                       \
    X(INTERRUPTED, 130, "stopped by Ctrl-C or SIGTERM; what was computed until then is kept")

enum {
#define X(name, code, doc) CLI_##name = code,
    CLI_CODES(X)
#undef X
};

typedef struct CliCode {
    const char *name;
    int code;
    const char *doc;
} CliCode;
extern const CliCode cli_codes[]; // ends with a NULL name
// of what the library says after everything was read: CD_IO is then about writing
int cli_code(CdStatus status);

// ---- verbs

// what an argument names, for completion
typedef enum CliKind { CLI_TEXT, CLI_FILE, CLI_WORD, CLI_CLASS, CLI_TOPIC } CliKind;

typedef struct CliArg {
    const char *name; // "MODEL"; NULL after the last
    const char *doc;
    CliKind kind;
    bool optional;            // it and all after it
    bool many;                // only of the last: once or more often
    const char *suffix;       // CLI_FILE: of its name, ".json"; NULL: any
    const char *const *words; // CLI_WORD: one of these, NULL-terminated
} CliArg;

typedef struct Cli Cli;

typedef struct CliVerb {
    const char *name;
    const char *doc;         // one line
    const char *text;        // a paragraph or more for the manual; NULL: none
    const CliArg *args;      // NULL: none
    const CdDesc *options;   // rows become --name VALUE, .letter a short form; NULL: none
    const CdDesc *overrides; // more rows, in place of what a file says; see cli_override
    const char *output;      // what -o writes; NULL: there is no -o
    bool in_place;           // -o may be what is read
    const char *examples;    // lines for the shell; NULL: none
    int (*run)(Cli *cli);    // an exit code
} CliVerb;

extern const CliVerb *const cli_verbs[];   // NULL-terminated
const CliVerb *cli_verb(const char *name); // NULL: there is none

// options of every verb
typedef struct CliGlobals {
    bool json, quiet, help;
    int color;
} CliGlobals;
extern const CdDesc cli_globals, cli_output;

// one option as it was given
typedef struct CliGiven {
    const CdDesc *table;
    const CdField *field;
    const char *value;
} CliGiven;

struct Cli {
    CdContext *ctx;
    const CliVerb *verb;
    bool json, quiet;
    const char *output; // of -o; NULL: not given; "-": standard output
    const char **args;  // as many as the table allows
    int nargs;
    const void *options; // struct of verb->options; NULL: it has none
    CdJsonWriter w;      // with --json: the object of the answer, open for keys and values

    // of the frame
    char **words; // of the command line, after the verb
    int nwords;
    CliGiven *given;
    int ngiven;
    CdObject *globals, *object;
    const char *option; // being set: messages are about it
    bool colored;
    int bar;       // width of a bar that stands on the last line of standard error; 0: none
    CdText *asked; // takes the answer; NULL: it is printed
    CdText answer;
    CdText said; // messages as elements of an array
};

// rows of verb->overrides that were given, set on an object of that class
CdStatus cli_override(Cli *cli, CdObject *object);

// read the words by the tables of the verb. False: all that is wrong was told.
bool cli_read(Cli *cli);
void cli_forget(Cli *cli);

// ---- messages and answers

// "cardan: error: text" on standard error, or one of "messages"
void cli_complain(Cli *cli, const char *fmt, ...) CD_PRINTF(2, 3);
// "; did you mean 'NAME'?" or the other text, for the end of a complaint
#define CLI_HINT(s, other) \
    (s).name ? "; did you mean '" : (other), (s).name ? (s).name : "", (s).name ? "'?" : ""
void cli_tell(void *cli, const CdMessage *message); // the sink of the context
bool cli_tty(FILE *file);                           // does somebody look at it?
void cli_clear_bar(Cli *cli);                       // of progress.h, before anything else is said

void cli_answer_begin(Cli *cli);
int cli_answer_end(Cli *cli, int code); // prints it; the code to exit with

// ---- text made from the tables

void cli_usage(FILE *to); // of all
void cli_verb_list(FILE *to);
void cli_verb_usage(FILE *to, const CliVerb *verb, CdContext *ctx);
#define CLI_EXIT_CODES "exit-codes" // the topic
void cli_exit_codes(FILE *to);
void cli_synopsis(const CliVerb *verb, CdText *out);  // "cardan run [OPTION]... MODEL"
void cli_option_words(const CdField *f, CdText *out); // "-o, --output FILE"
void cli_option_doc(const CliVerb *verb, const CdField *f, CdText *out);
// "-"s for "_"s
#define CLI_NAME_MAX 64
const char *cli_option_name(const CdField *f, char name[CLI_NAME_MAX]);
// tables of a verb with those of the frame, in the order of help: i = 0, 1, ... until NULL
const CdDesc *cli_table(const CliVerb *verb, int i);

// the whole of it: returns the code to exit with
int cli_main(int argc, char **argv);
// the same for programs, as with --json: nothing is printed, the answer is added to a text, which
// is empty if memory ran out
int cli_ask(CdContext *ctx, int argc, char **argv, CdText *answer);
// said by whoever links it: without shared libraries?
extern const bool cli_linked_static;

// ---- Ctrl-C

// From here on Ctrl-C asks the verb to end, because there are results to keep; a second one ends
// the program. Before, the first does.
void cli_catch_interrupt(void);
bool cli_interrupted(void);

#endif
