// model.h - mechanisms: build or read a model, simulate it step by step
//
//   CdModel *model;
//   CdItem *link;
//   cd_model_new(ctx, &model);
//   cd_model_add(model, "RigidBody", "link", &link);
//   cd_item_set_reals(link, "position", (double[]){0.5, 0, 0}, 3);
//   cd_item_set_json(link, "shape", "{\"class\": \"Cuboid\", \"size\": [1, 0.1, 0.1]}");
//   cd_model_add_json(model, "{\"class\": \"Gravity\", \"name\": \"g\"}");
//
//   CdSimulation *sim;
//   double x;
//   cd_simulation_new(model, "gen-alpha(step=0.001, adaptive=false)", &sim);
//   cd_simulation_start(sim);
//   while (cd_simulation_time(sim) < 1) cd_simulation_step(sim, 1);
//   cd_simulation_get(sim, "link.x", &x);
//   cd_simulation_free(sim);
//   cd_model_free(model);
//
// Every call returns CD_OK or reports through the context's sink what is wrong. Classes and their
// fields are those of JSON models: `cardan help` lists them, `cardan help CLASS` shows the fields.
#ifndef CARDAN_MODEL_H
#define CARDAN_MODEL_H

#include "cardan/integrator.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- models

typedef struct CdModel CdModel; // named items; the body "ground" is part of every model
typedef struct CdItem CdItem;   // lives as long as its model

CdStatus cd_model_new(CdContext *ctx, CdModel **model);
// all mistakes of a file are reported at once, in the order of lines; *model is then NULL
CdStatus cd_model_read(CdContext *ctx, const char *path, CdModel **model);
void cd_model_free(CdModel *model); // NULL does nothing; simulations of it must be freed before

CdStatus cd_model_add(CdModel *model, const char *item_class, const char *name, CdItem **item);
// one item as it stands in a JSON model; {"class": "Include", ...} adds those of a file
CdStatus cd_model_add_json(CdModel *model, const char *json);
CdItem *cd_model_find(const CdModel *model, const char *name); // NULL if there is none

// parameters that fields may use: "500 mm", "m*L^2/12", "2*L". Fields that use one are evaluated
// and checked again; a value that is refused by one of them changes nothing. Refused while a
// simulation of the model exists, which has parameters of its own (cd_simulation_set).
CdStatus cd_model_set_parameter(CdModel *model, const char *name, const char *text);
CdStatus cd_model_set_parameter_real(CdModel *model, const char *name, double x);

// fields by name; a value that is refused leaves the old one. Refused while a simulation of the
// model exists. Those of items of an included file are set as seen from there.
CdStatus cd_item_set_real(CdItem *item, const char *field, double x);
CdStatus cd_item_set_reals(CdItem *item, const char *field, const double *x, size_t n);
CdStatus cd_item_set_text(CdItem *item, const char *field,
                          const char *text); // names, words, "3 mm", "2*L"
CdStatus cd_item_set_json(CdItem *item, const char *field, const char *json);
CdStatus cd_item_get_real(const CdItem *item, const char *field, double *x);

// are all fields given, all names known, all joints between two bodies? All mistakes are reported.
// cd_simulation_new asks the same.
CdStatus cd_model_check(CdModel *model);

// as JSON into a file: as the user gave it, or with numbers in SI and sub-models spread
typedef enum CdModelForm { CD_MODEL_AS_GIVEN, CD_MODEL_RESOLVED } CdModelForm;
CdStatus cd_model_write(CdModel *model, const char *path, CdModelForm form);

// ---- simulations: one model may have several, each with its own state

typedef struct CdSimulation CdSimulation;

// method as after --method: "rk4(step=0.001)", "auto"
CdStatus cd_simulation_new(CdModel *model, const char *method, CdSimulation **sim);
void cd_simulation_free(CdSimulation *sim); // NULL does nothing

// to the start values of the model at t = 0, made consistent; any time again
CdStatus cd_simulation_start(CdSimulation *sim);
// one accepted step, not beyond t_limit
CdStatus cd_simulation_step(CdSimulation *sim, double t_limit);
// to t_end, with a row of all channels at every interval (0: after every step) into a CSV file
// (NULL: none)
CdStatus cd_simulation_run(CdSimulation *sim, double t_end, double interval, const char *csv);

double cd_simulation_time(CdSimulation *sim);
// state of the last accepted step with accelerations and multipliers, valid until the next call
const CdPoint *cd_simulation_now(CdSimulation *sim);
const CdStatistics *cd_simulation_statistics(const CdSimulation *sim);

// channels: numbers of sensors, or places of bodies if the model has no sensor
int cd_simulation_channels(const CdSimulation *sim);
const char *cd_simulation_channel(const CdSimulation *sim, int i, const char **unit); // its name
CdStatus cd_simulation_get(CdSimulation *sim, const char *channel, double *value);
// A parameter of the model, in this simulation only. Fields that use it, and all that follows from
// them, are those of a model that was read with this value, or it is refused as there and nothing
// changes. After the start the state is kept: what it violates joints by must be no more than
// start_tolerance of the method. cd_simulation_start begins with the parameters in force.
CdStatus cd_simulation_set(CdSimulation *sim, const char *name, double value);
CdStatus cd_simulation_parameter(const CdSimulation *sim, const char *name, double *value);

// copy the state, parameters included: a simulation of the same model and method continues from it
// bit for bit. Size 0: the method cannot.
size_t cd_simulation_save_size(const CdSimulation *sim);
CdStatus cd_simulation_save(CdSimulation *sim, void *to, size_t size);
CdStatus cd_simulation_load(CdSimulation *sim, const void *from, size_t size);

#ifdef __cplusplus
}
#endif

#endif
