// graph.h - the values of an unrolled kernel: an acyclic graph of scalar operations
//
// Loops and calls are gone; a branch on doubles is a context: "inside the then (else) part of
// condition c". A node lives in one context and is computed only there. O_PHI joins the two parts
// in the context around them; O_SEL chooses between two values that exist anyway.
// Equal nodes are one node; exact identities (x*1, x+0, -(-x), constants) are folded at once.
#ifndef ADC_GRAPH_H
#define ADC_GRAPH_H

#include "mathfn.h"
#include "tree.h"

typedef enum Op {
    O_UNDEF, // node 0: no value yet
    O_CONST,
    O_INPUT, // argument: leaf a
    O_NEG,
    O_ADD,
    O_SUB,
    O_MUL,
    O_DIV,
    O_MATH,   // fn(a) or fn(a, b)
    O_EXTERN, // call a
    O_SEL,    // a ? b : c
    O_PHI,    // joins the parts of condition a: b from then, c from else
    O_LT,
    O_LE,
    O_EQ,
    O_AND,
    O_OR,
    O_NOT,
    NOPS
} Op;

typedef struct Node {
    Op op;
    int fn; // O_MATH
    int ctx;
    int a, b, c;
    double value;     // O_CONST
    const char *hint; // name of the variable that first held it
    int contexts;     // of a condition: the first context that has it, or 0
} Node;

typedef struct Leaf { // one double of the arguments
    const char *text; // x[2], p->length
    const char *arg;  // the argument it belongs to, and its place in it
    int index;
} Leaf;

typedef struct Call { // of an extern function
    Function *fn;
    int nargs, arg[8]; // node, or -1 for a handle
    const char *handle[8];
} Call;

typedef struct Context {
    int parent, cond, depth;
    bool then;
    int next; // another context with this condition, or 0
} Context;

typedef struct Graph {
    Mem *mem;
    LIST(Node) nodes;
    LIST(Leaf) leaves;
    LIST(Call) calls;
    LIST(Context) contexts; // 0 is the whole function
    int *table;             // hash of nodes
    int ntable;
} Graph;

enum { UNDEF = 0, MAX_NODES = 200000 };

Graph *graph_new(Mem *mem);
int graph_const(Graph *g, double value);
int graph_input(Graph *g, const char *arg, int index, const char *text);
int graph_node(Graph *g, Op op, int a, int b, int ctx); // NEG to DIV, comparisons, AND, OR, NOT
int graph_math(Graph *g, MathFn fn, int a, int b, int ctx);
int graph_call(Graph *g, const Call *call, int ctx);
int graph_sel(Graph *g, int cond, int a, int b, int ctx);
int graph_phi(Graph *g, int cond, int a, int b, int ctx);
int graph_context(Graph *g, int parent, int cond, bool then);

bool graph_is(const Graph *g, int node, double value);   // this constant?
bool graph_inside(const Graph *g, int inner, int outer); // is context inner within outer?
int graph_operands(const Graph *g, int node, int out[8]);
bool graph_is_condition(const Graph *g, int node);

// the same values where leaves are replaced: map[leaf] is a node, or UNDEF to keep it. done[node]
// (one per node that exists, UNDEF at first) becomes the copy of every root and what it needs.
void graph_copy_all(Graph *g, const int *roots, int nroot, const int *map, int *done);

#endif
