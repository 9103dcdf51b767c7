// motion.h - a log made ready for moving pictures: the model, its scene, frames and plots
//
// Frames are rows of the log, never something between them: at least 50 in a second of the run and
// at least 2000 in all, as far as the log has them. Plots keep the least and the greatest number of
// every stretch of rows.
#ifndef CARDAN_VIEW_MOTION_H
#define CARDAN_VIEW_MOTION_H

#include "results/table.h"
#include "view/scene.h"

typedef struct CdMotionForce {
    const CdItem *item;
    int body;        // that it acts on
    double point[3]; // of that body, in its user's frame
} CdMotionForce;

typedef struct CdMotion {
    CdContext *ctx;
    CdArena arena;
    CdLog *log;
    CdTable *table; // the part of the log that is shown
    CdModel *model;
    CdScene *scene;
    int nbodies; // with the ground, which has no columns
    int nforces;
    const CdMotionForce *forces;
    // columns in the order of system/scene.h: poses, then forces; number k of column c is
    // columns[c nframes + k]
    size_t nframes;
    int ncolumns;
    double *time, *columns;
    // plots: channels that are no part of the scene, by columns too. Where `twin` is not -1 the
    // channel is that column of the frames.
    size_t npoints;
    int nchannels;
    int *twin;
    double *plot_time, *plots;
} CdMotion;

// part: of time and channels; rate: frames per second of the run, 0: as above
CdStatus cdi_motion_open(CdContext *ctx, const char *log, const CdSelection *part, double rate,
                         CdMotion **motion);
void cdi_motion_free(CdMotion *motion); // NULL does nothing

// position and quat_wxyz of a body in a frame; those of the ground do not move
void cdi_motion_pose(const CdMotion *motion, int body, size_t frame, double p[3], double q[4]);
// up of the model: against gravity; without it y for mechanisms in the plane x, y, z for others
void cdi_motion_up(const CdMotion *motion, double up[3]);

#endif
