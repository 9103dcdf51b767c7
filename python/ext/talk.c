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
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *message = describe(m);
    if (message && m->level == CD_ERROR) {
        (void)PyList_Append(talk->errors, message);
    } else if (message) {
        Py_XDECREF(call_talk("log", message, NULL));
    }
    Py_XDECREF(message);
    if (PyErr_Occurred()) PyErr_WriteUnraisable(NULL);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(gil);
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
    PyObject *said = talk->errors;
    if (PyErr_Occurred()) return NULL;
    if (status == CD_NOMEM) return PyErr_NoMemory();
    talk->errors = PyList_New(0);
    if (!talk->errors) {
        talk->errors = said;
        return NULL;
    }
    PyObject *name = PyUnicode_FromString(cd_status_name(status));
    PyObject *error = name ? call_talk("error", name, said) : NULL;
    if (error) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    Py_XDECREF(name);
    Py_DECREF(said);
    return NULL;
}

bool ext_interrupted(int64_t *last_ns) {
    const int64_t now = cdi_clock_ns();
    if (now - *last_ns < INTERRUPT_NS) return false;
    *last_ns = now;
    const PyGILState_STATE gil = PyGILState_Ensure();
    const bool stop = PyErr_CheckSignals() != 0;
    PyGILState_Release(gil);
    return stop;
}
