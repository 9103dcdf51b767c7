// connector_torsional.c - spring and damper between the angles of two markers about an axis
//
//   phi: angle about z of marker a from x_A to x_B, over any number of turns (turn.h)
//   T = k (phi - phi0) + c phi' + elastic(phi - phi0) + viscous(phi')
//   torque T g on a, -T g on b
//
// At the start phi lies in (-pi, pi].
#include "items/curve.h"
#include "items/lanes.h"
#include "items/turn.h"

typedef struct TorsionalSpringDamper {
    CdPair pair;
    double angle, stiffness, damping;
    CdFunction elastic, viscous;
} TorsionalSpringDamper;

#define FIELD(...) CD_FIELD(TorsionalSpringDamper, __VA_ARGS__)
static const CdField fields[] = {
    CDI_PAIR_ROWS(TorsionalSpringDamper),
    FIELD(angle, REAL, "rad", "0", "", "angle without torque"),
    FIELD(stiffness, REAL, "N*m/rad", "0", "[0, inf)", "torque per angle"),
    FIELD(damping, REAL, "N*m*s/rad", "0", "[0, inf)", "torque per rate of the angle"),
    FIELD(elastic, FUNCTION, "N*m", "0", "", "further torque as a function of the angle",
          .arg = "x", .arg_unit = "rad", .sensors = true),
    FIELD(viscous, FUNCTION, "N*m", "0", "", "further torque as a function of its rate", .arg = "v",
          .arg_unit = "rad/s", .sensors = true),
};

// kernel
// angle, its rate, linear part of the torque
static void torsional_state(const TorsionalSpringDamper *p, double turn, const CdFrame *a,
                            const CdFrame *b, const double va[6], const double vb[6],
                            double out[3]) {
    double g[3];
    turn_axis(a, b, g);
    out[0] = frame_angle(a, b) + turn;
    out[1] = turn_rate(a, b, g, va, vb);
    out[2] = p->stiffness * (out[0] - p->angle) + p->damping * out[1];
}

// angle, its rate, torque
// adc: jac = jacobian(out; a, b, va, vb)
static void torsional_outputs(const TorsionalSpringDamper *p, const CdFunction *elastic,
                              const CdFunction *viscous, double turn, const CdFrame *a,
                              const CdFrame *b, const double va[6], const double vb[6],
                              double out[3]) {
    torsional_state(p, turn, a, b, va, vb, out);
    out[2] = out[2] + curve_value(elastic, out[0] - p->angle) + curve_value(viscous, out[1]);
}

// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: lanes(value, jac)
static void torsional(const TorsionalSpringDamper *p, const CdFunction *elastic,
                      const CdFunction *viscous, double turn, const CdFrame *a, const CdFrame *b,
                      const double va[6], const double vb[6], double w[12]) {
    double out[3], g[3];
    torsional_outputs(p, elastic, viscous, turn, a, b, va, vb, out);
    turn_axis(a, b, g);
    turn_torque(a, b, g, -out[2], w);
}

// without functions
// adc: jac = jacobian(w; a, b, va, vb)
// adc: lanes(jac)
static void torsional_linear(const TorsionalSpringDamper *p, double turn, const CdFrame *a,
                             const CdFrame *b, const double va[6], const double vb[6],
                             double w[12]) {
    double out[3], g[3];
    torsional_state(p, turn, a, b, va, vb, out);
    turn_axis(a, b, g);
    turn_torque(a, b, g, -out[2], w);
}

// adc: value = value(turn)
// adc: lanes(value)
static void torsional_turn(const CdFrame *a, const CdFrame *b, double last, double turn[1]) {
    turn[0] = turn_whole(a, b, last);
}

// adc: value = value(angle)
// adc: lanes(value)
static void torsional_angle(const CdFrame *a, const CdFrame *b, double last, double angle[1]) {
    angle[0] = turn_angle(a, b, last);
}

// adc: value = value(w)
// adc: lanes(value)
static void torsional_nearest(const TorsionalSpringDamper *p, double last, const CdFrame *a,
                              const CdFrame *b, const double va[6], const double vb[6],
                              double w[12]) {
    torsional_linear(p, turn_whole(a, b, last), a, b, va, vb, w);
}
// end kernel
#include "connector_torsional.adc.h"

// functions
static const size_t places[] = {offsetof(TorsionalSpringDamper, elastic),
                                offsetof(TorsionalSpringDamper, viscous)};
enum { NCURVES = sizeof places / sizeof *places };

// has it none?
static bool fits(const void *p) {
    return curves_are_zero(p, NCURVES, places);
}

static double turn_of(const CdForceInput *in) {
    double turn[1];
    torsional_turn(in->a, in->b, in->memory[0], turn);
    return turn[0];
}

static void value(const void *data, const CdForceInput *in, double *w) {
    const TorsionalSpringDamper *p = data;
    if (fits(p)) {
        torsional_nearest(p, in->memory[0], in->a, in->b, in->v, in->v + 6, w);
    } else {
        torsional(p, &p->elastic, &p->viscous, turn_of(in), in->a, in->b, in->v, in->v + 6, w);
    }
}

static void jac(const void *data, const CdForceInput *in, double *w, double *J) {
    const TorsionalSpringDamper *p = data;
    const double turn = turn_of(in);
    torsional_jac(p, &p->elastic, &p->viscous, turn, in->a, in->b, in->v, in->v + 6, w, J);
}

static void remember(const void *p, const CdForceInput *in, double *memory) {
    double angle[1];
    torsional_angle(in->a, in->b, memory[0], angle);
    memory[0] = angle[0];
}

static void outputs(const void *data, const CdForceInput *in, double *out) {
    const TorsionalSpringDamper *p = data;
    const double turn = turn_of(in);
    torsional_outputs(p, &p->elastic, &p->viscous, turn, in->a, in->b, in->v, in->v + 6, out);
}

static void outputs_jac(const void *data, const CdForceInput *in, double *out, double *J) {
    const TorsionalSpringDamper *p = data;
    const double turn = turn_of(in);
    torsional_outputs_jac(p, &p->elastic, &p->viscous, turn, in->a, in->b, in->v, in->v + 6, out,
                          J);
}

static double energy(const void *data, const CdForceInput *in) {
    const TorsionalSpringDamper *p = data;
    const double x = turn_angle(in->a, in->b, in->memory[0]) - p->angle;
    return p->stiffness * x * x / 2 + cdi_curve_energy(&p->elastic, x);
}

// ---- lanes

static void cells(const void *p, double *out) {
    torsional_linear_p_cells(p, out);
}

static void value_lanes(const double *p, const CdForceTile *in, double *w) {
    torsional_nearest_value_lanes(in->items, p, in->memory, in->a, in->b, in->v,
                                  in->v + 6 * CD_TILE, w);
}

static void jac_lanes(const double *p, const CdForceTile *in, double *w, double *J) {
    double turn[CD_TILE];
    torsional_turn_value_lanes(in->items, in->a, in->b, in->memory, turn);
    torsional_linear_jac_lanes(in->items, p, turn, in->a, in->b, in->v, in->v + 6 * CD_TILE, w, J);
}

static void remember_lanes(const CdForceTile *in, double *memory) {
    torsional_angle_value_lanes(in->items, in->a, in->b, in->memory, memory);
}

static void curved_value(const double *p, const CdForceTile *in, double *w) {
    const CdFunction *f[NCURVES][CD_TILE];
    curve_tile(in, NCURVES, places, f);
    double turn[CD_TILE];
    torsional_turn_value_lanes(in->items, in->a, in->b, in->memory, turn);
    torsional_value_lanes(in->items, p, f[0], f[1], turn, in->a, in->b, in->v, in->v + 6 * CD_TILE,
                          w);
}

static void curved_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    const CdFunction *f[NCURVES][CD_TILE];
    curve_tile(in, NCURVES, places, f);
    double turn[CD_TILE];
    torsional_turn_value_lanes(in->items, in->a, in->b, in->memory, turn);
    torsional_jac_lanes(in->items, p, f[0], f[1], turn, in->a, in->b, in->v, in->v + 6 * CD_TILE, w,
                        J);
}

static const CdForceLanes curved = {.np = torsional_linear_p_N,
                                    .cells = cells,
                                    .value = curved_value,
                                    .jac = curved_jac,
                                    .remember = remember_lanes};
static const CdForceLanes lanes = {.np = torsional_linear_p_N,
                                   .cells = cells,
                                   .fits = fits,
                                   .other = &curved,
                                   .value = value_lanes,
                                   .jac = jac_lanes,
                                   .remember = remember_lanes};

static const char *const out_names[] = {"angle", "rate", "torque"};
static const char *const out_units[] = {"rad", "rad/s", "N*m"};

static const CdForceLaw law = {.nmarkers = 2,
                               .of_velocity = true,
                               .value = value,
                               .jac = jac,
                               .nmemory = 1,
                               .remember = remember,
                               .nout = 3,
                               .out_names = out_names,
                               .out_units = out_units,
                               .outputs = outputs,
                               .outputs_jac = outputs_jac,
                               .energy = energy,
                               .lanes = &lanes};

static const CdSymbolPart look[] = {
    {0, CD_TUBE, 2, {0.75, 0.3, 0.65}, {0, 0, 0}},
    {1, CD_TUBE, 2, {0.9, 0.15, 0.8}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_connector_torsional = {
    .desc = {.name = "TorsionalSpringDamper",
             .doc = "Spring and damper about an axis, over any number of turns",
             .size = sizeof(TorsionalSpringDamper),
             CD_FIELDS(fields),
             .example = "{\"class\": \"TorsionalSpringDamper\", \"name\": \"spring\", \"body_b\": "
                        "\"link\", \"axis\": [0, 0, 1], \"stiffness\": 20, \"damping\": 0.1}"},
    .category = CD_CONNECTOR,
    .force = &law,
    .symbol = &symbol,
};
