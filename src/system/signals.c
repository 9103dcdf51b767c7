// signals.c - sensors that are read: numbered, bound to functions, evaluated in a fixed order
//
// Angles go on from turn to turn: they are nearest to those at the last accepted step, as are the
// signs of quaternions.
#include "system/signals.h"

#include <string.h>

#include "math/turns.h"
#include "system/link.h"

// ---- numbering

static CdStatus find_turns(CdSystem *s, CdSystemSensor *x) {
    bool any = false;
    CdTurn *turns = CD_TAKE(&s->arena, CdTurn, (size_t)x->probe.n);
    if (!turns) return CD_NOMEM;
    for (int k = 0; k < x->probe.n; k++) {
        if (cdi_probe_turns(&x->probe, k)) turns[k] = CD_TURN_ANGLE;
        if (cdi_probe_flips(&x->probe, k)) turns[k] = CD_TURN_QUATERNION;
        any = any || turns[k] != CD_TURN_NONE;
    }
    x->turns = any ? turns : NULL;
    return CD_OK;
}

// where: by number of the sensor in the model, where it stands among ours
static CdStatus number_sensors(CdSystem *s, CdSystemSignals *g, int *where) {
    const CdModel *m = s->model;
    g->sensors = CD_TAKE(&s->arena, CdSystemSensor, m->order.n);
    if (!g->sensors) return CD_NOMEM;
    for (size_t i = 0; i < m->order.n; i++) {
        const CdItem *item = m->order.v[i];
        CdSystemSensor *x = &g->sensors[g->nsensors];
        *x = (CdSystemSensor){.probe = cdi_probe(s, item), .first = g->nvalues, .reader = -1};
        x->delayed = cdi_sensor_delayed(item, &x->start);
        CD_TRY(find_turns(s, x));
        const int kept = x->delayed || x->turns ? x->probe.n : 0;
        x->memory0 = kept > 0 ? s->nmemory : -1;
        s->nmemory += kept;
        g->nvalues += x->probe.n;
        where[item->index] = g->nsensors++;
    }
    return CD_OK;
}

static CdStatus number_function(CdSystem *s, const CdSystemSignals *g, const int *where,
                                const CdReading *r, CdSystemFunction *f) {
    *f = (CdSystemFunction){.reading = r,
                            .sensor = CD_TAKE(&s->arena, int, (size_t)r->n),
                            .pick = CD_TAKE(&s->arena, int, (size_t)r->n)};
    if (!f->sensor || !f->pick) return CD_NOMEM;
    for (int k = 0; k < r->n; k++) {
        f->sensor[k] = where[r->v[k].sensor->index];
        f->pick[k] = g->sensors[f->sensor[k]].first + r->v[k].component;
    }
    return CD_OK;
}

static CdStatus add_reader(CdSystem *s, CdSystemSignals *g, const int *where, CdReaderKind kind,
                           const CdItem *item, int number) {
    if (item->nreadings == 0) return CD_OK;
    CdSystemReader *r = &g->readers[g->nreaders++];
    *r = (CdSystemReader){
        .kind = kind, .item = item, .number = number, .first = g->nfunctions, .n = item->nreadings};
    r->functions = CD_TAKE(&s->arena, CdSystemFunction, (size_t)r->n);
    if (!r->functions) return CD_NOMEM;
    for (int k = 0; k < r->n; k++) {
        CD_TRY(number_function(s, g, where, &item->readings[k], &r->functions[k]));
    }
    g->nfunctions += r->n;
    return CD_OK;
}

// sensors of connectors whose functions read others
static void find_sources(CdSystemSignals *g) {
    for (int i = 0; i < g->nsensors; i++) {
        const CdItem *source = g->sensors[i].probe.source;
        for (int k = 0; source && source->nreadings > 0 && k < g->nreaders; k++) {
            if (g->readers[k].item == source) g->sensors[i].reader = k;
        }
    }
}

static CdStatus number_readers(CdSystem *s, CdSystemSignals *g, const int *where) {
    const size_t most = (size_t)(s->nforces + s->ncoordinates + g->nsensors);
    g->readers = CD_TAKE(&s->arena, CdSystemReader, most);
    if (!g->readers) return CD_NOMEM;
    for (int k = 0; k < s->nforces; k++) {
        CD_TRY(add_reader(s, g, where, CD_READER_FORCE, s->forces[k].item, k));
    }
    for (int k = 0; k < s->ncoordinates; k++) {
        CD_TRY(add_reader(s, g, where, CD_READER_COORDINATES, s->coordinates[k].item, k));
    }
    for (int i = 0; i < g->nsensors; i++) {
        const CdItem *item = g->sensors[i].probe.item;
        if (item->nreadings > 0) g->sensors[i].reader = g->nreaders;
        CD_TRY(add_reader(s, g, where, CD_READER_SENSOR, item, item->index));
    }
    find_sources(g);
    return CD_OK;
}

static void need_functions(CdSystemSignals *g, const CdSystemReader *r) {
    for (int k = 0; k < r->n; k++) {
        const CdSystemFunction *f = &r->functions[k];
        for (int i = 0; i < f->reading->n; i++) g->sensors[f->sensor[i]].needed = true;
    }
}

// what forces read, and what these read: sensors stand behind what they read
static void find_needed(CdSystemSignals *g) {
    for (int k = 0; k < g->nreaders; k++) {
        if (g->readers[k].kind != CD_READER_SENSOR) need_functions(g, &g->readers[k]);
    }
    for (int i = g->nsensors - 1; i >= 0; i--) {
        const CdSystemSensor *x = &g->sensors[i];
        if (x->needed && !x->delayed && x->reader >= 0) need_functions(g, &g->readers[x->reader]);
    }
}

// ---- columns: which velocities

typedef struct Union {
    int n, *v;  // so far
    int *stamp; // of every velocity: the union that it was added to last
    int now;    // this union
} Union;

static void join(Union *u, int n, const int *v) {
    for (int i = 0; i < n; i++) {
        if (u->stamp[v[i]] == u->now) continue;
        u->stamp[v[i]] = u->now;
        u->v[u->n++] = v[i];
    }
}

static CdStatus end_union(CdSystem *s, Union *u, CdColumns *out) {
    *out = (CdColumns){u->n, CD_TAKE(&s->arena, int, (size_t)u->n)};
    if (!out->v) return CD_NOMEM;
    memcpy(out->v, u->v, (size_t)u->n * sizeof *u->v);
    u->n = 0;
    u->now++;
    return CD_OK;
}

static void join_function(Union *u, const CdSystemSignals *g, const CdSystemFunction *f) {
    for (int k = 0; k < f->reading->n; k++) {
        const CdColumns *c = &g->sensors[f->sensor[k]].columns;
        join(u, c->n, c->v);
    }
}

static void join_sensor(Union *u, const CdSystem *s, const CdSystemSignals *g,
                        const CdSystemSensor *x) {
    const CdSystemCoordinates *c = x->probe.coordinates;
    if (x->probe.link) join(u, x->probe.link->n, x->probe.link->v);
    if (c) join(u, c->n, c->v);
    if (x->probe.item->cls->sensor->of == CD_OF_MARKER) {
        const int marker = x->probe.item->marker[0];
        const CdSystemBody *b = &s->bodies[s->model->markers.v[marker].body];
        for (int j = 0; j < b->law->nv; j++) join(u, 1, (int[]){b->v0 + j});
    }
    if (x->reader < 0) return;
    const CdSystemReader *r = &g->readers[x->reader];
    for (int k = 0; k < r->n; k++) join_function(u, g, &r->functions[k]);
}

static CdStatus find_columns(CdSystem *s, CdSystemSignals *g) {
    int *room = CD_TAKE(&s->arena, int, 2 * (size_t)s->nv);
    Union u = {.v = room, .stamp = room + s->nv, .now = 1};
    if (!room) return CD_NOMEM;
    for (int i = 0; i < g->nsensors; i++) {
        CdSystemSensor *x = &g->sensors[i];
        if (!x->needed || x->delayed) continue;
        join_sensor(&u, s, g, x);
        CD_TRY(end_union(s, &u, &x->columns));
        x->slope0 = g->nslopes;
        g->nslopes += 2 * (size_t)x->probe.n * (size_t)x->columns.n;
    }
    for (int k = 0; k < g->nreaders; k++) {
        const CdSystemReader *r = &g->readers[k];
        for (int i = 0; i < r->n && r->kind != CD_READER_SENSOR; i++) {
            join_function(&u, g, &r->functions[i]);
            CD_TRY(end_union(s, &u, &r->functions[i].columns));
        }
    }
    return CD_OK;
}

CdStatus cdi_signals_number(CdSystem *s) {
    if (s->model->order.n == 0) return CD_OK;
    CdSystemSignals *g = s->signals = CD_TAKE(&s->arena, CdSystemSignals, 1);
    int *where = CD_TAKE(&s->arena, int, s->model->of[CD_SENSOR].n);
    if (!g || !where) return CD_NOMEM;
    CD_TRY(number_sensors(s, g, where));
    CD_TRY(number_readers(s, g, where));
    find_needed(g);
    return find_columns(s, g);
}

// ---- pattern

// rows of a force, or of an item on coordinates
static int rows_of(const CdSystem *s, const CdSystemReader *r, const int **rows) {
    if (r->kind == CD_READER_SENSOR) return 0;
    const bool force = r->kind == CD_READER_FORCE;
    *rows = force ? s->forces[r->number].v : s->coordinates[r->number].v;
    return force ? s->forces[r->number].n : s->coordinates[r->number].n;
}

CdStatus cdi_signals_pattern(const CdSystem *s, CdPatternBuilder *b) {
    const CdSystemSignals *g = s->signals;
    for (int k = 0; g && k < g->nreaders; k++) {
        const CdSystemReader *r = &g->readers[k];
        const int *rows;
        const int n = rows_of(s, r, &rows);
        for (int i = 0; i < r->n && n > 0; i++) {
            const CdColumns *c = &r->functions[i].columns;
            CD_TRY(cdi_pattern_add_block(b, n, rows, c->n, c->v));
        }
    }
    return CD_OK;
}

static CdStatus place_function(CdSystem *s, CdSystemFunction *f, int n, const int *rows) {
    const CdColumns *c = &f->columns;
    f->slots = CD_TAKE(&s->arena, int, (size_t)n *(size_t)c->n);
    if (!f->slots) return CD_NOMEM;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < c->n; j++) {
            f->slots[i * c->n + j] = cdi_pattern_slot(s->pattern, rows[i], c->v[j]);
        }
    }
    return CD_OK;
}

CdStatus cdi_signals_place(CdSystem *s) {
    const CdSystemSignals *g = s->signals;
    for (int k = 0; g && k < g->nreaders; k++) {
        const CdSystemReader *r = &g->readers[k];
        const int *rows;
        const int n = rows_of(s, r, &rows);
        for (int i = 0; i < r->n && n > 0; i++) {
            CD_TRY(place_function(s, &r->functions[i], n, rows));
        }
    }
    return CD_OK;
}

// ---- variants: the same names, so the same structure

static const CdItem *in_variant(const CdSystem *s, const CdItem *item) {
    return s->model->of[item->cls->category].v[item->index];
}

static CdStatus vary_reader(CdSystem *s, const CdSystemReader *base, CdSystemReader *r) {
    *r = *base;
    r->item = in_variant(s, base->item);
    r->functions = CD_TAKE(&s->arena, CdSystemFunction, (size_t)r->n);
    if (!r->functions) return CD_NOMEM;
    for (int k = 0; k < r->n; k++) {
        r->functions[k] = base->functions[k];
        r->functions[k].reading = &r->item->readings[k];
    }
    return CD_OK;
}

CdStatus cdi_signals_vary(CdSystem *s) {
    const CdSystemSignals *base = s->signals;
    if (!base) return CD_OK;
    CdSystemSignals *g = s->signals = CD_TAKE(&s->arena, CdSystemSignals, 1);
    if (!g) return CD_NOMEM;
    *g = *base;
    g->sensors = CD_TAKE(&s->arena, CdSystemSensor, (size_t)g->nsensors);
    g->readers = CD_TAKE(&s->arena, CdSystemReader, (size_t)g->nreaders);
    if (!g->sensors || !g->readers) return CD_NOMEM;
    for (int i = 0; i < g->nsensors; i++) {
        CdSystemSensor *x = &g->sensors[i];
        *x = base->sensors[i];
        x->probe = cdi_probe(s, in_variant(s, x->probe.item));
        (void)cdi_sensor_delayed(x->probe.item, &x->start);
    }
    for (int k = 0; k < g->nreaders; k++) {
        CD_TRY(vary_reader(s, &base->readers[k], &g->readers[k]));
    }
    return CD_OK;
}

// ---- copies whose functions are bound

static CdFunction *member(void *data, const CdField *f) {
    return (CdFunction *)(void *)((char *)data + f->offset);
}

static void bind_reader(CdSystemWork *w, int k) {
    const CdSystemReader *r = &w->system->signals->readers[k];
    const CdSignalWork *g = w->signals;
    const size_t size = r->item->cls->desc.size;
    char *copy = g->copy[k], *bare = g->bare[k];
    memcpy(copy, r->item->data, size);
    memcpy(bare, r->item->data, size);
    for (int i = 0; i < r->n; i++) {
        const CdField *f = r->functions[i].reading->field;
        CdBoundFunction *b = &g->bound[r->first + i];
        *b = (CdBoundFunction){
            .of = cdi_item_function(r->item, f), .values = g->value, .pick = r->functions[i].pick};
        *member(copy, f) = cdi_function_bind(b);
        *member(bare, f) = (CdFunction){0};
    }
    const void **data[] = {w->force_data, w->coordinate_data, w->sensor_data};
    data[r->kind][r->number] = copy;
}

void cdi_signals_bind(CdSystemWork *w) {
    for (int k = 0; w->signals && k < w->system->signals->nreaders; k++) bind_reader(w, k);
}

CdStatus cdi_signals_work(CdSystemWork *w) {
    const CdSystemSignals *of = w->system->signals;
    const size_t nv = (size_t)w->system->nv;
    if (!of) return CD_OK;
    CdSignalWork *g = w->signals = CD_TAKE(&w->arena, CdSignalWork, 1);
    if (!g) return CD_NOMEM;
    g->value = CD_TAKE(&w->arena, double, (size_t)of->nvalues);
    g->next = CD_TAKE(&w->arena, double, (size_t)of->nsensors);
    g->bound = CD_TAKE(&w->arena, CdBoundFunction, (size_t)of->nfunctions);
    g->copy = CD_TAKE(&w->arena, void *, (size_t)of->nreaders);
    g->bare = CD_TAKE(&w->arena, void *, (size_t)of->nreaders);
    g->slope = CD_TAKE(&w->arena, double, of->nslopes);
    g->row[0] = CD_TAKE(&w->arena, double, 2 * nv);
    if (!g->value || !g->next || !g->bound || !g->copy || !g->bare || !g->slope || !g->row[0]) {
        return CD_NOMEM;
    }
    g->row[1] = g->row[0] + nv;
    for (int k = 0; k < of->nreaders; k++) {
        const size_t size = of->readers[k].item->cls->desc.size;
        g->copy[k] = cdi_arena_alloc(&w->arena, size, CD_ARENA_ALIGN);
        g->bare[k] = cdi_arena_alloc(&w->arena, size, CD_ARENA_ALIGN);
        if (!g->copy[k] || !g->bare[k]) return CD_NOMEM;
    }
    return CD_OK;
}

// ---- values

static void continue_turns(const CdSystemSensor *x, const double *last, double *out) {
    for (int k = 0; k < x->probe.n; k++) {
        if (x->turns[k] == CD_TURN_ANGLE) {
            out[k] += turns_to(out[k], last[k]);
        } else if (x->turns[k] == CD_TURN_QUATERNION) {
            quat_continue(last + k, out + k);
        }
    }
}

static void eval(CdSystemWork *w, const CdPoint *at, bool complete) {
    const CdSystemSignals *g = w->system->signals;
    for (int i = 0; i < g->nsensors; i++) {
        const CdSystemSensor *x = &g->sensors[i];
        double *out = w->signals->value + x->first;
        if (!complete && !x->needed) continue;
        if (x->delayed) continue; // they are what they were
        cdi_probe_eval(w, &x->probe, at, complete, out, NULL);
        if (x->turns) continue_turns(x, w->memory + x->memory0, out);
    }
}

// others see what is kept
static void recall_delayed(CdSystemWork *w) {
    const CdSystemSignals *g = w->system->signals;
    for (int i = 0; i < g->nsensors; i++) {
        const CdSystemSensor *x = &g->sensors[i];
        if (x->delayed) w->signals->value[x->first] = w->memory[x->memory0];
    }
}

void cdi_signals_force(CdSystemWork *w, const CdPoint *at) {
    if (!w->signals) return;
    recall_delayed(w);
    eval(w, at, false);
}

void cdi_signals_complete(CdSystemWork *w, const CdPoint *at) {
    if (!w->signals) return;
    recall_delayed(w);
    eval(w, at, true);
}

// ---- history

void cdi_signals_begin(CdSystemWork *w) {
    const CdSystemSignals *g = w->system->signals;
    for (int i = 0; g && i < g->nsensors; i++) {
        const CdSystemSensor *x = &g->sensors[i];
        if (x->delayed) w->memory[x->memory0] = x->start;
    }
}

// all see each other as they were
void cdi_signals_remember(CdSystemWork *w, const CdPoint *at) {
    const CdSystemSignals *g = w->system->signals;
    for (int i = 0; g && i < g->nsensors; i++) {
        const CdSystemSensor *x = &g->sensors[i];
        if (x->delayed) cdi_probe_eval(w, &x->probe, at, true, &w->signals->next[i], NULL);
    }
    for (int i = 0; g && i < g->nsensors; i++) {
        const CdSystemSensor *x = &g->sensors[i];
        if (x->memory0 < 0) continue;
        const double *from = x->delayed ? &w->signals->next[i] : w->signals->value + x->first;
        memcpy(w->memory + x->memory0, from, (size_t)x->probe.n * sizeof *from);
    }
}
