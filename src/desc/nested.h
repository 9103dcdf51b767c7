// nested.h - the classes that the fields of a class name, each once, in the order they are met
#ifndef CARDAN_DESC_NESTED_H
#define CARDAN_DESC_NESTED_H

#include "base/array.h"
#include "desc/desc.h"

typedef struct CdClassList {
    CdContext *ctx;
    CdStatus status; // the first failure sticks
    CD_ARRAY(const CdDesc *) met;
} CdClassList;

void cdi_class_meet(CdClassList *list, const CdDesc *desc);
void cdi_class_meet_all(CdClassList *list, const CdDesc *const classes[]); // NULL-terminated
void cdi_class_meet_nested(CdClassList *list, const CdDesc *desc); // those that its fields name
void cdi_class_list_free(CdClassList *list);

#endif
