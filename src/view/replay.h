// replay.h - moments of a run, from its log
#ifndef CARDAN_VIEW_REPLAY_H
#define CARDAN_VIEW_REPLAY_H

#include "results/log.h"
#include "view/svg.h"

typedef struct CdReplay {
    CdLog *log;
    const CdScene *scene; // of the model in the log
    CdArena *arena;       // that moments live in
    double first, last;   // times of the log
    double *row, *next;
} CdReplay;

// A log without rows is reported, and one whose rows are not those of the scene.
CdStatus cdi_replay_open(CdLog *log, const CdScene *scene, CdArena *arena, CdReplay *replay);
// at time t, between samples on the straight way from one to the next. With `reactions` the arrows
// of joints and connectors too, else those of loads alone. A time outside is reported.
CdStatus cdi_replay_moment(CdReplay *replay, double t, bool reactions, CdMoment *moment);

#endif
