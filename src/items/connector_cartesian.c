// connector_cartesian.c - three springs and dampers along the axes of marker a
//
//   x = p_AB_A,  u = x - offset
//   F_i = -(k_i u_i + c_i x_i' + elastic_i(u_i) + viscous_i(x_i'))        on b, in axes of a
#include "items/axes.h"
#include "items/curve.h"
#include "items/lanes.h"

typedef struct CartesianSpringDamper {
    CdPair pair;
    double offset[3], stiffness[3], damping[3];
    CdFunction elastic_x, elastic_y, elastic_z, viscous_x, viscous_y, viscous_z;
} CartesianSpringDamper;

#define FIELD(...) CD_FIELD(CartesianSpringDamper, __VA_ARGS__)
#define ELASTIC(member, axis)                                                                      \
    FIELD(member, FUNCTION, "N", "0", "",                                                          \
          "further force as a function of the extension along " axis, .arg = "x", .arg_unit = "m", \
          .sensors = true)
#define VISCOUS(member, axis)                                                                    \
    FIELD(member, FUNCTION, "N", "0", "", "further force as a function of its rate along " axis, \
          .arg = "v", .arg_unit = "m/s", .sensors = true)
static const CdField fields[] = {
    CDI_PAIR_ROWS(CartesianSpringDamper),
    FIELD(offset, VEC3, "m", "[0, 0, 0]", "", "place of marker b in marker a without force"),
    FIELD(stiffness, VEC3, "N/m", "[0, 0, 0]", "[0, inf)", "force per extension, by axis"),
    FIELD(damping, VEC3, "N*s/m", "[0, 0, 0]", "[0, inf)", "force per rate, by axis"),
    ELASTIC(elastic_x, "x"),
    ELASTIC(elastic_y, "y"),
    ELASTIC(elastic_z, "z"),
    VISCOUS(viscous_x, "x"),
    VISCOUS(viscous_y, "y"),
    VISCOUS(viscous_z, "z"),
};

// kernel
typedef struct CartesianCurves {
    const CdFunction *ex, *ey, *ez, *vx, *vy, *vz;
} CartesianCurves;

// without functions
// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: lanes(value, jac)
static void cartesian_linear(const CartesianSpringDamper *p, const CdFrame *a, const CdFrame *b,
                             const double va[6], const double vb[6], double w[12]) {
    double x[3], rate[3], F[3];
    frame_offset(a, b, x);
    axes_rate(a, x, va, vb, rate);
    for (int i = 0; i < 3; i++) {
        F[i] = -(p->stiffness[i] * (x[i] - p->offset[i]) + p->damping[i] * rate[i]);
    }
    axes_force(a, x, F, w);
}

static void cartesian_force(const CartesianSpringDamper *p, const CartesianCurves *c,
                            const double x[3], const double rate[3], double F[3]) {
    double u[3];
    sub3(x, p->offset, u);
    F[0] = curve_value(c->ex, u[0]) + curve_value(c->vx, rate[0]);
    F[1] = curve_value(c->ey, u[1]) + curve_value(c->vy, rate[1]);
    F[2] = curve_value(c->ez, u[2]) + curve_value(c->vz, rate[2]);
    for (int i = 0; i < 3; i++) F[i] = -(F[i] + p->stiffness[i] * u[i] + p->damping[i] * rate[i]);
}

// x, x', force
// adc: jac = jacobian(out; a, b, va, vb)
static void cartesian_outputs(const CartesianSpringDamper *p, const CartesianCurves *c,
                              const CdFrame *a, const CdFrame *b, const double va[6],
                              const double vb[6], double out[9]) {
    frame_offset(a, b, &out[0]);
    axes_rate(a, &out[0], va, vb, &out[3]);
    cartesian_force(p, c, &out[0], &out[3], &out[6]);
}

// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: lanes(value, jac)
static void cartesian(const CartesianSpringDamper *p, const CartesianCurves *c, const CdFrame *a,
                      const CdFrame *b, const double va[6], const double vb[6], double w[12]) {
    double x[3], rate[3], F[3];
    frame_offset(a, b, x);
    axes_rate(a, x, va, vb, rate);
    cartesian_force(p, c, x, rate, F);
    axes_force(a, x, F, w);
}
// end kernel
#include "connector_cartesian.adc.h"

static CartesianCurves curves(const CartesianSpringDamper *p) {
    return (CartesianCurves){&p->elastic_x, &p->elastic_y, &p->elastic_z,
                             &p->viscous_x, &p->viscous_y, &p->viscous_z};
}

// functions, as lanes take them
static const size_t places[] = {
    offsetof(CartesianSpringDamper, elastic_x), offsetof(CartesianSpringDamper, viscous_x),
    offsetof(CartesianSpringDamper, elastic_y), offsetof(CartesianSpringDamper, viscous_y),
    offsetof(CartesianSpringDamper, elastic_z), offsetof(CartesianSpringDamper, viscous_z)};
enum { NCURVES = sizeof places / sizeof *places };

// has it none?
static bool fits(const void *p) {
    return curves_are_zero(p, NCURVES, places);
}

static void value(const void *data, const CdForceInput *in, double *w) {
    const CartesianCurves c = curves(data);
    if (fits(data)) {
        cartesian_linear(data, in->a, in->b, in->v, in->v + 6, w);
    } else {
        cartesian(data, &c, in->a, in->b, in->v, in->v + 6, w);
    }
}

static void jac(const void *data, const CdForceInput *in, double *w, double *J) {
    const CartesianCurves c = curves(data);
    cartesian_jac(data, &c, in->a, in->b, in->v, in->v + 6, w, J);
}

static void outputs(const void *data, const CdForceInput *in, double *out) {
    const CartesianCurves c = curves(data);
    cartesian_outputs(data, &c, in->a, in->b, in->v, in->v + 6, out);
}

static void outputs_jac(const void *data, const CdForceInput *in, double *out, double *J) {
    const CartesianCurves c = curves(data);
    cartesian_outputs_jac(data, &c, in->a, in->b, in->v, in->v + 6, out, J);
}

static double energy(const void *data, const CdForceInput *in) {
    const CartesianSpringDamper *p = data;
    const CdFunction *elastic[] = {&p->elastic_x, &p->elastic_y, &p->elastic_z};
    double x[3], sum = 0;
    frame_offset(in->a, in->b, x);
    for (int i = 0; i < 3; i++) {
        const double u = x[i] - p->offset[i];
        sum += p->stiffness[i] * u * u / 2 + cdi_curve_energy(elastic[i], u);
    }
    return sum;
}

// ---- lanes

static void cells(const void *p, double *out) {
    cartesian_linear_p_cells(p, out);
}

static void value_lanes(const double *p, const CdForceTile *in, double *w) {
    cartesian_linear_value_lanes(in->items, p, in->a, in->b, in->v, in->v + 6 * CD_TILE, w);
}

static void jac_lanes(const double *p, const CdForceTile *in, double *w, double *J) {
    cartesian_linear_jac_lanes(in->items, p, in->a, in->b, in->v, in->v + 6 * CD_TILE, w, J);
}

static void curved_value(const double *p, const CdForceTile *in, double *w) {
    const CdFunction *f[NCURVES][CD_TILE];
    curve_tile(in, NCURVES, places, f);
    cartesian_value_lanes(in->items, p, NULL, in->a, in->b, in->v, in->v + 6 * CD_TILE, f[0], f[1],
                          f[2], f[3], f[4], f[5], w);
}

static void curved_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    const CdFunction *f[NCURVES][CD_TILE];
    curve_tile(in, NCURVES, places, f);
    cartesian_jac_lanes(in->items, p, NULL, in->a, in->b, in->v, in->v + 6 * CD_TILE, f[0], f[1],
                        f[2], f[3], f[4], f[5], w, J);
}

static const CdForceLanes curved = {
    .np = cartesian_linear_p_N, .cells = cells, .value = curved_value, .jac = curved_jac};
static const CdForceLanes lanes = {.np = cartesian_linear_p_N,
                                   .cells = cells,
                                   .fits = fits,
                                   .other = &curved,
                                   .value = value_lanes,
                                   .jac = jac_lanes};

static const char *const out_names[] = {"x", "y", "z", "vx", "vy", "vz", "fx", "fy", "fz"};
static const char *const out_units[] = {"m", "m", "m", "m/s", "m/s", "m/s", "N", "N", "N"};

static const CdForceLaw law = {.nmarkers = 2,
                               .of_velocity = true,
                               .value = value,
                               .jac = jac,
                               .nout = 9,
                               .out_names = out_names,
                               .out_units = out_units,
                               .outputs = outputs,
                               .outputs_jac = outputs_jac,
                               .energy = energy,
                               .lanes = &lanes};

static const CdSymbolPart look[] = {
    {0, CD_BOX, 2, {0.4, 0.4, 0.4}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look), .span = CD_SPAN_SPRING};

const CdItemClass cd_connector_cartesian = {
    .desc = {.name = "CartesianSpringDamper",
             .doc = "Springs and dampers along the three axes of a marker",
             .size = sizeof(CartesianSpringDamper),
             CD_FIELDS(fields),
             .example = "{\"class\": \"CartesianSpringDamper\", \"name\": \"mount\", \"body_b\": "
                        "\"link\", \"at\": [0.5, 0, 0], \"stiffness\": [1000, 1000, 5000], "
                        "\"damping\": [5, 5, 10]}"},
    .category = CD_CONNECTOR,
    .force = &law,
    .symbol = &symbol,
};
