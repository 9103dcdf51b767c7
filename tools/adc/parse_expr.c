// parse_expr.c - expressions of the subset, by precedence climbing
#include "parser.h"

#include <string.h>

static Expr *node(Parser *p, ExprKind kind, Place place) {
    Expr *e = mem_new(p->unit->mem, sizeof *e);
    e->kind = kind;
    e->place = place;
    e->math = -1;
    return e;
}

static Expr *unary(Parser *p);

// e with a part below it; trees are walked by recursion, so that their height is limited
static Expr *above(Parser *p, Expr *e, const Expr *part) {
    enum { MAX_HEIGHT = 2000 };
    if (part->height >= e->height) e->height = part->height + 1;
    if (e->height > MAX_HEIGHT) return parse_fail(p, "expression too long; name a part of it");
    return e;
}

static Expr *arguments(Parser *p, Expr *call) {
    if (take(p, ")")) return call;
    do {
        Expr *arg = parse_expr(p);
        if (!arg) return NULL;
        if (!above(p, call, arg)) return NULL;
        PUSH(p->unit->mem, &call->args, arg);
    } while (take(p, ","));
    return expect(p, ")", "after the arguments") ? call : NULL;
}

static Expr *primary(Parser *p) {
    const Token *t = tok(p);
    if (take(p, "(")) {
        Expr *e = parse_expr(p);
        return e && expect(p, ")", "after the expression") ? e : NULL;
    }
    if (t->kind == T_INT || t->kind == T_REAL) {
        Expr *e = node(p, t->kind == T_INT ? E_INT : E_REAL, t->place);
        e->integer = t->integer;
        e->real = t->real;
        e->text = t->text;
        p->at++;
        return e;
    }
    if (t->kind != T_NAME) {
        return parse_fail(p, "expected an expression before %s", parse_text(t));
    }
    p->at++;
    Expr *e = node(p, at_mark(p, "(") ? E_CALL : E_NAME, t->place);
    e->text = t->text;
    return take(p, "(") ? arguments(p, e) : e;
}

static Expr *postfix(Parser *p) {
    Expr *e = primary(p);
    while (e) {
        const Place place = tok(p)->place;
        if (take(p, "[")) {
            Expr *index = node(p, E_INDEX, place);
            index->a = e;
            index->b = parse_expr(p);
            if (!index->b || !expect(p, "]", "after the index")) return NULL;
            e = above(p, index, e) ? above(p, index, index->b) : NULL;
        } else if (at_mark(p, ".") || at_mark(p, "->")) {
            Expr *member = node(p, E_MEMBER, place);
            member->arrow = at_mark(p, "->");
            p->at++;
            if (tok(p)->kind != T_NAME) return parse_fail(p, "expected the name of a member");
            member->text = tok(p)->text;
            member->a = e;
            p->at++;
            e = above(p, member, e);
        } else if (at_mark(p, "++") || at_mark(p, "--")) {
            return parse_fail(p, "%s is no value here; write it as the step of a for loop",
                              parse_text(tok(p)));
        } else {
            break;
        }
    }
    return e;
}

static bool at_cast(Parser *p) {
    if (!at_mark(p, "(")) return false;
    const Token *t = &p->tokens.at[p->at + 1];
    if (t->kind != T_NAME || (strcmp(t->text, "double") != 0 && strcmp(t->text, "int") != 0)) {
        return false;
    }
    return t[1].kind == T_MARK && strcmp(t[1].text, ")") == 0;
}

static Expr *cast(Parser *p) {
    Expr *e = node(p, E_CAST, tok(p)->place);
    e->text = p->tokens.at[p->at + 1].text;
    p->at += 3;
    e->a = unary(p);
    return e->a ? above(p, e, e->a) : NULL;
}

static Expr *unary_inner(Parser *p) {
    const Token *t = tok(p);
    if (at_cast(p)) return cast(p);
    if (at_mark(p, "-") || at_mark(p, "+") || at_mark(p, "!") || at_mark(p, "&")) {
        p->at++;
        Expr *e = node(p, *t->text == '&' ? E_ADDRESS : E_UNARY, t->place);
        e->text = t->text;
        e->a = unary(p);
        return e->a ? above(p, e, e->a) : NULL;
    }
    if (at_mark(p, "*")) {
        return parse_fail(p, "pointers are not in the subset; write x[0] or p->member");
    }
    if (at_mark(p, "~")) {
        return parse_fail(p, "bit operations are not in the subset; use arithmetic on doubles");
    }
    if (at_mark(p, "++") || at_mark(p, "--")) {
        return parse_fail(p, "%s is no value here; write it as the step of a for loop",
                          parse_text(t));
    }
    return postfix(p);
}

static Expr *unary(Parser *p) {
    if (++p->depth > MAX_DEPTH) return parse_fail(p, "nested too deeply; name a part of it");
    Expr *e = unary_inner(p);
    p->depth--;
    return e;
}

static int precedence(const Token *t) {
    static const char *const table[][4] = {
        {"||"}, {"&&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"+", "-"}, {"*", "/", "%"}};
    if (t->kind != T_MARK) return 0;
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 4 && table[i][k]; k++) {
            if (strcmp(t->text, table[i][k]) == 0) return i + 1;
        }
    }
    return 0;
}

static Expr *binary(Parser *p, int least) {
    Expr *e = unary(p);
    while (e) {
        const Token *t = tok(p);
        const int level = precedence(t);
        if (level == 0 || level < least) break;
        p->at++;
        Expr *right = binary(p, level + 1);
        if (!right) return NULL;
        Expr *both = node(p, E_BINARY, t->place);
        both->text = t->text;
        both->a = e;
        both->b = right;
        e = above(p, both, e) ? above(p, both, right) : NULL;
    }
    return e;
}

static Expr *choice(Parser *p) {
    Expr *e = binary(p, 1);
    const Token *t = tok(p);
    if (!e || !take(p, "?")) return e;
    Expr *c = node(p, E_CHOICE, t->place);
    c->a = e;
    c->b = parse_expr(p);
    if (!c->b || !expect(p, ":", "between the two values of ?")) return NULL;
    c->c = parse_expr(p);
    return c->c && above(p, c, c->a) && above(p, c, c->b) ? above(p, c, c->c) : NULL;
}

Expr *parse_expr(Parser *p) {
    if (++p->depth > MAX_DEPTH) return parse_fail(p, "nested too deeply; name a part of it");
    Expr *e = choice(p);
    p->depth--;
    const Token *t = tok(p);
    if (e && t->kind == T_MARK && strlen(t->text) && strchr("&|^", t->text[0]) &&
        strcmp(t->text, "&&") != 0 && strcmp(t->text, "||") != 0) {
        return parse_fail(p, "bit operations are not in the subset; use && and || on comparisons");
    }
    if (e && (at_mark(p, "<<") || at_mark(p, ">>"))) {
        return parse_fail(p, "bit operations are not in the subset; multiply by a constant");
    }
    return e;
}

static bool fold(const Unit *u, const Expr *e, long *v) {
    long a, b;
    const long limit = 1000000;
    switch (e->kind) {
    case E_INT: *v = e->integer; return true;
    case E_NAME:
        for (int i = 0; i < u->globals.n; i++) {
            const Var *g = u->globals.at[i];
            if (g->constant && !g->table && strcmp(g->name, e->text) == 0) {
                *v = g->integer;
                return true;
            }
        }
        return false;
    case E_UNARY:
        if (!fold(u, e->a, &a) || *e->text == '!') return false;
        *v = *e->text == '-' ? -a : a;
        return true;
    case E_BINARY:
        if (!fold(u, e->a, &a) || !fold(u, e->b, &b)) return false;
        if (a > limit || a < -limit || b > limit || b < -limit) return false;
        if (strchr("/%", *e->text) && b == 0) return false;
        switch (*e->text) {
        case '+': *v = a + b; return true;
        case '-': *v = a - b; return true;
        case '*': *v = a * b; return true;
        case '/': *v = a / b; return true;
        case '%': *v = a % b; return true;
        default: return false;
        }
    default: return false;
    }
}

bool parse_integer(Parser *p, long *value) {
    const Place place = tok(p)->place;
    const Expr *e = parse_expr(p);
    if (!e) return false;
    if (fold(p->unit, e, value)) return true;
    message_error(p->unit->m, place,
                  "this must be a constant integer; write a number, an enum "
                  "constant or a #define");
    return false;
}
