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

#include "cardan/model.h"

// one number of a sensor that an expression names
typedef struct CdSignal {
    const struct CdItem *sensor;
    int component;
} CdSignal;

// a function of an item that names sensors: its names, in their order
typedef struct CdReading {
    const CdField *field;
    int n;
    const CdSignal *v;
} CdReading;

struct CdItem {
    CdModel *model;
    const CdItemClass *cls;
    CdObject *object;            // as given
    CdObject *placed;            // the same, moved by the pose of its scope; NULL: not moved
    const struct CdScope *scope; // file that it stands in
    const void *data;            // its struct, after resolve
    int index;                   // among the items of its category
    int marker[2];    // joints, connectors, loads, sensors of markers: numbers in model->markers
    int ncoordinates; // laws on coordinates: their coordinate markers
    const int *coordinate;
    int nreadings; // functions that read sensors
    const CdReading *readings;
    bool read;           // sensors: an expression names it
    bool late;           // sensors: follows from forces, so that they cannot read it
    bool broken;         // a mistake in it was told, or in what it refers to
    bool moved;          // `placed` is where it belongs
    const CdFrame *rest; // of a moved body: rotation that is left to its markers; NULL: none
};

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

// a name and what it stands for
typedef struct CdName {
    const char *text;
    CdItem *item;     // NULL: it was refused, which was told
    const char *file; // where it was given; NULL: in C
    int line, col;
    int order;
} CdName;

// what stands in the file itself, for writing it again
typedef struct CdEntry {
    CdItem *item;
    const CdJson *include; // in place of an item
} CdEntry;

struct CdModel {
    CdContext *ctx;
    CdArena arena;
    const char *file;       // it was read from; NULL: none
    const CdParams *params; // NULL: none
    CD_ARRAY(CdItem *) items;
    CD_ARRAY(CdItem *) of[CD_NCATEGORIES]; // by category, in the order of items
    CD_ARRAY(CdMarker) markers;
    CD_ARRAY(CdCoordinate) coordinates;
    double gravity[3];
    // sensors that are read or computed: each after those that it reads, those with a delay last
    CD_ARRAY(const CdItem *) order;
    CdJsonDoc *json;    // NULL: none; runs point into it
    const CdJson *runs; // array; NULL: none
    // how it was built
    CD_ARRAY(CdName) refused;          // names of items that could not be read
    CD_ARRAY(const char *) lost;       // prefixes of files that could not be read
    CD_ARRAY(CdEntry) entries;         // of the file itself
    CD_ARRAY(CdJsonDoc *) docs;        // that entries point into, beside json
    CD_ARRAY(struct CdScope *) scopes; // the first is the file itself
    CdName *names;                     // sorted; NULL before resolve
    size_t nnames;
    int includes, suggested;
    bool no_files, resolved;
    _Atomic int users; // simulations that look at it, perhaps made by several threads
};

CdStatus cdi_model_new(CdContext *ctx, CdModel **model);
void cdi_model_free(CdModel *model); // NULL does nothing
// from a file, or from text that a file name is given for in messages (may be NULL)
CdStatus cdi_model_read_file(CdContext *ctx, const char *path, CdModel **model);
CdStatus cdi_model_read_text(CdContext *ctx, const char *text, size_t n, const char *file,
                             CdModel **model);
// text that results keep: it may name no files
CdStatus cdi_model_read_kept(CdContext *ctx, const char *text, size_t n, CdModel **model);
// text that nobody vouches for: it may name no files, and must be short
CdStatus cdi_model_read_foreign(CdContext *ctx, const char *text, size_t n, CdModel **model);
// an item of a class; fields are then set on it->object
CdStatus cdi_model_add(CdModel *model, const char *cls, const char *name, CdItem **item);
const char *cdi_item_name(const CdItem *item);
CdItem *cdi_model_find(const CdModel *model, const char *name); // NULL if there is none

// check all items, names and references; make markers. All mistakes are reported. May be called
// again after a failure or a change.
CdStatus cdi_model_resolve(CdModel *model);
// CD_AS_GIVEN, or CD_NUMBERS with sub-models spread: what follows from fields that were left out
// follows again
void cdi_model_write(const CdModel *model, CdJsonWriter *w, CdWriteForm form);

// in place of those that it has: a JSON array
CdStatus cdi_model_set_runs(CdModel *model, const char *json);

// joint or connector that a sensor looks at; NULL: neither
const CdItem *cdi_item_source(const CdItem *sensor);
// do others see the sensor's value of the last accepted step, and which one before the first?
bool cdi_sensor_delayed(const CdItem *sensor, double *start);
// member of its struct
const CdFunction *cdi_item_function(const CdItem *item, const CdField *f);

// ---- parameters of the model itself, not of files that it includes

typedef struct CdSetting {
    const char *name;
    CdJson value; // a NUMBER, or a STRING: "2*L", "3 mm"
} CdSetting;
CdSetting cdi_setting_real(const char *name, double x);
CdSetting cdi_setting_text(const char *name, const char *text);

CdStatus cdi_model_no_parameter(const CdModel *model, const char *name); // reports

// All fields that use parameters are evaluated and checked again, others follow from them as if
// the model had been read so; messages are those of reading. A mistake changes nothing.
CdStatus cdi_model_set(CdModel *model, const CdSetting *settings, int n, bool declare);
// another model, resolved: items have the same order and names. It must not outlive `model`.
CdStatus cdi_model_vary(const CdModel *model, const CdSetting *settings, int n, CdModel **variant);

// body 0 is the ground, in every model, called "ground"
const CdBodyLaw *cdi_model_body(const CdModel *model, int body);

// sub-models: {"class": "Include", "file": "wheel.json", "prefix": "left."}
extern const CdDesc cd_include;

// one entry of "runs"; also the options of `cardan run`
typedef enum CdRunAt { CD_AT_LAST, CD_AT_START } CdRunAt;
typedef struct CdRunOptions {
    int analysis, begin;
    double duration, step, interval;
    int decimation;
    char *method;
    CdList channels; // of char *
    bool scene;
    double checkpoint;
    int threads;
} CdRunOptions;
extern const CdDesc cd_run;

#endif
