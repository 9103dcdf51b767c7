// digits.c - the digits asked for become tolerances of single steps
//
//   rtol = factor 10^(-power digits)      atol = floor rtol
//
// so that max |e_i| / (floor + |y_i|) <= 10^(1 - digits) at the end. Where a method estimates what
// a step does wrong as O(h^q) and ends with an error O(h^p), the latter follows tol^(p/q): hence
// power = q/p. The factor is measured on problems that enlarge what is wrong at the start up to 300
// times (Pleiades, an orbit of Kepler); one that does so more keeps so much less.
#include <math.h>

#include "integrators/driver.h"

// why digits cannot be had of this method with these options; NULL: they can
static const char *objection(const CdIntegratorClass *cls, const CdObject *options) {
    const CdCommonOptions *o = cdi_object_data(options);
    if (cls->fixed_only) {
        return "without step control it cannot aim at digits; halve the step until they stand, "
               "or take dopri5(digits=6)";
    }
    if (cls->calibration.most == 0) {
        return "which tolerances give digits is not known; give rtol and atol, or take gen-alpha";
    }
    if (!o->adaptive) return "digits need step control; leave adaptive=false away";
    if (cdi_object_given(options, "rtol") || cdi_object_given(options, "atol")) {
        return "digits stand in place of rtol and atol; give either";
    }
    return NULL;
}

static CdStatus too_many(CdContext *ctx, const CdIntegratorClass *cls, int digits) {
    const char *other = NULL;
    for (int k = 0; cd_integrator_classes[k] && !other; k++) {
        if (cd_integrator_classes[k]->calibration.most >= digits) {
            other = cd_integrator_classes[k]->desc.name;
        }
    }
    return cdi_fail(ctx, CD_INVALID, "method '%s': it reaches %d digits, not %d; ask for fewer%s%s",
                    cls->desc.name, cls->calibration.most, digits, other ? ", or take " : "",
                    other ? other : "");
}

CdStatus cdi_digits_apply(CdContext *ctx, const CdIntegratorClass *cls, CdObject *options) {
    const CdCommonOptions *o = cdi_object_data(options);
    const CdCalibration *c = &cls->calibration;
    if (o->digits == 0 && !cdi_object_given(options, "floor")) return CD_OK;
    const char *wrong = o->digits == 0 ? "floor goes with digits; beside rtol stands atol"
                                       : objection(cls, options);
    if (wrong) return cdi_fail(ctx, CD_INVALID, "method '%s': %s", cls->desc.name, wrong);
    if (o->digits > c->most) return too_many(ctx, cls, o->digits);
    const double rtol = c->factor * pow(10, -c->power * o->digits), atol = o->floor * rtol;
    CD_TRY(cdi_object_set_real(options, "rtol", rtol));
    CD_TRY(cdi_object_set_real(options, "atol", atol));
    return cdi_object_check(options, NULL);
}
