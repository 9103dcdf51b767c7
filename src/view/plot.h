// plot.h - channels as lines: one panel for every unit, over time or over another channel
#ifndef CARDAN_VIEW_PLOT_H
#define CARDAN_VIEW_PLOT_H

#include "results/table.h"
#include "view/axis.h"

typedef struct CdPlot {
    const char *title;
    int width, height; // pixels; more height is taken for many panels
    int x;             // channel of the abscissa; -1: time
    const int *y;      // channels of lines
    int ny;
} CdPlot;

// what became of one line
typedef struct CdPlotLine {
    int channel, panel;
    double low, high; // of its values; NaN: there are none
    uint64_t gaps;    // values that are not finite, or beyond CD_AXIS_MAX
} CdPlotLine;

typedef struct CdPlotted {
    int width, height, npanels;
    CdAxis x;
    CdPlotLine *lines; // ny of them, from the arena
} CdPlotted;

// lines of more samples than pixels keep their extremes
CdStatus cdi_svg_plot(CdTable *table, const CdPlot *plot, CdArena *arena, CdText *out,
                      CdPlotted *plotted);

#endif
