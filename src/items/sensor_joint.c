// sensor_joint.c - relative coordinates of a joint, their rates, what it exerts, what it violates
//
// Force and moment are those that the joint exerts on b, at marker b, in axes of marker a. Angles
// go on from turn to turn. A joint on coordinates, c = sum k_i s_i - offset, has one force f:
// k_i f acts along s_i. Residuals are the largest violations of the joint's rows at position,
// velocity and acceleration level, in their units (m, rad).
#include <stdio.h>
#include <string.h>

#include "items/item.h"

// directions of two frames, and their twists
#define JAC_COLUMNS 24

typedef enum Quantity { COORDINATES, RATES, FORCE, MOMENT, RESIDUALS } Quantity;
static const char *const quantities[] = {"coordinates", "rates",     "force",
                                         "moment",      "residuals", NULL};
static const char *const levels[] = {"position", "velocity", "acceleration"};

typedef struct JointSensor {
    CdRef joint;
    int quantity;
} JointSensor;

#define FIELD(...) CD_FIELD(JointSensor, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(joint, REF, "", NULL, "", "joint that is looked at", .target = "joint"),
    FIELD(quantity, ENUM, "", "\"coordinates\"", "", "what is measured", .names = quantities),
};

static bool relative(const JointSensor *p) {
    return p->quantity == COORDINATES || p->quantity == RATES;
}

static const char *refuse(const void *p, const CdItemClass *source) {
    if (source->joint && (!relative(p) || source->joint->coordinates)) return NULL;
    if (source->joint) return "has no relative coordinates; it has force, moment and residuals";
    if (relative(p) || ((const JointSensor *)p)->quantity == MOMENT) {
        return "acts on coordinates; it has force and residuals";
    }
    return NULL;
}

static bool reactions(const void *data) {
    const JointSensor *p = data;
    return p->quantity == FORCE || p->quantity == MOMENT;
}

// one force along the sum of coordinates
static bool is_scalar(const JointSensor *p, const CdItemClass *source) {
    return !source->joint && p->quantity == FORCE;
}

static int size(const void *p, const CdItemClass *source) {
    if (is_scalar(p, source)) return 1;
    return relative(p) ? source->joint->nrel : 3;
}

static void name(const void *data, const CdItemClass *source, int k,
                 char name[CD_CHANNEL_NAME_MAX]) {
    const JointSensor *p = data;
    if (relative(p)) {
        snprintf(name, CD_CHANNEL_NAME_MAX, "%s%s", source->joint->rel_names[k],
                 p->quantity == RATES ? "_rate" : "");
    } else if (!reactions(p) || is_scalar(p, source)) {
        snprintf(name, CD_CHANNEL_NAME_MAX, "%s", reactions(p) ? "force" : levels[k]);
    } else {
        snprintf(name, CD_CHANNEL_NAME_MAX, "%c%c", p->quantity == FORCE ? 'f' : 'm', "xyz"[k]);
    }
}

static const char *unit(const void *data, const CdItemClass *source, int k) {
    const JointSensor *p = data;
    // coordinates are lengths or angles, rows of either kind
    if (is_scalar(p, source) || p->quantity == RESIDUALS) return "1";
    if (!relative(p)) return p->quantity == FORCE ? "N" : "N*m";
    const char *of = source->joint->rel_units[k];
    if (p->quantity == COORDINATES) return of;
    return strcmp(of, "rad") == 0 ? "rad/s" : "m/s";
}

static void eval(const void *data, const CdItemClass *source, const CdSensorInput *in,
                 double *out) {
    const JointSensor *p = data;
    const double *from[] = {in->coordinates, in->rates, in->wrench, in->wrench + 3, in->residual};
    memcpy(out, from[p->quantity], (size_t)size(p, source) * sizeof *out);
}

static void rates(const void *p, const CdItemClass *source, const CdSensorInput *in, double *out) {
    if (relative(p)) memcpy(out, in->rates, (size_t)source->joint->nrel * sizeof *out);
}

static bool at_once(const void *p, const CdItemClass *source) {
    return relative(p);
}

static void jac(const void *data, const CdItemClass *source, const CdSensorInput *in, double *J) {
    const JointSensor *p = data;
    const double *from = p->quantity == COORDINATES ? in->coordinates_jac : in->rates_jac;
    memcpy(J, from, (size_t)source->joint->nrel * JAC_COLUMNS * sizeof *J);
}

static const CdSensorLaw law = {.of = CD_OF_JOINT,
                                .refuse = refuse,
                                .size = size,
                                .name = name,
                                .unit = unit,
                                .eval = eval,
                                .reactions = reactions,
                                .rates = rates,
                                .at_once = at_once,
                                .jac = jac};

const CdItemClass cd_sensor_joint = {
    .desc = {.name = "JointSensor",
             .doc = "Relative coordinates, reactions or residuals of a joint",
             .size = sizeof(JointSensor),
             CD_FIELDS(fields),
             .example = "{\"class\": \"JointSensor\", \"name\": \"hinge\", \"joint\": \"joint\", "
                        "\"quantity\": \"force\"}"},
    .category = CD_SENSOR,
    .sensor = &law,
};
