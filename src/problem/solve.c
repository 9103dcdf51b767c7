// solve.c - stage 1: fast paths only
#include <string.h>

#include "problem/work.h"

CdStatus cdi_solve_new(CdiProblem *p) {
    (void)p;
    return CD_OK;
}
void cdi_solve_free(CdiProblem *p) {
    (void)p;
}
void cdi_solve_changed(CdiProblem *p) {
    (void)p;
}

CdStatus cdi_accelerations(CdiProblem *p, CdPoint *at) {
    if (p->kind == CD_KIND_ODE) return cdi_rate(p, at, at->ydot);
    if (p->nv > 0 && p->nc == 0 && !p->user.mass && p->ny == 0) return cdi_force(p, at, at->vdot);
    return CD_BUG;
}
CdStatus cdi_project_position(CdiProblem *p, CdPoint *at) {
    (void)at;
    return p->ng > 0 ? CD_BUG : CD_OK;
}
CdStatus cdi_project_velocity(CdiProblem *p, CdPoint *at) {
    (void)at;
    return p->nc > 0 ? CD_BUG : CD_OK;
}
CdStatus cdi_consistent(CdiProblem *p, CdPoint *at, double tol) {
    (void)tol;
    return cdi_accelerations(p, at);
}
