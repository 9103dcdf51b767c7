// static_try.c - can the archives be linked without shared libraries? Names what the library calls
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <suitesparse/klu.h>

#include "math/lapack.h"

int main(void) {
    double a[] = {4, 2, 2, 3}, w[2], work[64], tau[2];
    const int n = 2, lwork = 64, liwork = 32, one = 1;
    int pivots[] = {0, 0}, iwork[32], info, sum = 0;
    klu_common common;
    SUNContext context;
    dsytrf_("L", &n, a, &n, pivots, work, &lwork, &info, 1);
    sum += info;
    dsytrs_("L", &n, &one, a, &n, pivots, w, &n, &info, 1);
    sum += info;
    dpotrf_("L", &n, (double[]){4, 2, 2, 3}, &n, &info, 1);
    sum += info;
    dgeqp3_(&n, &n, (double[]){4, 2, 2, 3}, &n, (int[]){0, 0}, tau, work, &lwork, &info);
    sum += info;
    dsygst_(&one, "L", &n, (double[]){4, 2, 2, 3}, &n, (double[]){1, 0, 0, 1}, &n, &info, 1);
    sum += info;
    dsyevd_("V", "L", &n, (double[]){4, 2, 2, 3}, &n, w, work, &lwork, iwork, &liwork, &info, 1, 1);
    sum += info;
    dgetrf_(&n, &n, (double[]){4, 2, 2, 3}, &n, pivots, &info);
    sum += info;
    sum += !klu_defaults(&common) + SUNContext_Create(NULL, &context);
    void *cvode = CVodeCreate(CV_BDF, context), *ida = IDACreate(context);
    N_Vector y = N_VNew_Serial(n, context);
    sum += !cvode + !ida + !y;
    N_VDestroy(y);
    CVodeFree(&cvode);
    IDAFree(&ida);
    return sum + SUNContext_Free(&context);
}
