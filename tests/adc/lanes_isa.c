// lanes_isa.c - lane code compiled for one instruction set: the functions and the test kernels
#define CD_LANES
#include "lanes_isa.h"

#include "ad/lanes.h"
#include "base/isa.h"

#include "ancf.c"
#include "beam.c"
#include "bushing.c"
#include "gyro.c"
#include "hinge.c"
#include "motion.c"
#include "revolute.c"
#include "spring.c"
#include "torture.c"
#include "tyre.c"
#include "universal.c"

static CdLane apply(int fn, CdLane a, CdLane b) {
    switch (fn) {
    case 0: return lane_sqrt(a);
    case 1: return lane_sin(a);
    case 2: return lane_cos(a);
    case 3: return lane_tan(a);
    case 4: return lane_asin(a);
    case 5: return lane_acos(a);
    case 6: return lane_atan(a);
    case 7: return lane_exp(a);
    case 8: return lane_log(a);
    case 9: return lane_fabs(a);
    case 10: return lane_sinh(a);
    case 11: return lane_cosh(a);
    case 12: return lane_tanh(a);
    case 13: return lane_atan2(a, b);
    case 14: return lane_pow(a, b);
    case 15: return lane_fmin(a, b);
    case 16: return lane_fmax(a, b);
    default: return lane_hypot(a, b);
    }
}

static void math(int fn, const double *a, const double *b, double *y) {
    for (int h = 0; h < CD_TILE; h += CD_LANE_WIDTH) {
        lane_store(y + h, apply(fn, lane_load(a + h), lane_load(b + h)));
    }
}

#define X(k) x + 8 * (k)
#define CASE(name, ...)                                                               \
    static void do_##name(const double *x, const double *v, double *y, double *out) { \
        (void)v, (void)y;                                                             \
        __VA_ARGS__;                                                                  \
    }

#define REVOLUTE 8, X(0), X(15), X(18), X(22), X(25), X(28), X(32)
#define HINGE 8, X(0), X(15), X(27)
#define UNIVERSAL 8, X(0), X(16), X(28), X(40)

CASE(revolute_jac, revolute_jac_lanes(REVOLUTE, y, out))
CASE(revolute_react, revolute_react_lanes(REVOLUTE, v, out))
CASE(revolute_react_jac, revolute_react_jac_lanes(REVOLUTE, v, y, out))
CASE(hinge_jac, hinge_jac_lanes(HINGE, y, out))
CASE(hinge_vel, hinge_vel_lanes(HINGE, v, out))
CASE(hinge_react_jac, hinge_react_jac_lanes(HINGE, v, y, out))
CASE(universal_jac, universal_jac_lanes(UNIVERSAL, y, out))
CASE(universal_vel, universal_vel_lanes(UNIVERSAL, v, out))
CASE(universal_acc, universal_acc_lanes(UNIVERSAL, v, out))
CASE(universal_react, universal_react_lanes(UNIVERSAL, v, out))
CASE(spring_jac, spring_jac_lanes(8, X(0), X(3), X(6), X(9), X(12), y, out))
CASE(bushing_jac, bushing_jac_lanes(8, X(0), X(12), X(24), X(36), X(42), y, out))
CASE(gyro_jac, gyro_jac_lanes(8, X(0), X(6), y, out))
CASE(ancf_jac, ancf_jac_lanes(8, X(0), X(3), y, out))
CASE(beam_force, beam_force_lanes(8, X(0), X(10), X(13), X(16), X(19), out))
CASE(beam_jac, beam_jac_lanes(8, X(0), X(10), X(13), X(16), X(19), y, out))
CASE(tyre_jac, tyre_jac_lanes(8, X(0), X(7), y, out))
CASE(torture_jac, torture_jac_lanes(8, X(0), X(12), X(18), y, out))

// the curves and grounds of the eight items
typedef struct Outside {
    Curve curve[8];
    Ground ground[8];
    const Curve *curve_at[8];
    const Ground *ground_at[8];
} Outside;

static void outside(const double *x, Outside *o) {
    for (int l = 0; l < 8; l++) {
        o->curve[l] = (Curve){x[l], x[8 + l]};
        o->ground[l] = (Ground){x[16 + l], x[24 + l]};
        o->curve_at[l] = &o->curve[l];
        o->ground_at[l] = &o->ground[l];
    }
}

static void do_motion_jac(const double *x, const double *v, double *y, double *out) {
    Outside o;
    (void)v;
    outside(x, &o);
    motion_jac_lanes(8, X(4), X(2), X(5), X(8), X(11), o.curve_at, o.ground_at, y, out);
}

static void do_motion_acc(const double *x, const double *v, double *y, double *out) {
    Outside o;
    (void)y;
    outside(x, &o);
    motion_acc_lanes(8, X(4), X(2), X(5), X(8), X(11), o.curve_at, o.ground_at, v, out);
}

#define ROW(kernel, name, nextra) \
    { kernel, #name, do_##name, 0, nextra, name##_N }

static const LaneCase cases[] = {
    ROW(W_REVOLUTE, revolute_jac, 0),
    ROW(W_REVOLUTE, revolute_react, 5),
    ROW(W_REVOLUTE, revolute_react_jac, 5),
    ROW(W_HINGE, hinge_jac, 0),
    ROW(W_HINGE, hinge_vel, 12),
    ROW(W_HINGE, hinge_react_jac, 5),
    ROW(W_UNIVERSAL, universal_jac, 0),
    ROW(W_UNIVERSAL, universal_vel, 12),
    ROW(W_UNIVERSAL, universal_acc, 12),
    ROW(W_UNIVERSAL, universal_react, 4),
    ROW(W_SPRING, spring_jac, 0),
    ROW(W_BUSHING, bushing_jac, 0),
    ROW(W_GYRO, gyro_jac, 0),
    ROW(W_MOTION, motion_jac, 0),
    ROW(W_MOTION, motion_acc, 6),
    ROW(W_ANCF, ancf_jac, 0),
    ROW(W_BEAM, beam_force, 0),
    ROW(W_BEAM, beam_jac, 0),
    ROW(W_TYRE, tyre_jac, 0),
    ROW(W_TORTURE, torture_jac, 0),
};

const LaneTable CD_ISA_NAME(lane_table) = {math, cases, (int)(sizeof cases / sizeof *cases),
                                           CD_LANE_WIDTH};
