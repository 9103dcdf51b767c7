// flat_work.h - what the files of the flat form share
#ifndef CARDAN_PROBLEM_FLAT_WORK_H
#define CARDAN_PROBLEM_FLAT_WORK_H

#include "problem/flat.h"

// where the parts of Y begin; rows of F stand at the same places
typedef struct CdiFlatParts {
    size_t v, y, x, lambda, mu;
} CdiFlatParts;

typedef struct CdiFlatWork {
    CdiFlatParts from;
    bool plain_ode; // explicit, nothing but y' = phi
    CdPoint at;     // members point into the vectors of a call, or here if Y does not hold them
    double *lambda; // nc, of the explicit form
    double *mu;     // nc: mu with zeros for the rows of N; zeros unless stabilised
    double *u;      // nv: v - G^T mu
    double *zu;     // nq: Z u
    double *unit;   // nq: q on its manifold
    double *old;    // n: Y before it is moved
} CdiFlatWork;

static inline bool cdi_flat_stabilised(const CdiFlat *f) {
    return f->setup.form == CD_GGL;
}

// flat_form.c: settle the form, or refuse with a message; path, index, differential, weight
CdStatus cdi_flat_choose_form(CdiFlat *f);
CdStatus cdi_flat_describe(CdiFlat *f);

// flat_gram.c: G G^T mu = r, for the multipliers of the stabilised form
typedef struct CdiGram CdiGram;
CdStatus cdi_gram_new(CdiProblem *p, CdiGram **out);
void cdi_gram_free(CdiGram *g); // NULL does nothing
CdStatus cdi_gram_setup(CdiGram *g, const CdPoint *at);
CdStatus cdi_gram_setup_as(CdiGram *g, const CdiGram *from); // with the G of another
// r, of which the first ng numbers count, becomes mu; gmu = G^T mu
CdStatus cdi_gram_solve(CdiGram *g, double *r, double *gmu);
void cdi_gram_explain(const CdiGram *g, CdText *text);
size_t cdi_gram_save_size(const CdiGram *g);
void cdi_gram_save(const CdiGram *g, char *to);
CdStatus cdi_gram_load(CdiGram *g, const char *from);

#endif
