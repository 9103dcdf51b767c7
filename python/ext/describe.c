// describe.c - what the tables of the library say, for the classes and docstrings of Python
#include <string.h>

#include "ad/expr.h"
#include "classes.h"
#include "ext.h"
#include "items/item.h"

// are its members items?
static bool is_category(const char *group) {
    for (int i = 0; i < CD_NCATEGORIES; i++) {
        if (strcmp(group, cdi_category_names[i]) == 0) return true;
    }
    return false;
}

// a class with the group that it belongs to
static void write_class(CdJsonWriter *w, const char *group, const CdDesc *desc) {
    cdi_json_begin_object(w);
    cdi_json_key(w, "group");
    cdi_json_string(w, group);
    cdi_json_key_bool(w, "named", is_category(group));
    cdi_json_key(w, "table");
    cdi_desc_introspect(desc, w);
    cdi_json_end_object(w);
}

static void write_all(CdJsonWriter *w) {
    const char *group;
    const CdDesc *desc;
    cdi_json_begin_array(w, false);
    for (int i = 0; (desc = cli_class_at(i, &group)); i++) write_class(w, group, desc);
    cdi_json_end_array(w);
}

static PyObject *tables(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return ext_written(write_all);
}

// the class of items that act on all masses: Model(gravity=...) adds one
static PyObject *gravity_class(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    for (const CdItemClass *const *c = cd_item_classes; *c; c++) {
        if ((*c)->gravity) return PyUnicode_FromString((*c)->desc.name);
    }
    Py_RETURN_NONE;
}

// the class of what m.simulate(...) takes
static PyObject *run_class(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return PyUnicode_FromString(cd_run.name);
}

// functions that expressions may call: (name, number of arguments)
static PyObject *functions(PyObject *module, PyObject *unused) {
    static const struct {
        const char *name;
        int nargs;
    } all[] = {
#define UNARY(name, f, df, ddf) {#name, 1},
#define FUNCTION(name, nargs) {#name, nargs},
#include "ad/exprs.def"
#undef UNARY
#undef FUNCTION
    };
    PyObject *list = PyList_New(0);
    (void)module;
    (void)unused;
    for (size_t i = 0; list && i < sizeof all / sizeof *all; i++) {
        PyObject *one = Py_BuildValue("(si)", all[i].name, all[i].nargs);
        if (!one || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

// what an expression without names is
static PyObject *value(PyObject *module, PyObject *text) {
    Talk talk = {0};
    CdExpr *expr;
    CdExprError error;
    PyObject *result = NULL;
    const char *from = PyUnicode_AsUTF8AndSize(text, NULL);
    (void)module;
    if (from && ext_talk_open(&talk)) {
        const CdStatus status = cdi_expr_compile(talk.ctx, from, &(CdExprScope){0}, &expr, &error);
        if (status == CD_OK) {
            result = PyFloat_FromDouble(cdi_expr_value(expr, NULL));
            cdi_expr_free(talk.ctx, expr);
        } else if (status == CD_INVALID) {
            PyErr_SetString(PyExc_ValueError, error.text);
        } else {
            PyErr_NoMemory();
        }
    }
    ext_talk_close(&talk);
    return result;
}

PyMethodDef ext_describe_methods[] = {
    {"value", value, METH_O, "value(text): of an expression without names"},
    {"functions", functions, METH_NOARGS, "functions(): those of the expression language"},
    {"tables", tables, METH_NOARGS, "tables(): every class with its fields"},
    {"gravity_class", gravity_class, METH_NOARGS, "gravity_class(): its name"},
    {"run_class", run_class, METH_NOARGS, "run_class(): its name"},
    {0}};
