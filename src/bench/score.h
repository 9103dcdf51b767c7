// score.h - a problem with a reference solution: run a model on it and measure the error
//
//   e_j(t_i) = |y_j - ref_j| / max(|ref_j|, threshold),   e = sqrt(mean over i, j of e_j(t_i)^2)
//
// problems/<code>/check.json says which model, which reference and which channels:
//
//   {"problem": "A01", "variants": [{"name": "10s", "model": "model.json",
//    "reference": "reference.csv", "columns": {"x": "tip.x"}, "threshold": 1e-3, "limit": 1e-3,
//    "run": {"duration": 10, "step": 0.001}, "order": {"steps": [0.004, 0.002, 0.001]}}]}
//
// A variant with "fine": true costs more and is left out in quick mode. "order" is for the tests:
// with these steps the error must fall with the square of the step.
//
// Gonzalez, Dopico, Lugris & Cuadrado, Multibody Syst. Dyn. 16 (2006) 161.
#ifndef CARDAN_BENCH_SCORE_H
#define CARDAN_BENCH_SCORE_H

#include "simulate/simulate.h"

typedef struct CdScore {
    const char *problem, *variant; // valid during the call that gets it
    CdStatus status;               // of the run
    double error, limit;           // error is infinite if the run failed
    bool passed;
    CdRunSummary run;
} CdScore;

typedef struct CdScoring {
    const char *variant; // only this one; NULL: all
    const char *method;  // in place of the problem's; NULL: its own
    double step;         // likewise; 0: its own
    bool quick;          // without variants that are marked "fine": true
    void *user;
    CdStatus (*score)(void *user, const CdScore *score); // called after every run
    bool (*cancelled)(void *user, double t);
} CdScoring;

// all variants of the problem in a folder
CdStatus cdi_score_folder(CdContext *ctx, const char *folder, const CdScoring *scoring);

#endif
