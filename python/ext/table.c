// table.c - a growing table of numbers that Python sees as a two-dimensional buffer
//
// Rows are added while the interpreter is not held; memory is plain malloc, so that views of a
// result need nothing but the table. A table does not grow any more once it has been seen.
#include <stdlib.h>
#include <string.h>

#include "ext.h"

#define COLUMNS_MAX 1000000000

struct Table {
    PyObject_HEAD Py_ssize_t shape[2], strides[2]; // rows, columns
    Py_ssize_t room;                               // rows
    double *v;
};

Table *ext_table_new(PyObject *type, Py_ssize_t columns) {
    allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
    Table *t = (Table *)alloc((PyTypeObject *)type, 0);
    if (!t) return NULL;
    t->shape[1] = columns;
    t->strides[0] = columns * (Py_ssize_t)sizeof(double);
    t->strides[1] = sizeof(double);
    return t;
}

bool ext_table_add(Table *t, double first, const double *rest) {
    const size_t n = (size_t)t->shape[1];
    if (t->shape[0] == t->room) {
        const Py_ssize_t room = t->room > 0 ? 2 * t->room : 64;
        double *v = realloc(t->v, (size_t)room * n * sizeof *v);
        if (!v) return false;
        t->v = v;
        t->room = room;
    }
    double *row = t->v + (size_t)t->shape[0]++ * n;
    row[0] = first;
    if (n > 1) memcpy(row + 1, rest, (n - 1) * sizeof *row);
    return true;
}

const double *ext_table_numbers(const Table *t, Py_ssize_t *rows, Py_ssize_t *columns) {
    *rows = t->shape[0];
    *columns = t->shape[1];
    return t->v;
}

PyObject *ext_table_of_bytes(PyObject *module, PyObject *args) {
    const char *bytes;
    Py_ssize_t size, columns;
    if (!PyArg_ParseTuple(args, "y#n", &bytes, &size, &columns)) return NULL;
    const Py_ssize_t width = (Py_ssize_t)sizeof(double);
    if (columns < 1 || columns > COLUMNS_MAX || size % (columns * width) != 0) {
        PyErr_SetString(PyExc_ValueError, "the bytes are no whole rows of so many columns");
        return NULL;
    }
    Table *t = ext_table_new(ext_state(module)->table, columns);
    if (!t || size == 0) return (PyObject *)t;
    t->v = malloc((size_t)size);
    if (!t->v) {
        Py_DECREF((PyObject *)t);
        return PyErr_NoMemory();
    }
    memcpy(t->v, bytes, (size_t)size);
    t->shape[0] = t->room = size / (columns * width);
    return (PyObject *)t;
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
    Table *t = (Table *)self;
    static double nothing;
    static char format[] = "d";
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "results cannot be written to; copy them");
        return -1;
    }
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS) {
        PyErr_SetString(PyExc_BufferError, "results are stored by rows");
        return -1;
    }
    *view = (Py_buffer){.buf = t->v ? t->v : &nothing,
                        .obj = self,
                        .len = t->shape[0] * t->strides[0],
                        .itemsize = sizeof(double),
                        .readonly = 1,
                        .ndim = 2,
                        .format = flags & PyBUF_FORMAT ? format : NULL,
                        .shape = flags & PyBUF_ND ? t->shape : NULL,
                        .strides = flags & PyBUF_STRIDES ? t->strides : NULL};
    Py_INCREF(self);
    return 0;
}

static void destroy(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free(((Table *)self)->v);
    release(self);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "Numbers of a result, rows by columns; numpy.asarray(table) is a view of it"},
    {Py_tp_dealloc, destroy},
    {Py_bf_getbuffer, get_buffer},
    {0, NULL}};

PyType_Spec ext_table_spec = {.name = "cardan._cardan.Table",
                              .basicsize = sizeof(Table),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                              .slots = slots};
