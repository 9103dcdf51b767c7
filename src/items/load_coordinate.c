// load_coordinate.c - force on a single coordinate, as a function of time
#include "items/curve.h"
#include "items/item.h"

typedef struct CoordinateLoad {
    CdRef marker;
    CdFunction force;
} CoordinateLoad;

// a force, or a torque on an angle
#define FIELD(...) CD_FIELD(CoordinateLoad, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(marker, REF, "", NULL, "", "coordinate that it acts on", .target = "marker"),
    FIELD(force, FUNCTION, "*", NULL, "", "force or torque along the coordinate", .sensors = true),
};

static void force(int items, const void *const *p, double t, int n, const double *s,
                  const double *sdot, double *f, double *J) {
    for (int i = 0; i < items; i++) {
        f[i] = cdi_function_value(&((const CoordinateLoad *)p[i])->force, t);
        if (J) J[2 * i] = J[2 * i + 1] = 0;
    }
}

// on one coordinate a line pulls back
static bool line(const void *data, CdCoordinateLine *l) {
    double value;
    if (!curve_constant(&((const CoordinateLoad *)data)->force, &value)) return false;
    *l = (CdCoordinateLine){.force = -value};
    return true;
}

static const CdCoordinateLaw law = {.nmarkers = 1, .force = force, .line = line};

const CdItemClass cd_load_coordinate = {
    .desc = {.name = "CoordinateLoad",
             .doc = "Force on a single coordinate, as a function of time",
             .size = sizeof(CoordinateLoad),
             CD_FIELDS(fields),
             .example = "{\"class\": \"CoordinateLoad\", \"name\": \"push\", \"marker\": "
                        "\"height\", \"force\": \"5*sin(t)\"}"},
    .category = CD_LOAD,
    .coordinate = &law,
};
