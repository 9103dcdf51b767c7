// islands.h - models of many mechanisms that do not know of each other, as text
#ifndef CARDAN_TESTS_SYSTEM_ISLANDS_H
#define CARDAN_TESTS_SYSTEM_ISLANDS_H

#include "test.h"

// body k of an arm, on a joint with the one above it or the ground
static inline void write_link(CdText *text, const char *arm, int i, int k, const char *joint,
                              const char *axis) {
    char above[32] = "ground";
    if (k > 0) snprintf(above, sizeof above, "%s%d_%d", arm, i, k - 1);
    cdi_text_addf(text,
                  ", {\"class\": \"RigidBody\", \"name\": \"%s%d_%d\", \"position\": [%g, 0, %d], "
                  "\"shape\": {\"class\": \"Cuboid\", \"size\": [0.1, 0.02, 0.03]}}",
                  arm, i, k, 0.05 + 0.1 * k, i);
    cdi_text_addf(text,
                  ", {\"class\": \"%sJoint\", \"name\": \"%s%d_%d_joint\", \"body_a\": \"%s\", "
                  "\"body_b\": \"%s%d_%d\", \"at\": [%g, 0, %d]%s}",
                  joint, arm, i, k, above, arm, i, k, 0.1 * k, i, axis);
}

// an arm of three bodies with a hinge, a ball joint and a universal joint, and two springs
static inline void write_arm(CdText *text, int i) {
    static const char *const joints[] = {"Revolute", "Spherical", "Universal"};
    for (int k = 0; k < 3; k++) {
        write_link(text, "b", i, k, joints[k], k == 1 ? "" : ", \"axis\": [0, 0, 1]");
        cdi_text_addf(text,
                      ", {\"class\": \"Marker\", \"name\": \"m%d_%d\", \"body\": \"b%d_%d\", "
                      "\"position\": [0, 0.03, 0.01]}",
                      i, k, i, k);
        if (k == 0) continue;
        cdi_text_addf(text,
                      ", {\"class\": \"SpringDamper\", \"name\": \"s%d_%d\", \"marker_a\": "
                      "\"m%d_%d\", \"marker_b\": \"m%d_%d\", \"length\": 0.09, \"stiffness\": %d, "
                      "\"damping\": 1}",
                      i, k, i, k - 1, i, k, 50 + i);
    }
}

// four bodies on hinges: two of these arms have tiles of their own, but not a unit of the solver
static inline void write_hinged(CdText *text, int i) {
    for (int k = 0; k < 4; k++) write_link(text, "h", i, k, "Revolute", ", \"axis\": [0, 0, 1]");
}

// a door that hangs on two hinges
static inline void write_door(CdText *text, int i) {
    cdi_text_addf(text,
                  ", {\"class\": \"RigidBody\", \"name\": \"door%d\", \"position\": [0.5, 0, %d], "
                  "\"shape\": {\"class\": \"Cuboid\", \"size\": [1, 0.1, 0.1]}}",
                  i, i);
    for (int k = 0; k < 2; k++) {
        cdi_text_addf(text,
                      ", {\"class\": \"RevoluteJoint\", \"name\": \"hinge%d_%d\", \"body_b\": "
                      "\"door%d\", \"at\": [0, 0, %g], \"axis\": [0, 0, 1]}",
                      i, k, i, i + 0.1 * k);
    }
}

static inline void islands_begin(CdText *text) {
    cdi_text_add(text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\", "
                       "\"acceleration\": [1, -9.81, 0]}");
}

#endif
