// connector_spring_damper.c - spring and damper along the line between two points
//
//   l = |d|,  d = p_WB - p_WA        F = k (l - l0) + c l' + elastic(l - l0) + viscous(l')
//   force on a: F d/l, on b: -F d/l; F > 0 pulls
//
// The two points must not meet.
#include "items/curve.h"
#include "items/frame.h"
#include "items/item.h"

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
// length, its rate, force
// adc: jac = jacobian(out; a, b, va, vb)
static void spring_outputs(const SpringDamper *p, const CdFunction *elastic,
                           const CdFunction *viscous, const CdFrame *a, const CdFrame *b,
                           const double va[6], const double vb[6], double out[3]) {
    double d[3], rate = 0;
    sub3(b->p, a->p, d);
    const double l = norm3(d);
    for (int i = 0; i < 3; i++) rate += d[i] / l * (vb[i] - va[i]);
    const double x = l - p->length;
    out[0] = l;
    out[1] = rate;
    out[2] =
        p->stiffness * x + p->damping * rate + curve_value(elastic, x) + curve_value(viscous, rate);
}

// adc: jac = jacobian(w; a, b, va, vb)
static void spring_damper(const SpringDamper *p, const CdFunction *elastic,
                          const CdFunction *viscous, const CdFrame *a, const CdFrame *b,
                          const double va[6], const double vb[6], double w[12]) {
    double out[3], d[3];
    spring_outputs(p, elastic, viscous, a, b, va, vb, out);
    sub3(b->p, a->p, d);
    for (int i = 0; i < 3; i++) {
        const double u = d[i] / out[0];
        w[i] = out[2] * u;
        w[3 + i] = 0;
        w[6 + i] = -out[2] * u;
        w[9 + i] = 0;
    }
}
// end kernel
#include "connector_spring_damper.adc.h"

static void value(const void *data, const CdForceInput *in, double *w) {
    const SpringDamper *p = data;
    spring_damper(p, &p->elastic, &p->viscous, in->a, in->b, in->v, in->v + 6, w);
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
                               .energy = energy};

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
