// plot.h - panels of curves in double logarithmic scale, as one SVG for light and dark pages
#ifndef CARDAN_TOOLS_PLOT_H
#define CARDAN_TOOLS_PLOT_H

#include "base/text.h"

#define PLOT_POINTS 12
#define PLOT_CURVES 4
#define PLOT_PANELS 4

typedef struct PlotCurve {
    const char *name; // in the legend
    int style;        // colour and mark, 0 to PLOT_CURVES - 1
    int n;
    double x[PLOT_POINTS], y[PLOT_POINTS]; // points that are not positive numbers are left out
    int slope;                             // a guide of this slope is drawn beside it; 0: none
} PlotCurve;

typedef struct PlotPanel {
    const char *title, *x_label;
    int ncurves;
    PlotCurve curves[PLOT_CURVES];
} PlotPanel;

typedef struct Plot {
    const char *title;
    int npanels; // two in a row
    PlotPanel panels[PLOT_PANELS];
} Plot;

void plot_svg(const Plot *plot, CdText *out);

#endif
