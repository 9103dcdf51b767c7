// connector_spring_damper.c - spring and damper along the line between two points
//
//   l = |d|,  d = p_WB - p_WA        F = k (l - l0) + c l' + elastic(l - l0) + viscous(l')
//   force on a: F d/l, on b: -F d/l; F > 0 pulls
//
// The two points must not meet.
#include "items/curve.h"
#include "items/frame.h"
#include "items/lanes.h"

typedef struct SpringDamper {
    CdPair pair;
    double length, stiffness, damping;
    CdFunction elastic, viscous;
} SpringDamper;

#define FIELD(...) CD_FIELD(SpringDamper, __VA_ARGS__)
static const CdField fields[] = {
    CDI_PAIR_ROWS(SpringDamper),
    FIELD(length, REAL, "m", NULL, "[0, inf)", "length without force"),
    FIELD(stiffness, REAL, "N/m", "0", "[0, inf)", "force per extension"),
    FIELD(damping, REAL, "N*s/m", "0", "[0, inf)", "force per rate of extension"),
    FIELD(elastic, FUNCTION, "N", "0", "", "further force as a function of the extension",
          .arg = "x", .arg_unit = "m", .sensors = true),
    FIELD(viscous, FUNCTION, "N", "0", "", "further force as a function of its rate", .arg = "v",
          .arg_unit = "m/s", .sensors = true),
};

// kernel
// length, its rate, linear part of the force
static void spring_state(const SpringDamper *p, const CdFrame *a, const CdFrame *b,
                         const double va[6], const double vb[6], double out[3]) {
    double d[3], rate = 0;
    sub3(b->p, a->p, d);
    const double l = norm3(d);
    for (int i = 0; i < 3; i++) rate += d[i] / l * (vb[i] - va[i]);
    out[0] = l;
    out[1] = rate;
    out[2] = p->stiffness * (l - p->length) + p->damping * rate;
}

// length, its rate, force
// adc: jac = jacobian(out; a, b, va, vb)
static void spring_outputs(const SpringDamper *p, const CdFunction *elastic,
                           const CdFunction *viscous, const CdFrame *a, const CdFrame *b,
                           const double va[6], const double vb[6], double out[3]) {
    spring_state(p, a, b, va, vb, out);
    out[2] = out[2] + curve_value(elastic, out[0] - p->length) + curve_value(viscous, out[1]);
}

// wrenches of a force F along the line
static void spring_pull(const CdFrame *a, const CdFrame *b, double l, double F, double w[12]) {
    double d[3];
    sub3(b->p, a->p, d);
    for (int i = 0; i < 3; i++) {
        const double u = d[i] / l;
        w[i] = F * u;
        w[3 + i] = 0;
        w[6 + i] = -F * u;
        w[9 + i] = 0;
    }
}

// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: lanes(value, jac)
static void spring_damper(const SpringDamper *p, const CdFunction *elastic,
                          const CdFunction *viscous, const CdFrame *a, const CdFrame *b,
                          const double va[6], const double vb[6], double w[12]) {
    double out[3];
    spring_outputs(p, elastic, viscous, a, b, va, vb, out);
    spring_pull(a, b, out[0], out[2], w);
}

// without functions
// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: lanes(value, jac)
static void spring_linear(const SpringDamper *p, const CdFrame *a, const CdFrame *b,
                          const double va[6], const double vb[6], double w[12]) {
    double out[3];
    spring_state(p, a, b, va, vb, out);
    spring_pull(a, b, out[0], out[2], w);
}
// end kernel
#include "connector_spring_damper.adc.h"

// functions
static const size_t places[] = {offsetof(SpringDamper, elastic), offsetof(SpringDamper, viscous)};
enum { NCURVES = sizeof places / sizeof *places };

// has it none?
static bool fits(const void *p) {
    return curves_are_zero(p, NCURVES, places);
}

static void value(const void *data, const CdForceInput *in, double *w) {
    const SpringDamper *p = data;
    if (fits(p)) {
        spring_linear(p, in->a, in->b, in->v, in->v + 6, w);
    } else {
        spring_damper(p, &p->elastic, &p->viscous, in->a, in->b, in->v, in->v + 6, w);
    }
}

static void jac(const void *data, const CdForceInput *in, double *w, double *J) {
    const SpringDamper *p = data;
    spring_damper_jac(p, &p->elastic, &p->viscous, in->a, in->b, in->v, in->v + 6, w, J);
}

static void outputs(const void *data, const CdForceInput *in, double *out) {
    const SpringDamper *p = data;
    spring_outputs(p, &p->elastic, &p->viscous, in->a, in->b, in->v, in->v + 6, out);
}

static void outputs_jac(const void *data, const CdForceInput *in, double *out, double *J) {
    const SpringDamper *p = data;
    spring_outputs_jac(p, &p->elastic, &p->viscous, in->a, in->b, in->v, in->v + 6, out, J);
}

static double energy(const void *data, const CdForceInput *in) {
    const SpringDamper *p = data;
    double d[3];
    sub3(in->b->p, in->a->p, d);
    const double x = norm3(d) - p->length;
    return p->stiffness * x * x / 2 + cdi_curve_energy(&p->elastic, x);
}

// ---- lanes

static void cells(const void *p, double *out) {
    spring_linear_p_cells(p, out);
}

static void value_lanes(const double *p, const CdForceTile *in, double *w) {
    spring_linear_value_lanes(in->items, p, in->a, in->b, in->v, in->v + 6 * CD_TILE, w);
}

static void jac_lanes(const double *p, const CdForceTile *in, double *w, double *J) {
    spring_linear_jac_lanes(in->items, p, in->a, in->b, in->v, in->v + 6 * CD_TILE, w, J);
}

static void curved_value(const double *p, const CdForceTile *in, double *w) {
    const CdFunction *f[NCURVES][CD_TILE];
    curve_tile(in, NCURVES, places, f);
    spring_damper_value_lanes(in->items, p, f[0], f[1], in->a, in->b, in->v, in->v + 6 * CD_TILE,
                              w);
}

static void curved_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    const CdFunction *f[NCURVES][CD_TILE];
    curve_tile(in, NCURVES, places, f);
    spring_damper_jac_lanes(in->items, p, f[0], f[1], in->a, in->b, in->v, in->v + 6 * CD_TILE, w,
                            J);
}

static const CdForceLanes curved = {
    .np = spring_linear_p_N, .cells = cells, .value = curved_value, .jac = curved_jac};
static const CdForceLanes lanes = {.np = spring_linear_p_N,
                                   .cells = cells,
                                   .fits = fits,
                                   .other = &curved,
                                   .value = value_lanes,
                                   .jac = jac_lanes};

static const char *const out_names[] = {"length", "rate", "force"};
static const char *const out_units[] = {"m", "m/s", "N"};

static const CdForceLaw law = {.nmarkers = 2,
                               .of_velocity = true,
                               .value = value,
                               .jac = jac,
                               .nout = 3,
                               .out_names = out_names,
                               .out_units = out_units,
                               .outputs = outputs,
                               .outputs_jac = outputs_jac,
                               .energy = energy,
                               .lanes = &lanes};

static CdSpanStyle span_of(const void *data) {
    const SpringDamper *p = data;
    return p->damping > 0 ? CD_SPAN_SPRING_DAMPER : CD_SPAN_SPRING;
}

static const CdSymbol symbol = {.span = CD_SPAN_SPRING_DAMPER, .span_of = span_of};

const CdItemClass cd_connector_spring_damper = {
    .desc = {.name = "SpringDamper",
             .doc = "Spring and damper along the line between two points",
             .size = sizeof(SpringDamper),
             CD_FIELDS(fields),
             .example = "{\"class\": \"SpringDamper\", \"name\": \"strut\", \"marker_a\": \"top\", "
                        "\"marker_b\": \"hub\", \"length\": 0.3, \"stiffness\": \"20 kN/m\"}"},
    .category = CD_CONNECTOR,
    .force = &law,
    .symbol = &symbol,
};
