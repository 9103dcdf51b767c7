// connector_linear_actuator.c - drive that pushes two bodies apart to a position that is asked for
//
//   along the axis:  s = z of p_AB_A, the force along z of marker a, as between parts of a slider
//   along the line:  s = |p_WB - p_WA|, the force along the line, as of a cylinder with two eyes
//   e = target - s
//   F = k_p e + k_d e' + elastic(e) + viscous(e') + force(t), within the limit; F > 0 pushes b away
#include "items/axes.h"
#include "items/control.h"
#include "items/lanes.h"

typedef enum Along { AXIS, LINE } Along;
static const char *const ways[] = {"axis", "line", NULL};

typedef struct LinearActuator {
    CdPair pair;
    int along;
    double gain, rate_gain, limit;
    CdFunction target, elastic, viscous, force;
} LinearActuator;

#define FIELD(...) CD_FIELD(LinearActuator, __VA_ARGS__)
static const CdField fields[] = {
    CDI_PAIR_ROWS(LinearActuator),
    FIELD(along, ENUM, "", "\"axis\"", "", "z of marker a, or the line between the markers",
          .names = ways),
    FIELD(target, FUNCTION, "m", "0", "", "position asked for"),
    FIELD(gain, REAL, "N/m", "0", "[0, inf)", "force per error of the position"),
    FIELD(rate_gain, REAL, "N*s/m", "0", "[0, inf)", "force per error of the speed"),
    FIELD(elastic, FUNCTION, "N", "0", "",
          "further force as a function of the error of the position", .arg = "x", .arg_unit = "m"),
    FIELD(viscous, FUNCTION, "N", "0", "", "further force as a function of the rate of that error",
          .arg = "v", .arg_unit = "m/s"),
    FIELD(force, FUNCTION, "N", "0", "", "force beside that of the control", .sensors = true),
    FIELD(limit, REAL, "N", "0", "[0, inf)", "largest force; 0: none"),
};

// kernel
// position, its rate, force
// adc: jac = jacobian(out; a, b, va, vb)
// adc: feed = jacobian(out; c->feed)
static void axis_outputs(const CdControl *c, const CdFrame *a, const CdFrame *b, const double va[6],
                         const double vb[6], double out[3]) {
    double x[3], rate[3];
    frame_offset(a, b, x);
    axes_rate(a, x, va, vb, rate);
    out[0] = x[2];
    out[1] = rate[2];
    out[2] = control_force(c, out[0], out[1]);
}

// adc: jac = jacobian(out; a, b, va, vb)
// adc: feed = jacobian(out; c->feed)
static void line_outputs(const CdControl *c, const CdFrame *a, const CdFrame *b, const double va[6],
                         const double vb[6], double out[3]) {
    double d[3], rate = 0;
    sub3(b->p, a->p, d);
    const double l = norm3(d);
    for (int i = 0; i < 3; i++) rate += d[i] / l * (vb[i] - va[i]);
    out[0] = l;
    out[1] = rate;
    out[2] = control_force(c, l, rate);
}

// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: feed = jacobian(w; c->feed)
// adc: lanes(value, jac)
static void along_axis(const CdControl *c, const CdFrame *a, const CdFrame *b, const double va[6],
                       const double vb[6], double w[12]) {
    double out[3], x[3], F[3];
    axis_outputs(c, a, b, va, vb, out);
    frame_offset(a, b, x);
    F[0] = 0;
    F[1] = 0;
    F[2] = out[2];
    axes_force(a, x, F, w);
}

// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: feed = jacobian(w; c->feed)
// adc: lanes(value, jac)
static void along_line(const CdControl *c, const CdFrame *a, const CdFrame *b, const double va[6],
                       const double vb[6], double w[12]) {
    double out[3], d[3];
    line_outputs(c, a, b, va, vb, out);
    sub3(b->p, a->p, d);
    for (int i = 0; i < 3; i++) {
        const double u = d[i] / out[0];
        w[i] = -out[2] * u;
        w[3 + i] = 0;
        w[6 + i] = out[2] * u;
        w[9 + i] = 0;
    }
}
// end kernel
#include "connector_linear_actuator.adc.h"

static CdControl control(const void *data, double t) {
    const LinearActuator *p = data;
    return control_at((CdControl){.gain = p->gain,
                                  .rate_gain = p->rate_gain,
                                  .limit = p->limit,
                                  .elastic = &p->elastic,
                                  .viscous = &p->viscous},
                      &p->target, &p->force, t);
}

static void value(const void *data, const CdForceInput *in, double *w) {
    const LinearActuator *p = data;
    const CdControl c = control(p, in->t);
    (p->along == AXIS ? along_axis : along_line)(&c, in->a, in->b, in->v, in->v + 6, w);
}

static void jac(const void *data, const CdForceInput *in, double *w, double *J) {
    const LinearActuator *p = data;
    const CdControl c = control(p, in->t);
    (p->along == AXIS ? along_axis_jac : along_line_jac)(&c, in->a, in->b, in->v, in->v + 6, w, J);
}

static void feed(const void *data, const CdForceInput *in, double *D) {
    const LinearActuator *p = data;
    const CdControl c = control(p, in->t);
    double w[12];
    (p->along == AXIS ? along_axis_feed : along_line_feed)(&c, in->a, in->b, in->v, in->v + 6, w,
                                                           D);
}

static void outputs(const void *data, const CdForceInput *in, double *out) {
    const LinearActuator *p = data;
    const CdControl c = control(p, in->t);
    (p->along == AXIS ? axis_outputs : line_outputs)(&c, in->a, in->b, in->v, in->v + 6, out);
}

static void outputs_jac(const void *data, const CdForceInput *in, double *out, double *J) {
    const LinearActuator *p = data;
    const CdControl c = control(p, in->t);
    (p->along == AXIS ? axis_outputs_jac : line_outputs_jac)(&c, in->a, in->b, in->v, in->v + 6,
                                                             out, J);
}

static void outputs_feed(const void *data, const CdForceInput *in, double *D) {
    const LinearActuator *p = data;
    const CdControl c = control(p, in->t);
    double out[3];
    (p->along == AXIS ? axis_outputs_feed : line_outputs_feed)(&c, in->a, in->b, in->v, in->v + 6,
                                                               out, D);
}

// ---- lanes

static void axis_value(const double *p, const CdForceTile *in, double *w) {
    const CdControlTile k = control_tile(in, control);
    along_axis_value_lanes(in->items, k.c, in->a, in->b, in->v, in->v + 6 * CD_TILE, k.elastic,
                           k.viscous, w);
}

static void axis_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    const CdControlTile k = control_tile(in, control);
    along_axis_jac_lanes(in->items, k.c, in->a, in->b, in->v, in->v + 6 * CD_TILE, k.elastic,
                         k.viscous, w, J);
}

static void line_value(const double *p, const CdForceTile *in, double *w) {
    const CdControlTile k = control_tile(in, control);
    along_line_value_lanes(in->items, k.c, in->a, in->b, in->v, in->v + 6 * CD_TILE, k.elastic,
                           k.viscous, w);
}

static void line_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    const CdControlTile k = control_tile(in, control);
    along_line_jac_lanes(in->items, k.c, in->a, in->b, in->v, in->v + 6 * CD_TILE, k.elastic,
                         k.viscous, w, J);
}

static bool is_axis(const void *p) {
    return ((const LinearActuator *)p)->along == AXIS;
}

static const CdForceLanes line_lanes = {.value = line_value, .jac = line_jac};
static const CdForceLanes lanes = {
    .fits = is_axis, .other = &line_lanes, .value = axis_value, .jac = axis_jac};

static const char *const out_names[] = {"position", "rate", "force"};
static const char *const out_units[] = {"m", "m/s", "N"};

static const CdForceLaw law = {.nmarkers = 2,
                               .of_velocity = true,
                               .value = value,
                               .jac = jac,
                               .of_function = feed,
                               .nout = 3,
                               .out_names = out_names,
                               .out_units = out_units,
                               .outputs = outputs,
                               .outputs_jac = outputs_jac,
                               .outputs_of_function = outputs_feed,
                               .lanes = &lanes};

static const CdSymbolPart look[] = {
    {0, CD_BALL, 2, {0.25}, {0, 0, 0}},
    {1, CD_BALL, 2, {0.25}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look), .span = CD_SPAN_ACTUATOR};

const CdItemClass cd_connector_linear_actuator = {
    .desc = {.name = "LinearActuator",
             .doc = "Drive along an axis with position control",
             .size = sizeof(LinearActuator),
             CD_FIELDS(fields),
             .example = "{\"class\": \"LinearActuator\", \"name\": \"drive\", \"body_b\": "
                        "\"link\", \"axis\": [1, 0, 0], \"target\": \"0.1*sin(2*t)\", \"gain\": "
                        "1000, \"rate_gain\": 50, \"limit\": 200}"},
    .category = CD_CONNECTOR,
    .force = &law,
    .symbol = &symbol,
};
