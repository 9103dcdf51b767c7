// turn.c - derivatives along rotations that have some length
//
//   q = q0 o exp(delta):   d/d delta = d/dq . T,   T = dexp_r(delta) for rotations, else I
//
// so that columns of three directions that turn a body are mixed by the T of its increment. Without
// T Newton's method converges with a rate of |delta|/2: slowly for bodies that spin fast.
// Bruels, Cardona & Arnold, Mech. Mach. Theory 48 (2012) 121.
#include <string.h>

#include "base/pool.h"
#include "math/so3.h"
#include "problem/work.h"

// rotations that are worth another thread
#define GRAIN 256

typedef struct Job {
    const CdiProblem *p;
    const CdPattern *pattern;
    int rows;
    const double *delta;
    bool back;
    double *values;
} Job;

// is an entry in one of three columns from j on one of all of them?
static bool are_alike(const CdPattern *a, int j) {
    const int n = a->ptr[j + 1] - a->ptr[j];
    const size_t bytes = (size_t)n * sizeof *a->row;
    for (int k = 1; k < 3; k++) {
        if (a->ptr[j + k + 1] - a->ptr[j + k] != n) return false;
        if (memcmp(a->row + a->ptr[j], a->row + a->ptr[j + k], bytes) != 0) return false;
    }
    return true;
}

static void turn_range(void *user, size_t begin, size_t end, int worker) {
    const Job *job = user;
    const CdPattern *a = job->pattern;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        const int j = job->p->user.rotations[k];
        double T[9];
        if (!are_alike(a, j)) continue;
        (job->back ? so3_dexp_r_inv : so3_dexp_r)(job->delta + j, T);
        double *x = job->values + a->ptr[j], *y = job->values + a->ptr[j + 1];
        double *z = job->values + a->ptr[j + 2];
        const int *at = a->row + a->ptr[j];
        for (int i = 0; i < a->ptr[j + 1] - a->ptr[j] && at[i] < job->rows; i++) {
            const double row[3] = {x[i], y[i], z[i]};
            x[i] = row[0] * T[0] + row[1] * T[3] + row[2] * T[6];
            y[i] = row[0] * T[1] + row[1] * T[4] + row[2] * T[7];
            z[i] = row[0] * T[2] + row[1] * T[5] + row[2] * T[8];
        }
    }
}

void cdi_turn_columns(const CdiProblem *p, const CdPattern *a, int rows, const double *delta,
                      bool back, double *values) {
    Job job = {p, a, rows, delta, back, values};
    cd_parallel_for(p->user.pool, (size_t)p->user.nrotations, GRAIN, turn_range, &job);
}
