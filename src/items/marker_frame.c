// marker_frame.c - a frame at a constant place on a body
#include "items/marker.h"

#define FIELD(...) CD_FIELD(CdMarkerFields, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(body, REF, "", NULL, "", "body that carries it", .target = "body"),
    FIELD(position, VEC3, "m", "[0, 0, 0]", "", "place in the body frame"),
    FIELD(orientation, QUATERNION, "1", "[1, 0, 0, 0]", "", "rotation seen from the body frame"),
};

const CdItemClass cd_marker_frame = {
    .desc = {.name = "Marker",
             .doc = "Frame at a constant place on a body",
             .size = sizeof(CdMarkerFields),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Marker\", \"name\": \"tip\", \"body\": \"link\", "
                        "\"position\": [0.5, 0, 0]}"},
    .category = CD_MARKER,
};
