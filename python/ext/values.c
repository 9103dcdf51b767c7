// values.c - Python values into JSON and fields, and JSON back
#include <string.h>

#include "desc/reader.h"
#include "ext.h"

// deeper values are surely circles
#define DEPTH_MAX 32

static CdStatus write_text(CdJsonWriter *w, PyObject *value) {
    const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
    if (!text) return CD_INVALID;
    cdi_json_string(w, text);
    return CD_OK;
}

static CdStatus write_number(CdJsonWriter *w, PyObject *value) {
    const double x = PyFloat_AsDouble(value);
    if (x == -1 && PyErr_Occurred()) return CD_INVALID;
    cdi_json_number(w, x);
    return CD_OK;
}

static CdStatus write_integer(CdJsonWriter *w, PyObject *value) {
    int overflow;
    const long long x = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow != 0) return write_number(w, value);
    if (x == -1 && PyErr_Occurred()) return CD_INVALID;
    cdi_json_integer(w, x);
    return CD_OK;
}

static CdStatus write_dict(CdJsonWriter *w, PyObject *value, int depth) {
    PyObject *key, *member;
    Py_ssize_t at = 0;
    cdi_json_begin_object(w);
    while (PyDict_Next(value, &at, &key, &member)) {
        const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
        if (!name) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "keys of a dict must be str");
            return CD_INVALID;
        }
        cdi_json_key(w, name);
        CD_TRY(ext_write_value(w, member, depth + 1));
    }
    cdi_json_end_object(w);
    return CD_OK;
}

static CdStatus write_sequence(CdJsonWriter *w, PyObject *value, int depth) {
    const Py_ssize_t n = PySequence_Size(value);
    if (n < 0) return CD_INVALID;
    cdi_json_begin_array(w, true);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *one = PySequence_GetItem(value, i);
        if (!one) return CD_INVALID;
        const CdStatus status = ext_write_value(w, one, depth + 1);
        Py_DECREF(one);
        CD_TRY(status);
    }
    cdi_json_end_array(w);
    return CD_OK;
}

// what a method of the value returns, in its place
static CdStatus write_result(CdJsonWriter *w, PyObject *value, const char *method, int depth) {
    PyObject *f = PyObject_GetAttrString(value, method);
    PyObject *result = f ? PyObject_CallNoArgs(f) : NULL;
    Py_XDECREF(f);
    if (!result) return CD_INVALID;
    const CdStatus status = ext_write_value(w, result, depth + 1);
    Py_DECREF(result);
    return status;
}

CdStatus ext_write_value(CdJsonWriter *w, PyObject *value, int depth) {
    if (depth > DEPTH_MAX) {
        PyErr_SetString(PyExc_ValueError, "the value is nested too deeply");
        return CD_INVALID;
    }
    if (value == Py_None) {
        cdi_json_null(w);
        return CD_OK;
    }
    if (PyBool_Check(value)) {
        cdi_json_bool(w, value == Py_True);
        return CD_OK;
    }
    if (PyFloat_Check(value)) return write_number(w, value);
    if (PyLong_Check(value)) return write_integer(w, value);
    if (PyUnicode_Check(value)) return write_text(w, value);
    if (PyDict_Check(value)) return write_dict(w, value, depth);
    if (PyList_Check(value) || PyTuple_Check(value)) return write_sequence(w, value, depth);
    if (PyObject_HasAttrString(value, "__cardan__")) {
        return write_result(w, value, "__cardan__", depth);
    }
    // arrays and their scalars
    if (PyObject_HasAttrString(value, "tolist")) return write_result(w, value, "tolist", depth);
    if (PyObject_HasAttrString(value, "__float__")) return write_number(w, value);
    PyErr_Format(PyExc_TypeError, "a value of type %S cannot be given to a model",
                 (PyObject *)Py_TYPE(value));
    return CD_INVALID;
}

PyObject *ext_load(const char *text) {
    PyObject *module = PyImport_ImportModule("json");
    PyObject *result = module ? PyObject_CallMethod(module, "loads", "s", text) : NULL;
    Py_XDECREF(module);
    return result;
}

static CdStatus set_json(Talk *talk, CdObject *object, const char *field, PyObject *value,
                         const CdSource *source) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, talk->ctx);
    cdi_json_writer_init(&w, &text, 0);
    CdStatus status = ext_write_value(&w, value, 0);
    if (status == CD_OK && text.status == CD_NONFINITE) {
        const CdPlace place = cdi_object_place(object, field);
        status = cdi_fail_at(talk->ctx, CD_INVALID, &place, "must be a finite number");
    } else if (status == CD_OK && text.status != CD_OK) {
        status = text.status;
    }
    if (status == CD_OK) status = cdi_object_set(object, field, text.v, source);
    cdi_text_free(&text);
    return status;
}

CdStatus ext_set_field(Talk *talk, CdObject *object, const char *field, PyObject *value,
                       const CdSource *source) {
    const CdField *row = cdi_desc_field(cdi_object_desc(object), field);
    // the usual cases without a detour
    if (row && !row->list && row->type == CD_TYPE_REAL && PyFloat_Check(value)) {
        return cdi_object_set_real(object, field, PyFloat_AsDouble(value));
    }
    return set_json(talk, object, field, value, source);
}
