// connector_torsional_actuator.c - drive that turns b against a to an angle that is asked for
//
//   phi: angle about z of marker a from x_A to x_B, over any number of turns (turn.h)
//   e = target - phi
//   T = k_p e + k_d e' + elastic(e) + viscous(e') + torque(t), within the limit; on b, -T on a
#include "items/control.h"
#include "items/lanes.h"
#include "items/turn.h"

typedef struct TorsionalActuator {
    CdPair pair;
    double gain, rate_gain, limit;
    CdFunction target, elastic, viscous, torque;
} TorsionalActuator;

#define FIELD(...) CD_FIELD(TorsionalActuator, __VA_ARGS__)
static const CdField fields[] = {
    CDI_PAIR_ROWS(TorsionalActuator),
    FIELD(target, FUNCTION, "rad", "0", "", "angle asked for"),
    FIELD(gain, REAL, "N*m/rad", "0", "[0, inf)", "torque per error of the angle"),
    FIELD(rate_gain, REAL, "N*m*s/rad", "0", "[0, inf)", "torque per error of its rate"),
    FIELD(elastic, FUNCTION, "N*m", "0", "",
          "further torque as a function of the error of the angle", .arg = "x", .arg_unit = "rad"),
    FIELD(viscous, FUNCTION, "N*m", "0", "",
          "further torque as a function of the rate of that error", .arg = "v",
          .arg_unit = "rad/s"),
    FIELD(torque, FUNCTION, "N*m", "0", "", "torque beside that of the control", .sensors = true),
    FIELD(limit, REAL, "N*m", "0", "[0, inf)", "largest torque; 0: none"),
};

// kernel
// angle, its rate, torque
// adc: jac = jacobian(out; a, b, va, vb)
// adc: feed = jacobian(out; c->feed)
static void drive_outputs(const CdControl *c, double turn, const CdFrame *a, const CdFrame *b,
                          const double va[6], const double vb[6], double out[3]) {
    double g[3];
    turn_axis(a, b, g);
    out[0] = frame_angle(a, b) + turn;
    out[1] = turn_rate(a, b, g, va, vb);
    out[2] = control_force(c, out[0], out[1]);
}

// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: feed = jacobian(w; c->feed)
// adc: lanes(value, jac)
static void drive(const CdControl *c, double turn, const CdFrame *a, const CdFrame *b,
                  const double va[6], const double vb[6], double w[12]) {
    double out[3], g[3];
    drive_outputs(c, turn, a, b, va, vb, out);
    turn_axis(a, b, g);
    turn_torque(a, b, g, out[2], w);
}

// adc: value = value(turn)
// adc: lanes(value)
static void drive_turn(const CdFrame *a, const CdFrame *b, double last, double turn[1]) {
    turn[0] = turn_whole(a, b, last);
}

// adc: value = value(angle)
// adc: lanes(value)
static void drive_angle(const CdFrame *a, const CdFrame *b, double last, double angle[1]) {
    angle[0] = turn_angle(a, b, last);
}
// end kernel
#include "connector_torsional_actuator.adc.h"

static CdControl control(const void *data, double t) {
    const TorsionalActuator *p = data;
    return control_at((CdControl){.gain = p->gain,
                                  .rate_gain = p->rate_gain,
                                  .limit = p->limit,
                                  .elastic = &p->elastic,
                                  .viscous = &p->viscous},
                      &p->target, &p->torque, t);
}

static double turn_of(const CdForceInput *in) {
    double turn[1];
    drive_turn(in->a, in->b, in->memory[0], turn);
    return turn[0];
}

static void value(const void *data, const CdForceInput *in, double *w) {
    const CdControl c = control(data, in->t);
    drive(&c, turn_of(in), in->a, in->b, in->v, in->v + 6, w);
}

static void jac(const void *data, const CdForceInput *in, double *w, double *J) {
    const CdControl c = control(data, in->t);
    drive_jac(&c, turn_of(in), in->a, in->b, in->v, in->v + 6, w, J);
}

static void feed(const void *data, const CdForceInput *in, double *D) {
    const CdControl c = control(data, in->t);
    double w[12];
    drive_feed(&c, turn_of(in), in->a, in->b, in->v, in->v + 6, w, D);
}

static void remember(const void *p, const CdForceInput *in, double *memory) {
    double angle[1];
    drive_angle(in->a, in->b, memory[0], angle);
    memory[0] = angle[0];
}

static void outputs(const void *data, const CdForceInput *in, double *out) {
    const CdControl c = control(data, in->t);
    const double turn = turn_of(in);
    drive_outputs(&c, turn, in->a, in->b, in->v, in->v + 6, out);
}

static void outputs_jac(const void *data, const CdForceInput *in, double *out, double *J) {
    const CdControl c = control(data, in->t);
    const double turn = turn_of(in);
    drive_outputs_jac(&c, turn, in->a, in->b, in->v, in->v + 6, out, J);
}

static void outputs_feed(const void *data, const CdForceInput *in, double *D) {
    const CdControl c = control(data, in->t);
    const double turn = turn_of(in);
    double out[3];
    drive_outputs_feed(&c, turn, in->a, in->b, in->v, in->v + 6, out, D);
}

// ---- lanes

static void value_lanes(const double *p, const CdForceTile *in, double *w) {
    const CdControlTile k = control_tile(in, control);
    double turn[CD_TILE];
    drive_turn_value_lanes(in->items, in->a, in->b, in->memory, turn);
    drive_value_lanes(in->items, k.c, turn, in->a, in->b, in->v, in->v + 6 * CD_TILE, k.elastic,
                      k.viscous, w);
}

static void jac_lanes(const double *p, const CdForceTile *in, double *w, double *J) {
    const CdControlTile k = control_tile(in, control);
    double turn[CD_TILE];
    drive_turn_value_lanes(in->items, in->a, in->b, in->memory, turn);
    drive_jac_lanes(in->items, k.c, turn, in->a, in->b, in->v, in->v + 6 * CD_TILE, k.elastic,
                    k.viscous, w, J);
}

static void remember_lanes(const CdForceTile *in, double *memory) {
    drive_angle_value_lanes(in->items, in->a, in->b, in->memory, memory);
}

static const CdForceLanes lanes = {
    .value = value_lanes, .jac = jac_lanes, .remember = remember_lanes};

static const char *const out_names[] = {"angle", "rate", "torque"};
static const char *const out_units[] = {"rad", "rad/s", "N*m"};

static const CdForceLaw law = {.nmarkers = 2,
                               .of_velocity = true,
                               .value = value,
                               .jac = jac,
                               .of_function = feed,
                               .nmemory = 1,
                               .remember = remember,
                               .nout = 3,
                               .out_names = out_names,
                               .out_units = out_units,
                               .outputs = outputs,
                               .outputs_jac = outputs_jac,
                               .outputs_of_function = outputs_feed,
                               .lanes = &lanes};

static const CdSymbolPart look[] = {
    {0, CD_CYLINDER, 2, {0.6, 0.9}, {0, 0, -0.95}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_connector_torsional_actuator = {
    .desc = {.name = "TorsionalActuator",
             .doc = "Drive about an axis with position control",
             .size = sizeof(TorsionalActuator),
             CD_FIELDS(fields),
             .example = "{\"class\": \"TorsionalActuator\", \"name\": \"motor\", \"body_b\": "
                        "\"link\", \"axis\": [0, 0, 1], \"target\": \"2*t\", \"gain\": 100, "
                        "\"rate_gain\": 5}"},
    .category = CD_CONNECTOR,
    .force = &law,
    .symbol = &symbol,
};
