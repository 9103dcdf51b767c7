// command.c - the command line inside of Python: `python -m cardan` is cardan
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

static PyObject *command(PyObject *module, PyObject *list) {
    (void)module;
    const Py_ssize_t n = PySequence_Size(list);
    if (n < 0) return NULL;
    char **words = calloc((size_t)n + 1, sizeof *words);
    if (!words) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) {
        words[i] = copy_word(list, i);
        if (words[i]) continue;
        free_words(words, n);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    int code;
    Py_BEGIN_ALLOW_THREADS;
    code = cli_main((int)n, words);
    Py_END_ALLOW_THREADS;
    free_words(words, n);
    return PyLong_FromLong(code);
}

PyMethodDef ext_command_methods[] = {
    {"command", command, METH_O, "command(words): the command line; returns its exit code"}, {0}};
