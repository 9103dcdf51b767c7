// joint_motion.c - a relative coordinate of a joint follows a function of time
//
//   c = s_k(a, b) - motion(t)        angles: modulo 2 pi, within [-pi, pi]
//
// So an angle may make any number of turns. The drive exerts -lambda along the coordinate: on b,
// the torque of a hinge's motor. All derivatives are those of s_k, which the class of the joint has
// from adc, and of the function of time.
#include "items/curve.h"
#include "items/frame.h"
#include "items/item.h"
#include "math/turns.h"

#define DIRECTIONS 12

typedef struct JointMotion {
    CdJointCoordinate of;
    CdFunction motion;
} JointMotion;

static const CdField fields[] = {
    CDI_COORDINATE_ROWS(JointMotion),
    CD_FIELD(JointMotion, motion, FUNCTION, "*", NULL, "", "value of the coordinate, in rad or m"),
};

static double deviation(const JointMotion *p, double t, double s) {
    const double c = s - curve_value(&p->motion, t);
    return cdi_coordinate_is_angle(&p->of) ? remainder(c, CD_TWO_PI) : c;
}

static void value(const void *data, double t, const CdFrame *a, const CdFrame *b, double *c) {
    const JointMotion *p = data;
    double s[CD_JOINT_NREL_MAX];
    p->of.law->coordinates(p->of.p, a, b, s);
    c[0] = deviation(p, t, s[p->of.index]);
}

static void jac(const void *data, double t, const CdFrame *a, const CdFrame *b, double *c,
                double *J) {
    const JointMotion *p = data;
    double s[CD_JOINT_NREL_MAX], all[CD_JOINT_NREL_MAX * DIRECTIONS];
    p->of.law->rel_jac(p->of.p, a, b, s, all);
    c[0] = deviation(p, t, s[p->of.index]);
    for (int i = 0; i < DIRECTIONS; i++) J[i] = all[DIRECTIONS * p->of.index + i];
}

static void vel(const void *data, double t, const CdFrame *a, const CdFrame *b, const double *v,
                double *cv) {
    const JointMotion *p = data;
    double sdot[CD_JOINT_NREL_MAX];
    p->of.law->rates(p->of.p, a, b, v, sdot);
    cv[0] = sdot[p->of.index] - curve_slope(&p->motion, t);
}

static void acc(const void *data, double t, const CdFrame *a, const CdFrame *b, const double *v,
                double *gamma) {
    const JointMotion *p = data;
    double all[CD_JOINT_NREL_MAX];
    p->of.law->rel_acc(p->of.p, a, b, v, all);
    gamma[0] = all[p->of.index] - curve_bend(&p->motion, t);
}

static void react(const void *data, double t, const CdFrame *a, const CdFrame *b,
                  const double *lambda, double *w) {
    const JointMotion *p = data;
    double all[CD_JOINT_NREL_MAX] = {0};
    all[p->of.index] = lambda[0];
    p->of.law->rel_react(p->of.p, a, b, all, w);
}

static void react_jac(const void *data, double t, const CdFrame *a, const CdFrame *b,
                      const double *lambda, double *w, double *K) {
    const JointMotion *p = data;
    double all[CD_JOINT_NREL_MAX] = {0};
    all[p->of.index] = lambda[0];
    p->of.law->rel_react_jac(p->of.p, a, b, all, w, K);
}

static void vel_jac(const void *data, double t, const CdFrame *a, const CdFrame *b, const double *v,
                    double *cv, double *J) {
    const JointMotion *p = data;
    double sdot[CD_JOINT_NREL_MAX], all[CD_JOINT_NREL_MAX * 2 * DIRECTIONS];
    p->of.law->rel_vel_jac(p->of.p, a, b, v, sdot, all);
    cv[0] = sdot[p->of.index] - curve_slope(&p->motion, t);
    for (int i = 0; i < 2 * DIRECTIONS; i++) J[i] = all[2 * DIRECTIONS * p->of.index + i];
}

static const CdJointCoordinate *follows(const void *data, const CdFunction **motion) {
    const JointMotion *p = data;
    *motion = &p->motion;
    return &p->of;
}

static const CdJointLaw law = {.nc = 1,
                               .value = value,
                               .jac = jac,
                               .vel = vel,
                               .acc = acc,
                               .react = react,
                               .react_jac = react_jac,
                               .vel_jac = vel_jac,
                               .follows = follows};

static const CdSymbolPart look[] = {
    {0, CD_TUBE, 2, {0.8, 0.25, 0.65}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_joint_motion = {
    .desc = {.name = "JointMotion",
             .doc = "Drive: a coordinate of a joint follows a function of time",
             .size = sizeof(JointMotion),
             CD_FIELDS(fields),
             .example = "{\"class\": \"JointMotion\", \"name\": \"motor\", \"joint\": \"hinge\", "
                        "\"coordinate\": \"angle\", \"motion\": \"3*t^2\"}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
