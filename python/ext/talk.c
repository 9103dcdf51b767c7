// talk.c - messages of the library become exceptions and log records
#include "base/clock.h"
#include "ext.h"

#define MESSAGE_MAX 4096
// between two looks for Ctrl-C
#define INTERRUPT_NS 50000000

static const char *const levels[] = {"error", "warning", "info", "debug"};

static bool put(PyObject *dict, const char *key, const char *text) {
    if (!text) return true;
    PyObject *value = PyUnicode_FromString(text);
    const bool ok = value && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return ok;
}

static PyObject *describe(const CdMessage *m) {
    char whole[MESSAGE_MAX];
    PyObject *dict = PyDict_New();
    cd_message_format(m, whole, sizeof whole);
    const struct {
        const char *key, *text;
    } texts[] = {{"level", levels[m->level]},
                 {"code", cd_status_name(m->status)},
                 {"file", m->place.file},
                 {"item_class", m->place.item_class},
                 {"item", m->place.item_name},
                 {"field", m->place.field},
                 {"text", m->text},
                 {"whole", whole}};
    bool ok = dict != NULL;
    for (size_t i = 0; ok && i < sizeof texts / sizeof *texts; i++) {
        ok = put(dict, texts[i].key, texts[i].text);
    }
    if (ok) return dict;
    Py_XDECREF(dict);
    return NULL;
}

// runs of one model in several threads have one list: each message knows its thread
static PyObject *with_thread(PyObject *message) {
    PyObject *pair = message ? Py_BuildValue("(kO)", PyThread_get_thread_ident(), message) : NULL;
    Py_XDECREF(message);
    return pair;
}

// messages of this thread, or all if it has none, leave the list; NULL with an exception
PyObject *ext_said(Talk *talk) {
    const unsigned long me = PyThread_get_thread_ident();
    const Py_ssize_t n = PyList_Size(talk->errors);
    PyObject *mine = PyList_New(0), *others = PyList_New(0), *all = PyList_New(0);
    bool ok = mine && others && all;
    for (Py_ssize_t i = 0; ok && i < n; i++) {
        PyObject *pair = PyList_GetItem(talk->errors, i), *message = PyTuple_GetItem(pair, 1);
        const bool is_mine = PyLong_AsUnsignedLong(PyTuple_GetItem(pair, 0)) == me;
        ok = PyList_Append(all, message) == 0 &&
             PyList_Append(is_mine ? mine : others, is_mine ? message : pair) == 0;
    }
    PyObject *said = ok && PyList_Size(mine) > 0 ? mine : all;
    if (ok && said == all) ok = PyList_SetSlice(others, 0, PyList_Size(others), NULL) == 0;
    Py_XINCREF(said);
    if (ok) {
        Py_DECREF(talk->errors);
        talk->errors = others;
        others = NULL;
    } else {
        Py_CLEAR(said);
    }
    Py_XDECREF(mine);
    Py_XDECREF(others);
    Py_XDECREF(all);
    return said;
}

void ext_forget(Talk *talk, bool all) {
    const unsigned long me = PyThread_get_thread_ident();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    for (Py_ssize_t i = PyList_Size(talk->errors); i-- > 0;) {
        PyObject *pair = PyList_GetItem(talk->errors, i);
        if (!all && PyLong_AsUnsignedLong(PyTuple_GetItem(pair, 0)) != me) continue;
        (void)PyList_SetSlice(talk->errors, i, i + 1, NULL);
    }
    PyErr_Clear();
    PyErr_Restore(type, value, trace);
}

// cardan._talk holds the exception and the logger
static PyObject *call_talk(const char *name, PyObject *a, PyObject *b) {
    PyObject *module = PyImport_ImportModule("cardan._talk");
    PyObject *function = module ? PyObject_GetAttrString(module, name) : NULL;
    PyObject *result = function ? PyObject_CallFunctionObjArgs(function, a, b, NULL) : NULL;
    Py_XDECREF(function);
    Py_XDECREF(module);
    return result;
}

static void tell(void *user, const CdMessage *m) {
    Talk *talk = user;
    if (m->level == CD_DEBUG) return;
    const ExtGil gil = ext_enter();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *message = describe(m);
    if (message && m->level == CD_ERROR) {
        message = with_thread(message);
        if (message) (void)PyList_Append(talk->errors, message);
    } else if (message) {
        Py_XDECREF(call_talk("log", message, NULL));
    }
    Py_XDECREF(message);
    if (PyErr_Occurred()) PyErr_WriteUnraisable(NULL);
    PyErr_Restore(type, value, trace);
    ext_leave(gil);
}

bool ext_talk_open(Talk *talk) {
    talk->ctx = cd_context_new(NULL);
    talk->errors = PyList_New(0);
    if (talk->ctx && talk->errors) {
        cd_context_set_sink(talk->ctx, tell, talk);
        return true;
    }
    if (!PyErr_Occurred()) PyErr_NoMemory();
    return false;
}

void ext_talk_close(Talk *talk) {
    cd_context_free(talk->ctx);
    Py_CLEAR(talk->errors);
    talk->ctx = NULL;
}

PyObject *ext_raise(Talk *talk, CdStatus status) {
    if (PyErr_Occurred()) {
        ext_forget(talk, false);
        return NULL;
    }
    if (status == CD_NOMEM) return PyErr_NoMemory();
    PyObject *said = ext_said(talk);
    PyObject *name = said ? PyUnicode_FromString(cd_status_name(status)) : NULL;
    PyObject *error = name ? call_talk("error", name, said) : NULL;
    if (error) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    Py_XDECREF(name);
    Py_XDECREF(said);
    return NULL;
}

void ext_keep_partial(PyObject *result) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (result && value) (void)PyObject_SetAttrString(value, "partial", result);
    Py_XDECREF(result);
    PyErr_Clear(); // not every exception takes it
    PyErr_Restore(type, value, trace);
}

bool ext_interrupted(Watch *w) {
    const int64_t now = cdi_clock_ns();
    if (w->stop || now - w->last_ns < INTERRUPT_NS) return w->stop;
    w->last_ns = now;
    const ExtGil gil = ext_enter();
    w->stop = PyErr_CheckSignals() != 0;
    ext_leave(gil);
    return w->stop;
}
