// plotted.c - channels thinned out for plots: of every stretch of rows the least and the greatest
#include "view/plotted.h"

#include <math.h>
#include <string.h>

#include "system/scene.h"

#define POINTS_MAX 3000
#define POINTS_MIN 200
#define NUMBERS_MAX 1500000 // of all plots
#define TWIN_TOLERANCE 1e-12

// stretch that a row is in, of npoints/2
static size_t stretch(const CdMotion *m, uint64_t row) {
    const double part = (double)row / (double)m->table->rows;
    return (size_t)(part * (double)(m->npoints / 2));
}

static bool is_thinned(const CdMotion *m) {
    return m->npoints < m->table->rows;
}

// the column "@link.x" of the channel "link.x"; -1: there is none
static int find_twin(const CdMotion *m, int channel) {
    const CdChannel *all = m->table->channels;
    for (int c = 0; c < m->ncolumns; c++) {
        if (strcmp(all[m->nchannels + c].name + 1, all[channel].name) == 0) return c;
    }
    return -1;
}

CdStatus cdi_plotted_begin(CdMotion *m) {
    const uint64_t rows = m->table->rows;
    size_t most = POINTS_MAX;
    if (m->nchannels > 0 && NUMBERS_MAX / m->nchannels < POINTS_MAX) {
        most = (size_t)(NUMBERS_MAX / m->nchannels);
    }
    if (most < POINTS_MIN) most = POINTS_MIN;
    m->npoints = rows <= most ? (size_t)rows : most / 2 * 2;
    m->twin = CD_TAKE(&m->arena, int, (size_t)m->nchannels);
    m->plot_time = CD_TAKE(&m->arena, double, m->npoints);
    m->plots = CD_TAKE(&m->arena, double, m->npoints *(size_t)m->nchannels);
    if (!m->twin || !m->plot_time || !m->plots) return CD_NOMEM;
    for (int c = 0; c < m->nchannels; c++) m->twin[c] = find_twin(m, c);
    for (size_t i = 0; i < m->npoints; i++) m->plot_time[i] = NAN;
    for (size_t i = 0; i < m->npoints * (size_t)m->nchannels; i++) m->plots[i] = NAN;
    return CD_OK;
}

// a pair of the least and the greatest number so far, in the order they came, takes one more
static void widen(double pair[2], double x) {
    if (!isfinite(x)) return;
    if (isnan(pair[0])) {
        pair[0] = pair[1] = x;
    } else if (x < fmin(pair[0], pair[1])) {
        pair[0] = fmax(pair[0], pair[1]);
        pair[1] = x;
    } else if (x > fmax(pair[0], pair[1])) {
        pair[0] = fmin(pair[0], pair[1]);
        pair[1] = x;
    }
}

static bool is_same(double a, double b) {
    return fabs(a - b) <= TWIN_TOLERANCE * (1 + fabs(a));
}

// Names may deceive. Quaternions of channels keep the sign they begin with, as those of frames do.
static void compare_twins(CdMotion *m, uint64_t number, const double *row) {
    const double *scene = row + 1 + m->nchannels;
    for (int c = 0; c < m->nchannels; c++) {
        if (m->twin[c] < 0) continue;
        const double a = row[1 + c], b = scene[m->twin[c]];
        const bool turns = m->twin[c] % CD_POSE_NUMBERS >= 3 && number > 0;
        if (!is_same(a, b) && !(turns && is_same(a, -b))) m->twin[c] = -1;
    }
}

void cdi_plotted_row(CdMotion *m, uint64_t number, const double *row) {
    compare_twins(m, number, row);
    if (!is_thinned(m)) {
        m->plot_time[number] = row[0];
        for (int c = 0; c < m->nchannels; c++) {
            m->plots[(size_t)c * m->npoints + number] = row[1 + c];
        }
        return;
    }
    const size_t at = 2 * stretch(m, number);
    if (isnan(m->plot_time[at])) m->plot_time[at] = row[0];
    for (int c = 0; c < m->nchannels; c++)
        widen(&m->plots[(size_t)c * m->npoints + at], row[1 + c]);
}

// times between the stretches, and none that goes back
void cdi_plotted_end(CdMotion *m) {
    const double last = m->time[m->nframes - 1];
    for (size_t i = 1; is_thinned(m) && i < m->npoints; i += 2) {
        const double next = i + 1 < m->npoints ? m->plot_time[i + 1] : last;
        m->plot_time[i] = (m->plot_time[i - 1] + next) / 2;
    }
    for (size_t i = 0; i < m->npoints; i++) {
        const double least = i > 0 ? m->plot_time[i - 1] : m->time[0];
        if (!(m->plot_time[i] >= least)) m->plot_time[i] = least;
    }
}
