// type_text.c - field types that are words: STRING, PATH, ENUM, REF
#include <string.h>

#include "base/file.h"
#include "desc/type.h"

static CdStatus copy_text(CdReader *r, const CdJson *json, const char *form, char **out) {
    if (json->kind != CD_JSON_STRING) return cdi_reject_kind(r, json, form);
    *out = cdi_strndup(r->ctx, json->text, json->n);
    return *out ? CD_OK : CD_NOMEM;
}

static void write_text(CdJsonWriter *w, const char *text) {
    if (text) {
        cdi_json_string(w, text);
    } else {
        cdi_json_null(w);
    }
}

static CdStatus read_string(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    (void)f;
    return copy_text(r, json, cd_type_string.form, value);
}

static void write_string(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    write_text(w, *(char *const *)value);
}

static void clear_string(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    char **text = value;
    cdi_free(ctx, *text);
    *text = NULL;
}

static void schema_string(CdSchema *s, const CdField *f) {
    (void)f;
    cdi_schema_type(s, "string");
}

const CdTypeClass cd_type_string = {
    .name = "string",
    .form = "text",
    .size = sizeof(char *),
    .read = read_string,
    .write = write_string,
    .clear = clear_string,
    .schema = schema_string,
};

static void clear_path(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    CdPath *path = value;
    cdi_free(ctx, path->given);
    cdi_free(ctx, path->full);
    *path = (CdPath){0};
}

static CdStatus read_path(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    CdPath *path = value;
    if (json->kind == CD_JSON_STRING && json->n == 0) {
        return cdi_reject(r, json, "must not be empty; give the path of a file");
    }
    if (r->source.no_files) return cdi_reject(r, json, "files may not be named here");
    CD_TRY(copy_text(r, json, cd_type_path.form, &path->given));
    path->full = cdi_path_join(r->ctx, r->source.file, path->given);
    if (path->full) return CD_OK;
    clear_path(r->ctx, f, path);
    return CD_NOMEM;
}

static void write_path(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    write_text(w, ((const CdPath *)value)->given);
}

const CdTypeClass cd_type_path = {
    .name = "path",
    .form = "the path of a file as text",
    .size = sizeof(CdPath),
    .read = read_path,
    .write = write_path,
    .clear = clear_path,
    .schema = schema_string,
};

// "dry, viscous or none"
static void list_words(const char *const *names, CdText *out) {
    for (int i = 0; names[i]; i++) {
        cdi_text_add(out, i == 0 ? "" : names[i + 1] ? ", " : " or ");
        cdi_text_add(out, names[i]);
    }
}

static CdStatus reject_word(CdReader *r, const CdField *f, const CdJson *json) {
    size_t n = 0;
    while (f->names[n]) n++;
    const char *near = cdi_suggest(json->text, f->names, n);
    CdText words;
    cdi_text_init(&words, r->ctx);
    list_words(f->names, &words);
    CdStatus status = words.status;
    if (status == CD_OK) {
        status = cdi_reject(r, json, "must be %s, not '%s'%s%s%s", words.v, json->text,
                            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    cdi_text_free(&words);
    return status;
}

static CdStatus read_enum(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    if (json->kind != CD_JSON_STRING) return cdi_reject_kind(r, json, cd_type_enum.form);
    for (int i = 0; f->names[i]; i++) {
        if (strcmp(f->names[i], json->text) == 0) {
            *(int *)value = i;
            return CD_OK;
        }
    }
    return reject_word(r, f, json);
}

static void write_enum(CdJsonWriter *w, const CdField *f, const void *value) {
    cdi_json_string(w, f->names[*(const int *)value]);
}

static void schema_enum(CdSchema *s, const CdField *f) {
    cdi_json_key(s->w, "enum");
    cdi_json_begin_array(s->w, true);
    for (int i = 0; f->names[i]; i++) cdi_json_string(s->w, f->names[i]);
    cdi_json_end_array(s->w);
}

const CdTypeClass cd_type_enum = {
    .name = "enum",
    .form = "one of its words as text",
    .size = sizeof(int),
    .read = read_enum,
    .write = write_enum,
    .schema = schema_enum,
};

static CdStatus read_ref(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    CdRef *ref = value;
    if (json->kind == CD_JSON_STRING && json->n == 0) {
        return cdi_reject(r, json, "must not be empty; give the name of a %s", f->target);
    }
    return copy_text(r, json, cd_type_ref.form, &ref->name);
}

static void write_ref(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    write_text(w, ((const CdRef *)value)->name);
}

static void clear_ref(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    CdRef *ref = value;
    cdi_free(ctx, ref->name);
    *ref = (CdRef){0};
}

const CdTypeClass cd_type_ref = {
    .name = "ref",
    .form = "the name of an item as text",
    .size = sizeof(CdRef),
    .read = read_ref,
    .write = write_ref,
    .clear = clear_ref,
    .schema = schema_string,
};
