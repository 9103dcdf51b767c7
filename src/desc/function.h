// function.h - functions of one variable as fields: kinds, and evaluation with two derivatives
//
// In JSON a number is a constant, "5 kN" too; other text is an expression; else {"class": ...}
// names one of functions.def.
#ifndef CARDAN_DESC_FUNCTION_H
#define CARDAN_DESC_FUNCTION_H

#include "desc/desc.h"

typedef struct CdFunctionClass {
    CdDesc desc; // in its rows the unit $y stands for that of the value, $x for the variable's
    void (*eval)(const void *data, double x, double y[3]); // value, first and second derivative
} CdFunctionClass;

// the member of a FUNCTION field
typedef struct CdFunction {
    const CdFunctionClass *cls; // NULL: none given, evaluates to zero
    void *data;
} CdFunction;

void cdi_function_eval(const CdFunction *function, double x, double y[3]);

// name and unit of the variable, also for a row that does not say or is NULL
const char *cdi_function_arg(const CdField *f);
const char *cdi_function_arg_unit(const CdField *f);

extern const CdDesc *const cdi_function_classes[]; // NULL-terminated, in the order of functions.def

// the kinds that short forms stand for
extern const CdFunctionClass cd_function_constant, cd_function_expression;

#endif
