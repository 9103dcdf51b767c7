// scene.h - what a model looks like: parts that move with bodies, lines between them, arrows
//
// One description for every picture: drawings, the browser page and glTF walk the same parts.
// Shapes draw themselves (geom/shape.h); bodies without a shape are bars or plates through their
// centre of mass and their markers, balls if they have none, discs if they only turn; joints and
// connectors have the symbol of their class (items/symbol.h). Where a link holds on to the ground
// stands a support with hatching.
//
// Everything is in the user's frame of its body; body 0 is the ground, whose frame is the world.
#ifndef CARDAN_VIEW_SCENE_H
#define CARDAN_VIEW_SCENE_H

#include "geom/mesh.h"
#include "model/model.h"

typedef enum CdPartKind {
    CD_PART_BODY,
    CD_PART_JOINT,
    CD_PART_CONNECTOR,
    CD_PART_SUPPORT // of a joint or connector, on the ground
} CdPartKind;

typedef struct CdPart {
    CdPartKind kind;
    const CdItem *item;
    int body;    // that it moves with
    bool shaped; // a shape that the model gives
    CdMesh mesh; // edges need not belong to triangles: hatching
} CdPart;

// between two markers, as springs and rods are
typedef struct CdSpan {
    const CdItem *item;
    CdSpanStyle style;
    int body[2];
    double point[2][3];
} CdSpan;

// of a load
typedef struct CdArrow {
    const CdItem *item;
    CdArrowStyle style;
    int body;
    double point[3];
    double vector[3]; // force or torque at the start, in world axes
} CdArrow;

typedef struct CdScene {
    const CdModel *model; // which must live as long
    CdArena arena;
    CD_ARRAY(CdPart) parts;
    CD_ARRAY(CdSpan) spans;
    CD_ARRAY(CdArrow) arrows;
    int nbodies;          // with the ground
    const CdFrame *start; // of bodies, before positions are made consistent
    double lower[3], upper[3];
    double centre[3], size; // of the box between lower and upper at the start; size > 0, m
    double unit;            // of symbols, m
    double symbols;         // how many times larger than usual they are
} CdScene;

// of a resolved model. Places that are not finite, or absurdly far away, are reported.
CdStatus cdi_view_scene(const CdModel *model, CdScene **scene);
CdStatus cdi_view_scene_sized(const CdModel *model, double symbols, CdScene **scene);
void cdi_view_scene_free(CdScene *scene); // NULL does nothing

// a marker, and the centre of mass, seen from the user's frame of the body
void cdi_view_marker(const CdModel *model, int marker, CdFrame *x);
void cdi_view_com(const CdModel *model, int body, double com[3]);

// user's frames of all bodies at coordinates q
struct CdSystem;
void cdi_view_poses(const struct CdSystem *system, const double *q, CdFrame *poses);

// parts of the making, in this order: bodies without a shape, what acts between markers, supports
CdStatus cdi_view_bars(CdScene *scene);
CdStatus cdi_view_links(CdScene *scene);
CdStatus cdi_view_supports(CdScene *scene);
// of an item's symbol, m: at least the unit
double cdi_view_symbol_size(const CdScene *scene, const CdItem *item);

#endif
