// tree.h - the tree of a kernel file: types, expressions, statements, functions, directives
#ifndef ADC_TREE_H
#define ADC_TREE_H

#include "source.h"

enum { MAX_DIMS = 3, MAX_CELLS = 4096 }; // dimensions of an array; doubles in one variable

typedef enum BaseType { B_VOID, B_INT, B_DOUBLE, B_STRUCT, B_HANDLE, B_BOOL } BaseType;

typedef struct Type {
    BaseType base;
    const struct Struct *st; // B_STRUCT
    const char *name;        // of the struct, or of what a handle points to
    int ndim, dim[MAX_DIMS];
    bool is_const, pointer;
    bool dynamic; // B_BOOL: compares doubles
} Type;

typedef struct Member {
    const char *name;
    Type type;  // base B_VOID: a member that kernels can not use
    int offset; // in doubles
} Member;

typedef struct Struct {
    const char *name;
    Place place;
    bool whole; // every member is made of doubles, so that values may be copied and written
    LIST(Member) members;
    int ncell; // doubles in it
} Struct;

// a parameter, a local variable, a table or a named integer
typedef struct Var {
    const char *name;
    Place place;
    Type type;
    bool param, constant, counter;
    long integer;  // named integers
    double *table; // constant tables
    int frame;     // index in the frame of its function
} Var;

typedef enum ExprKind {
    E_INT,
    E_REAL,
    E_NAME,
    E_INDEX,  // a[b]
    E_MEMBER, // a.name, a->name
    E_UNARY,
    E_BINARY,
    E_CHOICE, // a ? b : c
    E_CALL,
    E_CAST,
    E_ADDRESS,
} ExprKind;

typedef struct Expr {
    ExprKind kind;
    Place place;
    const char *text; // name or operator
    long integer;
    double real;
    struct Expr *a, *b, *c;
    LIST(struct Expr *) args;
    bool arrow;
    int height; // of the tree below
    // found by types.c
    Type type;
    Var *var;
    const Member *member;
    struct Function *fn;
    int math; // index in the list of math functions, or -1
} Expr;

typedef enum StmtKind { S_DECL, S_ASSIGN, S_CALL, S_IF, S_FOR, S_BLOCK, S_RETURN } StmtKind;

typedef struct Stmt {
    StmtKind kind;
    Place place;
    Var *var;       // S_DECL
    char op;        // S_ASSIGN: '=' '+' '-' '*' '/'
    Expr *left, *e; // S_ASSIGN, S_DECL (e or list), S_CALL, S_IF, S_FOR (condition), S_RETURN
    bool has_list;  // S_DECL with { ... }
    LIST(Expr *) list;
    struct Stmt *init, *step; // S_FOR
    LIST(struct Stmt *) body; // S_BLOCK; S_FOR and S_IF: [0] is the body, [1] the else part
} Stmt;

// one line "// adc: ..."
typedef enum DirectiveKind {
    D_DERIVE,   // name = op(of; ins; extra)
    D_JOINT,    // joint(of; ins): the whole family
    D_LANES,    // lanes(names)
    D_MOVE,     // move(Struct)
    D_PARTIALS, // partials(names)
} DirectiveKind;

typedef struct DirectiveIn {
    const char *name, *member; // x, or p->member
    Place place;
    bool fixed; // x = 1: along this direction with the given speed
    double speed;
} DirectiveIn;

typedef struct Directive {
    DirectiveKind kind;
    Place place;
    const char *name, *op, *of, *extra;
    Place of_place;
    LIST(DirectiveIn) ins;
} Directive;

typedef struct Function {
    const char *name;
    Place place;
    Type result;
    LIST(Var *) params;
    Stmt *body; // NULL for extern functions and prototypes
    bool is_extern, from_include;
    LIST(Directive *) directives;
    int nframe;                       // variables in it
    LIST(struct Function *) partials; // extern: derivatives to its double arguments, in order
} Function;

typedef struct Move {
    const Struct *st;
    Function *fn;
} Move;

// everything that was read
typedef struct Unit {
    Mem *mem;
    Messages *m;
    LIST(Struct *) structs;
    LIST(Var *) globals;
    LIST(Function *) functions;
    LIST(Move) moves;
    LIST(const char *) files; // paths read, for the depfile
    bool lost;                // a declaration was not understood: missing names are no news
} Unit;

int type_cells(const Type *t); // doubles in a value of this type

#endif
