// sensor_connector.c - what the law of a connector gives out: deformations, rates, forces
#include <stdio.h>
#include <string.h>

#include "items/item.h"

// directions of two frames, and their twists
#define JAC_COLUMNS 24

typedef struct ConnectorSensor {
    CdRef connector;
} ConnectorSensor;

static const CdField fields[] = {
    CD_FIELD(ConnectorSensor, connector, REF, "", NULL, "", "connector that is looked at",
             .target = "connector"),
};

static int size(const void *p, const CdItemClass *source) {
    return source->force ? source->force->nout : source->coordinate ? source->coordinate->nout : 0;
}

static const char *refuse(const void *p, const CdItemClass *source) {
    return size(p, source) > 0 ? NULL : "gives nothing out";
}

static void name(const void *p, const CdItemClass *source, int k, char name[CD_CHANNEL_NAME_MAX]) {
    snprintf(name, CD_CHANNEL_NAME_MAX, "%s",
             source->force ? source->force->out_names[k] : source->coordinate->out_names[k]);
}

static const char *unit(const void *p, const CdItemClass *source, int k) {
    return source->force ? source->force->out_units[k] : source->coordinate->out_units[k];
}

static void eval(const void *p, const CdItemClass *source, const CdSensorInput *in, double *out) {
    memcpy(out, in->outputs, (size_t)size(p, source) * sizeof *out);
}

static bool at_once(const void *p, const CdItemClass *source) {
    return source->force ? source->force->outputs_jac != NULL
                         : source->coordinate->outputs_jac != NULL;
}

static void jac(const void *p, const CdItemClass *source, const CdSensorInput *in, double *J) {
    memcpy(J, in->outputs_jac, (size_t)size(p, source) * JAC_COLUMNS * sizeof *J);
}

static const CdSensorLaw law = {.of = CD_OF_CONNECTOR,
                                .refuse = refuse,
                                .size = size,
                                .name = name,
                                .unit = unit,
                                .eval = eval,
                                .at_once = at_once,
                                .jac = jac};

const CdItemClass cd_sensor_connector = {
    .desc = {.name = "ConnectorSensor",
             .doc = "Deformation, rate and force of a connector",
             .size = sizeof(ConnectorSensor),
             CD_FIELDS(fields),
             .example = "{\"class\": \"ConnectorSensor\", \"name\": \"strut_force\", "
                        "\"connector\": \"strut\"}"},
    .category = CD_SENSOR,
    .sensor = &law,
};
