// energy.c - kinetic energy, energy in gravity, energy stored in connectors
//
//   T = v^T M v / 2      V = -sum m g . p
#include "linalg/csc.h"
#include "system/link.h"
#include "system/signals.h"

static double kinetic(const CdSystem *s, const double *v) {
    const CdPattern *p = s->mass_pattern;
    double sum = 0;
    for (int j = 0; j < s->nv; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) sum += v[p->row[k]] * s->mass[k] * v[j];
    }
    return sum / 2;
}

CdEnergy cdi_system_energy(CdSystemWork *w, double t, const double *q, const double *v) {
    const CdSystem *s = w->system;
    CdEnergy e = {.kinetic = kinetic(s, v)};
    cdi_system_place(w, q, v);
    cdi_signals_force(w, &(CdPoint){.t = t, .q = (double *)q, .v = (double *)v}); // only read
    for (int i = 0; i < s->nbodies; i++) {
        e.gravity -= s->bodies[i].weight * dot3(s->gravity, w->body[i].p);
    }
    for (int k = 0; k < s->nforces; k++) {
        const CdSystemLink *l = &s->forces[k];
        const CdForceLaw *law = l->item->cls->force;
        double twists[12];
        if (!law->energy) continue;
        const CdForceInput in = cdi_force_input(w, l, t, twists);
        e.elastic += law->energy(w->force_data[k], &in);
    }
    e.elastic += cdi_coordinates_energy(w, t, q);
    return e;
}
