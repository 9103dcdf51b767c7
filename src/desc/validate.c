// validate.c - finds rows of a table that contradict themselves; every class is put through it by
// the tests
#include <string.h>

#include "desc/interval.h"
#include "desc/type.h"
#include "desc/unit.h"

static CdStatus blame(CdContext *ctx, const CdDesc *desc, const CdField *f, const char *what) {
    CdPlace place = {.item_class = desc->name, .field = f ? f->name : NULL};
    return cdi_fail_at(ctx, CD_BUG, &place, "%s", what);
}

static bool is_sentence(const char *doc) {
    return doc && *doc && doc[strlen(doc) - 1] != '.' && !strchr(doc, '\n');
}

// $y and $x are known only where the function is used
static bool unit_is_known(const char *unit) {
    CdUnit parsed;
    const char *bad;
    size_t nbad;
    return !*unit || strchr(unit, '$') || strcmp(unit, "*") == 0 ||
           cdi_unit_parse(unit, strlen(unit), &parsed, &bad, &nbad);
}

// a field is also an argument in Python
static bool is_python_word(const char *name) {
    static const char *const words[] = {
        "and",  "as",     "assert", "async",  "await",   "break",    "continue", "def",
        "del",  "elif",   "else",   "except", "finally", "for",      "from",     "global",
        "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",      "or",
        "pass", "raise",  "return", "try",    "while",   "with",     "yield"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(name, words[i]) == 0) return true;
    }
    return false;
}

static CdStatus check_row(CdContext *ctx, const CdDesc *desc, const CdField *f) {
    CdInterval i;
    CdStatus status = CD_OK;
    const CdTypeClass *type = cdi_type(f->type);
    if (type->complete && !type->complete(f)) {
        return blame(ctx, desc, f, "the row lacks what its type needs, or has what it cannot use");
    }
    if (!f->unit || !f->range) return blame(ctx, desc, f, "unit and range must not be NULL");
    if (cdi_equal(f->def, "null") && (!type->nullable || f->list)) {
        status = blame(ctx, desc, f, "the type has no value for null");
    }
    if (f->range[0] && !type->number) status = blame(ctx, desc, f, "the type has no range");
    if (strcmp(f->name, "class") == 0 || strcmp(f->name, "name") == 0) {
        status = blame(ctx, desc, f, "the key is taken");
    }
    if (is_python_word(f->name)) status = blame(ctx, desc, f, "the key is a word of Python");
    if (cdi_field_size(f) != f->size)
        status = blame(ctx, desc, f, "member and type differ in size");
    if (f->offset + f->size > desc->size) status = blame(ctx, desc, f, "lies outside the struct");
    if (!is_sentence(f->doc))
        status = blame(ctx, desc, f, "the doc line is missing or ends in a full stop");
    if (!unit_is_known(f->unit)) status = blame(ctx, desc, f, "the unit is not known");
    if (!cdi_interval_parse(f->range, &i)) status = blame(ctx, desc, f, "the range cannot be read");
    if (!cdi_interval_parse(f->count, &i)) status = blame(ctx, desc, f, "the count cannot be read");
    for (int k = 0; desc->fields + k < f; k++) {
        if (strcmp(desc->fields[k].name, f->name) == 0)
            status = blame(ctx, desc, f, "stands twice");
    }
    return status;
}

// its own example must be good
static CdStatus check_example(CdContext *ctx, const CdDesc *desc) {
    CdJsonDoc *doc;
    CD_TRY(
        cdi_json_read(ctx, "example", desc->example, strlen(desc->example), CD_JSON_LIMITS, &doc));
    CdObject *object;
    CdSource source = {.file = "example", .no_files = true, .sensors = true};
    CdStatus status = cdi_object_read(ctx, desc, cdi_json_root(doc), &source, &object);
    cdi_object_free(object);
    cdi_json_free(doc);
    return status;
}

// all of them are read, also those that zeroed memory holds
static CdStatus check_defaults(CdContext *ctx, const CdDesc *desc) {
    CdReader r = {.ctx = ctx, .item_class = desc->name};
    CdStatus status = CD_OK;
    for (int i = 0; i < desc->nfields && status != CD_NOMEM; i++) {
        const CdField *f = desc->fields + i;
        void *member = f->def ? cdi_alloc(ctx, cdi_field_size(f)) : NULL;
        if (!f->def) continue;
        const CdStatus one = member ? cdi_default_read(&r, f, member) : CD_NOMEM;
        if (one == CD_OK) cdi_field_clear(ctx, f, member);
        if (one != CD_OK) status = one;
        cdi_free(ctx, member);
    }
    return status;
}

static CdStatus check_class(CdContext *ctx, const CdDesc *desc) {
    CdStatus status = CD_OK;
    if (!is_sentence(desc->doc)) {
        status = blame(ctx, desc, NULL, "the doc line is missing or ends in a full stop");
    }
    for (int i = 0; i < desc->nfields; i++) {
        CD_COLLECT(status, check_row(ctx, desc, desc->fields + i));
    }
    CD_TRY(status);

    CD_COLLECT(status, check_defaults(ctx, desc));
    if (desc->example) CD_COLLECT(status, check_example(ctx, desc));
    return status;
}

static CdStatus check_names(CdContext *ctx, const CdClassList *list) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < list->met.n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(list->met.v[i]->name, list->met.v[k]->name) == 0) {
                status = blame(ctx, list->met.v[i], NULL, "another class has the same name");
            }
        }
    }
    return status;
}

// the class and all that it names
CdStatus cdi_desc_validate(CdContext *ctx, const CdDesc *desc) {
    CdClassList list = {.ctx = ctx};
    CdStatus status = CD_OK;
    cdi_class_meet(&list, desc);
    for (size_t i = 0; i < list.met.n && status != CD_NOMEM; i++) {
        CdStatus one = check_class(ctx, list.met.v[i]);
        if (one != CD_OK) status = one;
        if (one == CD_OK) cdi_class_meet_nested(&list, list.met.v[i]);
    }
    if (status == CD_OK) status = list.status;
    if (status == CD_OK) status = check_names(ctx, &list);
    cdi_class_list_free(&list);
    return status;
}
