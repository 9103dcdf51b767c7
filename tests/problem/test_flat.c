// test_flat.c - any problem as one vector: forms, refusals, rates, residuals, accepted states
#include <float.h>

#include "problem/flat_problems.h"

// ---- forms

static const char *path_of(const CdProblem *user, bool explicit_form, CdForm form) {
    Flat x;
    if (!flat_open(&x, user, explicit_form, form)) return "refused";
    const char *path = x.f->path; // a literal
    flat_close(&x);
    return path;
}

TEST(the_path_says_what_was_done) {
    Cart none = {0, 0}, held = {1, 1}, rolling = {0, 1};
    const CdProblem ode = flat_ode(), regular = flat_leading(flat_regular), x = flat_with_x(),
                    implicit = flat_implicit(), unconstrained = flat_cart(&none, true, false),
                    cart = flat_cart(&held, true, false), skate = flat_cart(&rolling, false, false);
    CHECK_TEXT(path_of(&ode, true, CD_FORM_AUTO), "ode");
    CHECK_TEXT(path_of(&ode, false, CD_INDEX3), "ode -> implicit");
    CHECK_TEXT(path_of(&regular, true, CD_FORM_AUTO), "B y' = f -> ode");
    CHECK_TEXT(path_of(&x, false, CD_FORM_AUTO), "B y' = f -> implicit");
    CHECK_TEXT(path_of(&implicit, false, CD_FORM_AUTO), "implicit");
    CHECK_TEXT(path_of(&unconstrained, true, CD_FORM_AUTO), "mechanical -> ode");
    CHECK_TEXT(path_of(&unconstrained, false, CD_GGL), "mechanical -> implicit");
    CHECK_TEXT(path_of(&cart, true, CD_FORM_AUTO), "mechanical, index 1 -> ode");
    CHECK_TEXT(path_of(&cart, true, CD_INDEX1), "mechanical, index 1 -> ode");
    CHECK_TEXT(path_of(&cart, false, CD_FORM_AUTO), "mechanical, stabilised index 2 -> implicit");
    CHECK_TEXT(path_of(&cart, false, CD_GGL), "mechanical, stabilised index 2 -> implicit");
    CHECK_TEXT(path_of(&cart, false, CD_INDEX3), "mechanical, index 3 -> implicit");
    CHECK_TEXT(path_of(&cart, false, CD_INDEX2), "mechanical, index 2 -> implicit");
    CHECK_TEXT(path_of(&cart, false, CD_INDEX1), "mechanical, index 1 -> implicit");
    // without g there is nothing to stabilise
    CHECK_TEXT(path_of(&skate, false, CD_FORM_AUTO), "mechanical, index 2 -> implicit");
    CHECK_TEXT(path_of(&skate, false, CD_INDEX3), "mechanical, index 2 -> implicit");
}

static void refused(const CdProblem *user, CdForm form, const char *message) {
    TestLog log;
    CdiProblem *p;
    CdiFlat *f;
    test_log_open(&log);
    CHECK_OK(cdi_problem_new(log.ctx, user, NULL, &p));
    CHECK_INT(cdi_flat_new(p, &(CdFlatSetup){.explicit_form = true, .form = form}, &f), CD_INVALID);
    CHECK(f == NULL);
    CHECK_TEXT(log.text, message);
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(what_has_no_explicit_form_is_refused) {
    // dependent but for rounding
    static const double weak[4] = {0.1, 0.3, 0.1 * 3, 0.3 * 3};
    Cart held = {1, 0};
    const CdProblem implicit = flat_implicit(), x = flat_with_x(), cart = flat_cart(&held, 0, 0),
                    singular = flat_leading(flat_singular), nearly = flat_leading(weak);
    refused(&implicit, CD_FORM_AUTO,
            "problem 'implicit': F(t, y, y') = 0 has no explicit form; use an implicit method such "
            "as radau5 or ida\n");
    refused(&x, CD_FORM_AUTO,
            "problem 'algebraic': 1 algebraic unknown x has no rate; use an implicit method such "
            "as radau5 or ida\n");
    refused(&singular, CD_FORM_AUTO,
            "problem 'leading': B of B y' = phi is singular (no pivot for y[1]), so there is no "
            "explicit form; use an implicit method such as radau5 or ida\n");
    refused(&nearly, CD_FORM_AUTO,
            "problem 'leading': B of B y' = phi is singular (no pivot for y[1]), so there is no "
            "explicit form; use an implicit method such as radau5 or ida\n");
    refused(&cart, CD_GGL,
            "problem 'cart': an explicit method cannot take its constraints in form 'ggl'; use "
            "form 'index1' or an implicit method such as radau5 or ida\n");
}

// digits of index, and '-' for unknowns without derivative
static void described(const CdProblem *user, bool explicit_form, CdForm form, const char *index,
                      const char *kinds) {
    Flat x;
    char got[64] = "", differential[64] = "";
    if (!flat_open(&x, user, explicit_form, form)) return;
    for (int i = 0; i < x.f->n; i++) {
        got[i] = (char)('0' + x.f->index[i]);
        differential[i] = x.f->differential[i] ? 'd' : '-';
    }
    CHECK_TEXT(got, index);
    CHECK_TEXT(differential, kinds);
    flat_close(&x);
}

TEST(unknowns_have_index_and_kind) {
    Cart c = {2, 1};
    const CdProblem cart = flat_cart(&c, true, true), simple = flat_cart(&c, true, false),
                    implicit = flat_implicit(), singular = flat_leading(flat_singular),
                    x = flat_with_x();
    //                                    q   v  y x  lambda mu
    described(&cart, false, CD_INDEX1, "11111111111111", "dddddddddd----");
    described(&cart, false, CD_INDEX2, "11111111111222", "dddddddddd----");
    described(&cart, false, CD_INDEX3, "11112222111332", "dddddddddd----");
    described(&cart, false, CD_GGL, "1111111111122222", "dddddddddd------");
    described(&simple, true, CD_INDEX1, "1111111111", "dddddddddd");
    described(&implicit, false, CD_FORM_AUTO, "112", "ddd");
    described(&singular, false, CD_FORM_AUTO, "11", "d-");
    described(&x, false, CD_FORM_AUTO, "111", "dd-");
}

// ---- rates and residuals

TEST(the_rate_of_an_ode_is_the_users) {
    Flat x;
    const CdProblem ode = flat_ode();
    const double Y[2] = {0.4, -0.7};
    double dY[2], expected[2];
    if (!flat_open(&x, &ode, true, CD_FORM_AUTO)) return;
    CHECK_OK(cdi_flat_rate(x.f, 0.2, Y, dY));
    flat_oscillator(NULL, &(CdPoint){.t = 0.2, .y = (double *)Y}, expected);
    CHECK_BITS(dY[0], expected[0]);
    CHECK_BITS(dY[1], expected[1]);
    CHECK_INT(x.p->counts.evaluations, 1);
    flat_close(&x);
}

// Y of every form at one state, its F is 0 there
#define UNKNOWNS 40

static void solution(Flat *x, CdPoint *at) {
    TestRandom r = {7};
    at->t = 0.3;
    for (int i = 0; i < x->p->nq; i++) at->q[i] = test_random(&r, 0.3, 1.2);
    for (int i = 0; i < x->p->nv; i++) at->v[i] = test_random(&r, -1, 1);
    for (int i = 0; i < x->p->ny; i++) at->y[i] = test_random(&r, -1, 1);
    cdi_normalise(x->p, at->q);
    if (x->p->ng > 0) CHECK_OK(cdi_project_position(x->p, at));
    if (x->p->nc > 0) CHECK_OK(cdi_project_velocity(x->p, at));
    CHECK_OK(cdi_accelerations(x->p, at));
}

static void holds(const CdProblem *user, CdForm form) {
    Flat x;
    CdPoint at;
    double Y[UNKNOWNS], dY[UNKNOWNS], R[UNKNOWNS];
    if (!flat_open(&x, user, false, form)) return;
    CHECK_OK(cdi_point_take(x.p, &x.f->arena, &at));
    solution(&x, &at);
    cdi_flat_pack(x.f, &at, Y, dY);
    CHECK_OK(cdi_flat_residual(x.f, at.t, Y, dY, R));
    for (int i = 0; i < x.f->n; i++) CHECK_NEAR(R[i], 0, 1e-10);
    // every row sees an unknown that is wrong
    for (int i = 0; i < x.f->n; i++) {
        Y[i] += 0.1;
        dY[i] -= x.f->differential[i] ? 0.07 : 0;
    }
    CHECK_OK(cdi_flat_residual(x.f, at.t, Y, dY, R));
    for (int i = 0; i < x.f->n; i++) CHECK(fabs(R[i]) > 1e-4);
    flat_close(&x);
}

TEST(solutions_fulfil_every_form) {
    Cart none = {0, 0};
    const CdProblem ode = flat_ode(), leading = flat_leading(flat_regular),
                    simple = flat_cart(&none, true, false), top = flat_top(true);
    holds(&ode, CD_FORM_AUTO);
    holds(&leading, CD_FORM_AUTO);
    holds(&simple, CD_FORM_AUTO);
    for (CdForm form = CD_INDEX1; form <= CD_GGL; form++) {
        for (int nn = 0; nn < 2; nn++) {
            Cart c = {2 - nn, nn};
            const CdProblem cart = flat_cart(&c, true, false);
            holds(&cart, form);
        }
        holds(&top, form);
    }
}

// q' = Z (v - G^T mu), by hand for one constraint
TEST(mu_moves_coordinates_off_their_velocities) {
    Flat x;
    Cart c = {1, 0};
    const CdProblem cart = flat_cart(&c, false, false);
    const double Y[10] = {0.6, 0.8, 0.1, 0.2, 1, 2, 3, 4, 0.5, 0.25};
    double dY[10] = {0}, R[10];
    if (!flat_open(&x, &cart, false, CD_GGL)) return;
    CHECK_INT(x.f->n, 10);
    CHECK_OK(cdi_flat_residual(x.f, 0, Y, dY, R));
    CHECK_NEAR(R[0], -(1 - 2 * 0.6 * 0.25), 1e-15);
    CHECK_NEAR(R[1], -(2 - 2 * 0.8 * 0.25), 1e-15);
    CHECK_NEAR(R[2], -3, 0);
    CHECK_NEAR(R[3], -4, 0);
    // velocity level with lambda, position level with mu; L(0) = 1, L'(0) = 0.1
    CHECK_NEAR(R[8], 2 * 0.6 * 1 + 2 * 0.8 * 2 - 0.2, 1e-15);
    CHECK_NEAR(R[9], 0, 1e-15);
    flat_close(&x);
}

// f of the explicit form and F of the implicit form are the same motion
TEST(the_explicit_rate_solves_the_implicit_form) {
    Cart c = {2, 1};
    const CdProblem cart = flat_cart(&c, true, false);
    Flat x, y;
    CdPoint at;
    double Y[UNKNOWNS], dY[UNKNOWNS], W[UNKNOWNS], dW[UNKNOWNS], R[UNKNOWNS];
    if (!flat_open(&x, &cart, true, CD_FORM_AUTO)) return;
    if (!flat_open(&y, &cart, false, CD_INDEX1)) return;
    CHECK_OK(cdi_point_take(x.p, &x.f->arena, &at));
    solution(&x, &at);
    cdi_flat_pack(x.f, &at, Y, NULL);
    CHECK_OK(cdi_flat_rate(x.f, at.t, Y, dY));
    // everything but Y is forgotten and found again
    memset(at.lambda, 0, sizeof(double) * 3);
    cdi_flat_unpack(x.f, 0.3, Y, NULL, &at);
    CHECK_OK(cdi_flat_complete(x.f, &at));
    cdi_flat_pack(y.f, &at, W, dW);
    for (int i = 0; i < x.f->n; i++) CHECK_BITS(dW[i], dY[i]);
    CHECK_OK(cdi_flat_residual(y.f, at.t, W, dW, R));
    for (int i = 0; i < y.f->n; i++) CHECK_NEAR(R[i], 0, 1e-10);
    flat_close(&y);
    flat_close(&x);
}

TEST(points_come_back_as_they_were) {
    Cart c = {2, 1};
    const CdProblem cart = flat_cart(&c, true, true);
    for (CdForm form = CD_INDEX1; form <= CD_GGL; form++) {
        Flat x;
        CdPoint a, b;
        double Y[UNKNOWNS], dY[UNKNOWNS];
        if (!flat_open(&x, &cart, false, form)) return;
        CHECK_OK(cdi_point_take(x.p, &x.f->arena, &a));
        CHECK_OK(cdi_point_take(x.p, &x.f->arena, &b));
        for (size_t i = 0; i < x.p->npoint; i++) a.q[i] = (double)i + 0.5;
        if (form != CD_GGL) a.mu[0] = a.mu[1] = 0;
        b.mu[0] = b.mu[1] = 9;
        cdi_flat_pack(x.f, &a, Y, dY);
        for (int i = 0; i < x.f->n; i++) CHECK_BITS(Y[i], a.q[i]); // the front of the block
        cdi_flat_unpack(x.f, 2, Y, dY, &b);
        CHECK_OK(cdi_flat_complete(x.f, &b));
        CHECK_BITS(b.t, 2);
        for (size_t i = 0; i < x.p->npoint; i++) CHECK_BITS(b.q[i], a.q[i]);
        flat_close(&x);
    }
}

TEST(a_completed_ode_has_its_rate) {
    const CdProblem ode = flat_ode();
    for (int explicit_form = 0; explicit_form < 2; explicit_form++) {
        Flat x;
        double y[2] = {0.4, -0.7}, ydot[2], expected[2];
        CdPoint at = {.t = 0.2, .y = y, .ydot = ydot};
        if (!flat_open(&x, &ode, explicit_form, CD_FORM_AUTO)) return;
        CHECK_OK(cdi_flat_complete(x.f, &at));
        flat_oscillator(NULL, &at, expected);
        CHECK_BITS(ydot[0], expected[0]);
        CHECK_BITS(ydot[1], expected[1]);
        flat_close(&x);
    }
}

// ---- errors and accepted states

TEST(scales_are_weights_over_tolerances) {
    const double weight[9] = {1, 2, 1, 1, 1, 1, 1, 4, 0};
    Cart c = {1, 0};
    CdProblem cart = flat_cart(&c, false, false);
    cart.weight = weight;
    Flat x;
    const double Y[10] = {-10, 3, 0, 0, 0, 0, 0, 5, 7, 9};
    double scale[10];
    if (!flat_open(&x, &cart, false, CD_GGL)) return;
    cdi_flat_scale(x.f, Y, 0.1, 0.5, scale);
    CHECK_NEAR(scale[0], 1 / 1.5, 1e-15);
    CHECK_NEAR(scale[1], 2 / 0.8, 1e-15);
    CHECK_NEAR(scale[2], 1 / 0.5, 1e-15);
    CHECK_NEAR(scale[7], 4 / 1.0, 1e-15);
    CHECK_NEAR(scale[8], 0, 0);
    CHECK_NEAR(scale[9], 1 / 1.4, 1e-15);
    flat_close(&x);
}

TEST(coordinates_of_a_manifold_have_scale_one) {
    const CdProblem top = flat_top(false);
    Flat x;
    double Y[13] = {5, 0, 0, 0, 1, 0, 0, 3}, scale[13];
    if (!flat_open(&x, &top, true, CD_FORM_AUTO)) return;
    cdi_flat_scale(x.f, Y, 0.1, 0.5, scale);
    for (int i = 0; i < 7; i++) CHECK_NEAR(scale[i], 1 / 0.6, 1e-15);
    CHECK_NEAR(scale[7], 1 / 0.8, 1e-15);
    CHECK_NEAR(scale[8], 1 / 0.5, 1e-15);
    flat_close(&x);
}

TEST(accepted_states_return_to_the_constraints) {
    Cart c = {2, 1};
    const CdProblem cart = flat_cart(&c, false, false);
    Flat x;
    double Y[8] = {0.9, 0.65, 0.5, 0.2, 1, 2, 3, 4}, old[8], g[3];
    bool changed;
    if (!flat_open(&x, &cart, true, CD_FORM_AUTO)) return;
    CHECK_OK(cdi_flat_accept(x.f, 0.3, Y, &changed));
    CHECK(changed);
    const CdPoint at = {.t = 0.3, .q = Y, .v = Y + 4};
    CHECK_OK(cdi_level_residual(x.p, &at, CD_POSITION, g));
    for (int i = 0; i < 3; i++) CHECK_NEAR(g[i], 0, 1e-10);
    CHECK_OK(cdi_level_residual(x.p, &at, CD_VELOCITY, g));
    for (int i = 0; i < 3; i++) CHECK_NEAR(g[i], 0, 1e-10);
    // once more there is nothing to do
    CHECK_OK(cdi_flat_accept(x.f, 0.3, Y, &changed));
    memcpy(old, Y, sizeof old);
    CHECK_OK(cdi_flat_accept(x.f, 0.3, Y, &changed));
    CHECK(!changed);
    for (int i = 0; i < 8; i++) CHECK_NEAR(Y[i], old[i], 1e-14);
    flat_close(&x);
}

TEST(a_failed_projection_leaves_the_state) {
    Cart c = {1, 0};
    const CdProblem cart = flat_cart(&c, false, false);
    Flat x;
    double Y[8] = {0, 0, 0.5, 0.2, 1, 2, 3, 4}; // G = 0 here
    bool changed;
    if (!flat_open(&x, &cart, true, CD_FORM_AUTO)) return;
    CHECK(cdi_flat_accept(x.f, 0.3, Y, &changed) != CD_OK);
    CHECK(!changed);
    CHECK_BITS(Y[0], 0);
    CHECK_BITS(Y[2], 0.5);
    CHECK_BITS(Y[5], 2);
    test_log_clear(&x.log);
    flat_close(&x);
}

static CdStatus no_constraint(void *data, const CdPoint *at, double *g) {
    (void)data, (void)at, (void)g;
    return CD_RETRY;
}

TEST(what_moved_before_a_failure_is_put_back) {
    CdProblem top = flat_top(true);
    top.constraint = no_constraint;
    Flat x;
    double Y[13] = {0, 1, 0, 2};
    bool changed;
    if (!flat_open(&x, &top, true, CD_FORM_AUTO)) return;
    CHECK_INT(cdi_flat_accept(x.f, 0, Y, &changed), CD_RETRY);
    CHECK(!changed);
    CHECK_BITS(Y[3], 2); // had become a unit quaternion
    flat_close(&x);
}

TEST(quaternions_are_normalised_in_every_form) {
    const CdProblem top = flat_top(true);
    for (CdForm form = CD_INDEX1; form <= CD_GGL; form++) {
        Flat x;
        double Y[UNKNOWNS] = {0, 1, 0, 2, 0, 0, 0, 1};
        bool changed;
        if (!flat_open(&x, &top, false, form)) return;
        CHECK_OK(cdi_flat_accept(x.f, 0, Y, &changed));
        CHECK(changed);
        CHECK_BITS(Y[3], 1);
        CHECK_BITS(Y[7], 1); // velocities stay
        CHECK_OK(cdi_flat_accept(x.f, 0, Y, &changed));
        CHECK(!changed);
        flat_close(&x);
    }
}

// ---- Newton iterations

// one step of implicit Euler with the matrix of its start; sweeps until Y stands still
static int euler_step(Flat *x, double h, double *Y) {
    const int n = x->f->n;
    const double c[2] = {1 / h, 0}, t = 0.3 + h;
    double Y0[UNKNOWNS], dY[UNKNOWNS] = {0}, R[UNKNOWNS];
    CdiFlatLin *lin;
    int sweeps = 0;
    memcpy(Y0, Y, sizeof(double) * (size_t)n);
    CHECK_OK(cdi_flat_lin_new(x->f, false, &lin));
    CHECK_OK(cdi_flat_lin_setup(lin, c, t, Y, dY, false));
    for (double change = 1; change > 1e-12 && sweeps < 30; sweeps++) {
        for (int i = 0; i < n; i++) dY[i] = (Y[i] - Y0[i]) / h;
        CHECK_OK(cdi_flat_residual(x->f, t, Y, dY, R));
        CHECK_OK(cdi_flat_lin_solve(lin, R, 1));
        change = 0;
        // multipliers of index 3 carry rounding of order 1/h^2
        for (int i = 0; i < n; i++) {
            Y[i] -= R[i];
            change = fmax(change, fabs(R[i]) * pow(h, x->f->index[i] - 1));
        }
    }
    cdi_flat_lin_free(lin);
    return sweeps;
}

static void newton(const CdProblem *user, CdForm form) {
    Flat x;
    CdPoint at;
    double Y[UNKNOWNS], R[UNKNOWNS];
    if (!flat_open(&x, user, false, form)) return;
    CHECK_OK(cdi_point_take(x.p, &x.f->arena, &at));
    solution(&x, &at);
    cdi_flat_pack(x.f, &at, Y, NULL);
    const int sweeps = euler_step(&x, 1e-3, Y);
    printf("     %-8s %-8s %d sweeps\n", user->name, cdi_form_names[form], sweeps);
    CHECK(sweeps < 10);
    if (x.p->nc > 0 && form != CD_INDEX1) {
        const CdConstraintLevel level = form == CD_INDEX3 ? CD_POSITION : CD_VELOCITY;
        const CdPoint end = {.t = 0.301, .q = Y, .v = Y + x.p->nq};
        cdi_normalise(x.p, Y);
        CHECK_OK(cdi_level_residual(x.p, &end, level, R));
        for (int i = 0; i < x.p->nc; i++) CHECK_NEAR(R[i], 0, 1e-9);
    }
    flat_close(&x);
}

TEST(newton_converges_in_every_form) {
    for (CdForm form = CD_INDEX1; form <= CD_GGL; form++) {
        Cart c = {1, 1};
        const CdProblem cart = flat_cart(&c, true, false), top = flat_top(true);
        newton(&cart, form);
        newton(&top, form);
    }
}

// ---- several right-hand sides, save and load, memory

static void solve_all(CdiFlatLin *lin, double *b, int n) {
    TestRandom r = {11};
    for (int i = 0; i < n; i++) b[i] = test_random(&r, -1, 1);
    CHECK_OK(cdi_flat_lin_solve(lin, b, 2));
}

static void saved_and_loaded(const CdProblem *user, bool explicit_form, CdForm form,
                             bool is_complex) {
    Flat x;
    CdPoint at;
    CdiFlatLin *a, *b;
    const double c[2] = {20, 5}, c2[2] = {30, -7};
    double Y[UNKNOWNS], dY[UNKNOWNS], d[4 * UNKNOWNS], e[4 * UNKNOWNS];
    if (!flat_open(&x, user, explicit_form, form)) return;
    CHECK_OK(cdi_point_take(x.p, &x.f->arena, &at));
    solution(&x, &at);
    cdi_flat_pack(x.f, &at, Y, dY);
    CHECK_OK(cdi_flat_lin_new(x.f, is_complex, &a));
    CHECK_OK(cdi_flat_lin_new(x.f, is_complex, &b));
    CHECK_OK(cdi_flat_lin_setup(a, c, at.t, Y, dY, false));
    void *saved = cdi_alloc(x.log.ctx, cdi_flat_lin_save_size(a));
    cdi_flat_lin_save(a, saved);
    CHECK_OK(cdi_flat_lin_load(b, saved));
    cdi_free(x.log.ctx, saved);
    // the same bits, also with another coefficient at the same point
    const int n = 2 * x.f->n * (is_complex ? 2 : 1);
    for (int again = 0; again < 2; again++) {
        solve_all(a, d, n);
        solve_all(b, e, n);
        for (int i = 0; i < n; i++) CHECK_BITS(d[i], e[i]);
        CHECK_OK(cdi_flat_lin_setup(a, c2, at.t, Y, dY, true));
        CHECK_OK(cdi_flat_lin_setup(b, c2, at.t, Y, dY, true));
    }
    cdi_flat_lin_free(a);
    cdi_flat_lin_free(b);
    flat_close(&x);
}

TEST(loaded_systems_have_the_same_bits) {
    Cart c = {1, 1};
    const CdProblem ode = flat_ode(), cart = flat_cart(&c, true, false), top = flat_top(true);
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        saved_and_loaded(&ode, false, CD_FORM_AUTO, is_complex);
        saved_and_loaded(&ode, true, CD_FORM_AUTO, is_complex);
        saved_and_loaded(&cart, true, CD_FORM_AUTO, is_complex);
        for (CdForm form = CD_INDEX1; form <= CD_GGL; form++) {
            saved_and_loaded(&cart, false, form, is_complex);
            saved_and_loaded(&top, false, form, is_complex);
        }
    }
}

TEST(a_rate_that_is_not_given_is_zero) {
    const CdProblem implicit = flat_implicit();
    const double c[2] = {20, 0}, Y[3] = {1, 2, 3}, dY[3] = {4, 5, 6}, zero[3] = {0};
    Flat x;
    CdiFlatLin *a, *b;
    double d[6], e[6];
    if (!flat_open(&x, &implicit, false, CD_FORM_AUTO)) return;
    CHECK_OK(cdi_flat_lin_new(x.f, false, &a));
    CHECK_OK(cdi_flat_lin_new(x.f, false, &b));
    CHECK_OK(cdi_flat_lin_setup(a, c, 0, Y, dY, false));
    CHECK_OK(cdi_flat_lin_setup(a, c, 0, Y, NULL, false));
    CHECK_OK(cdi_flat_lin_setup(b, c, 0, Y, zero, false));
    solve_all(a, d, 6);
    solve_all(b, e, 6);
    for (int i = 0; i < 6; i++) CHECK_BITS(d[i], e[i]);
    cdi_flat_lin_free(a);
    cdi_flat_lin_free(b);
    flat_close(&x);
}

// a complex system takes the derivatives of a real one
static void shared(const CdProblem *user, bool explicit_form, CdForm form) {
    Flat x;
    CdPoint at;
    CdiFlatLin *real, *own, *taken;
    const double c[2] = {20, 5};
    double Y[UNKNOWNS], dY[UNKNOWNS], d[4 * UNKNOWNS], e[4 * UNKNOWNS];
    if (!flat_open(&x, user, explicit_form, form)) return;
    CHECK_OK(cdi_point_take(x.p, &x.f->arena, &at));
    solution(&x, &at);
    cdi_flat_pack(x.f, &at, Y, dY);
    CHECK_OK(cdi_flat_lin_new(x.f, false, &real));
    CHECK_OK(cdi_flat_lin_new(x.f, true, &own));
    CHECK_OK(cdi_flat_lin_new(x.f, true, &taken));
    CHECK_OK(cdi_flat_lin_setup(real, c, at.t, Y, dY, false));
    CHECK_OK(cdi_flat_lin_setup(own, c, at.t, Y, dY, false));
    const CdStatistics before = x.p->counts;
    CHECK_OK(cdi_flat_lin_setup_as(taken, c, real));
    CHECK_INT(x.p->counts.jacobians, before.jacobians);
    CHECK_INT(x.p->counts.difference_evaluations, before.difference_evaluations);
    solve_all(own, d, 4 * x.f->n);
    solve_all(taken, e, 4 * x.f->n);
    for (int i = 0; i < 4 * x.f->n; i++) CHECK_BITS(d[i], e[i]);
    cdi_flat_lin_free(real);
    cdi_flat_lin_free(own);
    cdi_flat_lin_free(taken);
    flat_close(&x);
}

TEST(derivatives_are_taken_once_for_two_systems) {
    Cart c = {1, 1};
    const CdProblem ode = flat_ode(), cart = flat_cart(&c, true, false);
    shared(&ode, false, CD_FORM_AUTO);
    shared(&cart, true, CD_FORM_AUTO);
    for (CdForm form = CD_INDEX1; form <= CD_GGL; form++) shared(&cart, false, form);
}

TEST(singular_constraints_are_named) {
    Cart c = {1, 0};
    const CdProblem cart = flat_cart(&c, false, false);
    for (CdForm form = CD_INDEX2; form <= CD_GGL; form++) {
        Flat x;
        CdiFlatLin *lin;
        CdText text;
        const double at[2] = {10, 0}, Y[10] = {0}, dY[10] = {0}; // G = 0 here
        if (!flat_open(&x, &cart, false, form)) return;
        CHECK_OK(cdi_flat_lin_new(x.f, false, &lin));
        CHECK_INT(cdi_flat_lin_setup(lin, at, 0, Y, dY, false), CD_SINGULAR);
        cdi_text_init(&text, x.log.ctx);
        cdi_flat_lin_explain(lin, &text);
        CHECK(text.v && strstr(text.v, "constraint 0 of g"));
        cdi_text_free(&text);
        cdi_flat_lin_free(lin);
        flat_close(&x);
    }
}

// nothing is allocated once the operators are there
TEST(work_takes_no_memory) {
    Cart c = {1, 1};
    const CdProblem cart = flat_cart(&c, true, false);
    Flat x;
    CdPoint at;
    CdiFlatLin *lin;
    const double coefficient[2] = {20, 5};
    double Y[UNKNOWNS], dY[UNKNOWNS], R[2 * UNKNOWNS];
    bool changed;
    if (!flat_open(&x, &cart, false, CD_GGL)) return;
    CHECK_OK(cdi_point_take(x.p, &x.f->arena, &at));
    solution(&x, &at);
    CHECK_OK(cdi_flat_lin_new(x.f, true, &lin));
    const uint64_t before = cd_context_memory(x.log.ctx).total_blocks;
    cdi_flat_pack(x.f, &at, Y, dY);
    CHECK_OK(cdi_flat_residual(x.f, at.t, Y, dY, R));
    CHECK_OK(cdi_flat_lin_setup(lin, coefficient, at.t, Y, dY, false));
    CHECK_OK(cdi_flat_lin_solve(lin, R, 1));
    CHECK_OK(cdi_flat_accept(x.f, at.t, Y, &changed));
    CHECK_INT(cd_context_memory(x.log.ctx).total_blocks, before);
    cdi_flat_lin_free(lin);
    flat_close(&x);
}

typedef struct Case {
    CdProblem problem;
    CdFlatSetup setup;
} Case;

static CdStatus make(CdContext *ctx, void *user) {
    const Case *c = user;
    CdiProblem *p = NULL;
    CdiFlat *f = NULL;
    CdiFlatLin *lin = NULL;
    CdStatus status = cdi_problem_new(ctx, &c->problem, NULL, &p);
    if (status == CD_OK) status = cdi_flat_new(p, &c->setup, &f);
    if (status == CD_OK) status = cdi_flat_lin_new(f, true, &lin);
    cdi_flat_lin_free(lin);
    cdi_flat_free(f);
    cdi_problem_free(p);
    return status;
}

TEST(memory_may_run_out_anywhere) {
    Cart c = {1, 1};
    Case ggl = {flat_cart(&c, true, true), {.form = CD_GGL}};
    Case leading = {flat_leading(flat_regular), {.explicit_form = true}};
    CHECK_OOM(make, &ggl);
    CHECK_OOM(make, &leading);
}

int main(void) {
    RUN(the_path_says_what_was_done);
    RUN(what_has_no_explicit_form_is_refused);
    RUN(unknowns_have_index_and_kind);
    RUN(the_rate_of_an_ode_is_the_users);
    RUN(solutions_fulfil_every_form);
    RUN(mu_moves_coordinates_off_their_velocities);
    RUN(the_explicit_rate_solves_the_implicit_form);
    RUN(points_come_back_as_they_were);
    RUN(a_completed_ode_has_its_rate);
    RUN(scales_are_weights_over_tolerances);
    RUN(coordinates_of_a_manifold_have_scale_one);
    RUN(accepted_states_return_to_the_constraints);
    RUN(a_failed_projection_leaves_the_state);
    RUN(what_moved_before_a_failure_is_put_back);
    RUN(quaternions_are_normalised_in_every_form);
    RUN(newton_converges_in_every_form);
    RUN(loaded_systems_have_the_same_bits);
    RUN(a_rate_that_is_not_given_is_zero);
    RUN(derivatives_are_taken_once_for_two_systems);
    RUN(singular_constraints_are_named);
    RUN(work_takes_no_memory);
    RUN(memory_may_run_out_anywhere);
    return test_end();
}
