// flat_gram.h - G G^T mu = r, for the multipliers of the stabilised form
#ifndef CARDAN_PROBLEM_FLAT_GRAM_H
#define CARDAN_PROBLEM_FLAT_GRAM_H

#include "problem/problem.h"

typedef struct CdiGram CdiGram;
CdStatus cdi_gram_new(CdiProblem *p, CdiGram **out);
void cdi_gram_free(CdiGram *g); // NULL does nothing
CdStatus cdi_gram_setup(CdiGram *g, const CdPoint *at);
// r, nc numbers of which the first ng count, becomes mu; gmu = G^T mu
CdStatus cdi_gram_solve(CdiGram *g, double *r, double *gmu);
void cdi_gram_explain(const CdiGram *g, CdText *text);
size_t cdi_gram_save_size(const CdiGram *g);
void cdi_gram_save(const CdiGram *g, void *to);
CdStatus cdi_gram_load(CdiGram *g, const void *from);

#endif
