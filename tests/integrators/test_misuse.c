// test_misuse.c - what every method does with problems that fail, cannot be solved or make no sense
//
// Each misuse ends with a status, one message that says where, and the last good state; and with a
// bounded number of calls, which the callbacks themselves watch.
#include "integrators/cases.h"
#include "integrators/driver.h"

// ---- callbacks that fail as they are told

typedef enum Place {
    NOWHERE,
    RATE,
    FORCE,
    MASS,
    CONSTRAINT,
    JACOBIAN,
    IMPLICIT,
    ALGEBRA,
    DERIVATIVES,
    NPLACES
} Place;

static const char *const place_names[NPLACES] = {"",         "rate",       "force",
                                                 "mass",     "constraint", "constraint_jacobian",
                                                 "implicit", "algebra",    "derivatives"};

typedef enum Kind { IS_NAN, IS_INFINITE, RETRIES, FAILS, RETURNS_NONSENSE, NKINDS } Kind;

typedef struct Fault {
    Place place;
    Kind kind;
    double after; // t
    int calls;    // of all callbacks
    int hits;
    bool endless; // more calls than anything should take
} Fault;

#define ENDLESS 100000
#define NONSENSE 77

static CdStatus trip(Fault *f, Place place, double t, double *last) {
    if (++f->calls > ENDLESS) {
        f->endless = true;
        return CD_BUG;
    }
    if (f->place != place || !(t > f->after)) return CD_OK;
    f->hits++;
    switch (f->kind) {
    case IS_NAN: *last = NAN; return CD_OK;
    case IS_INFINITE: *last = INFINITY; return CD_OK;
    case RETRIES: return CD_RETRY;
    case FAILS: return CD_IO;
    default: return (CdStatus)NONSENSE;
    }
}

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    CD_TRY(wave_rate(data, at, dy));
    return trip(data, RATE, at->t, &dy[1]);
}

static CdStatus rate_by_x(void *data, const CdPoint *at, double *dy) {
    dy[0] = at->y[1];
    dy[1] = -at->x[0];
    return trip(data, RATE, at->t, &dy[1]);
}

static CdStatus algebra(void *data, const CdPoint *at, double *w) {
    w[0] = at->x[0] - at->y[0];
    return trip(data, ALGEBRA, at->t, w);
}

static CdStatus implicit(void *data, const CdPoint *at, double *F) {
    F[0] = at->ydot[0] - at->y[1];
    F[1] = at->ydot[1] + at->y[0];
    return trip(data, IMPLICIT, at->t, &F[1]);
}

static CdStatus spring(void *data, const CdPoint *at, double *f) {
    CD_TRY(wave_force(data, at, f));
    return trip(data, FORCE, at->t, f);
}

static CdStatus one_mass(void *data, const CdPoint *at, double *M) {
    M[0] = 1;
    return trip(data, MASS, at->t, M);
}

static CdStatus weight(void *data, const CdPoint *at, double *f) {
    CD_TRY(pendulum_force(data, at, f));
    return trip(data, FORCE, at->t, &f[1]);
}

static CdStatus two_masses(void *data, const CdPoint *at, double *M) {
    M[0] = M[3] = 1;
    M[1] = M[2] = 0;
    return trip(data, MASS, at->t, &M[3]);
}

static CdStatus circle(void *data, const CdPoint *at, double *g) {
    CD_TRY(pendulum_constraint(data, at, g));
    return trip(data, CONSTRAINT, at->t, g);
}

static CdStatus radius(void *data, const CdPoint *at, double *J) {
    CD_TRY(pendulum_jacobian(data, at, J));
    return trip(data, JACOBIAN, at->t, &J[1]);
}

// of y' - rate
static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    double unused;
    if (M) memcpy(M, (double[]){1, 0, 0, 1}, 4 * sizeof *M);
    if (C) memcpy(C, (double[]){0, 1, -1, 0}, 4 * sizeof *C);
    if (K) memset(K, 0, 4 * sizeof *K);
    return trip(data, DERIVATIVES, at->t, C ? C : &unused);
}

typedef struct Case {
    CdProblem problem;
    Place places[5];
} Case;

static const Case cases[] = {
    {{.name = "ode", .ny = 2, .rate = rate, .derivatives = derivatives}, {RATE, DERIVATIVES}},
    {{.name = "springs", .nv = 1, .force = spring, .mass = one_mass}, {FORCE, MASS}},
    {{.name = "pendulum",
      .nv = 2,
      .force = weight,
      .mass = two_masses,
      .ng = 1,
      .constraint = circle,
      .constraint_jacobian = radius},
     {FORCE, MASS, CONSTRAINT, JACOBIAN}},
    {{.name = "implicit", .ny = 2, .implicit = implicit}, {IMPLICIT}},
    {{.name = "algebraic", .ny = 2, .nx = 1, .rate = rate_by_x, .algebra = algebra},
     {RATE, ALGEBRA}},
};

// all of them start at 1, 0 and have |u| <= 1
static CdPoint start_of(const CdProblem *p) {
    static double one[2] = {1, 0};
    return p->nv ? (CdPoint){.q = one} : (CdPoint){.y = one};
}

static int lines(const TestLog *log) {
    int n = 0;
    for (const char *c = log->text; *c; c++) n += *c == '\n';
    return n;
}

static bool names(const TestLog *log, const char *what) {
    return strstr(log->text, what) != NULL;
}

#define SPAN 1.0
#define LATE 0.5

// the state after a failure: finite, near the fault, and not wrong
static void check_state(CdIntegrator *it, const Fault *f) {
    const CdPoint *now = cd_integrator_now(it);
    CHECK(cdi_point_nonfinite(it->problem, now) < 0);
    // derivatives are kept for a while
    if (f->place != DERIVATIVES) CHECK(now->t <= LATE + 1e-12);
    const double u = now->q ? now->q[0] : now->y[0];
    if (it->problem->nc > 0) {
        CHECK(fabs(pendulum_energy(now)) < 0.3 && fabs(hypot(now->q[0], now->q[1]) - 1) < 1e-3);
    } else {
        CHECK(fabs(u - cos(now->t)) < 0.01);
    }
}

static void check_message(const TestLog *log, const CdIntegrator *it, const Fault *f, bool start) {
    CHECK_INT(lines(log), 1);
    CHECK(names(log, it->problem->user.name) && names(log, "t = "));
    if (!start) CHECK(names(log, it->cls->desc.name));
    if (f->kind >= RETRIES && !CHECK(names(log, place_names[f->place]))) puts(log->text);
    if (f->kind == RETURNS_NONSENSE) CHECK(names(log, "returned 77, which is no status"));
}

static CdStatus expected(Kind kind) {
    const CdStatus status[NKINDS] = {CD_NONFINITE, CD_NONFINITE, CD_RETRY, CD_IO, CD_INVALID};
    return status[kind];
}

// after the failure: the state, dense output, the same failure again, and a start without it
static void look_after(TestLog *log, CdIntegrator *it, Fault *f, CdStatus status) {
    const CdPoint *at, start = start_of(&it->problem->user);
    check_state(it, f);
    const double t = it->now.t;
    CHECK_OK(cd_integrator_at(it, t, &at));
    test_log_clear(log);
    CHECK_INT(cd_integrator_at(it, t - 1e-3, &at), CD_INVALID);
    // multistep methods begin anew with smaller steps
    CHECK_INT(cd_integrator_run(it, SPAN, NULL), status);
    CHECK(it->now.t >= t && it->now.t <= (f->place == DERIVATIVES ? SPAN : LATE + 1e-12));
    f->place = NOWHERE;
    CHECK_OK(cd_integrator_start(it, &start));
    CHECK_OK(cd_integrator_run(it, SPAN, NULL));
}

static void fail_once(TestLog *log, const CdProblem *user, const char *method, Fault f) {
    CdIntegrator *it;
    CdProblem p = *user;
    const CdPoint start = start_of(user);
    p.data = &f;
    test_log_clear(log);
    if (cd_integrator_new(log->ctx, &p, method, &it) != CD_OK) {
        CHECK_INT(lines(log), 1);
        return;
    }
    CdStatus status = cd_integrator_start(it, &start);
    const bool started = status == CD_OK;
    if (started) status = cd_integrator_run(it, SPAN, NULL);
    bool ok = CHECK(!f.endless);
    ok &= CHECK(status != CD_OK || f.hits == 0);
    if (status != CD_OK) {
        ok &= CHECK_INT(status, expected(f.kind));
        check_message(log, it, &f, !started);
        if (started && f.after > 0) look_after(log, it, &f, status);
    }
    if (!ok) printf("%s, %s of %s: %s", method, place_names[f.place], p.name, log->text);
    cd_integrator_free(it);
}

static void fail_everywhere(TestLog *log, const char *method) {
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (const Place *place = cases[k].places; *place; place++) {
            for (Kind kind = 0; kind < NKINDS; kind++) {
                fail_once(log, &cases[k].problem, method, (Fault){*place, kind, -1, .calls = 0});
                fail_once(log, &cases[k].problem, method, (Fault){*place, kind, LATE, .calls = 0});
            }
        }
    }
}

TEST(callbacks_that_fail_are_named_and_the_last_good_state_is_kept) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        char method[80];
        fail_everywhere(&log, with_step(*cls, 0.01, method));
        if (!(*cls)->fixed_only) fail_everywhere(&log, (*cls)->desc.name);
    }
    test_log_close(&log);
}

// ---- problems without a solution

// M becomes singular at LATE
static CdStatus vanishing_mass(void *data, const CdPoint *at, double *M) {
    CD_TRY(two_masses(data, at, M));
    if (at->t >= LATE) M[3] = 0;
    return CD_OK;
}

// the same constraint twice
static CdStatus circle_twice(void *data, const CdPoint *at, double *g) {
    CD_TRY(circle(data, at, g));
    g[1] = g[0];
    return CD_OK;
}

static CdStatus radius_twice(void *data, const CdPoint *at, double *J) {
    (void)data;
    J[0] = J[1] = at->q[0];
    J[2] = J[3] = at->q[1];
    return CD_OK;
}

// x^2 = y = 1 - t has no solution after SPAN
static CdStatus fall(void *data, const CdPoint *at, double *dy) {
    dy[0] = -1;
    return trip(data, RATE, at->t, dy);
}

static CdStatus root(void *data, const CdPoint *at, double *w) {
    w[0] = at->x[0] * at->x[0] - at->y[0];
    return trip(data, ALGEBRA, at->t, w);
}

// y' = y^2 ends at SPAN
static CdStatus explode(void *data, const CdPoint *at, double *dy) {
    dy[0] = at->y[0] * at->y[0];
    return trip(data, RATE, at->t, dy);
}

typedef struct Impossible {
    CdProblem problem;
    const char *message; // part of it; NULL: methods have words of their own
    double t;            // where it ends at the latest; -1: before it starts
} Impossible;

static const Impossible impossible[] = {
    {{.name = "vanishing", .nv = 2, .force = weight, .mass = vanishing_mass}, NULL, LATE},
    {{.name = "redundant",
      .nv = 2,
      .force = weight,
      .ng = 2,
      .constraint = circle_twice,
      .constraint_jacobian = radius_twice},
     "constraint 1 of g depends on the other constraints",
     -1},
    {{.name = "root", .ny = 1, .nx = 1, .rate = fall, .algebra = root}, NULL, SPAN},
    {{.name = "explosion", .ny = 1, .rate = explode}, NULL, SPAN},
};

static void try_impossible(TestLog *log, const Impossible *i, const char *method, double slack) {
    Fault watch = {0};
    CdIntegrator *it;
    CdProblem p = i->problem;
    CdPoint start = start_of(&p);
    start.x = p.nx ? (double[]){1} : NULL;
    p.data = &watch;
    test_log_clear(log);
    if (cd_integrator_new(log->ctx, &p, method, &it) != CD_OK) return;
    CdStatus status = cd_integrator_start(it, &start);
    CHECK_INT(status == CD_OK, i->t >= 0);
    if (status == CD_OK) status = cd_integrator_run(it, 2 * SPAN, NULL);
    bool ok = CHECK(cdi_is_recoverable(status) && !watch.endless);
    ok &= CHECK_INT(lines(log), 1);
    ok &= CHECK(names(log, p.name) && (!i->message || names(log, i->message)));
    if (i->t >= 0) {
        const CdPoint *now = cd_integrator_now(it);
        ok &= CHECK(cdi_point_nonfinite(it->problem, now) < 0);
        ok &= CHECK(now->t > 0.9 * i->t && now->t <= i->t + slack);
    }
    if (!ok) printf("%s: %s", method, log->text);
    cd_integrator_free(it);
}

TEST(what_has_no_solution_ends_where_it_ceases) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        for (size_t k = 0; k < sizeof impossible / sizeof *impossible; k++) {
            char method[80];
            // explosions are overrun by some fixed steps
            try_impossible(&log, &impossible[k], with_step(*cls, 0.01, method), 0.1);
            if (!(*cls)->fixed_only) try_impossible(&log, &impossible[k], (*cls)->desc.name, 1e-5);
        }
    }
    test_log_close(&log);
}

// ---- numbers that make no sense

static const CdProblem *simple(const CdIntegratorClass *cls) {
    return cls->view == CD_VIEW_MECHANICAL ? &cases[1].problem : &cases[0].problem;
}

static CdIntegrator *open(TestLog *log, const CdIntegratorClass *cls, const char *options, Fault *f,
                          double t) {
    CdIntegrator *it;
    char method[160];
    CdProblem p = *simple(cls);
    CdPoint start = start_of(&p);
    start.t = t;
    p.data = f;
    snprintf(method, sizeof method, "%s(%s%s)", cls->desc.name, options,
             cls->fixed_only ? ", step=0.01" : "");
    test_log_clear(log);
    CHECK_OK(cd_integrator_new(log->ctx, &p, method, &it));
    if (it) CHECK_OK(cd_integrator_start(it, &start));
    return it;
}

TEST(times_to_go_to_are_finite_and_ahead) {
    TestLog log;
    test_log_open(&log);
    const double wrong[] = {-1, NAN, INFINITY, -INFINITY};
    FOR_METHODS(cls) {
        Fault watch = {0};
        CdIntegrator *it = open(&log, *cls, "max_steps=1000", &watch, 0);
        for (size_t k = 0; it && k < sizeof wrong / sizeof *wrong; k++) {
            test_log_clear(&log);
            CHECK_INT(cd_integrator_run(it, wrong[k], NULL), CD_INVALID);
            CHECK_INT(cd_integrator_step(it, wrong[k]), CD_INVALID);
            CHECK_INT(lines(&log), 2);
            CHECK(names(&log, "; it must be finite and not before t = 0\n"));
            CHECK_BITS(it->now.t, 0);
        }
        cd_integrator_free(it);
    }
    test_log_close(&log);
}

// tolerances below rounding, and times of which nothing is left but rounding: whether a method goes
// through or gives up, it does not stand still
TEST(absurd_tolerances_do_not_stop_time) {
    TestLog log;
    test_log_open(&log);
    const char *const options[] = {
        "rtol=1e-15, atol=1e-300, max_steps=2000", "rtol=0.999, atol=1e300, max_steps=2000",
        "max_step=1e-300, max_steps=2000", "min_step=1e3, max_steps=2000"};
    FOR_METHODS(cls) {
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            Fault watch = {0};
            // fixed steps that are longer are refused
            if ((*cls)->fixed_only && strstr(options[k], "max_step=")) continue;
            CdIntegrator *it = open(&log, *cls, options[k], &watch, 0);
            if (!it) continue;
            const CdStatus status = cd_integrator_run(it, SPAN, NULL);
            bool ok = CHECK(status == CD_OK || status == CD_LIMIT || cdi_is_recoverable(status));
            ok &= CHECK(!watch.endless);
            ok &= CHECK_INT(lines(&log), status != CD_OK);
            ok &= CHECK(status != CD_LIMIT || it->now.t > 0);
            if (!ok) printf("%s(%s): %s", (*cls)->desc.name, options[k], log.text);
            cd_integrator_free(it);
        }
    }
    test_log_close(&log);
}

TEST(clocks_may_show_a_billion) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        Fault watch = {0};
        CdIntegrator *it = open(&log, *cls, "max_steps=2000", &watch, 1e9);
        if (!it) continue;
        CHECK_OK(cd_integrator_run(it, 1e9 + 0.5, NULL));
        const CdPoint *now = cd_integrator_now(it);
        CHECK_NEAR(now->q ? now->q[0] : now->y[0], cos(0.5), 0.01);
        CHECK_TEXT(log.text, "");
        cd_integrator_free(it);
    }
    test_log_close(&log);
}

// ---- calls that make no sense

static CdStatus count_sample(void *user, const CdPoint *at) {
    (void)at;
    return ++*(int *)user > ENDLESS ? CD_BUG : CD_OK;
}

TEST(refused_calls_change_nothing) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        Fault watch = {0};
        CdIntegrator *it = open(&log, *cls, "max_steps=2000", &watch, 0);
        if (!it) continue;
        CHECK_OK(cd_integrator_run(it, LATE, NULL));
        const size_t size = cd_integrator_save_size(it);
        CHECK_INT(cd_integrator_start(it, NULL), CD_INVALID);
        CHECK_INT(cd_integrator_start(it, &(CdPoint){.t = NAN}), CD_INVALID);
        CHECK_INT(cd_integrator_save(it, NULL, size), CD_INVALID);
        CHECK_INT(cd_integrator_load(it, NULL, size), CD_INVALID);
        // samples need times of their own
        int samples = 0;
        const CdObserver o = {.user = &samples, .interval = 1e-300, .sample = count_sample};
        CHECK_INT(cd_integrator_run(it, SPAN, &o), CD_INVALID);
        CHECK_INT(samples, 0);
        CHECK_INT(lines(&log), 5);
        CHECK_BITS(it->now.t, LATE);
        CHECK_OK(cd_integrator_run(it, SPAN, NULL));
        cd_integrator_free(it);
    }
    test_log_close(&log);
}

// ---- large problems

#define MANY 3000

// y_i' = -y_i + y_(i-1), and the last is as large as the one before
static CdStatus row_of_many(void *data, const CdPoint *at, double *F) {
    const double *y = at->y, *dy = at->ydot;
    (void)data;
    for (int i = 0; i + 1 < MANY; i++) F[i] = dy[i] + y[i] - (i > 0 ? y[i - 1] : 0);
    F[MANY - 1] = y[MANY - 1] - y[MANY - 2];
    return CD_OK;
}

TEST(many_algebraic_equations_need_no_full_matrix) {
    TestLog log;
    test_log_open(&log);
    static int ptr[MANY + 1], row[2 * MANY];
    static double y[MANY], dy[MANY];
    for (int j = 0; j < MANY; j++) {
        row[ptr[j]] = j;
        row[ptr[j] + 1] = j + 1;
        ptr[j + 1] = ptr[j] + (j + 1 < MANY ? 2 : 1);
        y[j] = 1.1;
        dy[j] = j == 0 ? -1.1 : 1e-17;
    }
    const CdProblem p = {
        .name = "many", .ny = MANY, .implicit = row_of_many, .sparsity = {ptr, row}};
    CdIntegrator *it;
    CHECK_OK(cd_integrator_new(log.ctx, &p, "radau5", &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = y, .ydot = dy}));
    CHECK_OK(cd_integrator_run(it, 0.1, NULL));
    CHECK_NEAR(cd_integrator_now(it)->y[0], 1.1 * exp(-0.1), 1e-6);
    CHECK_INT(cd_integrator_start(it, &(CdPoint){.y = y}), CD_INVALID);
    CHECK_TEXT(log.text,
               "problem 'many': equation 0 of F leaves 1.1 at the start (t = 0), and there are too "
               "many unknowns to find ydot from a singular matrix; give values that fit\n");
    CHECK(cd_context_memory(log.ctx).peak_bytes < (size_t)MANY * MANY);
    cd_integrator_free(it);
    test_log_close(&log);
}

// ---- memory

static CdStatus side(void *data, const CdPoint *at, double *z) {
    (void)data;
    z[0] = at->q[0];
    return CD_OK;
}

static CdStatus lose(void *data, CdEvent *event, CdPoint *at) {
    (void)data;
    (void)event;
    for (int i = 0; i < 2; i++) at->v[i] *= 0.9;
    return CD_OK;
}

TEST(events_of_constrained_motion_allocate_nothing) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        Fault watch = {.calls = -1000000}; // which are many here
        char method[80];
        CdIntegrator *it;
        CdProblem p = cases[2].problem;
        const CdPoint start = start_of(&p);
        p.data = &watch;
        p.nz = 1;
        p.events = side;
        p.handle_event = lose;
        // libraries have memory of their own
        if (!(*cls)->can_save) continue;
        if (cd_integrator_new(log.ctx, &p, with_step(*cls, 0.01, method), &it) != CD_OK) continue;
        CHECK_OK(cd_integrator_start(it, &start));
        CHECK_OK(cd_integrator_run(it, 4, NULL));
        CHECK(cd_integrator_statistics(it)->events >= 3);
        CHECK_INT(cd_integrator_statistics(it)->allocations, 0);
        cd_integrator_free(it);
    }
    test_log_close(&log);
}

int main(void) {
    RUN(callbacks_that_fail_are_named_and_the_last_good_state_is_kept);
    RUN(what_has_no_solution_ends_where_it_ceases);
    RUN(times_to_go_to_are_finite_and_ahead);
    RUN(absurd_tolerances_do_not_stop_time);
    RUN(clocks_may_show_a_billion);
    RUN(refused_calls_change_nothing);
    RUN(many_algebraic_equations_need_no_full_matrix);
    RUN(events_of_constrained_motion_allocate_nothing);
    return test_end();
}
