// derive.h - what the directives of a kernel ask for, as programs on its graph
#ifndef ADC_DERIVE_H
#define ADC_DERIVE_H

#include "bundle.h"

typedef struct Output {
    const char *name;
    int n, ncol; // doubles; columns if it is a matrix, else 0
    int *node;
    bool scalar; // the result of a double function
} Output;

typedef struct Extra { // an input that the kernel has not: v, lambda
    const char *name;
    int n;
} Extra;

typedef struct Program { // one function of the generated header: <kernel>_<name>
    Function *fn;
    Graph *g;
    const char *name, *doc;
    LIST(Extra) extras;
    LIST(Output) outs; // the last one is what the program is about
    int ndir;
    const Directive *gradient_of; // its result is the gradient of one scalar, by this directive
    bool lanes;
    Bundle *loops; // the scalar code computes its Jacobian this way; NULL: line by line
} Program;

typedef LIST(Program *) Programs;

// programs of one kernel in the order of its directives; messages for what can not be derived
void derive(Unit *u, Function *fn, Programs *out);
void collect_moves(Unit *u); // move(Struct) directives; before derive

#endif
