// type_path.c - field type PATH: the name of a file, seen from the file in which it stands
#include "base/file.h"
#include "desc/type.h"

static void clear(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    CdPath *path = value;
    cdi_free(ctx, path->given);
    cdi_free(ctx, path->full);
    *path = (CdPath){0};
}

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    CdPath *path = value;
    if (json->kind == CD_JSON_STRING && json->n == 0) {
        return cdi_reject(r, json, "must not be empty; give the path of a file");
    }
    if (r->source.no_files) return cdi_reject(r, json, "files may not be named here");
    CD_TRY(cdi_text_copy(r, f, json, &path->given));
    path->full = cdi_path_join(r->ctx, r->source.file, path->given);
    if (path->full) return CD_OK;
    clear(r->ctx, f, path);
    return CD_NOMEM;
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_text_write(w, ((const CdPath *)value)->given);
}

static void schema(CdSchema *s, const CdField *f) {
    (void)f;
    cdi_schema_word(s);
}

const CdTypeClass cd_type_path = {
    .name = "path",
    .form = "the path of a file as text",
    .size = sizeof(CdPath),
    .nullable = true,
    .read = read,
    .write = write,
    .clear = clear,
    .schema = schema,
};
