// camera.h - from the world to the picture: a parallel projection
//
//   (x, y, z) = scale (R p) + shift        x right, y up, z towards the eye, in pixels
#ifndef CARDAN_VIEW_CAMERA_H
#define CARDAN_VIEW_CAMERA_H

#include "view/scene.h"

typedef struct CdCamera {
    double R[9]; // rows: right, up, towards the eye, in world axes
    double scale, shift[2];
} CdCamera;

// by name: auto, front, top, side, iso, or three numbers, the direction towards the eye. Up is the
// axis of the world that gravity acts against most, y without gravity; x is to the right in front.
// Auto is iso, but for flat mechanisms that side from which their plane is seen. A word that is
// none is reported.
CdStatus cdi_camera_check(CdContext *ctx, const char *view); // the word alone
CdStatus cdi_camera_view(const CdScene *scene, const char *view, CdCamera *camera);
void cdi_camera_see(const CdCamera *camera, const double p[3], double out[3]);
// direction alone, without scale
void cdi_camera_turn(const CdCamera *camera, const double d[3], double out[3]);

#endif
