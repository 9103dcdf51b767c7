// test_shapes.c - mass properties of solids against formulas of handbooks and against quadrature
#include <math.h>
#include <string.h>

#include "geom/shape.h"
#include "test.h"

#define POINTS 16
#define PI CD_PI

// a point of the solid for u in the unit cube; returns the determinant of the map
typedef double Map(const double u[3], double x[3]);

typedef struct Case {
    const char *name, *json;
    Map *map;
    double mass, com[3], inertia[9]; // handbook
} Case;

static double round_map(const double u[3], double z0, double z1, double inner, double outer,
                        double x[3]) {
    const double r = inner + (outer - inner) * u[2], angle = 2 * PI * u[1];
    x[0] = r * cos(angle);
    x[1] = r * sin(angle);
    x[2] = z0 + (z1 - z0) * u[0];
    return (z1 - z0) * 2 * PI * (outer - inner) * r;
}

static double cuboid(const double u[3], double x[3]) {
    const double size[] = {2, 3, 4};
    for (int i = 0; i < 3; i++) x[i] = size[i] * (u[i] - 0.5);
    return 24;
}

static double cylinder(const double u[3], double x[3]) {
    return round_map(u, -1.5, 1.5, 0, 0.5, x);
}

static double tube(const double u[3], double x[3]) {
    return round_map(u, -1.5, 1.5, 0.3, 0.5, x);
}

static double cone(const double u[3], double x[3]) {
    return round_map(u, 0, 2, 0, 0.5 * (1 - u[0]), x);
}

static double sphere(const double u[3], double x[3]) {
    const double z = 2 * (2 * u[0] - 1);
    return round_map(u, -2, 2, 0, sqrt(4 - z * z), x);
}

// from (1, 1, 1) to (1, 1, 1) + 3 (1, 2, 2)/3
static double rod(const double u[3], double x[3]) {
    const double e[3][3] = {
        {2.0 / 3, -2.0 / 3, 1.0 / 3}, {2.0 / 3, 1.0 / 3, -2.0 / 3}, {1.0 / 3, 2.0 / 3, 2.0 / 3}};
    double y[3];
    const double det = round_map(u, 0, 3, 0, 0.2, y);
    for (int i = 0; i < 3; i++) x[i] = 1 + y[0] * e[0][i] + y[1] * e[1][i] + y[2] * e[2][i];
    return det;
}

#define ROD_M (PI * 0.04 * 3 * 5)
#define ROD_N (ROD_M * (0.12 + 9) / 12) // across
#define ROD_A (ROD_M * 0.02 - ROD_N)    // along, less across
#define SPHERE_M (32 * PI / 3)

static const Case cases[] = {
    {"Cuboid",
     "{\"class\": \"Cuboid\", \"size\": [2, 3, 4], \"density\": 2}",
     cuboid,
     48,
     {0, 0, 0},
     {100, 0, 0, 0, 80, 0, 0, 0, 52}},
    {"Cylinder",
     "{\"class\": \"Cylinder\", \"radius\": 0.5, \"length\": 3, \"density\": 4}",
     cylinder,
     3 * PI,
     {0, 0, 0},
     {3 * PI * 0.8125, 0, 0, 0, 3 * PI * 0.8125, 0, 0, 0, 3 * PI / 8}},
    {"Tube",
     "{\"class\": \"Tube\", \"radius\": 0.5, \"inner_radius\": 0.3, \"length\": 3, \"density\": 1}",
     tube,
     0.48 * PI,
     {0, 0, 0},
     {0.48 * PI * 0.835, 0, 0, 0, 0.48 * PI * 0.835, 0, 0, 0, 0.48 * PI * 0.17}},
    {"Rod",
     "{\"class\": \"Rod\", \"begin\": [1, 1, 1], \"end\": [2, 3, 3], \"radius\": 0.2, \"density\": "
     "5}",
     rod,
     ROD_M,
     {1.5, 2, 2},
     {ROD_N + ROD_A / 9, 2 * ROD_A / 9, 2 * ROD_A / 9, 2 * ROD_A / 9, ROD_N + 4 * ROD_A / 9,
      4 * ROD_A / 9, 2 * ROD_A / 9, 4 * ROD_A / 9, ROD_N + 4 * ROD_A / 9}},
    {"Cone",
     "{\"class\": \"Cone\", \"radius\": 0.5, \"height\": 2, \"density\": 6}",
     cone,
     PI,
     {0, 0, 0.5},
     {PI * 0.1875, 0, 0, 0, PI * 0.1875, 0, 0, 0, PI * 0.075}},
    {"Sphere",
     "{\"class\": \"Sphere\", \"radius\": 2, \"density\": 1}",
     sphere,
     SPHERE_M,
     {0, 0, 0},
     {SPHERE_M * 1.6, 0, 0, 0, SPHERE_M * 1.6, 0, 0, 0, SPHERE_M * 1.6}},
};
enum { NCASES = sizeof cases / sizeof *cases };

// points and weights of Gauss on [0, 1]: Newton on the polynomials of Legendre
static void gauss(double x[POINTS], double w[POINTS]) {
    for (int i = 0; i < POINTS; i++) {
        double y = cos(PI * (i + 0.75) / (POINTS + 0.5)), slope = 1;
        for (int pass = 0; pass < 20; pass++) {
            double p0 = 1, p1 = y;
            for (int n = 2; n <= POINTS; n++) {
                const double p2 = ((2 * n - 1) * y * p1 - (n - 1) * p0) / n;
                p0 = p1;
                p1 = p2;
            }
            slope = POINTS * (y * p1 - p0) / (y * y - 1);
            y -= p1 / slope;
        }
        x[i] = (1 + y) / 2;
        w[i] = 1 / ((1 - y * y) * slope * slope);
    }
}

// volume, first and second moments: sums of 1, x_i, x_i x_j
static void moments(Map *map, double *volume, double first[3], double second[9]) {
    double at[POINTS], w[POINTS];
    gauss(at, w);
    *volume = 0;
    memset(first, 0, 3 * sizeof *first);
    memset(second, 0, 9 * sizeof *second);
    for (int n = 0; n < POINTS * POINTS * POINTS; n++) {
        const int i = n % POINTS, j = n / POINTS % POINTS, k = n / POINTS / POINTS;
        double x[3];
        const double part = map((double[]){at[i], at[j], at[k]}, x) * w[i] * w[j] * w[k];
        *volume += part;
        for (int a = 0; a < 3; a++) first[a] += part * x[a];
        for (int a = 0; a < 9; a++) second[a] += part * x[a / 3] * x[a % 3];
    }
}

// inertia about the centre of mass from second moments about the origin
static void central_inertia(double volume, const double com[3], const double second[9],
                            double inertia[9]) {
    double central[9];
    for (int a = 0; a < 9; a++) central[a] = second[a] - volume * com[a / 3] * com[a % 3];
    const double trace = trace33(central);
    for (int a = 0; a < 9; a++) inertia[a] = (a % 4 == 0 ? trace : 0) - central[a];
}

static void read_mass(const Case *c, const CdDesc *desc, double *mass, double com[3],
                      double inertia[9]) {
    TestLog log;
    CdJsonDoc *doc;
    CdObject *object;
    test_log_open(&log);
    CHECK_OK(cdi_json_read(log.ctx, "x", c->json, strlen(c->json), CD_JSON_LIMITS, &doc));
    CHECK_OK(cdi_object_read(log.ctx, desc, cdi_json_root(doc), NULL, &object));
    if (object) cdi_shape_mass(desc, cdi_object_data(object), mass, com, inertia);
    CHECK_TEXT(log.text, "");
    cdi_object_free(object);
    cdi_json_free(doc);
    test_log_close(&log);
}

static void check_case(const Case *c, const CdDesc *desc) {
    double mass = 0, com[3] = {0}, inertia[9] = {0}, volume, first[3], second[9], expected[9];
    read_mass(c, desc, &mass, com, inertia);
    CHECK_NEAR(mass / c->mass, 1, 1e-14);
    for (int i = 0; i < 3; i++) CHECK_NEAR(com[i], c->com[i], 1e-14);
    for (int i = 0; i < 9; i++) CHECK_NEAR(inertia[i], c->inertia[i], 1e-13 * c->mass);
    moments(c->map, &volume, first, second);
    const double density = c->mass / volume;
    for (int i = 0; i < 3; i++) CHECK_NEAR(com[i], first[i] / volume, 1e-10);
    central_inertia(volume, com, second, expected);
    CHECK_NEAR(density, round(density), 1e-9);
    for (int i = 0; i < 9; i++) CHECK_NEAR(inertia[i], density * expected[i], 1e-9 * c->mass);
}

TEST(every_solid_has_the_mass_of_its_integral) {
    for (const CdDesc *const *desc = cdi_shape_classes; *desc; desc++) {
        int found = 0;
        for (int i = 0; i < NCASES; i++) {
            if (strcmp(cases[i].name, (*desc)->name) != 0) continue;
            check_case(&cases[i], *desc);
            found++;
        }
        if (!CHECK_INT(found, 1)) printf("  for %s\n", (*desc)->name);
    }
}

TEST(tables_of_solids_are_sound) {
    TestLog log;
    test_log_open(&log);
    for (const CdDesc *const *desc = cdi_shape_classes; *desc; desc++) {
        CHECK_OK(cdi_desc_validate(log.ctx, *desc));
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static void refuse(const char *name, const char *json, const char *message) {
    TestLog log;
    CdJsonDoc *doc;
    CdObject *object;
    test_log_open(&log);
    for (const CdDesc *const *desc = cdi_shape_classes; *desc; desc++) {
        if (strcmp((*desc)->name, name) != 0) continue;
        CHECK_OK(cdi_json_read(log.ctx, "x", json, strlen(json), CD_JSON_LIMITS, &doc));
        CHECK_INT(cdi_object_read(log.ctx, *desc, cdi_json_root(doc), NULL, &object), CD_INVALID);
        cdi_json_free(doc);
    }
    CHECK_TEXT(log.text, message);
    test_log_close(&log);
}

TEST(solids_without_volume_are_refused) {
    refuse("Tube", "{\"radius\": 1, \"inner_radius\": 1, \"length\": 1}",
           "Tube: field 'inner_radius': must be less than the radius, 1 m, not 1 m\n");
    refuse("Rod", "{\"begin\": [1, 2, 3], \"end\": [1, 2, 3], \"radius\": 1}",
           "Rod: field 'end': must differ from the other end, begin\n");
    refuse("Sphere", "{\"radius\": 0}", "Sphere: field 'radius': must be above 0 m, not 0\n");
    refuse("Cone", "{\"radius\": -1, \"height\": 0}",
           "Cone: field 'radius': must be above 0 m, not -1\n"
           "Cone: field 'height': must be above 0 m, not 0\n");
}

int main(void) {
    RUN(every_solid_has_the_mass_of_its_integral);
    RUN(tables_of_solids_are_sound);
    RUN(solids_without_volume_are_refused);
    return test_end();
}
