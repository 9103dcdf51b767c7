// control.h - proportional and derivative control with a limit
//
//   e = target - s,  F = k_p e + k_d e' + elastic(e) + viscous(e') + feed,  |F| <= limit; 0: none
#ifndef CARDAN_ITEMS_CONTROL_H
#define CARDAN_ITEMS_CONTROL_H

#include "items/curve.h"

// kernel
typedef struct CdControl {
    double gain, rate_gain, limit;
    double target, target_rate, feed; // now
    const CdFunction *elastic, *viscous;
} CdControl;

static inline double control_force(const CdControl *c, double s, double rate) {
    const double e = c->target - s, e_rate = c->target_rate - rate;
    double F = c->gain * e + c->rate_gain * e_rate + c->feed;
    F = F + curve_value(c->elastic, e) + curve_value(c->viscous, e_rate);
    if (c->limit > 0) {
        if (F > c->limit) {
            F = c->limit;
        } else if (F < -c->limit) {
            F = -c->limit;
        }
    }
    return F;
}
// end kernel

// with numbers and functions set, what follows from time
static inline CdControl control_at(CdControl c, const CdFunction *target, const CdFunction *feed,
                                   double t) {
    double s[3];
    cdi_function_eval(target, t, s);
    c.target = s[0];
    c.target_rate = s[1];
    c.feed = cdi_function_value(feed, t);
    return c;
}

// of items in a tile: the numbers of CdControl in lanes, and the functions
enum { CD_CONTROL_CELLS = 6 };
typedef struct CdControlTile {
    double c[CD_CONTROL_CELLS * CDI_TILE];
    const CdFunction *elastic[CDI_TILE], *viscous[CDI_TILE];
} CdControlTile;

static inline void control_put(const CdControl *c, int lane, CdControlTile *tile) {
    const double x[CD_CONTROL_CELLS] = {c->gain,   c->rate_gain,   c->limit,
                                        c->target, c->target_rate, c->feed};
    for (int k = 0; k < CD_CONTROL_CELLS; k++) tile->c[CDI_TILE * k + lane] = x[k];
    tile->elastic[lane] = c->elastic;
    tile->viscous[lane] = c->viscous;
}

// from the control of an item at a time
static inline CdControlTile control_tile(const CdForceTile *in,
                                         CdControl (*control)(const void *p, double t)) {
    CdControlTile tile;
    for (int l = 0; l < in->items; l++) {
        const CdControl c = control(in->item[l], in->t[l]);
        control_put(&c, l, &tile);
    }
    return tile;
}

#endif
