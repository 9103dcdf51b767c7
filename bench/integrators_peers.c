// integrators_peers.c - Pleiades and Van der Pol, and how CVODE and SciPy solve them
//
//   Pleiades     seven stars in the plane, 28 states, t = 0 ... 3       (not stiff)
//   Van der Pol  mu = 1000, t = 0 ... 2000                              (stiff)
//
// Mazzia & Magherini, Test Set for Initial Value Problem Solvers, Bari 2008.
#define _POSIX_C_SOURCE 200809L
#include "integrators_peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/clock.h"

#define STARS 7
#define REPEATS 5
#define MAX_STEPS 1000000

// ---- the problems

// y = x, y, x', y' of all stars; star i has mass i + 1
static void pleiades(const double *y, double *f) {
    const double *px = y, *py = y + STARS;
    memcpy(f, y + 2 * STARS, 2 * STARS * sizeof *f);
    for (int i = 0; i < STARS; i++) {
        double ax = 0, ay = 0;
        for (int j = 0; j < STARS; j++) {
            if (j == i) continue;
            const double dx = px[j] - px[i], dy = py[j] - py[i], d2 = dx * dx + dy * dy;
            const double w = (j + 1) / (d2 * sqrt(d2));
            ax += w * dx;
            ay += w * dy;
        }
        f[2 * STARS + i] = ax;
        f[3 * STARS + i] = ay;
    }
}

static const double pleiades_start[] = {3, 3, -1, -3, 2, -2,   2,    3, -3, 2, 0,     0, -4, 4,
                                        0, 0, 0,  0,  0, 1.75, -1.5, 0, 0,  0, -1.25, 1, 0,  0};
static const double pleiades_end[] = {
    0.3706139143970502,  3.237284092057233,  -3.222559032418324,  0.659709145577531,
    0.3425581707156584,  1.562172101400631,  -0.7003092922212495, -3.943437585517392,
    -3.27138097397255,   5.225081843456543,  -2.59061243497747,   1.198213693392275,
    -0.2429682344935824, 1.09144924042898,   3.417003806314313,   1.354584501625501,
    -2.590065597810775,  2.025053734714242,  -1.155815100160448,  -0.8072988170223021,
    0.595239635420871,   -3.74124496123401,  0.377345968575063,   0.9386858869551074,
    0.3667922227200571,  -0.347404635380849, 2.344915448180937,   -1.947020434263292};

const Peer peer_pleiades = {.name = "pleiades",
                            .n = 4 * STARS,
                            .t_end = 3,
                            .start = pleiades_start,
                            .end = pleiades_end,
                            .rate = pleiades};

#define MU 1000.0
static void vdpol(const double *y, double *f) {
    f[0] = y[1];
    f[1] = MU * (1 - y[0] * y[0]) * y[1] - y[0];
}

static void vdpol_jacobian(const double *y, double *J) {
    J[0] = 0;
    J[1] = -2 * MU * y[0] * y[1] - 1;
    J[2] = 1;
    J[3] = MU * (1 - y[0] * y[0]);
}

static const double vdpol_start[] = {2, 0};
static const double vdpol_end[] = {1.706167732170469, -0.8928097010248125e-3};

const Peer peer_vdpol = {.name = "vdpol",
                         .n = 2,
                         .stiff = true,
                         .t_end = 2000,
                         .start = vdpol_start,
                         .end = vdpol_end,
                         .rate = vdpol,
                         .jacobian = vdpol_jacobian};

double peer_error(const Peer *peer, const double *y) {
    double worst = 0;
    for (int i = 0; i < peer->n; i++) {
        worst = fmax(worst, fabs(y[i] - peer->end[i]) / fmax(fabs(peer->end[i]), 1e-3));
    }
    return worst;
}

// ---- CVODE

static int cvode_rate(realtype t, N_Vector y, N_Vector f, void *user) {
    (void)t;
    ((const Peer *)user)->rate(N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
}

static int cvode_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *user, N_Vector a,
                          N_Vector b, N_Vector c) {
    (void)t;
    (void)f;
    (void)a;
    (void)b;
    (void)c;
    ((const Peer *)user)->jacobian(N_VGetArrayPointer(y), SUNDenseMatrix_Data(J));
    return 0;
}

// everything that a run needs; members may be NULL after a failure
typedef struct Cvode {
    SUNContext ctx;
    N_Vector y;
    SUNMatrix A;
    SUNLinearSolver solver;
    SUNNonlinearSolver fixed_point;
    void *mem;
} Cvode;

static bool cvode_new(Cvode *c, const Peer *peer, double tol) {
    if (SUNContext_Create(NULL, &c->ctx) != 0) return false;
    c->y = N_VNew_Serial(peer->n, c->ctx);
    c->mem = CVodeCreate(peer->stiff ? CV_BDF : CV_ADAMS, c->ctx);
    if (!c->y || !c->mem) return false;
    memcpy(N_VGetArrayPointer(c->y), peer->start, (size_t)peer->n * sizeof(double));
    int bad = CVodeInit(c->mem, cvode_rate, 0, c->y);
    bad |= CVodeSStolerances(c->mem, tol, tol);
    bad |= CVodeSetUserData(c->mem, (void *)peer);
    bad |= CVodeSetMaxNumSteps(c->mem, MAX_STEPS);
    if (!peer->stiff) {
        c->fixed_point = SUNNonlinSol_FixedPoint(c->y, 0, c->ctx);
        return !bad && CVodeSetNonlinearSolver(c->mem, c->fixed_point) == 0;
    }
    c->A = SUNDenseMatrix(peer->n, peer->n, c->ctx);
    c->solver = SUNLinSol_Dense(c->y, c->A, c->ctx);
    bad |= CVodeSetLinearSolver(c->mem, c->solver, c->A);
    return !bad && CVodeSetJacFn(c->mem, cvode_jacobian) == 0;
}

static void cvode_free(Cvode *c) {
    if (c->mem) CVodeFree(&c->mem);
    if (c->fixed_point) SUNNonlinSolFree(c->fixed_point);
    if (c->solver) SUNLinSolFree(c->solver);
    if (c->A) SUNMatDestroy(c->A);
    if (c->y) N_VDestroy(c->y);
    if (c->ctx) SUNContext_Free(&c->ctx);
}

bool peer_cvode(const Peer *peer, double tol, PeerPoint *point) {
    double best = INFINITY;
    for (int k = 0; k < REPEATS; k++) {
        Cvode c = {0};
        bool ok = cvode_new(&c, peer, tol);
        const int64_t begin = cdi_clock_ns();
        realtype t = 0;
        ok = ok && CVode(c.mem, peer->t_end, c.y, &t, CV_NORMAL) >= 0;
        best = fmin(best, (double)(cdi_clock_ns() - begin) / 1e3);
        if (ok) point->error = peer_error(peer, N_VGetArrayPointer(c.y));
        cvode_free(&c);
        if (!ok) return false;
    }
    snprintf(point->method, sizeof point->method, "%s", peer->stiff ? "bdf" : "adams");
    point->tol = tol;
    point->us = best;
    return true;
}

// ---- SciPy

size_t peer_scipy(const Peer *peer, const char *script, PeerPoint *points, size_t max) {
    char command[512];
    const char *python = getenv("CARDAN_PYTHON");
    snprintf(command, sizeof command, "%s '%s' %s", python ? python : "python3", script,
             peer->name);
    FILE *pipe = popen(command, "r");
    size_t n = 0;
    if (!pipe) return 0;
    while (n < max && fscanf(pipe, "%31s %lg %lg %lg", points[n].method, &points[n].tol,
                             &points[n].error, &points[n].us) == 4) {
        n++;
    }
    pclose(pipe);
    return n;
}
