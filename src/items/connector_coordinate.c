// connector_coordinate.c - spring and damper on a coordinate, or between two
//
//   x = s_B - s_A - length, or s_A - length without marker b
//   F = k x + c x' + elastic(x) + viscous(x');   force -F on b and F on a, or -F on a alone
#include "items/curve.h"
#include "items/item.h"

typedef struct CoordinateSpringDamper {
    CdRef marker_a, marker_b;
    double length, stiffness, damping;
    CdFunction elastic, viscous;
} CoordinateSpringDamper;

// coordinates are lengths or angles, so units of a force over them are left open
#define FIELD(...) CD_FIELD(CoordinateSpringDamper, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(marker_a, REF, "", NULL, "", "first coordinate", .target = "marker"),
    FIELD(marker_b, REF, "", "null", "", "second coordinate; none: that of a rests",
          .target = "marker"),
    FIELD(length, REAL, "*", "0", "", "difference without force"),
    FIELD(stiffness, REAL, "*", "0", "[0, inf)", "force per difference"),
    FIELD(damping, REAL, "*", "0", "[0, inf)", "force per rate of the difference"),
    FIELD(elastic, FUNCTION, "*", "0", "", "further force as a function of the difference",
          .arg = "x", .arg_unit = "*", .sensors = true),
    FIELD(viscous, FUNCTION, "*", "0", "", "further force as a function of its rate", .arg = "v",
          .arg_unit = "*", .sensors = true),
};

// kernel
// adc: jac = jacobian(F; x, v)
static void tension(const CoordinateSpringDamper *p, const CdFunction *elastic,
                    const CdFunction *viscous, double x, double v, double F[1]) {
    F[0] = p->stiffness * x + p->damping * v + curve_value(elastic, x) + curve_value(viscous, v);
}
// end kernel
#include "connector_coordinate.adc.h"

// of s or s'
static double stretch(int n, const double *s) {
    return n == 2 ? s[1] - s[0] : s[0];
}

// J NULL: not wanted
static void force_of(const CoordinateSpringDamper *p, int n, const double *s, const double *sdot,
                     double *f, double *J) {
    // how the difference grows with every coordinate
    const double sign[] = {n == 2 ? -1 : 1, 1};
    const double x = stretch(n, s) - p->length, v = stretch(n, sdot);
    double F[1], dF[2];
    if (J) {
        tension_jac(p, &p->elastic, &p->viscous, x, v, F, dF);
    } else {
        tension(p, &p->elastic, &p->viscous, x, v, F);
    }
    for (int i = 0; i < n; i++) {
        f[i] = -sign[i] * F[0];
        for (int j = 0; J && j < 2 * n; j++) J[2 * n * i + j] = -sign[i] * dF[j / n] * sign[j % n];
    }
}

static void force(int items, const void *const *p, double t, int n, const double *s,
                  const double *sdot, double *f, double *J) {
    for (int i = 0; i < items; i++) {
        force_of(p[i], n, s + n * i, sdot + n * i, f + n * i, J ? J + 2 * n * n * i : NULL);
    }
}

static bool line(const void *data, CdCoordinateLine *l) {
    const CoordinateSpringDamper *p = data;
    double elastic, viscous;
    if (!curve_constant(&p->elastic, &elastic) || !curve_constant(&p->viscous, &viscous)) {
        return false;
    }
    *l = (CdCoordinateLine){.force = elastic + viscous,
                            .length = p->length,
                            .stiffness = p->stiffness,
                            .damping = p->damping};
    return true;
}

static void outputs(const void *data, double t, int n, const double *s, const double *sdot,
                    double *out) {
    const CoordinateSpringDamper *p = data;
    out[0] = stretch(n, s);
    out[1] = stretch(n, sdot);
    tension(p, &p->elastic, &p->viscous, out[0] - p->length, out[1], &out[2]);
}

static void outputs_jac(const void *data, double t, int n, const double *s, const double *sdot,
                        double *out, double *J) {
    const CoordinateSpringDamper *p = data;
    const double sign[] = {n == 2 ? -1 : 1, 1};
    double dF[2];
    out[0] = stretch(n, s);
    out[1] = stretch(n, sdot);
    tension_jac(p, &p->elastic, &p->viscous, out[0] - p->length, out[1], &out[2], dF);
    for (int j = 0; j < 2 * n; j++) {
        J[j] = j < n ? sign[j] : 0;
        J[2 * n + j] = j < n ? 0 : sign[j - n];
        J[4 * n + j] = dF[j / n] * sign[j % n];
    }
}

static double energy(const void *data, double t, int n, const double *s) {
    const CoordinateSpringDamper *p = data;
    const double x = stretch(n, s) - p->length;
    return p->stiffness * x * x / 2 + cdi_curve_energy(&p->elastic, x);
}

static const char *const out_names[] = {"length", "rate", "force"};
static const char *const out_units[] = {"1", "1/s", "1"};

static const CdCoordinateLaw law = {.nmarkers = 2,
                                    .force = force,
                                    .line = line,
                                    .nout = 3,
                                    .out_names = out_names,
                                    .out_units = out_units,
                                    .outputs = outputs,
                                    .outputs_jac = outputs_jac,
                                    .energy = energy};

const CdItemClass cd_connector_coordinate = {
    .desc = {.name = "CoordinateSpringDamper",
             .doc = "Spring and damper on a coordinate, or between two",
             .size = sizeof(CoordinateSpringDamper),
             CD_FIELDS(fields),
             .example = "{\"class\": \"CoordinateSpringDamper\", \"name\": \"spring\", "
                        "\"marker_a\": \"height\", \"stiffness\": 1000, \"damping\": 2}"},
    .category = CD_CONNECTOR,
    .coordinate = &law,
};
