// lanes.h - laws of eight items at a time, beside those of one
//
// Element k of item l stands at [8*k + l] (ad/lanes.h); frames are 12 elements (p, R), twists of
// two markers 12. Of a tile that is not full `items` count. adc writes the functions, from
//   // adc: value = value(c)
//   // adc: lanes(value, ...)
// above a kernel, so that a law is stated once. The file of such a class is compiled once per
// instruction set (cmake/CardanAdc.cmake), of which only the lanes are taken: cdi_item_lanes.
#ifndef CARDAN_ITEMS_LANES_H
#define CARDAN_ITEMS_LANES_H

#include "base/isa.h"
#include "items/item.h"

// items of a tile; to files with lanes it is CD_TILE, too
#define CDI_TILE 8

// as the functions of the same names in CdBodyLaw
struct CdBodyLanes {
    int np; // doubles of the struct that kernels read
    void (*cells)(const void *p, double *out);
    void (*frame)(int items, const double *p, const double *q, double *f);
    void (*residual)(int items, const double *p, const double *gravity, const double *v,
                     const double *vdot, double *r);
    // of the moment over angular velocities w, 3 x 3 by rows; gyro has no other part. NULL: none
    void (*gyro_jac)(int items, const double *p, const double *w, double *m, double *J);
};

// as the functions of the same names in CdJointLaw, or those of relative coordinates, which do not
// read t: 8 times
struct CdJointLanes {
    int np;
    void (*cells)(const void *p, double *out);
    void (*value)(int items, const double *p, const double *t, const double *a, const double *b,
                  double *c);
    void (*vel)(int items, const double *p, const double *t, const double *a, const double *b,
                const double *v, double *cv);
    void (*acc)(int items, const double *p, const double *t, const double *a, const double *b,
                const double *v, double *gamma);
    void (*react)(int items, const double *p, const double *t, const double *a, const double *b,
                  const double *lambda, double *w);
    void (*jac)(int items, const double *p, const double *t, const double *a, const double *b,
                double *c, double *J);
    void (*react_jac)(int items, const double *p, const double *t, const double *a, const double *b,
                      const double *lambda, double *w, double *K);
    void (*vel_jac)(int items, const double *p, const double *t, const double *a, const double *b,
                    const double *v, double *cv, double *J);
};

// as in CdForceInput; structs of the items for those that have functions: each is called for itself
typedef struct CdForceTile {
    int items;
    const double *t, *a, *b, *v, *memory;
    const void *const *item;
} CdForceTile;

// as the functions of the same names in CdForceLaw; of one marker, J is to the frame only: 6 x 6
struct CdForceLanes {
    int np;
    void (*cells)(const void *p, double *out);
    bool (*fits)(const void *p); // is the law of this item that of the lanes? NULL: always
    const CdForceLanes *other;   // lanes of items that do not fit; NULL: none
    void (*value)(const double *p, const CdForceTile *in, double *w);
    void (*jac)(const double *p, const CdForceTile *in, double *w, double *J);
    // of frames and memory; where the law has one
    void (*remember)(const CdForceTile *in, double *memory);
};

// those that a class has
typedef struct CdItemLanes {
    const CdBodyLanes *body;
    const CdJointLanes *joint, *relative;
    const CdForceLanes *force;
} CdItemLanes;

static inline CdItemLanes lanes_of(const CdItemClass *cls) {
    return (CdItemLanes){.body = cls->body ? cls->body->lanes : NULL,
                         .joint = cls->joint ? cls->joint->lanes : NULL,
                         .relative = cls->joint ? cls->joint->rel_lanes : NULL,
                         .force = cls->force ? cls->force->lanes : NULL};
}

// with functions for an instruction set; those of the class itself if there are no others
CdItemLanes cdi_item_lanes(const CdItemClass *cls, CdIsa isa);

// fill a CdBodyLaw from kernels `k`_frame and `k`_residual, both with lanes(value), which read the
// struct of the item
#define CDI_BODY_KERNELS(k)                                                        \
    static void frame_(const void *p, const double *q, CdFrame *f) {               \
        double x[12];                                                              \
        k##_frame(p, q, x);                                                        \
        copy3(x, f->p);                                                            \
        copy33(x + 3, f->R);                                                       \
    }                                                                              \
    static void residual_(const void *p, const double gravity[3], const double *v, \
                          const double *vdot, double *r) {                         \
        k##_residual(p, gravity, v, vdot, r);                                      \
    }                                                                              \
    static void cells_(const void *p, double *out) {                               \
        k##_frame_p_cells(p, out);                                                 \
    }                                                                              \
    static const CdBodyLanes lanes_ = {.np = k##_frame_p_N,                        \
                                       .cells = cells_,                            \
                                       .frame = k##_frame_value_lanes,             \
                                       .residual = k##_residual_value_lanes};
#define CDI_BODY_LAW .frame = frame_, .residual = residual_, .lanes = &lanes_

// lanes_ of kernel `k` of a joint
#define CDI_JOINT_LANES(k)                                                \
    static void cells_(const void *p, double *out) {                      \
        k##_p_cells(p, out);                                              \
    }                                                                     \
    static const CdJointLanes lanes_ = {.np = k##_p_N,                    \
                                        .cells = cells_,                  \
                                        .value = k##_value_lanes,         \
                                        .vel = k##_vel_lanes,             \
                                        .acc = k##_acc_lanes,             \
                                        .react = k##_react_lanes,         \
                                        .jac = k##_jac_lanes,             \
                                        .react_jac = k##_react_jac_lanes, \
                                        .vel_jac = k##_vel_jac_lanes};

// rel_lanes_ of kernel `k` of the relative coordinates of a joint
#define CDI_JOINT_TILE int items, const double *p, const double *t, const double *a, const double *b
#define CDI_RELATIVE_LANES(k)                                                                      \
    static void rel_cells_(const void *p, double *out) {                                           \
        k##_p_cells(p, out);                                                                       \
    }                                                                                              \
    static void rel_value_lanes_(CDI_JOINT_TILE, double *s) {                                      \
        k##_value_lanes(items, p, a, b, s);                                                        \
    }                                                                                              \
    static void rel_vel_lanes_(CDI_JOINT_TILE, const double *v, double *sdot) {                    \
        k##_vel_lanes(items, p, a, b, v, sdot);                                                    \
    }                                                                                              \
    static void rel_acc_lanes_(CDI_JOINT_TILE, const double *v, double *gamma) {                   \
        k##_acc_lanes(items, p, a, b, v, gamma);                                                   \
    }                                                                                              \
    static void rel_react_lanes_(CDI_JOINT_TILE, const double *lambda, double *w) {                \
        k##_react_lanes(items, p, a, b, lambda, w);                                                \
    }                                                                                              \
    static void rel_jac_lanes_(CDI_JOINT_TILE, double *s, double *J) {                             \
        k##_jac_lanes(items, p, a, b, s, J);                                                       \
    }                                                                                              \
    static void rel_react_jac_lanes_(CDI_JOINT_TILE, const double *lambda, double *w, double *K) { \
        k##_react_jac_lanes(items, p, a, b, lambda, w, K);                                         \
    }                                                                                              \
    static void rel_vel_jac_lanes_(CDI_JOINT_TILE, const double *v, double *sdot, double *J) {     \
        k##_vel_jac_lanes(items, p, a, b, v, sdot, J);                                             \
    }                                                                                              \
    static const CdJointLanes rel_lanes_ = {.np = k##_p_N,                                         \
                                            .cells = rel_cells_,                                   \
                                            .value = rel_value_lanes_,                             \
                                            .vel = rel_vel_lanes_,                                 \
                                            .acc = rel_acc_lanes_,                                 \
                                            .react = rel_react_lanes_,                             \
                                            .jac = rel_jac_lanes_,                                 \
                                            .react_jac = rel_react_jac_lanes_,                     \
                                            .vel_jac = rel_vel_jac_lanes_};

#endif
