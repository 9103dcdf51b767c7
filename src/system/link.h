// link.h - inside system/: from the frames of markers to the coordinates of their bodies
#ifndef CARDAN_SYSTEM_LINK_H
#define CARDAN_SYSTEM_LINK_H

#include "system/system.h"

// finds which bodies joints with start values move
CdStatus cdi_system_moves(CdSystem *s);

// twist of a marker from that of its body's reference frame, and the transposed map of wrenches
void cdi_marker_twist(const CdFrame *body, const CdFrame *offset, const double twist[6],
                      double out[6]);
void cdi_marker_wrench(const CdFrame *body, const CdFrame *offset, const double w[6],
                       double out[6]);

// J v of the reference frame of a body, for velocities or their rates of the system
void cdi_body_twist(const CdSystemBody *b, const double *v, double out[6]);

// frames and twists of bodies, and of the markers of links that stand in no tile, or of all if
// sensors are read; v NULL: frames only; bias: too
void cdi_system_place_links(CdSystemWork *w, const double *q, const double *v, bool bias);

// all after cdi_system_place; matrices by rows
const CdSystemBody *cdi_marker_body(const CdSystemWork *w, int marker);
void cdi_marker_jacobian(const CdSystemWork *w, int marker, double *X); // twist = X v, 6 x nv
void cdi_marker_force(const CdSystemWork *w, int marker, const double wrench[6],
                      double *f); // X^T wrench
// K += d(X^T wrench)/dq at constant wrench, rows ld apart
void cdi_marker_curvature(const CdSystemWork *w, int marker, const double wrench[6], double *K,
                          int ld);
// f += (d(twist)/dq)^T wrench
void cdi_marker_add_slope(const CdSystemWork *w, int marker, const double wrench[6], double *f);
// d(twist)/dq at constant v, 6 x nv
void cdi_marker_twist_slope(const CdSystemWork *w, int marker, double *T);

// the same of both markers of a link, over its 12 directions and n velocities: 12 x n
void cdi_link_jacobian(const CdSystemWork *w, const CdSystemLink *l, double *X);
void cdi_link_twist_slope(const CdSystemWork *w, const CdSystemLink *l, double *T);
void cdi_link_force(const CdSystemWork *w, const CdSystemLink *l, const double *wrench, double *f);
// rows x 12 numbers A over directions, ld apart: out (rows x n) = A X, out += A d(twists)/dq
void cdi_link_rows(const CdSystemWork *w, const CdSystemLink *l, int rows, const double *A, int ld,
                   double *out);
void cdi_link_slope_rows(const CdSystemWork *w, const CdSystemLink *l, int rows, const double *A,
                         int ld, double *out);
// largest violations so far at position, velocity and acceleration level, with those of a joint
void cdi_link_residuals(const CdSystemWork *w, const CdSystemLink *joint, const CdPoint *at,
                        double residual[3]);

// frame of the second marker, NULL: there is none
static inline const CdFrame *cdi_link_frame_b(const CdSystemWork *w, const CdSystemLink *l) {
    return l->b < 0 ? NULL : &w->frame[l->b];
}
// twists of both markers
void cdi_link_twists(const CdSystemWork *w, const CdSystemLink *l, double v[12]);
// rows in force of what a joint's kernel gives for all of its rows, to their places; and back
void cdi_link_pick(const CdSystemLink *joint, const double *all, double *out);
void cdi_link_spread(const CdSystemLink *joint, const double *lambda, double *all);

// M on pattern (assemble.c)
void cdi_system_masses(const CdSystem *s, double *M);
// callbacks of a CdProblem: constraint_jacobian and derivatives (derive.c)
CdStatus cdi_system_jacobian(void *data, const CdPoint *at, double *J);
CdStatus cdi_system_derivatives(void *data, const CdPoint *at, double *M, double *C, double *K);
// and velocity_slopes (velocity_slopes.c)
CdStatus cdi_system_velocity_slopes(void *data, const CdPoint *at, double *Cq);

// what a force's law reads; v is room for twists
CdForceInput cdi_force_input(const CdSystemWork *w, const CdSystemLink *l, double t, double v[12]);

// ---- callbacks of a problem

bool cdi_system_cancelled(CdSystemWork *w); // asked after some work only
CdStatus cdi_system_force(void *data, const CdPoint *at, double *f);
CdStatus cdi_system_residual(void *data, const CdPoint *at, double *r, double *g, double *velocity,
                             double *acceleration);

// ---- systems of bodies with constant masses and items on coordinates, nothing else (plain.c)

CdStatus cdi_plain_find(CdSystem *s);
// callbacks that place no frames, if the system is such a one
void cdi_plain_problem(const CdSystemWork *w, CdProblem *problem);

// ---- items on single coordinates

CdStatus cdi_coordinates_number(CdSystem *s);
CdStatus cdi_coordinates_pattern(const CdSystem *s, CdPatternBuilder *b);
CdStatus cdi_coordinates_jpattern(const CdSystem *s, CdPatternBuilder *b);
CdStatus cdi_coordinates_place(CdSystem *s);
void cdi_coordinates_factors(CdSystem *s); // of the items that the system has now
CdStatus cdi_coordinates_work(CdSystemWork *w);
// out += sign f; of all of them, or only of those that are no lines (lines.h)
void cdi_coordinates_force(const CdSystemWork *w, const CdPoint *at, double sign, double *out);
void cdi_coordinates_add_others(const CdSystemWork *w, const CdPoint *at, double sign, double *out);
// added to C and K of r = M v' - f + J^T lambda (NULL: not wanted)
void cdi_coordinates_derivatives(const CdSystemWork *w, const CdPoint *at, double *C, double *K);
// their rows of g, J, c_t and gamma; NULL: not wanted
void cdi_coordinates_rows(const CdSystemWork *w, const CdPoint *at, double *g, double *J,
                          double *terms, double *gamma);
// their rows at all levels (NULL: not wanted), and r += J^T lambda
void cdi_coordinates_levels(const CdSystemWork *w, const CdPoint *at, double *r, double *g,
                            double *velocity, double *acceleration);
// as cdi_link_residuals
void cdi_coordinates_residuals(const CdSystemCoordinates *joint, const CdPoint *at,
                               double residual[3]);
// f on each coordinate by the law of an item with struct p; J is left in the work
const double *cdi_coordinates_law(const CdSystemWork *w, const CdSystemCoordinates *c,
                                  const void *p, const CdPoint *at);
double cdi_coordinates_energy(const CdSystemWork *w, double t, const double *q);
// rows of 24: to coordinate j in column j, to its speed in column 12 + j
void cdi_coordinates_outputs_jac(const CdSystemWork *w, const CdSystemCoordinates *c,
                                 const CdPoint *at, double *J);
// p: struct of the item, or one like it
void cdi_coordinates_outputs(const CdSystemWork *w, const CdSystemCoordinates *c, const void *p,
                             const CdPoint *at, double *out);

#endif
