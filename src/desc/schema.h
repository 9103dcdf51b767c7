// schema.h - what field types need to write their JSON Schema
#ifndef CARDAN_DESC_SCHEMA_H
#define CARDAN_DESC_SCHEMA_H

#include "desc/desc.h"
#include "desc/nested.h"

#define CD_SCHEMA_DRAFT "https://json-schema.org/draft/2020-12/schema"

typedef struct CdSchema {
    CdJsonWriter *w;
    CdClassList classes; // named by $ref so far
} CdSchema;

// a class whole, and those that its fields name, as members of "$defs"
void cdi_schema_class(CdSchema *s, const CdDesc *desc, bool named);
void cdi_schema_defs(CdSchema *s);

void cdi_schema_pair(CdSchema *s, const char *key, const char *value);
void cdi_schema_ref(CdSchema *s, const CdDesc *desc); // "$ref": "#/$defs/<name>"
void cdi_schema_type(CdSchema *s, const char *type);  // "type": ...
void cdi_schema_word(CdSchema *s);                    // text that is not empty
void cdi_schema_number(CdSchema *s, const char *type, const char *range); // or an expression

#endif
