// marker.h - what the model reads of markers to find their bodies
#ifndef CARDAN_ITEMS_MARKER_H
#define CARDAN_ITEMS_MARKER_H

#include "items/item.h"

typedef struct CdMarkerFields {
    CdRef body;
    double position[3], orientation[4];
} CdMarkerFields;

typedef struct CdCoordinateMarkerFields {
    CdRef body;
    char *coordinate; // a name of the body's law: "x", "rz"
} CdCoordinateMarkerFields;

extern const CdItemClass cd_body_ground, cd_marker_frame, cd_marker_coordinate;

#endif
