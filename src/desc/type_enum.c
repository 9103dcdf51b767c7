// type_enum.c - field type ENUM: one of a few words, kept as its index
#include <string.h>

#include "base/utf8.h"
#include "desc/type.h"

// "dry, viscous or none"
static void list_words(CdText *out, const char *const *names) {
    for (int i = 0; names[i]; i++) {
        cdi_text_add(out, i == 0 ? "" : names[i + 1] ? ", " : " or ");
        cdi_text_add(out, names[i]);
    }
}

static CdStatus reject(CdReader *r, const CdField *f, const CdJson *json) {
    CdText words;
    cdi_text_init(&words, r->ctx);
    list_words(&words, f->names);
    CdStatus status = words.status;
    if (status == CD_OK && json->kind != CD_JSON_STRING) {
        status = cdi_reject_kind(r, json, words.v);
    } else if (status == CD_OK) {
        CdSuggestion s = {.word = json->text};
        for (int i = 0; f->names[i]; i++) cdi_suggest_from(&s, f->names[i]);
        char shown[CD_SHOWN_MAX];
        status =
            cdi_reject(r, json, "must be %s, not '%s'%s%s%s", words.v, cdi_shown(json->text, shown),
                       s.name ? "; did you mean '" : "", s.name ? s.name : "", s.name ? "'?" : "");
    }
    cdi_text_free(&words);
    return status;
}

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    for (int i = 0; json->kind == CD_JSON_STRING && f->names[i]; i++) {
        if (strcmp(f->names[i], json->text) != 0) continue;
        *(int *)value = i;
        return CD_OK;
    }
    return reject(r, f, json);
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    cdi_json_string(w, f->names[*(const int *)value]);
}

static void write_names(CdJsonWriter *w, const char *key, const CdField *f) {
    cdi_json_key(w, key);
    cdi_json_begin_array(w, true);
    for (int i = 0; f->names[i]; i++) cdi_json_string(w, f->names[i]);
    cdi_json_end_array(w);
}

static void schema(CdSchema *s, const CdField *f) {
    write_names(s->w, "enum", f);
}
static void details(CdJsonWriter *w, const CdField *f) {
    write_names(w, "names", f);
}
static bool complete(const CdField *f) {
    return f->names && f->names[0];
}

static void words(CdText *out, const CdField *f) {
    for (int i = 0; f->names[i]; i++) cdi_text_addf(out, "%s%s", i ? " | " : ": ", f->names[i]);
}

const CdTypeClass cd_type_enum = {
    .name = "enum",
    .form = "one of its words as text",
    .size = sizeof(int),
    .read = read,
    .write = write,
    .schema = schema,
    .complete = complete,
    .words = words,
    .details = details,
};
