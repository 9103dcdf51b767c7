// sensor_marker.c - where a marker is and how it moves
//
//   position, velocity, acceleration of its origin; rotation R_WF as matrix, quaternion (wxyz) or
//   Cardan angles (R = Rx Ry Rz); angular velocity and acceleration
//
// Vectors are given in world axes, or in the marker's own.
#include <stdio.h>

#include "items/item.h"

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

static void in_world(const MarkerSensor *p, const CdFrame *f, const double x[3], double *out) {
    p->axes == WORLD ? copy3(x, out) : tmul3v(f->R, x, out);
}

static void in_own(const MarkerSensor *p, const CdFrame *f, const double x[3], double *out) {
    p->axes == OWN ? copy3(x, out) : mul3v(f->R, x, out);
}

static void eval(const void *data, const CdItemClass *source, const CdSensorInput *in,
                 double *out) {
    const MarkerSensor *p = data;
    const CdFrame *f = &in->frame;
    switch ((Quantity)p->quantity) {
    case POSITION: in_world(p, f, f->p, out); break;
    case VELOCITY: in_world(p, f, in->twist, out); break;
    case ACCELERATION: in_world(p, f, in->accel, out); break;
    case ROTATION: copy33(f->R, out); break;
    case QUATERNION: quat_from_mat(f->R, out); break;
    case ANGLES: xyz_from_mat(f->R, out); break;
    case ANGULAR_VELOCITY: in_own(p, f, in->twist + 3, out); break;
    case ANGULAR_ACCELERATION: in_own(p, f, in->accel + 3, out); break;
    }
}

static void rates(const void *data, const CdItemClass *source, const CdSensorInput *in,
                  double *out) {
    double angles[3];
    if (((const MarkerSensor *)data)->quantity != ANGLES) return;
    xyz_from_mat(in->frame.R, angles);
    xyz_rate(angles, in->twist + 3, out);
}

static const CdSensorLaw law = {
    .of = CD_OF_MARKER, .size = size, .name = name, .unit = unit, .eval = eval, .rates = rates};

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
