// sensor_expression.c - a number computed from time, parameters and other sensors
//
// With a delay others see the value of the last accepted step. Such a sensor may read what follows
// from forces (accelerations, reactions, energies) and may stand in a circle of sensors.
#include <stdio.h>
#include <string.h>

#include "desc/unit.h"
#include "items/curve.h"
#include "items/item.h"

typedef struct ExpressionSensor {
    CdFunction value;
    char *unit;
    bool delay;
    double start;
} ExpressionSensor;

#define FIELD(...) CD_FIELD(ExpressionSensor, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(value, FUNCTION, "*", NULL, "", "what is computed", .sensors = true),
    FIELD(unit, STRING, "", "\"1\"", "", "unit of the value, for results"),
    FIELD(delay, BOOL, "", "false", "", "others see the value of the last accepted step"),
    FIELD(start, REAL, "*", "0", "", "with a delay: what others see during the first step"),
};

static CdStatus finish(CdReader *r, void *data) {
    const ExpressionSensor *p = data;
    CdUnit unit;
    const char *bad;
    size_t nbad;
    if (cdi_unit_parse(p->unit, strlen(p->unit), &unit, &bad, &nbad)) return CD_OK;
    return cdi_reject_field(r, "unit", "is not a unit; write one like m, rad/s, kN, or 1");
}

static int size(const void *p, const CdItemClass *source) {
    return 1;
}

static void name(const void *p, const CdItemClass *source, int k, char name[CD_CHANNEL_NAME_MAX]) {
    snprintf(name, CD_CHANNEL_NAME_MAX, "value");
}

static const char *unit(const void *p, const CdItemClass *source, int k) {
    return ((const ExpressionSensor *)p)->unit;
}

static void eval(const void *p, const CdItemClass *source, const CdSensorInput *in, double *out) {
    out[0] = curve_value(&((const ExpressionSensor *)p)->value, in->t);
}

static bool delayed(const void *data, double *start) {
    const ExpressionSensor *p = data;
    *start = p->start;
    return p->delay;
}

static const CdSensorLaw law = {.of = CD_OF_SENSORS,
                                .size = size,
                                .name = name,
                                .unit = unit,
                                .eval = eval,
                                .delayed = delayed};

const CdItemClass cd_sensor_expression = {
    .desc = {.name = "ExpressionSensor",
             .doc = "Number computed from time, parameters and other sensors",
             .size = sizeof(ExpressionSensor),
             CD_FIELDS(fields),
             .example = "{\"class\": \"ExpressionSensor\", \"name\": \"error\", \"value\": "
                        "\"place.x - 0.1*sin(t)\", \"unit\": \"m\"}",
             .finish = finish},
    .category = CD_SENSOR,
    .sensor = &law,
};
