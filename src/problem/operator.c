// operator.c - stage 1: not there yet
#include "problem/work.h"

CdStatus cdi_lin_new(CdiProblem *p, bool is_complex, CdiLin **lin) {
    (void)p, (void)is_complex, (void)lin;
    return CD_BUG;
}
void cdi_lin_free(CdiLin *lin) {
    (void)lin;
}
CdStatus cdi_lin_setup(CdiLin *lin, const CdOperator *op) {
    (void)lin, (void)op;
    return CD_BUG;
}
CdStatus cdi_lin_solve(CdiLin *lin, double *b, int nrhs, bool transposed) {
    (void)lin, (void)b, (void)nrhs, (void)transposed;
    return CD_BUG;
}
void cdi_lin_mul_add(const CdiLin *lin, CdWhich which, double alpha, const double *x, double *y) {
    (void)lin, (void)which, (void)alpha, (void)x, (void)y;
}
void cdi_lin_explain(const CdiLin *lin, CdText *text) {
    (void)lin, (void)text;
}
size_t cdi_lin_save_size(const CdiLin *lin) {
    (void)lin;
    return 0;
}
void cdi_lin_save(const CdiLin *lin, void *to) {
    (void)lin, (void)to;
}
CdStatus cdi_lin_load(CdiLin *lin, const void *from) {
    (void)lin, (void)from;
    return CD_BUG;
}
