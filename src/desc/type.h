// type.h - what a field type must do; one class object, one file and one line of types.def for each
#ifndef CARDAN_DESC_TYPE_H
#define CARDAN_DESC_TYPE_H

#include "desc/desc.h"
#include "desc/nested.h"
#include "desc/reader.h"
#include "desc/schema.h"

typedef struct CdTypeClass {
    const char *name; // "real"
    const char *form; // how a value is written in JSON, for messages: "must be <form>, not ..."
    size_t size;      // of one value; 0: that of the field's class
    bool number;      // do unit and range apply?
    bool nullable;    // has it a state for "nothing there", so that null may be the default?
    bool zeros;       // are zeros what zeroed memory holds?
    bool keeps_text;  // is the JSON text kept because the value alone does not bring it back?

    // from JSON into zeroed memory. Mistakes are reported through the reader; on failure the value
    // owns nothing.
    CdStatus (*read)(CdReader *r, const CdField *f, const CdJson *json, void *value);
    void (*write)(CdJsonWriter *w, const CdField *f, const void *value); // as numbers in SI
    void (*schema)(CdSchema *s, const CdField *f); // the keywords of its JSON Schema

    // each may be NULL
    void (*clear)(CdContext *ctx, const CdField *f, void *value); // frees what it owns
    bool (*complete)(const CdField *f);                  // has the row what the type needs?
    void (*nested)(CdClassList *list, const CdField *f); // classes that it names
    void (*words)(CdText *out, const CdField *f);        // what the manual says after its name
    void (*details)(CdJsonWriter *w, const CdField *f);  // members that introspection adds
    double (*real)(const void *value);                   // the value if it is a single number
} CdTypeClass;

const CdTypeClass *cdi_type(CdType type);

// one value or a list of them, as the field says
size_t cdi_field_size(const CdField *f);
const char *cdi_field_form(const CdField *f); // how it is written in JSON
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
void cdi_variant_schema(CdSchema *s, const CdDesc *const classes[]);    // elements of an anyOf
void cdi_variant_names(CdJsonWriter *w, const CdDesc *const classes[]); // for introspection

// texts
CdStatus cdi_text_copy(CdReader *r, const CdField *f, const CdJson *json, char **out);
void cdi_text_write(CdJsonWriter *w, const char *text); // null for NULL

// class objects of the types
#define TYPE(code, object) extern const CdTypeClass object;
#include "desc/types.def"
#undef TYPE

#endif
