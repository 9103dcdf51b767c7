// simulation.c - simulations step by step in Python
#include "ext.h"

typedef struct Simulation {
    PyObject_HEAD PyObject *owner; // the model, which must outlive it
    Talk *talk;                    // of the model
    CdSimulation *sim;
    bool busy;
} Simulation;

static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"model", "method", NULL};
    PyObject *owner;
    const char *method;
    PyObject *module = PyType_GetModule(type);
    if (!module) return NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!s", names, ext_state(module)->model, &owner,
                                     &method)) {
        return NULL;
    }
    Talk *talk;
    CdModel *model = ext_model(owner, &talk);
    if (!model) return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Simulation *s = (Simulation *)alloc(type, 0);
    if (!s) return NULL;
    s->talk = talk;
    Py_INCREF(owner);
    s->owner = owner;
    const CdStatus status = cd_simulation_new(model, method, &s->sim);
    if (status == CD_OK) return (PyObject *)s;
    ext_raise(talk, status);
    Py_DECREF(s);
    return NULL;
}

static void destroy(PyObject *self) {
    Simulation *s = (Simulation *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    cd_simulation_free(s->sim);
    Py_XDECREF(s->owner);
    release(self);
    Py_DECREF(type);
}

static bool usable(Simulation *s) {
    Talk *talk;
    if (!ext_model(s->owner, &talk)) return false;
    if (!s->busy) return true;
    ext_raise(talk, cdi_fail(talk->ctx, CD_INVALID, "the simulation is in use by another thread"));
    return false;
}

static PyObject *answer(Simulation *s, CdStatus status) {
    if (status != CD_OK) return ext_raise(s->talk, status);
    Py_RETURN_NONE;
}

static PyObject *start(PyObject *self, PyObject *unused) {
    Simulation *s = (Simulation *)self;
    (void)unused;
    return usable(s) ? answer(s, cd_simulation_start(s->sim)) : NULL;
}

// one step, or as many as it takes to get to a time
static PyObject *step(PyObject *self, PyObject *args) {
    Simulation *s = (Simulation *)self;
    double limit;
    int all = 0;
    int64_t last = 0;
    if (!PyArg_ParseTuple(args, "d|p", &limit, &all) || !usable(s)) return NULL;
    CdStatus status;
    bool stop = false;
    s->busy = true;
    Py_BEGIN_ALLOW_THREADS;
    do {
        status = cd_simulation_step(s->sim, limit);
        stop = ext_interrupted(&last);
    } while (all && status == CD_OK && !stop && cd_simulation_time(s->sim) < limit);
    s->busy = false;
    Py_END_ALLOW_THREADS;
    return stop ? NULL : answer(s, status);
}

static PyObject *get_time(PyObject *self, void *unused) {
    (void)unused;
    return PyFloat_FromDouble(cd_simulation_time(((Simulation *)self)->sim));
}

static PyObject *get(PyObject *self, PyObject *name) {
    Simulation *s = (Simulation *)self;
    double value;
    const char *channel = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!channel || !usable(s)) return NULL;
    const CdStatus status = cd_simulation_get(s->sim, channel, &value);
    return status == CD_OK ? PyFloat_FromDouble(value) : ext_raise(s->talk, status);
}

static PyObject *set(PyObject *self, PyObject *args) {
    Simulation *s = (Simulation *)self;
    const char *name;
    double value;
    if (!PyArg_ParseTuple(args, "sd", &name, &value) || !usable(s)) return NULL;
    return answer(s, cd_simulation_set(s->sim, name, value));
}

static PyObject *channels(PyObject *self, PyObject *unused) {
    Simulation *s = (Simulation *)self;
    PyObject *list = PyList_New(0);
    (void)unused;
    for (int k = 0; list && k < cd_simulation_channels(s->sim); k++) {
        const char *unit, *name = cd_simulation_channel(s->sim, k, &unit);
        PyObject *one = Py_BuildValue("(ss)", name, unit);
        if (!one || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *save(PyObject *self, PyObject *unused) {
    Simulation *s = (Simulation *)self;
    (void)unused;
    if (!usable(s)) return NULL;
    const size_t n = cd_simulation_save_size(s->sim);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)n);
    if (!bytes) return NULL;
    const CdStatus status = cd_simulation_save(s->sim, PyBytes_AsString(bytes), n);
    if (status == CD_OK) return bytes;
    Py_DECREF(bytes);
    return ext_raise(s->talk, status);
}

static PyObject *load(PyObject *self, PyObject *bytes) {
    Simulation *s = (Simulation *)self;
    char *from;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(bytes, &from, &n) != 0 || !usable(s)) return NULL;
    return answer(s, cd_simulation_load(s->sim, from, (size_t)n));
}

static PyMethodDef methods[] = {
    {"start", start, METH_NOARGS, "start(): to the start values, made consistent"},
    {"step", step, METH_VARARGS, "step(limit, all=False): one step, or all to the limit"},
    {"get", get, METH_O, "get(channel)"},
    {"set", set, METH_VARARGS, "set(name, value): a parameter or an input"},
    {"channels", channels, METH_NOARGS, "channels(): (name, unit) of all"},
    {"save", save, METH_NOARGS, "save(): the state as bytes"},
    {"load", load, METH_O, "load(bytes)"},
    {0}};

static PyGetSetDef members[] = {{"time", get_time, NULL, "of the last accepted step", NULL}, {0}};

static PyType_Slot slots[] = {{Py_tp_doc, "A simulation of a model, step by step"},
                              {Py_tp_new, make},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {0, NULL}};

PyType_Spec ext_simulation_spec = {.name = "cardan._cardan.Simulation",
                                   .basicsize = sizeof(Simulation),
                                   .flags = Py_TPFLAGS_DEFAULT,
                                   .slots = slots};
