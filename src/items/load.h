// load.h - what force and torque share: a marker and a vector of functions of time
#ifndef CARDAN_ITEMS_LOAD_H
#define CARDAN_ITEMS_LOAD_H

#include "items/frame.h"
#include "items/lanes.h"

typedef enum CdLoadAxes { CD_LOAD_WORLD, CD_LOAD_OWN } CdLoadAxes;

typedef struct CdVectorLoad {
    CdRef marker, body;
    double point[3];
    CdFunction x, y, z;
    int axes;
} CdVectorLoad;

extern const char *const cdi_load_axes[];

#define CDI_VECTOR_LOAD_ROWS(unit_)                                                             \
    FIELD(marker, REF, "", "null", "", "marker that it acts on", .target = "marker"),           \
        FIELD(body, REF, "", "null", "", "body that it acts on, in place of a marker",          \
              .target = "body"),                                                                \
        FIELD(point, VEC3, "m", "[0, 0, 0]", "", "with a body: point of its body frame"),       \
        FIELD(x, FUNCTION, unit_, "0", "", "along x", .sensors = true),                         \
        FIELD(y, FUNCTION, unit_, "0", "", "along y", .sensors = true),                         \
        FIELD(z, FUNCTION, unit_, "0", "", "along z", .sensors = true),                         \
        FIELD(axes, ENUM, "", "\"world\"", "", "of the world, or the marker's own: it follows", \
              .names = cdi_load_axes)

// in the marker's axes?
static inline bool load_is_own(const void *p) {
    return ((const CdVectorLoad *)p)->axes == CD_LOAD_OWN;
}

void cdi_vector_load(const CdVectorLoad *p, double t, double out[3]);
// of items in a tile: 3 elements
void cdi_vector_loads(const CdForceTile *in, double *out);
// a law that does not depend on velocities: its 6 x 6 derivative to the frame as one of 6 x 12
void cdi_load_jacobian(const double frame[36], double J[72]);

// fill a CdForceLaw from kernels `k`_own and `k`_world: w of a vector in these axes, derived with
//   // adc: value = value(w)
//   // adc: jac = jacobian(w; a)
//   // adc: lanes(value, jac)
#define CDI_LOAD_LANES(k)                                                                \
    static void k##_value_(const double *p, const CdForceTile *in, double *w) {          \
        double x[3 * CDI_TILE];                                                          \
        cdi_vector_loads(in, x);                                                         \
        k##_value_lanes(in->items, x, in->a, w);                                         \
    }                                                                                    \
    static void k##_jac_(const double *p, const CdForceTile *in, double *w, double *J) { \
        double x[3 * CDI_TILE];                                                          \
        cdi_vector_loads(in, x);                                                         \
        k##_jac_lanes(in->items, x, in->a, w, J);                                        \
    }
#define CDI_LOAD_KERNELS(k)                                                                      \
    static void value_(const void *p, const CdForceInput *in, double *w) {                       \
        double x[3];                                                                             \
        cdi_vector_load(p, in->t, x);                                                            \
        (load_is_own(p) ? k##_own : k##_world)(x, in->a, w);                                     \
    }                                                                                            \
    static void jac_(const void *p, const CdForceInput *in, double *w, double *J) {              \
        double x[3], to_frame[36];                                                               \
        cdi_vector_load(p, in->t, x);                                                            \
        (load_is_own(p) ? k##_own_jac : k##_world_jac)(x, in->a, w, to_frame);                   \
        cdi_load_jacobian(to_frame, J);                                                          \
    }                                                                                            \
    CDI_LOAD_LANES(k##_own)                                                                      \
    CDI_LOAD_LANES(k##_world)                                                                    \
    static const CdForceLanes world_lanes_ = {.value = k##_world_value_, .jac = k##_world_jac_}; \
    static const CdForceLanes lanes_ = {.fits = load_is_own,                                     \
                                        .other = &world_lanes_,                                  \
                                        .value = k##_own_value_,                                 \
                                        .jac = k##_own_jac_};
#define CDI_LOAD_LAW .nmarkers = 1, .value = value_, .jac = jac_, .lanes = &lanes_

#endif
