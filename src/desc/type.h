// type.h - what a field type must do; one class object per line of types.def
#ifndef CARDAN_DESC_TYPE_H
#define CARDAN_DESC_TYPE_H

#include "desc/desc.h"
#include "desc/reader.h"
#include "desc/schema.h"

typedef struct CdTypeClass {
    const char *name; // "real"
    const char *form; // how a value is written in JSON, for messages: "must be <form>, not ..."
    size_t size;      // of one value; 0: that of the field's class (OBJECT)
    bool number;      // do unit and range apply?
    bool keeps_text;  // is the JSON text kept because the value alone does not bring it back?

    // from JSON into zeroed memory. Mistakes are reported through the reader; on failure the value
    // owns nothing.
    CdStatus (*read)(CdReader *r, const CdField *f, const CdJson *json, void *value);
    void (*write)(CdJsonWriter *w, const CdField *f, const void *value); // as numbers in SI
    void (*clear)(CdContext *ctx, const CdField *f,
                  void *value);                    // frees what it owns; NULL: it owns nothing
    void (*schema)(CdSchema *s, const CdField *f); // the keywords of its JSON Schema
} CdTypeClass;

const CdTypeClass *cdi_type(CdType type);

// one value or a list of them, as the field says
size_t cdi_field_size(const CdField *f);
CdStatus cdi_field_read(CdReader *r, const CdField *f, const CdJson *json, void *member);
void cdi_field_write(CdJsonWriter *w, const CdField *f, const void *member);
void cdi_field_clear(CdContext *ctx, const CdField *f, void *member);

// all fields of a struct
void cdi_struct_write(CdJsonWriter *w, const CdDesc *desc, const void *data);
void cdi_struct_clear(CdContext *ctx, const CdDesc *desc, void *data);

// one of several classes, as {"class": ...}
CdStatus cdi_variant_read(CdReader *r, const CdDesc *const classes[], const CdJson *json,
                          CdVariant *variant);
void cdi_variant_write(CdJsonWriter *w, const CdVariant *variant);
void cdi_variant_clear(CdContext *ctx, CdVariant *variant);
void cdi_variant_schema(CdSchema *s, const CdDesc *const classes[]); // elements of an anyOf

// class objects of the types
#define TYPE(code, object) extern const CdTypeClass object;
#include "desc/types.def"
#undef TYPE

#endif
