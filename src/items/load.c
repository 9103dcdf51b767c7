// load.c - vectors of functions of time that act on a marker
#include "items/load.h"

#include <string.h>

const char *const cdi_load_axes[] = {"world", "own", NULL};

void cdi_vector_load(const CdVectorLoad *p, double t, double out[3]) {
    const CdFunction *f[] = {&p->x, &p->y, &p->z};
    for (int i = 0; i < 3; i++) out[i] = cdi_function_value(f[i], t);
}

void cdi_vector_loads(const CdForceTile *in, double *out) {
    for (int l = 0; l < in->items; l++) {
        double x[3];
        cdi_vector_load(in->item[l], in->t[l], x);
        for (int i = 0; i < 3; i++) out[CDI_TILE * i + l] = x[i];
    }
}

void cdi_load_jacobian(const double frame[36], double J[72]) {
    memset(J, 0, 72 * sizeof *J);
    for (int i = 0; i < 6; i++) memcpy(J + 12 * i, frame + 6 * i, 6 * sizeof *J);
}
