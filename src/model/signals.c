// signals.c - sensors that expressions name: found, put in order, circles and delays checked
//
//   "-k*tip.x - c*hinge.angle_rate"      <sensor>.<number>, or a sensor alone that has one number
//
// A sensor is late if it follows from forces: accelerations, reactions, sums over the system, and
// what is computed from these. Forces read late sensors only through a computed one with a delay.
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/names.h"

#define TEXT_MAX 400
#define LIST_MAX 200

// beyond this many wrong names, what may have been meant is no longer looked for
#define SUGGESTIONS_MAX 100

// sensors of a circle that a message names
#define CHAIN_MAX 8

const CdFunction *cdi_item_function(const CdItem *item, const CdField *f) {
    return (const CdFunction *)(const void *)((const char *)item->data + f->offset);
}

bool cdi_sensor_delayed(const CdItem *sensor, double *start) {
    const CdSensorLaw *law = sensor->cls->sensor;
    return law->delayed && law->delayed(sensor->data, start);
}

static const CdItemClass *source_class(const CdItem *sensor) {
    const CdItem *source = cdi_item_source(sensor);
    return source ? source->cls : NULL;
}

static int size_of(const CdItem *sensor) {
    return sensor->cls->sensor->size(sensor->data, source_class(sensor));
}

static void part_name(const CdItem *sensor, int k, char name[CD_CHANNEL_NAME_MAX]) {
    sensor->cls->sensor->name(sensor->data, source_class(sensor), k, name);
}

// ---- one name

typedef struct Place { // name k of a function of an item
    CdModel *m;
    const CdItem *item;
    const CdField *field;
    const char *name;
    int col;
} Place;

CD_PRINTF(2, 3) static CdStatus complain(const Place *at, const char *fmt, ...) {
    char text[TEXT_MAX], shown[CD_SHOWN_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return cdi_item_complain(
        at->item, at->field->name, "in \"%s\", column %d: %s",
        cdi_shown(cdi_function_text(cdi_item_function(at->item, at->field)), shown), at->col, text);
}

static const char *inside(const CdScope *scope, const char *name) {
    const size_t n = strlen(scope->prefix);
    return strncmp(name, scope->prefix, n) == 0 ? name + n : name;
}

// all channels, as the expression would name them
static CdStatus suggest_channels(const Place *at, CdSuggestion *s) {
    CdModel *m = at->m;
    for (size_t i = 0; i < m->of[CD_SENSOR].n; i++) {
        const CdItem *sensor = m->of[CD_SENSOR].v[i];
        const char *name = inside(at->item->scope, cdi_item_name(sensor));
        if (sensor->broken) continue;
        for (int k = 0; k < size_of(sensor); k++) {
            char part[CD_CHANNEL_NAME_MAX];
            part_name(sensor, k, part);
            char *full = cdi_arena_alloc(&m->arena, strlen(name) + strlen(part) + 2, 1);
            if (!full) return CD_NOMEM;
            sprintf(full, "%s.%s", name, part);
            cdi_suggest_from(s, full);
        }
        if (size_of(sensor) == 1) cdi_suggest_from(s, name);
    }
    return CD_OK;
}

static CdStatus unknown(const Place *at) {
    char shown[CD_SHOWN_MAX];
    CdSuggestion s = {.word = at->name};
    if (at->m->suggested++ < SUGGESTIONS_MAX) {
        cdi_function_suggest(&s, at->field, at->item->scope->params);
        CD_TRY(suggest_channels(at, &s));
    }
    return complain(at, "unknown name '%s'%s%s%s", cdi_shown(at->name, shown),
                    s.name ? "; did you mean '" : "", s.name ? s.name : "", s.name ? "'?" : "");
}

// "x, y, z"
static void list_parts(const CdItem *sensor, char list[LIST_MAX]) {
    size_t n = 0;
    for (int k = 0; k < size_of(sensor) && n < LIST_MAX; k++) {
        char part[CD_CHANNEL_NAME_MAX];
        part_name(sensor, k, part);
        n += (size_t)snprintf(list + n, LIST_MAX - n, "%s%s", k > 0 ? ", " : "", part);
    }
}

// part NULL: the only number
static CdStatus find_component(const Place *at, const CdItem *sensor, const char *part, int *k) {
    char name[CD_CHANNEL_NAME_MAX], list[LIST_MAX], shown[CD_SHOWN_MAX];
    const int n = size_of(sensor);
    *k = 0;
    if (!part && n == 1) return CD_OK;
    list_parts(sensor, list);
    if (!part) {
        return complain(at, "sensor '%s' has %d numbers; choose one of %s", cdi_item_name(sensor),
                        n, list);
    }
    for (; *k < n; ++*k) {
        part_name(sensor, *k, name);
        if (strcmp(name, part) == 0) return CD_OK;
    }
    return complain(at, "sensor '%s' has no number '%s'; it has %s", cdi_item_name(sensor),
                    cdi_shown(part, shown), list);
}

static CdStatus take_sensor(const Place *at, CdItem *sensor, const char *part, CdSignal *out) {
    if (sensor->broken) return CD_INVALID;
    if (!at->field->sensors) {
        return complain(at,
                        "'%s' is a sensor, which this field cannot read, as its rate in time is "
                        "needed; let the force of a load or connector read it",
                        cdi_item_name(sensor));
    }
    sensor->read = true;
    out->sensor = sensor;
    return find_component(at, sensor, part, &out->component);
}

static bool is_sensor(const CdName *name) {
    return name && name->item && name->item->cls->category == CD_SENSOR;
}

static CdStatus find_signal(const Place *at, CdSignal *out) {
    CdModel *m = at->m;
    const CdScope *scope = at->item->scope;
    const char *dot = strrchr(at->name, '.');
    const CdName *whole, *owner = NULL;
    CD_TRY(cdi_names_lookup(m, scope, at->name, &whole));
    if (is_sensor(whole)) return take_sensor(at, whole->item, NULL, out);
    if (dot) {
        const char *head = cdi_arena_strndup(&m->arena, at->name, (size_t)(dot - at->name));
        if (!head) return CD_NOMEM;
        CD_TRY(cdi_names_lookup(m, scope, head, &owner));
    }
    if (is_sensor(owner)) return take_sensor(at, owner->item, dot + 1, out);
    if (cdi_names_lost(m, scope, at->name)) return CD_INVALID;
    const CdName *other = whole ? whole : owner;
    if (!other) return unknown(at);
    if (!other->item) return CD_INVALID; // it was refused, which was told
    return complain(at, "'%s' is a %s, not a sensor; add a sensor that looks at it", other->text,
                    cdi_category_names[other->item->cls->category]);
}

// ---- all functions of an item

static CdStatus read_function(CdModel *m, const CdItem *item, const CdField *f, CdReading *out) {
    const CdFunction *function = cdi_item_function(item, f);
    const int n = cdi_function_names(function);
    CdSignal *v = CD_TAKE(&m->arena, CdSignal, (size_t)n);
    CdStatus status = CD_OK;
    if (!v) return CD_NOMEM;
    *out = (CdReading){.field = f, .n = n, .v = v};
    for (int k = 0; k < n; k++) {
        Place at = {.m = m, .item = item, .field = f};
        at.name = cdi_function_name(function, k, &at.col);
        CD_COLLECT(status, find_signal(&at, &v[k]));
    }
    return status;
}

static bool reads(const CdItem *item, const CdField *f) {
    return f->type == CD_TYPE_FUNCTION && cdi_function_names(cdi_item_function(item, f)) > 0;
}

static CdStatus read_item(CdModel *m, CdItem *item) {
    const CdDesc *desc = &item->cls->desc;
    CdStatus status = CD_OK;
    int n = 0;
    item->nreadings = 0;
    if (item->broken) return CD_OK;
    for (int i = 0; i < desc->nfields; i++) n += reads(item, &desc->fields[i]);
    if (n == 0) return CD_OK;
    CdReading *readings = CD_TAKE(&m->arena, CdReading, (size_t)n);
    if (!readings) return CD_NOMEM;
    n = 0;
    for (int i = 0; i < desc->nfields; i++) {
        const CdField *f = &desc->fields[i];
        if (reads(item, f)) CD_COLLECT(status, read_function(m, item, f, &readings[n++]));
    }
    item->broken = status != CD_OK;
    item->readings = readings;
    item->nreadings = status == CD_OK ? n : 0;
    return status;
}

// ---- order: depth first, each sensor behind all that it reads

typedef enum Mark { NEW, OPEN, DONE } Mark;

typedef struct Visit {
    CdItem *sensor;
    int reading, k; // what is looked at next
} Visit;

typedef struct Walk {
    CdModel *m;
    Mark *mark;   // by number of the sensor
    Visit *stack; // the way from the first one to here
    int depth;
} Walk;

// whose functions decide the value of a sensor: its own, or those of the connector
static const CdItem *reader_of(const CdItem *sensor) {
    const CdItem *source = cdi_item_source(sensor);
    return source ? source : sensor;
}

// the next one that must be known before; NULL: none is left
static CdItem *next_before(Visit *v) {
    const CdItem *reader = reader_of(v->sensor);
    for (; v->reading < reader->nreadings; v->reading++, v->k = 0) {
        const CdReading *r = &reader->readings[v->reading];
        while (v->k < r->n) {
            CdItem *sensor = (CdItem *)r->v[v->k++].sensor; // an item of this model
            double start;
            if (!cdi_sensor_delayed(sensor, &start)) return sensor;
        }
    }
    return NULL;
}

static bool is_late(const CdItem *sensor) {
    const CdSensorLaw *law = sensor->cls->sensor;
    Visit v = {.sensor = (CdItem *)sensor};
    double start;
    if (cdi_sensor_delayed(sensor, &start)) return false;
    if (law->of != CD_OF_SENSORS) {
        return !law->at_once || !law->at_once(sensor->data, source_class(sensor));
    }
    for (const CdItem *before = next_before(&v); before; before = next_before(&v)) {
        if (before->late) return true;
    }
    return false;
}

static CdStatus report_circle(const Walk *w, const CdItem *again) {
    const CdItem *last = w->stack[w->depth - 1].sensor;
    CdText chain;
    int from = 0;
    while (w->stack[from].sensor != again) from++;
    cdi_text_init(&chain, w->m->ctx);
    for (int i = from; i < w->depth && i < from + CHAIN_MAX; i++) {
        cdi_text_addf(&chain, "%s -> ", cdi_item_name(w->stack[i].sensor));
    }
    if (w->depth > from + CHAIN_MAX) cdi_text_add(&chain, "... -> ");
    cdi_text_add(&chain, cdi_item_name(again));
    const CdStatus status = chain.status;
    if (status == CD_OK) {
        cdi_item_complain(last, NULL,
                          "reads itself: %s; put an ExpressionSensor with \"delay\": true between",
                          chain.v);
    }
    cdi_text_free(&chain);
    return status == CD_OK ? CD_INVALID : status;
}

static CdStatus visit(Walk *w, CdItem *root) {
    CdStatus status = CD_OK;
    if (w->mark[root->index] != NEW) return CD_OK;
    w->stack[w->depth++] = (Visit){.sensor = root};
    w->mark[root->index] = OPEN;
    while (w->depth > 0) {
        Visit *top = &w->stack[w->depth - 1];
        CdItem *before = next_before(top);
        if (!before) {
            top->sensor->late = is_late(top->sensor);
            w->mark[top->sensor->index] = DONE;
            w->depth--;
            CD_TRY(CD_PUSH(w->m->ctx, w->m->order, top->sensor));
        } else if (w->mark[before->index] == NEW) {
            w->mark[before->index] = OPEN;
            w->stack[w->depth++] = (Visit){.sensor = before};
        } else if (w->mark[before->index] == OPEN) {
            CD_COLLECT(status, report_circle(w, before));
        }
    }
    return status;
}

static bool is_computed(const CdItem *sensor) {
    return sensor->cls->sensor->of == CD_OF_SENSORS;
}

static CdStatus order_sensors(CdModel *m) {
    const size_t n = m->of[CD_SENSOR].n;
    Walk w = {.m = m, .mark = CD_TAKE(&m->arena, Mark, n), .stack = CD_TAKE(&m->arena, Visit, n)};
    CdStatus status = CD_OK;
    double start;
    if (!w.mark || !w.stack) return CD_NOMEM;
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            CdItem *sensor = m->of[CD_SENSOR].v[i];
            if (sensor->broken || (!sensor->read && !is_computed(sensor))) continue;
            if (cdi_sensor_delayed(sensor, &start) != (pass == 1)) continue;
            CD_COLLECT(status, pass == 0 ? visit(&w, sensor) : CD_PUSH(m->ctx, m->order, sensor));
        }
    }
    return status;
}

// ---- forces read only what is known before them

static CdStatus check_reading(CdModel *m, const CdItem *item, const CdReading *r) {
    CdStatus status = CD_OK;
    for (int k = 0; k < r->n; k++) {
        Place at = {.m = m, .item = item, .field = r->field};
        if (!r->v[k].sensor->late) continue;
        at.name = cdi_function_name(cdi_item_function(item, r->field), k, &at.col);
        status = complain(&at,
                          "'%s' follows from forces and cannot be read by one; let an "
                          "ExpressionSensor with \"delay\": true read it",
                          at.name);
    }
    return status;
}

static CdStatus check_forces(CdModel *m) {
    CdStatus status = CD_OK;
    for (CdCategory c = CD_CONNECTOR; c <= CD_LOAD; c++) {
        for (size_t i = 0; i < m->of[c].n; i++) {
            const CdItem *item = m->of[c].v[i];
            for (int k = 0; k < item->nreadings; k++) {
                CD_COLLECT(status, check_reading(m, item, &item->readings[k]));
            }
        }
    }
    return status;
}

CdStatus cdi_signals_resolve(CdModel *m) {
    CdStatus status = CD_OK;
    m->order.n = 0;
    for (size_t i = 0; i < m->of[CD_SENSOR].n; i++) m->of[CD_SENSOR].v[i]->read = false;
    for (size_t i = 0; i < m->items.n; i++) CD_COLLECT(status, read_item(m, m->items.v[i]));
    CD_COLLECT(status, order_sensors(m));
    CD_COLLECT(status, check_forces(m));
    return status;
}
