// schema.h - what field types need to write their JSON Schema; nested classes are collected and
// written once
#ifndef CARDAN_DESC_SCHEMA_H
#define CARDAN_DESC_SCHEMA_H

#include "base/array.h"
#include "desc/desc.h"

// classes that are named by others, in the order in which they were met
typedef struct CdClassList {
    CD_ARRAY(const CdDesc *) met;
} CdClassList;

void cdi_class_meet(CdClassList *list, const CdDesc *desc, CdText *out); // failure sticks in out
void cdi_class_meet_nested(CdClassList *list, const CdDesc *desc,
                           CdText *out); // those of its fields

typedef struct CdSchema {
    CdJsonWriter *w;
    CdClassList classes;
} CdSchema;

void cdi_schema_ref(CdSchema *s, const CdDesc *desc); // "$ref": "#/$defs/<name>"
void cdi_schema_type(CdSchema *s, const char *type);  // "type": ...
void cdi_schema_number(CdSchema *s, const char *type,
                       const char *range); // or an expression as text

#endif
