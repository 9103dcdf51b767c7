// build.h - inside model/: how items enter a model
#ifndef CARDAN_MODEL_BUILD_H
#define CARDAN_MODEL_BUILD_H

#include "model/model.h"

// a model file, or one that it includes: what holds for all items in it
typedef struct CdScope {
    const struct CdScope *outer; // NULL: the model itself
    const char *file;            // NULL: none
    const char *prefix;          // of names, with those of outer scopes
    int index;                   // in model->scopes
    CdObject *include;           // that it was made by; NULL: the model itself, or it was wrong
    CdJson given;                // parameters, an OBJECT of NUMBERs and STRINGs; NULL: none
    CdParams *params;            // NULL: none
    bool guess;                  // parameters were wrong: items that use them are passed over
    CdFrame pose;                // where it is in the world
    double quat_wxyz[4];         // rotation of pose
    bool moved;                  // pose is not the identity
    int depth;
} CdScope;

CdStatus cdi_scope_new(CdModel *m, const CdScope *outer, const char *file, const char *prefix,
                       CdScope **scope);
// parameters as they are given: copied, and evaluated. No object: none.
CdStatus cdi_scope_parameters(CdModel *m, CdScope *scope, const CdJson *given);

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
// the scope of an Include, which is the scope's from here on
CdStatus cdi_include_scope(CdModel *m, const CdScope *outer, CdObject *include, CdScope **scope);
// values that an Include gives in place of those of its file; members are written to
CdStatus cdi_include_override(CdContext *ctx, const CdObject *include, CdJson *members, size_t n);

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
