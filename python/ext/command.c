// command.c - the command line inside of Python: `python -m cardan` is cardan
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdlib.h>

#include "cli.h"
#include "ext.h"

const bool cli_linked_static = false;

static void free_words(char **words, Py_ssize_t n) {
    for (Py_ssize_t i = 0; i < n; i++) free(words[i]);
    free(words);
}

static char *copy_word(PyObject *list, Py_ssize_t i) {
    PyObject *item = PySequence_GetItem(list, i), *bytes = NULL;
    char *word = NULL;
    if (item && PyUnicode_FSConverter(item, &bytes)) {
        const Py_ssize_t n = PyBytes_Size(bytes);
        word = malloc((size_t)n + 1);
        for (Py_ssize_t k = 0; word && k <= n; k++) word[k] = PyBytes_AsString(bytes)[k];
    }
    Py_XDECREF(bytes);
    Py_XDECREF(item);
    return word;
}

static char **take_words(PyObject *list, Py_ssize_t *n) {
    *n = PySequence_Size(list);
    if (*n < 0) return NULL;
    char **words = calloc((size_t)*n + 1, sizeof *words);
    if (!words) PyErr_NoMemory();
    for (Py_ssize_t i = 0; words && i < *n; i++) {
        words[i] = copy_word(list, i);
        if (words[i]) continue;
        free_words(words, *n);
        if (!PyErr_Occurred()) PyErr_NoMemory();
        return NULL;
    }
    return words;
}

// verbs have handlers of their own; afterwards those of Python are in force again
static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
#define NHANDLED (sizeof handled / sizeof *handled)

static PyObject *command(PyObject *module, PyObject *list) {
    Py_ssize_t n;
    (void)module;
    char **words = take_words(list, &n);
    if (!words) return NULL;
    int code;
    Py_BEGIN_ALLOW_THREADS;
    code = cli_main((int)n, words);
    Py_END_ALLOW_THREADS;
    free_words(words, n);
    return PyLong_FromLong(code);
}

// the answer of a verb as JSON text
static PyObject *ask(PyObject *module, PyObject *list) {
    struct sigaction old[NHANDLED];
    Py_ssize_t n;
    CdText answer;
    PyObject *result = NULL;
    (void)module;
    char **words = take_words(list, &n);
    CdContext *ctx = words && n > 1 ? cd_context_new(NULL) : NULL;
    if (ctx) {
        cdi_text_init(&answer, ctx);
        for (size_t i = 0; i < NHANDLED; i++) sigaction(handled[i], NULL, &old[i]);
        Py_BEGIN_ALLOW_THREADS;
        (void)cli_ask(ctx, (int)n, words, &answer);
        Py_END_ALLOW_THREADS;
        for (size_t i = 0; i < NHANDLED; i++) sigaction(handled[i], &old[i], NULL);
        result = answer.n > 0 ? PyUnicode_FromString(answer.v) : PyErr_NoMemory();
        cdi_text_free(&answer);
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "ask takes the name of the program, a verb and words");
    }
    cd_context_free(ctx);
    if (words) free_words(words, n);
    return result;
}

// ---- what verbs take

static void write_arg(CdJsonWriter *w, const CliArg *a) {
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "name", a->name);
    cdi_json_key_text(w, "doc", a->doc);
    cdi_json_key_bool(w, "optional", a->optional);
    cdi_json_key_bool(w, "many", a->many);
    cdi_json_end_object(w);
}

// what it writes, and the option that says where
static void write_output(CdJsonWriter *w, const CliVerb *v) {
    if (!v->output) {
        cdi_json_null(w);
        return;
    }
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "name", cli_output.fields[0].name);
    cdi_json_key_text(w, "doc", v->output);
    cdi_json_end_object(w);
}

static void write_verb(CdJsonWriter *w, const CliVerb *v) {
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "name", v->name);
    cdi_json_key_text(w, "doc", v->doc);
    cdi_json_key(w, "output");
    write_output(w, v);
    cdi_json_key(w, "args");
    cdi_json_begin_array(w, false);
    for (const CliArg *a = v->args; a && a->name; a++) write_arg(w, a);
    cdi_json_end_array(w);
    cdi_json_key(w, "tables");
    cdi_json_begin_array(w, false);
    if (v->options) cdi_desc_introspect(v->options, w);
    if (v->overrides) cdi_desc_introspect(v->overrides, w);
    cdi_json_end_array(w);
    cdi_json_end_object(w);
}

static void write_verbs(CdJsonWriter *w) {
    cdi_json_begin_array(w, false);
    for (const CliVerb *const *v = cli_verbs; *v; v++) write_verb(w, *v);
    cdi_json_end_array(w);
}

static PyObject *verbs(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return ext_written(write_verbs);
}

PyMethodDef ext_command_methods[] = {
    {"command", command, METH_O, "command(words): the command line; returns its exit code"},
    {"ask", ask, METH_O, "ask(words): the same with --json; returns the answer"},
    {"verbs", verbs, METH_NOARGS, "verbs(): name, doc, arguments and options of each"},
    {0}};
