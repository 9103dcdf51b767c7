// joint_coupling.c - coordinates of bodies depend on each other linearly: gears, racks, belts
//
//   c = sum k_i s_i - offset(t)
#include "items/item.h"

typedef struct CoordinateCoupling {
    CdList markers; // of CdRef
    CdList factors; // of double
    CdFunction offset;
} CoordinateCoupling;

#define FIELD(...) CD_FIELD(CoordinateCoupling, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(markers, REF, "", NULL, "", "coordinates", .target = "marker", .list = true,
          .count = "[1, inf)"),
    FIELD(factors, REAL, "*", NULL, "", "of every coordinate in the sum", .list = true,
          .count = "[1, inf)"),
    FIELD(offset, FUNCTION, "*", "0", "", "value of the sum"),
};

static CdStatus finish(CdReader *r, void *data) {
    const CoordinateCoupling *c = data;
    const double *k = c->factors.v;
    CdStatus status = CD_OK;
    if (c->factors.n != c->markers.n) {
        status = cdi_reject_field(r, "factors", "there must be one for each of %d markers, not %d",
                                  c->markers.n, c->factors.n);
    }
    for (int i = 0; i < c->factors.n; i++) {
        if (k[i] != 0) continue;
        status = cdi_reject_field(r, "factors", "must not be 0; leave out marker %d", i + 1);
    }
    return status;
}

static const CdFunction *coupling(const void *data, const double **k) {
    const CoordinateCoupling *p = data;
    *k = p->factors.v;
    return &p->offset;
}

static const CdCoordinateLaw law = {.nmarkers = -1, .coupling = coupling};

const CdItemClass cd_joint_coupling = {
    .desc = {.name = "CoordinateCoupling",
             .doc = "Coordinates of bodies keep a linear relation: gear, rack, belt",
             .size = sizeof(CoordinateCoupling),
             CD_FIELDS(fields),
             .finish = finish,
             .example = "{\"class\": \"CoordinateCoupling\", \"name\": \"gear\", \"markers\": "
                        "[\"drive\", \"height\"], \"factors\": [1, 3]}"},
    .category = CD_JOINT,
    .coordinate = &law,
};
