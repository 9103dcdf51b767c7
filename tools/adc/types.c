// types.c - finds what every name means and refuses what is not in the subset
//
// Integers are known while unrolling, doubles are not: an int may be an index or a bound, a double
// may not. A comparison of doubles is "dynamic": it becomes a branch of the derived code.
#include "types.h"

#include <string.h>

#include "mathfn.h"

typedef struct Checker {
    Unit *u;
    Function *f;
    int nfunctions; // functions that may be called: those above this one
    LIST(Var *) scope;
} Checker;

#define X(name, nargs) {#name, nargs},
static const struct {
    const char *name;
    int nargs;
} maths[] = {MATH_FUNCTIONS(X)};
#undef X

const char *math_name(MathFn f) {
    return maths[f].name;
}

int math_nargs(MathFn f) {
    return maths[f].nargs;
}

int math_find(const char *name) {
    for (int i = 0; i < M_COUNT; i++) {
        if (strcmp(name, maths[i].name) == 0) return i;
    }
    return -1;
}

int type_cells(const Type *t) {
    long n = t->base == B_DOUBLE ? 1 : t->base == B_STRUCT ? t->st->ncell : 0;
    for (int i = 0; i < t->ndim; i++) {
        n *= t->dim[i];
        if (n > MAX_CELLS) return MAX_CELLS + 1;
    }
    return (int)n;
}

Function *find_function(const Unit *u, const char *name) {
    for (int i = 0; i < u->functions.n; i++) {
        if (strcmp(u->functions.at[i]->name, name) == 0) return u->functions.at[i];
    }
    return NULL;
}

static bool scalar(const Type *t) {
    return t->ndim == 0 && (t->base == B_INT || t->base == B_DOUBLE);
}

#define WRONG(c, place, ...) (message_error((c)->u->m, place, __VA_ARGS__), false)

static bool check(Checker *c, Expr *e);

static Var *lookup(const Checker *c, const char *name) {
    for (int i = c->scope.n - 1; i >= 0; i--) {
        if (strcmp(c->scope.at[i]->name, name) == 0) return c->scope.at[i];
    }
    for (int i = c->u->globals.n - 1; i >= 0; i--) {
        if (strcmp(c->u->globals.at[i]->name, name) == 0) return c->u->globals.at[i];
    }
    return NULL;
}

static bool check_name(Checker *c, Expr *e) {
    e->var = lookup(c, e->text);
    if (!e->var) {
        return WRONG(c, e->place, "'%s' is not declared; declare it above or check the spelling",
                     e->text);
    }
    e->type = e->var->type;
    return true;
}

static bool check_index(Checker *c, Expr *e) {
    if (!check(c, e->a) || !check(c, e->b)) return false;
    if (e->a->type.ndim == 0) return WRONG(c, e->place, "this is not an array; remove the index");
    if (e->b->type.base != B_INT || e->b->type.ndim) {
        return WRONG(c, e->b->place, "an index is an integer; use a constant or a loop counter");
    }
    e->type = e->a->type;
    e->type.ndim--;
    for (int i = 0; i < e->type.ndim; i++) e->type.dim[i] = e->type.dim[i + 1];
    return true;
}

static bool check_member(Checker *c, Expr *e) {
    if (!check(c, e->a)) return false;
    const Type *t = &e->a->type;
    if (t->base != B_STRUCT || t->ndim) {
        return WRONG(c, e->place,
                     "this is not a struct known here; put its typedef into the file "
                     "or into a kernel header");
    }
    if (e->arrow != t->pointer) {
        return WRONG(c, e->place, "this is %s; write %s%s", t->pointer ? "a pointer" : "no pointer",
                     t->pointer ? "->" : ".", e->text);
    }
    for (int i = 0; i < t->st->members.n && !e->member; i++) {
        if (strcmp(t->st->members.at[i].name, e->text) == 0) e->member = &t->st->members.at[i];
    }
    if (!e->member) {
        return WRONG(c, e->place, "%s has no member '%s'; check the spelling", t->st->name,
                     e->text);
    }
    if (e->member->type.base == B_VOID) {
        return WRONG(c, e->place, "member '%s' is not made of doubles; kernels can not read it",
                     e->text);
    }
    e->type = e->member->type;
    e->type.is_const = t->is_const;
    return true;
}

static bool arithmetic(Checker *c, const Expr *e) {
    if (scalar(&e->type)) return true;
    if (e->type.base == B_BOOL) {
        return WRONG(c, e->place, "a comparison is not a number; write condition ? 1.0 : 0.0");
    }
    if (e->type.ndim) {
        return WRONG(c, e->place, "an array is not a number; write an index or a loop over it");
    }
    return WRONG(c, e->place, "this is not a number; name one of its members");
}

static bool condition(Checker *c, const Expr *e) {
    if (e->type.base == B_BOOL) return true;
    return WRONG(c, e->place, "a condition is a comparison; write x != 0");
}

static bool check_unary(Checker *c, Expr *e) {
    if (!check(c, e->a)) return false;
    if (*e->text == '!' ? !condition(c, e->a) : !arithmetic(c, e->a)) return false;
    e->type = e->a->type;
    e->type.is_const = false;
    return true;
}

static bool check_binary(Checker *c, Expr *e) {
    const bool a = check(c, e->a), b = check(c, e->b);
    if (!a || !b) return false;
    if (strcmp(e->text, "&&") == 0 || strcmp(e->text, "||") == 0) {
        if (!condition(c, e->a) || !condition(c, e->b)) return false;
        e->type = (Type){.base = B_BOOL, .dynamic = e->a->type.dynamic || e->b->type.dynamic};
        return true;
    }
    if (!arithmetic(c, e->a) || !arithmetic(c, e->b)) return false;
    const bool real = e->a->type.base == B_DOUBLE || e->b->type.base == B_DOUBLE;
    if (strchr("<>=!", *e->text)) {
        e->type = (Type){.base = B_BOOL, .dynamic = real};
    } else if (*e->text == '%' && real) {
        return WRONG(c, e->place, "%% is for integers; there is no remainder of doubles here");
    } else {
        e->type = (Type){.base = real ? B_DOUBLE : B_INT};
    }
    return true;
}

static bool check_choice(Checker *c, Expr *e) {
    const bool ok = check(c, e->a) && check(c, e->b) && check(c, e->c);
    if (!ok || !condition(c, e->a) || !arithmetic(c, e->b) || !arithmetic(c, e->c)) return false;
    const bool real = e->b->type.base == B_DOUBLE || e->c->type.base == B_DOUBLE;
    if (!real && e->a->type.dynamic) {
        return WRONG(c, e->b->place,
                     "an integer may not depend on doubles; write the values as "
                     "doubles, for example 1.0");
    }
    e->type = (Type){.base = real ? B_DOUBLE : B_INT};
    return true;
}

static bool check_cast(Checker *c, Expr *e) {
    if (!check(c, e->a) || !arithmetic(c, e->a)) return false;
    e->type = (Type){.base = strcmp(e->text, "int") == 0 ? B_INT : B_DOUBLE};
    if (e->type.base == B_INT && e->a->type.base == B_DOUBLE) {
        return WRONG(c, e->place, "an integer may not depend on doubles; keep the value a double");
    }
    return true;
}

static bool check_address(Checker *c, Expr *e) {
    if (!check(c, e->a)) return false;
    const bool element = e->a->kind == E_INDEX && e->a->type.base == B_DOUBLE && !e->a->type.ndim;
    const bool object = e->a->type.base == B_STRUCT && !e->a->type.pointer && !e->a->type.ndim;
    if (!element && !object) {
        return WRONG(c, e->place,
                     "& is for an array from an element on (&x[i]) or a struct; "
                     "remove it");
    }
    e->type = e->a->type;
    if (object) e->type.pointer = true;
    if (element) {
        e->type.ndim = 1;
        e->type.dim[0] = 0; // how many follow is known while unrolling
    }
    return true;
}

// variable that an array, element or member belongs to
static const Var *owner(const Expr *e) {
    while (e->kind == E_INDEX || e->kind == E_MEMBER || e->kind == E_ADDRESS) e = e->a;
    return e->kind == E_NAME ? e->var : NULL;
}

static bool check_argument(Checker *c, const Expr *e, const Var *param) {
    const Type *t = &e->type, *want = &param->type;
    if (want->base == B_DOUBLE && want->ndim == 0) return arithmetic(c, e);
    if (want->base == B_INT) {
        if (t->base == B_INT && !t->ndim) return true;
        return WRONG(c, e->place, "argument '%s' is an integer; use a constant or a counter",
                     param->name);
    }
    if (want->base == B_HANDLE) {
        const bool pointer = t->base == B_HANDLE || (t->base == B_STRUCT && t->pointer);
        const bool same = pointer && strcmp(t->name, want->name) == 0;
        if (!t->ndim && (same || (pointer && strcmp(want->name, "void") == 0))) return true;
        return WRONG(c, e->place, "argument '%s' is a const %s *; pass one", param->name,
                     want->name);
    }
    if (want->base == B_STRUCT && (t->base != B_STRUCT || t->st != want->st || !t->pointer)) {
        return WRONG(c, e->place, "argument '%s' is a %s; pass its pointer or &variable",
                     param->name, want->name);
    }
    if (want->base == B_DOUBLE && (t->base != B_DOUBLE || t->ndim == 0)) {
        return WRONG(c, e->place, "argument '%s' is an array of %d; pass an array or &x[i]",
                     param->name, want->dim[0]);
    }
    const Var *v = owner(e);
    if (!want->is_const && (!v || v->type.is_const || v->constant)) {
        return WRONG(c, e->place, "'%s' is written by the function but const here; pass a variable",
                     param->name);
    }
    return true;
}

static bool check_arguments(Checker *c, Expr *e) {
    const Function *f = e->fn;
    if (e->args.n != f->params.n) {
        return WRONG(c, e->place, "%s takes %d arguments, not %d; pass %d", f->name, f->params.n,
                     e->args.n, f->params.n);
    }
    bool ok = true;
    for (int i = 0; i < e->args.n; i++) {
        ok = check(c, e->args.at[i]) && check_argument(c, e->args.at[i], f->params.at[i]) && ok;
    }
    return ok;
}

static bool check_math(Checker *c, Expr *e) {
    const int n = math_nargs((MathFn)e->math);
    if (e->args.n != n) {
        return WRONG(c, e->place, "%s takes %d argument%s, not %d; pass %d", e->text, n,
                     n == 1 ? "" : "s", e->args.n, n);
    }
    bool ok = true;
    for (int i = 0; i < e->args.n; i++) {
        ok = check(c, e->args.at[i]) && arithmetic(c, e->args.at[i]) && ok;
    }
    e->type = (Type){.base = B_DOUBLE};
    return ok;
}

static bool check_call(Checker *c, Expr *e) {
    e->math = math_find(e->text);
    if (e->math >= 0) return check_math(c, e);
    for (int i = 0; i < c->nfunctions && !e->fn; i++) {
        if (strcmp(c->u->functions.at[i]->name, e->text) == 0) e->fn = c->u->functions.at[i];
    }
    if (!e->fn && strcmp(c->f->name, e->text) == 0) {
        return WRONG(c, e->place, "'%s' calls itself; write a loop", e->text);
    }
    if (!e->fn) {
        const bool later = find_function(c->u, e->text) != NULL;
        return WRONG(c, e->place,
                     later ? "'%s' is defined below; move it above the function that calls it"
                           : "'%s' is not a kernel or a math function; define it above, include "
                             "its kernel header or declare it extern",
                     e->text);
    }
    e->type = e->fn->result;
    return check_arguments(c, e);
}

static bool check(Checker *c, Expr *e) {
    switch (e->kind) {
    case E_INT: e->type = (Type){.base = B_INT}; return true;
    case E_REAL: e->type = (Type){.base = B_DOUBLE}; return true;
    case E_NAME: return check_name(c, e);
    case E_INDEX: return check_index(c, e);
    case E_MEMBER: return check_member(c, e);
    case E_UNARY: return check_unary(c, e);
    case E_BINARY: return check_binary(c, e);
    case E_CHOICE: return check_choice(c, e);
    case E_CALL: return check_call(c, e);
    case E_CAST: return check_cast(c, e);
    case E_ADDRESS: return check_address(c, e);
    }
    return false;
}

static void declare(Checker *c, Var *v) {
    for (int i = 0; i < c->scope.n; i++) {
        if (strcmp(c->scope.at[i]->name, v->name) == 0) {
            (void)WRONG(c, v->place, "'%s' is declared already; choose another name", v->name);
        }
    }
    v->frame = c->f->nframe++;
    PUSH(c->u->mem, &c->scope, v);
}

static void check_value(Checker *c, Expr *e, const Type *t, const char *name) {
    if (!check(c, e) || !arithmetic(c, e)) return;
    if (t->base == B_INT && e->type.base != B_INT) {
        (void)WRONG(c, e->place, "'%s' is an int and the value a double; make '%s' a double", name,
                    name);
    }
}

static void check_decl(Checker *c, Stmt *s) {
    Var *v = s->var;
    if (v->type.base == B_STRUCT && !v->type.st->whole) {
        (void)WRONG(c, v->place, "%s has members that are not doubles; kernels can only read it",
                    v->type.st->name);
    }
    if (v->type.base == B_INT && v->type.ndim) {
        (void)WRONG(c, v->place, "arrays of int are not in the subset; use a table of doubles");
    }
    if (s->e && (v->type.ndim || v->type.base == B_STRUCT)) {
        (void)WRONG(c, s->e->place, "an array is not set by one value; write { ... } or a loop");
    } else if (s->e) {
        check_value(c, s->e, &v->type, v->name);
    } else if (s->has_list && s->list.n > type_cells(&v->type)) {
        (void)WRONG(c, s->list.at[type_cells(&v->type)]->place, "'%s' has only %d elements",
                    v->name, type_cells(&v->type));
    }
    for (int i = 0; i < s->list.n; i++) {
        if (check(c, s->list.at[i])) (void)arithmetic(c, s->list.at[i]);
    }
    if (!s->e && !s->has_list && (v->type.is_const || v->type.base == B_INT)) {
        (void)WRONG(c, v->place, "'%s' has no value; write one behind =", v->name);
    }
    declare(c, v);
}

static void check_assign(Checker *c, Stmt *s) {
    if (!check(c, s->left) || !arithmetic(c, s->left)) {
        if (s->e) (void)check(c, s->e);
        return;
    }
    const Var *v = owner(s->left);
    if (!v) {
        (void)WRONG(c, s->place, "this can not be assigned to; write a variable");
    } else if (v->type.is_const || v->constant) {
        (void)WRONG(c, s->left->place, "'%s' is const; copy it to a variable of its own", v->name);
    } else if (v->counter) {
        (void)WRONG(c, s->left->place,
                    "the counter '%s' is changed by its loop only; use another "
                    "variable",
                    v->name);
    } else if (v->param && !v->type.ndim && !v->type.pointer) {
        (void)WRONG(c, s->left->place,
                    "parameter '%s' is a value; copy it to a variable of its "
                    "own",
                    v->name);
    }
    if (s->e) check_value(c, s->e, &s->left->type, v ? v->name : "this");
}

static void check_stmt(Checker *c, Stmt *s, bool last);

static void check_for(Checker *c, Stmt *s) {
    const int scope = c->scope.n;
    check_decl(c, s->init);
    if (check(c, s->e) && condition(c, s->e) && s->e->type.dynamic) {
        (void)WRONG(c, s->e->place,
                    "the bounds of a loop are constants; compare the counter with "
                    "an integer");
    }
    if (!check(c, s->step->left) || s->step->left->var != s->init->var) {
        (void)WRONG(c, s->step->place, "the step must change the counter '%s'", s->init->var->name);
    }
    if (check(c, s->step->e) && s->step->e->type.base != B_INT) {
        (void)WRONG(c, s->step->e->place, "the step of a loop is an integer");
    }
    check_stmt(c, s->body.at[0], false);
    c->scope.n = scope;
}

static void check_return(Checker *c, Stmt *s, bool last) {
    if (!last) {
        (void)WRONG(c, s->place,
                    "return is only the last statement of a function; use a variable "
                    "for the result");
    }
    if (c->f->result.base == B_VOID) {
        if (s->e) (void)WRONG(c, s->place, "a void function returns no value; write to an output");
    } else if (!s->e) {
        (void)WRONG(c, s->place, "a double function returns a value; write return x;");
    } else if (check(c, s->e)) {
        (void)arithmetic(c, s->e);
    }
}

static void check_block(Checker *c, Stmt *s, bool last) {
    const int scope = c->scope.n;
    for (int i = 0; i < s->body.n && !message_full(c->u->m); i++) {
        check_stmt(c, s->body.at[i], last && i == s->body.n - 1);
    }
    if (s->op != 'd') c->scope.n = scope;
}

static void check_stmt(Checker *c, Stmt *s, bool last) {
    switch (s->kind) {
    case S_DECL: check_decl(c, s); break;
    case S_ASSIGN: check_assign(c, s); break;
    case S_CALL:
        if (check(c, s->e) && s->e->type.base != B_VOID) {
            (void)WRONG(c, s->place, "the value of %s is not used; assign it", s->e->text);
        }
        break;
    case S_IF:
        if (check(c, s->e)) (void)condition(c, s->e);
        for (int i = 0; i < s->body.n; i++) {
            const int scope = c->scope.n;
            check_stmt(c, s->body.at[i], false);
            c->scope.n = scope;
        }
        break;
    case S_FOR: check_for(c, s); break;
    case S_BLOCK: check_block(c, s, last); break;
    case S_RETURN: check_return(c, s, last); break;
    }
}

static void check_parameters(Checker *c) {
    const Function *f = c->f;
    for (int i = 0; i < f->params.n; i++) {
        Var *v = f->params.at[i];
        const bool writes = !v->type.is_const && (v->type.ndim || v->type.base == B_STRUCT);
        if (f->result.base == B_DOUBLE && writes) {
            (void)WRONG(c, v->place,
                        "a function that returns a value writes no parameter; write "
                        "const, or make it void with one more output");
        }
        if (v->type.base == B_STRUCT && writes && !v->type.st->whole) {
            (void)WRONG(c, v->place, "%s has members that are not doubles; write const %s *",
                        v->type.name, v->type.name);
        }
        declare(c, v);
    }
}

static void check_function(Checker *c) {
    Function *f = c->f;
    c->scope.n = 0;
    if (math_find(f->name) >= 0 || find_function(c->u, f->name) != f) {
        (void)WRONG(c, f->place, "'%s' is defined twice; choose another name", f->name);
    }
    check_parameters(c);
    if (!f->body) return;
    check_block(c, f->body, true);
    const Stmt *end = f->body->body.n ? f->body->body.at[f->body->body.n - 1] : NULL;
    if (f->result.base == B_DOUBLE && (!end || end->kind != S_RETURN)) {
        (void)WRONG(c, f->place, "'%s' returns a double; end it with return x;", f->name);
    }
}

static void check_extern(Checker *c) {
    Function *f = c->f;
    if (f->result.base != B_DOUBLE) {
        (void)WRONG(c, f->place, "an extern function returns a double");
    }
    for (int i = 0; i < f->params.n; i++) {
        const Type *t = &f->params.at[i]->type;
        if (t->base == B_STRUCT) { // the whole struct is handed on
            f->params.at[i]->type =
                (Type){.base = B_HANDLE, .name = t->name, .is_const = true, .pointer = true};
        } else if (t->base != B_HANDLE && (t->base != B_DOUBLE || t->ndim)) {
            (void)WRONG(c, f->params.at[i]->place,
                        "an extern function takes doubles and const "
                        "pointers; pass the elements one by one");
        }
    }
}

// partials(f_x, f_y): the derivatives of an extern function to its double arguments
static void check_partials(Checker *c, Function *f, const Directive *d) {
    int ndouble = 0;
    for (int i = 0; i < f->params.n; i++) ndouble += f->params.at[i]->type.base == B_DOUBLE;
    if (!f->is_extern || d->ins.n != ndouble) {
        (void)WRONG(c, d->place,
                    "partials(...) names one function per double argument of the "
                    "extern function below it");
        return;
    }
    for (int i = 0; i < d->ins.n; i++) {
        Function *g = find_function(c->u, d->ins.at[i].name);
        if (!g || !g->is_extern || g->params.n != f->params.n) {
            (void)WRONG(c, d->ins.at[i].place,
                        "'%s' is not declared; write extern double %s(...) "
                        "with the same parameters",
                        d->ins.at[i].name, d->ins.at[i].name);
            return;
        }
        for (int k = 0; k < f->params.n; k++) {
            const Type *a = &f->params.at[k]->type, *b = &g->params.at[k]->type;
            if (a->base == b->base && (a->base == B_DOUBLE || strcmp(a->name, b->name) == 0)) {
                continue;
            }
            (void)WRONG(c, g->params.at[k]->place,
                        "parameter %d of '%s' differs from that of '%s'; write the same parameters",
                        k + 1, g->name, f->name);
            return;
        }
        PUSH(c->u->mem, &f->partials, g);
    }
}

void check_unit(Unit *u) {
    for (int i = 0; i < u->functions.n && !message_full(u->m); i++) {
        Checker c = {.u = u, .f = u->functions.at[i], .nfunctions = i};
        if (c.f->is_extern) check_extern(&c);
        check_function(&c);
    }
    for (int i = 0; i < u->functions.n; i++) {
        Checker c = {.u = u, .f = u->functions.at[i]};
        for (int k = 0; k < c.f->directives.n; k++) {
            const Directive *d = c.f->directives.at[k];
            if (d->kind == D_PARTIALS) check_partials(&c, c.f, d);
        }
    }
}
