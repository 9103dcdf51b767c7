// sense.h - inside system/: what sensors read, found from a complete point
#ifndef CARDAN_SYSTEM_SENSE_H
#define CARDAN_SYSTEM_SENSE_H

#include "system/system.h"

// all after cdi_system_place with velocities; they fill the part of `in` that belongs to them
void cdi_sense_marker(const CdSystemWork *w, int marker, const double *vdot, CdSensorInput *in);
void cdi_sense_joint(const CdSystemWork *w, const CdSystemLink *joint, const double *lambda,
                     CdSensorInput *in);
// outputs is room for them
void cdi_sense_connector(const CdSystemWork *w, const CdSystemLink *force, double *outputs,
                         CdSensorInput *in);
void cdi_sense_system(CdSystemWork *w, const CdPoint *at, CdSensorInput *in);
// the user's body frame
void cdi_sense_body(const CdSystemWork *w, int body, CdFrame *frame);

#endif
