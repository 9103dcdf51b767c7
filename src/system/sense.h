// sense.h - inside system/: what sensors read, found from a complete point
#ifndef CARDAN_SYSTEM_SENSE_H
#define CARDAN_SYSTEM_SENSE_H

#include "system/system.h"

// all after cdi_system_place with velocities; they fill the part of `in` that belongs to them.
// vdot NULL: without accelerations; complete: the point has accelerations and multipliers
void cdi_sense_marker(const CdSystemWork *w, int marker, const double *vdot, CdSensorInput *in);
void cdi_sense_joint(const CdSystemWork *w, const CdSystemLink *joint, const CdPoint *at,
                     bool complete, CdSensorInput *in);
// a joint on coordinates
void cdi_sense_coupling(const CdSystemCoordinates *joint, const CdPoint *at, bool complete,
                        CdSensorInput *in);
// outputs is room for them
void cdi_sense_connector(const CdSystemWork *w, const CdSystemLink *force, double *outputs,
                         CdSensorInput *in);
void cdi_sense_system(CdSystemWork *w, const CdPoint *at, CdSensorInput *in);

// a sensor, and where it finds what it reads
typedef struct CdProbe {
    const CdItem *item;
    const CdItem *source;                   // joint or connector that it looks at; NULL: none
    const CdSystemLink *link;               // of the source
    const CdSystemCoordinates *coordinates; // of a source that acts on coordinates
    int n;                                  // numbers
} CdProbe;
CdProbe cdi_probe(const CdSystem *system, const CdItem *sensor);
// complete: the point has accelerations and multipliers; else only what forces may read is known.
// rates NULL: not wanted
void cdi_probe_eval(CdSystemWork *w, const CdProbe *p, const CdPoint *at, bool complete,
                    double *values, double *rates);
// is number k an angle that goes on from turn to turn; or the first of a quaternion, whose sign is
// free?
bool cdi_probe_turns(const CdProbe *p, int k);
bool cdi_probe_flips(const CdProbe *p, int k);
// is it a reaction of a joint of which a row is marked? rows: ng of them
bool cdi_probe_marked(const CdProbe *p, const bool *rows);

// the user's body frame
void cdi_sense_body(const CdSystemWork *w, int body, CdFrame *frame);

#endif
