// build.h - inside model/: how items enter a model
#ifndef CARDAN_MODEL_BUILD_H
#define CARDAN_MODEL_BUILD_H

#include "model/model.h"

// a model file, or one that it includes: what holds for all items in it
typedef struct CdScope {
    const struct CdScope *outer; // NULL: the model itself
    const char *file;            // NULL: none
    const char *prefix;          // of names, with those of outer scopes
    CdParams *params;            // NULL: none
    bool guess;                  // parameters were wrong: items that use them are passed over
    const CdJson *names;         // then: the parameters as they were given
    CdFrame pose;                // where it is in the world
    double quat_wxyz[4];         // rotation of pose
    bool moved;                  // pose is not the identity
    int depth;
} CdScope;

CdStatus cdi_scope_new(CdModel *m, const CdScope *outer, const char *file, const char *prefix,
                       CdScope **scope);

// an object of a class becomes an item; on success the model owns it. item may be NULL.
CdStatus cdi_model_put(CdModel *m, const CdItemClass *cls, CdObject *object, const CdScope *scope,
                       CdItem **item);
// the class of a name; reported at place (may be NULL) with what may have been meant
CdStatus cdi_model_class(CdContext *ctx, const CdPlace *place, const char *name,
                         const CdItemClass **cls);

// items of a JSON text, of the model itself or of a file that it includes
CdStatus cdi_model_read_item(CdModel *m, const CdScope *scope, const CdJson *json);
CdStatus cdi_model_read_root(CdModel *m, CdScope *scope, const CdJson *root);
// {"class": "Include", ...}
CdStatus cdi_model_include(CdModel *m, const CdScope *outer, const CdJson *json);

// report at an item, or at one of its fields
CdStatus cdi_item_complain(const CdItem *item, const char *field, const char *fmt, ...)
    CD_PRINTF(3, 4);
// member of the item's struct, NULL if its class has no such field
void *cdi_item_member(const CdItem *item, const char *field);

// parts of resolve, item by item
CdStatus cdi_item_place(CdModel *m, CdItem *marker); // a marker on its body
CdStatus cdi_item_connect(CdModel *m, CdItem *item); // what acts between markers
CdStatus cdi_item_move(CdItem *item);                // by the pose of its scope, once
CdStatus cdi_signals_resolve(CdModel *m);            // sensors that expressions name
// direction that x of the markers of a pair is nearest to: as given, or an axis of the world
void cdi_pair_across(const double axis[3], const double across[3], double out[3]);

#endif
