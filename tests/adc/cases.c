// cases.c - the test kernels with all that adc derives from them, callable through one signature
#include "cases.h"

#include <stddef.h>

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

double curve_value(const Curve *c, double t) {
    return c->amplitude * sin(c->rate * t);
}

double curve_slope(const Curve *c, double t) {
    return c->amplitude * c->rate * cos(c->rate * t);
}

double curve_bend(const Curve *c, double t) {
    return -c->amplitude * c->rate * c->rate * sin(c->rate * t);
}

double ground_h(const Ground *g, double x, double y) {
    return g->slope * x * y + g->wave * sin(x) * cos(y) + x * x * x * y;
}

double ground_hx(const Ground *g, double x, double y) {
    return g->slope * y + g->wave * cos(x) * cos(y) + 3 * x * x * y;
}

double ground_hy(const Ground *g, double x, double y) {
    return g->slope * x - g->wave * sin(x) * sin(y) + x * x * x;
}

double ground_hxx(const Ground *g, double x, double y) {
    return -g->wave * sin(x) * cos(y) + 6 * x * y;
}

double ground_hxy(const Ground *g, double x, double y) {
    return g->slope - g->wave * cos(x) * sin(y) + 3 * x * x;
}

double ground_hyy(const Ground *g, double x, double y) {
    return -g->wave * sin(x) * cos(y);
}

typedef struct Unpacked { // structs that are not only doubles
    Spring spring;
    Curve curve;
    Ground ground;
    Motion motion;
    Torture torture;
} Unpacked;

static void unpack_motion(const double *x, Unpacked *u) {
    u->curve = (Curve){x[0], x[1]};
    u->ground = (Ground){x[2], x[3]};
    u->motion = (Motion){&u->curve, x[4]};
}

static Torture unpack_torture(const double *x) {
    Torture t = {.a = x[0], .b = {x[1], x[2]}, .in = {{x[3], x[4]}, x[5]}};
    for (int i = 0; i < 2; i++) t.more[i] = (Inner){{x[6 + 3 * i], x[7 + 3 * i]}, x[8 + 3 * i]};
    return t;
}

#define AT(T, offset) ((const T *)(const void *)(x + (offset)))
#define REVOLUTE AT(Revolute, 0), x + 15, x + 18, x + 22, x + 25, x + 28, x + 32
#define HINGE AT(Hinge, 0), AT(Frame, 15), AT(Frame, 27)
#define UNIVERSAL AT(Universal, 0), AT(Frame, 16), AT(Frame, 28), x[40]
#define SPRING &u.spring, x + 3, x + 6, x + 9, x + 12
#define BUSHING AT(Bushing, 0), AT(Frame, 12), AT(Frame, 24), x + 36, x + 42
#define GYRO AT(Gyro, 0), x + 6
#define MOTION &u.motion, &u.ground, x + 5, x + 8, x[11]
#define ANCF AT(Cable, 0), x + 3
#define BEAM AT(Beam, 0), x + 10, x + 13, x + 16, x + 19
#define TYRE AT(Tyre, 0), x + 7
#define TORTURE &u.torture, x + 12, x[18]

// what one function needs to be called: BODY is the call
#define CASE(name, ...)                                                               \
    static void do_##name(const double *x, const double *v, double *y, double *out) { \
        Unpacked u;                                                                   \
        u.spring = (Spring){"", x[0], x[1], x[2]};                                    \
        u.torture = unpack_torture(x);                                                \
        unpack_motion(x, &u);                                                         \
        (void)v, (void)y, (void)out;                                                  \
        __VA_ARGS__;                                                                  \
    }

CASE(revolute, revolute(REVOLUTE, y))
CASE(hinge, hinge(HINGE, y))
CASE(universal, universal(UNIVERSAL, y))
CASE(spring, spring(SPRING, y))
CASE(bushing, bushing(BUSHING, y))
CASE(gyro, gyro(GYRO, y))
CASE(motion, motion(MOTION, y))
CASE(ancf, ancf(ANCF, y))
CASE(beam, y[0] = beam(BEAM))
CASE(tyre, tyre(TYRE, y))
CASE(torture, torture(TORTURE, y))

CASE(revolute_jac, revolute_jac(REVOLUTE, y, out))
CASE(revolute_react, revolute_react(REVOLUTE, v, out))
CASE(revolute_react_jac, revolute_react_jac(REVOLUTE, v, y, out))
CASE(revolute_vel, revolute_vel(REVOLUTE, v, out))
CASE(revolute_acc, revolute_acc(REVOLUTE, v, out))
CASE(revolute_vel_jac, revolute_vel_jac(REVOLUTE, v, y, out))
CASE(revolute_acc_jac, revolute_acc_jac(REVOLUTE, v, y, out))
CASE(revolute_par, revolute_par(REVOLUTE, y, out))
CASE(hinge_jac, hinge_jac(HINGE, y, out))
CASE(hinge_react, hinge_react(HINGE, v, out))
CASE(hinge_react_jac, hinge_react_jac(HINGE, v, y, out))
CASE(hinge_vel, hinge_vel(HINGE, v, out))
CASE(hinge_acc, hinge_acc(HINGE, v, out))
CASE(hinge_vel_jac, hinge_vel_jac(HINGE, v, y, out))
CASE(hinge_acc_jac, hinge_acc_jac(HINGE, v, y, out))
CASE(hinge_par, hinge_par(HINGE, y, out))
CASE(universal_jac, universal_jac(UNIVERSAL, y, out))
CASE(universal_react, universal_react(UNIVERSAL, v, out))
CASE(universal_react_jac, universal_react_jac(UNIVERSAL, v, y, out))
CASE(universal_vel, universal_vel(UNIVERSAL, v, out))
CASE(universal_acc, universal_acc(UNIVERSAL, v, out))
CASE(universal_vel_jac, universal_vel_jac(UNIVERSAL, v, y, out))
CASE(universal_acc_jac, universal_acc_jac(UNIVERSAL, v, y, out))
CASE(universal_ct, universal_ct(UNIVERSAL, y, out))
CASE(universal_par, universal_par(UNIVERSAL, y, out))
CASE(spring_jac, spring_jac(SPRING, y, out))
CASE(spring_par, spring_par(SPRING, y, out))
CASE(bushing_jac, bushing_jac(BUSHING, y, out))
CASE(bushing_par, bushing_par(BUSHING, y, out))
CASE(gyro_jac, gyro_jac(GYRO, y, out))
CASE(gyro_second, gyro_second(GYRO, v, out))
CASE(gyro_second_jac, gyro_second_jac(GYRO, v, y, out))
CASE(gyro_par, gyro_par(GYRO, y, out))
CASE(motion_jac, motion_jac(MOTION, y, out))
CASE(motion_vel, motion_vel(MOTION, v, out))
CASE(motion_acc, motion_acc(MOTION, v, out))
CASE(motion_react, motion_react(MOTION, v, out))
CASE(motion_react_jac, motion_react_jac(MOTION, v, y, out))
CASE(ancf_jac, ancf_jac(ANCF, y, out))
CASE(beam_force, beam_force(BEAM, out))
CASE(beam_jac, beam_jac(BEAM, y, out))
CASE(tyre_jac, tyre_jac(TYRE, y, out))
CASE(tyre_second, tyre_second(TYRE, v, out))
CASE(tyre_second_jac, tyre_second_jac(TYRE, v, y, out))
CASE(tyre_par, tyre_par(TYRE, y, out))
CASE(torture_jac, torture_jac(TORTURE, y, out))
CASE(torture_grad, torture_grad(TORTURE, v, out))
CASE(torture_grad_jac, torture_grad_jac(TORTURE, v, y, out))
CASE(torture_par, torture_par(TORTURE, y, out))

void kernel_value(WitnessKernel k, const double *x, double *y) {
    static CaseFn *const values[W_COUNT] = {
        [W_REVOLUTE] = do_revolute, [W_HINGE] = do_hinge,     [W_UNIVERSAL] = do_universal,
        [W_SPRING] = do_spring,     [W_BUSHING] = do_bushing, [W_GYRO] = do_gyro,
        [W_MOTION] = do_motion,     [W_ANCF] = do_ancf,       [W_BEAM] = do_beam,
        [W_TYRE] = do_tyre,         [W_TORTURE] = do_torture};
    values[k](x, NULL, y, NULL);
}

#define PLAIN(name) #name, .fn = do_##name, .n = name##_N
#define REVOLUTE_DIRS .ndir = 12, .dirs = {15, 16, 17, 22, 23, 24, 25, 26, 27, 32, 33, 34}
#define SIX(n) n, n + 1, n + 2, n + 3, n + 4, n + 5
#define TWELVE(n) SIX(n), SIX(n + 6)
#define HINGE_DIRS .ndir = 12, .inc = 12, .dirs = {TWELVE(39)}
#define UNIVERSAL_DIRS .ndir = 12, .inc = 12, .dirs = {TWELVE(41)}
#define MOTION_DIRS .ndir = 6, .dirs = {SIX(5)}

const Case cases[] = {
    {W_REVOLUTE, PLAIN(revolute_jac), .kind = C_JAC, REVOLUTE_DIRS},
    {W_REVOLUTE, PLAIN(revolute_vel), .kind = C_VEL, REVOLUTE_DIRS},
    {W_REVOLUTE, PLAIN(revolute_acc), .kind = C_ACC, REVOLUTE_DIRS},
    {W_REVOLUTE, PLAIN(revolute_react), .kind = C_REACT, REVOLUTE_DIRS},
    {W_REVOLUTE, PLAIN(revolute_react_jac), .kind = C_REACT_JAC, REVOLUTE_DIRS},
    {W_REVOLUTE, PLAIN(revolute_vel_jac), .kind = C_VEL_JAC, REVOLUTE_DIRS},
    {W_REVOLUTE, PLAIN(revolute_acc_jac), .kind = C_ACC_JAC, REVOLUTE_DIRS},
    {W_REVOLUTE, PLAIN(revolute_par), .kind = C_JAC, .ndir = 6, .dirs = {3, 4, 5, 12, 13, 14}},
    {W_HINGE, PLAIN(hinge_jac), .kind = C_JAC, HINGE_DIRS},
    {W_HINGE, PLAIN(hinge_vel), .kind = C_VEL, HINGE_DIRS},
    {W_HINGE, PLAIN(hinge_acc), .kind = C_ACC, HINGE_DIRS},
    {W_HINGE, PLAIN(hinge_react), .kind = C_REACT, HINGE_DIRS},
    {W_HINGE, PLAIN(hinge_react_jac), .kind = C_REACT_JAC, HINGE_DIRS},
    {W_HINGE, PLAIN(hinge_vel_jac), .kind = C_VEL_JAC, HINGE_DIRS},
    {W_HINGE, PLAIN(hinge_acc_jac), .kind = C_ACC_JAC, HINGE_DIRS},
    {W_HINGE, PLAIN(hinge_par), .kind = C_JAC, .ndir = 3, .dirs = {12, 13, 14}},
    {W_UNIVERSAL, PLAIN(universal_jac), .kind = C_JAC, UNIVERSAL_DIRS},
    {W_UNIVERSAL, PLAIN(universal_vel), .kind = C_VEL, UNIVERSAL_DIRS, .time = 40},
    {W_UNIVERSAL, PLAIN(universal_acc), .kind = C_ACC, UNIVERSAL_DIRS, .time = 40},
    {W_UNIVERSAL, PLAIN(universal_react), .kind = C_REACT, UNIVERSAL_DIRS},
    {W_UNIVERSAL, PLAIN(universal_react_jac), .kind = C_REACT_JAC, UNIVERSAL_DIRS},
    {W_UNIVERSAL, PLAIN(universal_vel_jac), .kind = C_VEL_JAC, UNIVERSAL_DIRS, .time = 40},
    {W_UNIVERSAL, PLAIN(universal_acc_jac), .kind = C_ACC_JAC, UNIVERSAL_DIRS, .time = 40},
    {W_UNIVERSAL, PLAIN(universal_ct), .kind = C_JAC, .ndir = 1, .dirs = {40}},
    {W_UNIVERSAL, PLAIN(universal_par), .kind = C_JAC, .ndir = 4, .dirs = {15, 0, 1, 2}},
    {W_SPRING, PLAIN(spring_jac), .kind = C_JAC, .ndir = 12, .dirs = {TWELVE(3)}},
    {W_SPRING, PLAIN(spring_par), .kind = C_JAC, .ndir = 3, .dirs = {0, 1, 2}},
    {W_BUSHING, PLAIN(bushing_jac), .kind = C_JAC, .ndir = 24, .dirs = {TWELVE(48), TWELVE(36)}},
    {W_BUSHING, PLAIN(bushing_par), .kind = C_JAC, .ndir = 12, .dirs = {TWELVE(0)}},
    {W_GYRO, PLAIN(gyro_jac), .kind = C_JAC, .ndir = 3, .dirs = {6, 7, 8}},
    {W_GYRO, PLAIN(gyro_second), .kind = C_VEL, .ndir = 3, .dirs = {6, 7, 8}},
    {W_GYRO, PLAIN(gyro_second_jac), .kind = C_VEL_JAC, .ndir = 3, .dirs = {6, 7, 8}},
    {W_GYRO, PLAIN(gyro_par), .kind = C_JAC, .ndir = 6, .dirs = {SIX(0)}},
    {W_MOTION, PLAIN(motion_jac), .kind = C_JAC, .ndir = 7, .dirs = {SIX(5), 11}},
    {W_MOTION, PLAIN(motion_vel), .kind = C_VEL, MOTION_DIRS, .time = 11},
    {W_MOTION, PLAIN(motion_acc), .kind = C_ACC, MOTION_DIRS, .time = 11},
    {W_MOTION, PLAIN(motion_react), .kind = C_REACT, MOTION_DIRS},
    {W_MOTION, PLAIN(motion_react_jac), .kind = C_REACT_JAC, MOTION_DIRS},
    {W_ANCF, PLAIN(ancf_jac), .kind = C_JAC, .ndir = 12, .dirs = {TWELVE(3)}},
    {W_BEAM, PLAIN(beam_force), .kind = C_JAC, .ndir = 12, .dirs = {TWELVE(10)}},
    {W_BEAM, PLAIN(beam_jac), .kind = C_REACT_JAC, .ndir = 12, .dirs = {TWELVE(10)}},
    {W_TYRE, PLAIN(tyre_jac), .kind = C_JAC, .ndir = 6, .dirs = {SIX(7)}},
    {W_TYRE, PLAIN(tyre_second), .kind = C_VEL, .ndir = 6, .dirs = {SIX(7)}},
    {W_TYRE, PLAIN(tyre_second_jac), .kind = C_VEL_JAC, .ndir = 6, .dirs = {SIX(7)}},
    {W_TYRE, PLAIN(tyre_par), .kind = C_JAC, .ndir = 3, .dirs = {2, 3, 6}},
    {W_TORTURE, PLAIN(torture_jac), .kind = C_JAC, .ndir = 7, .dirs = {SIX(12), 18}},
    {W_TORTURE, PLAIN(torture_grad), .kind = C_REACT, .ndir = 7, .dirs = {SIX(12), 18}},
    {W_TORTURE, PLAIN(torture_grad_jac), .kind = C_REACT_JAC, .ndir = 7, .dirs = {SIX(12), 18}},
    {W_TORTURE, PLAIN(torture_par), .kind = C_JAC, .ndir = 3, .dirs = {0, 1, 2}},
};
const int ncases = (int)(sizeof cases / sizeof *cases);
