// reader.h - reading JSON into described structs: where we are, and how mistakes are reported
#ifndef CARDAN_DESC_READER_H
#define CARDAN_DESC_READER_H

#include "ad/expr.h"
#include "desc/desc.h"

#define CD_FIELD_PATH_MAX 256

typedef struct CdReader {
    CdContext *ctx;
    CdSource source;
    const char *item_class, *item_name;
    char path[CD_FIELD_PATH_MAX]; // of the field being read: "shape.size[2]"; "" for the object
    size_t npath;
    const CdJson *at;        // the value being read; NULL when it comes from C
    const CdObject *object;  // the object being checked; NULL while it is read
    const CdField *function; // innermost function being read: its units stand behind $y and $x
} CdReader;

// for finish: was the field given by the user?
bool cdi_given(const CdReader *r, const char *field);

// report a mistake at the value being read (json NULL) or at another; returns CD_INVALID
CdStatus cdi_reject(CdReader *r, const CdJson *json, const char *fmt, ...) CD_PRINTF(3, 4);
CdStatus cdi_reject_field(CdReader *r, const char *field, const char *fmt, ...) CD_PRINTF(3, 4);
CdStatus cdi_reject_kind(CdReader *r, const CdJson *json,
                         const char *form); // "must be <form>, not an array"

// go into a member or element and come back: size_t mark = cdi_enter_*(...); ... cdi_leave(r,
// mark);
size_t cdi_enter_field(CdReader *r, const char *name);
size_t cdi_enter_element(CdReader *r, size_t index);
void cdi_leave(CdReader *r, size_t mark);

// keep the more serious of two results: out of memory ends reading, a mistake does not
#define CD_COLLECT(status, call)                          \
    do {                                                  \
        CdStatus cd_collect_ = (call);                    \
        if (cd_collect_ == CD_NOMEM) return cd_collect_;  \
        if (cd_collect_ != CD_OK) (status) = cd_collect_; \
    } while (0)

// the default of a field, from its JSON text, into a zeroed member
CdStatus cdi_default_read(CdReader *r, const CdField *f, void *member);
// set all members of a zeroed struct to their defaults
CdStatus cdi_struct_defaults(CdReader *r, const CdDesc *desc, void *data);

// keys that an object may have beside its fields
typedef enum CdExtraKeys { CD_CLASS_KEY = 1, CD_NAME_KEY = 2 } CdExtraKeys;

// read an object's members into a zeroed struct: defaults, unknown and missing keys, finish. On
// failure the struct owns nothing.
CdStatus cdi_struct_read(CdReader *r, const CdDesc *desc, const CdJson *json, int extra_keys,
                         void *data);

// which of the classes (NULL-terminated) does {"class": ...} name? Reports and returns NULL if
// none.
const CdDesc *cdi_pick_class(CdReader *r, const CdDesc *const classes[], const CdJson *json);

// text of the expression language; variable NULL: constants only. json: where mistakes are reported
CdStatus cdi_compile_text(CdReader *r, const CdJson *json, const char *text, const char *variable,
                          CdExpr **expr);
CdStatus cdi_reject_expr(CdReader *r, const CdJson *json, const char *text,
                         const CdExprError *error);

CdStatus cdi_check_finite(CdReader *r, const CdJson *json, double x);
CdStatus cdi_check_range(CdReader *r, const CdField *f, const CdJson *json, double x);

// one real number: a JSON number, an expression of parameters, or text with a unit
CdStatus cdi_read_quantity(CdReader *r, const CdField *f, const CdJson *json, double *x);

// text like "5 mm" (not an expression)?
bool cdi_is_unit_text(const char *text);

#endif
