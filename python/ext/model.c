// model.c - models in Python: items are added with their fields, checked, written, simulated
#include "ext.h"
#include "model/build.h"
#include "system/system.h"

bool ext_usable(Model *m) {
    if (m->busy == 0) return true;
    (void)cdi_fail(m->talk.ctx, CD_INVALID, "the model is in use by another thread");
    ext_raise(&m->talk, CD_INVALID);
    return false;
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
    m->raised = PyDict_New();
    if (m->raised && ext_talk_open(&m->talk)) {
        status = text   ? cdi_model_read_text(m->talk.ctx, text, (size_t)n, path, &m->model)
                 : path ? cdi_model_read_file(m->talk.ctx, path, &m->model)
                        : cdi_model_new(m->talk.ctx, &m->model);
    }
    if (status == CD_OK) return (PyObject *)m;
    if (m->talk.ctx) ext_raise(&m->talk, status);
    Py_DECREF(m);
    return NULL;
}

// functions may hold on to whatever holds the model
static int traverse(PyObject *self, visitproc visit, void *arg) {
    const Model *m = (const Model *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(m->raised);
    return ext_functions_visit(m, visit, arg);
}

static int clear(PyObject *self) {
    Model *m = (Model *)self;
    ext_functions_clear(m);
    if (m->raised) PyDict_Clear(m->raised);
    return 0;
}

static void destroy(PyObject *self) {
    Model *m = (Model *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    Py_CLEAR(m->raised);
    cdi_model_free(m->model);
    ext_functions_free(m);
    ext_talk_close(&m->talk);
    release(self);
    Py_DECREF(type);
}

// ---- items

static CdSource source_of(const CdScope *scope) {
    return (CdSource){.file = scope->file, .params = scope->params, .sensors = true};
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
    const CdSource source = source_of(m->model->scopes.v[0]);
    CdStatus status = ext_set_fields(&m->talk, object, fields, &source);
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
    if (!ext_usable(m)) return NULL;
    const CdStatus status = add_item(m, cls, name, fields);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    Py_RETURN_NONE;
}

// items from a number on: (category, class, name)
static PyObject *list_items(const Model *m, size_t first) {
    PyObject *list = PyList_New(0);
    for (size_t i = first; list && i < m->model->items.n; i++) {
        const CdItem *item = m->model->items.v[i];
        PyObject *one = Py_BuildValue("(sss)", cdi_category_names[item->cls->category],
                                      item->cls->desc.name, cdi_item_name(item));
        if (!one || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

// something is done with a value as JSON
static CdStatus with_json(Model *m, PyObject *value, CdStatus (*use)(CdModel *, const char *)) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, m->talk.ctx);
    cdi_json_writer_init(&w, &text, 0);
    CdStatus status = ext_write_value(&w, value, 0);
    if (status == CD_OK && text.status == CD_NONFINITE) {
        status = cdi_fail(m->talk.ctx, CD_INVALID, "numbers must be finite");
    } else if (status == CD_OK) {
        status = text.status;
    }
    // its methods may have given the model to another thread
    if (status == CD_OK && !ext_usable(m)) status = CD_INVALID;
    if (status == CD_OK) status = use(m->model, text.v);
    cdi_text_free(&text);
    return status;
}

static PyObject *add_json(PyObject *self, PyObject *value) {
    Model *m = (Model *)self;
    const size_t before = m->model->items.n;
    if (!ext_usable(m)) return NULL;
    CdStatus status = CD_INVALID;
    if (PyUnicode_Check(value)) {
        const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
        if (text) status = cd_model_add_json(m->model, text);
    } else {
        status = with_json(m, value, cd_model_add_json);
    }
    return status == CD_OK ? list_items(m, before) : ext_raise(&m->talk, status);
}

static CdItem *find(Model *m, const char *name) {
    CdItem *item = cdi_model_find(m->model, name);
    if (!item) {
        ext_raise(&m->talk, cdi_fail(m->talk.ctx, CD_NOTFOUND, "there is no item '%s'", name));
    }
    return item;
}

static PyObject *set(PyObject *self, PyObject *args) {
    Model *m = (Model *)self;
    const char *name, *field;
    PyObject *value;
    if (!PyArg_ParseTuple(args, "ssO", &name, &field, &value)) return NULL;
    CdItem *item = ext_usable(m) ? find(m, name) : NULL;
    if (!item) return NULL;
    if (m->model->users > 0) {
        return ext_raise(&m->talk, cdi_fail(m->talk.ctx, CD_INVALID,
                                            "a simulation of the model exists; set parameters of "
                                            "the simulation, or delete it"));
    }
    const CdSource source = source_of(item->scope);
    const CdStatus status = ext_set_field(&m->talk, item->object, field, value, &source);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    m->model->resolved = false;
    return PyBool_FromLong(item->scope != m->model->scopes.v[0]);
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

// fields that follow from others, if these are complete; what is missing is told later
static bool complete(Model *m, const CdItem *item) {
    const CdSource source = source_of(item->scope);
    if (m->busy > 0 || cdi_object_data(item->object)) return true;
    if (cdi_object_check(item->object, &source) == CD_OK) return true;
    PyObject *said = ext_said(&m->talk);
    Py_XDECREF(said);
    return said != NULL;
}

static PyObject *get(PyObject *self, PyObject *args) {
    Model *m = (Model *)self;
    const char *name, *field;
    if (!PyArg_ParseTuple(args, "ss", &name, &field)) return NULL;
    const CdItem *item = find(m, name);
    if (!item || !complete(m, item)) return NULL;
    CdText text;
    cdi_text_init(&text, m->talk.ctx);
    return text_result(m, &text, cdi_object_get(item->object, field, &text));
}

static PyObject *items(PyObject *self, PyObject *unused) {
    Model *m = (Model *)self;
    (void)unused;
    return list_items(m, 0);
}

// (item, body) where a joint or connector holds on to a body without a marker of its own, also to
// the ground if no body was given
static PyObject *links(PyObject *self, PyObject *unused) {
    Model *m = (Model *)self;
    (void)unused;
    const CdStatus status = cdi_model_resolve(m->model);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < 2 * m->model->items.n; i++) {
        const CdItem *item = m->model->items.v[i / 2];
        if (item->marker[1] < 0) continue;
        const CdMarker *marker = &m->model->markers.v[item->marker[i % 2]];
        if (marker->item) continue;
        PyObject *one = Py_BuildValue("(ss)", cdi_item_name(item),
                                      cdi_item_name(m->model->of[CD_BODY].v[marker->body]));
        if (!one || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

// numbers of coordinates, velocities and constraints; the rest is thrown away again
static PyObject *assemble(PyObject *self, PyObject *unused) {
    Model *m = (Model *)self;
    CdSystem *system = NULL;
    CdSystemWork *work = NULL;
    PyObject *sizes = NULL;
    (void)unused;
    if (!ext_usable(m)) return NULL;
    CdStatus status = cdi_model_resolve(m->model);
    if (status == CD_OK) status = cdi_system_new(m->model, &system);
    if (status == CD_OK) status = cdi_system_work_new(system, NULL, &work);
    if (status == CD_OK) sizes = Py_BuildValue("(iii)", system->nq, system->nv, system->ng);
    if (status != CD_OK) ext_raise(&m->talk, status);
    cdi_system_work_free(work);
    cdi_system_free(system);
    return sizes;
}

// ---- parameters

static PyObject *parameters(PyObject *self, PyObject *unused) {
    Model *m = (Model *)self;
    (void)unused;
    return ext_parameters(m->model->params);
}

static PyObject *set_parameters(PyObject *self, PyObject *dict) {
    Model *m = (Model *)self;
    CdSetting *settings;
    int n;
    if (!ext_usable(m)) return NULL;
    if (m->model->users > 0) {
        return ext_raise(&m->talk, cdi_fail(m->talk.ctx, CD_INVALID,
                                            "a simulation of the model exists; set parameters of "
                                            "the simulation, or delete it"));
    }
    if (!ext_settings(&m->talk, dict, &settings, &n)) return NULL;
    const CdStatus status = cdi_model_set(m->model, settings, n, true);
    cdi_free(m->talk.ctx, settings);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    Py_RETURN_NONE;
}

static PyObject *set_runs(PyObject *self, PyObject *list) {
    Model *m = (Model *)self;
    const CdStatus status = with_json(m, list, cdi_model_set_runs);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    Py_RETURN_NONE;
}

// ---- the whole

static PyObject *write_model(PyObject *self, PyObject *args) {
    Model *m = (Model *)self;
    int numbers = 0;
    CdText text;
    CdJsonWriter w;
    if (!PyArg_ParseTuple(args, "|p", &numbers)) return NULL;
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

static PyObject *file_name(PyObject *self, PyObject *unused) {
    (void)unused;
    return Py_BuildValue("z", ((Model *)self)->model->file);
}

static PyMethodDef model_methods[] = {
    {"file", file_name, METH_NOARGS, "file(): that it was read from, or None"},
    {"add", add, METH_VARARGS, "add(class, name, fields): an item"},
    {"add_json", add_json, METH_O,
     "add_json(value): as it stands in a model file; items that came"},
    {"set_runs", set_runs, METH_O, "set_runs(list): those of the model file"},
    {"set", set, METH_VARARGS, "set(name, field, value): is the item that of another file?"},
    {"get", get, METH_VARARGS, "get(name, field): in SI units"},
    {"define", ext_define, METH_VARARGS, "define(name, function, nargs): for expressions to call"},
    {"items", items, METH_NOARGS, "items(): (category, class, name) of all"},
    {"links", links, METH_NOARGS, "links(): (item, body) of pairs without markers"},
    {"write", write_model, METH_VARARGS, "write(numbers=False): the model as JSON text"},
    {"assemble", assemble, METH_NOARGS, "assemble(): (coordinates, velocities, constraints)"},
    {"check", ext_check, METH_NOARGS, "check(): freedom and findings"},
    {"methods", ext_methods, METH_NOARGS, "methods(): (integrator, form, fits, why)"},
    {"simulate", (PyCFunction)(void (*)(void))ext_simulate,
     METH_METHOD | METH_FASTCALL | METH_KEYWORDS,
     "simulate(options, parameters): (table, channels, summary, about)"},
    {"parameters", parameters, METH_NOARGS, "parameters(): their values in SI"},
    {"set_parameters", set_parameters, METH_O, "set_parameters(dict): new ones too"},
    {0}};

static PyType_Slot slots[] = {{Py_tp_doc, "A model: named items"},
                              {Py_tp_new, make},
                              {Py_tp_dealloc, destroy},
                              {Py_tp_traverse, traverse},
                              {Py_tp_clear, clear},
                              {Py_tp_methods, model_methods},
                              {0, NULL}};

PyType_Spec ext_model_spec = {.name = "cardan._cardan.Model",
                              .basicsize = sizeof(Model),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                              .slots = slots};
