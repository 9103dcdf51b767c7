// function_polynomial.c - y = c0 + c1 x + c2 x^2 + ..., by Horner's rule with two derivatives
#include "desc/function.h"

typedef struct Polynomial {
    CdList coefficients;
} Polynomial;

static void eval(const void *data, double x, double y[3]) {
    const Polynomial *p = data;
    const double *c = p->coefficients.v;
    double v = 0, d = 0, half_dd = 0;
    for (int i = p->coefficients.n - 1; i >= 0; i--) {
        half_dd = half_dd * x + d;
        d = d * x + v;
        v = v * x + c[i];
    }
    y[0] = v;
    y[1] = d;
    y[2] = 2 * half_dd;
}

#define FIELD(...) CD_FIELD(Polynomial, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(coefficients, REAL, "", NULL, "", "c0, c1, c2, ... in SI units", .list = true,
          .count = "[1, 100]"),
};

const CdFunctionClass cd_function_polynomial = {
    .desc = {.name = "Polynomial",
             .doc = "Sum of the powers of x, each with its coefficient",
             .size = sizeof(Polynomial),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Polynomial\", \"coefficients\": [1, 0, -2.5]}"},
    .eval = eval,
};
