// libraries.h - libraries of others: which of them this build has, and what is lost without them
//
// None is needed. Without LAPACK the own kernels serve matrices of any order, without SuiteSparse
// the solvers native and dense and an order of our own, without SUNDIALS the other integrators.
#ifndef CARDAN_BASE_LIBRARIES_H
#define CARDAN_BASE_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct CdLibrary {
    const char *name;
    bool here;
    const char *classes; // that it brings, separated by spaces
    const char *purpose;
    const char *packages; // of Debian
} CdLibrary;

extern const CdLibrary cdi_libraries[]; // the last one has no name

// writes why this build has no class of that name into text and returns it; "" if nothing is known
#define CDI_LEFT_OUT_MAX 160
const char *cdi_left_out(const char *name, char text[CDI_LEFT_OUT_MAX]);
// of any of these; `libraries` ends with one that has no name
const char *cdi_left_out_of(const CdLibrary *libraries, const char *name,
                            char text[CDI_LEFT_OUT_MAX]);

#endif
