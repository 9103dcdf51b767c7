// classes.c - everything that has a table of fields: items by category, shapes, functions, methods
#include "classes.h"

#include <string.h>

#include "desc/function.h"
#include "geom/shape.h"
#include "integrators/integrator.h"
#include "linalg/linsol.h"
#include "model/model.h"

// classes of a model file beside items
static const CdDesc *const others[] = {&cd_include, &cd_run, NULL};

static const CdDesc *item_at(int *i, const char **group) {
    for (int c = 0; c < CD_NCATEGORIES; c++) {
        for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
            if ((int)(*cls)->category != c || (*i)-- != 0) continue;
            *group = cdi_category_names[c];
            return &(*cls)->desc;
        }
    }
    return NULL;
}

static const CdDesc *list_at(const CdDesc *const *list, int *i) {
    for (; *list; list++) {
        if ((*i)-- == 0) return *list;
    }
    return NULL;
}

static const CdDesc *integrator_at(int *i) {
    for (const CdIntegratorClass *const *c = cd_integrator_classes; *c; c++) {
        if ((*i)-- == 0) return &(*c)->desc;
    }
    return NULL;
}

static const CdDesc *linsol_at(int *i) {
    for (const CdLinsolClass *const *c = cd_linsol_classes; *c; c++) {
        if ((*i)-- == 0) return &(*c)->desc;
    }
    return NULL;
}

const CdDesc *cli_class_at(int i, const char **group) {
    const CdDesc *desc = item_at(&i, group);
    if (desc) return desc;
    *group = "shape";
    if ((desc = list_at(cdi_shape_classes, &i))) return desc;
    *group = "function";
    if ((desc = list_at(cdi_function_classes, &i))) return desc;
    *group = "model";
    if ((desc = list_at(others, &i))) return desc;
    *group = "integrator";
    if ((desc = integrator_at(&i))) return desc;
    *group = "linsol";
    return linsol_at(&i);
}

const CdDesc *cli_class(const char *name, CdSuggestion *s) {
    const CdDesc *desc;
    const char *group;
    for (int i = 0; (desc = cli_class_at(i, &group)); i++) {
        if (strcmp(desc->name, name) == 0) return desc;
        cdi_suggest_from(s, desc->name);
    }
    return NULL;
}
