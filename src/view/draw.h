// draw.h - inside view/: a drawing in the making
#ifndef CARDAN_VIEW_DRAW_H
#define CARDAN_VIEW_DRAW_H

#include "view/svg.h"

// colours of what is drawn; bodies take turns
typedef enum CdPaint {
    CD_PAINT_JOINT,
    CD_PAINT_CONNECTOR,
    CD_PAINT_SUPPORT,
    CD_PAINT_BODY, // the first of CD_BODY_PAINTS
    CD_BODY_PAINTS = 6,
    CD_PAINTS = CD_PAINT_BODY + CD_BODY_PAINTS
} CdPaint;

// of lines that belong to no solid; names of classes in the document
extern const char *const cdi_line_names[];
typedef enum CdLine { CD_LINE_EDGE, CD_LINE_HATCH, CD_LINE_SPAN, CD_LINE_BAR, CD_NLINES } CdLine;

// what a number of a face's group stands for
typedef struct CdGroup {
    CdPaint paint;
    CdLine line;
} CdGroup;

typedef struct CdCanvas {
    const CdScene *scene;
    const CdDrawing *drawing;
    CdCamera camera;
    int width, height;
    CdFaces faces;
    CD_ARRAY(CdGroup) groups;
    CdText body; // what is drawn
    bool used[CD_PAINTS][CD_TONES];
} CdCanvas;

// a point of a body in the picture, y down
void cdi_canvas_at(const CdCanvas *c, const CdFrame *pose, const double point[3], double out[2]);

// a line between markers becomes lines of faces: springs, dampers, bars
CdStatus cdi_canvas_span(CdCanvas *c, const CdSpan *span, const CdMoment *at);
// faces of all, in their order, become paths
CdStatus cdi_canvas_paint(CdCanvas *c);
// over all faces: arrows of loads, frames, gravity, axes of the world, names
void cdi_canvas_arrows(CdCanvas *c, const CdMoment *at);
void cdi_canvas_frames(CdCanvas *c, const CdMoment *at);
void cdi_canvas_corners(CdCanvas *c);
CdStatus cdi_canvas_names(CdCanvas *c, const CdMoment *at);

#endif
