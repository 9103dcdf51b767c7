// model.h - a model: named items with their fields, resolved references, markers made ready
//
//   {"cardan": 1, "parameters": {...}, "items": [{"class": ..., "name": ...}], "runs": [...]}
//
// The same model comes from a file or from calls. cdi_model_resolve finds every mistake at once;
// after it a model is const.
#ifndef CARDAN_MODEL_MODEL_H
#define CARDAN_MODEL_MODEL_H

#include "base/arena.h"
#include "base/array.h"
#include "items/item.h"

typedef struct CdItem {
    const CdItemClass *cls;
    CdObject *object;
    const void *data; // its struct, after resolve
    int index;        // among the items of its category
    int marker[2];    // joints, connectors, loads, sensors of markers: numbers in model->markers
    int ncoordinates; // laws on coordinates: their coordinate markers
    const int *coordinate;
} CdItem;

// a frame at a constant place on a body, as seen from the body's reference frame
typedef struct CdMarker {
    int body; // number among the bodies
    CdFrame offset;
    const CdItem *item; // NULL: made for a joint given by bodies
} CdMarker;

// one coordinate of a body
typedef struct CdCoordinate {
    int body, direction;
} CdCoordinate;

typedef struct CdModel {
    CdContext *ctx;
    CdArena arena;
    const char *file; // it was read from; NULL: none
    CdParams *params; // NULL: none
    CD_ARRAY(CdItem *) items;
    CD_ARRAY(CdItem *) of[CD_NCATEGORIES]; // by category, in the order of items
    CdItem **by_name;                      // sorted, after resolve
    CD_ARRAY(CdMarker) markers;
    CD_ARRAY(CdCoordinate) coordinates;
    double gravity[3];
    CdJsonDoc *json;    // NULL: none; runs point into it
    const CdJson *runs; // array; NULL: none
} CdModel;

CdStatus cdi_model_new(CdContext *ctx, CdModel **model);
void cdi_model_free(CdModel *model); // NULL does nothing
// from a file, or from text that a file name is given for in messages (may be NULL)
CdStatus cdi_model_read_file(CdContext *ctx, const char *path, CdModel **model);
CdStatus cdi_model_read_text(CdContext *ctx, const char *text, size_t n, const char *file,
                             CdModel **model);
// an item of a class; fields are then set on it->object
CdStatus cdi_model_add(CdModel *model, const char *cls, const char *name, CdItem **item);
const char *cdi_item_name(const CdItem *item);
CdItem *cdi_model_find(const CdModel *model, const char *name); // NULL if there is none

// check all items, names and references; make markers. All mistakes are reported. Once per model.
CdStatus cdi_model_resolve(CdModel *model);
void cdi_model_write(const CdModel *model, CdJsonWriter *w, CdWriteForm form);

// body 0 is the ground, in every model, called "ground"
const CdBodyLaw *cdi_model_body(const CdModel *model, int body);

#endif
