// test_sections.c - sections of a system: where they are cut, and that they give the same numbers
#include <math.h>
#include <string.h>

#include "cardan/integrator.h"
#include "system/islands.h"
#include "system/tiles.h"

#define ARMS 16
#define DOORS 24
#define MAX_N 512
#define STEPS 20
#define MAX_NNZ 8192

typedef struct Rig {
    TestLog log;
    CdText text;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
} Rig;

static bool rig_read(Rig *r, void (*write)(CdText *)) {
    *r = (Rig){0};
    test_log_open(&r->log);
    cdi_text_init(&r->text, r->log.ctx);
    islands_begin(&r->text);
    write(&r->text);
    cdi_text_add(&r->text, "]}");
    CHECK_OK(cdi_model_read_text(r->log.ctx, r->text.v, r->text.n, "x.json", &r->model));
    if (!r->model) printf("%s", r->log.text);
    if (!r->model) return false;
    CHECK_OK(cdi_system_new(r->model, &r->system));
    CHECK_OK(cdi_system_work_new(r->system, NULL, &r->work));
    cdi_system_problem(r->work, &r->problem);
    CHECK(r->system->nq <= MAX_N);
    return true;
}

static void rig_close(Rig *r) {
    cdi_system_work_free(r->work);
    cdi_system_free(r->system);
    cdi_model_free(r->model);
    cdi_text_free(&r->text);
    test_log_close(&r->log);
}

static void write_arms(CdText *text) {
    for (int i = 0; i < ARMS; i++) write_arm(text, i);
}

static void write_doors(CdText *text) {
    for (int i = 0; i < DOORS; i++) write_door(text, i);
}

// ---- where they are cut

static int section_of(const CdSections *u, int v) {
    int at = -1;
    for (int k = 0; k < u->n; k++) {
        if (v >= u->v[k] && v < u->v[k + 1]) at = k;
    }
    return at;
}

// every link has its velocities in one section, and a joint its rows in the same
static void check_closed(const CdSections *u, const CdSystemLink *links, int n) {
    for (int i = 0; i < n; i++) {
        const int at = section_of(u, links[i].v[0]);
        for (int k = 1; k < links[i].n; k++) CHECK_INT(section_of(u, links[i].v[k]), at);
        CHECK(links[i].nc == 0 || links[i].row0 >= u->g[at]);
        CHECK(links[i].nc == 0 || links[i].row0 + links[i].nc <= u->g[at + 1]);
    }
}

TEST(islands_with_tiles_of_their_own_are_sections) {
    Rig r;
    if (!rig_read(&r, write_arms)) return;
    const CdSections *u = r.problem.sections;
    CHECK(u != NULL);
    // tiles of eight bodies, arms of three: cuts after 24 bodies, where joints and springs allow it
    if (u) CHECK_INT(u->n, 2);
    if (u) CHECK_INT(u->v[1], 24 * 6);
    if (u) CHECK_INT(r.system->sections->islands, ARMS);
    if (u) check_closed(u, r.system->joints, r.system->njoints);
    if (u) check_closed(u, r.system->forces, r.system->nforces);
    rig_close(&r);
}

static void check_none(void (*write)(CdText *)) {
    Rig r;
    if (!rig_read(&r, write)) return;
    CHECK(r.problem.sections == NULL);
    rig_close(&r);
}

// from an arm of the first section to one of the second
static void write_tied_arms(CdText *text) {
    write_arms(text);
    cdi_text_add(text, ", {\"class\": \"SpringDamper\", \"name\": \"tie\", \"marker_a\": "
                       "\"m3_2\", \"marker_b\": \"m12_0\", \"stiffness\": 10, \"length\": 1}");
}

// a joint of the first arm after those of the last: its rows are not beside their section's
static void write_late_joint(CdText *text) {
    write_arms(text);
    cdi_text_add(text, ", {\"class\": \"DistanceJoint\", \"name\": \"late\", \"marker_a\": "
                       "\"m0_0\", \"marker_b\": \"m0_2\", \"length\": 0.2}");
}

// a sensor that a force reads knows all bodies
static void write_read_sensor(CdText *text) {
    write_arms(text);
    cdi_text_add(text, ", {\"class\": \"Sensor\", \"name\": \"place\", \"body\": \"b0_0\"}, "
                       "{\"class\": \"Force\", \"name\": \"push\", \"body\": \"b9_0\", \"x\": "
                       "\"place.x\"}");
}

static void write_few(CdText *text) {
    for (int i = 0; i < 3; i++) write_arm(text, i);
}

TEST(what_is_tied_has_no_sections) {
    check_none(write_tied_arms);
    check_none(write_late_joint);
    check_none(write_few);
}

TEST(what_is_read_has_no_sections) {
    check_none(write_read_sensor);
}

// ---- the same numbers

static void random_state(const Rig *r, CdPoint *at, double *block) {
    TestRandom random = {3};
    const int nv = r->system->nv;
    *at = (CdPoint){.t = 0.3,
                    .q = block,
                    .v = block + MAX_N,
                    .vdot = block + 2 * MAX_N,
                    .lambda = block + 3 * MAX_N};
    cdi_system_start(r->system, at->q, at->v);
    for (int i = 0; i < nv; i++) at->v[i] = test_random(&random, -1, 1);
    for (int i = 0; i < nv; i++) at->vdot[i] = test_random(&random, -1, 1);
    for (int i = 0; i < r->system->ng; i++) at->lambda[i] = test_random(&random, -1, 1);
    r->problem.retract(r->problem.data, at->q, at->v, at->q);
}

static void check_same(int n, const double *a, const double *b) {
    int differ = 0;
    for (int i = 0; i < n; i++) differ += memcmp(&a[i], &b[i], sizeof *a) != 0;
    CHECK_INT(differ, 0);
}

static void check_residuals(void (*write)(CdText *)) {
    static double block[4 * MAX_N], all[4][MAX_N], apart[4][MAX_N];
    Rig r;
    CdPoint at;
    if (!rig_read(&r, write)) return;
    const CdSections *u = r.problem.sections;
    CHECK(u != NULL);
    random_state(&r, &at, block);
    void *data = r.problem.data;
    CHECK_OK(r.problem.residual(data, &at, all[0], all[1], all[2], all[3]));
    for (int k = u ? u->n - 1 : -1; k >= 0; k--) { // in any order
        CHECK_OK(u->begin(data));
        u->residual(data, k, k + 1, &at, apart[0], apart[1], apart[2], apart[3]);
    }
    check_same(r.system->nv, all[0], apart[0]);
    for (int k = 1; k < 4; k++) check_same(r.system->ng, all[k], apart[k]);
    r.problem.retract(data, at.q, at.v, all[0]);
    for (int k = 0; u && k < u->n; k++) u->retract(data, k, k + 1, at.q, at.v, apart[0]);
    check_same(r.system->nq, all[0], apart[0]);
    r.problem.normalise(data, all[0]);
    for (int k = 0; u && k < u->n; k++) u->normalise(data, k, k + 1, apart[0]);
    check_same(r.system->nq, all[0], apart[0]);
    rig_close(&r);
}

TEST(sections_give_the_bits_of_the_whole) {
    check_residuals(write_arms);
    check_residuals(write_doors);
}

static void derive(const CdSystem *s, CdPool *pool, const CdPoint *at, double *C, double *K,
                   double *J) {
    CdSystemWork *w;
    CdProblem problem;
    CHECK_OK(cdi_system_work_new(s, pool, &w));
    if (!w) return;
    cdi_system_problem(w, &problem);
    CHECK_OK(problem.derivatives(problem.data, at, NULL, C, K));
    CHECK_OK(problem.constraint_jacobian(problem.data, at, J));
    cdi_system_work_free(w);
}

// of three threads, and of one that knows nothing of sections
static void check_derivatives(void (*write)(CdText *)) {
    static double block[4 * MAX_N], of_sections[3][MAX_NNZ], of_all[3][MAX_NNZ];
    Rig r;
    CdPoint at;
    CdPool *pool;
    if (!rig_read(&r, write)) return;
    CHECK(r.system->pattern->nnz <= MAX_NNZ && r.system->jpattern->nnz <= MAX_NNZ);
    CHECK_OK(cd_pool_new(r.log.ctx, 3, &pool));
    random_state(&r, &at, block);
    for (int i = 0; i < MAX_NNZ; i++) { // nothing is left of that
        of_sections[0][i] = of_sections[1][i] = of_sections[2][i] = 7;
    }
    CHECK(r.system->sections != NULL);
    derive(r.system, pool, &at, of_sections[0], of_sections[1], of_sections[2]);
    r.system->sections = NULL;
    derive(r.system, NULL, &at, of_all[0], of_all[1], of_all[2]);
    for (int k = 0; k < 2; k++) check_same(r.system->pattern->nnz, of_sections[k], of_all[k]);
    check_same(r.system->jpattern->nnz, of_sections[2], of_all[2]);
    cd_pool_free(pool);
    rig_close(&r);
}

TEST(so_do_their_derivatives) {
    check_derivatives(write_arms);
    check_derivatives(write_doors);
}

// ---- runs

static int evaluations; // of sections
static const CdSections *wrapped;

static void counted_residual(void *data, int first, int end, const CdPoint *at, double *r,
                             double *g, double *velocity, double *acceleration) {
    evaluations++;
    wrapped->residual(data, first, end, at, r, g, velocity, acceleration);
}

static void run(const Rig *r, const CdSections *sections, const char *method,
                const CdObserver *observer, double *q, double *lambda) {
    CdIntegrator *it;
    CdProblem problem = r->problem;
    double v[MAX_N];
    problem.sections = sections;
    problem.redundant = r->system->ng > r->system->nv ? DOORS * 5 : 0;
    cdi_system_restart(r->work);
    cdi_system_start(r->system, q, v);
    CHECK_OK(cd_integrator_new(r->log.ctx, &problem, method, &it));
    if (!it) return;
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = q, .v = v}));
    CHECK_OK(cd_integrator_run(it, STEPS * 1e-3, observer));
    memcpy(q, cd_integrator_now(it)->q, (size_t)r->system->nq * sizeof *q);
    memcpy(lambda, cd_integrator_now(it)->lambda, (size_t)r->system->ng * sizeof *q);
    cd_integrator_free(it);
}

static double largest_difference(int n, const double *a, const double *b) {
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

static void check_run(void (*write)(CdText *), const char *method, bool used) {
    static double with[MAX_N], without[MAX_N], reaction[2][MAX_N];
    Rig r;
    if (!rig_read(&r, write)) return;
    wrapped = r.problem.sections;
    CHECK(wrapped != NULL);
    CdSections counted = *wrapped;
    counted.residual = counted_residual;
    evaluations = 0;
    run(&r, &counted, method, NULL, with, reaction[0]);
    CHECK(used ? evaluations >= STEPS : evaluations == 0);
    run(&r, NULL, method, NULL, without, reaction[1]);
    CHECK_NEAR(largest_difference(r.system->nq, with, without), 0, 1e-12);
    // of constraints that do not act too
    CHECK_NEAR(largest_difference(r.system->ng, reaction[0], reaction[1]), 0, 1e-12);
    rig_close(&r);
}

#define FIXED "(linsol=native,step=1e-3,adaptive=false,form="
TEST(methods_go_section_by_section) {
    check_run(write_arms, "gen-alpha" FIXED "index3)", true);
    check_run(write_arms, "trapezoidal" FIXED "index2)", true);
    check_run(write_arms, "hht" FIXED "index1)", true);
    check_run(write_doors, "gen-alpha" FIXED "index3)", true);
    check_run(write_arms, "gen-alpha", false); // stabilised
}

// ---- history

static int step_ends[2]; // of steps, by the problem and by sections
static CdStatus (*wrapped_end)(void *data, const CdPoint *at, bool *event);

static CdStatus counted_end(void *data, const CdPoint *at, bool *event) {
    step_ends[0]++;
    return wrapped_end(data, at, event);
}

static void counted_sections_end(void *data, int first, int end, const CdPoint *at) {
    step_ends[1] += end - first;
    wrapped->step_end(data, first, end, at);
}

// doors that turn against a spring, more than once around
static void write_wound(CdText *text) {
    for (int i = 0; i < ARMS; i++) {
        write_link(text, "w", i, 0, "Revolute", ", \"axis\": [0, 1, 0], \"start_rate\": [400]");
        cdi_text_addf(text,
                      ", {\"class\": \"TorsionalSpringDamper\", \"name\": \"spring%d\", "
                      "\"body_b\": \"w%d_0\", \"at\": [0, 0, %d], \"axis\": [0, 1, 0], "
                      "\"stiffness\": %g}",
                      i, i, i, 0.1 + 0.001 * i);
    }
}

static CdStatus look(void *user, const CdPoint *at) {
    (void)user;
    (void)at;
    return CD_OK;
}

// with steps that end by sections, by the problem because samples are inside, and without sections
TEST(steps_end_section_by_section) {
    static double q[3][MAX_N], lambda[MAX_N];
    Rig r;
    if (!rig_read(&r, write_wound)) return;
    wrapped = r.problem.sections;
    CHECK(wrapped && wrapped->step_end && r.problem.step_end);
    if (!wrapped) return;
    CdSections counted = *wrapped;
    counted.step_end = counted_sections_end;
    wrapped_end = r.problem.step_end;
    r.problem.step_end = counted_end;
    step_ends[0] = step_ends[1] = 0;
    run(&r, &counted, "gen-alpha" FIXED "index3)", NULL, q[0], lambda);
    CHECK_INT(step_ends[0], 0);
    CHECK_INT(step_ends[1], STEPS * counted.n);
    const CdObserver inside = {.sample = look, .interval = 0.4e-3};
    run(&r, &counted, "gen-alpha" FIXED "index3)", &inside, q[1], lambda);
    CHECK(step_ends[0] > 0);
    CHECK_INT(step_ends[1], (2 * STEPS - step_ends[0]) * counted.n);
    r.system->sections = NULL;
    run(&r, NULL, "gen-alpha" FIXED "index3)", NULL, q[2], lambda);
    for (int k = 1; k < 3; k++) {
        CHECK_NEAR(largest_difference(r.system->nq, q[0], q[k]), 0, 1e-12);
    }
    rig_close(&r);
}

// ---- cancelled between two iterations

static int left;

static CdStatus stops(void *data) {
    return left-- > 0 ? wrapped->begin(data) : CD_CANCELLED;
}

static CdIntegrator *start(const Rig *r, const CdSections *sections) {
    static double q[MAX_N], v[MAX_N];
    CdIntegrator *it;
    CdProblem problem = r->problem;
    problem.sections = sections;
    cdi_system_start(r->system, q, v);
    CHECK_OK(cd_integrator_new(r->log.ctx, &problem, "gen-alpha" FIXED "index3)", &it));
    if (it) CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = q, .v = v}));
    return it;
}

// the run ends where its last step did
TEST(a_cancelled_step_leaves_what_was_before) {
    static double q[STEPS + 1][MAX_N];
    Rig r;
    if (!rig_read(&r, write_arms)) return;
    const size_t size = (size_t)r.system->nq * sizeof(double);
    wrapped = r.problem.sections;
    CdIntegrator *it = start(&r, wrapped);
    for (int k = 0; it && k <= STEPS; k++) {
        if (k > 0) CHECK_OK(cd_integrator_run(it, k * 1e-3, NULL));
        memcpy(q[k], cd_integrator_now(it)->q, size);
    }
    cd_integrator_free(it);
    CdSections stopping = *wrapped;
    stopping.begin = stops;
    for (int n = 1, ended = 0; n < 5 * STEPS && !ended; n++) {
        left = n;
        it = start(&r, &stopping);
        if (!it) break;
        const CdStatus status = cd_integrator_run(it, STEPS * 1e-3, NULL);
        const CdPoint *now = cd_integrator_now(it);
        ended = status == CD_OK;
        CHECK_INT(status, ended ? CD_OK : CD_CANCELLED);
        CHECK(memcmp(now->q, q[lround(now->t / 1e-3)], size) == 0);
        cd_integrator_free(it);
    }
    rig_close(&r);
}

// ---- mistakes

static CdStatus open_with(Rig *r, CdSections u) {
    CdIntegrator *it;
    CdProblem problem = r->problem;
    problem.sections = &u;
    const CdStatus status = cd_integrator_new(r->log.ctx, &problem, "gen-alpha", &it);
    cd_integrator_free(it);
    return status;
}

TEST(sections_that_do_not_fit_are_refused) {
    static const int falls[] = {0, 200, 100}, ends[] = {0, 3, 4};
    Rig r;
    if (!rig_read(&r, write_arms)) return;
    CdSections u = *r.problem.sections;
    CHECK_OK(open_with(&r, u));
    u.v = falls;
    CHECK_INT(open_with(&r, u), CD_INVALID);
    u = *r.problem.sections;
    u.q = ends;
    u.g = NULL;
    u.normalise = NULL;
    CHECK_INT(open_with(&r, u), CD_INVALID);
    CHECK(strstr(r.log.text, "numbers of v do not rise from 0 to 288") != NULL);
    CHECK(strstr(r.log.text, "numbers of q do not rise") != NULL);
    CHECK(strstr(r.log.text, "numbers of g do not rise") != NULL);
    CHECK(strstr(r.log.text, "'normalise' of their own") != NULL);
    u.n = 0;
    CHECK_INT(open_with(&r, u), CD_INVALID);
    CHECK(strstr(r.log.text, "there are 0") != NULL);
    rig_close(&r);
}

int main(void) {
    RUN(islands_with_tiles_of_their_own_are_sections);
    RUN(what_is_tied_has_no_sections);
    RUN(what_is_read_has_no_sections);
    RUN(sections_give_the_bits_of_the_whole);
    RUN(so_do_their_derivatives);
    RUN(methods_go_section_by_section);
    RUN(steps_end_section_by_section);
    RUN(a_cancelled_step_leaves_what_was_before);
    RUN(sections_that_do_not_fit_are_refused);
    return test_end();
}
