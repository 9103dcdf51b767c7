// parse_stmt.c - functions and statements of the subset
//
//   stmt = decl | lhs ("=" | "+=" | "-=" | "*=" | "/=") expr ";" | call ";" | if-else | block
//        | "for (int" i "=" int ";" condition ";" step ")" stmt | "return" expr ";"
#include "parse_stmt.h"

#include <string.h>

static Stmt *statement(Parser *p);

static Stmt *node(Parser *p, StmtKind kind) {
    Stmt *s = mem_new(p->unit->mem, sizeof *s);
    s->kind = kind;
    s->place = tok(p)->place;
    return s;
}

static Var *new_var(Parser *p, Type type) {
    Var *v = mem_new(p->unit->mem, sizeof *v);
    v->name = tok(p)->text;
    v->place = tok(p)->place;
    v->type = type;
    p->at++;
    return v;
}

// one declared name with its initial value
static Stmt *declarator(Parser *p, Type type) {
    Stmt *s = node(p, S_DECL);
    if (at_mark(p, "*")) {
        return parse_fail(p, "pointers are not in the subset; copy to an array or use an index");
    }
    if (tok(p)->kind != T_NAME)
        return parse_fail(p, "expected a name before %s", parse_text(tok(p)));
    s->var = new_var(p, type);
    if (!parse_dims(p, &s->var->type)) return NULL;
    if (!take(p, "=")) return s;
    if (!take(p, "{")) {
        s->e = parse_expr(p);
        return s->e ? s : NULL;
    }
    s->has_list = true;
    while (!at_mark(p, "}")) {
        if (at_mark(p, "{") || at_mark(p, ".") || at_mark(p, "[")) {
            return parse_fail(p, "expected a plain list of values; write them in order, without "
                                 "inner braces");
        }
        Expr *e = parse_expr(p);
        if (!e) return NULL;
        PUSH(p->unit->mem, &s->list, e);
        if (!take(p, ",")) break;
    }
    return expect(p, "}", "after the values") ? s : NULL;
}

static bool type_start(Parser *p) {
    static const char *const words[] = {"const",    "double", "int",   "float",  "long",
                                        "unsigned", "char",   "short", "static", "bool",
                                        "size_t",   "struct", "signed"};
    if (tok(p)->kind != T_NAME) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (at_name(p, words[i])) return true;
    }
    return parse_struct_named(p->unit, tok(p)->text) != NULL;
}

static bool local_type(Parser *p, Type *type) {
    *type = (Type){.is_const = take_name(p, "const")};
    const Struct *st = parse_struct_named(p->unit, tok(p)->text);
    if (take_name(p, "double")) {
        type->base = B_DOUBLE;
    } else if (take_name(p, "int")) {
        type->base = B_INT;
    } else if (st) {
        *type = (Type){.base = B_STRUCT, .st = st, .name = st->name};
        p->at++;
    } else {
        parse_fail(p, "type %s is not in the subset; write double, int or a struct of doubles",
                   parse_text(tok(p)));
        return false;
    }
    if (take_name(p, "const")) type->is_const = true;
    return true;
}

static Stmt *declarations(Parser *p) {
    Stmt *block = NULL, *first = NULL;
    Type type;
    if (!local_type(p, &type)) return NULL;
    do {
        Stmt *s = declarator(p, type);
        if (!s) return NULL;
        if (!first) {
            first = s;
        } else if (!block) {
            block = node(p, S_BLOCK);
            block->op = 'd'; // declarations of one line: no scope of their own
            PUSH(p->unit->mem, &block->body, first);
        }
        if (block) PUSH(p->unit->mem, &block->body, s);
    } while (take(p, ","));
    if (!expect(p, ";", "after the declaration")) return NULL;
    return block ? block : first;
}

// x = e, x += e or a call, without the semicolon
static Stmt *assignment(Parser *p) {
    static const char *const ops[] = {"=", "+=", "-=", "*=", "/="};
    Stmt *s = node(p, S_ASSIGN);
    s->left = parse_expr(p);
    if (!s->left) return NULL;
    if (s->left->kind == E_CALL && at_mark(p, ";")) {
        s->kind = S_CALL;
        s->e = s->left;
        return s;
    }
    for (int i = 0; i < 5; i++) {
        if (take(p, ops[i])) {
            s->op = *ops[i];
            s->e = parse_expr(p);
            if (s->e && at_mark(p, "=")) {
                return parse_fail(p, "an assignment is not a value; write two statements");
            }
            return s->e ? s : NULL;
        }
    }
    return parse_fail(p, "expected an assignment or a call before %s", parse_text(tok(p)));
}

static Expr *one(Parser *p, Place place) {
    Expr *e = mem_new(p->unit->mem, sizeof *e);
    e->kind = E_INT;
    e->place = place;
    e->integer = 1;
    e->math = -1;
    return e;
}

// i++, ++i, i--, --i, i += c, i -= c
static Stmt *step(Parser *p) {
    Stmt *s = node(p, S_ASSIGN);
    const Token *t = tok(p);
    const bool prefix = at_mark(p, "++") || at_mark(p, "--");
    if (prefix) p->at++;
    if (tok(p)->kind != T_NAME) return parse_fail(p, "expected the counter of the loop");
    s->left = mem_new(p->unit->mem, sizeof *s->left);
    *s->left = (Expr){.kind = E_NAME, .place = tok(p)->place, .text = tok(p)->text, .math = -1};
    p->at++;
    if (prefix) {
        s->op = *t->text;
        s->e = one(p, t->place);
        return s;
    }
    if (at_mark(p, "++") || at_mark(p, "--")) {
        s->op = *tok(p)->text;
        s->e = one(p, tok(p)->place);
        p->at++;
        return s;
    }
    if (at_mark(p, "+=") || at_mark(p, "-=")) {
        s->op = *tok(p)->text;
        p->at++;
        s->e = parse_expr(p);
        return s->e ? s : NULL;
    }
    return parse_fail(p, "expected i++, i--, i += c or i -= c as the step of the loop");
}

static Stmt *for_loop(Parser *p) {
    Stmt *s = node(p, S_FOR);
    p->at++;
    if (!expect(p, "(", "after for")) return NULL;
    if (!at_name(p, "int")) {
        return parse_fail(p, "a loop declares its own counter; write for (int i = 0; i < n; i++)");
    }
    p->at++;
    s->init = declarator(p, (Type){.base = B_INT});
    if (!s->init || !expect(p, ";", "after the start of the loop")) return NULL;
    s->init->var->counter = true;
    s->e = parse_expr(p);
    if (!s->e || !expect(p, ";", "after the condition of the loop")) return NULL;
    s->step = step(p);
    if (!s->step || !expect(p, ")", "after the step of the loop")) return NULL;
    Stmt *inner = statement(p);
    if (!inner) return NULL;
    PUSH(p->unit->mem, &s->body, inner);
    return s;
}

static Stmt *if_else(Parser *p) {
    Stmt *s = node(p, S_IF);
    p->at++;
    if (!expect(p, "(", "after if")) return NULL;
    s->e = parse_expr(p);
    if (!s->e || !expect(p, ")", "after the condition")) return NULL;
    Stmt *arm = statement(p);
    if (!arm) return NULL;
    PUSH(p->unit->mem, &s->body, arm);
    if (take_name(p, "else")) {
        arm = statement(p);
        if (!arm) return NULL;
        PUSH(p->unit->mem, &s->body, arm);
    }
    return s;
}

static Stmt *return_value(Parser *p) {
    Stmt *s = node(p, S_RETURN);
    p->at++;
    if (take(p, ";")) return s;
    s->e = parse_expr(p);
    return s->e && expect(p, ";", "after the value") ? s : NULL;
}

// after a message: go on behind the statement that was not understood
static void recover(Parser *p) {
    int depth = 0;
    while (tok(p)->kind != T_END) {
        if (depth == 0 && at_mark(p, "}")) return;
        depth += at_mark(p, "{") ? 1 : at_mark(p, "}") ? -1 : 0;
        const bool end = depth == 0 && (at_mark(p, ";") || at_mark(p, "}"));
        p->at++;
        if (end) return;
    }
}

static Stmt *block(Parser *p) {
    Stmt *s = node(p, S_BLOCK);
    if (!expect(p, "{", "to open the block")) return NULL;
    while (!at_mark(p, "}") && tok(p)->kind != T_END && !message_full(p->unit->m)) {
        if (tok(p)->kind == T_DIRECTIVE) {
            parse_fail(p, "a directive stands above a function; move it there");
            p->at++;
            continue;
        }
        const int depth = p->depth;
        const bool declares = type_start(p);
        Stmt *inner = statement(p);
        p->depth = depth;
        if (inner) {
            PUSH(p->unit->mem, &s->body, inner);
        } else {
            p->unit->lost = p->unit->lost || declares;
            recover(p);
        }
    }
    return expect(p, "}", "to close the block") ? s : NULL;
}

// (void)x; says that a parameter is not used
static bool at_void(Parser *p) {
    const Token *t = tok(p);
    if (!at_mark(p, "(") || strcmp(t[1].text, "void") != 0) return false;
    return strcmp(t[2].text, ")") == 0 && t[3].kind == T_NAME && strcmp(t[4].text, ";") == 0;
}

static Stmt *refused(Parser *p) {
    static const char *const words[][2] = {
        {"while", "while loops are not in the subset; write a for loop with constant bounds"},
        {"do", "do loops are not in the subset; write a for loop with constant bounds"},
        {"switch", "switch is not in the subset; write if and else"},
        {"break", "break is not in the subset; write the bound of the loop as a constant"},
        {"continue", "continue is not in the subset; write an if around the rest of the loop"},
        {"goto", "goto is not in the subset; write if and else"},
        {"static", "static variables are not in the subset; write a table outside of the function"},
        {"else", "else without if; check the braces"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (at_name(p, words[i][0])) {
            parse_fail(p, "%s", words[i][1]);
            return NULL;
        }
    }
    return NULL;
}

static Stmt *statement_inner(Parser *p) {
    const int before = p->unit->m->nerror;
    if (take(p, ";")) return node(p, S_BLOCK);
    if (at_mark(p, "{")) return block(p);
    if (at_void(p)) {
        p->at += 5;
        return node(p, S_BLOCK);
    }
    refused(p);
    if (p->unit->m->nerror > before || message_full(p->unit->m)) return NULL;
    if (at_name(p, "if")) return if_else(p);
    if (at_name(p, "for")) return for_loop(p);
    if (at_name(p, "return")) return return_value(p);
    if (type_start(p)) return declarations(p);
    Stmt *s = assignment(p);
    return s && expect(p, ";", "after the statement") ? s : NULL;
}

static Stmt *statement(Parser *p) {
    if (++p->depth > MAX_DEPTH) return parse_fail(p, "nested too deeply; make it a function");
    Stmt *s = statement_inner(p);
    p->depth--;
    return s;
}

// [const] double NAME dims | double NAME | int NAME | [const] Struct *NAME | const Other *NAME
static Var *parameter(Parser *p) {
    Type t = {.is_const = take_name(p, "const")};
    const Token *word = tok(p);
    const Struct *st = word->kind == T_NAME ? parse_struct_named(p->unit, word->text) : NULL;
    if (word->kind != T_NAME)
        return parse_fail(p, "expected a parameter before %s", parse_text(word));
    p->at++;
    t.name = word->text;
    t.base = strcmp(word->text, "double") == 0 ? B_DOUBLE
             : strcmp(word->text, "int") == 0  ? B_INT
             : st                              ? B_STRUCT
                                               : B_HANDLE;
    t.st = st;
    t.pointer = take(p, "*");
    if (t.pointer) take_name(p, "restrict");
    if (t.pointer && (t.base == B_DOUBLE || t.base == B_INT)) {
        p->at--;
        return parse_fail(p, "pointers are not in the subset; write the array with its size, for "
                             "example double x[3]");
    }
    if (t.base == B_HANDLE && !(t.pointer && t.is_const)) {
        p->at = (int)(word - p->tokens.at);
        return parse_fail(p,
                          "type %s is not in the subset; write double, int, a struct of doubles "
                          "or const %s *",
                          word->text, word->text);
    }
    if (t.base == B_STRUCT && !t.pointer) {
        return parse_fail(p, "a struct is passed by pointer; write const %s *%s", word->text,
                          tok(p)->kind == T_NAME ? tok(p)->text : "p");
    }
    if (tok(p)->kind != T_NAME) return parse_fail(p, "expected the name of a parameter");
    Var *v = new_var(p, t);
    v->param = true;
    if (!parse_dims(p, &v->type)) return NULL;
    if (v->type.ndim > 1) {
        message_error(p->unit->m, v->place, "a matrix is passed flat; write double %s[%d]", v->name,
                      type_cells(&v->type));
        return NULL;
    }
    if (v->type.ndim && t.base != B_DOUBLE) {
        message_error(p->unit->m, v->place, "only doubles form arrays; write double %s[n]",
                      v->name);
        return NULL;
    }
    return v;
}

static bool parameters(Parser *p, Function *f) {
    if (!expect(p, "(", "after the name of the function")) return false;
    if (at_name(p, "void") && strcmp(tok(p)[1].text, ")") == 0) p->at++;
    if (take(p, ")")) return true;
    do {
        Var *v = parameter(p);
        if (!v) return false;
        PUSH(p->unit->mem, &f->params, v);
    } while (take(p, ","));
    return expect(p, ")", "after the parameters");
}

bool parse_function(Parser *p, Notes *notes) {
    Function *f = mem_new(p->unit->mem, sizeof *f);
    f->is_extern = take_name(p, "extern");
    take_name(p, "static");
    take_name(p, "inline");
    f->result.base = at_name(p, "double") ? B_DOUBLE : B_VOID;
    if (!at_name(p, "double") && !at_name(p, "void")) {
        parse_fail(p,
                   "expected a kernel before %s; write void or double and the name of a function",
                   parse_text(tok(p)));
        return false;
    }
    p->at++;
    if (tok(p)->kind != T_NAME) {
        parse_fail(p, "expected the name of a function before %s", parse_text(tok(p)));
        return false;
    }
    f->name = tok(p)->text;
    f->place = tok(p)->place;
    f->from_include = p->included;
    p->at++;
    if (!parameters(p, f)) return false;
    for (int i = 0; i < notes->n; i++) PUSH(p->unit->mem, &f->directives, notes->at[i]);
    const bool prototype = take(p, ";");
    if (prototype && !f->is_extern && !notes->n) return true; // the definition follows
    notes->n = 0;
    if (prototype || f->is_extern) {
        if (!prototype && !expect(p, ";", "after an extern function")) return false;
        f->is_extern = true;
        PUSH(p->unit->mem, &p->unit->functions, f);
        return true;
    }
    p->depth = 0;
    f->body = block(p);
    if (!f->body) return false;
    PUSH(p->unit->mem, &p->unit->functions, f);
    return true;
}
