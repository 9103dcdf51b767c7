// svg.h - pictures as SVG: paths, arrows and words, in colours for light and for dark surroundings
//
// Coordinates are integers, tenths of a pixel, so that the same scene gives the same text.
#ifndef CARDAN_VIEW_SVG_H
#define CARDAN_VIEW_SVG_H

#include "base/text.h"
#include "view/faces.h"

// ---- documents, for drawings and plots

#define CD_SVG_TENTH 10

// size in pixels
void cdi_svg_open(CdText *out, int width, int height, const char *title);
void cdi_svg_close(CdText *out);
void cdi_svg_escape(CdText *out, const char *text); // <, >, &, " and what XML does not allow
// one rule for light surroundings and one for dark ones
typedef struct CdSvgRule {
    const char *selector, *light, *dark; // dark NULL: the same
} CdSvgRule;
void cdi_svg_rules(CdText *out, const CdSvgRule *rules, int n);

long cdi_svg_unit(double pixels); // in tenths, rounded
// the i-th point of a path, in tenths as seen from the one before; i = 0: from the corner
void cdi_svg_point(CdText *out, int i, const long d[2]);
// "M" and "l" with what follows, from pixels, y down
void cdi_svg_path(CdText *out, const double (*points)[2], int n, bool closed);

// ---- drawings

// poses of all bodies at a moment, and what acts then
typedef struct CdMoment {
    const CdFrame *pose; // as many as scene->nbodies
    int narrows;
    const CdArrow *arrows;
} CdMoment;

typedef struct CdDrawing {
    const char *title;
    const char *view; // of camera.h
    int width, height;
    bool names, frames;
} CdDrawing;

// what became of it
typedef struct CdDrawn {
    CdCamera camera; // (x, height - y) is the place in the picture
    int width, height;
    int nfaces;
} CdDrawn;

// the last moment is drawn in full, those before it fainter
CdStatus cdi_svg_draw(const CdScene *scene, const CdDrawing *drawing, const CdMoment *moments,
                      int n, CdText *out, CdDrawn *drawn);

#endif
