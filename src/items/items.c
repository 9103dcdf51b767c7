// items.c - the list of item classes, and what may be asked of joints
#include <string.h>

#include "items/item.h"

#define ITEM(stem) extern const CdItemClass cd_##stem;
#include "items/items.def"
#undef ITEM

const CdItemClass *const cd_item_classes[] = {
#define ITEM(stem) &cd_##stem,
#include "items/items.def"
#undef ITEM
    NULL};

const char *const cdi_category_names[] = {"body", "marker", "joint", "connector", "load", "sensor"};

const CdItemClass *cdi_item_class(const char *name) {
    for (const CdItemClass *const *c = cd_item_classes; *c; c++) {
        if (cdi_same((*c)->desc.name, name)) return *c;
    }
    return NULL;
}

bool cdi_joint_is_free(const CdJointLaw *law, const void *p, int k) {
    return !law->is_free || law->is_free(p, k);
}

void cdi_joint_coordinates(const CdJointLaw *law, const void *p, const CdFrame *a, const CdFrame *b,
                           double *s) {
    law->coordinates(p, a, b, s);
    for (int k = 0; k < law->nrel; k++) {
        if (!cdi_joint_is_free(law, p, k)) s[k] = 0;
    }
}
