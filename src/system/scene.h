// scene.h - what is needed to show a moment of a run: poses of bodies, forces of links
//
// Per body but the ground: position and quat_wxyz of the user's body frame. Per joint, connector
// and load that acts on frames: force and moment on its last marker, at that marker, in world axes.
// Names are "@link.x" ... "@link.qz", "@hinge.fx" ... "@hinge.mz": only here it is told how.
#ifndef CARDAN_SYSTEM_SCENE_H
#define CARDAN_SYSTEM_SCENE_H

#include "system/channels.h"

#define CD_POSE_NUMBERS 7
#define CD_FORCE_NUMBERS 6

#define CD_SCENE_MARK "@"
#define CD_SCENE_PATTERN CD_SCENE_MARK "*"                  // all of them
extern const char *const cdi_pose_names[CD_POSE_NUMBERS];   // "x" ... "qz"
extern const char *const cdi_force_names[CD_FORCE_NUMBERS]; // "fx" ... "mz"
bool cdi_scene_is(const char *channel);
bool cdi_scene_is_of(const char *channel, const char *item, const char *part);

typedef struct CdSceneNumbers {
    int nbodies, nforces;
    const CdItem *const *forces; // links in their order: joints, connectors, loads
    int n;                       // CD_POSE_NUMBERS nbodies + CD_FORCE_NUMBERS nforces
    const CdChannel *channels;
} CdSceneNumbers;

// names and their order; memory from the arena
CdStatus cdi_scene_numbers(const CdSystem *system, CdArena *arena, CdSceneNumbers *numbers);
// at a complete point (vdot and lambda set); signs of quaternions are as they come
void cdi_scene_eval(const CdSceneNumbers *numbers, CdSystemWork *work, const CdPoint *at,
                    double *values);

#endif
