// channels.c - what a run writes down: numbers of sensors, or places of all bodies without sensors
//
// Every probe (a sensor, or a body) fills a stretch of raw numbers, of which the wanted ones are
// handed out. Angles go on from turn to turn: the turn is the one nearest to
//   angle(t0) + (rate(t0) + rate(t))/2 (t - t0),
// t0 the last call. Quaternions keep the sign that is nearest to the last one.
#include "system/channels.h"

#include <string.h>

#include "math/turns.h"
#include "system/link.h"
#include "system/sense.h"
#include "system/signals.h"

enum { BODY_NUMBERS = 7 };
static const char *const body_names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};

typedef struct Probe {
    const CdItem *item; // sensor or body
    CdProbe sensor;
    int first, n; // among the raw numbers
    bool wanted;
} Probe;

// how a raw number is continued from call to call
typedef enum Kind { PLAIN, ANGLE, QUATERNION /* the first of its four */ } Kind;

typedef struct CdChannelWork {
    int nprobes, nraw;
    Probe *probes;
    double *raw, *rate;           // now
    double *last_raw, *last_rate; // at the last call, made continuous
    CdChannel *all;               // of the raw numbers
    Kind *kind;
    int *pick;          // raw number of every channel
    CdChannel *channel; // those
    double t;
    bool begun;
} CdChannelWork;

// ---- probes

static bool is_body(const Probe *p) {
    return p->item->cls->category == CD_BODY;
}

static const CdItemClass *source_class(const Probe *p) {
    return p->sensor.source ? p->sensor.source->cls : NULL;
}

static Probe sensor_probe(const CdSystem *s, const CdItem *item) {
    const CdProbe sensor = cdi_probe(s, item);
    return (Probe){.item = item, .sensor = sensor, .n = sensor.n};
}

// all sensors; without any, all bodies but the ground
static Probe make_probe(const CdSystem *s, int k) {
    const CdModel *m = s->model;
    if (m->of[CD_SENSOR].n > 0) return sensor_probe(s, m->of[CD_SENSOR].v[k]);
    return (Probe){.item = m->of[CD_BODY].v[k + 1], .n = BODY_NUMBERS};
}

static CdStatus make_probes(CdChannels *c) {
    const CdModel *m = c->system->model;
    CdChannelWork *w = c->work;
    const size_t nsensors = m->of[CD_SENSOR].n, nbodies = m->of[CD_BODY].n - 1;
    w->nprobes = (int)(nsensors > 0 ? nsensors : nbodies);
    w->probes = CD_TAKE(&c->arena, Probe, (size_t)w->nprobes);
    if (!w->probes) return CD_NOMEM;
    for (int k = 0; k < w->nprobes; k++) {
        w->probes[k] = make_probe(c->system, k);
        w->probes[k].first = w->nraw;
        w->nraw += w->probes[k].n;
    }
    return CD_OK;
}

// ---- names

static CdStatus full_name(CdChannels *c, const char *item, const char *part, const char **name) {
    const size_t n = strlen(item), m = strlen(part);
    char *text = cdi_arena_alloc(&c->arena, n + m + 2, 1);
    if (!text) return CD_NOMEM;
    memcpy(text, item, n);
    text[n] = '.';
    memcpy(text + n + 1, part, m + 1);
    *name = text;
    return CD_OK;
}

static CdStatus name_sensor(CdChannels *c, const Probe *p, int k) {
    const CdSensorLaw *law = p->item->cls->sensor;
    CdChannel *channel = &c->work->all[p->first + k];
    char part[CD_CHANNEL_NAME_MAX];
    law->name(p->item->data, source_class(p), k, part);
    channel->unit = law->unit(p->item->data, source_class(p), k);
    Kind *kind = &c->work->kind[p->first + k];
    if (cdi_probe_turns(&p->sensor, k)) *kind = ANGLE;
    if (cdi_probe_flips(&p->sensor, k)) *kind = QUATERNION;
    return full_name(c, cdi_item_name(p->item), part, &channel->name);
}

static CdStatus name_raw(CdChannels *c) {
    CdChannelWork *w = c->work;
    for (int i = 0; i < w->nprobes; i++) {
        const Probe *p = &w->probes[i];
        for (int k = 0; k < p->n; k++) {
            CdChannel *channel = &w->all[p->first + k];
            if (!is_body(p)) {
                CD_TRY(name_sensor(c, p, k));
                continue;
            }
            channel->unit = k < 3 ? "m" : "1";
            w->kind[p->first + k] = k == 3 ? QUATERNION : PLAIN;
            CD_TRY(full_name(c, cdi_item_name(p->item), body_names[k], &channel->name));
        }
    }
    return CD_OK;
}

// ---- patterns

static CdStatus check_pattern(CdContext *ctx, const CdChannel *all, int n, const char *pattern) {
    CdSuggestion s = {.word = pattern};
    for (int k = 0; k < n; k++) {
        if (cdi_matches(pattern, all[k].name)) return CD_OK;
        cdi_suggest_from(&s, all[k].name);
    }
    if (s.name) {
        return cdi_fail(ctx, CD_NOTFOUND, "no channel matches '%s'; did you mean '%s'?", pattern,
                        s.name);
    }
    return cdi_fail(ctx, CD_NOTFOUND, "no channel matches '%s'; there are %d%s%s%s", pattern, n,
                    n > 0 ? ", the first is '" : "", n > 0 ? all[0].name : "", n > 0 ? "'" : "");
}

static bool wanted(const char *name, const char *const *patterns, int n) {
    bool any = n == 0;
    for (int i = 0; i < n; i++) any = any || cdi_matches(patterns[i], name);
    return any;
}

CdStatus cdi_channels_match(CdContext *ctx, const CdChannel *all, int n,
                            const char *const *patterns, int npatterns, int *pick, int *npicked) {
    CdStatus status = CD_OK;
    for (int i = 0; i < npatterns; i++) {
        const CdStatus found = check_pattern(ctx, all, n, patterns[i]);
        if (found != CD_OK) status = found;
    }
    *npicked = 0;
    for (int k = 0; k < n && status == CD_OK; k++) {
        if (wanted(all[k].name, patterns, npatterns)) pick[(*npicked)++] = k;
    }
    return status;
}

static CdStatus pick_channels(CdChannels *c, const char *const *patterns, int npatterns) {
    CdChannelWork *w = c->work;
    CD_TRY(cdi_channels_match(c->ctx, w->all, w->nraw, patterns, npatterns, w->pick, &c->n));
    CdChannel *v = CD_TAKE(&c->arena, CdChannel, (size_t)w->nraw);
    if (!v) return CD_NOMEM;
    for (int i = 0, p = 0; i < c->n; i++) {
        v[i] = w->all[w->pick[i]];
        while (w->pick[i] >= w->probes[p].first + w->probes[p].n) p++;
        w->probes[p].wanted = true;
    }
    c->v = w->channel = v;
    return CD_OK;
}

// ---- life

static CdStatus take_numbers(CdChannels *c) {
    CdChannelWork *w = c->work;
    const size_t n = (size_t)w->nraw;
    w->raw = CD_TAKE(&c->arena, double, 4 * n);
    w->all = CD_TAKE(&c->arena, CdChannel, n);
    w->kind = CD_TAKE(&c->arena, Kind, n);
    w->pick = CD_TAKE(&c->arena, int, n);
    if (!w->raw || !w->all || !w->kind || !w->pick) return CD_NOMEM;
    w->rate = w->raw + n;
    w->last_raw = w->rate + n;
    w->last_rate = w->last_raw + n;
    return CD_OK;
}

static CdStatus make(CdChannels *c, const char *const *patterns, int npatterns) {
    c->work = CD_TAKE(&c->arena, CdChannelWork, 1);
    if (!c->work) return CD_NOMEM;
    CD_TRY(make_probes(c));
    CD_TRY(take_numbers(c));
    CD_TRY(name_raw(c));
    return pick_channels(c, patterns, npatterns);
}

CdStatus cdi_channels_new(const CdSystem *system, const char *const *patterns, int npatterns,
                          CdChannels **channels) {
    CdChannels *c = *channels = cdi_alloc(system->ctx, sizeof *c);
    if (!c) return CD_NOMEM;
    *c = (CdChannels){.ctx = system->ctx, .system = system};
    cdi_arena_init(&c->arena, system->ctx, 0);
    const CdStatus status = make(c, patterns, npatterns);
    if (status != CD_OK) {
        cdi_channels_free(c);
        *channels = NULL;
    }
    return status;
}

void cdi_channels_free(CdChannels *c) {
    if (!c) return;
    CdContext *ctx = c->ctx;
    cdi_arena_clear(&c->arena);
    cdi_free(ctx, c);
}

void cdi_channels_mark(CdChannels *c, const bool *rows) {
    CdChannelWork *w = c->work;
    for (int i = 0; i < w->nprobes; i++) {
        const Probe *p = &w->probes[i];
        const bool mark = !is_body(p) && cdi_probe_marked(&p->sensor, rows);
        for (int k = p->first; k < p->first + p->n; k++) w->all[k].not_unique = mark;
    }
    for (int k = 0; k < c->n; k++) w->channel[k].not_unique = w->all[w->pick[k]].not_unique;
}

void cdi_channels_use(CdChannels *c, const CdSystem *system) {
    CdChannelWork *w = c->work;
    c->system = system;
    for (int k = 0; k < w->nprobes; k++) {
        const Probe old = w->probes[k];
        w->probes[k] = make_probe(system, k);
        w->probes[k].first = old.first;
        w->probes[k].wanted = old.wanted;
    }
}

// ---- values

static void eval_body(const CdSystemWork *work, const Probe *p, double *out) {
    CdFrame f;
    cdi_sense_body(work, p->item->index, &f);
    copy3(f.p, out);
    quat_from_mat(f.R, out + 3);
}

static void continue_angle(CdChannelWork *w, int k, double dt) {
    const double grown = (w->last_rate[k] + w->rate[k]) / 2 * dt;
    const double guess = w->last_raw[k] + (isfinite(grown) ? grown : 0);
    w->raw[k] += turns_to(w->raw[k], guess);
}

static void continue_all(CdChannelWork *w, double t) {
    for (int k = 0; k < w->nraw && w->begun; k++) {
        if (w->kind[k] == ANGLE) continue_angle(w, k, t - w->t);
        if (w->kind[k] == QUATERNION) quat_continue(w->last_raw + k, w->raw + k);
    }
    memcpy(w->last_raw, w->raw, (size_t)w->nraw * sizeof *w->raw);
    memcpy(w->last_rate, w->rate, (size_t)w->nraw * sizeof *w->rate);
    w->t = t;
    w->begun = true;
}

CdStatus cdi_channels_eval(CdChannels *c, CdSystemWork *work, const CdPoint *at, double *values) {
    CdChannelWork *w = c->work;
    cdi_system_place(work, at->q, at->v);
    cdi_signals_complete(work, at);
    for (int i = 0; i < w->nprobes; i++) {
        const Probe *p = &w->probes[i];
        if (!p->wanted) continue;
        if (is_body(p)) {
            eval_body(work, p, w->raw + p->first);
        } else {
            cdi_probe_eval(work, &p->sensor, at, true, w->raw + p->first, w->rate + p->first);
        }
    }
    continue_all(w, at->t);
    for (int i = 0; i < c->n; i++) values[i] = w->raw[w->pick[i]];
    return CD_OK;
}

// ---- history

typedef struct History {
    double t;
    bool begun;
} History;

void cdi_channels_restart(CdChannels *c) {
    c->work->begun = false;
}

size_t cdi_channels_save_size(const CdChannels *c) {
    return sizeof(History) + 2 * (size_t)c->work->nraw * sizeof(double);
}

void cdi_channels_save(const CdChannels *c, void *to) {
    const CdChannelWork *w = c->work;
    const History h = {w->t, w->begun};
    const size_t n = (size_t)w->nraw * sizeof(double);
    memcpy(to, &h, sizeof h);
    memcpy((char *)to + sizeof h, w->last_raw, n);
    memcpy((char *)to + sizeof h + n, w->last_rate, n);
}

void cdi_channels_load(CdChannels *c, const void *from) {
    CdChannelWork *w = c->work;
    History h;
    const size_t n = (size_t)w->nraw * sizeof(double);
    memcpy(&h, from, sizeof h);
    memcpy(w->last_raw, (const char *)from + sizeof h, n);
    memcpy(w->last_rate, (const char *)from + sizeof h + n, n);
    w->t = h.t;
    w->begun = h.begun;
}
