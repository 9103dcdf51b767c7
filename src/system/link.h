// link.h - inside system/: from the frames of markers to the coordinates of their bodies
#ifndef CARDAN_SYSTEM_LINK_H
#define CARDAN_SYSTEM_LINK_H

#include "system/system.h"

// twist of a marker from that of its body's reference frame, and the transposed map of wrenches
void cdi_marker_twist(const CdFrame *body, const CdFrame *offset, const double twist[6],
                      double out[6]);
void cdi_marker_wrench(const CdFrame *body, const CdFrame *offset, const double w[6],
                       double out[6]);

// all after cdi_system_place; matrices by rows
const CdSystemBody *cdi_marker_body(const CdSystemWork *w, int marker);
void cdi_marker_jacobian(const CdSystemWork *w, int marker, double *X); // twist = X v, 6 x nv
void cdi_marker_force(const CdSystemWork *w, int marker, const double wrench[6],
                      double *f); // X^T wrench
// K += d(X^T wrench)/dq at constant wrench, rows ld apart
void cdi_marker_curvature(const CdSystemWork *w, int marker, const double wrench[6], double *K,
                          int ld);
// d(twist)/dq at constant v, 6 x nv
void cdi_marker_twist_slope(const CdSystemWork *w, int marker, double *T);

#endif
