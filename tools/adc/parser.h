// parser.h - words to tree
#ifndef ADC_PARSER_H
#define ADC_PARSER_H

#include "lexer.h"
#include "tree.h"

typedef struct Search { // folders in which #include "..." is looked for
    const char *const *dirs;
    int n;
} Search;

// a parse state, shared by parser.c (files, functions, statements), parse_expr.c and parse_note.c
typedef struct Parser {
    Unit *unit;
    Tokens tokens;
    int at;
    bool included;
    int depth; // of nested expressions and blocks, limited so that no input exhausts the stack
} Parser;

enum { MAX_DEPTH = 200 };

// reads a file and the kernel headers it includes; false when there is no such file
bool parse_file(Unit *unit, const Search *search, const char *path, bool whole, bool included);
void parse_source(Unit *unit, const Search *search, const Source *source, bool whole,
                  bool included);

Token *tok(Parser *p);
bool at_mark(Parser *p, const char *mark);
bool at_name(Parser *p, const char *name);
bool take(Parser *p, const char *mark);
bool take_name(Parser *p, const char *name);
bool expect(Parser *p, const char *mark, const char *context); // false after a message
void *parse_fail(Parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

Expr *parse_expr(Parser *p);                // NULL after a message
bool parse_integer(Parser *p, long *value); // a constant: a number, a named integer, + - * ()
Directive *parse_directive(Unit *unit, const Token *t); // NULL after a message
const char *parse_text(const Token *t);                 // how a message names this word

#endif
