// sensor_system.c - sums over all bodies: energies, momentum, violation of the constraints
//
// The angular momentum is about the origin of the world. Residuals are the largest violations at
// position, velocity and acceleration level, in the units of the joints' rows (m, rad).
#include <stdio.h>

#include "items/item.h"

typedef enum Quantity { ENERGY, MOMENTUM, ANGULAR_MOMENTUM, RESIDUALS } Quantity;
static const char *const quantities[] = {"energy", "momentum", "angular_momentum", "residuals",
                                         NULL};

typedef struct SystemSensor {
    int quantity;
} SystemSensor;

static const CdField fields[] = {
    CD_FIELD(SystemSensor, quantity, ENUM, "", "\"energy\"", "", "what is measured",
             .names = quantities),
};

enum { NENERGIES = 4 };
static const struct Channel {
    const char *names[NENERGIES], *unit;
} channels[] = {
    [ENERGY] = {{"kinetic", "gravity", "elastic", "total"}, "J"},
    [MOMENTUM] = {{"px", "py", "pz"}, "kg*m/s"},
    [ANGULAR_MOMENTUM] = {{"lx", "ly", "lz"}, "kg*m^2/s"},
    [RESIDUALS] = {{"position", "velocity", "acceleration"}, "1"},
};

static int size(const void *p, const CdItemClass *source) {
    return ((const SystemSensor *)p)->quantity == ENERGY ? NENERGIES : 3;
}

static void name(const void *p, const CdItemClass *source, int k, char name[CD_CHANNEL_NAME_MAX]) {
    snprintf(name, CD_CHANNEL_NAME_MAX, "%s",
             channels[((const SystemSensor *)p)->quantity].names[k]);
}

static const char *unit(const void *p, const CdItemClass *source, int k) {
    return channels[((const SystemSensor *)p)->quantity].unit;
}

static void eval(const void *p, const CdItemClass *source, const CdSensorInput *in, double *out) {
    switch ((Quantity)((const SystemSensor *)p)->quantity) {
    case ENERGY:
        copy3(in->energy, out);
        out[3] = in->energy[0] + in->energy[1] + in->energy[2];
        break;
    case MOMENTUM: copy3(in->momentum, out); break;
    case ANGULAR_MOMENTUM: copy3(in->momentum + 3, out); break;
    case RESIDUALS: copy3(in->residual, out); break;
    }
}

static const CdSensorLaw law = {
    .of = CD_OF_SYSTEM, .size = size, .name = name, .unit = unit, .eval = eval};

const CdItemClass cd_sensor_system = {
    .desc = {.name = "SystemSensor",
             .doc = "Energies, momentum or residuals of the whole system",
             .size = sizeof(SystemSensor),
             CD_FIELDS(fields),
             .example = "{\"class\": \"SystemSensor\", \"name\": \"sum\", \"quantity\": "
                        "\"energy\"}"},
    .category = CD_SENSOR,
    .sensor = &law,
};
