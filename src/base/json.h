// json.h - strict JSON with the place of every value, and a writer
//
// Our own reader because none of the libraries we know keeps line and column of every value, which
// each message of cardan needs. It reads RFC 8259 plus // and /* */ comments, and refuses duplicate
// keys, trailing garbage, NaN and Infinity, invalid UTF-8, NUL characters, and input beyond its
// limits.
#ifndef CARDAN_BASE_JSON_H
#define CARDAN_BASE_JSON_H

#include "base/context.h"
#include "base/text.h"

typedef enum CdJsonKind {
    CD_JSON_NULL,
    CD_JSON_BOOL,
    CD_JSON_NUMBER,
    CD_JSON_STRING,
    CD_JSON_ARRAY,
    CD_JSON_OBJECT,
    CD_NJSON
} CdJsonKind;

typedef struct CdJson CdJson;
struct CdJson {
    CdJsonKind kind;
    int line, col;         // of its first byte, from 1; col counts bytes
    const char *key;       // NULL unless a member of an object
    int key_line, key_col; // of the key's opening quote
    bool boolean;          // of a BOOL
    bool integral;         // of a NUMBER: written without fraction and exponent, at most 2^53
    union {                // by kind
        double number;
        const char *text;    // of a STRING: NUL-terminated, no NUL inside
        const CdJson *items; // of an ARRAY or OBJECT: its elements or members
    };
    size_t n; // number of items, or bytes of text
};

typedef struct CdJsonLimits {
    size_t bytes;  // of the input
    size_t values; // in all
    int depth;     // of nesting; at most CD_JSON_DEPTH_MAX counts
} CdJsonLimits;

#define CD_JSON_DEPTH_MAX 1000 // so that walking through a value may be recursive

#define CD_JSON_LIMITS ((CdJsonLimits){.bytes = (size_t)1 << 30, .values = 10000000, .depth = 64})

typedef struct CdJsonDoc CdJsonDoc;

// file is only named in messages (copied). One message at the first mistake; CD_INVALID, CD_LIMIT
// or CD_NOMEM.
CdStatus cdi_json_read(CdContext *ctx, const char *file, const char *text, size_t n,
                       CdJsonLimits limits, CdJsonDoc **doc);
CdStatus cdi_json_read_file(CdContext *ctx, const char *path, CdJsonLimits limits, CdJsonDoc **doc);
void cdi_json_free(CdJsonDoc *doc); // NULL does nothing

const CdJson *cdi_json_root(const CdJsonDoc *doc);
const char *cdi_json_file(const CdJsonDoc *doc);
// says of all values that they stand there: the text was taken from another one
void cdi_json_place(CdJsonDoc *doc, int line, int col);
const CdJson *cdi_json_get(const CdJson *object, const char *key); // NULL if absent or no object
const char *cdi_json_kind_name(CdJsonKind kind); // "a number", "an object", ... for messages

// Writer. indent 0: one line, "{"a": 1, "b": [1, 2]}"; else objects and arrays of non-scalars are
// spread over lines. Mistakes of the caller are asserted; numbers that JSON cannot hold set
// out->status to CD_NONFINITE.
typedef struct CdJsonWriter {
    CdText *out;
    int indent;
    int depth;
    bool first; // nothing written yet in the open object or array
    bool after_key;
    int flat; // depth at which a one-line value began, 0: none
} CdJsonWriter;

void cdi_json_writer_init(CdJsonWriter *w, CdText *out, int indent);
void cdi_json_begin_object(CdJsonWriter *w);
void cdi_json_end_object(CdJsonWriter *w);
void cdi_json_begin_array(CdJsonWriter *w, bool one_line); // one_line: all of it on this line
void cdi_json_end_array(CdJsonWriter *w);
void cdi_json_key(CdJsonWriter *w, const char *key);
void cdi_json_string(CdJsonWriter *w, const char *s);
void cdi_json_number(CdJsonWriter *w, double x);
void cdi_json_integer(CdJsonWriter *w, long long x); // beyond 2^53 it is read back rounded
void cdi_json_bool(CdJsonWriter *w, bool x);
void cdi_json_null(CdJsonWriter *w);

// members: a key and its value
void cdi_json_key_text(CdJsonWriter *w, const char *key, const char *s); // NULL: null
void cdi_json_key_number(CdJsonWriter *w, const char *key, double x);    // not finite: null
void cdi_json_key_integer(CdJsonWriter *w, const char *key, long long x);
void cdi_json_key_bool(CdJsonWriter *w, const char *key, bool x);
void cdi_json_key_numbers(CdJsonWriter *w, const char *key, const double *x, int n);

// a value that was read. Arrays whose first element stood on the line of the bracket are written on
// one line, so that text from this writer comes back byte by byte.
void cdi_json_value(CdJsonWriter *w, const CdJson *value);
void cdi_json_raw(CdJsonWriter *w, const char *json); // text that is JSON already

#endif
