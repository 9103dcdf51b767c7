// reader.c - reads JSON objects into described structs and reports every mistake with its place
#include "desc/reader.h"

#include <stdio.h>
#include <string.h>

#include "desc/type.h"

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

size_t cdi_enter_field(CdReader *r, const char *name) {
    size_t mark = r->npath, room = sizeof r->path - mark;
    int n = snprintf(r->path + mark, room, "%s%s", mark ? "." : "", name);
    r->npath += (size_t)n < room ? (size_t)n : room - 1;
    return mark;
}

size_t cdi_enter_element(CdReader *r, size_t index) {
    size_t mark = r->npath, room = sizeof r->path - mark;
    int n = snprintf(r->path + mark, room, "[%zu]", index);
    r->npath += (size_t)n < room ? (size_t)n : room - 1;
    return mark;
}

void cdi_leave(CdReader *r, size_t mark) {
    r->npath = mark;
    r->path[mark] = '\0';
}

const CdField *cd_desc_field(const CdDesc *desc, const char *name) {
    for (int i = 0; i < desc->nfields; i++) {
        if (strcmp(desc->fields[i].name, name) == 0) return desc->fields + i;
    }
    return NULL;
}

// the default of one field, from its JSON text
static CdStatus read_default(CdReader *r, const CdField *f, void *member) {
    CdJsonDoc *doc;
    CdReader own = *r; // defaults know no file and no parameters
    own.source = (CdSource){.file = NULL, .no_files = true};
    CD_TRY(cdi_json_read(r->ctx, f->name, f->def, strlen(f->def), CD_JSON_LIMITS, &doc));
    own.at = cdi_json_root(doc);
    cdi_enter_field(&own, f->name);
    CdStatus status = cdi_field_read(&own, f, own.at, member);
    cdi_json_free(doc);
    return status;
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

// the longest tables have a few dozen rows
#define SUGGESTED_FIELDS_MAX 100

static CdStatus unknown_key(CdReader *r, const CdDesc *desc, const CdJson *member) {
    const char *names[SUGGESTED_FIELDS_MAX];
    size_t n = 0;
    for (int i = 0; i < desc->nfields && n < SUGGESTED_FIELDS_MAX; i++) {
        names[n++] = desc->fields[i].name;
    }
    CdJson at_key = {.line = member->key_line, .col = member->key_col};
    size_t mark = cdi_enter_field(r, member->key);
    const char *near = cdi_suggest(member->key, names, n);
    if (near) {
        cdi_reject(r, &at_key, "%s has no such field; did you mean '%s'?", desc->name, near);
    } else {
        cdi_reject(r, &at_key, "%s has no such field; see the manual page of %s", desc->name,
                   desc->name);
    }
    cdi_leave(r, mark);
    return CD_INVALID;
}

static CdStatus check_keys(CdReader *r, const CdDesc *desc, const CdJson *json, int extra_keys) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < json->n; i++) {
        const CdJson *member = json->items + i;
        if ((extra_keys & CD_CLASS_KEY) && strcmp(member->key, "class") == 0) continue;
        if ((extra_keys & CD_NAME_KEY) && strcmp(member->key, "name") == 0) continue;
        if (!cd_desc_field(desc, member->key)) status = unknown_key(r, desc, member);
    }
    return status;
}

// was the field given under a key that is misspelt? Then that was told already.
static bool is_misspelt(const CdDesc *desc, const CdField *f, const CdJson *json) {
    for (size_t i = 0; i < json->n; i++) {
        const char *key = json->items[i].key;
        if (!cd_desc_field(desc, key) && cdi_suggest(key, &f->name, 1)) return true;
    }
    return false;
}

// one field of an object: given, defaulted or missing
static CdStatus read_member(CdReader *r, const CdDesc *desc, const CdField *f, const CdJson *json,
                            void *member) {
    const CdJson *given = cdi_json_get(json, f->name);
    if (!given && f->def) return read_default(r, f, member);
    if (!given && is_misspelt(desc, f, json)) return CD_INVALID;
    size_t mark = cdi_enter_field(r, f->name);
    CdStatus status;
    if (given) {
        const CdJson *outer = r->at;
        r->at = given;
        status = cdi_field_read(r, f, given, member);
        r->at = outer;
    } else {
        status = cdi_reject(r, json, "is missing; give %s: %s", cdi_type(f->type)->form, f->doc);
    }
    cdi_leave(r, mark);
    return status;
}

static CdStatus read_members(CdReader *r, const CdDesc *desc, const CdJson *json, int extra_keys,
                             void *data) {
    CdStatus status = check_keys(r, desc, json, extra_keys);
    for (int i = 0; i < desc->nfields; i++) {
        const CdField *f = desc->fields + i;
        CD_COLLECT(status, read_member(r, desc, f, json, (char *)data + f->offset));
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
    char list[400];
    list_classes(classes, list, sizeof list);
    const CdJson *name = cdi_json_get(json, "class");
    if (!name || name->kind != CD_JSON_STRING) {
        cdi_reject(r, name ? name : json, "must name its class: \"class\": one of %s", list);
        return NULL;
    }
    const char *near = NULL;
    for (size_t i = 0; classes[i]; i++) {
        if (strcmp(classes[i]->name, name->text) == 0) return classes[i];
        if (!near) near = cdi_suggest(name->text, &classes[i]->name, 1);
    }
    if (near) {
        cdi_reject(r, name, "there is no class '%s'; did you mean '%s'?", name->text, near);
    } else {
        cdi_reject(r, name, "there is no class '%s'; use %s", name->text, list);
    }
    return NULL;
}

CdStatus cdi_check_class(CdReader *r, const CdDesc *desc, const CdJson *json) {
    const CdDesc *const only[] = {desc, NULL};
    return !cdi_json_get(json, "class") || cdi_pick_class(r, only, json) ? CD_OK : CD_INVALID;
}
