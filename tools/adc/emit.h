// emit.h - programs to C text
#ifndef ADC_EMIT_H
#define ADC_EMIT_H

#include "derive.h"

typedef enum Shape { SCALAR, COMPLEX, LANES } Shape;

// lanes: how many items of a tile count, the first argument
#define EMIT_ITEMS "items"

typedef struct Text { // growing text
    Mem *mem;
    char *at;
    size_t n, cap;
} Text;

void text_add(Text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void emit_header(Text *t, const char *stem, const char *source, const Programs *programs,
                 Shape shape);
void emit_body(Text *t, const Program *p, Shape shape);
void emit_signature(Text *t, const Program *p, Shape shape);
const char *emit_handle(Mem *mem, const Program *p, const char *text);
const char *emit_number(Mem *mem, double v);

#endif
