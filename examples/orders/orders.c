// orders.c - the order table: every integrator on the pendulum, in every form of its constraints
//
// Errors are 2-norms at t = 0.9 against the exact motion.

#include <math.h>
#include <stdio.h>

#include "orders.h"

#define NAME_WIDTH 16

static const char explanation[] =
    "A pendulum of length 1 starts level and at rest and is followed to t = 0.9, in Cartesian\n"
    "coordinates with one constraint: differentiated twice (index1, an ODE), once (index2), as it\n"
    "is (index3), or position and velocity level together (ggl). Methods that take no constraints\n"
    "get the pendulum in its angle. Columns are the errors of positions, velocities and the\n"
    "multiplier against the exact motion, with N and with 2N steps, and the observed orders\n"
    "log2(e_N / e_2N). Higher index means lower order: the multiplier of index3 is a second\n"
    "derivative of what is solved for. Methods that cannot take fixed steps show their errors for\n"
    "three tolerances; steps that vary make index3 worse still, ggl is the form for them.\n";

static void cell(double x) {
    if (isnan(x))
        printf("%9s", "-");
    else
        printf("%9.1e", x);
}

static void order_cell(double coarse, double fine) {
    const double p = ivp_observed(coarse, fine);
    if (isnan(p))
        printf("%6s", "-");
    else
        printf("%6.2f", p);
}

static void errors(const IvpRun *run) {
    printf("  ");
    cell(run->error.q);
    cell(run->error.v);
    cell(run->error.lambda);
}

static void label(const IvpWay *way) {
    printf("%-*s %-7s", NAME_WIDTH, way->cls->desc.name, way->form);
}

static CdStatus by_steps(CdContext *ctx, const IvpWay *way) {
    const int n = ivp_way_steps(way);
    IvpRun run[2];
    label(way);
    printf("%4d", n);
    for (int i = 0; i < 2; i++) {
        CD_TRY(ivp_way_run(ctx, way, IVP_BY_STEP, way->problem->t_end / (n << i), &run[i]));
        errors(&run[i]);
    }
    printf("  ");
    order_cell(run[0].error.q, run[1].error.q);
    order_cell(run[0].error.v, run[1].error.v);
    order_cell(run[0].error.lambda, run[1].error.lambda);
    printf("\n");
    return CD_OK;
}

static CdStatus by_tolerances(CdContext *ctx, const IvpWay *way) {
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    IvpRun run;
    label(way);
    for (int i = 0; i < 3; i++) {
        CD_TRY(ivp_way_run(ctx, way, IVP_BY_TOLERANCE, tolerances[i], &run));
        errors(&run);
    }
    printf("\n");
    return CD_OK;
}

// all methods that take fixed steps, or all that do not
static CdStatus table(CdContext *ctx, bool fixed) {
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls; cls++) {
        IvpWay ways[IVP_WAYS_MAX];
        const int n = ivp_ways(ctx, *cls, ways);
        for (int i = 0; i < n; i++) {
            if (ways[i].fixed != fixed) continue;
            CD_TRY((fixed ? by_steps : by_tolerances)(ctx, &ways[i]));
        }
    }
    return CD_OK;
}

static CdStatus print_all(CdContext *ctx) {
    printf("%s\n", explanation);
    printf("%-*s %-7s%4s  %9s%9s%9s  %9s%9s%9s  %18s\n", NAME_WIDTH, "", "", "", "", "N steps", "",
           "", "2N steps", "", "observed order");
    printf("%-*s %-7s%4s  %9s%9s%9s  %9s%9s%9s  %6s%6s%6s\n", NAME_WIDTH, "method", "form", "N",
           "q", "v", "lambda", "q", "v", "lambda", "q", "v", "l");
    CD_TRY(table(ctx, true));
    printf("\n%-*s %-7s  %9s%9s%9s  %9s%9s%9s  %9s%9s%9s\n", NAME_WIDTH, "", "", "", "rtol 1e-4",
           "", "", "rtol 1e-6", "", "", "rtol 1e-8", "");
    printf("%-*s %-7s  %9s%9s%9s  %9s%9s%9s  %9s%9s%9s\n", NAME_WIDTH, "method", "form", "q", "v",
           "lambda", "q", "v", "lambda", "q", "v", "lambda");
    return table(ctx, false);
}

int main(void) {
    CdContext *ctx = cd_context_new(NULL);
    const CdStatus status = ctx ? print_all(ctx) : CD_NOMEM;
    if (status != CD_OK) printf("\n%s\n", cd_status_text(status));
    cd_context_free(ctx);
    return status != CD_OK;
}
