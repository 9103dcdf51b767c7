// function.h - functions of one variable as fields: kinds, and evaluation with two derivatives
//
// In JSON a number is a constant, "5 kN" too; other text is an expression; else {"class": ...}
// names one of functions.def.
#ifndef CARDAN_DESC_FUNCTION_H
#define CARDAN_DESC_FUNCTION_H

#include "base/text.h"
#include "desc/desc.h"

typedef struct CdFunctionClass {
    CdDesc desc; // in its rows the unit $y stands for that of the value, $x for the variable's
    void (*eval)(const void *data, double x, double y[3]); // value, first and second derivative
    double (*value)(const void *data, double x); // the same value alone; NULL: costs as much
} CdFunctionClass;

// the member of a FUNCTION field
typedef struct CdFunction {
    const CdFunctionClass *cls; // NULL: none given, evaluates to zero
    void *data;
} CdFunction;

void cdi_function_eval(const CdFunction *function, double x, double y[3]);
double cdi_function_value(const CdFunction *function, double x); // for less

// name and unit of the variable, also for a row that does not say or is NULL
const char *cdi_function_arg(const CdField *f);
const char *cdi_function_arg_unit(const CdField *f);

extern const CdDesc *const cdi_function_classes[]; // NULL-terminated, in the order of functions.def

// the kinds that short forms stand for
extern const CdFunctionClass cd_function_constant, cd_function_expression;

// data of a constant: whoever evaluates many functions reads it without a call
typedef struct CdConstant {
    double value;
} CdConstant;

// ---- expressions that name others than their variable and parameters: channels of sensors

int cdi_function_names(const CdFunction *function); // how many, 0 for most
// the k-th, in the order of the text, and the column where it stands first
const char *cdi_function_name(const CdFunction *function, int k, int *col);
const char *cdi_function_text(const CdFunction *function); // of an expression, else NULL
// offer what the text may name but for them
void cdi_function_suggest(CdSuggestion *s, const CdField *f, const CdParams *params);

// the same function whose names have values, those of one run: name k has values[pick[k]]
typedef struct CdBoundFunction {
    const CdFunction *of;
    const double *values;
    const int *pick;
    double x; // at which it was evaluated last
} CdBoundFunction;
CdFunction cdi_function_bind(CdBoundFunction *bound);           // lives as long as `bound`
double cdi_function_slope(const CdBoundFunction *bound, int k); // to name k, at the last x

#endif
