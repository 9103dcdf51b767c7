// json_write.c - writes JSON text, on one line or spread over lines
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"

void cdi_json_writer_init(CdJsonWriter *w, CdText *out, int indent) {
    *w = (CdJsonWriter){.out = out, .indent = indent, .first = true};
}

static bool one_line(const CdJsonWriter *w) {
    return w->indent == 0 || w->flat > 0;
}

static void new_line(CdJsonWriter *w) {
    static const char blanks[] = "                                ";
    cdi_text_addn(w->out, "\n", 1);
    size_t left = (size_t)w->depth * (size_t)w->indent;
    while (left > 0) {
        size_t n = left < sizeof blanks - 1 ? left : sizeof blanks - 1;
        cdi_text_addn(w->out, blanks, n);
        left -= n;
    }
}

// what stands before a key, or a value without key
static void separate(CdJsonWriter *w) {
    if (!w->first) cdi_text_addn(w->out, ", ", one_line(w) ? 2 : 1);
    if (w->depth > 0 && !one_line(w)) new_line(w);
    w->first = false;
}

static void begin_value(CdJsonWriter *w) {
    assert(w->depth > 0 || w->first); // one value outermost
    if (!w->after_key) separate(w);
    w->after_key = false;
}

static void begin(CdJsonWriter *w, const char *bracket, bool flat) {
    begin_value(w);
    cdi_text_addn(w->out, bracket, 1);
    w->depth++;
    w->first = true;
    if (flat && w->flat == 0) w->flat = w->depth;
}

static void end(CdJsonWriter *w, const char *bracket) {
    assert(w->depth > 0 && !w->after_key);
    bool spread = !w->first && !one_line(w);
    if (w->flat == w->depth) w->flat = 0;
    w->depth--;
    w->first = false;
    if (spread) new_line(w);
    cdi_text_addn(w->out, bracket, 1);
}

void cdi_json_begin_object(CdJsonWriter *w) {
    begin(w, "{", false);
}

void cdi_json_end_object(CdJsonWriter *w) {
    end(w, "}");
}

void cdi_json_begin_array(CdJsonWriter *w, bool flat) {
    begin(w, "[", flat);
}

void cdi_json_end_array(CdJsonWriter *w) {
    end(w, "]");
}

static void put_escape(CdText *out, char c) {
    static const char specials[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *at = strchr(specials, c);
    if (at) {
        cdi_text_addn(out, (char[]){'\\', letters[at - specials]}, 2);
    } else {
        cdi_text_addf(out, "\\u%04x", (unsigned)c);
    }
}

static void put_string(CdText *out, const char *s) {
    cdi_text_addn(out, "\"", 1);
    while (*s) {
        const char *run = s;
        while ((unsigned char)*s >= ' ' && *s != '"' && *s != '\\') s++;
        cdi_text_addn(out, run, (size_t)(s - run));
        if (*s) put_escape(out, *s++);
    }
    cdi_text_addn(out, "\"", 1);
}

void cdi_json_key(CdJsonWriter *w, const char *key) {
    assert(w->depth > 0 && !w->after_key);
    separate(w);
    put_string(w->out, key);
    cdi_text_addn(w->out, ": ", 2);
    w->after_key = true;
}

void cdi_json_string(CdJsonWriter *w, const char *s) {
    begin_value(w);
    put_string(w->out, s);
}

void cdi_json_number(CdJsonWriter *w, double x) {
    begin_value(w);
    if (!isfinite(x)) {
        if (w->out->status == CD_OK) w->out->status = CD_NONFINITE;
        return;
    }
    char buf[CD_NUMBER_MAX];
    cdi_text_addn(w->out, buf, cdi_number_write(x, buf));
}

void cdi_json_integer(CdJsonWriter *w, long long x) {
    begin_value(w);
    cdi_text_addf(w->out, "%lld", x);
}

void cdi_json_raw(CdJsonWriter *w, const char *json) {
    begin_value(w);
    cdi_text_add(w->out, json);
}

void cdi_json_bool(CdJsonWriter *w, bool x) {
    cdi_json_raw(w, x ? "true" : "false");
}

void cdi_json_null(CdJsonWriter *w) {
    cdi_json_raw(w, "null");
}

void cdi_json_key_text(CdJsonWriter *w, const char *key, const char *s) {
    cdi_json_key(w, key);
    if (s) {
        cdi_json_string(w, s);
    } else {
        cdi_json_null(w);
    }
}

void cdi_json_key_number(CdJsonWriter *w, const char *key, double x) {
    cdi_json_key(w, key);
    if (isfinite(x)) {
        cdi_json_number(w, x);
    } else {
        cdi_json_null(w);
    }
}

void cdi_json_key_integer(CdJsonWriter *w, const char *key, long long x) {
    cdi_json_key(w, key);
    cdi_json_integer(w, x);
}

void cdi_json_key_bool(CdJsonWriter *w, const char *key, bool x) {
    cdi_json_key(w, key);
    cdi_json_bool(w, x);
}

void cdi_json_key_numbers(CdJsonWriter *w, const char *key, const double *x, int n) {
    cdi_json_key(w, key);
    cdi_json_begin_array(w, true);
    for (int i = 0; i < n; i++) cdi_json_number(w, x[i]);
    cdi_json_end_array(w);
}

static bool is_container(const CdJson *value) {
    return value->kind == CD_JSON_ARRAY || value->kind == CD_JSON_OBJECT;
}

// arrays whose first element stood beside the bracket stay on one line
static void begin_container(CdJsonWriter *w, const CdJson *value) {
    if (value->kind == CD_JSON_OBJECT) {
        cdi_json_begin_object(w);
    } else {
        cdi_json_begin_array(w, value->n > 0 && value->items[0].line == value->line);
    }
}

static void put_scalar(CdJsonWriter *w, const CdJson *value) {
    switch (value->kind) {
    case CD_JSON_BOOL: cdi_json_bool(w, value->boolean); break;
    case CD_JSON_NUMBER: cdi_json_number(w, value->number); break;
    case CD_JSON_STRING: cdi_json_string(w, value->text); break;
    default: cdi_json_null(w); break;
    }
}

// recursion ends at CD_JSON_DEPTH_MAX
void cdi_json_value(CdJsonWriter *w, const CdJson *value) {
    if (!is_container(value)) {
        put_scalar(w, value);
        return;
    }
    begin_container(w, value);
    for (size_t i = 0; i < value->n; i++) {
        if (value->items[i].key) cdi_json_key(w, value->items[i].key);
        cdi_json_value(w, &value->items[i]);
    }
    value->kind == CD_JSON_OBJECT ? cdi_json_end_object(w) : cdi_json_end_array(w);
}
