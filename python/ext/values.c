// values.c - Python values into JSON and fields, and JSON back
#include <math.h>
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
        // methods of its values may empty the dict
        Py_INCREF(member);
        const CdStatus status = ext_write_value(w, member, depth + 1);
        Py_DECREF(member);
        CD_TRY(status);
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

PyObject *ext_written(void (*write)(CdJsonWriter *w)) {
    Talk talk = {0};
    CdText text;
    CdJsonWriter w;
    PyObject *result = NULL;
    if (ext_talk_open(&talk)) {
        cdi_text_init(&text, talk.ctx);
        cdi_json_writer_init(&w, &text, 0);
        write(&w);
        result = text.status == CD_OK ? ext_load(text.v) : PyErr_NoMemory();
        cdi_text_free(&text);
    }
    ext_talk_close(&talk);
    return result;
}

// "RigidBody 'link': field 'mass': " before what a value of a wrong type is told
static void place_exception(Talk *talk, const CdObject *object, const char *field) {
    PyObject *type, *value, *trace;
    CdText place;
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return;
    PyErr_Fetch(&type, &value, &trace);
    cdi_text_init(&place, talk->ctx);
    const CdPlace at = cdi_object_place(object, field);
    cdi_text_addf(&place, "%s%s%s%s: field '%s'", at.item_class, at.item_name ? " '" : "",
                  at.item_name ? at.item_name : "", at.item_name ? "'" : "", field);
    PyErr_Format(PyExc_TypeError, "%s: %S", place.v ? place.v : field, value);
    cdi_text_free(&place);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

static CdStatus set_json(Talk *talk, CdObject *object, const char *field, PyObject *value,
                         const CdSource *source) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, talk->ctx);
    cdi_json_writer_init(&w, &text, 0);
    CdStatus status = ext_write_value(&w, value, 0);
    if (PyErr_Occurred()) place_exception(talk, object, field);
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

// ---- the usual cases without a detour

// more numbers than this take the detour
#define SHORT_MAX 16

// those whose value is read without a method of Python
static bool is_number(PyObject *value) {
    return PyFloat_Check(value) || PyLong_CheckExact(value);
}

// plain numbers of a list or tuple; -1: something else is in it
static Py_ssize_t short_numbers(PyObject *value, double x[SHORT_MAX]) {
    const bool list = PyList_Check(value);
    if (!list && !PyTuple_Check(value)) return -1;
    const Py_ssize_t n = list ? PyList_Size(value) : PyTuple_Size(value);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *one = list ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i);
        if (i >= SHORT_MAX || !is_number(one)) return -1;
        x[i] = PyFloat_AsDouble(one);
        if (x[i] == -1 && PyErr_Occurred()) {
            PyErr_Clear(); // an integer beyond all numbers
            return -1;
        }
    }
    return n;
}

// three lists or tuples of three plain numbers
static bool short_rows(PyObject *value, double x[9]) {
    const bool list = PyList_Check(value);
    double row[SHORT_MAX];
    if ((list ? PyList_Size(value) : PyTuple_Check(value) ? PyTuple_Size(value) : 0) != 3) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        PyObject *one = list ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i);
        if (short_numbers(one, row) != 3) return false;
        memcpy(x + 3 * i, row, 3 * sizeof *x);
    }
    return true;
}

static bool takes_numbers(const CdField *row) {
    if (row->list) return row->type == CD_TYPE_REAL;
    return row->type == CD_TYPE_VEC3 || row->type == CD_TYPE_QUATERNION;
}

CdStatus ext_set_field(Talk *talk, CdObject *object, const char *field, PyObject *value,
                       const CdSource *source) {
    const CdField *row = cdi_desc_field(cdi_object_desc(object), field);
    double x[SHORT_MAX];
    if (row && !row->list && row->type == CD_TYPE_REAL && PyFloat_Check(value)) {
        return cdi_object_set_real(object, field, PyFloat_AsDouble(value));
    }
    if (row && !row->list && row->type != CD_TYPE_FUNCTION && PyUnicode_Check(value)) {
        const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
        return text ? cdi_object_set_text(object, field, text, source) : CD_INVALID;
    }
    const Py_ssize_t n = row && takes_numbers(row) ? short_numbers(value, x) : -1;
    if (n >= 0) return cdi_object_set_reals(object, field, x, (size_t)n);
    if (row && !row->list && row->type == CD_TYPE_MAT3 && short_rows(value, x)) {
        return cdi_object_set_mat3(object, field, x);
    }
    return set_json(talk, object, field, value, source);
}

CdStatus ext_set_fields(Talk *talk, CdObject *object, PyObject *fields, const CdSource *source) {
    CdStatus status = CD_OK;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(fields, &at, &key, &value)) {
        const char *field = PyUnicode_AsUTF8AndSize(key, NULL);
        if (!field) return CD_INVALID;
        // methods of its values may empty the dict
        Py_INCREF(key);
        Py_INCREF(value);
        const CdStatus one = ext_set_field(talk, object, field, value, source);
        Py_DECREF(value);
        Py_DECREF(key);
        if (one != CD_OK) status = one;
        if (PyErr_Occurred()) return CD_INVALID;
    }
    return status;
}

// ---- parameters

PyObject *ext_parameters(const CdParams *params) {
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && params && i < params->n; i++) {
        PyObject *x = PyFloat_FromDouble(params->values[i]);
        if (!x || PyDict_SetItemString(dict, params->names[i], x) != 0) Py_CLEAR(dict);
        Py_XDECREF(x);
    }
    return dict;
}

static bool take_setting(PyObject *key, PyObject *value, CdSetting *setting) {
    if (!PyUnicode_Check(key)) {
        PyErr_SetString(PyExc_TypeError, "names of parameters must be str");
        return false;
    }
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    if (name && PyUnicode_Check(value)) {
        const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
        if (text) *setting = cdi_setting_text(name, text);
        return text != NULL;
    }
    const double x = name ? PyFloat_AsDouble(value) : 0;
    if (name && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "parameter '%s' must be a number or text, not %S", name,
                     (PyObject *)Py_TYPE(value));
    }
    if (PyErr_Occurred()) return false;
    if (!isfinite(x)) {
        PyErr_Format(PyExc_ValueError, "parameter '%s' must be finite, not %S", name, value);
        return false;
    }
    *setting = cdi_setting_real(name, x);
    return true;
}

bool ext_settings(Talk *talk, PyObject *dict, CdSetting **settings, int *n) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    *settings = NULL;
    *n = 0;
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "parameters are a dict of names and values");
        return false;
    }
    CdSetting *v = cdi_alloc_array(talk->ctx, (size_t)PyDict_Size(dict) + 1, sizeof *v);
    if (!v) PyErr_NoMemory();
    while (v && PyDict_Next(dict, &at, &key, &value)) {
        if (take_setting(key, value, &v[*n])) {
            ++*n;
            continue;
        }
        cdi_free(talk->ctx, v);
        v = NULL;
    }
    *settings = v;
    return v != NULL;
}
