// expr_tape.h - the tape of a compiled expression, shared by its compiler and its evaluator
#ifndef CARDAN_AD_EXPR_TAPE_H
#define CARDAN_AD_EXPR_TAPE_H

#include <stdint.h>

#include "ad/expr.h"

// operators come first, then the functions in the order of exprs.def
typedef enum CdOpCode {
    CD_OP_CONSTANT,
    CD_OP_VARIABLE,
    CD_OP_ARGUMENT, // of a CALL: arg[0] is its value, arg[1] the argument before it
    CD_OP_CALL,     // of a function of the user's: arg[0] is its last argument
    CD_OP_NEG,
    CD_OP_NOT,
    CD_OP_ADD,
    CD_OP_SUB,
    CD_OP_MUL,
    CD_OP_DIV,
    CD_OP_LT,
    CD_OP_LE,
    CD_OP_GT,
    CD_OP_GE,
    CD_OP_EQ,
    CD_OP_NE,
    CD_OP_AND,
    CD_OP_OR,
#define UNARY(name, f, df, ddf) CD_OP_##name,
#define FUNCTION(name, nargs) CD_OP_##name,
#include "ad/exprs.def"
#undef UNARY
#undef FUNCTION
    CD_NOP
} CdOpCode;

// one operation; its result has the index of the operation
typedef struct CdOp {
    uint16_t code;
    uint16_t arg[3]; // indices of earlier operations; of a VARIABLE: arg[0] is the variable
    union {
        double value;              // of a CONSTANT
        const CdDefined *function; // of a CALL
    };
} CdOp;

struct CdExpr {
    size_t nops;
    size_t nvariables; // of the scope; names of others are numbered behind them
    size_t nnames;
    CdExprName *names;
    CdOp ops[]; // the last one is the result
};

// result of one operation from those of its arguments
CdJet cdi_op_apply(CdOpCode code, CdJet a, CdJet b, CdJet c);

#endif
