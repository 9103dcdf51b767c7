// marker_coordinate.c - a single coordinate of a body, for laws on coordinates
#include "items/marker.h"

#define FIELD(...) CD_FIELD(CdCoordinateMarkerFields, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(body, REF, "", NULL, "", "body that owns it", .target = "body"),
    FIELD(coordinate, STRING, "", NULL, "", "name of the coordinate: x, y, z, rz, angle"),
};

const CdItemClass cd_marker_coordinate = {
    .desc = {.name = "CoordinateMarker",
             .doc = "Single coordinate of a body",
             .size = sizeof(CdCoordinateMarkerFields),
             CD_FIELDS(fields),
             .example = "{\"class\": \"CoordinateMarker\", \"name\": \"height\", \"body\": "
                        "\"link\", \"coordinate\": \"y\"}"},
    .category = CD_MARKER,
};
