// body_rigid.c - rigid body in space
//
//   q = (p_WC_W, quat_wxyz),  v = (v_WC_W, w_WB_B)        C: centre of mass, B: axes of the body
//   M = diag(m I, J),   gyro = (0; -w x J w)
//
// The user's body frame is at -com from C, with the same axes. Positions and velocities in the
// fields are those of the body frame; angular_velocity is in world axes. A shape stands in the body
// frame as it is; where mass, com or inertia are given too, these are the body's, and the inertia
// of the shape is that of its solid at the given mass, with its centre at com.
#include <string.h>

#include "geom/shape.h"
#include "items/frame.h"
#include "items/lanes.h"
#include "math/dense.h"

// flat bodies are on the limit, and their data are rounded
#define TRIANGLE_TOLERANCE 1e-6
// a moment less than this part of the largest is zero but for rounding
#define MOMENT_TOLERANCE 1e-12
#define EIG_WORK 37 // cdi_eig_work(3)

typedef struct RigidBody {
    double position[3], orientation[4];
    double velocity[3], angular_velocity[3];
    double mass, com[3], inertia[9];
    double inertia_at[3], inertia_axes[4];
    CdVariant shape;
    double J[9]; // about the centre of mass, in body axes
} RigidBody;

#define FIELD(...) CD_FIELD(RigidBody, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(position, VEC3, "m", "[0, 0, 0]", "", "origin of the body frame"),
    FIELD(orientation, QUATERNION, "1", "[1, 0, 0, 0]", "", "rotation of the body frame"),
    FIELD(velocity, VEC3, "m/s", "[0, 0, 0]", "", "of the origin of the body frame"),
    FIELD(angular_velocity, VEC3, "rad/s", "[0, 0, 0]", "", "in world axes"),
    FIELD(mass, REAL, "kg", "0", "[0, inf)",
          "mass; if it is not given, that of the shape at its density"),
    FIELD(com, VEC3, "m", "[0, 0, 0]", "",
          "centre of mass in the body frame; if it is not given, that of the shape"),
    FIELD(inertia, MAT3, "kg*m^2", "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]", "",
          "inertia tensor; if it is not given, that of the shape"),
    FIELD(inertia_at, VEC3, "m", "[0, 0, 0]", "",
          "point of the body frame that the inertia is about; the centre of mass if not given"),
    FIELD(inertia_axes, QUATERNION, "1", "[1, 0, 0, 0]", "",
          "rotation, seen from the body frame, of the axes of the inertia"),
    FIELD(shape, VARIANT, "", "null", "", "solid that mass properties are taken from",
          .variants = cdi_shape_classes),
};

// kernel
typedef struct RigidInertia {
    double mass, J[9];
} RigidInertia;

// adc: value = value(f)
// adc: lanes(value)
static void rigid_frame(const RigidInertia *p, const double q[7], double f[12]) {
    copy3(q, &f[0]);
    quat_to_mat(&q[3], &f[3]);
}

// M v' - gyro - weight
// adc: value = value(r)
// adc: lanes(value)
static void rigid_residual(const RigidInertia *p, const double gravity[3], const double v[6],
                           const double vdot[6], double r[6]) {
    double Jw[3], gyroscopic[3], rate[3];
    mul3v(p->J, &v[3], Jw);
    cross3(&v[3], Jw, gyroscopic);
    mul3v(p->J, &vdot[3], rate);
    for (int i = 0; i < 3; i++) {
        r[i] = p->mass * (vdot[i] - gravity[i]);
        r[3 + i] = rate[i] + gyroscopic[i];
    }
}

// adc: jac = jacobian(m; w)
// adc: lanes(jac)
static void rigid_gyro(const RigidInertia *p, const double w[3], double m[3]) {
    double Jw[3];
    mul3v(p->J, w, Jw);
    cross3(Jw, w, m);
}
// end kernel
#include "body_rigid.adc.h"

// ---- mass properties

// J_C = A J A^T - m (|d|^2 I - d d^T),  d from C to the point that J is about
static void move_inertia(RigidBody *b, bool at_com) {
    double A[9], AJ[9], d[3];
    quat_to_mat(b->inertia_axes, A);
    mul33(A, b->inertia, AJ);
    mul33t(AJ, A, b->J);
    if (at_com) return;
    sub3(b->inertia_at, b->com, d);
    const double d2 = dot3(d, d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) b->J[3 * i + j] -= b->mass * ((i == j) * d2 - d[i] * d[j]);
    }
}

// off the diagonal, what is mirrored
static CdStatus check_symmetry(CdReader *r, const RigidBody *b) {
    static const char *const axes[] = {"x", "y", "z"};
    CdStatus status = CD_OK;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            const double x = b->inertia[3 * j + i], y = b->inertia[3 * i + j];
            if (x == y) continue;
            status = cdi_reject_field(r, "inertia", "must be symmetric; %s%s is %g and %s%s is %g",
                                      axes[j], axes[i], x, axes[i], axes[j], y);
        }
    }
    return status;
}

// no solid has other moments: all positive, and none larger than the sum of the others
static CdStatus check_moments(CdReader *r, const RigidBody *b) {
    double A[9], m[3], work[EIG_WORK];
    copy33(b->J, A);
    if (cdi_eig_own(3, A, 3, m, work) != CD_OK) {
        return cdi_reject_field(r, "inertia", "has no principal moments; it is too large");
    }
    if (!(m[0] > MOMENT_TOLERANCE * m[2])) {
        return cdi_reject_field(
            r, "inertia",
            "must be positive about every axis through the centre of mass; its principal moments "
            "there are %g, %g and %g kg m^2",
            m[0], m[1], m[2]);
    }
    if (m[0] + m[1] >= m[2] * (1 - TRIANGLE_TOLERANCE)) return CD_OK;
    return cdi_reject_field(
        r, "inertia",
        "no body has it: of its principal moments about the centre of mass, %g, %g and %g kg m^2, "
        "the largest exceeds the sum of the others",
        m[0], m[1], m[2]);
}

static CdStatus check_given(CdReader *r, const RigidBody *b, bool mass, bool inertia) {
    CdStatus status = CD_OK;
    if (!b->shape.desc && !mass) {
        status = cdi_reject_field(r, "mass", "is missing; give it, or a shape with its density");
    }
    if (!b->shape.desc && !inertia) {
        status = cdi_reject_field(r, "inertia", "is missing; give it, or a shape");
    }
    if (mass && !(b->mass > 0)) status = cdi_reject_field(r, "mass", "must be above 0 kg, not 0");
    if (inertia && !mass && b->shape.desc) {
        status = cdi_reject_field(r, "inertia", "is given without mass; give both, or none");
    }
    for (int k = 0; !inertia && k < 2; k++) {
        const char *const field = k == 0 ? "inertia_at" : "inertia_axes";
        if (!cdi_given(r, field)) continue;
        status = cdi_reject_field(r, field, "is given without inertia; leave it out");
    }
    if (inertia) CD_COLLECT(status, check_symmetry(r, b));
    return status;
}

static void take_shape(RigidBody *b, bool mass, bool com) {
    double m, c[3], J[9];
    cdi_shape_mass(b->shape.desc, b->shape.data, &m, c, J);
    scale33(mass ? b->mass / m : 1, J, b->J);
    if (!mass) b->mass = m;
    if (!com) copy3(c, b->com);
}

static CdStatus finish(CdReader *r, void *data) {
    RigidBody *b = data;
    const bool mass = cdi_given(r, "mass"), inertia = cdi_given(r, "inertia");
    CD_TRY(check_given(r, b, mass, inertia));
    if (!inertia) {
        take_shape(b, mass, cdi_given(r, "com"));
        return CD_OK;
    }
    move_inertia(b, !cdi_given(r, "inertia_at"));
    return check_moments(r, b);
}

// ---- state

static void start(const void *p, double *q, double *v) {
    const RigidBody *b = p;
    double R[9], c[3], wc[3];
    quat_to_mat(b->orientation, R);
    mul3v(R, b->com, c);
    cross3(b->angular_velocity, c, wc);
    add3(b->position, c, q);
    memcpy(q + 3, b->orientation, sizeof b->orientation);
    add3(b->velocity, wc, v);
    tmul3v(R, b->angular_velocity, v + 3);
}

#define NQ 7
#define NV 6

static void kinematics(int n, const double *q, const double *v, double *qdot) {
    for (; n > 0; n--, q += NQ, v += NV, qdot += NQ) {
        copy3(v, qdot);
        quat_rate(q + 3, v + 3, qdot + 3);
    }
}

static void tangent(int n, const double *q, const double *dq, double *delta) {
    for (; n > 0; n--, q += NQ, dq += NQ, delta += NV) {
        copy3(dq, delta);
        quat_spin(q + 3, dq + 3, delta + 3);
    }
}

static void retract(int n, const double *q, const double *delta, double *out) {
    for (; n > 0; n--, q += NQ, delta += NV, out += NQ) {
        double e[4], r[4];
        quat_exp(delta + 3, e);
        quat_mul(q + 3, e, r);
        for (int i = 0; i < 3; i++) out[i] = q[i] + delta[i];
        memcpy(out + 3, r, sizeof r);
    }
}

static void difference(int n, const double *q1, const double *q0, double *delta) {
    for (; n > 0; n--, q1 += NQ, q0 += NQ, delta += NV) {
        double c[4], r[4];
        quat_conj(q0 + 3, c);
        quat_mul(c, q1 + 3, r);
        sub3(q1, q0, delta);
        quat_log(r, delta + 3);
    }
}

static void normalise(int n, double *q) {
    for (; n > 0; n--, q += NQ) {
        double r[4];
        quat_unit(q + 3, r);
        memcpy(q + 3, r, sizeof r);
    }
}

// ---- law

static void frame(const void *p, const double *q, CdFrame *f) {
    double x[12];
    rigid_frame(NULL, q, x);
    copy3(x, f->p);
    copy33(x + 3, f->R);
}

static void jacobian(const void *p, double *J) {
    (void)p;
    for (int i = 0; i < 36; i++) J[i] = i % 7 == 0;
}

static void user_frame(const void *p, CdFrame *x) {
    scale3(-1, ((const RigidBody *)p)->com, x->p);
    eye33(x->R);
}

static void mass(const void *p, double *M) {
    const RigidBody *b = p;
    for (int i = 0; i < 36; i++) M[i] = 0;
    for (int i = 0; i < 3; i++) {
        M[7 * i] = b->mass;
        for (int j = 0; j < 3; j++) M[6 * (3 + i) + 3 + j] = b->J[3 * i + j];
    }
}

static double weight(const void *p) {
    return ((const RigidBody *)p)->mass;
}

static RigidInertia inertia_of(const void *p) {
    RigidInertia in = {.mass = weight(p)};
    copy33(((const RigidBody *)p)->J, in.J);
    return in;
}

static void gyro(const void *p, const double *v, double *f) {
    const RigidInertia in = inertia_of(p);
    zero3(f);
    rigid_gyro(&in, v + 3, f + 3);
}

static void residual(const void *p, const double gravity[3], const double *v, const double *vdot,
                     double *r) {
    const RigidInertia in = inertia_of(p);
    rigid_residual(&in, gravity, v, vdot, r);
}

static void gyro_jac(const void *p, const double *v, double *f, double *J) {
    const RigidInertia in = inertia_of(p);
    double A[9];
    zero3(f);
    rigid_gyro_jac(&in, v + 3, f + 3, A);
    for (int i = 0; i < 36; i++) J[i] = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) J[6 * (3 + i) + 3 + j] = A[3 * i + j];
    }
}

static void cells(const void *p, double *out) {
    const RigidInertia in = inertia_of(p);
    rigid_residual_p_cells(&in, out);
}

static const CdBodyLanes lanes = {.np = rigid_residual_p_N,
                                  .cells = cells,
                                  .frame = rigid_frame_value_lanes,
                                  .residual = rigid_residual_value_lanes,
                                  .gyro_jac = rigid_gyro_jac_lanes};
_Static_assert((int)rigid_gyro_p_N == (int)rigid_residual_p_N, "kernels of a tile read its cells");

static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};

static const CdBodyLaw law = {
    .nq = NQ,
    .nv = NV,
    .names = names,
    .start = start,
    .kinematics = kinematics,
    .tangent = tangent,
    .retract = retract,
    .difference = difference,
    .normalise = normalise,
    .rotation = 3,
    .frame = frame,
    .jacobian = jacobian,
    .user_frame = user_frame,
    .mass = mass,
    .weight = weight,
    .gyro = gyro,
    .gyro_jac = gyro_jac,
    .residual = residual,
    .lanes = &lanes,
};

const CdItemClass cd_body_rigid = {
    .desc = {.name = "RigidBody",
             .doc = "Rigid body that moves in space",
             .size = sizeof(RigidBody),
             CD_FIELDS(fields),
             .finish = finish,
             .example = "{\"class\": \"RigidBody\", \"name\": \"link\", \"position\": [0.5, 0, 0], "
                        "\"shape\": {\"class\": \"Cuboid\", \"size\": [1, 0.1, 0.1]}}"},
    .category = CD_BODY,
    .body = &law,
};
