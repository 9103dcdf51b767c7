// flat.h - a problem as one vector Y, for integrators that know no mechanics
//
//   explicit   Y' = f(t, Y)         Y = (q, v, y)            constraints at acceleration level
//   implicit   F(t, Y, Y') = 0      Y = (q, v, y, x, lambda [, mu])
//
// with the constraints of a mechanical problem at the level that the form says:
//
//   index 3   0 = g, 0 = N v + n
//   index 2   0 = J v + (g_t, n)
//   index 1   0 = J v' + gamma
//   ggl       q' = Z (v - G^T mu), 0 = g, 0 = J v + (g_t, n)
//
// Plain problems have no choice. Y is the front part of a CdPoint's block, so the two share memory.
// Gear, Leimkuhler & Gupta, J. Comp. Appl. Math. 12 (1985) 77.
#ifndef CARDAN_PROBLEM_FLAT_H
#define CARDAN_PROBLEM_FLAT_H

#include "problem/problem.h"

typedef enum CdForm { CD_FORM_AUTO, CD_INDEX1, CD_INDEX2, CD_INDEX3, CD_GGL } CdForm;
extern const char *const cdi_form_names[]; // "auto", "index1", ...; NULL-terminated

typedef struct CdFlatSetup {
    bool explicit_form;
    CdForm form;
    bool project; // explicit: back to the constraints after every accepted step
} CdFlatSetup;

typedef struct CdiFlat {
    CdiProblem *p;
    CdFlatSetup setup;
    CdArena arena;
    int n;
    const char *path;   // "mechanical, index 3 -> implicit", for the statistics
    int *index;         // of every unknown: 1, 2, 3
    bool *differential; // its derivative appears
    double *weight;     // of errors
    struct CdiFlatWork *work;
} CdiFlat;

// CD_INVALID with a message if the problem cannot be had in this form
CdStatus cdi_flat_new(CdiProblem *p, const CdFlatSetup *setup, CdiFlat **out);
void cdi_flat_free(CdiFlat *f); // NULL does nothing

CdStatus cdi_flat_rate(CdiFlat *f, double t, const double *Y, double *dY); // explicit
CdStatus cdi_flat_residual(CdiFlat *f, double t, const double *Y, const double *dY, double *R);

// (c F_Y' + F_Y) d = b, or (c I - f_Y) d = b for the explicit form; c real or complex
typedef struct CdiFlatLin CdiFlatLin;
CdStatus cdi_flat_lin_new(CdiFlat *f, bool is_complex, CdiFlatLin **lin);
void cdi_flat_lin_free(CdiFlatLin *lin); // NULL does nothing
// keep: only c differs from the last set-up
CdStatus cdi_flat_lin_setup(CdiFlatLin *lin, const double c[2], double t, const double *Y,
                            const double *dY, bool keep);
// with the derivatives of another system of the same form, real or complex, after its set-up
CdStatus cdi_flat_lin_setup_as(CdiFlatLin *lin, const double c[2], const CdiFlatLin *from);
CdStatus cdi_flat_lin_solve(CdiFlatLin *lin, double *b, int nrhs); // n apart, pairs if complex
void cdi_flat_lin_explain(const CdiFlatLin *lin, CdText *text);
size_t cdi_flat_lin_save_size(const CdiFlatLin *lin);
void cdi_flat_lin_save(const CdiFlatLin *lin, void *to);
CdStatus cdi_flat_lin_load(CdiFlatLin *lin, const void *from);

// scale[i] = weight_i / (atol + rtol |Y_i|), for cdi_vecn()->wrms
void cdi_flat_scale(const CdiFlat *f, const double *Y, double rtol, double atol, double *scale);
// an accepted state: onto the manifold, and to the constraints if the set-up asks for it;
// *changed tells whether Y was moved (by more than rounding: the rate at Y is another)
CdStatus cdi_flat_accept(CdiFlat *f, double t, double *Y, bool *changed);
// to and from points: Y is copied; complete finds what Y does not hold (v', y', x, lambda)
void cdi_flat_pack(const CdiFlat *f, const CdPoint *at, double *Y, double *dY); // dY may be NULL
void cdi_flat_unpack(const CdiFlat *f, double t, const double *Y, const double *dY, CdPoint *at);
CdStatus cdi_flat_complete(CdiFlat *f, CdPoint *at);

#endif
