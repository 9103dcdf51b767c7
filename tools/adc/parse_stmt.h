// parse_stmt.h - functions and statements
#ifndef ADC_PARSE_STMT_H
#define ADC_PARSE_STMT_H

#include "parser.h"

typedef LIST(Directive *) Notes; // directives that wait for their function

bool parse_function(Parser *p, Notes *notes); // false after a message
bool parse_dims(Parser *p, Type *t);
Struct *parse_struct_named(const Unit *u, const char *name);

#endif
