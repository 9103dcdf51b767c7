// lexer.h - the words of a kernel file
#ifndef ADC_LEXER_H
#define ADC_LEXER_H

#include "source.h"

typedef enum TokenKind {
    T_END,
    T_NAME,
    T_INT,
    T_REAL,
    T_MARK,      // an operator or bracket, in text
    T_DIRECTIVE, // the text after "// adc:"
    T_INCLUDE,   // the path of #include "path"
    T_DEFINE,    // the text after #define
} TokenKind;

typedef struct Token {
    TokenKind kind;
    Place place;
    const char *text;
    long integer;
    double real;
    bool outside; // of the kernel regions: only struct types and includes are seen there
} Token;

typedef LIST(Token) Tokens;

// Text between "// kernel" and "// end kernel" is read; outside only #include "..." and typedef
// structs are. A file without such marks is read as a whole when whole is set, else not at all.
void lex(Mem *mem, Messages *m, const Source *source, bool whole, Tokens *out);
void lex_directive(Mem *mem, Messages *m, const Token *directive, Tokens *out);

#endif
