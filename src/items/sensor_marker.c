// sensor_marker.c - where a marker is and how it moves
//
//   position, velocity, acceleration of its origin; rotation R_WF as matrix, quaternion (wxyz) or
//   Cardan angles (R = Rx Ry Rz); angular velocity and acceleration
//
// Vectors are given in world axes, or in the marker's own.
#include <stdio.h>

#include "items/frame.h"
#include "items/item.h"
#include "math/quat.h"

typedef enum Quantity {
    POSITION,
    VELOCITY,
    ACCELERATION,
    ROTATION,
    QUATERNION,
    ANGLES,
    ANGULAR_VELOCITY,
    ANGULAR_ACCELERATION
} Quantity;
static const char *const quantities[] = {
    "position", "velocity",         "acceleration",         "rotation", "quaternion",
    "angles",   "angular_velocity", "angular_acceleration", NULL};

typedef enum Axes { WORLD, OWN } Axes;
static const char *const axes[] = {"world", "own", NULL};

typedef struct MarkerSensor {
    CdRef marker, body;
    double point[3];
    int quantity, axes;
} MarkerSensor;

#define FIELD(...) CD_FIELD(MarkerSensor, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(marker, REF, "", "null", "", "marker that is looked at", .target = "marker"),
    FIELD(body, REF, "", "null", "", "body that is looked at, in place of a marker",
          .target = "body"),
    FIELD(point, VEC3, "m", "[0, 0, 0]", "", "with a body: point of its body frame"),
    FIELD(quantity, ENUM, "", "\"position\"", "", "what is measured", .names = quantities),
    FIELD(axes, ENUM, "", "\"world\"", "", "axes of vectors", .names = axes),
};

// numbers, beginning of their names, unit; vectors and angles add x, y, z to the beginning
static const struct Channel {
    int n;
    const char *stem, *unit;
} channels[] = {
    [POSITION] = {3, "", "m"},
    [VELOCITY] = {3, "v", "m/s"},
    [ACCELERATION] = {3, "a", "m/s^2"},
    [ROTATION] = {9, "R", "1"},
    [QUATERNION] = {4, "q", "1"},
    [ANGLES] = {3, "r", "rad"},
    [ANGULAR_VELOCITY] = {3, "w", "rad/s"},
    [ANGULAR_ACCELERATION] = {3, "alpha", "rad/s^2"},
};

static int size(const void *p, const CdItemClass *source) {
    return channels[((const MarkerSensor *)p)->quantity].n;
}

static void name(const void *data, const CdItemClass *source, int k,
                 char name[CD_CHANNEL_NAME_MAX]) {
    const MarkerSensor *p = data;
    const char *stem = channels[p->quantity].stem;
    if (p->quantity == ROTATION) {
        snprintf(name, CD_CHANNEL_NAME_MAX, "%s%d%d", stem, k / 3 + 1, k % 3 + 1);
    } else {
        snprintf(name, CD_CHANNEL_NAME_MAX, "%s%c", stem,
                 p->quantity == QUATERNION ? "wxyz"[k] : "xyz"[k]);
    }
}

static const char *unit(const void *p, const CdItemClass *source, int k) {
    return channels[((const MarkerSensor *)p)->quantity].unit;
}

// kernel
// adc: jac = jacobian(out; f, v)
static void sense_position(const double v[6], const CdFrame *f, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = f->p[i];
}

// adc: jac = jacobian(out; f, v)
static void sense_position_own(const double v[6], const CdFrame *f, double out[3]) {
    tmul3v(f->R, f->p, out);
}

// adc: jac = jacobian(out; f, v)
static void sense_velocity(const double v[6], const CdFrame *f, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = v[i];
}

// adc: jac = jacobian(out; f, v)
static void sense_velocity_own(const double v[6], const CdFrame *f, double out[3]) {
    tmul3v(f->R, &v[0], out);
}

// adc: jac = jacobian(out; f, v)
static void sense_spin(const double v[6], const CdFrame *f, double out[3]) {
    mul3v(f->R, &v[3], out);
}

// adc: jac = jacobian(out; f, v)
static void sense_spin_own(const double v[6], const CdFrame *f, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = v[3 + i];
}

// adc: jac = jacobian(out; f, v)
static void sense_rotation(const double v[6], const CdFrame *f, double out[9]) {
    for (int i = 0; i < 9; i++) out[i] = f->R[i];
}

// adc: jac = jacobian(out; f, v)
static void sense_quaternion(const double v[6], const CdFrame *f, double out[4]) {
    quat_from_mat(f->R, out);
}

// adc: jac = jacobian(out; f, v)
static void sense_angles(const double v[6], const CdFrame *f, double out[3]) {
    xyz_from_mat(f->R, out);
}
// end kernel
#include "sensor_marker.adc.h"

// those that follow from frame and twist, in world axes and in own
typedef void Sense(const double v[6], const CdFrame *f, double *out);
typedef void SenseJac(const double v[6], const CdFrame *f, double *out, double *J);
static const struct Law {
    Sense *value;
    SenseJac *jac;
} laws[][2] = {
    [POSITION] = {{sense_position, sense_position_jac},
                  {sense_position_own, sense_position_own_jac}},
    [VELOCITY] = {{sense_velocity, sense_velocity_jac},
                  {sense_velocity_own, sense_velocity_own_jac}},
    [ROTATION] = {{sense_rotation, sense_rotation_jac}, {sense_rotation, sense_rotation_jac}},
    [QUATERNION] = {{sense_quaternion, sense_quaternion_jac},
                    {sense_quaternion, sense_quaternion_jac}},
    [ANGLES] = {{sense_angles, sense_angles_jac}, {sense_angles, sense_angles_jac}},
    [ANGULAR_VELOCITY] = {{sense_spin, sense_spin_jac}, {sense_spin_own, sense_spin_own_jac}},
    [ANGULAR_ACCELERATION] = {{NULL, NULL}},
};

static const struct Law *law_of(const MarkerSensor *p) {
    return &laws[p->quantity][p->axes];
}

static bool at_once(const void *p, const CdItemClass *source) {
    return law_of(p)->value != NULL;
}

static void jac(const void *p, const CdItemClass *source, const CdSensorInput *in, double *J) {
    double out[9];
    law_of(p)->jac(in->twist, in->frame, out, J);
}

static void in_world(const MarkerSensor *p, const CdFrame *f, const double x[3], double *out) {
    p->axes == WORLD ? copy3(x, out) : tmul3v(f->R, x, out);
}

static void in_own(const MarkerSensor *p, const CdFrame *f, const double x[3], double *out) {
    p->axes == OWN ? copy3(x, out) : mul3v(f->R, x, out);
}

static void eval(const void *data, const CdItemClass *source, const CdSensorInput *in,
                 double *out) {
    const MarkerSensor *p = data;
    const CdFrame *f = in->frame;
    if (law_of(p)->value) {
        law_of(p)->value(in->twist, f, out);
    } else if (p->quantity == ACCELERATION) {
        in_world(p, f, in->accel, out);
    } else {
        in_own(p, f, in->accel + 3, out);
    }
}

static void rates(const void *data, const CdItemClass *source, const CdSensorInput *in,
                  double *out) {
    double angles[3];
    if (((const MarkerSensor *)data)->quantity != ANGLES) return;
    xyz_from_mat(in->frame->R, angles);
    xyz_rate(angles, in->twist + 3, out);
}

static const CdSensorLaw law = {.of = CD_OF_MARKER,
                                .size = size,
                                .name = name,
                                .unit = unit,
                                .eval = eval,
                                .rates = rates,
                                .at_once = at_once,
                                .jac = jac};

const CdItemClass cd_sensor_marker = {
    .desc = {.name = "Sensor",
             .doc = "Place, motion or rotation of a marker",
             .size = sizeof(MarkerSensor),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Sensor\", \"name\": \"tip\", \"body\": \"link\", "
                        "\"point\": [0.5, 0, 0], \"quantity\": \"position\"}"},
    .category = CD_SENSOR,
    .sensor = &law,
};
