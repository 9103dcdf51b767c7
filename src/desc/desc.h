// desc.h - descriptor tables: what a struct holds, said once, and walked by everything else
//
// A class is a C struct and a table with one row per member. JSON in and out, checks, defaults,
// schema, manual page and introspection follow from the table. A class that has all this is a dozen
// lines:
//
//   typedef struct Rod { double length; int parts; } Rod;
//   #define FIELD(...) CD_FIELD(Rod, __VA_ARGS__)
//   static const CdField fields[] = {
//       FIELD(length, REAL, "m", NULL, "(0, inf)", "distance of its ends"),
//       FIELD(parts, INT, "1", "8", "[1, 1000]", "number of elements"),
//   };
//   const CdDesc cd_rod = {
//       .name = "Rod", .doc = "Straight rod", .size = sizeof(Rod), CD_FIELDS(fields)};
#ifndef CARDAN_DESC_DESC_H
#define CARDAN_DESC_DESC_H

#include <stddef.h>

#include "base/json.h"
#include "desc/params.h"

typedef enum CdType {
#define TYPE(code, object) CD_TYPE_##code,
#include "desc/types.def"
#undef TYPE
    CD_NTYPES
} CdType;

typedef struct CdDesc CdDesc;

// one row of a table
typedef struct CdField {
    const char *name; // JSON key, Python attribute and C member
    CdType type;
    const char *unit;    // SI; "1" if without dimension; "" if not a number; "*" if any will do
    const char *def;     // default as JSON text; NULL: the user must give it
    const char *range;   // interval of a number, or of every number in an array: "[0, 1]"; "": any
    size_t offset, size; // of the member
    const char *doc;     // one line, no final full stop

    // what some types need beside
    bool list;                     // the member is a CdList of values of the type
    const char *count;             // of a list: interval of its length; NULL: any
    bool nonzero;                  // VEC3: refuse the zero vector
    int rows, cols;                // MATRIX, TABLE: fixed sizes; 0: any
    const char *const *names;      // ENUM: its words, NULL-terminated
    const char *target;            // REF: what it refers to: "marker", "body"
    const CdDesc *object;          // OBJECT: its class
    const CdDesc *const *variants; // VARIANT: its classes, NULL-terminated
    const char *arg, *arg_unit;    // FUNCTION: name and unit of its variable; NULL: "t", "s"
    bool sensors;                  // FUNCTION: it may read sensors
    // an option of the command line
    char letter;      // short form: 'o' is -o; 0: none
    const char *word; // its value in usage: "FILE"; NULL: by the type
} CdField;

// row of the table of struct T. The key is the member's name, so the two cannot drift apart. After
// the doc line may follow what the type needs beside:
//   FIELD(kind, ENUM, "", "\"dry\"", "", "law", .names = kinds)
#define CD_FIELD(T, member, type_, unit_, def_, range_, ...)                                   \
    {                                                                                          \
        .name = #member, .type = CD_TYPE_##type_, .unit = unit_, .def = def_, .range = range_, \
        .offset = offsetof(T, member), .size = sizeof(((T *)0)->member), .doc = __VA_ARGS__    \
    }

struct CdReader;

struct CdDesc {
    const char *name; // "RevoluteJoint": in JSON, Python, docs and messages
    const char *doc;  // one sentence, no final full stop
    size_t size;      // of the struct
    const CdField *fields;
    int nfields;
    const char *example; // JSON text: shown in the manual, read by the tests

    // rules between fields and derived members, after all fields were read well; may be NULL.
    // Reports with cdi_reject and returns CD_INVALID, or CD_NOMEM.
    CdStatus (*finish)(struct CdReader *reader, void *data);
    void (*release)(CdContext *ctx,
                    void *data); // frees derived members, sets them to NULL; may be NULL
};

#define CD_FIELDS(table) .fields = table, .nfields = (int)(sizeof(table) / sizeof *(table))

// what members are, by type: BOOL bool, INT int, REAL double, VEC3 double[3], MAT3 double[9] by
// rows, QUATERNION double[4] as wxyz, STRING char *, ENUM int (index of the word), OBJECT the
// struct itself, FUNCTION CdFunction (function.h), and these. All of them own their memory through
// the object they are part of.
typedef struct CdList {
    int n;
    void *v; // elements as the type says, back to back
} CdList;

typedef struct CdMatrix { // MATRIX and TABLE
    int rows, cols;
    double *v; // by rows
} CdMatrix;

typedef struct CdPath { // PATH
    char *given;        // as the user wrote it
    char *full;         // as seen from the folder of the file in which it stands
} CdPath;

typedef struct CdRef { // REF
    char *name;
    const void *target; // set by whoever resolves names; NULL until then
} CdRef;

typedef struct CdValues { // VALUES
    int n;
    char **names; // NULL: none given
    double *v;
} CdValues;

typedef struct CdVariant { // VARIANT
    const CdDesc *desc;    // NULL: none given
    void *data;
} CdVariant;

// ---- classes as such

const CdField *cdi_desc_field(const CdDesc *desc, const char *name); // NULL if there is none

// complain about rows that contradict themselves, in this class and all that it names: unit, range,
// default, sizes, doc, example. For tests: every class goes through it.
CdStatus cdi_desc_validate(CdContext *ctx, const CdDesc *desc);

void cdi_desc_schema(const CdDesc *desc, CdJsonWriter *w);     // JSON Schema, draft 2020-12
void cdi_desc_introspect(const CdDesc *desc, CdJsonWriter *w); // all that the table says, as JSON
void cdi_desc_manual(const CdDesc *desc, CdText *out);         // manual page, plain text

// ---- objects: a struct with its class, its name, and the fields as the user wrote them

typedef struct CdObject CdObject;

// where a JSON text comes from and what it may use
typedef struct CdSource {
    const char *file; // named in messages, origin of relative paths; NULL: a text of the caller's
    const CdParams *params; // names for expressions; NULL: none
    bool no_files;          // refuse fields that would read a file
    bool sensors;           // functions may name sensors: whoever reads looks for them (function.h)
} CdSource;

// defaults are set, fields without one are zero; name may be NULL
CdStatus cdi_object_new(CdContext *ctx, const CdDesc *desc, const char *name, CdObject **object);
void cdi_object_free(CdObject *object); // NULL does nothing

// from {"class": ..., "name": ..., fields}; all mistakes are reported. On failure *object is NULL.
// source may be NULL, here and below.
CdStatus cdi_object_read(CdContext *ctx, const CdDesc *desc, const CdJson *json,
                         const CdSource *source, CdObject **object);

// keys in the order of the table
typedef enum CdWriteForm {
    CD_AS_GIVEN, // what the user gave, with its units and expressions: write(read(x)) = x, but for
                 // white space, comments, the order of keys and the spelling of numbers
    CD_NUMBERS,  // what the user gave, as numbers in SI
    CD_RESOLVED  // every field as numbers in SI, defaults included; formulas stay formulas and need
                 // the same parameters
} CdWriteForm;
void cdi_object_write(const CdObject *object, CdJsonWriter *w, CdWriteForm form);

const CdDesc *cdi_object_desc(const CdObject *object);
const char *cdi_object_name(const CdObject *object);

// the struct, valid until the object is changed or freed; NULL unless it was read, or checked since
// it was last set
const void *cdi_object_data(const CdObject *object);

CdStatus cdi_object_rename(CdObject *object, const char *name); // copied
void cdi_object_mark(CdObject *object, const char *field);      // as given; its struct was changed

bool cdi_object_given(const CdObject *object, const char *field); // by the user, not by default

// for messages of others: where the field (NULL: the object) was given
CdPlace cdi_object_place(const CdObject *object, const char *field);

// set and get by name; a value that is refused leaves the old one
CdStatus cdi_object_set(CdObject *object, const char *field, const char *json,
                        const CdSource *source);
CdStatus cdi_object_set_real(CdObject *object, const char *field, double x);
CdStatus cdi_object_set_reals(CdObject *object, const char *field, const double x[], size_t n);
CdStatus cdi_object_set_mat3(CdObject *object, const char *field, const double x[9]); // by rows
CdStatus cdi_object_set_text(CdObject *object, const char *field, const char *text,
                             const CdSource *source);
CdStatus cdi_object_get(const CdObject *object, const char *field, CdText *json); // resolved
CdStatus cdi_object_get_real(const CdObject *object, const char *field, double *x);

// are all required fields given, and do the rules between fields hold? Objects that were read
// passed already; after set, the struct can be had again when this succeeds.
CdStatus cdi_object_check(CdObject *object, const CdSource *source);

// another of the same fields as the user gave them, read with the parameters of `source`. Mistakes
// are reported where the fields were given; *again is then NULL.
CdStatus cdi_object_again(const CdObject *object, const CdSource *source, CdObject **again);

#endif
