// module.c - the module cardan._cardan: its types, its functions
#include "ext.h"
#include "view/picture.h"

ModuleState *ext_state(PyObject *module) {
    return PyModule_GetState(module);
}

static int add_type(PyObject *module, PyType_Spec *spec, PyObject **type) {
    *type = PyType_FromModuleAndSpec(module, spec, NULL);
    return *type ? PyModule_AddType(module, (PyTypeObject *)*type) : -1;
}

// endings of moving pictures
static int add_pictures(PyObject *module) {
    PyObject *all = PyList_New(0);
    for (const CdPictureClass *c = cd_pictures; all && c->name; c++) {
        PyObject *one = PyUnicode_FromString(c->extension);
        if (!one || PyList_Append(all, one) != 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    const int status = all ? PyModule_AddObjectRef(module, "pictures", all) : -1;
    Py_XDECREF(all);
    return status;
}

// functions that C calls back find the main interpreter only
static bool is_main(void) {
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return true;
    PyErr_SetString(PyExc_ImportError, "cardan works in the main interpreter only");
    return false;
}

static int fill(PyObject *module) {
    ModuleState *s = ext_state(module);
    if (!is_main()) return -1;
    if (PyModule_AddStringConstant(module, "version", CD_VERSION) != 0) return -1;
    if (PyModule_AddIntConstant(module, "nodes", EXT_NODES) != 0) return -1;
    if (add_pictures(module) != 0) return -1;
    PyMethodDef *functions[] = {ext_describe_methods, ext_solve_methods, ext_command_methods,
                                ext_results_methods};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (PyModule_AddFunctions(module, functions[i]) != 0) return -1;
    }
    if (add_type(module, &ext_table_spec, &s->table) != 0) return -1;
    if (add_type(module, &ext_model_spec, &s->model) != 0) return -1;
    return add_type(module, &ext_simulation_spec, &s->simulation);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    ModuleState *s = ext_state(module);
    Py_VISIT(s->table);
    Py_VISIT(s->model);
    Py_VISIT(s->simulation);
    return 0;
}

static int clear(PyObject *module) {
    ModuleState *s = ext_state(module);
    Py_CLEAR(s->table);
    Py_CLEAR(s->model);
    Py_CLEAR(s->simulation);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};

static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "_cardan",
                                        .m_doc = "what cardan needs of its C library",
                                        .m_size = sizeof(ModuleState),
                                        .m_slots = slots,
                                        .m_traverse = traverse,
                                        .m_clear = clear};

PyMODINIT_FUNC PyInit__cardan(void) {
    return PyModuleDef_Init(&definition);
}
