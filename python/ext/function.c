// function.c - functions of Python that expressions of a model call
//
// They may be called from any thread, with or without the interpreter. What one of them raises is
// kept, its value is NaN, and from there on no other is called: the run ends, and whoever waits for
// it raises what was kept.
#include <math.h>
#include <stdlib.h>

#include "ext.h"

struct Function {
    Function *next;
    Model *model;
    PyObject *call; // NULL: the model is being taken apart
    int nargs;
};

static PyObject *numbers(const double *args, int n) {
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple && i < n; i++) {
        PyObject *x = PyFloat_FromDouble(args[i]);
        if (!x || PyTuple_SetItem(tuple, i, x) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}

static double value_of(const Function *f, const double *args) {
    PyObject *tuple = numbers(args, f->nargs);
    PyObject *result = tuple ? PyObject_CallObject(f->call, tuple) : NULL;
    double value = result ? PyFloat_AsDouble(result) : NAN;
    if (PyErr_Occurred()) value = NAN;
    Py_XDECREF(result);
    Py_XDECREF(tuple);
    return value;
}

static double call_python(void *user, const double *args) {
    const Function *f = user;
    Model *m = f->model;
    double value = NAN;
    const PyGILState_STATE gil = PyGILState_Ensure();
    // an exception that is pending already is Ctrl-C
    if (f->call && !m->raised[0] && !PyErr_Occurred()) {
        value = value_of(f, args);
        if (PyErr_Occurred() && !m->raised[0]) {
            PyErr_Fetch(&m->raised[0], &m->raised[1], &m->raised[2]);
        }
        PyErr_Clear();
    }
    PyGILState_Release(gil);
    return value;
}

void ext_raise_kept(Model *m) {
    if (!m->raised[0]) return;
    if (!PyErr_Occurred()) {
        PyErr_Restore(m->raised[0], m->raised[1], m->raised[2]);
        for (int i = 0; i < 3; i++) m->raised[i] = NULL;
    }
    for (int i = 0; i < 3; i++) Py_CLEAR(m->raised[i]);
}

PyObject *ext_define(PyObject *self, PyObject *args) {
    Model *m = (Model *)self;
    const char *name;
    PyObject *call;
    int nargs;
    if (!PyArg_ParseTuple(args, "sOi", &name, &call, &nargs) || !ext_usable(m)) return NULL;
    if (!PyCallable_Check(call)) {
        return PyErr_Format(PyExc_TypeError, "'%s' is no function but %S", name,
                            (PyObject *)Py_TYPE(call));
    }
    Function *f = malloc(sizeof *f);
    if (!f) return PyErr_NoMemory();
    *f = (Function){.model = m, .call = call, .nargs = nargs};
    const CdStatus status = cd_context_define(m->talk.ctx, name, nargs, call_python, f);
    if (status != CD_OK) {
        free(f);
        return ext_raise(&m->talk, status);
    }
    Py_INCREF(call);
    f->next = m->functions;
    m->functions = f;
    Py_RETURN_NONE;
}

int ext_functions_visit(const Model *m, visitproc visit, void *arg) {
    for (const Function *f = m->functions; f; f = f->next) Py_VISIT(f->call);
    return 0;
}

void ext_functions_clear(Model *m) {
    for (Function *f = m->functions; f; f = f->next) Py_CLEAR(f->call);
}

void ext_functions_free(Model *m) {
    while (m->functions) {
        Function *f = m->functions;
        m->functions = f->next;
        free(f);
    }
}
