// function.c - functions of Python that expressions of a model call
//
// They may be called from any thread, with or without the interpreter. What one of them raises is
// kept, its value is NaN, and from there on no other is called in that work: the run ends, and
// whoever waits for it raises what was kept. Other runs of the model go on.
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

// ---- what they raise

#define HELPERS 0ul

// None: nothing was raised; NULL: the thread is not at work
static PyObject *entry(const Model *m, unsigned long thread) {
    PyObject *key = PyLong_FromUnsignedLong(thread);
    PyObject *found = key ? PyDict_GetItemWithError(m->raised, key) : NULL;
    Py_XDECREF(key);
    return found;
}

// NULL: the entry goes
static void put_entry(const Model *m, unsigned long thread, PyObject *value) {
    PyObject *key = PyLong_FromUnsignedLong(thread);
    if (key && value) (void)PyDict_SetItem(m->raised, key, value);
    if (key && !value) (void)PyDict_DelItem(m->raised, key);
    Py_XDECREF(key);
}

static bool has_raised(const Model *m, unsigned long thread) {
    PyObject *found = m->nraised > 0 ? entry(m, thread) : NULL;
    return found && found != Py_None;
}

// helpers work for the only one there is, or for nobody knows whom: that work fails by itself
static bool is_over(const Model *m) {
    return has_raised(m, PyThread_get_thread_ident()) || (m->busy == 1 && has_raised(m, HELPERS));
}

bool ext_has_raised(Model *m) {
    if (m->nraised == 0) return false;
    const ExtGil gil = ext_enter();
    const bool over = is_over(m);
    ext_leave(gil);
    return over;
}

// the exception of now, which is no more
static void keep(Model *m) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace) (void)PyException_SetTraceback(value, trace);
    const unsigned long me = PyThread_get_thread_ident();
    const unsigned long thread = entry(m, me) ? me : HELPERS;
    if (!has_raised(m, thread)) {
        put_entry(m, thread, value);
        m->nraised++;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    PyErr_Clear();
}

static double call_python(void *user, const double *args) {
    const Function *f = user;
    Model *m = f->model;
    double value = NAN;
    const ExtGil gil = ext_enter();
    // an exception that is pending already is Ctrl-C
    if (f->call && !PyErr_Occurred() && !is_over(m)) {
        value = value_of(f, args);
        if (PyErr_Occurred()) keep(m);
    }
    ext_leave(gil);
    return value;
}

// what was kept becomes the exception, unless there is one; afterwards the entry is `next`
static void raise_kept(Model *m, unsigned long thread, PyObject *next) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *kept = Py_XNewRef(entry(m, thread));
    if (kept) put_entry(m, thread, next);
    if (kept && kept != Py_None) m->nraised--;
    PyErr_Clear();
    if (type || !kept || kept == Py_None) {
        PyErr_Restore(type, value, trace);
        Py_XDECREF(kept);
    } else {
        PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(kept)), kept, PyException_GetTraceback(kept));
    }
}

bool ext_work_begin(Model *m) {
    const unsigned long me = PyThread_get_thread_ident();
    const bool outer = !entry(m, me);
    if (outer) put_entry(m, me, Py_None);
    m->busy++;
    PyErr_Clear();
    return outer;
}

void ext_work_end(Model *m, bool outer, CdStatus status) {
    m->busy--;
    raise_kept(m, PyThread_get_thread_ident(), outer ? NULL : Py_None);
    if (status != CD_OK || m->busy == 0) raise_kept(m, HELPERS, NULL);
    if (PyErr_Occurred()) ext_forget(&m->talk, m->busy == 0);
}

// ---- definitions

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
