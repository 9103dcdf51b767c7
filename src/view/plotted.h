// plotted.h - channels thinned out for plots: of every stretch of rows the least and the greatest
//
// A short log is kept as it is. Of a long one every stretch of rows gives two points per channel,
// its least and its greatest number in the order they came, at the first time of the stretch and
// halfway to the next: what sticks out stays, its time moves by less than a stretch. A channel that
// is a number of the scene, as all are in a log without sensors, is known from its frames.
#ifndef CARDAN_VIEW_PLOTTED_H
#define CARDAN_VIEW_PLOTTED_H

#include "view/motion.h"

CdStatus cdi_plotted_begin(CdMotion *motion);                               // the log is open
void cdi_plotted_row(CdMotion *motion, uint64_t number, const double *row); // all of them in order
void cdi_plotted_end(CdMotion *motion);

#endif
