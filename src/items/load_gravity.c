// load_gravity.c - uniform field of gravity that acts on every mass
#include "items/item.h"

typedef struct Gravity {
    double acceleration[3];
} Gravity;

static const CdField fields[] = {
    CD_FIELD(Gravity, acceleration, VEC3, "m/s^2", "[0, 0, -9.81]", "", "of free fall"),
};

static const double *gravity(const void *p) {
    return ((const Gravity *)p)->acceleration;
}

const CdItemClass cd_load_gravity = {
    .desc = {.name = "Gravity",
             .doc = "Uniform field of gravity on every mass",
             .size = sizeof(Gravity),
             CD_FIELDS(fields),
             .example =
                 "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -9.81, 0]}"},
    .category = CD_LOAD,
    .gravity = gravity,
};
