// items.c - the list of item classes
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
        if (strcmp((*c)->desc.name, name) == 0) return *c;
    }
    return NULL;
}
