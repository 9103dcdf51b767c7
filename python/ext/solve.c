// solve.c - problems given by Python functions: ODEs, DAEs and mechanical systems with any
// integrator
//
// The functions are called as f(t, q, v, y, x, lambda, vdot, ydot, out): bytes of doubles, None for
// parts of size 0; `out`, and the state in handle_event, are bytearrays to be filled. All are
// copies, which may be kept. An exception ends the run and is raised.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ext.h"

#include "cardan/integrator.h"

#define SIZE_MAX_OF_PART 10000000
// of a list
#define NUMBERS_MAX 1000000000
// matrices that one function fills
#define BLOCKS_MAX 3

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
    Table *between; // points inside of every step; NULL: not asked for
    bool ended;     // by an event
} Problem;

// numbers that a function reads
static PyObject *copy(const double *v, size_t n) {
    if (!v || n == 0) return Py_NewRef(Py_None);
    return PyBytes_FromStringAndSize((const char *)v, (Py_ssize_t)(n * sizeof *v));
}

// numbers that a function changes, of v, or fills in; `take` brings them back
static PyObject *room(const double *v, const double *from, size_t n) {
    const size_t size = n * sizeof *v;
    if (!v || n == 0) return Py_NewRef(Py_None);
    PyObject *bytes = PyByteArray_FromStringAndSize((const char *)from, (Py_ssize_t)size);
    if (bytes && !from) memset(PyByteArray_AsString(bytes), 0, size);
    return bytes;
}

static bool take(PyObject *bytes, double *v, size_t n) {
    if (bytes == Py_None) return true;
    if (PyByteArray_Size(bytes) == (Py_ssize_t)(n * sizeof *v)) {
        memcpy(v, PyByteArray_AsString(bytes), n * sizeof *v);
        return true;
    }
    PyErr_SetString(PyExc_ValueError, "a function must not change the size of what it fills");
    return false;
}

// the parts of a point in the order in which functions get them, after the time
typedef struct Parts {
    double *v[7];
    size_t n[7];
} Parts;
#define NPARTS ((Py_ssize_t)(sizeof((Parts *)0)->v / sizeof *((Parts *)0)->v))

static Parts parts_of(const CdProblem *c, const CdPoint *at) {
    const size_t nq = (size_t)(c->nq > 0 ? c->nq : c->nv), nv = (size_t)c->nv, ny = (size_t)c->ny;
    return (Parts){{at->q, at->v, at->y, at->x, at->lambda, at->vdot, at->ydot},
                   {nq, nv, ny, (size_t)c->nx, (size_t)(c->ng + c->nn), nv, ny}};
}

// (t, q, v, y, x, lambda, vdot, ydot) and what follows; takes the references of rest
static PyObject *arguments(const Problem *p, const CdPoint *at, bool change, PyObject **rest,
                           Py_ssize_t nrest) {
    const Parts parts = parts_of(&p->problem, at);
    PyObject *tuple = PyTuple_New(1 + NPARTS + nrest);
    if (!tuple) return NULL;
    PyTuple_SetItem(tuple, 0, PyFloat_FromDouble(at->t));
    for (Py_ssize_t i = 0; i < NPARTS; i++) {
        const double *v = parts.v[i];
        PyTuple_SetItem(tuple, 1 + i, change ? room(v, v, parts.n[i]) : copy(v, parts.n[i]));
    }
    for (Py_ssize_t i = 0; i < nrest; i++) PyTuple_SetItem(tuple, 1 + NPARTS + i, rest[i]);
    return tuple;
}

// NULL: it raised
static PyObject *call(const Problem *p, int which, PyObject *tuple) {
    return tuple && !PyErr_Occurred() ? PyObject_CallObject(p->calls[which], tuple) : NULL;
}

// a function fills blocks of numbers, each of the same size; NULL: not wanted
static CdStatus fill_blocks(const Problem *p, int which, const CdPoint *at, double *const *blocks,
                            int nblocks, size_t n) {
    const ExtGil gil = ext_enter();
    PyObject *rooms[BLOCKS_MAX];
    for (int i = 0; i < nblocks; i++) rooms[i] = room(blocks[i], NULL, n);
    PyObject *tuple = arguments(p, at, false, rooms, nblocks);
    PyObject *result = call(p, which, tuple);
    bool ok = result != NULL;
    for (int i = 0; ok && i < nblocks; i++) ok = take(rooms[i], blocks[i], n);
    Py_XDECREF(result);
    Py_XDECREF(tuple);
    ext_leave(gil);
    return ok ? CD_OK : CD_CANCELLED;
}

static CdStatus fill(const Problem *p, int which, const CdPoint *at, double *out, size_t n) {
    return fill_blocks(p, which, at, &out, 1, n);
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
    double *const blocks[BLOCKS_MAX] = {M, C, K};
    return fill_blocks(p, DERIVATIVES, at, blocks, BLOCKS_MAX, n * n);
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
    const Parts parts = parts_of(&p->problem, at);
    const ExtGil gil = ext_enter();
    PyObject *which = numbers(event);
    PyObject *tuple = which ? arguments(p, at, true, &which, 1) : NULL;
    PyObject *result = call(p, HANDLE, tuple);
    bool ok = result != NULL;
    for (Py_ssize_t i = 0; ok && i < NPARTS; i++) {
        ok = take(PyTuple_GetItem(tuple, 1 + i), parts.v[i], parts.n[i]);
    }
    event->terminate = ok && PyObject_IsTrue(result) == 1;
    p->ended = p->ended || event->terminate;
    Py_XDECREF(result);
    Py_XDECREF(tuple);
    ext_leave(gil);
    return ok ? CD_OK : CD_CANCELLED;
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
    if (*n > NUMBERS_MAX) {
        *n = -1;
        PyErr_Format(PyExc_ValueError, "%s must not have more than %d numbers", name, NUMBERS_MAX);
    }
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

static bool add_row(const Problem *p, Table *table, double *row, const CdPoint *at) {
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
    return ext_table_add(table, at->t, row);
}

typedef struct Span {
    double t0, t1;
    double *times; // to be told at; NULL: after every step
    Py_ssize_t n;
} Span;

typedef struct March {
    Problem *problem;
    CdIntegrator *it;
    const Span *span;
    Py_ssize_t next; // of the times
    double *row;
    Watch watch;
} March;

static CdStatus tell_at(March *m, Table *table, double t) {
    const CdPoint *at;
    CD_TRY(cd_integrator_at(m->it, t, &at));
    return add_row(m->problem, table, m->row, at) ? CD_OK : CD_NOMEM;
}

// the step at the zeros of a Chebyshev polynomial, from which Python interpolates; not at its ends,
// where events change the state
static CdStatus tell_between(March *m, double begin, double end) {
    static const double pi = 3.14159265358979323846;
    if (!m->problem->between || !(end > begin)) return CD_OK;
    for (int i = 0; i < EXT_NODES; i++) {
        const double part = 0.5 - 0.5 * cos(pi * (i + 0.5) / EXT_NODES);
        CD_TRY(tell_at(m, m->problem->between, begin + (end - begin) * part));
    }
    return CD_OK;
}

static CdStatus inside(void *user, double begin, double end) {
    March *m = user;
    const Span *s = m->span;
    for (; m->next < s->n && s->times[m->next] < end; m->next++) {
        CD_TRY(tell_at(m, m->problem->table, s->times[m->next]));
    }
    return tell_between(m, begin, end);
}

// what is told of now: once for each of the times that are, or once if there are none
static CdStatus tell_now(void *user) {
    March *m = user;
    const Span *s = m->span;
    const CdPoint *now = cd_integrator_now(m->it);
    if (!s->times) return add_row(m->problem, m->problem->table, m->row, now) ? CD_OK : CD_NOMEM;
    for (; m->next < s->n && s->times[m->next] <= now->t; m->next++) {
        if (!add_row(m->problem, m->problem->table, m->row, now)) return CD_NOMEM;
    }
    return CD_OK;
}

static bool interrupted(void *user, double t) {
    (void)t;
    return ext_interrupted(&((March *)user)->watch);
}

static CdStatus march(Problem *p, CdIntegrator *it, const Span *s, double *row) {
    March m = {.problem = p, .it = it, .span = s, .row = row};
    const CdObserver observer = {
        .user = &m, .inside = inside, .step = tell_now, .cancelled = interrupted};
    CD_TRY(tell_now(&m));
    return cd_integrator_run(it, s->t1, &observer);
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

// (table, did an event end it?, statistics, status, messages, points inside of steps)
static PyObject *answer(Problem *p, const CdIntegrator *it, CdStatus status) {
    PyObject *stats = statistics(cd_integrator_statistics(it));
    PyObject *said = stats ? ext_said(&p->talk) : NULL, *result = NULL;
    if (said) {
        PyObject *between = p->between ? (PyObject *)p->between : Py_None;
        result = Py_BuildValue("(OOOsOO)", (PyObject *)p->table, p->ended ? Py_True : Py_False,
                               stats, cd_status_name(status), said, between);
    }
    Py_XDECREF(said);
    Py_XDECREF(stats);
    return result;
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
    if (type) {
        // Ctrl-C, or what a function raised
        PyErr_Restore(type, value, trace);
        ext_keep_partial(result);
        result = NULL;
    }
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
    // functions stay while they are called, whatever they do to the dict
    dict = PyDict_Copy(dict);
    if (dict) take_calls(dict, &p);
    bool ok = dict && ext_talk_open(&p.talk) && take_sizes(dict, &p.problem) &&
              take_leading(dict, &p) && take_start(start, &p.problem, s.t0, &at);
    if (ok) s.times = take_numbers(start, "times", &s.n);
    if (ok && s.n >= 0) p.table = ext_table_new(p.table_type, 1 + columns(&p.problem));
    const bool dense = PyDict_GetItemString(start, "between") == Py_True;
    if (p.table && dense) p.between = ext_table_new(p.table_type, 1 + columns(&p.problem));
    if (p.table && (p.between || !dense)) result = integrate(&p, method, &at, &s);
    Py_XDECREF((PyObject *)p.between);
    Py_XDECREF((PyObject *)p.table);
    Py_XDECREF(dict);
    free_start(&at);
    free(s.times);
    free(p.leading);
    free(p.index);
    ext_talk_close(&p.talk);
    return result;
}

PyMethodDef ext_solve_methods[] = {{"solve", solve, METH_VARARGS,
                                    "solve(problem, method, t0, t1, start): (table, ended by an "
                                    "event, statistics, status, messages, points inside)"},
                                   {0}};
