// object.c - objects: a described struct with its name and its fields as the user wrote them
#include <stddef.h>
#include <string.h>

#include "base/utf8.h"
#include "desc/reader.h"
#include "desc/type.h"

// values and lists up to these sizes are read without an allocation
#define ROOM 8
#define NUMBERS 16

// what is known of a field beside its value
typedef struct Slot {
    bool given;    // by the user, not by default
    char *text;    // its JSON as given, where the value alone does not bring it back; else NULL
    int line, col; // where it was given; 0: from C
} Slot;

struct CdObject {
    CdContext *ctx;
    const CdDesc *desc;
    char *name;
    char *file; // where it was read; NULL: made from C
    int line, col;
    void *data;
    bool checked; // do all rules hold for the fields as they are now?
    Slot *slots;  // one per field
};

static CdReader reader_of(const CdObject *object, const CdSource *source) {
    return (CdReader){
        .ctx = object->ctx,
        .source = source ? *source : (CdSource){0},
        .item_class = object->desc->name,
        .item_name = object->name,
    };
}

static void *member_of(const CdObject *object, const CdField *f) {
    return (char *)object->data + f->offset;
}

static Slot *slot_of(const CdObject *object, const CdField *f) {
    return object->slots + (f - object->desc->fields);
}

// mistakes were told where they were found; lack of memory is told here, once
static CdStatus ended(CdContext *ctx, CdStatus status) {
    return status == CD_NOMEM ? cdi_fail(ctx, status, "out of memory") : status;
}

void cdi_object_free(CdObject *object) {
    if (!object) return;
    CdContext *ctx = object->ctx;
    cdi_struct_clear(ctx, object->desc, object->data);
    for (int i = 0; i < object->desc->nfields; i++) {
        cdi_free(ctx, object->slots[i].text);
    }
    cdi_free(ctx, object->file);
    cdi_free(ctx, object->name);
    cdi_free(ctx, object);
}

// as large that anything may follow
static size_t padded(size_t size) {
    const size_t align = _Alignof(max_align_t);
    return (size + align - 1) / align * align;
}

// an object whose struct is zero
static CdStatus make(CdContext *ctx, const CdDesc *desc, const char *name, CdObject **out) {
    // one block: the object, its struct, its slots
    const size_t head = padded(sizeof(CdObject)), data = padded(desc->size);
    CdObject *object = cdi_alloc(ctx, head + data + (size_t)desc->nfields * sizeof(Slot));
    if (!object) return CD_NOMEM;
    object->ctx = ctx;
    object->desc = desc;
    object->data = (char *)object + head;
    object->slots = (Slot *)(void *)((char *)object + head + data);
    object->name = name ? cdi_strdup(ctx, name) : NULL;
    if (name && !object->name) {
        cdi_object_free(object);
        return CD_NOMEM;
    }
    *out = object;
    return CD_OK;
}

static CdStatus new_object(CdContext *ctx, const CdDesc *desc, const char *name,
                           CdObject **object) {
    CdObject *made;
    CD_TRY(make(ctx, desc, name, &made));
    CdReader r = reader_of(made, NULL);
    CdStatus status = cdi_struct_defaults(&r, desc, made->data);
    if (status != CD_OK) {
        cdi_object_free(made);
        return status;
    }
    *object = made;
    return CD_OK;
}

CdStatus cdi_object_new(CdContext *ctx, const CdDesc *desc, const char *name, CdObject **object) {
    *object = NULL;
    CdPlace place = {.item_class = desc->name};
    if (name && (!*name || !cdi_utf8_valid(name))) {
        return cdi_fail_at(ctx, CD_INVALID, &place, "the name must be valid UTF-8 and not empty");
    }
    return ended(ctx, new_object(ctx, desc, name, object));
}

// is there text among the numbers?
static bool has_text(const CdJson *json) {
    if (json->kind == CD_JSON_STRING) return true;
    if (json->kind != CD_JSON_ARRAY) return false;
    for (size_t i = 0; i < json->n; i++) {
        if (has_text(json->items + i)) return true;
    }
    return false;
}

static CdStatus copy_json(CdContext *ctx, const CdJson *json, char **out) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, ctx);
    cdi_json_writer_init(&w, &text, 0);
    cdi_json_value(&w, json);
    CdStatus status = text.status;
    if (status == CD_OK) {
        *out = text.v;
    } else {
        cdi_text_free(&text);
    }
    return status;
}

// remember that a field was given, and how if its value alone does not tell
static CdStatus keep_given(CdObject *object, const CdField *f, const CdJson *json) {
    const CdTypeClass *type = cdi_type(f->type);
    char *text = NULL;
    if (type->keeps_text || (type->number && has_text(json))) {
        CD_TRY(copy_json(object->ctx, json, &text));
    }
    Slot *slot = slot_of(object, f);
    cdi_free(object->ctx, slot->text);
    *slot = (Slot){.given = true, .text = text, .line = json->line, .col = json->col};
    return CD_OK;
}

static CdStatus keep_all(CdObject *object, const CdJson *json, const char *file) {
    object->file = file ? cdi_strdup(object->ctx, file) : NULL;
    if (file && !object->file) return CD_NOMEM;
    object->line = json->line;
    object->col = json->col;
    for (int i = 0; i < object->desc->nfields; i++) {
        const CdField *f = object->desc->fields + i;
        const CdJson *given = cdi_json_get(json, f->name);
        if (given) CD_TRY(keep_given(object, f, given));
    }
    return CD_OK;
}

static CdStatus read_name(CdReader *r, const CdJson *json) {
    const CdJson *name = cdi_json_get(json, "name");
    if (!name) return CD_OK;
    if (name->kind != CD_JSON_STRING || name->n == 0) {
        return cdi_reject(r, name, "the name must be a text that is not empty");
    }
    r->item_name = name->text;
    return CD_OK;
}

static CdStatus read_object(CdReader *r, const CdDesc *desc, const CdJson *json,
                            CdObject **object) {
    CdStatus status = json->kind == CD_JSON_OBJECT ? read_name(r, json) : CD_OK;
    CdObject *made;
    CD_TRY(make(r->ctx, desc, r->item_name, &made));
    CdStatus fields = cdi_struct_read(r, desc, json, CD_CLASS_KEY | CD_NAME_KEY, made->data);
    if (fields != CD_OK) status = fields;
    if (status == CD_OK) status = keep_all(made, json, r->source.file);
    if (status != CD_OK) {
        cdi_object_free(made);
        return status;
    }
    made->checked = true;
    *object = made;
    return CD_OK;
}

CdStatus cdi_object_read(CdContext *ctx, const CdDesc *desc, const CdJson *json,
                         const CdSource *source, CdObject **object) {
    *object = NULL;
    CdReader r = {.ctx = ctx, .item_class = desc->name, .at = json};
    if (source) r.source = *source;
    return ended(ctx, read_object(&r, desc, json, object));
}

void cdi_object_write(const CdObject *object, CdJsonWriter *w, CdWriteForm form) {
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "class", object->desc->name);
    if (object->name) {
        cdi_json_key_text(w, "name", object->name);
    }
    for (int i = 0; i < object->desc->nfields; i++) {
        const CdField *f = object->desc->fields + i;
        const Slot *slot = object->slots + i;
        if (form != CD_RESOLVED && !slot->given) continue;
        cdi_json_key(w, f->name);
        if (form == CD_AS_GIVEN && slot->text) {
            cdi_json_raw(w, slot->text);
        } else {
            cdi_field_write(w, f, member_of(object, f));
        }
    }
    cdi_json_end_object(w);
}

const CdDesc *cdi_object_desc(const CdObject *object) {
    return object->desc;
}
const char *cdi_object_name(const CdObject *object) {
    return object->name;
}
const void *cdi_object_data(const CdObject *object) {
    return object->checked ? object->data : NULL;
}

CdStatus cdi_object_rename(CdObject *object, const char *name) {
    char *copy = cdi_strdup(object->ctx, name);
    if (!copy) return ended(object->ctx, CD_NOMEM);
    cdi_free(object->ctx, object->name);
    object->name = copy;
    return CD_OK;
}

void cdi_object_mark(CdObject *object, const char *field) {
    const CdField *f = cdi_desc_field(object->desc, field);
    if (!f) return;
    Slot *slot = slot_of(object, f);
    cdi_free(object->ctx, slot->text);
    slot->text = NULL;
    slot->given = true;
}

bool cdi_object_given(const CdObject *object, const char *field) {
    const CdField *f = cdi_desc_field(object->desc, field);
    return f && slot_of(object, f)->given;
}

CdPlace cdi_object_place(const CdObject *object, const char *field) {
    CdPlace place = {object->file,       object->line, object->col,
                     object->desc->name, object->name, field};
    const CdField *f = field ? cdi_desc_field(object->desc, field) : NULL;
    if (f && slot_of(object, f)->line > 0) {
        place.line = slot_of(object, f)->line;
        place.col = slot_of(object, f)->col;
    }
    return place;
}

static CdStatus find_field(const CdObject *object, const char *name, const CdField **f) {
    *f = cdi_desc_field(object->desc, name);
    if (*f) return CD_OK;
    CdSuggestion s = {.word = name};
    for (int i = 0; i < object->desc->nfields; i++) {
        cdi_suggest_from(&s, object->desc->fields[i].name);
    }
    CdPlace place = {.item_class = object->desc->name, .item_name = object->name, .field = name};
    return cdi_fail_at(object->ctx, CD_NOTFOUND, &place, "%s has no such field%s%s%s",
                       object->desc->name, s.name ? "; did you mean '" : "", s.name ? s.name : "",
                       s.name ? "'?" : "");
}

// read beside the old value and exchange, so that a refused value changes nothing
static CdStatus exchange(CdObject *object, const CdField *f, const CdJson *json,
                         const CdSource *source, void *value) {
    CdReader r = reader_of(object, source);
    r.at = json;
    cdi_enter_field(&r, f->name);
    CD_TRY(cdi_field_read(&r, f, json, value));
    CdStatus status = keep_given(object, f, json);
    if (status != CD_OK) {
        cdi_field_clear(object->ctx, f, value);
        return status;
    }
    cdi_field_clear(object->ctx, f, member_of(object, f));
    memcpy(member_of(object, f), value, cdi_field_size(f));
    object->checked = false;
    return CD_OK;
}

static CdStatus set_value(CdObject *object, const CdField *f, const CdJson *json,
                          const CdSource *source) {
    max_align_t room[ROOM] = {0};
    const bool fits = cdi_field_size(f) <= sizeof room;
    void *value = fits ? room : cdi_alloc(object->ctx, cdi_field_size(f));
    CdStatus status = value ? exchange(object, f, json, source, value) : CD_NOMEM;
    if (!fits) cdi_free(object->ctx, value);
    return ended(object->ctx, status);
}

CdStatus cdi_object_set(CdObject *object, const char *field, const char *json,
                        const CdSource *source) {
    const CdField *f;
    CdJsonDoc *doc;
    CD_TRY(find_field(object, field, &f));
    const char *file = source && source->file ? source->file : field;
    CD_TRY(cdi_json_read(object->ctx, file, json, strlen(json), CD_JSON_LIMITS, &doc));
    CdStatus status = set_value(object, f, cdi_json_root(doc), source);
    cdi_json_free(doc);
    return status;
}

CdStatus cdi_object_set_real(CdObject *object, const char *field, double x) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    CdJson json = {.kind = CD_JSON_NUMBER, .number = x};
    return set_value(object, f, &json, NULL);
}

static CdJson array_of(size_t n, const double x[], CdJson *items) {
    for (size_t i = 0; i < n; i++) items[i] = (CdJson){.kind = CD_JSON_NUMBER, .number = x[i]};
    return (CdJson){.kind = CD_JSON_ARRAY, .items = items, .n = n};
}

CdStatus cdi_object_set_reals(CdObject *object, const char *field, const double x[], size_t n) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    CdJson room[NUMBERS], *items = room;
    if (n > NUMBERS) items = cdi_alloc_array(object->ctx, n, sizeof *items);
    if (!items) return ended(object->ctx, CD_NOMEM);
    const CdJson json = array_of(n, x, items);
    CdStatus status = set_value(object, f, &json, NULL);
    if (items != room) cdi_free(object->ctx, items);
    return status;
}

CdStatus cdi_object_set_mat3(CdObject *object, const char *field, const double x[9]) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    CdJson numbers[9], rows[3];
    for (int i = 0; i < 3; i++) rows[i] = array_of(3, x + 3 * i, numbers + 3 * i);
    const CdJson json = {.kind = CD_JSON_ARRAY, .items = rows, .n = 3};
    return set_value(object, f, &json, NULL);
}

CdStatus cdi_object_set_text(CdObject *object, const char *field, const char *text,
                             const CdSource *source) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    CdJson json = {.kind = CD_JSON_STRING, .text = text, .n = strlen(text)};
    return set_value(object, f, &json, source);
}

CdStatus cdi_object_get(const CdObject *object, const char *field, CdText *json) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    CdJsonWriter w;
    cdi_json_writer_init(&w, json, 0);
    cdi_field_write(&w, f, member_of(object, f));
    return json->status;
}

CdStatus cdi_object_get_real(const CdObject *object, const char *field, double *x) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    if (f->list || !cdi_type(f->type)->real) {
        CdPlace place = cdi_object_place(object, field);
        return cdi_fail_at(object->ctx, CD_INVALID, &place, "is not a single number");
    }
    *x = cdi_type(f->type)->real(member_of(object, f));
    return CD_OK;
}

static CdStatus check_missing(CdReader *r, const CdObject *object) {
    CdStatus status = CD_OK;
    for (int i = 0; i < object->desc->nfields; i++) {
        const CdField *f = object->desc->fields + i;
        if (f->def || object->slots[i].given) continue;
        status = cdi_reject_field(r, f->name, "is missing; give %s: %s", cdi_field_form(f), f->doc);
    }
    return status;
}

CdStatus cdi_object_check(CdObject *object, const CdSource *source) {
    CdReader r = reader_of(object, source);
    r.object = object;
    object->checked = false;
    CD_TRY(check_missing(&r, object));
    if (object->desc->release) object->desc->release(object->ctx, object->data);
    if (object->desc->finish) CD_TRY(ended(object->ctx, object->desc->finish(&r, object->data)));
    object->checked = true;
    return CD_OK;
}

// ---- once more

// a field as JSON, with the place where the user gave it
static CdStatus given_json(const CdObject *object, const CdField *f, CdJsonDoc **doc) {
    const Slot *slot = slot_of(object, f);
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, object->ctx);
    cdi_json_writer_init(&w, &text, 0);
    if (slot->text) {
        cdi_json_raw(&w, slot->text);
    } else {
        cdi_field_write(&w, f, member_of(object, f));
    }
    CdStatus status = text.status;
    if (status == CD_OK) {
        status = cdi_json_read(object->ctx, object->file, text.v, text.n, CD_JSON_LIMITS, doc);
    }
    cdi_text_free(&text);
    if (status == CD_OK) cdi_json_place(*doc, slot->line, slot->col);
    return status;
}

static CdStatus copy_field(const CdObject *from, const CdField *f, const CdSource *source,
                           CdObject *to) {
    CdJsonDoc *doc;
    CD_TRY(given_json(from, f, &doc));
    const CdStatus status = set_value(to, f, cdi_json_root(doc), source);
    cdi_json_free(doc);
    return status;
}

static CdStatus copy_all(const CdObject *from, const CdSource *source, CdObject *to) {
    CdStatus status = CD_OK;
    to->line = from->line;
    to->col = from->col;
    to->file = from->file ? cdi_strdup(from->ctx, from->file) : NULL;
    if (from->file && !to->file) return CD_NOMEM;
    for (int i = 0; i < from->desc->nfields; i++) {
        if (!from->slots[i].given) continue;
        CD_COLLECT(status, copy_field(from, from->desc->fields + i, source, to));
    }
    CD_TRY(status);
    return from->checked ? cdi_object_check(to, source) : CD_OK;
}

CdStatus cdi_object_again(const CdObject *object, const CdSource *source, CdObject **again) {
    CdObject *made;
    *again = NULL;
    CD_TRY(ended(object->ctx, new_object(object->ctx, object->desc, object->name, &made)));
    const CdStatus status = copy_all(object, source, made);
    if (status == CD_OK) {
        *again = made;
    } else {
        cdi_object_free(made);
    }
    return status;
}
