// ext.h - what the files of the extension share: messages, values, tables of numbers
//
// The extension names no item, option or integrator: it walks the tables of the library. It uses
// the limited API only, so that one build serves every CPython from 3.11 on.
#ifndef CARDAN_PYTHON_EXT_H
#define CARDAN_PYTHON_EXT_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "model/model.h"

// ---- messages: errors are kept for the exception, the others go to Python's logging at once

typedef struct Talk {
    CdContext *ctx;
    PyObject *errors; // list of dicts
} Talk;
bool ext_talk_open(Talk *talk); // false with an exception
void ext_talk_close(Talk *talk);
// cardan.Error with what was said since the last one; a Python exception that is pending stays.
// Returns NULL.
PyObject *ext_raise(Talk *talk, CdStatus status);

// ---- values

// as JSON; numbers, texts, sequences, arrays, dicts, and whatever has a method __cardan__
CdStatus ext_write_value(CdJsonWriter *w, PyObject *value, int depth);
PyObject *ext_load(const char *json); // JSON text as a Python value
// a field of an object from a Python value; place is for messages
CdStatus ext_set_field(Talk *talk, CdObject *object, const char *field, PyObject *value,
                       const CdSource *source);

// ---- tables of numbers: rows by columns of double, exported by the buffer protocol

typedef struct Table Table;
extern PyType_Spec ext_table_spec;
// grows by rows without the interpreter; false: out of memory
Table *ext_table_new(PyObject *type, Py_ssize_t columns);
bool ext_table_add(Table *table, double first, const double *rest);

// ---- types and functions of the module

extern PyType_Spec ext_model_spec, ext_simulation_spec;
typedef struct ModuleState {
    PyObject *table, *model, *simulation;
} ModuleState;
ModuleState *ext_state(PyObject *module);
extern PyMethodDef ext_describe_methods[], ext_solve_methods[], ext_command_methods[];

// what a run checks for Ctrl-C: at most that often
bool ext_interrupted(int64_t *last_ns);

// the model behind a Python object, which keeps it alive; resolved or an exception
CdModel *ext_model(PyObject *object, Talk **talk);

#endif
