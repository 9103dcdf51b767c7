// signals_slope.c - derivatives of forces through the sensors that their functions read
//
//   ds/dq = S_x X + S_v T,  ds/dv = S_v X       S: derivatives of a sensor to frames and twists
//   of computed sensors: ds/dq = sum dE/ds_j ds_j/dq
//
// X and T are those of markers: twist = X v, T = d(twist)/dq.
#include <math.h>
#include <string.h>

#include "system/link.h"
#include "system/signals.h"

#define DIRECTIONS 12
#define SENSOR_N_MAX 16

// numbers of one sensor's derivatives
typedef struct Slope {
    int n, columns;
    double *to_q, *to_v; // n x columns
} Slope;

static Slope slope_of(const CdSystemWork *w, const CdSystemSensor *x) {
    const int n = x->probe.n, columns = x->columns.n;
    double *at = w->signals->slope + x->slope0;
    return (Slope){n, columns, at, at + n * columns};
}

// ---- sensors of markers and joints

// J: n x 2m to directions and twists, X and T: m x nx, to those velocities of ours that `to` says;
// NULL: the first ones
static void chain(const Slope *s, int m, const double *J, int nx, const double *X, const double *T,
                  const int *to) {
    memset(s->to_q, 0, 2 * (size_t)(s->n * s->columns) * sizeof *s->to_q);
    for (int i = 0; i < s->n; i++) {
        double *q = s->to_q + i * s->columns, *v = s->to_v + i * s->columns;
        for (int k = 0; k < m; k++) {
            const double of_frame = J[2 * m * i + k], of_twist = J[2 * m * i + m + k];
            for (int j = 0; j < nx; j++) {
                const int column = to ? to[j] : j;
                q[column] += of_frame * X[k * nx + j] + of_twist * T[k * nx + j];
                v[column] += of_twist * X[k * nx + j];
            }
        }
    }
}

static void marker_slope(const CdSystemWork *w, const CdSystemSensor *x, double t) {
    const int marker = x->probe.item->marker[0];
    double J[SENSOR_N_MAX * DIRECTIONS], X[6 * CD_BODY_NV_MAX], T[6 * CD_BODY_NV_MAX];
    CdSensorInput in = {.t = t};
    const Slope s = slope_of(w, x);
    cdi_sense_marker(w, marker, NULL, &in);
    x->probe.item->cls->sensor->jac(x->probe.item->data, NULL, &in, J);
    cdi_marker_jacobian(w, marker, X);
    cdi_marker_twist_slope(w, marker, T);
    chain(&s, 6, J, s.columns, X, T, NULL);
}

// of relative coordinates and their rates, rows of 24
static void joint_derivatives(const CdSystemWork *w, const CdSystemLink *l, double *coordinates,
                              double *rates) {
    const CdJointLaw *law = l->item->cls->joint;
    const CdFrame *a = &w->frame[l->a], *b = &w->frame[l->b];
    double s[CD_JOINT_NREL_MAX], J[CD_JOINT_NREL_MAX * DIRECTIONS], v[DIRECTIONS];
    memcpy(v, w->twist[l->a], 6 * sizeof *v);
    memcpy(v + 6, w->twist[l->b], 6 * sizeof *v);
    law->rel_jac(l->item->data, a, b, s, J);
    memset(coordinates, 0, CD_JOINT_NREL_MAX * 2 * DIRECTIONS * sizeof *coordinates);
    for (int i = 0; i < law->nrel; i++) {
        memcpy(coordinates + 2 * DIRECTIONS * i, J + DIRECTIONS * i, DIRECTIONS * sizeof *J);
    }
    law->rel_vel_jac(l->item->data, a, b, v, s, rates);
}

static void joint_slope(const CdSystemWork *w, const CdSystemSensor *x, double t) {
    const CdSystemLink *l = x->probe.link;
    double coordinates[CD_JOINT_NREL_MAX * 2 * DIRECTIONS],
        rates[CD_JOINT_NREL_MAX * 2 * DIRECTIONS], J[CD_JOINT_NREL_MAX * 2 * DIRECTIONS],
        X[DIRECTIONS * DIRECTIONS], T[DIRECTIONS * DIRECTIONS];
    const CdSensorInput in = {.t = t, .coordinates_jac = coordinates, .rates_jac = rates};
    const Slope s = slope_of(w, x);
    joint_derivatives(w, l, coordinates, rates);
    x->probe.item->cls->sensor->jac(x->probe.item->data, x->probe.source->cls, &in, J);
    cdi_link_jacobian(w, l, X);
    cdi_link_twist_slope(w, l, T);
    chain(&s, DIRECTIONS, J, l->n, X, T, NULL);
}

// ---- functions of sensors

// derivatives of the value of function number k, added to the two rows
static void add_function(const CdSystemWork *w, const CdSystemFunction *f, int k) {
    const CdSystemSignals *g = w->system->signals;
    double *const *row = w->signals->row;
    for (int i = 0; i < f->reading->n; i++) {
        const CdSystemSensor *x = &g->sensors[f->sensor[i]];
        const double d = x->columns.n > 0 ? cdi_function_slope(&w->signals->bound[k], i) : 0;
        const Slope s = slope_of(w, x);
        const int at = f->reading->v[i].component * s.columns;
        for (int j = 0; j < s.columns; j++) {
            row[0][x->columns.v[j]] += d * s.to_q[at + j];
            row[1][x->columns.v[j]] += d * s.to_v[at + j];
        }
    }
}

static void clear_rows(const CdSystemWork *w, const CdColumns *c) {
    for (int j = 0; j < c->n; j++) w->signals->row[0][c->v[j]] = w->signals->row[1][c->v[j]] = 0;
}

static void computed_slope(const CdSystemWork *w, const CdSystemSensor *x) {
    const CdSystemReader *r = &w->system->signals->readers[x->reader];
    const Slope s = slope_of(w, x);
    for (int k = 0; k < r->n; k++) add_function(w, &r->functions[k], r->first + k);
    for (int j = 0; j < s.columns; j++) {
        s.to_q[j] = w->signals->row[0][x->columns.v[j]];
        s.to_v[j] = w->signals->row[1][x->columns.v[j]];
    }
    clear_rows(w, &x->columns);
}

// ---- slopes of laws to the values of their functions

static void eval_number(const void *data, double x, double y[3]) {
    (void)x;
    y[0] = *(const double *)data;
    y[1] = y[2] = 0;
}

static const CdFunctionClass number_class = {.desc = {.name = "Number"}, .eval = eval_number};

// what a law gives with another struct
typedef void Law(const CdSystemWork *w, const CdSystemReader *r, const void *p, const CdPoint *at,
                 int n, double *out);

static void law_outputs(const CdSystemWork *w, const CdSystemReader *r, const void *p,
                        const CdPoint *at, int n, double *out) {
    (void)n;
    if (r->kind == CD_READER_COORDINATES) {
        cdi_coordinates_outputs(w, &w->system->coordinates[r->number], p, at, out);
        return;
    }
    const CdSystemLink *l = &w->system->forces[r->number];
    double v[DIRECTIONS];
    const CdForceInput in = cdi_force_input(w, l, at->t, v);
    l->item->cls->force->outputs(p, &in, out);
}

static void law_value(const CdSystemWork *w, const CdSystemReader *r, const void *p,
                      const CdPoint *at, int n, double *out) {
    if (r->kind == CD_READER_COORDINATES) {
        const CdSystemCoordinates *c = &w->system->coordinates[r->number];
        memcpy(out, cdi_coordinates_law(w, c, p, at), (size_t)n * sizeof *out);
        return;
    }
    const CdSystemLink *l = &w->system->forces[r->number];
    double v[DIRECTIONS];
    const CdForceInput in = cdi_force_input(w, l, at->t, v);
    l->item->cls->force->value(p, &in, out);
}

// a power of two, so that the difference loses nothing, not small against what is there
static double step_beside(int n, const double *w) {
    double most = 1;
    int exponent;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(w[i]));
    if (!isfinite(most)) return 1;
    frexp(most, &exponent);
    return ldexp(1, exponent);
}

// derivative to the value of function k, in which the law is affine
static void affine_slope(const CdSystemWork *w, Law *law, int reader, int k, const CdPoint *at,
                         int n, double *D) {
    const CdSystemReader *r = &w->system->signals->readers[reader];
    char *bare = w->signals->bare[reader];
    const CdField *f = r->functions[k].reading->field;
    CdFunction *member = (CdFunction *)(void *)(bare + f->offset);
    double w0[CD_FORCE_NOUT_MAX];
    law(w, r, bare, at, n, w0);
    const double step = step_beside(n, w0);
    *member = (CdFunction){&number_class, (void *)&step};
    law(w, r, bare, at, n, D);
    *member = (CdFunction){0};
    for (int i = 0; i < n; i++) D[i] = (D[i] - w0[i]) / step;
}

// and on the rows of the reader
static void generalised_slope(const CdSystemWork *w, int reader, int k, const CdPoint *at,
                              double *out) {
    const CdSystemReader *r = &w->system->signals->readers[reader];
    if (r->kind == CD_READER_COORDINATES) {
        affine_slope(w, law_value, reader, k, at, w->system->coordinates[r->number].n, out);
        return;
    }
    const CdSystemLink *l = &w->system->forces[r->number];
    const CdForceLaw *law = l->item->cls->force;
    double D[DIRECTIONS], v[DIRECTIONS];
    const CdForceInput in = cdi_force_input(w, l, at->t, v);
    if (law->of_function) {
        law->of_function(w->force_data[r->number], &in, D);
    } else {
        affine_slope(w, law_value, reader, k, at, 6 * law->nmarkers, D);
    }
    cdi_link_force(w, l, D, out);
}

// ---- sensors of connectors

static void outputs_slope(const CdSystemWork *w, int reader, int k, const CdPoint *at, int n,
                          double *D) {
    const CdSystemReader *r = &w->system->signals->readers[reader];
    const CdForceLaw *law = r->item->cls->force;
    if (!law || !law->outputs_of_function) {
        affine_slope(w, law_outputs, reader, k, at, n, D);
        return;
    }
    double v[DIRECTIONS];
    const CdForceInput in = cdi_force_input(w, &w->system->forces[r->number], at->t, v);
    law->outputs_of_function(w->force_data[r->number], &in, D);
}

// what the connector's own functions read
static void add_readings(const CdSystemWork *w, const CdSystemSensor *x, const CdPoint *at) {
    const Slope s = slope_of(w, x);
    const CdSystemReader *r = &w->system->signals->readers[x->reader];
    for (int k = 0; k < r->n; k++) {
        double D[CD_FORCE_NOUT_MAX];
        add_function(w, &r->functions[k], r->first + k);
        outputs_slope(w, x->reader, k, at, s.n, D);
        for (int i = 0; i < s.n * s.columns; i++) {
            const int column = x->columns.v[i % s.columns];
            s.to_q[i] += D[i / s.columns] * w->signals->row[0][column];
            s.to_v[i] += D[i / s.columns] * w->signals->row[1][column];
        }
        clear_rows(w, &x->columns);
    }
}

static int column_of(const CdColumns *c, int v) {
    int j = 0;
    while (c->v[j] != v) j++;
    return j;
}

static void coordinates_slope(const CdSystemWork *w, const CdSystemSensor *x, const CdPoint *at) {
    const CdSystemCoordinates *c = x->probe.coordinates;
    double J[CD_FORCE_NOUT_MAX * 2 * DIRECTIONS], X[DIRECTIONS * 2] = {0}, T[DIRECTIONS * 2] = {0};
    const Slope s = slope_of(w, x);
    int to[2];
    cdi_coordinates_outputs_jac(w, c, at, J);
    for (int j = 0; j < c->n; j++) {
        X[j * c->n + j] = 1;
        to[j] = column_of(&x->columns, c->v[j]);
    }
    chain(&s, DIRECTIONS, J, c->n, X, T, to);
}

static void link_slope(const CdSystemWork *w, const CdSystemSensor *x, const CdPoint *at) {
    const CdSystemLink *l = x->probe.link;
    double out[CD_FORCE_NOUT_MAX], outputs[CD_FORCE_NOUT_MAX * 2 * DIRECTIONS],
        J[CD_FORCE_NOUT_MAX * 2 * DIRECTIONS], X[DIRECTIONS * DIRECTIONS],
        T[DIRECTIONS * DIRECTIONS], v[DIRECTIONS];
    const CdForceInput force = cdi_force_input(w, l, at->t, v);
    const CdSensorInput in = {.t = at->t, .outputs_jac = outputs};
    const Slope s = slope_of(w, x);
    l->item->cls->force->outputs_jac(w->force_data[l - w->system->forces], &force, out, outputs);
    x->probe.item->cls->sensor->jac(x->probe.item->data, l->item->cls, &in, J);
    cdi_link_jacobian(w, l, X);
    cdi_link_twist_slope(w, l, T);
    chain(&s, DIRECTIONS, J, l->n, X, T, NULL);
}

static void connector_slope(const CdSystemWork *w, const CdSystemSensor *x, const CdPoint *at) {
    (x->probe.link ? link_slope : coordinates_slope)(w, x, at);
    if (x->reader >= 0) add_readings(w, x, at);
}

// ---- all

static void sensor_slopes(const CdSystemWork *w, const CdPoint *at) {
    const CdSystemSignals *g = w->system->signals;
    for (int i = 0; i < g->nsensors; i++) {
        const CdSystemSensor *x = &g->sensors[i];
        if (x->columns.n == 0) continue;
        switch (x->probe.item->cls->sensor->of) {
        case CD_OF_MARKER: marker_slope(w, x, at->t); break;
        case CD_OF_JOINT: joint_slope(w, x, at->t); break;
        case CD_OF_SENSORS: computed_slope(w, x); break;
        case CD_OF_CONNECTOR: connector_slope(w, x, at); break;
        case CD_OF_SYSTEM: break; // follows from forces
        }
    }
}

static void add_force(const CdSystemWork *w, int reader, const CdPoint *at, double *C, double *K) {
    const CdSystemReader *r = &w->system->signals->readers[reader];
    const int n = r->kind == CD_READER_FORCE ? w->system->forces[r->number].n
                                             : w->system->coordinates[r->number].n;
    for (int k = 0; k < r->n; k++) {
        const CdSystemFunction *f = &r->functions[k];
        const CdColumns *c = &f->columns;
        double D[DIRECTIONS];
        if (c->n == 0) continue;
        add_function(w, f, r->first + k);
        generalised_slope(w, reader, k, at, D);
        for (int i = 0; i < n * c->n; i++) {
            const int column = c->v[i % c->n];
            if (K) K[f->slots[i]] -= D[i / c->n] * w->signals->row[0][column];
            if (C) C[f->slots[i]] -= D[i / c->n] * w->signals->row[1][column];
        }
        clear_rows(w, c);
    }
}

void cdi_signals_derivatives(CdSystemWork *w, const CdPoint *at, double *C, double *K) {
    const CdSystemSignals *g = w->system->signals;
    if (!g || g->nslopes == 0) return;
    sensor_slopes(w, at);
    for (int k = 0; k < g->nreaders; k++) {
        if (g->readers[k].kind != CD_READER_SENSOR) add_force(w, k, at, C, K);
    }
}
