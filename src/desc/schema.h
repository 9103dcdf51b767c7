// schema.h - what field types need to write their JSON Schema
#ifndef CARDAN_DESC_SCHEMA_H
#define CARDAN_DESC_SCHEMA_H

#include "desc/desc.h"
#include "desc/nested.h"

typedef struct CdSchema {
    CdJsonWriter *w;
    CdClassList classes; // named by $ref so far
} CdSchema;

void cdi_schema_ref(CdSchema *s, const CdDesc *desc); // "$ref": "#/$defs/<name>"
void cdi_schema_type(CdSchema *s, const char *type);  // "type": ...
void cdi_schema_word(CdSchema *s);                    // text that is not empty
void cdi_schema_number(CdSchema *s, const char *type, const char *range); // or an expression

#endif
