// build.h - inside model/: how items enter a model
#ifndef CARDAN_MODEL_BUILD_H
#define CARDAN_MODEL_BUILD_H

#include "model/model.h"

// an object of a class becomes an item; on success the model owns it. item may be NULL.
CdStatus cdi_model_put(CdModel *m, const CdItemClass *cls, CdObject *object, CdItem **item);
// the class of a name; reported at place (may be NULL) with what may have been meant
CdStatus cdi_model_class(CdContext *ctx, const CdPlace *place, const char *name,
                         const CdItemClass **cls);

#endif
