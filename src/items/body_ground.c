// body_ground.c - the world itself: a body without coordinates
#include "items/item.h"

typedef struct Ground {
    char unused; // C has no empty structs
} Ground;

static void start(const void *p, double *q, double *v) {
    (void)p;
    (void)q;
    (void)v;
}

static void nothing(const void *p, double *out) {
    (void)p;
    (void)out;
}

static void user_frame(const void *p, CdFrame *x) {
    (void)p;
    zero3(x->p);
    eye33(x->R);
}

static void frame(const void *p, const double *q, CdFrame *f) {
    (void)q;
    user_frame(p, f);
}

static double weight(const void *p) {
    (void)p;
    return 0;
}

static const CdBodyLaw law = {
    .start = start,
    .frame = frame,
    .jacobian = nothing,
    .user_frame = user_frame,
    .mass = nothing,
    .weight = weight,
};

const CdItemClass cd_body_ground = {
    .desc = {.name = "Ground",
             .doc = "The world: a body that does not move",
             .size = sizeof(Ground),
             .example = "{\"class\": \"Ground\", \"name\": \"frame\"}"},
    .category = CD_BODY,
    .body = &law,
};
