// solve.c - problems given by Python functions: ODEs, DAEs and mechanical systems with any
// integrator
//
// The functions are called as f(t, q, v, y, x, lambda, vdot, ydot, out): bytes of doubles, which may
// be kept, None for parts of size 0; `out`, and the state in handle_event, are memoryviews to be
// filled, which may not. An exception ends the run and is raised.
#include <stdlib.h>
#include <string.h>

#include "ext.h"

#include "cardan/integrator.h"

#define SIZE_MAX_OF_PART 10000000

// callbacks that a problem may have, by their names in Python
enum {
    RATE,
    ALGEBRA,
    IMPLICIT,
    FORCE,
    MASS,
    CONSTRAINT,
    CONSTRAINT_JACOBIAN,
    EVENTS,
    HANDLE,
    DERIVATIVES,
    NCALLS
};
static const char *const call_names[NCALLS] = {
    "rate",   "algebra",      "implicit",   "force", "mass", "constraint", "constraint_jacobian",
    "events", "handle_event", "derivatives"};

typedef struct Problem {
    Talk talk;
    CdProblem problem;
    PyObject *calls[NCALLS]; // NULL: not given
    double *leading;
    int *index;
    PyObject *table_type;
    Table *table;
    PyObject *events; // list of (t, which)
} Problem;

static PyObject *view(const double *v, size_t n, int flags) {
    const Py_ssize_t size = (Py_ssize_t)(n * sizeof *v);
    if (!v || n == 0) {
        Py_INCREF(Py_None);
        return Py_None;
    }
    // what is only read is a copy, so that a function may keep it
    if (flags == PyBUF_READ) return PyBytes_FromStringAndSize((const char *)v, size);
    return PyMemoryView_FromMemory((char *)(uintptr_t)v, size, flags);
}

// (t, q, v, y, x, lambda, vdot, ydot) and what follows; takes the references of rest
static PyObject *arguments(const Problem *p, const CdPoint *at, int flags, PyObject **rest,
                           Py_ssize_t nrest) {
    const CdProblem *c = &p->problem;
    const int n = c->nq > 0 ? c->nq : c->nv;
    const struct {
        const double *v;
        int n;
    } parts[] = {{at->q, n},
                 {at->v, c->nv},
                 {at->y, c->ny},
                 {at->x, c->nx},
                 {at->lambda, c->ng + c->nn},
                 {at->vdot, c->nv},
                 {at->ydot, c->ny}};
    const Py_ssize_t nparts = sizeof parts / sizeof *parts;
    PyObject *tuple = PyTuple_New(1 + nparts + nrest);
    if (!tuple) return NULL;
    PyTuple_SetItem(tuple, 0, PyFloat_FromDouble(at->t));
    for (Py_ssize_t i = 0; i < nparts; i++) {
        PyTuple_SetItem(tuple, 1 + i, view(parts[i].v, (size_t)parts[i].n, flags));
    }
    for (Py_ssize_t i = 0; i < nrest; i++) PyTuple_SetItem(tuple, 1 + nparts + i, rest[i]);
    return tuple;
}

// NULL: it raised
static PyObject *call(const Problem *p, int which, const CdPoint *at, int flags, PyObject **rest,
                      Py_ssize_t nrest) {
    PyObject *tuple = arguments(p, at, flags, rest, nrest);
    PyObject *result =
        tuple && !PyErr_Occurred() ? PyObject_CallObject(p->calls[which], tuple) : NULL;
    Py_XDECREF(tuple);
    return result;
}

static CdStatus fill(const Problem *p, int which, const CdPoint *at, double *out, size_t n) {
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *room = view(out, n, PyBUF_WRITE);
    PyObject *result = room ? call(p, which, at, PyBUF_READ, &room, 1) : NULL;
    const CdStatus status = result ? CD_OK : CD_CANCELLED;
    Py_XDECREF(result);
    PyGILState_Release(gil);
    return status;
}

static CdStatus rate(void *data, const CdPoint *at, double *out) {
    const Problem *p = data;
    return fill(p, RATE, at, out, (size_t)p->problem.ny);
}

static CdStatus algebra(void *data, const CdPoint *at, double *out) {
    const Problem *p = data;
    return fill(p, ALGEBRA, at, out, (size_t)p->problem.nx);
}

static CdStatus implicit(void *data, const CdPoint *at, double *out) {
    const Problem *p = data;
    return fill(p, IMPLICIT, at, out, (size_t)p->problem.ny);
}

static CdStatus force(void *data, const CdPoint *at, double *out) {
    const Problem *p = data;
    return fill(p, FORCE, at, out, (size_t)p->problem.nv);
}

static CdStatus mass(void *data, const CdPoint *at, double *out) {
    const Problem *p = data;
    return fill(p, MASS, at, out, (size_t)p->problem.nv * (size_t)p->problem.nv);
}

static CdStatus constraint(void *data, const CdPoint *at, double *out) {
    const Problem *p = data;
    return fill(p, CONSTRAINT, at, out, (size_t)p->problem.ng);
}

static CdStatus constraint_jacobian(void *data, const CdPoint *at, double *out) {
    const Problem *p = data;
    const size_t rows = (size_t)(p->problem.ng + p->problem.nn);
    return fill(p, CONSTRAINT_JACOBIAN, at, out, rows * (size_t)p->problem.nv);
}

static CdStatus events(void *data, const CdPoint *at, double *out) {
    const Problem *p = data;
    return fill(p, EVENTS, at, out, (size_t)p->problem.nz);
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    const Problem *p = data;
    const size_t n = (size_t)(p->problem.nv + p->problem.ny + p->problem.nx);
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *rest[] = {view(M, n * n, PyBUF_WRITE), view(C, n * n, PyBUF_WRITE),
                        view(K, n * n, PyBUF_WRITE)};
    PyObject *result = call(p, DERIVATIVES, at, PyBUF_READ, rest, 3);
    const CdStatus status = result ? CD_OK : CD_CANCELLED;
    Py_XDECREF(result);
    PyGILState_Release(gil);
    return status;
}

static PyObject *numbers(const CdEvent *event) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < event->n; i++) {
        PyObject *one = Py_BuildValue("(ii)", event->which[i], event->now[i]);
        if (!one || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

// the function may change the state; it returns true to end the run
static CdStatus handle_event(void *data, CdEvent *event, CdPoint *at) {
    Problem *p = data;
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *which = numbers(event), *entry = NULL, *result = NULL;
    if (which) entry = Py_BuildValue("(dO)", at->t, which);
    if (entry && PyList_Append(p->events, entry) == 0) {
        Py_INCREF(which);
        result = call(p, HANDLE, at, PyBUF_WRITE, &which, 1);
    }
    event->terminate = result && PyObject_IsTrue(result) == 1;
    const CdStatus status = result ? CD_OK : CD_CANCELLED;
    Py_XDECREF(result);
    Py_XDECREF(entry);
    Py_XDECREF(which);
    PyGILState_Release(gil);
    return status;
}

// ---- the problem from a dict

static bool take_size(PyObject *dict, const char *name, int *n) {
    PyObject *value = PyDict_GetItemString(dict, name);
    if (!value) return true;
    const long x = PyLong_AsLong(value);
    if (PyErr_Occurred()) return false;
    *n = (int)x;
    if (x >= 0 && x <= SIZE_MAX_OF_PART) return true;
    PyErr_Format(PyExc_ValueError, "%s must lie between 0 and %d", name, SIZE_MAX_OF_PART);
    return false;
}

static bool take_sizes(PyObject *dict, CdProblem *c) {
    const struct {
        const char *name;
        int *n;
    } sizes[] = {{"nq", &c->nq}, {"nv", &c->nv}, {"ny", &c->ny}, {"nx", &c->nx},
                 {"ng", &c->ng}, {"nn", &c->nn}, {"nz", &c->nz}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (!take_size(dict, sizes[i].name, sizes[i].n)) return false;
    }
    return true;
}

// numbers of a Python sequence; NULL with n = 0 if there is none, n = -1 after an exception
static double *take_numbers(PyObject *dict, const char *name, Py_ssize_t *n) {
    PyObject *value = PyDict_GetItemString(dict, name);
    *n = 0;
    if (!value || value == Py_None) return NULL;
    *n = PySequence_Size(value);
    double *v = *n >= 0 ? malloc((size_t)(*n + 1) * sizeof *v) : NULL;
    for (Py_ssize_t i = 0; v && i < *n; i++) {
        PyObject *one = PySequence_GetItem(value, i);
        v[i] = one ? PyFloat_AsDouble(one) : 0;
        Py_XDECREF(one);
        if (!PyErr_Occurred()) continue;
        free(v);
        v = NULL;
    }
    if (!v) *n = -1;
    if (!v && !PyErr_Occurred()) PyErr_NoMemory();
    return v;
}

static void take_calls(PyObject *dict, Problem *p) {
    CdProblem *c = &p->problem;
    for (int i = 0; i < NCALLS; i++) {
        p->calls[i] = PyDict_GetItemString(dict, call_names[i]);
        if (p->calls[i] == Py_None) p->calls[i] = NULL;
    }
    c->rate = p->calls[RATE] ? rate : NULL;
    c->algebra = p->calls[ALGEBRA] ? algebra : NULL;
    c->implicit = p->calls[IMPLICIT] ? implicit : NULL;
    c->force = p->calls[FORCE] ? force : NULL;
    c->mass = p->calls[MASS] ? mass : NULL;
    c->constraint = p->calls[CONSTRAINT] ? constraint : NULL;
    c->constraint_jacobian = p->calls[CONSTRAINT_JACOBIAN] ? constraint_jacobian : NULL;
    c->events = p->calls[EVENTS] ? events : NULL;
    c->handle_event = p->calls[HANDLE] ? handle_event : NULL;
    c->derivatives = p->calls[DERIVATIVES] ? derivatives : NULL;
}

static bool wrong_size(const char *what, Py_ssize_t n, Py_ssize_t wanted) {
    if (n == wanted) return false;
    PyErr_Format(PyExc_ValueError, "%s has %zd numbers; it must have %zd", what, n, wanted);
    return true;
}

// B by columns and the index of every y
static bool take_leading(PyObject *dict, Problem *p) {
    Py_ssize_t n;
    CdProblem *c = &p->problem;
    c->leading = p->leading = take_numbers(dict, "leading", &n);
    if (n < 0 ||
        (p->leading && wrong_size("the matrix of derivatives", n, (Py_ssize_t)c->ny * c->ny))) {
        return false;
    }
    double *index = take_numbers(dict, "index", &n);
    if (n < 0) return false;
    if (!index) return true;
    const bool ok = !wrong_size("index", n, c->ny);
    p->index = ok ? malloc((size_t)(n + 1) * sizeof *p->index) : NULL;
    for (Py_ssize_t i = 0; p->index && i < n; i++) p->index[i] = (int)index[i];
    c->index = p->index;
    free(index);
    return ok;
}

// ---- the solution: t, q, v, y, x, lambda in a row

static int columns(const CdProblem *c) {
    return (c->nq > 0 ? c->nq : c->nv) + c->nv + c->ny + c->nx + c->ng + c->nn;
}

static bool add_row(Problem *p, double *row, const CdPoint *at) {
    const CdProblem *c = &p->problem;
    const struct {
        const double *v;
        int n;
    } parts[] = {{at->q, c->nq > 0 ? c->nq : c->nv},
                 {at->v, c->nv},
                 {at->y, c->ny},
                 {at->x, c->nx},
                 {at->lambda, c->ng + c->nn}};
    double *to = row;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].n > 0) memcpy(to, parts[i].v, (size_t)parts[i].n * sizeof *to);
        to += parts[i].n;
    }
    return ext_table_add(p->table, at->t, row);
}

typedef struct Span {
    double t0, t1;
    double *times; // to be told at; NULL: after every step
    Py_ssize_t n;
} Span;

static CdStatus tell_times(Problem *p, CdIntegrator *it, const Span *s, Py_ssize_t *next,
                           double *row) {
    const CdPoint *at;
    const double now = cd_integrator_now(it)->t;
    for (; *next < s->n && s->times[*next] <= now; ++*next) {
        CD_TRY(cd_integrator_at(it, s->times[*next], &at));
        if (!add_row(p, row, at)) return CD_NOMEM;
    }
    return CD_OK;
}

static CdStatus march(Problem *p, CdIntegrator *it, const Span *s, double *row) {
    Py_ssize_t next = 0;
    Watch watch = {0};
    CdStatus status = CD_OK;
    for (; next < s->n && s->times[next] <= s->t0; next++) {
        if (!add_row(p, row, cd_integrator_now(it))) return CD_NOMEM;
    }
    if (!s->times && !add_row(p, row, cd_integrator_now(it))) return CD_NOMEM;
    while (status == CD_OK && cd_integrator_now(it)->t < s->t1 && !cd_integrator_finished(it)) {
        status = cd_integrator_step(it, s->t1);
        if (status == CD_OK && s->times) status = tell_times(p, it, s, &next, row);
        if (status == CD_OK && !s->times && !add_row(p, row, cd_integrator_now(it))) {
            status = CD_NOMEM;
        }
        if (ext_interrupted(&watch)) status = CD_CANCELLED;
    }
    return status;
}

static PyObject *statistics(const CdStatistics *n) {
    return Py_BuildValue("{s:s,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L}", "path", n->path ? n->path : "",
                         "steps", (long long)n->steps, "rejected", (long long)n->rejected,
                         "evaluations", (long long)(n->evaluations + n->difference_evaluations),
                         "jacobians", (long long)n->jacobians, "factors", (long long)n->factors,
                         "solves", (long long)n->solves, "iterations", (long long)n->iterations,
                         "events", (long long)n->events);
}

// start values by the names of the members of a CdPoint
static bool take_start(PyObject *dict, const CdProblem *c, double t, CdPoint *at) {
    const struct {
        const char *name;
        double **v;
        int n;
    } parts[] = {{"q", &at->q, c->nq > 0 ? c->nq : c->nv},
                 {"v", &at->v, c->nv},
                 {"y", &at->y, c->ny},
                 {"x", &at->x, c->nx},
                 {"ydot", &at->ydot, c->ny}};
    at->t = t;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        Py_ssize_t n;
        *parts[i].v = take_numbers(dict, parts[i].name, &n);
        if (n < 0 || (*parts[i].v && wrong_size(parts[i].name, n, parts[i].n))) return false;
    }
    return true;
}

static void free_start(CdPoint *at) {
    double *parts[] = {at->q, at->v, at->y, at->x, at->ydot};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
}

// (table, events, statistics, status, messages)
static PyObject *answer(Problem *p, const CdIntegrator *it, CdStatus status) {
    PyObject *stats = statistics(cd_integrator_statistics(it));
    PyObject *said = stats ? ext_said(&p->talk) : NULL, *result = NULL;
    if (said) {
        result = Py_BuildValue("(OOOsO)", (PyObject *)p->table, p->events, stats,
                               cd_status_name(status), said);
    }
    Py_XDECREF(said);
    Py_XDECREF(stats);
    return result;
}

// Ctrl-C, or what a function raised, with what was computed until then; takes the result
static PyObject *give_partial(PyObject **type, PyObject **value, PyObject **trace,
                              PyObject *result) {
    PyErr_Clear();
    PyErr_NormalizeException(type, value, trace);
    if (result && *value) (void)PyObject_SetAttrString(*value, "partial", result);
    Py_XDECREF(result);
    PyErr_Clear(); // not every exception takes it
    PyErr_Restore(*type, *value, *trace);
    return NULL;
}

static PyObject *integrate(Problem *p, const char *method, const CdPoint *start, const Span *s) {
    CdIntegrator *it = NULL;
    double *row = malloc((size_t)(columns(&p->problem) + 1) * sizeof *row);
    CdStatus status = row ? CD_OK : CD_NOMEM;
    Py_BEGIN_ALLOW_THREADS;
    if (status == CD_OK) status = cd_integrator_new(p->talk.ctx, &p->problem, method, &it);
    if (status == CD_OK) status = cd_integrator_start(it, start);
    if (status == CD_OK) status = march(p, it, s, row);
    Py_END_ALLOW_THREADS;
    PyObject *type, *value, *trace, *result = NULL;
    PyErr_Fetch(&type, &value, &trace);
    if (it) result = answer(p, it, status);
    if (type) result = give_partial(&type, &value, &trace, result);
    if (!result) ext_raise(&p->talk, status);
    cd_integrator_free(it);
    free(row);
    return result;
}

static PyObject *solve(PyObject *module, PyObject *args) {
    Problem p = {.table_type = ext_state(module)->table};
    PyObject *dict, *start, *result = NULL;
    const char *method;
    Span s = {0};
    CdPoint at = {0};
    if (!PyArg_ParseTuple(args, "O!sddO!", &PyDict_Type, &dict, &method, &s.t0, &s.t1, &PyDict_Type,
                          &start)) {
        return NULL;
    }
    p.problem = (CdProblem){.name = "problem", .data = &p};
    take_calls(dict, &p);
    p.events = PyList_New(0);
    bool ok = p.events && ext_talk_open(&p.talk) && take_sizes(dict, &p.problem) &&
              take_leading(dict, &p) && take_start(start, &p.problem, s.t0, &at);
    if (ok) s.times = take_numbers(start, "times", &s.n);
    if (ok && s.n >= 0) p.table = ext_table_new(p.table_type, 1 + columns(&p.problem));
    if (p.table) result = integrate(&p, method, &at, &s);
    Py_XDECREF((PyObject *)p.table);
    Py_XDECREF(p.events);
    free_start(&at);
    free(s.times);
    free(p.leading);
    free(p.index);
    ext_talk_close(&p.talk);
    return result;
}

PyMethodDef ext_solve_methods[] = {
    {"solve", solve, METH_VARARGS,
     "solve(problem, method, t0, t1, start): (table, events, statistics, status, messages)"},
    {0}};
