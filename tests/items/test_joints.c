// test_joints.c - every joint of the registry: derivatives against differences, power of reactions,
// frame indifference, agreement of its two faces
#include <math.h>
#include <string.h>

#include "model/model.h"
#include "test.h"

#define MAX_TEXT 8192
#define N 12 // directions of two frames
#define SAMPLES 5
#define STEP 1e-5
#define TWO_PI 6.28318530717958647693

// ---- a joint of a class, with a drive for each of its free coordinates

typedef struct Variant {
    const char *cls, *fields;
    unsigned free; // bits of coordinates
} Variant;

enum { X = 1, Y = 2, Z = 4, RX = 8, RY = 16, RZ = 32, ALL = 63 };
static const Variant variants[] = {
    {"DistanceJoint", ", \"length\": 0.7", 0},
    {"GenericJoint", "", 0},
    {"GenericJoint", ", \"x\": false, \"z\": false", X | Z},
    {"GenericJoint", ", \"rx\": false", RX},
    {"GenericJoint", ", \"y\": false, \"ry\": false", Y | RY},
    {"GenericJoint", ", \"rz\": false", RZ},
    {"GenericJoint", ", \"rx\": false, \"ry\": false", RX | RY},
    {"GenericJoint", ", \"rx\": false, \"rz\": false", RX | RZ},
    {"GenericJoint", ", \"z\": false, \"ry\": false, \"rz\": false", Z | RY | RZ},
    {"GenericJoint", ", \"rx\": false, \"ry\": false, \"rz\": false", RX | RY | RZ},
};

static void write_model(const CdItemClass *cls, const Variant *variant, char *text, size_t size) {
    size_t n = (size_t)snprintf(
        text, size,
        "{\"cardan\": 1, \"items\": ["
        "{\"class\": \"RigidBody\", \"name\": \"one\", \"shape\": {\"class\": \"Sphere\", "
        "\"radius\": 1}},"
        "{\"class\": \"RigidBody\", \"name\": \"two\", \"shape\": {\"class\": \"Sphere\", "
        "\"radius\": 1}},"
        "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"one\"},"
        "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"two\"},"
        "{\"class\": \"%s\", \"name\": \"j\", \"marker_a\": \"a\", \"marker_b\": \"b\"%s}",
        cls->desc.name, variant->fields);
    for (int k = 0; k < cls->joint->nrel; k++) {
        if (!(variant->free >> k & 1)) continue;
        n += (size_t)snprintf(text + n, size - n,
                              ", {\"class\": \"JointMotion\", \"name\": \"drive%d\", \"joint\": "
                              "\"j\", \"coordinate\": \"%s\", \"motion\": "
                              "\"0.3 + 2*t - 0.5*t^2 + sin(3*t)\"}",
                              k, cls->joint->rel_names[k]);
    }
    snprintf(text + n, size - n, "]}");
}

typedef struct Joint {
    const char *name;
    const CdJointLaw *law;
    const void *p;
} Joint;

typedef void Check(const Joint *joint, TestRandom *r);

// the check for the joint and its drives
static void check_variant(const CdItemClass *cls, const Variant *variant, Check *check) {
    TestLog log;
    CdModel *model;
    char text[MAX_TEXT];
    TestRandom r = {11};
    test_log_open(&log);
    write_model(cls, variant, text, sizeof text);
    if (CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), cls->desc.name, &model))) {
        for (size_t k = 0; k < model->of[CD_JOINT].n; k++) {
            const CdItem *item = model->of[CD_JOINT].v[k];
            const Joint joint = {cls->desc.name, item->cls->joint, item->data};
            for (int i = 0; i < SAMPLES; i++) check(&joint, &r);
        }
        cdi_model_free(model);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static void check_class(const CdItemClass *cls, Check *check) {
    static const Variant plain = {NULL, "", ALL};
    bool any = false;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        if (strcmp(variants[i].cls, cls->desc.name) != 0) continue;
        check_variant(cls, &variants[i], check);
        any = true;
    }
    if (!any) check_variant(cls, &plain, check);
}

static int check_all(Check *check) {
    int n = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if (!(*cls)->joint || !cdi_desc_field(&(*cls)->desc, "marker_a")) continue;
        check_class(*cls, check);
        n++;
    }
    return n;
}

// ---- frames

static void random_numbers(TestRandom *r, int n, double *x) {
    for (int i = 0; i < n; i++) x[i] = test_random(r, -1, 1);
}

static void random_frame(TestRandom *r, CdFrame *f) {
    double direction[3], turn[3];
    random_numbers(r, 3, f->p);
    random_numbers(r, 3, direction);
    scale3(2, direction, turn);
    so3_exp(turn, f->R);
}

static void compose(const CdFrame *a, const CdFrame *x, CdFrame *out) {
    double d[3];
    mul3v(a->R, x->p, d);
    add3(a->p, d, out->p);
    mul33(a->R, x->R, out->R);
}

// both frames moved by s d
static void move(const CdFrame f[2], double s, const double d[N], CdFrame out[2]) {
    double step[N];
    for (int i = 0; i < N; i++) step[i] = s * d[i];
    frame_move(&f[0], step, &out[0]);
    frame_move(&f[1], step + 6, &out[1]);
}

static void unit_direction(int i, double d[N]) {
    memset(d, 0, N * sizeof *d);
    d[i] = 1;
}

static bool near_all(const Joint *j, const char *what, int n, const double *got,
                     const double *expected, double tol) {
    double worst = 0;
    for (int i = 0; i < n; i++) {
        const double e = fabs(got[i] - expected[i]) / (1 + fabs(expected[i]));
        worst = !(e <= worst) ? e : worst;
    }
    if (CHECK_NEAR(worst, 0, tol)) return true;
    printf("  %s of %s\n", what, j->name);
    return false;
}

// ---- derivatives

// a function of joint, time, frames and twists, n numbers
typedef void Value(const Joint *j, double t, const CdFrame f[2], const double *x, double *out);

static void value_of(const Joint *j, double t, const CdFrame f[2], const double *x, double *out) {
    (void)x;
    j->law->value(j->p, t, &f[0], &f[1], out);
}

static void vel_of(const Joint *j, double t, const CdFrame f[2], const double *x, double *out) {
    j->law->vel(j->p, t, &f[0], &f[1], x, out);
}

static void react_of(const Joint *j, double t, const CdFrame f[2], const double *x, double *out) {
    j->law->react(j->p, t, &f[0], &f[1], x, out);
}

// central difference along the motion of frames by d, and of time at rate dt
static void difference(const Joint *j, Value *of, double t, const CdFrame f[2], const double *x,
                       double dt, const double d[N], int n, double *out) {
    CdFrame moved[2];
    double lo[N], hi[N];
    move(f, -STEP, d, moved);
    of(j, t - STEP * dt, moved, x, lo);
    move(f, STEP, d, moved);
    of(j, t + STEP * dt, moved, x, hi);
    for (int i = 0; i < n; i++) out[i] = (hi[i] - lo[i]) / (2 * STEP);
}

// by columns of frames, into a matrix with rows ld apart
static void jacobian(const Joint *j, Value *of, double t, const CdFrame f[2], const double *x,
                     int n, int ld, double *out) {
    for (int k = 0; k < N; k++) {
        double d[N], column[N];
        unit_direction(k, d);
        difference(j, of, t, f, x, 0, d, n, column);
        for (int i = 0; i < n; i++) out[i * ld + k] = column[i];
    }
}

static void derivatives(const Joint *j, TestRandom *r) {
    CdFrame f[2];
    double v[N], c[N], c2[N], J[CD_JOINT_NC_MAX * N], D[CD_JOINT_NC_MAX * 2 * N];
    const int nc = j->law->nc;
    const double t = test_random(r, 0, 1);
    random_frame(r, &f[0]);
    random_frame(r, &f[1]);
    random_numbers(r, N, v);
    value_of(j, t, f, NULL, c);
    j->law->jac(j->p, t, &f[0], &f[1], c2, J);
    near_all(j, "value", nc, c2, c, 1e-14);
    jacobian(j, value_of, t, f, NULL, nc, N, D);
    near_all(j, "jac", nc * N, J, D, 1e-7);
    vel_of(j, t, f, v, c);
    difference(j, value_of, t, f, NULL, 1, v, nc, c2);
    near_all(j, "vel", nc, c, c2, 1e-7);
    j->law->acc(j->p, t, &f[0], &f[1], v, c);
    difference(j, vel_of, t, f, v, 1, v, nc, c2);
    near_all(j, "acc", nc, c, c2, 1e-7);
}

static void second_derivatives(const Joint *j, TestRandom *r) {
    CdFrame f[2];
    double v[N], lambda[CD_JOINT_NC_MAX], w[N], c[N], cv[N];
    double J[CD_JOINT_NC_MAX * 2 * N], D[CD_JOINT_NC_MAX * 2 * N], K[N * N], KD[N * N];
    const int nc = j->law->nc;
    const double t = test_random(r, 0, 1);
    random_frame(r, &f[0]);
    random_frame(r, &f[1]);
    random_numbers(r, N, v);
    random_numbers(r, nc, lambda);
    j->law->react_jac(j->p, t, &f[0], &f[1], lambda, w, K);
    jacobian(j, react_of, t, f, lambda, N, N, KD);
    near_all(j, "react_jac", N * N, K, KD, 1e-7);
    j->law->jac(j->p, t, &f[0], &f[1], c, J);
    for (int k = 0; k < N; k++) {
        cv[k] = 0;
        for (int i = 0; i < nc; i++) cv[k] += lambda[i] * J[i * N + k];
    }
    near_all(j, "react_jac's value", N, w, cv, 1e-13);
    react_of(j, t, f, lambda, w);
    near_all(j, "react", N, w, cv, 1e-13);
    // columns of frames by differences; those of twists are J
    jacobian(j, vel_of, t, f, v, nc, 2 * N, D);
    for (int i = 0; i < nc; i++) memcpy(&D[(2 * i + 1) * N], &J[i * N], N * sizeof *D);
    vel_of(j, t, f, v, c);
    j->law->vel_jac(j->p, t, &f[0], &f[1], v, cv, J);
    near_all(j, "vel_jac's value", nc, cv, c, 1e-13);
    near_all(j, "vel_jac", nc * 2 * N, J, D, 1e-8);
}

TEST(first_derivatives_equal_differences) {
    CHECK(check_all(derivatives) >= 11);
}

TEST(second_derivatives_equal_differences) {
    CHECK(check_all(second_derivatives) >= 11);
}

// ---- power and balance

// w.v = lambda.(J v): with J v = 0 the reactions do no work
static void power(const Joint *j, TestRandom *r) {
    const double still[N] = {0};
    CdFrame f[2];
    double v[N], lambda[CD_JOINT_NC_MAX], w[N], moving[N], resting[N], work = 0, expected = 0;
    const double t = test_random(r, 0, 1);
    random_frame(r, &f[0]);
    random_frame(r, &f[1]);
    random_numbers(r, N, v);
    random_numbers(r, j->law->nc, lambda);
    react_of(j, t, f, lambda, w);
    vel_of(j, t, f, v, moving);
    vel_of(j, t, f, still, resting);
    for (int i = 0; i < N; i++) work += w[i] * v[i];
    for (int i = 0; i < j->law->nc; i++) expected += lambda[i] * (moving[i] - resting[i]);
    near_all(j, "power", 1, &work, &expected, 1e-13);
}

// force and moment about the world's origin of both markers cancel
static void balance(const Joint *j, TestRandom *r) {
    const double none[6] = {0};
    CdFrame f[2];
    double lambda[CD_JOINT_NC_MAX], w[N], sum[6] = {0};
    const double t = test_random(r, 0, 1);
    random_frame(r, &f[0]);
    random_frame(r, &f[1]);
    random_numbers(r, j->law->nc, lambda);
    react_of(j, t, f, lambda, w);
    for (int k = 0; k < 2; k++) {
        double m[3], arm[3];
        mul3v(f[k].R, &w[6 * k + 3], m);
        cross3(f[k].p, &w[6 * k], arm);
        for (int i = 0; i < 3; i++) sum[i] += w[6 * k + i];
        for (int i = 0; i < 3; i++) sum[3 + i] += m[i] + arm[i];
    }
    near_all(j, "balance", 6, sum, none, 1e-13);
}

TEST(reactions_do_no_work_on_motions_that_the_joint_allows) {
    CHECK(check_all(power) >= 11);
}

TEST(action_equals_reaction) {
    CHECK(check_all(balance) >= 11);
}

// ---- frame indifference: both frames moved as one

static void indifference(const Joint *j, TestRandom *r) {
    CdFrame f[2], moved[2], x;
    double lambda[CD_JOINT_NC_MAX], c[N], c2[N], w[N], w2[N], turned[N];
    const double t = test_random(r, 0, 1);
    random_frame(r, &x);
    for (int k = 0; k < 2; k++) {
        random_frame(r, &f[k]);
        compose(&x, &f[k], &moved[k]);
    }
    random_numbers(r, j->law->nc, lambda);
    value_of(j, t, f, NULL, c);
    value_of(j, t, moved, NULL, c2);
    near_all(j, "indifference", j->law->nc, c2, c, 1e-13);
    react_of(j, t, f, lambda, w);
    react_of(j, t, moved, lambda, w2);
    memcpy(turned, w, sizeof turned);
    mul3v(x.R, &w[0], &turned[0]);
    mul3v(x.R, &w[6], &turned[6]);
    near_all(j, "turned reactions", N, w2, turned, 1e-12);
}

TEST(a_common_motion_of_both_frames_changes_nothing) {
    CHECK(check_all(indifference) >= 11);
}

// ---- relative coordinates, free or not

// along a motion they change as their rates and their Jacobian say
static void coordinate_rates(const Joint *j, TestRandom *r) {
    CdFrame f[2], moved[2];
    double v[N], s[CD_JOINT_NREL_MAX], lo[CD_JOINT_NREL_MAX], hi[CD_JOINT_NREL_MAX],
        J[CD_JOINT_NREL_MAX * N];
    if (!j->law->coordinates) return;
    random_frame(r, &f[0]);
    random_frame(r, &f[1]);
    random_numbers(r, N, v);
    move(f, -STEP, v, moved);
    j->law->coordinates(j->p, &moved[0], &moved[1], lo);
    move(f, STEP, v, moved);
    j->law->coordinates(j->p, &moved[0], &moved[1], hi);
    for (int k = 0; k < j->law->nrel; k++) hi[k] = (hi[k] - lo[k]) / (2 * STEP);
    j->law->rates(j->p, &f[0], &f[1], v, s);
    near_all(j, "rates of coordinates", j->law->nrel, s, hi, 1e-7);
    j->law->rel_jac(j->p, &f[0], &f[1], s, J);
    for (int k = 0; k < j->law->nrel; k++) {
        s[k] = 0;
        for (int i = 0; i < N; i++) s[k] += J[k * N + i] * v[i];
    }
    near_all(j, "derivatives of coordinates", j->law->nrel, s, hi, 1e-7);
}

TEST(coordinates_change_at_their_rates) {
    CHECK(check_all(coordinate_rates) >= 11);
}

// ---- two faces

static bool is_angle(const CdJointLaw *law, int k) {
    return strcmp(law->rel_units[k], "rad") == 0;
}

// rows of the kernel that are in force
static int rows_of(const Joint *j, int rows[CD_JOINT_NC_MAX]) {
    for (int i = 0; i < j->law->nc; i++) rows[i] = i;
    return j->law->rows ? j->law->rows(j->p, rows) : j->law->nc;
}

// twist of b when coordinate k grows
static void allowed_motion(const Joint *j, const CdFrame *a, const double *s, int k,
                           const CdFrame *b, double d[6]) {
    double at[CD_JOINT_NREL_MAX], E[2][9], turn[2][3];
    CdFrame x, moved[2];
    for (int side = 0; side < 2; side++) {
        memcpy(at, s, (size_t)j->law->nrel * sizeof *at);
        at[k] += side == 0 ? -STEP : STEP;
        j->law->relative(j->p, at, &x);
        compose(a, &x, &moved[side]);
        tmul33(b->R, moved[side].R, E[side]);
        so3_log(E[side], turn[side]);
    }
    for (int i = 0; i < 3; i++) {
        d[i] = (moved[1].p[i] - moved[0].p[i]) / (2 * STEP);
        d[3 + i] = (turn[1][i] - turn[0][i]) / (2 * STEP);
    }
}

// with unit steps of every coordinate: constraints do not change, coordinates do as they should;
// that the second matrix is the identity also says that the motions are independent
static void check_motions(const Joint *j, const CdFrame f[2], const double *s) {
    const int n = j->law->nrel;
    double c[N], J[CD_JOINT_NC_MAX * N], S[CD_JOINT_NREL_MAX * N];
    int rows[CD_JOINT_NC_MAX];
    const int nc = rows_of(j, rows);
    if (n == 0) return;
    j->law->jac(j->p, 0, &f[0], &f[1], c, J);
    j->law->rel_jac(j->p, &f[0], &f[1], c, S);
    for (int k = 0; k < n; k++) {
        double v[N] = {0}, cv[N], sdot[N], none[N] = {0}, e[N] = {0};
        if (!cdi_joint_is_free(j->law, j->p, k)) continue;
        allowed_motion(j, &f[0], s, k, &f[1], v + 6);
        for (int i = 0; i < nc; i++) {
            cv[i] = 0;
            for (int l = 6; l < N; l++) cv[i] += J[rows[i] * N + l] * v[l];
        }
        near_all(j, "allowed motion", nc, cv, none, 1e-8);
        j->law->rates(j->p, &f[0], &f[1], v, sdot);
        e[k] = 1;
        near_all(j, "rates", n, sdot, e, 1e-8);
        for (int i = 0; i < n; i++) {
            sdot[i] = 0;
            for (int l = 6; l < N; l++) sdot[i] += S[i * N + l] * v[l];
        }
        near_all(j, "rel_jac", n, sdot, e, 1e-8);
    }
}

static void faces(const Joint *j, TestRandom *r) {
    const double none[N] = {0};
    CdFrame f[2], x;
    double s[CD_JOINT_NREL_MAX] = {0}, s2[CD_JOINT_NREL_MAX], all[N], c[N] = {0};
    int rows[CD_JOINT_NC_MAX], nfree = 0;
    if (!j->law->relative) return;
    const int nc = rows_of(j, rows), nrel = j->law->nrel;
    random_frame(r, &f[0]);
    for (int k = 0; k < nrel; k++) nfree += cdi_joint_is_free(j->law, j->p, k);
    // of three, Cardan angles are found within 90 degrees of the second
    bool ball = nrel >= 3;
    for (int k = nrel - 3; ball && k < nrel; k++) {
        ball = is_angle(j->law, k) && cdi_joint_is_free(j->law, j->p, k);
    }
    for (int k = 0; k < nrel; k++) {
        if (!cdi_joint_is_free(j->law, j->p, k)) continue;
        s[k] = test_random(r, -1, 1) * (ball && k == nrel - 2 ? 1.5 : 3);
    }
    j->law->relative(j->p, s, &x);
    compose(&f[0], &x, &f[1]);
    value_of(j, 0, f, NULL, all);
    for (int i = 0; i < nc; i++) c[i] = all[rows[i]];
    near_all(j, "residual of the relative face", nc, c, none, 1e-13);
    if (nrel > 0) j->law->coordinates(j->p, &f[0], &f[1], s2);
    for (int k = 0; k < j->law->nrel; k++) {
        const double d = s2[k] - s[k];
        CHECK_NEAR(is_angle(j->law, k) ? remainder(d, TWO_PI) : d, 0, 1e-13);
    }
    const bool plane =
        strncmp(j->name, "PlanarRev", 9) == 0 || strncmp(j->name, "PlanarPri", 9) == 0;
    CHECK_INT(nc + nfree, plane ? 3 : 6);
    check_motions(j, f, s);
}

TEST(both_faces_of_a_joint_agree) {
    CHECK(check_all(faces) >= 11);
}

// ---- rows and drives

TEST(a_generic_joint_fixes_the_rows_that_are_asked_for) {
    static const char *const text =
        "{\"cardan\": 1, \"items\": [{\"class\": \"RigidBody\", \"name\": \"link\", \"shape\": "
        "{\"class\": \"Sphere\", \"radius\": 1}}, {\"class\": \"GenericJoint\", \"name\": \"j\", "
        "\"body_b\": \"link\", \"y\": false, \"rz\": false}]}";
    TestLog log;
    CdModel *model;
    int rows[CD_JOINT_NC_MAX];
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x", &model));
    const CdItem *item = cdi_model_find(model, "j");
    CHECK_INT(item->cls->joint->rows(item->data, rows), 4);
    CHECK(rows[0] == 0 && rows[1] == 2 && rows[2] == 3 && rows[3] == 4);
    cdi_model_free(model);
    test_log_close(&log);
}

// rows of a generic joint that fixes these rotations, their values and derivatives to rotations of
// b, when b is turned by `first` and then by `second`
static int generic_rows(const char *fields, const double first[3], const double second[3],
                        double c[3], double J[9]) {
    char text[1024];
    TestLog log;
    CdModel *model;
    CdFrame a, b;
    double R[2][9], all[6], D[6 * N];
    int rows[CD_JOINT_NC_MAX];
    test_log_open(&log);
    snprintf(text, sizeof text,
             "{\"cardan\": 1, \"items\": [{\"class\": \"RigidBody\", \"name\": \"link\", "
             "\"shape\": {\"class\": \"Sphere\", \"radius\": 1}}, {\"class\": \"GenericJoint\", "
             "\"name\": \"j\", \"body_b\": \"link\", \"x\": false, \"y\": false, \"z\": false%s}]}",
             fields);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x", &model));
    const CdItem *item = cdi_model_find(model, "j");
    zero3(a.p);
    eye33(a.R);
    so3_exp(first, R[0]);
    so3_exp(second, R[1]);
    zero3(b.p);
    mul33(R[0], R[1], b.R);
    item->cls->joint->jac(item->data, 0, &a, &b, all, D);
    const int n = item->cls->joint->rows(item->data, rows);
    for (int i = 0; i < n; i++) {
        c[i] = all[rows[i]];
        copy3(&D[rows[i] * N + 9], &J[3 * i]);
    }
    cdi_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
    return n;
}

// as a hinge about any axis, and as a Cardan joint, it holds at any angle
TEST(a_generic_joint_does_not_degenerate) {
    static const char *const hinges[] = {", \"rx\": false", ", \"ry\": false", ", \"rz\": false"};
    static const char *const cardans[] = {", \"ry\": false, \"rz\": false",
                                          ", \"rx\": false, \"rz\": false",
                                          ", \"rx\": false, \"ry\": false"};
    const double none[3] = {0}, angles[] = {0, 0.5, 1, TWO_PI / 4, 2, 3, -TWO_PI / 4};
    for (int k = 0; k < 21; k++) {
        const double angle = angles[k / 3];
        double turn[3] = {0}, then[3] = {0}, c[3], J[9], x[3];
        turn[k % 3] = angle;
        CHECK_INT(generic_rows(hinges[k % 3], turn, none, c, J), 2);
        CHECK_NEAR(fabs(c[0]) + fabs(c[1]), 0, 1e-15);
        cross3(J, J + 3, x);
        CHECK_NEAR(norm3(x), 1, 1e-14);
        // free: the lower of the other two axes, of a, then the higher, of b
        turn[k % 3] = 0;
        turn[k % 3 == 0 ? 1 : 0] = angle;
        then[k % 3 == 2 ? 1 : 2] = TWO_PI / 4;
        CHECK_INT(generic_rows(cardans[k % 3], turn, then, c, J), 1);
        CHECK_NEAR(c[0], 0, 1e-15);
        CHECK_NEAR(norm3(J), 1, 1e-14);
    }
}

static double drive_residual(const char *motion, double angle, double t) {
    char text[1024];
    TestLog log;
    CdModel *model;
    CdFrame a, b;
    double c;
    test_log_open(&log);
    snprintf(text, sizeof text,
             "{\"cardan\": 1, \"items\": [{\"class\": \"JointMotion\", \"name\": \"m\", \"joint\": "
             "\"j\", \"motion\": \"%s\"}, {\"class\": \"RigidBody\", \"name\": \"link\", "
             "\"shape\": {\"class\": \"Sphere\", \"radius\": 1}}, {\"class\": \"RevoluteJoint\", "
             "\"name\": \"j\", \"body_b\": \"link\"}]}",
             motion);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x", &model));
    const CdItem *item = cdi_model_find(model, "m");
    zero3(a.p);
    eye33(a.R);
    zero3(b.p);
    rot_z(angle, b.R);
    item->cls->joint->value(item->data, t, &a, &b, &c);
    cdi_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
    return c;
}

// a drive may stand before its joint, and turn any number of times in both directions
TEST(a_driven_angle_counts_turns) {
    CHECK_NEAR(drive_residual("100*t", 0.1, 1), 0.1 - 100 + 16 * TWO_PI, 1e-13);
    CHECK_NEAR(drive_residual("-100*t", 0.1, 1), 0.1 + 100 - 16 * TWO_PI, 1e-13);
    CHECK_NEAR(drive_residual("1e6*t", 1e6, 1), 0, 1e-9);
    CHECK_NEAR(drive_residual("30 deg", 0.5, 1), 0.5 - TWO_PI / 12, 1e-15);
}

static void refuse(const char *item, const char *message) {
    char text[2048];
    TestLog log;
    CdModel *model;
    test_log_open(&log);
    snprintf(text, sizeof text,
             "{\"cardan\": 1, \"items\": [\n"
             "{\"class\": \"RigidBody\", \"name\": \"link\", \"shape\": {\"class\": \"Sphere\", "
             "\"radius\": 1}},\n"
             "{\"class\": \"Marker\", \"name\": \"tip\", \"body\": \"link\"},\n"
             "{\"class\": \"CoordinateMarker\", \"name\": \"x\", \"body\": \"link\", "
             "\"coordinate\": \"x\"},\n"
             "{\"class\": \"FixedJoint\", \"name\": \"weld\", \"body_b\": \"link\"},\n"
             "{\"class\": \"CylindricalJoint\", \"name\": \"sleeve\", \"body_b\": \"link\"},\n"
             "%s]}",
             item);
    CHECK_INT(cdi_model_read_text(log.ctx, text, strlen(text), "m.json", &model), CD_INVALID);
    CHECK_TEXT(log.text, message);
    cdi_model_free(model);
    test_log_close(&log);
}

TEST(mistakes_of_joints_are_told) {
    refuse("{\"class\": \"JointMotion\", \"name\": \"m\", \"joint\": \"weld\", \"motion\": 1}",
           "m.json:7:48: JointMotion 'm': field 'joint': must have free coordinates; FixedJoint "
           "'weld' "
           "has none\n");
    refuse(
        "{\"class\": \"JointMotion\", \"name\": \"m\", \"joint\": \"m\", \"motion\": 1}",
        "m.json:7:48: JointMotion 'm': field 'joint': must have free coordinates; JointMotion 'm' "
        "has none\n");
    refuse("{\"class\": \"JointMotion\", \"name\": \"m\", \"joint\": \"sleeve\", \"motion\": 1}",
           "m.json:7:48: JointMotion 'm': field 'joint': CylindricalJoint 'sleeve' has several "
           "coordinates; choose one of position, angle\n");
    refuse("{\"class\": \"JointMotion\", \"name\": \"m\", \"joint\": \"sleeve\", \"coordinate\": "
           "\"angel\", \"motion\": 1}",
           "m.json:7:72: JointMotion 'm': field 'coordinate': CylindricalJoint 'sleeve' has no "
           "free coordinate 'angel'; it has position, angle\n");
    refuse("{\"class\": \"DistanceJoint\", \"name\": \"d\", \"body_b\": \"link\", \"length\": 1},"
           "{\"class\": \"JointMotion\", \"name\": \"m\", \"joint\": \"d\", \"motion\": 1}",
           "m.json:7:119: JointMotion 'm': field 'joint': must have free coordinates; "
           "DistanceJoint 'd' has none\n");
    refuse("{\"class\": \"GenericJoint\", \"name\": \"d\", \"body_b\": \"link\", \"y\": false, "
           "\"rz\": false}, {\"class\": \"JointMotion\", \"name\": \"m\", \"joint\": \"d\", "
           "\"coordinate\": \"x\", \"motion\": 1}",
           "m.json:7:150: JointMotion 'm': field 'coordinate': GenericJoint 'd' has no free "
           "coordinate 'x'; it has y, rz\n");
    refuse(
        "{\"class\": \"GenericJoint\", \"name\": \"d\", \"body_b\": \"link\", \"y\": false, "
        "\"start\": [0, 1, 2], \"start_rate\": [0, 1, 0, 3]}",
        "m.json:7:79: GenericJoint 'd': field 'start': z is fixed; it must be 0, not 2\n"
        "m.json:7:104: GenericJoint 'd': field 'start_rate': rx is fixed; it must be 0, not 3\n");
    refuse("{\"class\": \"PlanarPrismaticJoint\", \"name\": \"p\", \"body_b\": \"link\"}",
           "m.json:7:1: PlanarPrismaticJoint 'p': field 'axis': must lie in the plane x, y; its z "
           "is 1; give a direction such as [1, 0, 0]\n");
    refuse("{\"class\": \"CoordinateCoupling\", \"name\": \"c\", \"markers\": [\"x\"], "
           "\"factors\": [1, 0]}",
           "m.json:7:75: CoordinateCoupling 'c': field 'factors': there must be one for each of 1 "
           "markers, not 2\n"
           "m.json:7:75: CoordinateCoupling 'c': field 'factors': must not be 0; leave out marker "
           "2\n");
    refuse("{\"class\": \"CoordinateCoupling\", \"name\": \"c\", \"markers\": [\"tip\"], "
           "\"factors\": [1]}",
           "m.json:7:1: CoordinateCoupling 'c': 'tip' must be a coordinate marker\n");
    refuse("{\"class\": \"CoordinateMarker\", \"name\": \"c\", \"body\": \"link\", \"coordinate\": "
           "\"rz\"}",
           "m.json:7:74: CoordinateMarker 'c': field 'coordinate': body 'link' has no coordinate "
           "'rz'; it has x, y, z\n");
    refuse(
        "{\"class\": \"CoordinateMarker\", \"name\": \"c\", \"body\": \"ground\", \"coordinate\": "
        "\"x\"}",
        "m.json:7:76: CoordinateMarker 'c': field 'coordinate': body 'ground' has no coordinate "
        "'x'; it has none\n");
    refuse("{\"class\": \"DistanceJoint\", \"name\": \"d\", \"body_b\": \"link\", \"length\": 0}",
           "m.json:7:69: DistanceJoint 'd': field 'length': must be above 0 m, not 0\n");
    refuse("{\"class\": \"RevoluteJoint\", \"name\": \"d\", \"body_b\": \"link\", \"axis\": "
           "[0, 0, 0]}",
           "m.json:7:67: RevoluteJoint 'd': field 'axis': must not be zero; give a direction such "
           "as [0, 0, 1]\n");
}

int main(void) {
    RUN(first_derivatives_equal_differences);
    RUN(second_derivatives_equal_differences);
    RUN(reactions_do_no_work_on_motions_that_the_joint_allows);
    RUN(action_equals_reaction);
    RUN(a_common_motion_of_both_frames_changes_nothing);
    RUN(coordinates_change_at_their_rates);
    RUN(both_faces_of_a_joint_agree);
    RUN(a_generic_joint_fixes_the_rows_that_are_asked_for);
    RUN(a_generic_joint_does_not_degenerate);
    RUN(a_driven_angle_counts_turns);
    RUN(mistakes_of_joints_are_told);
    return test_end();
}
