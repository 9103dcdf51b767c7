// gadget.h - a class with a field of every type, for the tests of desc/ and its fuzz target
#ifndef CARDAN_TESTS_DESC_GADGET_H
#define CARDAN_TESTS_DESC_GADGET_H

#include "desc/desc.h"
#include "desc/function.h"
#include "desc/reader.h"

typedef struct Box {
    double size[3];
    double density;
} Box;

static const CdField box_fields[] = {
    CD_FIELD(Box, size, VEC3, "m", NULL, "(0, inf)", "length of the edges"),
    CD_FIELD(Box, density, REAL, "kg/m^3", "1000", "(0, inf)", "mass per volume"),
};
static const CdDesc box_class = {
    .name = "Box",
    .doc = "Cuboid",
    .size = sizeof(Box),
    CD_FIELDS(box_fields),
    .example = "{\"class\": \"Box\", \"size\": [1, 2, 3]}",
};

typedef struct Ball {
    double radius;
} Ball;

static const CdField ball_fields[] = {
    CD_FIELD(Ball, radius, REAL, "m", NULL, "(0, inf)", "radius"),
};
static const CdDesc ball_class = {
    .name = "Ball", .doc = "Sphere", .size = sizeof(Ball), CD_FIELDS(ball_fields)};

static const CdDesc *const shape_classes[] = {&box_class, &ball_class, NULL};
static const char *const law_names[] = {"dry", "viscous", "none", NULL};

typedef struct Gadget {
    bool active;
    int count;
    double stiffness, lo, hi;
    double axis[3];
    double inertia[9];
    double orientation[4];
    CdMatrix gains, pairs;
    char *label;
    CdPath mesh;
    int law;
    CdRef base;
    CdMatrix road;
    CdFunction torque;
    Box box;
    CdVariant shape;
    CdValues numbers;
    CdList flags, counts, lengths, points, tensors, rotations, blocks, words, files, laws, bodies,
        roads, forces, boxes, shapes, tables;
} Gadget;

// a rule between two fields
static CdStatus gadget_finish(CdReader *r, void *data) {
    const Gadget *g = data;
    if (g->lo <= g->hi) return CD_OK;
    return cdi_reject_field(r, "lo", "must not be above hi");
}

#define GADGET_FIELD(...) CD_FIELD(Gadget, __VA_ARGS__)
static const CdField gadget_fields[] = {
    GADGET_FIELD(active, BOOL, "", "true", "", "is it on"),
    GADGET_FIELD(count, INT, "1", "1", "[0, 100]", "how many"),
    GADGET_FIELD(stiffness, REAL, "N/m", NULL, "[0, inf)", "stiffness of the spring"),
    GADGET_FIELD(lo, REAL, "rad", "-1", "", "lower end"),
    GADGET_FIELD(hi, REAL, "rad", "1", "", "upper end"),
    GADGET_FIELD(axis, VEC3, "1", "[0, 0, 1]", "", "direction", .nonzero = true),
    GADGET_FIELD(inertia, MAT3, "kg*m^2", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "", "inertia"),
    GADGET_FIELD(orientation, QUATERNION, "1", "[1, 0, 0, 0]", "", "rotation"),
    GADGET_FIELD(gains, MATRIX, "1", "null", "[-10, 10]", "feedback", .cols = 2),
    GADGET_FIELD(pairs, MATRIX, "1", "null", "", "two rows", .rows = 2),
    GADGET_FIELD(label, STRING, "", "null", "", "free text"),
    GADGET_FIELD(mesh, PATH, "", "null", "", "file with its surface"),
    GADGET_FIELD(law, ENUM, "", "\"dry\"", "", "friction law", .names = law_names),
    GADGET_FIELD(base, REF, "", "null", "", "what it stands on", .target = "body"),
    GADGET_FIELD(road, TABLE, "m", "null", "[-5, 5]", "height of the road", .cols = 2),
    GADGET_FIELD(torque, FUNCTION, "N*m", "0", "", "drive"),
    GADGET_FIELD(box, OBJECT, "", "{\"size\": [1, 1, 1]}", "", "bounding box",
                 .object = &box_class),
    GADGET_FIELD(shape, VARIANT, "", "null", "", "what it looks like", .variants = shape_classes),
    GADGET_FIELD(numbers, VALUES, "", "null", "", "numbers of any name"),
    GADGET_FIELD(flags, BOOL, "", "[]", "", "list", .list = true),
    GADGET_FIELD(counts, INT, "1", "[]", "", "list", .list = true),
    GADGET_FIELD(lengths, REAL, "m", "[]", "[0, inf)", "list", .list = true, .count = "[0, 4]"),
    GADGET_FIELD(points, VEC3, "m", "[]", "", "list", .list = true),
    GADGET_FIELD(tensors, MAT3, "1", "[]", "", "list", .list = true),
    GADGET_FIELD(rotations, QUATERNION, "1", "[]", "", "list", .list = true),
    GADGET_FIELD(blocks, MATRIX, "1", "[]", "", "list", .list = true),
    GADGET_FIELD(words, STRING, "", "[]", "", "list", .list = true),
    GADGET_FIELD(files, PATH, "", "[]", "", "list", .list = true),
    GADGET_FIELD(laws, ENUM, "", "[]", "", "list", .list = true, .names = law_names),
    GADGET_FIELD(bodies, REF, "", "[]", "", "list", .list = true, .target = "body"),
    GADGET_FIELD(roads, TABLE, "m", "[]", "", "list", .list = true),
    GADGET_FIELD(forces, FUNCTION, "N", "[]", "", "list", .list = true, .arg = "x",
                 .arg_unit = "m"),
    GADGET_FIELD(boxes, OBJECT, "", "[]", "", "list", .list = true, .object = &box_class),
    GADGET_FIELD(shapes, VARIANT, "", "[]", "", "list", .list = true, .variants = shape_classes),
    GADGET_FIELD(tables, VALUES, "", "[]", "", "list", .list = true),
};

static const CdDesc gadget_class = {
    .name = "Gadget",
    .doc = "Has a field of every type",
    .size = sizeof(Gadget),
    CD_FIELDS(gadget_fields),
    .example = "{\"class\": \"Gadget\", \"stiffness\": \"3 kN/m\"}",
    .finish = gadget_finish,
};

#endif
