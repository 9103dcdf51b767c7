// check_signs.c - signs that a model should have: of its masses on the constraints, of stiffnesses
//
//   [M J^T; J 0]   as many positive pivots as velocities, as many negative as constraints that act
//   k = -g^T (dw/dx) g / |g|^4,   g = dl/dx     of a connector of length or angle l
//
// Negative k drives a mechanism away from where it is; the tangent of a run is then positive
// definite for short steps only.
#include <math.h>

#include "simulate/check.h"
#include "system/link.h"

// part of the largest entry of dw/dx below which k is rounding
#define ROUNDING 1e-9
// outputs of connectors by axis: x, y, z and others behind them
#define BY_AXIS 4
#define AXES 3

// ---- masses

CdStatus cdi_check_inertia(CdCheck *c) {
    const CdProblemSetup setup = {0};
    CdiProblem *p;
    const CdPoint at = {.q = c->start.q, .v = c->start.v};
    CD_TRY(cdi_problem_new(c->ctx, &c->start.problem, &setup, &p));
    const CdStatus status = cdi_mass_signs(p, &at, &c->inertia);
    cdi_problem_free(p);
    // positions where nothing can be evaluated are other findings
    return status == CD_NOMEM ? status : CD_OK;
}

// ---- stiffness

static CdStatus add_negative(CdCheck *c, const CdItem *item, double k) {
    return cdi_check_add(
        c, (CdFinding){.severity = CD_FINDING_WARNING,
                       .code = "stiffness",
                       .item = cdi_item_name(item),
                       .text = "has a negative stiffness at the start: its force helps the motion "
                               "that it should resist",
                       .hint = "check the sign of its law, unless it is meant to snap through",
                       .nnumbers = 1,
                       .number_names = {"stiffness"},
                       .numbers = {k}});
}

// along the direction g; 0 if it is rounding
static double stiffness_along(const double *g, const double *J) {
    double sum = 0, size = 0, most = 0;
    for (int i = 0; i < 12; i++) {
        size += g[i] * g[i];
        for (int j = 0; j < 12; j++) {
            sum -= g[i] * J[24 * i + j] * g[j];
            most = fmax(most, fabs(J[24 * i + j]));
        }
    }
    return size > 0 && fabs(sum) > ROUNDING * most * size ? sum / (size * size) : 0;
}

static CdStatus check_connector(CdCheck *c, const CdSystemLink *l) {
    const CdSystemWork *w = c->work;
    const CdForceLaw *law = l->item->cls->force;
    const void *data = w->force_data[l - w->system->forces];
    double v[12], wrench[12], J[12 * 24], out[12], G[12 * 24], least = 0;
    if (l->b < 0 || !law->jac || !law->outputs_jac || law->nout > 12) return CD_OK;
    const CdForceInput in = cdi_force_input(w, l, 0, v);
    law->jac(data, &in, wrench, J);
    law->outputs_jac(data, &in, out, G);
    for (int i = 0; i < (law->nout >= BY_AXIS ? AXES : 1); i++) {
        least = fmin(least, stiffness_along(G + 24 * i, J));
    }
    return least < 0 ? add_negative(c, l->item, least) : CD_OK;
}

static CdStatus check_coordinate(CdCheck *c, int k) {
    const CdSystemCoordinates *at = &c->system->coordinates[k];
    double s[2], sdot[2], f[2], J[8];
    if (at->row >= 0 || at->n > 2) return CD_OK;
    for (int i = 0; i < at->n; i++) {
        s[i] = c->start.q0[at->q[i]];
        sdot[i] = c->start.v0[at->v[i]];
    }
    at->item->cls->coordinate->force(1, &c->work->coordinate_data[k], 0, at->n, s, sdot, f, J);
    return J[0] > 0 ? add_negative(c, at->item, -J[0]) : CD_OK;
}

CdStatus cdi_check_stiffness(CdCheck *c) {
    for (int k = 0; k < c->system->nforces; k++) {
        CD_TRY(check_connector(c, &c->system->forces[k]));
    }
    for (int k = 0; k < c->system->ncoordinates; k++) CD_TRY(check_coordinate(c, k));
    return CD_OK;
}
