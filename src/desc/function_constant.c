// function_constant.c - y = value
#include "desc/function.h"

static void eval(const void *data, double x, double y[3]) {
    (void)x;
    const CdConstant *p = data;
    y[0] = p->value;
    y[1] = y[2] = 0;
}

#define FIELD(...) CD_FIELD(CdConstant, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(value, REAL, "$y", NULL, "", "the value"),
};

const CdFunctionClass cd_function_constant = {
    .desc = {.name = "Constant",
             .doc = "The same value everywhere",
             .size = sizeof(CdConstant),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Constant\", \"value\": 3}"},
    .eval = eval,
};
