// item.h - the contract of items: a class is a table of fields and a law, in one file
//
// Items are mathematics only. Bodies own coordinates and carry a reference frame; markers are
// frames at a constant place on a body; joints, connectors, loads and sensors see frames and
// twists (frame.h), 6 directions each, and know neither bodies nor coordinates. Assembly (system/)
// chains frames to coordinates. Functions named in a law are plain kernels: they cannot fail, bad
// numbers become NaN. A parameter `p` is the struct of the class.
#ifndef CARDAN_ITEMS_ITEM_H
#define CARDAN_ITEMS_ITEM_H

#include "desc/desc.h"
#include "desc/function.h"
#include "desc/reader.h"
#include "items/frame.h"
#include "items/symbol.h"

typedef enum CdCategory {
    CD_BODY,
    CD_MARKER,
    CD_JOINT,
    CD_CONNECTOR,
    CD_LOAD,
    CD_SENSOR,
    CD_NCATEGORIES
} CdCategory;
extern const char *const cdi_category_names[]; // "body", ...: also the targets of references

#define CD_BODY_NV_MAX 6
#define CD_JOINT_NC_MAX 6
#define CD_JOINT_NREL_MAX 6
#define CD_FORCE_NOUT_MAX 16
#define CD_CHANNEL_NAME_MAX 64

typedef struct CdItemClass CdItemClass;
typedef struct CdJointCoordinate CdJointCoordinate;
// laws of eight items at a time (lanes.h)
typedef struct CdBodyLanes CdBodyLanes;
typedef struct CdJointLanes CdJointLanes;
typedef struct CdForceLanes CdForceLanes;

// ---- bodies
//
//   q' = Z v,   frame(q),   twist = J v,   M v' = gyro(q, v) + ...
typedef struct CdBodyLaw {
    int nq, nv;
    const char *const *names; // of the velocities, nv: "x", "rz"; for channels and messages
    // the state that the fields ask for
    void (*start)(const void *p, double *q, double *v);
    // manifold, of n bodies in a row; all NULL where q' = v
    void (*kinematics)(int n, const double *q, const double *v, double *qdot);
    void (*tangent)(int n, const double *q, const double *dq, double *delta);
    void (*retract)(int n, const double *q, const double *delta, double *out);
    void (*difference)(int n, const double *q1, const double *q0, double *delta);
    void (*normalise)(int n, double *q);
    int rotation; // first of the three velocities that retract turns by, R exp(delta)
    // reference frame, and J (6 x nv by rows), constant for every class so far
    void (*frame)(const void *p, const double *q, CdFrame *f);
    void (*jacobian)(const void *p, double *J);
    // the user's body frame as seen from the reference frame
    void (*user_frame)(const void *p, CdFrame *x);
    // M (nv x nv by rows), constant in these velocities; mass; gyroscopic forces and their
    // derivative to v (nv x nv by rows), NULL: none
    void (*mass)(const void *p, double *M);
    double (*weight)(const void *p); // mass that gravity acts on, at the reference frame's origin
    void (*gyro)(const void *p, const double *v, double *f);
    void (*gyro_jac)(const void *p, const double *v, double *f, double *J);
    // M v' - gyro - weight, all at once; bodies without velocities have none
    void (*residual)(const void *p, const double gravity[3], const double *v, const double *vdot,
                     double *r);
    const CdBodyLanes *lanes; // NULL: none
} CdBodyLaw;

// ---- joints: c(t, a, b) = 0, marker b relative to marker a, in axes of a
//
// Everything but `value` is derived by adc. v is (twist of a, twist of b), 12 numbers; matrices
// by rows over these 12 directions.
typedef struct CdJointLaw {
    int nc; // rows of the kernel
    // those that are in force, their number returned; NULL: all
    int (*rows)(const void *p, int rows[CD_JOINT_NC_MAX]);
    void (*value)(const void *p, double t, const CdFrame *a, const CdFrame *b, double *c);
    void (*jac)(const void *p, double t, const CdFrame *a, const CdFrame *b, double *c, double *J);
    // J v + c_t, and the terms gamma of J v' + gamma
    void (*vel)(const void *p, double t, const CdFrame *a, const CdFrame *b, const double *v,
                double *cv);
    void (*acc)(const void *p, double t, const CdFrame *a, const CdFrame *b, const double *v,
                double *gamma);
    // J^T lambda (12), and its derivative to the frames (12 x 12)
    void (*react)(const void *p, double t, const CdFrame *a, const CdFrame *b, const double *lambda,
                  double *w);
    void (*react_jac)(const void *p, double t, const CdFrame *a, const CdFrame *b,
                      const double *lambda, double *w, double *K);
    // derivative of vel to frames and v (nc x 24)
    void (*vel_jac)(const void *p, double t, const CdFrame *a, const CdFrame *b, const double *v,
                    double *cv, double *J);
    const CdJointLanes *lanes; // NULL: none
    // c = s_k - motion(t), s_k a relative coordinate of another joint, angles modulo 2 pi: whose,
    // and the function. NULL: c is something else
    const CdJointCoordinate *(*follows)(const void *p, const CdFunction **motion);
    // given by bodies, the axis is x of the markers, and z of the world theirs
    bool axis_in_plane;
    // relative face: pose of b in a at relative coordinates s (NULL: not a lower pair), and s of
    // two frames (angles within (-pi, pi], made continuous by whoever keeps their history)
    int nrel;
    const char *const *rel_names, *const *rel_units; // nrel; "rad" marks angles
    // may coordinate k change? Those that may not are 0 in `relative`. NULL: all may
    bool (*is_free)(const void *p, int k);
    void (*relative)(const void *p, const double *s, CdFrame *x);
    void (*coordinates)(const void *p, const CdFrame *a, const CdFrame *b, double *s);
    void (*rates)(const void *p, const CdFrame *a, const CdFrame *b, const double *v, double *sdot);
    // of s what is above of c
    void (*rel_jac)(const void *p, const CdFrame *a, const CdFrame *b, double *s, double *J);
    void (*rel_acc)(const void *p, const CdFrame *a, const CdFrame *b, const double *v,
                    double *gamma);
    void (*rel_react)(const void *p, const CdFrame *a, const CdFrame *b, const double *lambda,
                      double *w);
    void (*rel_react_jac)(const void *p, const CdFrame *a, const CdFrame *b, const double *lambda,
                          double *w, double *K);
    void (*rel_vel_jac)(const void *p, const CdFrame *a, const CdFrame *b, const double *v,
                        double *sdot, double *J);
    const CdJointLanes *rel_lanes; // of s; NULL: none
} CdJointLaw;

// ---- connectors (two markers) and loads (one): generalised forces w along the directions
// of the frames
typedef struct CdForceInput {
    double t;
    const CdFrame *a, *b; // b NULL with one marker
    const double *v;      // twists in a row
    const double *memory; // nmemory numbers of the item; they change at accepted steps only
} CdForceInput;
typedef struct CdForceLaw {
    int nmarkers;     // 1 or 2
    bool of_velocity; // w depends on twists
    // w: 6 nmarkers
    void (*value)(const void *p, const CdForceInput *in, double *w);
    // and its derivative to the directions of the frames, then to v: 6n x 12n by rows
    void (*jac)(const void *p, const CdForceInput *in, double *w, double *J);
    // derivative of w to the value of the one function that may read sensors (6n); NULL: w is
    // affine in the values of all such functions
    void (*of_function)(const void *p, const CdForceInput *in, double *D);
    // history: 0 at the start; what is kept of an accepted step
    int nmemory;
    void (*remember)(const void *p, const CdForceInput *in, double *memory);
    // I of a kinetic energy I (z . (w_b - w_a))^2/2, w in axes of the markers; NULL: none
    double (*inertia)(const void *p);
    // outputs for channels: deformation, force...; NULL: none
    int nout;
    const char *const *out_names, *const *out_units;
    void (*outputs)(const void *p, const CdForceInput *in, double *out);
    // and their derivatives to the directions of both frames, then to v: rows of 24. NULL: unknown
    void (*outputs_jac)(const void *p, const CdForceInput *in, double *out, double *J);
    // as of_function, of the outputs
    void (*outputs_of_function)(const void *p, const CdForceInput *in, double *D);
    // stored energy; NULL: none or unknown
    double (*energy)(const void *p, const CdForceInput *in);
    const CdForceLanes *lanes; // NULL: none
} CdForceLaw;

// ---- laws on single coordinates: s and s' of coordinate markers

// a force that is a line in x = s_b - s_a: F = force + stiffness (x - length) + damping x', F on a
// and -F on b. On one coordinate: x = s_a, and -F on a
typedef struct CdCoordinateLine {
    double force, length, stiffness, damping;
} CdCoordinateLine;

typedef struct CdCoordinateLaw {
    int nmarkers; // 1 or 2; -1: a list, as long as the item says
    // connector or load: force on every coordinate, and its derivatives to s and s' (n x 2n; NULL:
    // not wanted); of several items with n coordinates each, one after another
    void (*force)(int items, const void *const *p, double t, int n, const double *s,
                  const double *sdot, double *f, double *J);
    // the same force as a line, at all times; NULL or false: it is none
    bool (*line)(const void *p, CdCoordinateLine *line);
    // joint: c = sum k_i s_i - offset(t); k, and the function returned
    const CdFunction *(*coupling)(const void *p, const double **k);
    // as in CdForceLaw
    int nout;
    const char *const *out_names, *const *out_units;
    void (*outputs)(const void *p, double t, int n, const double *s, const double *sdot,
                    double *out);
    // and their derivatives to s and s' (nout x 2n); NULL: unknown
    void (*outputs_jac)(const void *p, double t, int n, const double *s, const double *sdot,
                        double *out, double *J);
    double (*energy)(const void *p, double t, int n, const double *s);
} CdCoordinateLaw;

// ---- sensors: numbers from the state. `source` is the class of the joint or connector that the
// sensor looks at, NULL for the others.
typedef enum CdSensorOf {
    CD_OF_MARKER,
    CD_OF_JOINT,
    CD_OF_CONNECTOR,
    CD_OF_SYSTEM,
    CD_OF_SENSORS
} CdSensorOf;
typedef struct CdSensorInput {
    double t;
    // of a marker
    const CdFrame *frame;
    const double *twist; // v, w
    double accel[6];     // their rates: v' in world axes, w' in the frame's own
    // of a joint: relative coordinates and their rates; force and moment that it exerts on b, at
    // marker b, in axes of a; of one on coordinates: first the force along its sum
    double coordinates[CD_JOINT_NREL_MAX], rates[CD_JOINT_NREL_MAX], wrench[6];
    const double *outputs; // of a connector: those of its law
    // derivatives of the three, for jac: to the directions of both frames, then to the twists, rows
    // of 24 numbers
    const double *coordinates_jac, *rates_jac, *outputs_jac;
    // of the system: kinetic, of gravity, elastic; linear and angular about the world's origin
    double energy[3], momentum[6];
    // of a joint or of all: largest violation at position, velocity and acceleration level
    double residual[3];
} CdSensorInput;
typedef struct CdSensorLaw {
    CdSensorOf of;
    // why the source will not do, as the end of a message; NULL: it will
    const char *(*refuse)(const void *p, const CdItemClass *source);
    int (*size)(const void *p, const CdItemClass *source); // numbers per sample
    // written to `name`: components of vectors, coordinates of joints, outputs of connectors
    void (*name)(const void *p, const CdItemClass *source, int k, char name[CD_CHANNEL_NAME_MAX]);
    const char *(*unit)(const void *p, const CdItemClass *source, int k);
    void (*eval)(const void *p, const CdItemClass *source, const CdSensorInput *in, double *out);
    bool (*reactions)(const void *p); // are the numbers reactions of a joint? NULL: no
    // of the same numbers, where they are angles (unit rad) that go on from turn to turn: whoever
    // keeps their history finds the turn by it. Not finite: unknown. NULL: none are angles.
    void (*rates)(const void *p, const CdItemClass *source, const CdSensorInput *in, double *out);
    // do the numbers follow from frames and twists alone, so that forces may read them? NULL: no
    bool (*at_once)(const void *p, const CdItemClass *source);
    // then: their derivatives to the directions of the frames, then to the twists, by rows: 2 x 6
    // of a marker, 2 x 12 of a joint or connector
    void (*jac)(const void *p, const CdItemClass *source, const CdSensorInput *in, double *J);
    // of other sensors: is the value of the last accepted step what others see, and the one before
    // the first step?
    bool (*delayed)(const void *p, double *start);
} CdSensorLaw;

struct CdItemClass {
    CdDesc desc; // .example: a whole item, shown in the manual and run by the tests
    CdCategory category;
    const CdBodyLaw *body;
    const CdJointLaw *joint;
    const CdForceLaw *force;
    const CdCoordinateLaw *coordinate;
    const CdSensorLaw *sensor;
    const double *(*gravity)(const void *p); // loads that act on all masses: acceleration
    const CdSymbol *symbol;                  // joints, connectors, loads; NULL: a neutral one
};

extern const CdItemClass *const cd_item_classes[];   // NULL-terminated, order of items.def
const CdItemClass *cdi_item_class(const char *name); // NULL if there is none

// may relative coordinate k of a joint change?
bool cdi_joint_is_free(const CdJointLaw *law, const void *p, int k);
// relative coordinates as `relative` takes them: those that may not change are 0
void cdi_joint_coordinates(const CdJointLaw *law, const void *p, const CdFrame *a, const CdFrame *b,
                           double *s);

// ---- what classes of a category share: first member of their struct, first rows of their table

// a joint or connector acts between marker_a and marker_b; or between two bodies, at a point and
// along an axis of the world at the start: the model then makes the two markers itself, with z
// along the axis
typedef struct CdPair {
    CdRef marker_a, marker_b;
    CdRef body_a, body_b;
    double at[3], axis[3], across[3];
} CdPair;

#define CDI_PAIR_ROW(T, member, type_, unit_, def_, range_, ...)                               \
    {                                                                                          \
        .name = #member, .type = CD_TYPE_##type_, .unit = unit_, .def = def_, .range = range_, \
        .offset = offsetof(T, pair.member), .size = sizeof(((T *)0)->pair.member),             \
        .doc = __VA_ARGS__                                                                     \
    }
#define CDI_PAIR_ROWS(T)                                                                     \
    CDI_PAIR_ROW(T, marker_a, REF, "", "null", "", "first marker", .target = "marker"),      \
        CDI_PAIR_ROW(T, marker_b, REF, "", "null", "", "second marker", .target = "marker"), \
        CDI_PAIR_ROW(T, body_a, REF, "", "null", "", "first body, in place of markers",      \
                     .target = "body"),                                                      \
        CDI_PAIR_ROW(T, body_b, REF, "", "null", "", "second body, in place of markers",     \
                     .target = "body"),                                                      \
        CDI_PAIR_ROW(T, at, VEC3, "m", "[0, 0, 0]", "", "with bodies: point in the world"),  \
        CDI_PAIR_ROW(T, axis, VEC3, "1", "[0, 0, 1]", "",                                    \
                     "with bodies: axis in the world, "                                      \
                     "that of the markers' z",                                               \
                     .nonzero = true),                                                       \
        CDI_PAIR_ROW(T, across, VEC3, "1", "[0, 0, 0]", "",                                  \
                     "with bodies: direction in the world that the markers' x is nearest "   \
                     "to; zero: an axis of the world")

// relative coordinates and rates that a joint asks for at the start: the model moves bodies so
typedef struct CdJointStart {
    CdList start, start_rate; // of double; those left out are as the fields of the bodies say
} CdJointStart;

#define CDI_START_ROW(T, member, count_, doc_)                                             \
    {                                                                                      \
        .name = #member, .type = CD_TYPE_REAL, .unit = "*", .def = "[]", .range = "",      \
        .offset = offsetof(T, at_start.member), .size = sizeof(((T *)0)->at_start.member), \
        .doc = doc_, .list = true, .count = count_                                         \
    }
// count: "[0, nrel]"
#define CDI_START_ROWS(T, count_)                                                           \
    CDI_START_ROW(T, start, count_, "relative coordinates at the start; bodies are moved"), \
        CDI_START_ROW(T, start_rate, count_, "rates of the relative coordinates at the start")

// fill a CdJointLaw from kernel `k`, derived with
//   // adc: joint(c; a, b, t = 1)
// in static functions that take `const void *`
#define CDI_JOINT_KERNELS(k)                                                                       \
    static void value_(const void *p, double t, const CdFrame *a, const CdFrame *b, double *c) {   \
        k(p, t, a, b, c);                                                                          \
    }                                                                                              \
    static void jac_(const void *p, double t, const CdFrame *a, const CdFrame *b, double *c,       \
                     double *J) {                                                                  \
        k##_jac(p, t, a, b, c, J);                                                                 \
    }                                                                                              \
    static void vel_(const void *p, double t, const CdFrame *a, const CdFrame *b, const double *v, \
                     double *cv) {                                                                 \
        k##_vel(p, t, a, b, v, cv);                                                                \
    }                                                                                              \
    static void acc_(const void *p, double t, const CdFrame *a, const CdFrame *b, const double *v, \
                     double *gamma) {                                                              \
        k##_acc(p, t, a, b, v, gamma);                                                             \
    }                                                                                              \
    static void react_(const void *p, double t, const CdFrame *a, const CdFrame *b,                \
                       const double *lambda, double *w) {                                          \
        k##_react(p, t, a, b, lambda, w);                                                          \
    }                                                                                              \
    static void react_jac_(const void *p, double t, const CdFrame *a, const CdFrame *b,            \
                           const double *lambda, double *w, double *K) {                           \
        k##_react_jac(p, t, a, b, lambda, w, K);                                                   \
    }                                                                                              \
    static void vel_jac_(const void *p, double t, const CdFrame *a, const CdFrame *b,              \
                         const double *v, double *cv, double *J) {                                 \
        k##_vel_jac(p, t, a, b, v, cv, J);                                                         \
    }
#define CDI_JOINT_LAW                                                        \
    .value = value_, .jac = jac_, .vel = vel_, .acc = acc_, .react = react_, \
    .react_jac = react_jac_, .vel_jac = vel_jac_

// the same for the relative coordinates of kernel `k`, derived with
//   // adc: joint(s; a, b)
#define CDI_JOINT_COORDINATES(k)                                                                 \
    static void coordinates_(const void *p, const CdFrame *a, const CdFrame *b, double *s) {     \
        k(p, a, b, s);                                                                           \
    }                                                                                            \
    static void rates_(const void *p, const CdFrame *a, const CdFrame *b, const double *v,       \
                       double *sdot) {                                                           \
        k##_vel(p, a, b, v, sdot);                                                               \
    }                                                                                            \
    static void rel_jac_(const void *p, const CdFrame *a, const CdFrame *b, double *s,           \
                         double *J) {                                                            \
        k##_jac(p, a, b, s, J);                                                                  \
    }                                                                                            \
    static void rel_acc_(const void *p, const CdFrame *a, const CdFrame *b, const double *v,     \
                         double *gamma) {                                                        \
        k##_acc(p, a, b, v, gamma);                                                              \
    }                                                                                            \
    static void rel_react_(const void *p, const CdFrame *a, const CdFrame *b,                    \
                           const double *lambda, double *w) {                                    \
        k##_react(p, a, b, lambda, w);                                                           \
    }                                                                                            \
    static void rel_react_jac_(const void *p, const CdFrame *a, const CdFrame *b,                \
                               const double *lambda, double *w, double *K) {                     \
        k##_react_jac(p, a, b, lambda, w, K);                                                    \
    }                                                                                            \
    static void rel_vel_jac_(const void *p, const CdFrame *a, const CdFrame *b, const double *v, \
                             double *sdot, double *J) {                                          \
        k##_vel_jac(p, a, b, v, sdot, J);                                                        \
    }
#define CDI_JOINT_RELATIVE                                                                  \
    .coordinates = coordinates_, .rates = rates_, .rel_jac = rel_jac_, .rel_acc = rel_acc_, \
    .rel_react = rel_react_, .rel_react_jac = rel_react_jac_, .rel_vel_jac = rel_vel_jac_

// an item that acts on one relative coordinate of a joint: first member of its struct, first rows
// of its table. The model finds the joint, whose markers become those of the item.
struct CdJointCoordinate {
    CdRef joint;
    char *coordinate;
    const CdJointLaw *law; // of the joint, its struct, and the number of the coordinate
    const void *p;
    int index;
};
// is it an angle?
static inline bool cdi_coordinate_is_angle(const CdJointCoordinate *of) {
    return of->law->rel_units[of->index][0] == 'r';
}

#define CDI_COORDINATE_ROWS(T)                                                                \
    {.name = "joint",                                                                         \
     .type = CD_TYPE_REF,                                                                     \
     .unit = "",                                                                              \
     .range = "",                                                                             \
     .offset = offsetof(T, of.joint),                                                         \
     .size = sizeof(((T *)0)->of.joint),                                                      \
     .doc = "joint whose coordinate it is",                                                   \
     .target = "joint"},                                                                      \
    {                                                                                         \
        .name = "coordinate", .type = CD_TYPE_STRING, .unit = "", .def = "\"\"", .range = "", \
        .offset = offsetof(T, of.coordinate), .size = sizeof(((T *)0)->of.coordinate),        \
        .doc = "name of the coordinate: angle, position ...; may be left out if there is one" \
    }

#endif
