// nested.c - the classes that the fields of a class name
#include "desc/nested.h"

#include "desc/type.h"

void cdi_class_meet(CdClassList *list, const CdDesc *desc) {
    for (size_t i = 0; i < list->met.n; i++) {
        if (list->met.v[i] == desc) return;
    }
    if (CD_PUSH(list->ctx, list->met, desc) != CD_OK) list->status = CD_NOMEM;
}

void cdi_class_meet_all(CdClassList *list, const CdDesc *const classes[]) {
    for (size_t i = 0; classes[i]; i++) cdi_class_meet(list, classes[i]);
}

void cdi_class_meet_nested(CdClassList *list, const CdDesc *desc) {
    for (int i = 0; i < desc->nfields; i++) {
        const CdField *f = desc->fields + i;
        if (cdi_type(f->type)->nested) cdi_type(f->type)->nested(list, f);
    }
}

void cdi_class_list_free(CdClassList *list) {
    cdi_array_free(list->ctx, &list->met.any);
}
