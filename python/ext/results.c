// results.c - results of a run into files of other programs and logs, and back from files
#include <string.h>

#include "ext.h"
#include "results/export.h"

// channels of a list of (name, unit, not unique); names live as long as the list
static CdChannel *take_channels(Talk *talk, PyObject *list, Py_ssize_t *n) {
    *n = PyList_Size(list);
    CdChannel *v = *n >= 0 ? cdi_alloc_array(talk->ctx, (size_t)*n + 1, sizeof *v) : NULL;
    if (!v && !PyErr_Occurred()) PyErr_NoMemory();
    for (Py_ssize_t i = 0; v && i < *n; i++) {
        int not_unique;
        v[i] = (CdChannel){0};
        if (PyArg_ParseTuple(PyList_GetItem(list, i), "ssp", &v[i].name, &v[i].unit, &not_unique)) {
            v[i].not_unique = not_unique;
            continue;
        }
        cdi_free(talk->ctx, v);
        v = NULL;
    }
    return v;
}

// what functions here get: a path, a table and its channels
typedef struct Given {
    Talk talk;
    const char *path;
    const double *numbers;
    Py_ssize_t rows, columns, n;
    CdChannel *channels;
} Given;

static bool take_given(Given *g, PyObject *table, PyObject *list) {
    if (!ext_talk_open(&g->talk)) return false;
    g->numbers = ext_table_numbers((Table *)table, &g->rows, &g->columns);
    g->channels = take_channels(&g->talk, list, &g->n);
    if (!g->channels) return false;
    if (g->n + 1 == g->columns) return true;
    PyErr_SetString(PyExc_ValueError, "there must be as many channels as columns");
    return false;
}

static PyObject *finish(Given *g, bool ok, CdStatus status) {
    if (g->talk.ctx) cdi_free(g->talk.ctx, g->channels);
    if (ok && status != CD_OK) ext_raise(&g->talk, status);
    ext_talk_close(&g->talk);
    if (!ok || status != CD_OK) return NULL;
    Py_RETURN_NONE;
}

// ---- tables for other programs

static CdStatus read_rows(CdTable *t, uint64_t first, uint64_t n, double *rows) {
    const size_t width = (size_t)t->n + 1;
    const double *from = t->source;
    if (n > 0) memcpy(rows, from + first * width, (size_t)n * width * sizeof *rows);
    return CD_OK;
}

static bool is_cancelled(void *user) {
    return ext_interrupted(user);
}

// without the channels of pictures
static CdStatus export_table(const Given *g) {
    const CdExportClass *cls;
    CdTable *all, *part;
    Watch watch = {0};
    const CdSelection selection = CD_SELECT_ALL;
    CD_TRY(cdi_export_class(g->talk.ctx, NULL, g->path, &cls));
    CD_TRY(cdi_table_new(g->talk.ctx, &all));
    all->n = (int)g->n;
    all->channels = g->channels;
    all->rows = (uint64_t)g->rows;
    all->read = read_rows;
    all->source = (void *)(uintptr_t)g->numbers;
    CD_TRY(cdi_table_select(all, &selection, &part));
    const CdStatus status = cdi_export(part, cls, g->path, is_cancelled, &watch);
    cdi_table_free(part);
    return status;
}

static PyObject *export_file(PyObject *module, PyObject *args) {
    Given g = {0};
    PyObject *table, *list;
    if (!PyArg_ParseTuple(args, "sO!O!", &g.path, ext_state(module)->table, &table, &PyList_Type,
                          &list)) {
        return NULL;
    }
    CdStatus status = CD_OK;
    const bool ok = take_given(&g, table, list);
    if (ok) {
        Py_BEGIN_ALLOW_THREADS;
        status = export_table(&g);
        Py_END_ALLOW_THREADS;
    }
    return finish(&g, ok, status);
}

// ---- logs

static CdStatus write_log(const Given *g, const CdLogHeader *header, const char *summary) {
    CdLogWriter *log;
    CdStatus status = cdi_log_create(g->talk.ctx, g->path, header, &log);
    if (status != CD_OK) return status;
    for (Py_ssize_t i = 0; status == CD_OK && i < g->rows; i++) {
        const double *row = g->numbers + i * g->columns;
        status = cdi_log_row(log, row[0], row + 1);
    }
    const CdStatus closed = cdi_log_close(log, summary);
    return status != CD_OK ? status : closed;
}

static PyObject *log_file(PyObject *module, PyObject *args) {
    Given g = {0};
    CdLogHeader h = {0};
    PyObject *table, *list;
    unsigned long long hash;
    const char *summary;
    if (!PyArg_ParseTuple(args, "sO!O!zssKsiz", &g.path, ext_state(module)->table, &table,
                          &PyList_Type, &list, &h.file, &h.model, &h.run, &hash, &h.method,
                          &h.nscene, &summary)) {
        return NULL;
    }
    CdStatus status = CD_OK;
    const bool ok = take_given(&g, table, list);
    if (ok) {
        h.n = (int)g.n;
        h.channels = g.channels;
        h.hash = hash;
        Py_BEGIN_ALLOW_THREADS;
        status = write_log(&g, &h, summary);
        Py_END_ALLOW_THREADS;
    }
    return finish(&g, ok, status);
}

// ---- reading

static CdStatus copy_rows(CdTable *from, Table *to) {
    const uint64_t block = cdi_table_block(from);
    const size_t width = (size_t)from->n + 1;
    double *room = cdi_table_room(from);
    CdStatus status = room ? CD_OK : CD_NOMEM;
    for (uint64_t first = 0; status == CD_OK && first < from->rows; first += block) {
        const uint64_t n = from->rows - first < block ? from->rows - first : block;
        status = from->read(from, first, n, room);
        for (uint64_t i = 0; status == CD_OK && i < n; i++) {
            const double *row = room + i * width;
            if (!ext_table_add(to, row[0], row + 1)) status = CD_NOMEM;
        }
    }
    cdi_free(from->ctx, room);
    return status;
}

static PyObject *about_log(const CdLog *log) {
    const CdLogHeader *h = cdi_log_header(log);
    return Py_BuildValue("{s:s,s:s,s:K,s:s,s:z,s:i}", "model", h->model, "run", h->run, "hash",
                         (unsigned long long)h->hash, "method", h->method, "file", h->file,
                         "nscene", h->nscene);
}

// (table, channels, summary or None, about or None)
static PyObject *read_table(Talk *talk, PyObject *type, CdTable *from, const CdLog *log) {
    CdStatus status;
    Table *table = ext_table_new(type, 1 + from->n);
    if (!table) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = copy_rows(from, table);
    Py_END_ALLOW_THREADS;
    const char *said = log ? cdi_log_summary(log) : NULL;
    PyObject *channels = NULL, *summary = NULL, *about = NULL, *result = NULL;
    if (status != CD_OK) {
        ext_raise(talk, status);
    } else {
        channels = ext_channels(from->channels, from->n);
        summary = said ? ext_load(said) : Py_NewRef(Py_None);
        about = log ? about_log(log) : Py_NewRef(Py_None);
    }
    if (channels && summary && about) {
        result = Py_BuildValue("(OOOO)", (PyObject *)table, channels, summary, about);
    }
    Py_XDECREF(channels);
    Py_XDECREF(summary);
    Py_XDECREF(about);
    Py_DECREF((PyObject *)table);
    return result;
}

static PyObject *read_file(PyObject *module, PyObject *args) {
    Talk talk = {0};
    CdTable *table = NULL;
    CdLog *log = NULL;
    const char *path;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
    if (ext_talk_open(&talk)) {
        CdStatus status;
        Py_BEGIN_ALLOW_THREADS;
        if (cdi_log_is(path)) {
            status = cdi_log_open(talk.ctx, path, &log);
            if (status == CD_OK) status = cdi_table_of_log(talk.ctx, log, &table);
        } else {
            status = cdi_table_open(talk.ctx, path, &table);
        }
        Py_END_ALLOW_THREADS;
        result = status == CD_OK ? read_table(&talk, ext_state(module)->table, table, log)
                                 : ext_raise(&talk, status);
        cdi_table_free(table);
        cdi_log_free(log);
    }
    ext_talk_close(&talk);
    return result;
}

PyMethodDef ext_results_methods[] = {
    {"export", export_file, METH_VARARGS, "export(path, table, channels): by the end of the path"},
    {"log", log_file, METH_VARARGS,
     "log(path, table, channels, file, model, run, hash, method, nscene, summary)"},
    {"table", ext_table_of_bytes, METH_VARARGS, "table(bytes, columns)"},
    {"read", read_file, METH_VARARGS, "read(path): (table, channels, summary, about)"},
    {0}};
