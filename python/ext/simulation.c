// simulation.c - simulations step by step in Python
#include "ext.h"
#include "simulate/simulate.h"

typedef struct Simulation {
    PyObject_HEAD Model *owner; // which must outlive it
    PyObject *table_type;
    CdSimulation *sim;
    bool busy;
} Simulation;

// without the interpreter: functions of Python may be called by other threads meanwhile
#define WORK(s, status, call)                           \
    do {                                                \
        const bool outer_ = ext_work_begin((s)->owner); \
        (s)->busy = true;                               \
        Py_BEGIN_ALLOW_THREADS;                         \
        (status) = (call);                              \
        Py_END_ALLOW_THREADS;                           \
        (s)->busy = false;                              \
        ext_work_end((s)->owner, outer_, (status));     \
    } while (0)

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
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Simulation *s = (Simulation *)alloc(type, 0);
    if (!s) return NULL;
    Py_INCREF(owner);
    s->owner = (Model *)owner;
    s->table_type = ext_state(module)->table;
    Py_INCREF(s->table_type);
    CdStatus status = cdi_model_resolve(s->owner->model);
    if (status == CD_OK) WORK(s, status, cd_simulation_new(s->owner->model, method, &s->sim));
    if (status == CD_OK && !PyErr_Occurred()) return (PyObject *)s;
    ext_raise(&s->owner->talk, status);
    Py_DECREF(s);
    return NULL;
}

// cycles go through the functions of the model, which are cleared there
static int traverse(PyObject *self, visitproc visit, void *arg) {
    Simulation *s = (Simulation *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(s->owner);
    return 0;
}

static void destroy(PyObject *self) {
    Simulation *s = (Simulation *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_GC_UnTrack(self);
    cd_simulation_free(s->sim);
    Py_XDECREF((PyObject *)s->owner);
    Py_XDECREF(s->table_type);
    release(self);
    Py_DECREF(type);
}

static bool usable(Simulation *s) {
    CdContext *ctx = s->owner->talk.ctx;
    if (!s->busy) return true;
    ext_raise(&s->owner->talk,
              cdi_fail(ctx, CD_INVALID, "the simulation is in use by another thread"));
    return false;
}

// None, or what went wrong; Ctrl-C and what functions raised come first
static PyObject *answer(Simulation *s, CdStatus status) {
    if (PyErr_Occurred()) return NULL;
    if (status != CD_OK) return ext_raise(&s->owner->talk, status);
    Py_RETURN_NONE;
}

// with other parameters; if one is refused, with those that were in force
static CdStatus start_with(CdSimulation *sim, const CdSetting *settings, int n) {
    CdStatus status = CD_OK;
    cdi_simulation_stop(sim);
    for (int i = 0; status == CD_OK && i < n; i++) {
        status = cd_simulation_set(sim, settings[i].name, settings[i].value.number);
    }
    const CdStatus started = cd_simulation_start(sim);
    return status != CD_OK ? status : started;
}

static bool are_numbers(const CdSetting *settings, int n) {
    for (int i = 0; i < n; i++) {
        if (settings[i].value.kind == CD_JSON_NUMBER) continue;
        PyErr_Format(PyExc_TypeError, "parameter '%s' of a simulation must be a number",
                     settings[i].name);
        return false;
    }
    return true;
}

static PyObject *start(PyObject *self, PyObject *parameters) {
    Simulation *s = (Simulation *)self;
    CdSetting *settings;
    PyObject *result = NULL;
    int n;
    if (!usable(s) || !ext_settings(&s->owner->talk, parameters, &settings, &n)) return NULL;
    if (are_numbers(settings, n)) {
        CdStatus status;
        WORK(s, status, start_with(s->sim, settings, n));
        result = answer(s, status);
    }
    cdi_free(s->owner->talk.ctx, settings);
    return result;
}

// one step, or as many as it takes to get to a time
static CdStatus steps(const Simulation *s, double limit, bool all) {
    Watch watch = {0};
    CdStatus status;
    if (all && cd_simulation_time(s->sim) == limit) return CD_OK;
    do {
        status = cd_simulation_step(s->sim, limit);
        if (ext_interrupted(&watch) || ext_has_raised(s->owner)) return CD_CANCELLED;
    } while (all && status == CD_OK && cd_simulation_time(s->sim) < limit);
    return status;
}

static PyObject *step(PyObject *self, PyObject *args) {
    Simulation *s = (Simulation *)self;
    double limit;
    int all = 0;
    if (!PyArg_ParseTuple(args, "d|p", &limit, &all) || !usable(s)) return NULL;
    CdStatus status;
    WORK(s, status, steps(s, limit, all));
    return answer(s, status);
}

// ---- rows

typedef struct Rows {
    const Simulation *s;
    Table *table;
    Watch watch;
} Rows;

static CdStatus add_row(void *user, double t, const double *values) {
    return ext_table_add(((Rows *)user)->table, t, values) ? CD_OK : CD_NOMEM;
}

static bool is_cancelled(void *user, double t) {
    Rows *r = user;
    (void)t;
    return ext_has_raised(r->s->owner) || ext_interrupted(&r->watch);
}

// (table, channels); what was computed before a failure is part of the exception
static PyObject *record(PyObject *self, PyObject *args) {
    Simulation *s = (Simulation *)self;
    Rows r = {.s = s};
    double t_end, interval;
    int n;
    if (!PyArg_ParseTuple(args, "dd", &t_end, &interval) || !usable(s)) return NULL;
    const CdChannel *v = cdi_simulation_channels(s->sim, &n);
    PyObject *names = ext_channels(v, n);
    r.table = names ? ext_table_new(s->table_type, 1 + n) : NULL;
    PyObject *done = NULL, *result = NULL;
    if (r.table) {
        const CdRowSink sink = {&r, add_row, is_cancelled};
        CdStatus status;
        WORK(s, status, cdi_simulation_rows(s->sim, t_end, interval, &sink));
        done = answer(s, status);
    }
    if (r.table) {
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        result = Py_BuildValue("(OO)", (PyObject *)r.table, names);
        PyErr_Restore(type, value, trace);
    }
    if (!done) {
        ext_keep_partial(result);
        result = NULL;
    }
    Py_XDECREF(done);
    Py_XDECREF((PyObject *)r.table);
    Py_XDECREF(names);
    return result;
}

static PyObject *get_time(PyObject *self, void *unused) {
    Simulation *s = (Simulation *)self;
    (void)unused;
    return usable(s) ? PyFloat_FromDouble(cd_simulation_time(s->sim)) : NULL;
}

// ---- by name

static PyObject *get(PyObject *self, PyObject *name) {
    Simulation *s = (Simulation *)self;
    double value = 0;
    if (!PyUnicode_Check(name)) {
        return PyErr_Format(PyExc_TypeError, "channels are read by name, a str, not %S",
                            (PyObject *)Py_TYPE(name));
    }
    const char *channel = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!channel || !usable(s)) return NULL;
    CdStatus status;
    WORK(s, status, cd_simulation_get(s->sim, channel, &value));
    PyObject *none = answer(s, status);
    Py_XDECREF(none);
    return none ? PyFloat_FromDouble(value) : NULL;
}

static PyObject *set(PyObject *self, PyObject *args) {
    Simulation *s = (Simulation *)self;
    const char *name;
    double value;
    if (!PyArg_ParseTuple(args, "sd", &name, &value) || !usable(s)) return NULL;
    CdStatus status;
    WORK(s, status, cd_simulation_set(s->sim, name, value));
    return answer(s, status);
}

static PyObject *parameters(PyObject *self, PyObject *unused) {
    Simulation *s = (Simulation *)self;
    const CdParams *known = s->owner->model->params;
    (void)unused;
    PyObject *dict = usable(s) ? PyDict_New() : NULL;
    for (size_t i = 0; dict && known && i < known->n; i++) {
        double x = 0;
        (void)cd_simulation_parameter(s->sim, known->names[i], &x);
        PyObject *value = PyFloat_FromDouble(x);
        if (!value || PyDict_SetItemString(dict, known->names[i], value) != 0) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *channels(PyObject *self, PyObject *unused) {
    Simulation *s = (Simulation *)self;
    int n;
    (void)unused;
    const CdChannel *v = cdi_simulation_channels(s->sim, &n);
    return ext_channels(v, n);
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
    return ext_raise(&s->owner->talk, status);
}

static PyObject *load(PyObject *self, PyObject *bytes) {
    Simulation *s = (Simulation *)self;
    char *from;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(bytes, &from, &n) != 0 || !usable(s)) return NULL;
    CdStatus status;
    WORK(s, status, cd_simulation_load(s->sim, from, (size_t)n));
    return answer(s, status);
}

static PyMethodDef methods[] = {
    {"start", start, METH_O, "start(parameters): to the start values, made consistent"},
    {"step", step, METH_VARARGS, "step(limit, all=False): one step, or all to the limit"},
    {"get", get, METH_O, "get(channel)"},
    {"set", set, METH_VARARGS, "set(name, value): a parameter"},
    {"parameters", parameters, METH_NOARGS, "parameters(): those in force"},
    {"record", record, METH_VARARGS, "record(t_end, interval): (table, channels)"},
    {"channels", channels, METH_NOARGS, "channels(): (name, unit) of all"},
    {"save", save, METH_NOARGS, "save(): the state as bytes"},
    {"load", load, METH_O, "load(bytes)"},
    {0}};

static PyGetSetDef members[] = {{"time", get_time, NULL, "of the last accepted step", NULL}, {0}};

static PyType_Slot slots[] = {{Py_tp_doc, "A simulation of a model, step by step"},
                              {Py_tp_new, make},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_traverse, traverse},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {0, NULL}};

PyType_Spec ext_simulation_spec = {.name = "cardan._cardan.Simulation",
                                   .basicsize = sizeof(Simulation),
                                   .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                                   .slots = slots};
