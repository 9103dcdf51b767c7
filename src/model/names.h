// names.h - inside model/: names of items
#ifndef CARDAN_MODEL_NAMES_H
#define CARDAN_MODEL_NAMES_H

#include "model/build.h"

// sort all names; tells empty, bad and double ones
CdStatus cdi_names_sort(CdModel *m);
const CdName *cdi_names_find(const CdModel *m, const char *text); // NULL if there is none
// the same from the inside of a scope: its own names first, then those around it
CdStatus cdi_names_lookup(CdModel *m, const CdScope *scope, const char *name, const CdName **found);
// would the name be that of an item in a file that could not be read?
bool cdi_names_lost(const CdModel *m, const CdScope *scope, const char *name);
// report a name that nothing has, with what may have been meant
CdStatus cdi_names_unknown(CdModel *m, const CdItem *item, const CdField *f, const char *name);

#endif
