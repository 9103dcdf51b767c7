// connector_bushing.c - six springs and dampers: along the axes of marker a, and by rotation vector
//
//   x = p_AB_A             F_i = -(k_i x_i + c_i x_i' + elastic_i(x_i) + viscous_i(x_i'))
//   theta = log(R_AB)      L_i = -(k_i u + c_i u' + elastic_i(u) + viscous_i(u')),  u = theta_i
//   force F on b, in axes of a
//   theta' = A w_rel          A = dexp^-1(theta), w_rel = w_B - R_AB^T w_A      in axes of b
//   moment A^T L on b, in axes of b; its opposite on a
//
// So L is the force along theta, and the bushing keeps energy for any rotation short of half a
// turn, also with three different stiffnesses; for small angles L is the moment.
// Sola et al., arXiv 1812.01537.
#include "items/axes.h"
#include "items/curve.h"
#include "items/lanes.h"

typedef struct Bushing {
    CdPair pair;
    double stiffness[3], damping[3], angular_stiffness[3], angular_damping[3];
    CdFunction elastic_x, elastic_y, elastic_z, elastic_rx, elastic_ry, elastic_rz;
    CdFunction viscous_x, viscous_y, viscous_z, viscous_rx, viscous_ry, viscous_rz;
} Bushing;

#define FIELD(...) CD_FIELD(Bushing, __VA_ARGS__)
#define CURVE(member, unit_, of, arg_, arg_unit_)                                              \
    FIELD(member, FUNCTION, unit_, "0", "", "further " of, .arg = arg_, .arg_unit = arg_unit_, \
          .sensors = true)
#define FORCE(member, axis) \
    CURVE(member, "N", "force as a function of the way along " axis, "x", "m")
#define TORQUE(member, axis) \
    CURVE(member, "N*m", "torque as a function of the angle about " axis, "x", "rad")
#define FORCE_OF_RATE(member, axis) \
    CURVE(member, "N", "force as a function of the speed along " axis, "v", "m/s")
#define TORQUE_OF_RATE(member, axis) \
    CURVE(member, "N*m", "torque as a function of the rate about " axis, "v", "rad/s")
static const CdField fields[] = {
    CDI_PAIR_ROWS(Bushing),
    FIELD(stiffness, VEC3, "N/m", "[0, 0, 0]", "[0, inf)", "force per way, by axis of a"),
    FIELD(damping, VEC3, "N*s/m", "[0, 0, 0]", "[0, inf)", "force per speed, by axis of a"),
    FIELD(angular_stiffness, VEC3, "N*m/rad", "[0, 0, 0]", "[0, inf)", "torque per angle, by axis"),
    FIELD(angular_damping, VEC3, "N*m*s/rad", "[0, 0, 0]", "[0, inf)", "torque per rate, by axis"),
    FORCE(elastic_x, "x"),
    FORCE(elastic_y, "y"),
    FORCE(elastic_z, "z"),
    TORQUE(elastic_rx, "x"),
    TORQUE(elastic_ry, "y"),
    TORQUE(elastic_rz, "z"),
    FORCE_OF_RATE(viscous_x, "x"),
    FORCE_OF_RATE(viscous_y, "y"),
    FORCE_OF_RATE(viscous_z, "z"),
    TORQUE_OF_RATE(viscous_rx, "x"),
    TORQUE_OF_RATE(viscous_ry, "y"),
    TORQUE_OF_RATE(viscous_rz, "z"),
};

// kernel
typedef struct BushingCurves {
    const CdFunction *x, *y, *z, *rx, *ry, *rz;       // elastic
    const CdFunction *vx, *vy, *vz, *vrx, *vry, *vrz; // viscous
} BushingCurves;

// x, theta
static void bushing_place(const CdFrame *a, const CdFrame *b, double x[6]) {
    double R[9];
    frame_offset(a, b, &x[0]);
    tmul33(a->R, b->R, R);
    so3_log(R, &x[3]);
}

static void bushing_rate(const CdFrame *a, const CdFrame *b, const double x[6], const double va[6],
                         const double vb[6], double rate[6]) {
    double R[9], A[9], w[3], rel[3];
    axes_rate(a, &x[0], va, vb, &rate[0]);
    tmul33(a->R, b->R, R);
    tmul3v(R, &va[3], w);
    sub3(&vb[3], w, rel);
    so3_dexp_r_inv(&x[3], A);
    mul3v(A, rel, &rate[3]);
}

// along x and theta
static void bushing_force(const Bushing *p, const BushingCurves *c, const double x[6],
                          const double rate[6], double F[6]) {
    F[0] = curve_value(c->x, x[0]) + curve_value(c->vx, rate[0]);
    F[1] = curve_value(c->y, x[1]) + curve_value(c->vy, rate[1]);
    F[2] = curve_value(c->z, x[2]) + curve_value(c->vz, rate[2]);
    F[3] = curve_value(c->rx, x[3]) + curve_value(c->vrx, rate[3]);
    F[4] = curve_value(c->ry, x[4]) + curve_value(c->vry, rate[4]);
    F[5] = curve_value(c->rz, x[5]) + curve_value(c->vrz, rate[5]);
    for (int i = 0; i < 3; i++) {
        F[i] = -(F[i] + p->stiffness[i] * x[i] + p->damping[i] * rate[i]);
        F[3 + i] =
            -(F[3 + i] + p->angular_stiffness[i] * x[3 + i] + p->angular_damping[i] * rate[3 + i]);
    }
}

// x, theta, forces along them
// adc: jac = jacobian(out; a, b, va, vb)
static void bushing_outputs(const Bushing *p, const BushingCurves *c, const CdFrame *a,
                            const CdFrame *b, const double va[6], const double vb[6],
                            double out[12]) {
    double rate[6];
    bushing_place(a, b, &out[0]);
    bushing_rate(a, b, &out[0], va, vb, rate);
    bushing_force(p, c, &out[0], rate, &out[6]);
}

// on both markers
static void bushing_wrench(const CdFrame *a, const CdFrame *b, const double x[6], const double F[6],
                           double w[12]) {
    double A[9], R[9], mb[3], ma[3];
    axes_force(a, x, F, w);
    so3_dexp_r_inv(&x[3], A);
    tmul3v(A, &F[3], mb);
    tmul33(a->R, b->R, R);
    mul3v(R, mb, ma);
    for (int i = 0; i < 3; i++) {
        w[3 + i] -= ma[i];
        w[9 + i] += mb[i];
    }
}

// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: lanes(value, jac)
static void bushing(const Bushing *p, const BushingCurves *c, const CdFrame *a, const CdFrame *b,
                    const double va[6], const double vb[6], double w[12]) {
    double x[6], rate[6], F[6];
    bushing_place(a, b, x);
    bushing_rate(a, b, x, va, vb, rate);
    bushing_force(p, c, x, rate, F);
    bushing_wrench(a, b, x, F, w);
}

// without functions
// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: lanes(value, jac)
static void bushing_linear(const Bushing *p, const CdFrame *a, const CdFrame *b, const double va[6],
                           const double vb[6], double w[12]) {
    double x[6], rate[6], F[6];
    bushing_place(a, b, x);
    bushing_rate(a, b, x, va, vb, rate);
    for (int i = 0; i < 3; i++) {
        F[i] = -(p->stiffness[i] * x[i] + p->damping[i] * rate[i]);
        F[3 + i] = -(p->angular_stiffness[i] * x[3 + i] + p->angular_damping[i] * rate[3 + i]);
    }
    bushing_wrench(a, b, x, F, w);
}
// end kernel
#include "connector_bushing.adc.h"

static BushingCurves curves(const Bushing *p) {
    return (BushingCurves){&p->elastic_x,  &p->elastic_y,  &p->elastic_z,  &p->elastic_rx,
                           &p->elastic_ry, &p->elastic_rz, &p->viscous_x,  &p->viscous_y,
                           &p->viscous_z,  &p->viscous_rx, &p->viscous_ry, &p->viscous_rz};
}

// functions, as lanes take them
static const size_t places[] = {
    offsetof(Bushing, elastic_x),  offsetof(Bushing, viscous_x),  offsetof(Bushing, elastic_y),
    offsetof(Bushing, viscous_y),  offsetof(Bushing, elastic_z),  offsetof(Bushing, viscous_z),
    offsetof(Bushing, elastic_rx), offsetof(Bushing, viscous_rx), offsetof(Bushing, elastic_ry),
    offsetof(Bushing, viscous_ry), offsetof(Bushing, elastic_rz), offsetof(Bushing, viscous_rz)};
enum { NCURVES = sizeof places / sizeof *places };

// has it none?
static bool fits(const void *p) {
    return curves_are_zero(p, NCURVES, places);
}

static void value(const void *data, const CdForceInput *in, double *w) {
    const BushingCurves c = curves(data);
    if (fits(data)) {
        bushing_linear(data, in->a, in->b, in->v, in->v + 6, w);
    } else {
        bushing(data, &c, in->a, in->b, in->v, in->v + 6, w);
    }
}

static void jac(const void *data, const CdForceInput *in, double *w, double *J) {
    const BushingCurves c = curves(data);
    bushing_jac(data, &c, in->a, in->b, in->v, in->v + 6, w, J);
}

static void outputs(const void *data, const CdForceInput *in, double *out) {
    const BushingCurves c = curves(data);
    bushing_outputs(data, &c, in->a, in->b, in->v, in->v + 6, out);
}

static void outputs_jac(const void *data, const CdForceInput *in, double *out, double *J) {
    const BushingCurves c = curves(data);
    bushing_outputs_jac(data, &c, in->a, in->b, in->v, in->v + 6, out, J);
}

static double energy(const void *data, const CdForceInput *in) {
    const Bushing *p = data;
    const CdFunction *elastic[] = {&p->elastic_x,  &p->elastic_y,  &p->elastic_z,
                                   &p->elastic_rx, &p->elastic_ry, &p->elastic_rz};
    double x[6], sum = 0;
    bushing_place(in->a, in->b, x);
    for (int i = 0; i < 6; i++) {
        const double k = i < 3 ? p->stiffness[i] : p->angular_stiffness[i - 3];
        sum += k * x[i] * x[i] / 2 + cdi_curve_energy(elastic[i], x[i]);
    }
    return sum;
}

// ---- lanes

static void cells(const void *p, double *out) {
    bushing_linear_p_cells(p, out);
}

static void value_lanes(const double *p, const CdForceTile *in, double *w) {
    bushing_linear_value_lanes(in->items, p, in->a, in->b, in->v, in->v + 6 * CD_TILE, w);
}

static void jac_lanes(const double *p, const CdForceTile *in, double *w, double *J) {
    bushing_linear_jac_lanes(in->items, p, in->a, in->b, in->v, in->v + 6 * CD_TILE, w, J);
}

static void curved_value(const double *p, const CdForceTile *in, double *w) {
    const CdFunction *f[NCURVES][CD_TILE];
    curve_tile(in, NCURVES, places, f);
    bushing_value_lanes(in->items, p, NULL, in->a, in->b, in->v, in->v + 6 * CD_TILE, f[0], f[1],
                        f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], w);
}

static void curved_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    const CdFunction *f[NCURVES][CD_TILE];
    curve_tile(in, NCURVES, places, f);
    bushing_jac_lanes(in->items, p, NULL, in->a, in->b, in->v, in->v + 6 * CD_TILE, f[0], f[1],
                      f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], w, J);
}

static const CdForceLanes curved = {
    .np = bushing_linear_p_N, .cells = cells, .value = curved_value, .jac = curved_jac};
static const CdForceLanes lanes = {.np = bushing_linear_p_N,
                                   .cells = cells,
                                   .fits = fits,
                                   .other = &curved,
                                   .value = value_lanes,
                                   .jac = jac_lanes};

static const char *const out_names[] = {"x",  "y",  "z",  "rx", "ry", "rz",
                                        "fx", "fy", "fz", "mx", "my", "mz"};
static const char *const out_units[] = {"m", "m", "m", "rad", "rad", "rad",
                                        "N", "N", "N", "N*m", "N*m", "N*m"};

static const CdForceLaw law = {.nmarkers = 2,
                               .of_velocity = true,
                               .value = value,
                               .jac = jac,
                               .nout = 12,
                               .out_names = out_names,
                               .out_units = out_units,
                               .outputs = outputs,
                               .outputs_jac = outputs_jac,
                               .energy = energy,
                               .lanes = &lanes};

static const CdSymbolPart look[] = {
    {0, CD_TUBE, 2, {0.7, 0.6, 0.4}, {0, 0, 0}},
    {1, CD_CYLINDER, 2, {0.4, 0.7}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_connector_bushing = {
    .desc = {.name = "Bushing",
             .doc = "Springs and dampers along and about the three axes of a marker",
             .size = sizeof(Bushing),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Bushing\", \"name\": \"mount\", \"body_b\": \"link\", "
                        "\"at\": [0.5, 0, 0], \"stiffness\": [1e5, 1e5, 1e4], "
                        "\"angular_stiffness\": [100, 100, 10]}"},
    .category = CD_CONNECTOR,
    .force = &law,
    .symbol = &symbol,
};
