// place.c - frames, twists and Jacobians of markers from coordinates of bodies
//
// The formulas stand in system.h.
// Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, ch. 2.
#include <string.h>

#include "system/link.h"
#include "system/tiles.h"

// markers per range of a thread: some microseconds
#define MARKER_GRAIN 64

void cdi_body_twist(const CdSystemBody *b, const double *v, double out[6]) {
    if (b->plain) {
        memcpy(out, v + b->v0, 6 * sizeof *out);
        return;
    }
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int j = 0; j < b->law->nv; j++) out[i] += b->J[i * b->law->nv + j] * v[b->v0 + j];
    }
}

void cdi_marker_twist(const CdFrame *body, const CdFrame *offset, const double twist[6],
                      double out[6]) {
    double ws[3], Rws[3];
    cross3(&twist[3], offset->p, ws);
    mul3v(body->R, ws, Rws);
    add3(twist, Rws, out);
    tmul3v(offset->R, &twist[3], &out[3]);
}

void cdi_marker_wrench(const CdFrame *body, const CdFrame *offset, const double w[6],
                       double out[6]) {
    double F[3], sF[3], m[3];
    tmul3v(body->R, w, F);
    cross3(offset->p, F, sF);
    mul3v(offset->R, &w[3], m);
    copy3(w, out);
    add3(sF, m, &out[3]);
}

static void marker_bias(const CdFrame *body, const CdFrame *offset, const double twist[6],
                        double out[6]) {
    double ws[3], wws[3];
    cross3(&twist[3], offset->p, ws);
    cross3(&twist[3], ws, wws);
    mul3v(body->R, wws, out);
    zero3(&out[3]);
}

typedef struct Task {
    CdSystemWork *w;
    const double *q, *v;
    bool bias;
} Task;

static void place_body(CdSystemWork *w, int i, const double *q, const double *v) {
    const CdSystemBody *b = &w->system->bodies[i];
    b->law->frame(b->p, q + b->q0, &w->body[i]);
    if (v) cdi_body_twist(b, v, w->body_twist[i]);
}

static void place_tile(CdSystemWork *w, const CdBodyTile *tile, const double *q, const double *v) {
    w->system->tiles->ops->frames(tile, q, w->body);
    for (int l = 0; v && l < tile->n; l++) {
        const int i = tile->body[l];
        if (tile->nv == CD_BODY_NV_MAX) {
            memcpy(w->body_twist[i], v + tile->v0[l], sizeof *w->body_twist);
        } else {
            cdi_body_twist(&w->system->bodies[i], v, w->body_twist[i]);
        }
    }
}

static void place_span(CdSystemWork *w, const CdSpan *span, const double *q, const double *v) {
    const CdSystemTiles *t = w->system->tiles;
    for (int i = span->begin[CD_SPAN_BODY_TILES]; i < span->end[CD_SPAN_BODY_TILES]; i++) {
        place_tile(w, &t->bodies[i], q, v);
    }
    for (int i = span->begin[CD_SPAN_LONE_BODIES]; i < span->end[CD_SPAN_LONE_BODIES]; i++) {
        place_body(w, t->lone_bodies.v[i], q, v);
    }
}

static void place_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    const CdSpan span = cdi_span_of_shares(task->w->system, begin, end);
    (void)worker;
    place_span(task->w, &span, task->q, task->v);
}

static void place_bodies(CdSystemWork *w, const double *q, const double *v) {
    if (cdi_worth_sharing(w) && w->system->tiles->nbodies > CD_SHARED_TILES) {
        cdi_run_shares(w->pool, place_range, &(Task){.w = w, .q = q, .v = v});
    } else {
        const CdSpan all = cdi_span_of_all(w->system);
        place_span(w, &all, q, v);
    }
}

static void place_marker(CdSystemWork *w, int i, bool twist, bool bias) {
    const CdMarker *m = &w->system->model->markers.v[i];
    const CdFrame *body = &w->body[m->body];
    const double *v = w->body_twist[m->body];
    frame_compose(body, &m->offset, &w->frame[i]);
    if (twist) cdi_marker_twist(body, &m->offset, v, w->twist[i]);
    if (bias) marker_bias(body, &m->offset, v, w->bias[i]);
}

// are two markers at one place of one body? Sensors and loads of a body come one after another
static bool same_place(const CdMarker *a, const CdMarker *b) {
    return a->body == b->body && memcmp(&a->offset, &b->offset, sizeof a->offset) == 0;
}

static void place_all(CdSystemWork *w, bool twist, bool bias) {
    const CdMarker *m = w->system->model->markers.v;
    for (int i = 0; i < w->system->nmarkers; i++) {
        if (i == 0 || !same_place(&m[i - 1], &m[i])) {
            place_marker(w, i, twist, bias);
            continue;
        }
        w->frame[i] = w->frame[i - 1];
        if (twist) memcpy(w->twist[i], w->twist[i - 1], sizeof *w->twist);
        if (bias) memcpy(w->bias[i], w->bias[i - 1], sizeof *w->bias);
    }
}

void cdi_system_place(CdSystemWork *w, const double *q, const double *v) {
    place_bodies(w, q, v);
    place_all(w, v != NULL, v != NULL);
}

// of links that are evaluated one by one
static void marker_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    const int *markers = task->w->system->tiles->markers.v;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        place_marker(task->w, markers[i], task->v != NULL, task->bias);
    }
}

void cdi_span_place(CdSystemWork *w, const CdSpan *span, const double *q, const double *v,
                    bool bias) {
    Task task = {.w = w, .q = q, .v = v, .bias = bias};
    place_span(w, span, q, v);
    marker_range(&task, (size_t)span->begin[CD_SPAN_MARKERS], (size_t)span->end[CD_SPAN_MARKERS],
                 0);
}

void cdi_system_place_links(CdSystemWork *w, const double *q, const double *v, bool bias) {
    const CdSystem *s = w->system;
    place_bodies(w, q, v);
    if (s->signals) { // sensors may read any
        place_all(w, v != NULL, bias);
        return;
    }
    Task task = {.w = w, .q = q, .v = v, .bias = bias};
    const size_t n = (size_t)s->tiles->markers.n;
    if (n <= MARKER_GRAIN) {
        marker_range(&task, 0, n, 0);
    } else {
        cd_parallel_for(w->pool, n, MARKER_GRAIN, marker_range, &task);
    }
}

// ---- a marker's directions from the velocities of its body

const CdSystemBody *cdi_marker_body(const CdSystemWork *w, int marker) {
    return &w->system->bodies[w->system->model->markers.v[marker].body];
}

void cdi_marker_jacobian(const CdSystemWork *w, int marker, double *X) {
    const CdMarker *m = &w->system->model->markers.v[marker];
    const CdSystemBody *b = &w->system->bodies[m->body];
    const int nv = b->law->nv;
    for (int j = 0; j < nv; j++) {
        double in[6], out[6];
        for (int i = 0; i < 6; i++) in[i] = b->J[i * nv + j];
        cdi_marker_twist(&w->body[m->body], &m->offset, in, out);
        for (int i = 0; i < 6; i++) X[i * nv + j] = out[i];
    }
}

void cdi_marker_force(const CdSystemWork *w, int marker, const double wrench[6], double *f) {
    const CdMarker *m = &w->system->model->markers.v[marker];
    const CdSystemBody *b = &w->system->bodies[m->body];
    const int nv = b->law->nv;
    double at_body[6];
    if (nv == 0) return;
    if (b->plain) {
        cdi_marker_wrench(&w->body[m->body], &m->offset, wrench, f);
        return;
    }
    cdi_marker_wrench(&w->body[m->body], &m->offset, wrench, at_body);
    for (int j = 0; j < nv; j++) {
        f[j] = 0;
        for (int i = 0; i < 6; i++) f[j] += b->J[i * nv + j] * at_body[i];
    }
}

// J_b^T A J_b for A that acts on rotations of the body only, added to out (nv x nv, rows ld apart)
static void add_rotational(const CdSystemBody *b, const double A[9], double *out, int ld) {
    const int nv = b->law->nv;
    if (b->plain) {
        for (int k = 0; k < 9; k++) out[(3 + k / 3) * ld + 3 + k % 3] += A[k];
        return;
    }
    for (int i = 0; i < nv; i++) {
        for (int j = 0; j < nv; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                for (int l = 0; l < 3; l++) {
                    sum += b->J[(3 + k) * nv + i] * A[3 * k + l] * b->J[(3 + l) * nv + j];
                }
            }
            out[i * ld + j] += sum;
        }
    }
}

void cdi_marker_curvature(const CdSystemWork *w, int marker, const double wrench[6], double *K,
                          int ld) {
    const CdMarker *m = &w->system->model->markers.v[marker];
    const CdSystemBody *b = &w->system->bodies[m->body];
    double F[3], S[9], T[9], A[9];
    if (b->law->nv == 0) return;
    tmul3v(w->body[m->body].R, wrench, F);
    skew3(m->offset.p, S);
    skew3(F, T);
    mul33(S, T, A);
    add_rotational(b, A, K, ld);
}

void cdi_marker_add_slope(const CdSystemWork *w, int marker, const double wrench[6], double *f) {
    const CdMarker *m = &w->system->model->markers.v[marker];
    const CdSystemBody *b = &w->system->bodies[m->body];
    const int nv = b->law->nv;
    double ws[3], F[3], torque[3];
    if (nv == 0) return;
    cross3(&w->body_twist[m->body][3], m->offset.p, ws);
    tmul3v(w->body[m->body].R, wrench, F);
    cross3(ws, F, torque);
    for (int k = 0; b->plain && k < 3; k++) f[3 + k] += torque[k];
    for (int j = 0; !b->plain && j < nv; j++) {
        for (int k = 0; k < 3; k++) f[j] += b->J[(3 + k) * nv + j] * torque[k];
    }
}

void cdi_marker_twist_slope(const CdSystemWork *w, int marker, double *T) {
    const CdMarker *m = &w->system->model->markers.v[marker];
    const CdSystemBody *b = &w->system->bodies[m->body];
    const int nv = b->law->nv;
    double ws[3], S[9], RS[9];
    cross3(&w->body_twist[m->body][3], m->offset.p, ws);
    skew3(ws, S);
    mul33(w->body[m->body].R, S, RS);
    memset(T, 0, (size_t)(6 * nv) * sizeof *T);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < nv; j++) {
            for (int k = 0; k < 3; k++) T[i * nv + j] -= RS[3 * i + k] * b->J[(3 + k) * nv + j];
        }
    }
}
