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

void cdi_vector_load(const CdVectorLoad *p, double t, double out[3]);
// of items in a tile: 3 elements
void cdi_vector_loads(const CdForceTile *in, double *out);
// a law that does not depend on velocities: its 6 x 6 derivative to the frame as one of 6 x 12
void cdi_load_jacobian(const double frame[36], double J[72]);

#endif
