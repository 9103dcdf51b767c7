// run.c - runs of a model in Python: what fits it, what is wrong with it, a run with its rows
//
// A resolved model is const, so several runs of it may go on at once, each in a thread of its own;
// meanwhile it cannot be changed.
#include "ext.h"
#include "simulate/check.h"
#include "simulate/record.h"

typedef struct Run {
    Model *m;
    PyObject *table_type;
    Table *table;
    PyObject *channels; // list of (name, unit, not unique)
    int nscene;
    Watch watch;
    CdRunSummary summary;
    // what a log tells of it
    CdText model, options;
    uint64_t hash;
} Run;

PyObject *ext_channels(const CdChannel *v, int n) {
    PyObject *list = PyList_New(0);
    for (int k = 0; list && k < n; k++) {
        PyObject *one =
            Py_BuildValue("(ssO)", v[k].name, v[k].unit, v[k].not_unique ? Py_True : Py_False);
        if (!one || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

// ---- rows

static CdStatus begin_run(void *user, const CdRunBegin *begin) {
    Run *r = user;
    const ExtGil gil = ext_enter();
    r->channels = ext_channels(begin->channels, begin->n);
    r->nscene = begin->nscene;
    r->table = r->channels ? ext_table_new(r->table_type, 1 + begin->n) : NULL;
    ext_leave(gil);
    return r->table ? CD_OK : CD_NOMEM;
}

static CdStatus add_row(void *user, double t, const double *values) {
    return ext_table_add(((Run *)user)->table, t, values) ? CD_OK : CD_NOMEM;
}

// Ctrl-C, or a function of Python that raised
static bool is_cancelled(void *user, double t) {
    Run *r = user;
    (void)t;
    return ext_has_raised(r->m) || ext_interrupted(&r->watch);
}

// ---- what came out

static PyObject *summary_of(Run *r, CdStatus status) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, r->m->talk.ctx);
    cdi_json_writer_init(&w, &text, 0);
    cdi_json_begin_object(&w);
    cdi_run_summary_write(&r->summary, status, &w);
    cdi_json_end_object(&w);
    PyObject *numbers = text.status == CD_OK ? ext_load(text.v) : PyErr_NoMemory();
    cdi_text_free(&text);
    return numbers;
}

static PyObject *about(const Run *r) {
    return Py_BuildValue("{s:s,s:s,s:K,s:s,s:z,s:i}", "model", r->model.v, "run", r->options.v,
                         "hash", (unsigned long long)r->hash, "method", r->summary.method, "file",
                         r->m->model->file, "nscene", r->nscene);
}

// (table, channels, summary, about); NULL with an exception
static PyObject *run_result(Run *r, CdStatus status) {
    PyObject *numbers = summary_of(r, status), *told = numbers ? about(r) : NULL;
    PyObject *result = NULL;
    if (told) {
        result = Py_BuildValue("(OOOO)", (PyObject *)r->table, r->channels, numbers, told);
    }
    Py_XDECREF(told);
    Py_XDECREF(numbers);
    return result;
}

// a failure or Ctrl-C with what was computed until then: the exception gets it as its result
static PyObject *run_failed(Run *r, CdStatus status) {
    PyObject *type, *value, *trace;
    ext_raise(&r->m->talk, status);
    PyErr_Fetch(&type, &value, &trace);
    PyObject *result = r->table ? run_result(r, status) : NULL;
    PyErr_Restore(type, value, trace);
    ext_keep_partial(result);
    return NULL;
}

// ---- the run

CdStatus ext_run_options(Model *m, PyObject *fields, CdObject **options) {
    const CdSource source = {.params = m->model->params};
    CD_TRY(cdi_object_new(m->talk.ctx, &cd_run, NULL, options));
    CD_TRY(ext_set_fields(&m->talk, *options, fields, &source));
    return cdi_object_check(*options, &source);
}

// without the interpreter
static CdStatus run(Run *r, const CdModel *model, const CdObject *options) {
    const CdRunObserver observer = {
        .user = r, .scene = true, .begin = begin_run, .row = add_row, .cancelled = is_cancelled};
    CD_TRY(cdi_record_describe(model, options, &r->model, &r->options, &r->hash));
    return cdi_simulate_run(model, cdi_object_data(options), &observer, &r->summary);
}

// the model itself, or one with other parameters
static CdStatus run_with(Run *r, const CdObject *options, const CdSetting *settings, int n) {
    CdModel *variant = NULL;
    if (n == 0) return run(r, r->m->model, options);
    CD_TRY(cdi_model_vary(r->m->model, settings, n, &variant));
    const CdStatus status = run(r, variant, options);
    cdi_model_free(variant);
    return status;
}

static CdStatus release_and_run(Run *r, const CdObject *options, const CdSetting *settings, int n) {
    CdStatus status;
    const bool outer = ext_work_begin(r->m);
    Py_BEGIN_ALLOW_THREADS;
    status = run_with(r, options, settings, n);
    Py_END_ALLOW_THREADS;
    ext_work_end(r->m, outer, status);
    return status == CD_OK && PyErr_Occurred() ? CD_CANCELLED : status;
}

static PyObject *simulate(Run *r, PyObject *fields, PyObject *parameters) {
    CdContext *ctx = r->m->talk.ctx;
    CdObject *options = NULL;
    CdSetting *settings = NULL;
    int n = 0;
    if (parameters && !ext_settings(&r->m->talk, parameters, &settings, &n)) return NULL;
    cdi_text_init(&r->model, ctx);
    cdi_text_init(&r->options, ctx);
    CdStatus status = ext_run_options(r->m, fields, &options);
    if (status == CD_OK) status = cdi_model_resolve(r->m->model);
    if (status == CD_OK) status = release_and_run(r, options, settings, n);
    PyObject *result = status == CD_OK ? run_result(r, status) : run_failed(r, status);
    cdi_object_free(options);
    cdi_free(ctx, settings);
    cdi_text_free(&r->model);
    cdi_text_free(&r->options);
    Py_XDECREF((PyObject *)r->table);
    Py_XDECREF(r->channels);
    return result;
}

PyObject *ext_simulate(PyObject *self, PyTypeObject *cls, PyObject *const *args, Py_ssize_t n,
                       PyObject *names) {
    PyObject *module = PyType_GetModule(cls);
    Run r = {.m = (Model *)self};
    if (!module) return NULL;
    if (n != 2 || names || !PyDict_Check(args[0]) || !PyDict_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "simulate takes a dict of options and one of parameters");
        return NULL;
    }
    r.table_type = ext_state(module)->table;
    return simulate(&r, args[0], args[1]);
}

// ---- what fits, what is wrong

static CdStatus add_fit(void *user, const CdMethodFit *fit) {
    PyObject *one = Py_BuildValue("(ssOs)", fit->integrator, fit->form,
                                  fit->fits ? Py_True : Py_False, fit->why);
    const bool ok = one && PyList_Append(user, one) == 0;
    Py_XDECREF(one);
    return ok ? CD_OK : CD_INVALID;
}

PyObject *ext_methods(PyObject *self, PyObject *unused) {
    Model *m = (Model *)self;
    PyObject *list = PyList_New(0);
    (void)unused;
    if (!list) return NULL;
    CdStatus status = cdi_model_resolve(m->model);
    if (status == CD_OK) {
        const bool outer = ext_work_begin(m);
        status = cdi_simulate_methods(m->model, list, add_fit);
        ext_work_end(m, outer, status);
    }
    if (status == CD_OK && !PyErr_Occurred()) return list;
    Py_DECREF(list);
    return ext_raise(&m->talk, status);
}

static PyObject *found_of(Model *m, const CdCheck *found) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, m->talk.ctx);
    cdi_json_writer_init(&w, &text, 0);
    cdi_json_begin_object(&w);
    cdi_check_write(found, &w);
    cdi_json_end_object(&w);
    PyObject *result = text.status == CD_OK ? ext_load(text.v) : PyErr_NoMemory();
    cdi_text_free(&text);
    return result;
}

PyObject *ext_check(PyObject *self, PyObject *unused) {
    Model *m = (Model *)self;
    CdCheck *found = NULL;
    (void)unused;
    CdStatus status = cdi_model_resolve(m->model);
    if (status != CD_OK) return ext_raise(&m->talk, status);
    const bool outer = ext_work_begin(m);
    Py_BEGIN_ALLOW_THREADS;
    status = cdi_check(m->model, &found);
    Py_END_ALLOW_THREADS;
    ext_work_end(m, outer, status);
    PyObject *result = status == CD_OK && !PyErr_Occurred() ? found_of(m, found) : NULL;
    cdi_check_free(found);
    return result ? result : ext_raise(&m->talk, status);
}
