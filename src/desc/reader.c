// reader.c - reads JSON objects into described structs and reports every mistake with its place
#include "desc/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "desc/type.h"

#define CLASSES_SHOWN_MAX 400 // bytes of a list of class names in a message
#define PLAIN_MAX 4           // numbers of a default that is read without a document
#define INTEGRAL_MAX 0x1p53   // largest number that counts as an integer

static CdStatus vreject(CdReader *r, const CdJson *json, const char *fmt, va_list args) {
    if (!json) json = r->at;
    CdPlace place = {
        .file = r->source.file,
        .item_class = r->item_class,
        .item_name = r->item_name,
        .field = r->npath ? r->path : NULL,
    };
    if (json && place.file) {
        place.line = json->line;
        place.col = json->col;
    }
    return cdi_vfail_at(r->ctx, CD_INVALID, &place, fmt, args);
}

CdStatus cdi_reject(CdReader *r, const CdJson *json, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vreject(r, json, fmt, args);
    va_end(args);
    return CD_INVALID;
}

CdStatus cdi_reject_field(CdReader *r, const char *field, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    size_t mark = cdi_enter_field(r, field);
    const CdJson *json = r->at ? cdi_json_get(r->at, field) : NULL;
    vreject(r, json, fmt, args);
    cdi_leave(r, mark);
    va_end(args);
    return CD_INVALID;
}

CdStatus cdi_reject_kind(CdReader *r, const CdJson *json, const char *form) {
    return cdi_reject(r, json, "must be %s, not %s", form, cdi_json_kind_name(json->kind));
}

// append to the path what fits, whole characters only
static size_t enter(CdReader *r, const char *part) {
    size_t mark = r->npath, room = sizeof r->path - 1 - mark;
    size_t n = cdi_utf8_cut(part, room);
    memcpy(r->path + mark, part, n);
    r->npath += n;
    r->path[r->npath] = '\0';
    return mark;
}

size_t cdi_enter_field(CdReader *r, const char *name) {
    char part[CD_SHOWN_MAX + 1] = ".", shown[CD_SHOWN_MAX];
    strcpy(part + 1, cdi_shown(name, shown));
    return enter(r, r->npath ? part : part + 1);
}

// once per number that is read: digits by hand, from the last one on
size_t cdi_enter_element(CdReader *r, size_t index) {
    char part[CD_SHOWN_MAX], *c = part + sizeof part;
    *--c = '\0';
    *--c = ']';
    do *--c = (char)('0' + index % 10);
    while ((index /= 10) > 0);
    *--c = '[';
    return enter(r, c);
}

void cdi_leave(CdReader *r, size_t mark) {
    r->npath = mark;
    r->path[mark] = '\0';
}

bool cdi_given(const CdReader *r, const char *field) {
    return r->object ? cdi_object_given(r->object, field) : cdi_json_get(r->at, field) != NULL;
}

const CdField *cdi_desc_field(const CdDesc *desc, const char *name) {
    for (int i = 0; i < desc->nfields; i++) {
        if (cdi_same(desc->fields[i].name, name)) return desc->fields + i;
    }
    return NULL;
}

// ---- defaults

// a number at the start of a text; returns what is behind it, NULL if there is none
static const char *plain_number(const char *text, CdJson *json) {
    double x;
    const size_t n = cdi_number_read(text, strlen(text), &x);
    if (n == 0) return NULL;
    const bool integral = strcspn(text, ".eE") >= n && fabs(x) <= INTEGRAL_MAX;
    *json = (CdJson){.kind = CD_JSON_NUMBER, .integral = integral, .number = x};
    return text + n;
}

// Most defaults are null, a number, or a few numbers, and every item has some: these are read
// without a document. false: it is something else
static bool read_plain(const char *text, CdJson *json, CdJson items[PLAIN_MAX]) {
    if (strcmp(text, "null") == 0) {
        *json = (CdJson){.kind = CD_JSON_NULL};
        return true;
    }
    if (*text != '[') {
        text = plain_number(text, json);
        return text && *text == '\0';
    }
    *json = (CdJson){.kind = CD_JSON_ARRAY, .items = items};
    do {
        text += 1 + strspn(text + 1, " ");
        if (json->n == PLAIN_MAX) return false;
        text = plain_number(text, &items[json->n++]);
    } while (text && *text == ',');
    return text && strcmp(text, "]") == 0;
}

static CdStatus read_document(CdReader *r, const CdField *f, void *member) {
    CdJsonDoc *doc;
    CD_TRY(cdi_json_read(r->ctx, f->name, f->def, strlen(f->def), CD_JSON_LIMITS, &doc));
    r->at = cdi_json_root(doc);
    const CdStatus status = cdi_field_read(r, f, r->at, member);
    cdi_json_free(doc);
    return status;
}

CdStatus cdi_default_read(CdReader *r, const CdField *f, void *member) {
    CdJson json, items[PLAIN_MAX];
    const CdSource source = r->source;
    const CdJson *at = r->at;
    CdStatus status;
    const size_t mark = cdi_enter_field(r, f->name);
    // defaults know no file and no parameters
    r->source = (CdSource){.file = NULL, .no_files = true};
    if (read_plain(f->def, &json, items)) {
        r->at = &json;
        status = cdi_field_read(r, f, &json, member);
    } else {
        status = read_document(r, f, member);
    }
    r->source = source;
    r->at = at;
    cdi_leave(r, mark);
    return status;
}

// the default of one field; many are what a zeroed member holds
static CdStatus read_default(CdReader *r, const CdField *f, void *member) {
    const bool zeros = cdi_type(f->type)->zeros && !f->list;
    if (strcmp(f->def, "null") == 0) return CD_OK;
    if (zeros && f->def[strspn(f->def, "[0, ]")] == '\0') return CD_OK;
    return cdi_default_read(r, f, member);
}

CdStatus cdi_struct_defaults(CdReader *r, const CdDesc *desc, void *data) {
    for (int i = 0; i < desc->nfields; i++) {
        const CdField *f = desc->fields + i;
        CdStatus status = f->def ? read_default(r, f, (char *)data + f->offset) : CD_OK;
        if (status != CD_OK) {
            cdi_struct_clear(r->ctx, desc, data);
            return status;
        }
    }
    return CD_OK;
}

static bool is_extra(const char *key, int extra_keys) {
    return ((extra_keys & CD_CLASS_KEY) && strcmp(key, "class") == 0) ||
           ((extra_keys & CD_NAME_KEY) && strcmp(key, "name") == 0);
}

// the field that was meant by an unknown key: the nearest of those that are not given
static const char *meant(const CdDesc *desc, const CdJson *json, int extra_keys, const char *key) {
    CdSuggestion s = {.word = key};
    for (int i = 0; i < desc->nfields; i++) {
        if (!cdi_json_get(json, desc->fields[i].name)) cdi_suggest_from(&s, desc->fields[i].name);
    }
    if ((extra_keys & CD_CLASS_KEY) && !cdi_json_get(json, "class")) cdi_suggest_from(&s, "class");
    if ((extra_keys & CD_NAME_KEY) && !cdi_json_get(json, "name")) cdi_suggest_from(&s, "name");
    return s.name;
}

static CdStatus check_keys(CdReader *r, const CdDesc *desc, const CdJson *json, int extra_keys) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < json->n; i++) {
        const CdJson *member = json->items + i;
        if (is_extra(member->key, extra_keys) || cdi_desc_field(desc, member->key)) continue;
        CdJson at_key = {.line = member->key_line, .col = member->key_col};
        const char *near = meant(desc, json, extra_keys, member->key);
        size_t mark = cdi_enter_field(r, member->key);
        status = near ? cdi_reject(r, &at_key, "%s has no such field; did you mean '%s'?",
                                   desc->name, near)
                      : cdi_reject(r, &at_key, "%s has no such field; see the manual page of %s",
                                   desc->name, desc->name);
        cdi_leave(r, mark);
    }
    return status;
}

// was the field given under a key that is misspelt? Then that was told already.
static bool is_misspelt(const CdDesc *desc, const CdField *f, const CdJson *json, int extra_keys) {
    for (size_t i = 0; i < json->n; i++) {
        const char *key = json->items[i].key;
        if (is_extra(key, extra_keys) || cdi_desc_field(desc, key)) continue;
        if (cdi_equal(meant(desc, json, extra_keys, key), f->name)) return true;
    }
    return false;
}

// one field of an object: given, defaulted or missing
static CdStatus read_member(CdReader *r, const CdDesc *desc, const CdField *f, const CdJson *json,
                            int extra_keys, void *member) {
    const CdJson *given = cdi_json_get(json, f->name);
    if (!given && f->def) return read_default(r, f, member);
    if (!given && is_misspelt(desc, f, json, extra_keys)) return CD_INVALID;
    size_t mark = cdi_enter_field(r, f->name);
    CdStatus status;
    if (given) {
        const CdJson *outer = r->at;
        r->at = given;
        status = cdi_field_read(r, f, given, member);
        r->at = outer;
    } else {
        status = cdi_reject(r, json, "is missing; give %s: %s", cdi_field_form(f), f->doc);
    }
    cdi_leave(r, mark);
    return status;
}

// "class" may be left out where the class is known, but must not be another's
static CdStatus check_class(CdReader *r, const CdDesc *desc, const CdJson *json) {
    const CdDesc *const only[] = {desc, NULL};
    return !cdi_json_get(json, "class") || cdi_pick_class(r, only, json) ? CD_OK : CD_INVALID;
}

static CdStatus read_members(CdReader *r, const CdDesc *desc, const CdJson *json, int extra_keys,
                             void *data) {
    CdStatus status = check_class(r, desc, json);
    CD_COLLECT(status, check_keys(r, desc, json, extra_keys));
    for (int i = 0; i < desc->nfields; i++) {
        const CdField *f = desc->fields + i;
        CD_COLLECT(status, read_member(r, desc, f, json, extra_keys, (char *)data + f->offset));
    }
    if (status == CD_OK && desc->finish) status = desc->finish(r, data);
    return status;
}

CdStatus cdi_struct_read(CdReader *r, const CdDesc *desc, const CdJson *json, int extra_keys,
                         void *data) {
    if (json->kind != CD_JSON_OBJECT) return cdi_reject_kind(r, json, "an object {...}");
    const CdJson *outer = r->at;
    r->at = json;
    CdStatus status = read_members(r, desc, json, extra_keys, data);
    r->at = outer;
    if (status != CD_OK) cdi_struct_clear(r->ctx, desc, data);
    return status;
}

// "Cuboid, Cylinder or Sphere"
static void list_classes(const CdDesc *const classes[], char *buf, size_t size) {
    size_t n = 0;
    buf[0] = '\0';
    for (size_t i = 0; classes[i] && n < size; i++) {
        const char *joint = i == 0 ? "" : classes[i + 1] ? ", " : " or ";
        n += (size_t)snprintf(buf + n, size - n, "%s%s", joint, classes[i]->name);
    }
}

const CdDesc *cdi_pick_class(CdReader *r, const CdDesc *const classes[], const CdJson *json) {
    char list[CLASSES_SHOWN_MAX], shown[CD_SHOWN_MAX];
    list_classes(classes, list, sizeof list);
    const CdJson *name = cdi_json_get(json, "class");
    if (!name || name->kind != CD_JSON_STRING) {
        cdi_reject(r, name ? name : json, "must name its class: \"class\": \"...\" with %s", list);
        return NULL;
    }
    CdSuggestion s = {.word = name->text};
    for (size_t i = 0; classes[i]; i++) {
        if (strcmp(classes[i]->name, name->text) == 0) return classes[i];
        cdi_suggest_from(&s, classes[i]->name);
    }
    cdi_reject(r, name,
               s.name ? "there is no class '%s'; did you mean '%s'?"
                      : "there is no class '%s' here; use %s",
               cdi_shown(name->text, shown), s.name ? s.name : list);
    return NULL;
}
