// ext.h - what the files of the extension share: messages, values, tables of numbers
//
// The extension names no item, option or integrator: it walks the tables of the library. It uses
// the limited API only, so that one build serves every CPython from 3.11 on.
#ifndef CARDAN_PYTHON_EXT_H
#define CARDAN_PYTHON_EXT_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "base/float_mode.h"
#include "model/model.h"
#include "system/channels.h"

// ---- from the library into Python, whose code counts with the smallest numbers too

typedef struct ExtGil {
    PyGILState_STATE state;
    uint32_t mode;
} ExtGil;
static inline ExtGil ext_enter(void) {
    const ExtGil gil = {.state = PyGILState_Ensure(), .mode = cdi_float_set(0)};
    return gil;
}
static inline void ext_leave(ExtGil gil) {
    cdi_float_set(gil.mode);
    PyGILState_Release(gil.state);
}

// ---- messages: errors are kept for the exception, the others go to Python's logging at once

typedef struct Talk {
    CdContext *ctx;
    PyObject *errors; // list of (thread, dict)
} Talk;
bool ext_talk_open(Talk *talk); // false with an exception
void ext_talk_close(Talk *talk);
// errors of this thread since the last call, a list of dicts
PyObject *ext_said(Talk *talk);
// they are dropped, those of this thread or all
void ext_forget(Talk *talk, bool all);
// cardan.Error with them; a Python exception that is pending stays. Returns NULL.
PyObject *ext_raise(Talk *talk, CdStatus status);
// what was computed until then becomes `partial` of the exception that is pending; takes the
// result, which may be NULL
void ext_keep_partial(PyObject *result);

// ---- values

// as JSON; numbers, texts, sequences, arrays, dicts, and whatever has a method __cardan__
CdStatus ext_write_value(CdJsonWriter *w, PyObject *value, int depth);
PyObject *ext_load(const char *json);                  // JSON text as a Python value
PyObject *ext_written(void (*write)(CdJsonWriter *w)); // what it writes, likewise
// a field of an object from a Python value; place is for messages
CdStatus ext_set_field(Talk *talk, CdObject *object, const char *field, PyObject *value,
                       const CdSource *source);
// those of a dict; all that are wrong are told
CdStatus ext_set_fields(Talk *talk, CdObject *object, PyObject *fields, const CdSource *source);

// settings of parameters from a dict, n of them, to be freed with cdi_free; false with an
// exception. They borrow from the dict.
PyObject *ext_parameters(const CdParams *params); // a dict; NULL: there are none
bool ext_settings(Talk *talk, PyObject *dict, CdSetting **settings, int *n);

// ---- tables of numbers: rows by columns of double, exported by the buffer protocol

typedef struct Table Table;
extern PyType_Spec ext_table_spec;
const double *ext_table_numbers(const Table *table, Py_ssize_t *rows, Py_ssize_t *columns);
Table *ext_table_new(PyObject *type, Py_ssize_t columns);
PyObject *ext_table_of_bytes(PyObject *module, PyObject *args);
// grows by rows without the interpreter; false: out of memory
bool ext_table_add(Table *table, double first, const double *rest);

// points that `solve` tells inside of a step
#define EXT_NODES 9

// ---- models

typedef struct Function Function; // of Python, that expressions call

typedef struct Model {
    PyObject_HEAD Talk talk;
    CdModel *model;
    Function *functions;
    // what they raised, a dict: the threads at work, each with None or an exception; 0 stands for
    // threads that help one of these
    PyObject *raised;
    int nraised; // exceptions in it
    int busy;    // calls at work that do not hold the interpreter
} Model;
bool ext_usable(Model *m); // may it be changed? False with an exception
// around work that calls functions, with the interpreter. What they raised in it becomes the
// exception, whose messages are dropped.
bool ext_work_begin(Model *m); // the answer is given to the end
void ext_work_end(Model *m, bool outer, CdStatus status);
bool ext_has_raised(Model *m); // has a function in the work of this thread? With it or without
int ext_functions_visit(const Model *m, visitproc visit, void *arg);
void ext_functions_clear(Model *m); // calls give NaN from here on
void ext_functions_free(Model *m);
PyObject *ext_define(PyObject *model, PyObject *args);

// an object of cd_run from a dict
CdStatus ext_run_options(Model *m, PyObject *fields, CdObject **options);
PyObject *ext_simulate(PyObject *self, PyTypeObject *cls, PyObject *const *args, Py_ssize_t n,
                       PyObject *names);
PyObject *ext_methods(PyObject *self, PyObject *unused);
PyObject *ext_check(PyObject *self, PyObject *unused);

// channels as a list of (name, unit, not unique)
PyObject *ext_channels(const CdChannel *channels, int n);

// ---- types and functions of the module

extern PyType_Spec ext_model_spec, ext_simulation_spec;
typedef struct ModuleState {
    PyObject *table, *model, *simulation;
} ModuleState;
ModuleState *ext_state(PyObject *module);
extern PyMethodDef ext_describe_methods[], ext_solve_methods[], ext_command_methods[],
    ext_results_methods[];

// Ctrl-C during a call that does not hold the interpreter, zeroed at its start; the exception is
// then pending. Once it came it stays, whoever asks again.
typedef struct Watch {
    int64_t last_ns;
    bool stop;
} Watch;
bool ext_interrupted(Watch *watch);

#endif
