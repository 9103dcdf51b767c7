// adc_case.c - the kernels of suite_adc.c, compiled for one instruction set
#define CD_LANES
#include "adc_case.h"

#include "base/isa.h"

#include "ancf.c"
#include "beam.c"
#include "hinge.c"
#include "revolute.c"
#include "spring.c"

#include "ancf.adc.complex.h"
#include "beam.adc.complex.h"
#include "hinge.adc.complex.h"
#include "revolute.adc.complex.h"
#include "spring.adc.complex.h"

#define AT(T, k) ((const T *)(const void *)(x + (k)))
#define REVOLUTE(P, x) P, (x) + 15, (x) + 18, (x) + 22, (x) + 25, (x) + 28, (x) + 32
#define SPRING(P, x) P, (x) + 3, (x) + 6, (x) + 9, (x) + 12
#define BEAM(P, x) P, (x) + 10, (x) + 13, (x) + 16, (x) + 19
#define TILE(x, k) ((x) + 8 * (k))

static void revolute_v(const double *x, double *y) {
    revolute(REVOLUTE(AT(Revolute, 0), x), y);
}
static void revolute_j(const double *x, double *y, double *jac) {
    revolute_jac(REVOLUTE(AT(Revolute, 0), x), y, jac);
}
static void revolute_l(const double *x, double *y, double *jac) {
    revolute_jac_lanes(8, x, TILE(x, 15), TILE(x, 18), TILE(x, 22), TILE(x, 25), TILE(x, 28),
                       TILE(x, 32), y, jac);
}
static void react_v(const double *x, double *y) {
    revolute_react(REVOLUTE(AT(Revolute, 0), x), x + 35, y);
}
static void react_j(const double *x, double *y, double *jac) {
    revolute_react_jac(REVOLUTE(AT(Revolute, 0), x), x + 35, y, jac);
}
static void react_l(const double *x, double *y, double *jac) {
    revolute_react_jac_lanes(8, x, TILE(x, 15), TILE(x, 18), TILE(x, 22), TILE(x, 25), TILE(x, 28),
                             TILE(x, 32), TILE(x, 35), y, jac);
}
static void spring_v(const double *x, double *y) {
    const Spring p = {"", x[0], x[1], x[2]};
    spring(SPRING(&p, x), y);
}
static void spring_j(const double *x, double *y, double *jac) {
    const Spring p = {"", x[0], x[1], x[2]};
    spring_jac(SPRING(&p, x), y, jac);
}
static void spring_l(const double *x, double *y, double *jac) {
    spring_jac_lanes(8, x, TILE(x, 3), TILE(x, 6), TILE(x, 9), TILE(x, 12), y, jac);
}
// into an array of its own: the compiler then knows that the forces overlap nothing, and the loops
// of the kernel become vectors (80 instead of 200 ns)
static void ancf_v(const double *x, double *y) {
    double f[12];
    ancf(AT(Cable, 0), x + 3, f);
    for (int i = 0; i < 12; i++) y[i] = f[i];
}
static void ancf_j(const double *x, double *y, double *jac) {
    ancf_jac(AT(Cable, 0), x + 3, y, jac);
}
static void ancf_l(const double *x, double *y, double *jac) {
    ancf_jac_lanes(8, x, TILE(x, 3), y, jac);
}
static void beam_v(const double *x, double *y) {
    beam_force(BEAM(AT(Beam, 0), x), y);
}
static void beam_j(const double *x, double *y, double *jac) {
    beam_jac(BEAM(AT(Beam, 0), x), y, jac);
}
static void beam_l(const double *x, double *y, double *jac) {
    beam_jac_lanes(8, x, TILE(x, 10), TILE(x, 13), TILE(x, 16), TILE(x, 19), y, jac);
}
static void hinge_v(const double *x, double *y) {
    hinge(AT(Hinge, 0), AT(Frame, 15), AT(Frame, 27), y);
}
static void hinge_j(const double *x, double *y, double *jac) {
    hinge_jac(AT(Hinge, 0), AT(Frame, 15), AT(Frame, 27), y, jac);
}
static void hinge_l(const double *x, double *y, double *jac) {
    hinge_jac_lanes(8, x, TILE(x, 15), TILE(x, 27), y, jac);
}

// one column by complex step: z is x with i h added to one argument
#define STEP 1e-100
#define COMPLEX(name, n, ny, ...)                                   \
    static void name(const double *x, int dir, double *slope) {     \
        double complex z[n], f[ny];                                 \
        for (int i = 0; i < n; i++) z[i] = x[i];                    \
        z[dir] += STEP * I;                                         \
        __VA_ARGS__;                                                \
        for (int i = 0; i < ny; i++) slope[i] = cimag(f[i]) / STEP; \
    }

COMPLEX(revolute_c, 40, 5, revolute_value_complex(REVOLUTE(AT(Revolute, 0), z), f))
COMPLEX(react_c, 40, 12, revolute_react_complex(REVOLUTE(AT(Revolute, 0), z), z + 35, f))
COMPLEX(spring_c, 15, 3, const Spring p = {"", x[0], x[1], x[2]};
        spring_value_complex(SPRING(&p, z), f))
COMPLEX(ancf_c, 15, 12, ancf_value_complex(AT(Cable, 0), z + 3, f))
COMPLEX(beam_c, 22, 12, beam_force_complex(BEAM(AT(Beam, 0), z), f))

#define TWELVE(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11
#define HINGED \
    { 15, 16, 17, 22, 23, 24, 25, 26, 27, 32, 33, 34 }

const AdcCase CD_ISA_NAME(adc_cases)[ADC_NCASE] = {
    {"revolute", revolute_v, revolute_j, revolute_l, revolute_c, 40, 5, HINGED, {18, 28}},
    {"reaction", react_v, react_j, react_l, react_c, 40, 12, HINGED, {18, 28}},
    {"spring", spring_v, spring_j, spring_l, spring_c, 15, 3, {TWELVE(3)}, {0}},
    {"ancf", ancf_v, ancf_j, ancf_l, ancf_c, 15, 12, {TWELVE(3)}, {0}},
    {"beam", beam_v, beam_j, beam_l, beam_c, 22, 12, {TWELVE(10)}, {0}},
    {"hinge", hinge_v, hinge_j, hinge_l, 0, 39, 5, {TWELVE(15)}, {0}},
};
