// control.h - proportional and derivative control with a limit
//
//   F = k_p (target - s) + k_d (target' - s') + feed,   |F| <= limit; 0: no limit
#ifndef CARDAN_ITEMS_CONTROL_H
#define CARDAN_ITEMS_CONTROL_H

#include "desc/function.h"

// kernel
typedef struct CdControl {
    double gain, rate_gain, limit;
    double target, target_rate, feed; // now
} CdControl;

static inline double control_force(const CdControl *c, double s, double rate) {
    double F = c->gain * (c->target - s) + c->rate_gain * (c->target_rate - rate) + c->feed;
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

static inline CdControl control_at(double gain, double rate_gain, double limit,
                                   const CdFunction *target, const CdFunction *feed, double t) {
    double s[3], f[3];
    cdi_function_eval(target, t, s);
    cdi_function_eval(feed, t, f);
    return (CdControl){.gain = gain,
                       .rate_gain = rate_gain,
                       .limit = limit,
                       .target = s[0],
                       .target_rate = s[1],
                       .feed = f[0]};
}

#endif
