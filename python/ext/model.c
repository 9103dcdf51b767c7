// model.c - models in Python: items are added with their fields, checked, written, simulated
#include <math.h>
#include <string.h>

#include "ext.h"
#include "model/build.h"
#include "simulate/check.h"
#include "simulate/simulate.h"

typedef struct Model {
    PyObject_HEAD Talk talk;
    CdModel *model;
    PyObject *functions; // list of those that expressions call
    bool busy;           // a call that does not hold the interpreter works on it
} Model;

static bool usable(Model *m) {
    if (!m->busy) return true;
    (void)cdi_fail(m->talk.ctx, CD_INVALID, "the model is in use by another thread");
    ext_raise(&m->talk, CD_INVALID);
    return false;
}

CdModel *ext_model(PyObject *object, Talk **talk) {
    Model *m = (Model *)object;
    *talk = &m->talk;
    return usable(m) ? m->model : NULL;
}

// ---- life

static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"path", "text", NULL};
    const char *path = NULL, *text = NULL;
    Py_ssize_t n = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|zz#", names, &path, &text, &n)) return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Model *m = (Model *)alloc(type, 0);
    if (!m) return NULL;
    CdStatus status = CD_NOMEM;
    if (ext_talk_open(&m->talk)) {
        status = path   ? cdi_model_read_file(m->talk.ctx, path, &m->model)
                 : text ? cdi_model_read_text(m->talk.ctx, text, (size_t)n, NULL, &m->model)
                        : cdi_model_new(m->talk.ctx, &m->model);
    }
    if (status == CD_OK) return (PyObject *)m;
    if (m->talk.ctx) ext_raise(&m->talk, status);
    Py_DECREF(m);
    return NULL;
}

static void destroy(PyObject *self) {
    Model *m = (Model *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    cdi_model_free(m->model);
    ext_talk_close(&m->talk);
    Py_CLEAR(m->functions);
    release(self);
    Py_DECREF(type);
}

// ---- items

static CdSource source_of(const Model *m) {
    const CdScope *scope = m->model->scopes.v[0];
    return (CdSource){.file = scope->file, .params = scope->params, .sensors = true};
}

// all fields that are wrong are told
static CdStatus set_all(Model *m, CdObject *object, PyObject *fields) {
    const CdSource source = source_of(m);
    CdStatus status = CD_OK;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(fields, &at, &key, &value)) {
        const char *field = PyUnicode_AsUTF8AndSize(key, NULL);
        if (!field) return CD_INVALID;
        const CdStatus one = ext_set_field(&m->talk, object, field, value, &source);
        if (one != CD_OK) status = one;
        if (PyErr_Occurred()) return CD_INVALID;
    }
    return status;
}

static CdStatus add_item(Model *m, const char *class_name, const char *name, PyObject *fields) {
    const CdItemClass *cls;
    CdObject *object;
    if (m->model->users > 0) {
        return cdi_fail(m->talk.ctx, CD_INVALID,
                        "a simulation of the model exists; make a new model or delete it");
    }
    CD_TRY(cdi_model_class(m->talk.ctx, NULL, class_name, &cls));
    CD_TRY(cdi_object_new(m->talk.ctx, &cls->desc, name, &object));
    CdStatus status = set_all(m, object, fields);
    if (status == CD_OK) {
        status = cdi_model_put(m->model, cls, object, m->model->scopes.v[0], NULL);
    }
    if (status != CD_OK) cdi_object_free(object);
    return status;
}

static PyObject *add(PyObject *self, PyObject *args) {
    Model *m = (Model *)self;
    const char *cls, *name;
    PyObject *fields;
    if (!PyArg_ParseTuple(args, "ssO!", &cls, &name, &PyDict_Type, &fields)) return NULL;
    if (!usable(m)) return NULL;
    const CdStatus status = add_item(m, cls, name, fields);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    Py_RETURN_NONE;
}

static PyObject *add_json(PyObject *self, PyObject *arg) {
    Model *m = (Model *)self;
    const char *text = PyUnicode_AsUTF8AndSize(arg, NULL);
    if (!text || !usable(m)) return NULL;
    const CdStatus status = cd_model_add_json(m->model, text);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    Py_RETURN_NONE;
}

static CdItem *find(Model *m, const char *name) {
    CdItem *item = usable(m) ? cdi_model_find(m->model, name) : NULL;
    if (!item && !PyErr_Occurred()) {
        ext_raise(&m->talk, cdi_fail(m->talk.ctx, CD_NOTFOUND, "there is no item '%s'", name));
    }
    return item;
}

static PyObject *set(PyObject *self, PyObject *args) {
    Model *m = (Model *)self;
    const char *name, *field;
    PyObject *value;
    if (!PyArg_ParseTuple(args, "ssO", &name, &field, &value)) return NULL;
    CdItem *item = find(m, name);
    if (!item) return NULL;
    if (m->model->users > 0) {
        return ext_raise(&m->talk, cdi_fail(m->talk.ctx, CD_INVALID,
                                            "a simulation of the model exists; set parameters of "
                                            "the simulation, or delete it"));
    }
    const CdSource source = source_of(m);
    const CdStatus status = ext_set_field(&m->talk, item->object, field, value, &source);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    m->model->resolved = false;
    Py_RETURN_NONE;
}

static PyObject *text_result(Model *m, CdText *text, CdStatus status) {
    PyObject *result = NULL;
    if (status == CD_OK) status = text->status;
    if (status == CD_OK) {
        result = ext_load(text->v);
    } else {
        ext_raise(&m->talk, status);
    }
    cdi_text_free(text);
    return result;
}

static PyObject *get(PyObject *self, PyObject *args) {
    Model *m = (Model *)self;
    const char *name, *field;
    if (!PyArg_ParseTuple(args, "ss", &name, &field)) return NULL;
    const CdItem *item = find(m, name);
    if (!item) return NULL;
    CdText text;
    cdi_text_init(&text, m->talk.ctx);
    return text_result(m, &text, cdi_object_get(item->object, field, &text));
}

static PyObject *items(PyObject *self, PyObject *unused) {
    Model *m = (Model *)self;
    (void)unused;
    if (!usable(m)) return NULL;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < m->model->items.n; i++) {
        const CdItem *item = m->model->items.v[i];
        PyObject *one = Py_BuildValue("(sss)", cdi_category_names[item->cls->category],
                                      item->cls->desc.name, cdi_item_name(item));
        if (!one || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

// ---- functions of Python that expressions call

// from any thread, with or without the interpreter; what goes wrong becomes NaN, and the exception
// is kept for the end of the run if this is the thread that waits for it
static double call_python(void *user, const double *args) {
    PyObject *entry = user; // (function, number of arguments)
    const PyGILState_STATE gil = PyGILState_Ensure();
    double value = NAN;
    const Py_ssize_t n = PyErr_Occurred() ? -1 : PyLong_AsSsize_t(PyTuple_GetItem(entry, 1));
    PyObject *tuple = n >= 0 ? PyTuple_New(n) : NULL;
    for (Py_ssize_t i = 0; tuple && i < n; i++) {
        PyTuple_SetItem(tuple, i, PyFloat_FromDouble(args[i]));
    }
    PyObject *result = tuple ? PyObject_CallObject(PyTuple_GetItem(entry, 0), tuple) : NULL;
    if (result) value = PyFloat_AsDouble(result);
    if (result && PyErr_Occurred()) value = NAN;
    Py_XDECREF(result);
    Py_XDECREF(tuple);
    PyGILState_Release(gil);
    return value;
}

static PyObject *define(PyObject *self, PyObject *args) {
    Model *m = (Model *)self;
    const char *name;
    PyObject *function;
    int nargs;
    if (!PyArg_ParseTuple(args, "sOi", &name, &function, &nargs) || !usable(m)) return NULL;
    if (!m->functions) m->functions = PyList_New(0);
    PyObject *entry = m->functions ? Py_BuildValue("(Oi)", function, nargs) : NULL;
    if (!entry || PyList_Append(m->functions, entry) != 0) {
        Py_XDECREF(entry);
        return NULL;
    }
    Py_DECREF(entry); // the list holds it
    const CdStatus status = cd_context_define(m->talk.ctx, name, nargs, call_python, entry);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    Py_RETURN_NONE;
}

// ---- the whole

static PyObject *write_model(PyObject *self, PyObject *args) {
    Model *m = (Model *)self;
    int numbers = 0;
    CdText text;
    CdJsonWriter w;
    if (!PyArg_ParseTuple(args, "|p", &numbers) || !usable(m)) return NULL;
    CdStatus status = numbers ? cdi_model_resolve(m->model) : CD_OK;
    if (status != CD_OK) return ext_raise(&m->talk, status);
    cdi_text_init(&text, m->talk.ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_model_write(m->model, &w, numbers ? CD_NUMBERS : CD_AS_GIVEN);
    PyObject *result = text.status == CD_OK ? PyUnicode_FromString(text.v) : NULL;
    if (text.status != CD_OK) ext_raise(&m->talk, text.status);
    cdi_text_free(&text);
    return result;
}

static PyObject *check(PyObject *self, PyObject *unused) {
    Model *m = (Model *)self;
    CdCheck *found = NULL;
    CdText text;
    CdJsonWriter w;
    (void)unused;
    if (!usable(m)) return NULL;
    m->busy = true;
    Py_BEGIN_ALLOW_THREADS;
    CdStatus status = cdi_model_resolve(m->model);
    if (status == CD_OK) status = cdi_check(m->model, &found);
    m->busy = false;
    Py_END_ALLOW_THREADS;
    if (!found) return ext_raise(&m->talk, CD_INVALID);
    cdi_text_init(&text, m->talk.ctx);
    cdi_json_writer_init(&w, &text, 0);
    cdi_json_begin_object(&w);
    cdi_check_write(found, &w);
    cdi_json_end_object(&w);
    cdi_check_free(found);
    return text_result(m, &text, CD_OK);
}

// ---- runs

typedef struct Run {
    Model *m;
    PyObject *table_type;
    Table *table;
    PyObject *channels; // list of (name, unit)
    int64_t last_ns;
} Run;

static PyObject *channel_list(const CdRunBegin *c) {
    PyObject *list = PyList_New(0);
    for (int k = 0; list && k < c->n; k++) {
        PyObject *one = Py_BuildValue("(ss)", c->channels[k].name, c->channels[k].unit);
        if (!one || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static CdStatus begin_run(void *user, const CdRunBegin *begin) {
    Run *r = user;
    const PyGILState_STATE gil = PyGILState_Ensure();
    r->channels = channel_list(begin);
    r->table = r->channels ? ext_table_new(r->table_type, 1 + begin->n) : NULL;
    PyGILState_Release(gil);
    return r->table ? CD_OK : CD_NOMEM;
}

static CdStatus add_row(void *user, double t, const double *values) {
    return ext_table_add(((Run *)user)->table, t, values) ? CD_OK : CD_NOMEM;
}

static bool is_cancelled(void *user, double t) {
    Run *r = user;
    (void)t;
    return ext_interrupted(&r->last_ns);
}

// (table, channels, summary); NULL with an exception
static PyObject *run_result(Run *r, const CdRunSummary *summary, CdStatus status) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, r->m->talk.ctx);
    cdi_json_writer_init(&w, &text, 0);
    cdi_json_begin_object(&w);
    cdi_run_summary_write(summary, status, &w);
    cdi_json_end_object(&w);
    PyObject *numbers = text.status == CD_OK ? ext_load(text.v) : PyErr_NoMemory();
    cdi_text_free(&text);
    PyObject *result =
        numbers ? Py_BuildValue("(OOO)", (PyObject *)r->table, r->channels, numbers) : NULL;
    Py_XDECREF(numbers);
    return result;
}

// a failure or Ctrl-C with what was computed until then: the exception gets it as its result
static PyObject *run_failed(Run *r, const CdRunSummary *summary, CdStatus status) {
    PyObject *type, *value, *trace, *result;
    if (!PyErr_Occurred()) ext_raise(&r->m->talk, status); // else Ctrl-C, or from a function
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    result = r->table ? run_result(r, summary, status) : NULL;
    if (result && value) (void)PyObject_SetAttrString(value, "partial", result);
    Py_XDECREF(result);
    PyErr_Clear();
    PyErr_Restore(type, value, trace);
    return NULL;
}

static CdStatus make_options(Model *m, PyObject *fields, CdObject **options) {
    const CdSource source = source_of(m);
    CD_TRY(cdi_object_new(m->talk.ctx, &cd_run, NULL, options));
    CD_TRY(set_all(m, *options, fields));
    return cdi_object_check(*options, &source);
}

static PyObject *simulate(PyObject *self, PyTypeObject *cls, PyObject *const *args, Py_ssize_t n,
                          PyObject *names) {
    Model *m = (Model *)self;
    CdObject *options = NULL;
    CdRunSummary summary;
    PyObject *module = PyType_GetModule(cls);
    Run r = {.m = m};
    if (!module || !usable(m)) return NULL;
    if (n != 1 || names || !PyDict_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "simulate takes one dict of options");
        return NULL;
    }
    r.table_type = ext_state(module)->table;
    CdStatus status = make_options(m, args[0], &options);
    if (status == CD_OK) {
        const CdRunObserver observer = {.user = &r,
                                        .scene = true,
                                        .begin = begin_run,
                                        .row = add_row,
                                        .cancelled = is_cancelled};
        m->busy = true;
        Py_BEGIN_ALLOW_THREADS;
        status = cdi_model_resolve(m->model);
        if (status == CD_OK) {
            status = cdi_simulate_run(m->model, cdi_object_data(options), &observer, &summary);
        }
        m->busy = false;
        Py_END_ALLOW_THREADS;
    }
    cdi_object_free(options);
    PyObject *result =
        status == CD_OK ? run_result(&r, &summary, status) : run_failed(&r, &summary, status);
    Py_XDECREF((PyObject *)r.table);
    Py_XDECREF(r.channels);
    return result;
}

static CdStatus add_fit(void *user, const CdMethodFit *fit) {
    PyObject *one = Py_BuildValue("(ssOs)", fit->integrator, fit->form,
                                  fit->fits ? Py_True : Py_False, fit->why);
    const bool ok = one && PyList_Append(user, one) == 0;
    Py_XDECREF(one);
    return ok ? CD_OK : CD_INVALID;
}

static PyObject *methods(PyObject *self, PyObject *unused) {
    Model *m = (Model *)self;
    PyObject *list = usable(m) ? PyList_New(0) : NULL;
    (void)unused;
    if (!list) return NULL;
    CdStatus status = cdi_model_resolve(m->model);
    if (status == CD_OK) status = cdi_simulate_methods(m->model, list, add_fit);
    if (status == CD_OK) return list;
    Py_DECREF(list);
    return ext_raise(&m->talk, status);
}

static PyMethodDef model_methods[] = {
    {"add", add, METH_VARARGS, "add(class, name, fields): an item"},
    {"add_json", add_json, METH_O, "add_json(text): an item as it stands in a model file"},
    {"set", set, METH_VARARGS, "set(name, field, value)"},
    {"get", get, METH_VARARGS, "get(name, field): in SI units"},
    {"define", define, METH_VARARGS, "define(name, function, nargs): for expressions to call"},
    {"items", items, METH_NOARGS, "items(): (category, class, name) of all"},
    {"write", write_model, METH_VARARGS, "write(numbers=False): the model as JSON text"},
    {"check", check, METH_NOARGS, "check(): freedom and findings"},
    {"methods", methods, METH_NOARGS, "methods(): (integrator, form, fits, why)"},
    {"simulate", (PyCFunction)(void (*)(void))simulate, METH_METHOD | METH_FASTCALL | METH_KEYWORDS,
     "simulate(options): (table, channels, summary)"},
    {0}};

static PyType_Slot slots[] = {{Py_tp_doc, "A model: named items"},
                              {Py_tp_new, make},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_methods, model_methods},
                              {0, NULL}};

PyType_Spec ext_model_spec = {.name = "cardan._cardan.Model",
                              .basicsize = sizeof(Model),
                              .flags = Py_TPFLAGS_DEFAULT,
                              .slots = slots};
