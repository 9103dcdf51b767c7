// symbol.h - what a joint, connector or load looks like: a few solids on its markers, and a line
//
// The unit of lengths is that of all symbols of a picture, chosen by whoever draws: a thin link is
// half a unit thick. A class without a symbol gets a neutral one; coordinates have none.
#ifndef CARDAN_ITEMS_SYMBOL_H
#define CARDAN_ITEMS_SYMBOL_H

typedef enum CdSymbolForm { CD_BOX, CD_CYLINDER, CD_TUBE, CD_BALL } CdSymbolForm;

typedef struct CdSymbolPart {
    int marker; // that it is fixed to: 0: a, 1: b
    CdSymbolForm form;
    int axis;       // of the marker: 0 x, 1 y, 2 z; round solids lie along it
    double size[3]; // box: edges along x, y, z; else radius, length, bore of a tube
    double at[3];   // centre, seen from the marker
} CdSymbolPart;

// drawn from marker a to marker b
typedef enum CdSpanStyle {
    CD_SPAN_NONE,
    CD_SPAN_LINE, // a thin bar or guide
    CD_SPAN_SPRING,
    CD_SPAN_SPRING_DAMPER,
    CD_SPAN_ACTUATOR
} CdSpanStyle;

// of a load, along what it exerts
typedef enum CdArrowStyle { CD_ARROW_NONE, CD_ARROW_FORCE, CD_ARROW_TORQUE } CdArrowStyle;

typedef struct CdSymbol {
    int nparts;
    const CdSymbolPart *parts;
    CdSpanStyle span;
    CdSpanStyle (*span_of)(const void *p); // where it depends on fields; NULL: span
    CdArrowStyle arrow;
} CdSymbol;

#define CD_SYMBOL_PARTS(rows) .nparts = (int)(sizeof rows / sizeof *rows), .parts = rows

#endif
