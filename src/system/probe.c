// probe.c - a sensor in a system: where it finds what it reads, and its numbers
#include <string.h>

#include "system/link.h"
#include "system/sense.h"

static const CdSystemLink *find_link(const CdSystemLink *links, int n, const CdItem *item) {
    for (int k = 0; k < n; k++) {
        if (links[k].item == item) return &links[k];
    }
    return NULL;
}

static const CdSystemCoordinates *find_coordinates(const CdSystem *s, const CdItem *item) {
    for (int k = 0; k < s->ncoordinates; k++) {
        if (s->coordinates[k].item == item) return &s->coordinates[k];
    }
    return NULL;
}

static const CdItemClass *source_class(const CdProbe *p) {
    return p->source ? p->source->cls : NULL;
}

CdProbe cdi_probe(const CdSystem *s, const CdItem *item) {
    const CdSensorLaw *law = item->cls->sensor;
    CdProbe p = {.item = item, .source = cdi_item_source(item)};
    if (law->of == CD_OF_JOINT) p.link = find_link(s->joints, s->njoints, p.source);
    if (law->of == CD_OF_CONNECTOR) p.link = find_link(s->forces, s->nforces, p.source);
    if (p.source) p.coordinates = find_coordinates(s, p.source);
    p.n = law->size(item->data, source_class(&p));
    return p;
}

bool cdi_probe_turns(const CdProbe *p, int k) {
    const CdSensorLaw *law = p->item->cls->sensor;
    return law->rates && strcmp(law->unit(p->item->data, source_class(p), k), "rad") == 0;
}

bool cdi_probe_flips(const CdProbe *p, int k) {
    const CdSensorLaw *law = p->item->cls->sensor;
    char part[CD_CHANNEL_NAME_MAX];
    law->name(p->item->data, source_class(p), k, part);
    return law->of == CD_OF_MARKER && strcmp(part, "qw") == 0;
}

bool cdi_probe_marked(const CdProbe *p, const bool *rows) {
    const CdSensorLaw *law = p->item->cls->sensor;
    if (!law->reactions || !law->reactions(p->item->data)) return false;
    return p->link ? cdi_link_marked(p->link, rows) : rows[p->coordinates->row];
}

static void sense_joint(const CdSystemWork *w, const CdProbe *p, const CdPoint *at, bool complete,
                        CdSensorInput *in) {
    if (p->link) {
        cdi_sense_joint(w, p->link, at, complete, in);
    } else {
        cdi_sense_coupling(p->coordinates, at, complete, in);
    }
}

static void sense_connector(const CdSystemWork *w, const CdProbe *p, const CdPoint *at,
                            double *outputs, CdSensorInput *in) {
    if (p->link) {
        cdi_sense_connector(w, p->link, outputs, in);
        return;
    }
    const CdSystemCoordinates *c = p->coordinates;
    cdi_coordinates_outputs(w, c, w->coordinate_data[c - w->system->coordinates], at, outputs);
    in->outputs = outputs;
}

static void numbers(const CdSystemWork *w, const CdProbe *p, const CdSensorInput *in,
                    double *values, double *rates) {
    const CdSensorLaw *law = p->item->cls->sensor;
    law->eval(w->sensor_data[p->item->index], source_class(p), in, values);
    if (law->rates && rates) law->rates(p->item->data, source_class(p), in, rates);
}

// most forces that read sensors read these: no part of the input is touched but that of markers
static void eval_marker(const CdSystemWork *w, const CdProbe *p, const CdPoint *at, bool complete,
                        double *values, double *rates) {
    CdSensorInput in;
    in.t = at->t;
    cdi_sense_marker(w, p->item->marker[0], complete ? at->vdot : NULL, &in);
    numbers(w, p, &in, values, rates);
}

void cdi_probe_eval(CdSystemWork *w, const CdProbe *p, const CdPoint *at, bool complete,
                    double *values, double *rates) {
    const CdSensorLaw *law = p->item->cls->sensor;
    if (law->of == CD_OF_MARKER) {
        eval_marker(w, p, at, complete, values, rates);
        return;
    }
    double outputs[CD_FORCE_NOUT_MAX];
    CdSensorInput in = {.t = at->t};
    switch (law->of) {
    case CD_OF_JOINT: sense_joint(w, p, at, complete, &in); break;
    case CD_OF_CONNECTOR: sense_connector(w, p, at, outputs, &in); break;
    case CD_OF_SYSTEM: cdi_sense_system(w, at, &in); break;
    case CD_OF_MARKER:
    case CD_OF_SENSORS: break; // its function knows them
    }
    numbers(w, p, &in, values, rates);
}
