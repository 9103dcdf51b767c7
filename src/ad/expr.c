// expr.c - compiles the text of an expression to its tape: recursive descent, constants folded
//
//   text = { name "=" expression ";" } expression
#include "ad/expr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ad/expr_tape.h"
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "math/turns.h"

// an operand is the index of the operation that makes it
typedef uint16_t Operand;

typedef struct Word {
    const char *text;
    size_t n;
} Word;

typedef struct Local {
    Word name;
    Operand made;
} Local;

// first memory of a list
#define ROOM_MIN 16

typedef struct Compiler {
    CdContext *ctx;
    const char *text, *at, *end;
    const CdExprScope *scope;
    CdExprError *error;
    int depth;
    size_t nops, room; // operations, and how many there is memory for
    size_t kept;       // operations that names stand for: they stay on the tape
    CdOp *ops;
    Word *names; // of others
    size_t nnames, names_room;
    Local *locals; // names that the text gives
    size_t nlocals, locals_room;
} Compiler;

static CdStatus expression(Compiler *c, Operand *out);

// the message at a place of the text; word[0..n), if not NULL, is what is wrong there
static CdStatus fail(Compiler *c, const char *at, const char *what, const char *word, size_t n) {
    c->error->col = (int)(at - c->text) + 1;
    if (!word) {
        snprintf(c->error->text, sizeof c->error->text, "%s", what);
        return CD_INVALID;
    }
    size_t shown = cdi_utf8_cut(word, n < CD_SHOWN_MAX ? n : CD_SHOWN_MAX);
    if (shown == 0) shown = cdi_utf8_size(word, word + strlen(word)); // one whole character
    snprintf(c->error->text, sizeof c->error->text, "%s '%.*s%s'", what, (int)shown, word,
             n > CD_SHOWN_MAX ? "..." : "");
    return CD_INVALID;
}

// the list with place for one more than n; NULL: there is no memory, and the list stays
static void *reserve(Compiler *c, void *list, size_t *room, size_t n, size_t size) {
    if (n < *room) return list;
    const size_t more = *room ? 2 * *room : ROOM_MIN;
    void *grown = cdi_resize(c->ctx, list, more * size);
    if (grown) *room = more;
    return grown;
}

#define RESERVE(c, list, room, n)                                                  \
    do {                                                                           \
        void *list_ = reserve((c), (c)->list, &(c)->room, (n), sizeof *(c)->list); \
        if (!list_) return CD_NOMEM;                                               \
        (c)->list = list_;                                                         \
    } while (0)

static CdStatus too_long(Compiler *c, const char *at) {
    return fail(c, at, "the expression is too long; split it into parameters", NULL, 0);
}

static CdStatus emit(Compiler *c, CdOp op, Operand *out) {
    if (c->nops == CD_EXPR_OPS_MAX) return too_long(c, c->at);
    RESERVE(c, ops, room, c->nops);
    c->ops[c->nops] = op;
    *out = (Operand)c->nops++;
    return CD_OK;
}

static CdStatus emit_constant(Compiler *c, double value, Operand *out) {
    return emit(c, (CdOp){.code = CD_OP_CONSTANT, .value = value}, out);
}

// an operation on constants becomes a constant and takes their place, unless they have a name
static CdStatus emit_op(Compiler *c, CdOpCode code, int nargs, const Operand arg[3], Operand *out) {
    CdOp op = {.code = (uint16_t)code};
    bool fold = true;
    CdJet x[3] = {{0}};
    for (int i = 0; i < 3; i++) {
        op.arg[i] = arg[i < nargs ? i : 0];
        const CdOp *from = c->ops + op.arg[i];
        fold = fold && from->code == CD_OP_CONSTANT;
        x[i].v = fold ? from->value : 0;
    }
    if (!fold) return emit(c, op, out);
    for (int i = nargs - 1; i >= 0 && c->nops > c->kept; i--) c->nops -= arg[i] + 1u == c->nops;
    return emit_constant(c, cdi_op_apply(code, x[0], x[1], x[2]).v, out);
}

static bool is_digit(char ch) {
    return ch >= '0' && ch <= '9';
}

static void skip_space(Compiler *c) {
    while (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r') c->at++;
}

static bool take(Compiler *c, const char *symbol) {
    skip_space(c);
    size_t n = strlen(symbol);
    if (strncmp(c->at, symbol, n) != 0) return false;
    c->at += n;
    return true;
}

static bool word_is(const char *word, size_t n, const char *name) {
    return strlen(name) == n && memcmp(word, name, n) == 0;
}

static const struct {
    const char *name;
    CdOpCode code;
    int nargs;
} functions[] = {
#define UNARY(name, f, df, ddf) {#name, CD_OP_##name, 1},
#define FUNCTION(name, nargs) {#name, CD_OP_##name, nargs},
#include "ad/exprs.def"
#undef UNARY
#undef FUNCTION
};
enum { NFUNCTIONS = sizeof functions / sizeof *functions };

void cdi_expr_suggest(CdSuggestion *s, const CdExprScope *scope) {
    for (size_t i = 0; i < scope->nvariables; i++) cdi_suggest_from(s, scope->variables[i]);
    for (size_t i = 0; i < scope->nconstants; i++) cdi_suggest_from(s, scope->constants[i]);
    for (size_t i = 0; i < NFUNCTIONS; i++) cdi_suggest_from(s, functions[i].name);
    cdi_suggest_from(s, "pi");
}

static CdStatus unknown_name(Compiler *c, const char *word, size_t n) {
    char name[CD_SHOWN_MAX];
    snprintf(name, sizeof name, "%.*s", (int)n, word);
    fail(c, word, "unknown name", word, n);

    // the nearest of all names in sight
    CdSuggestion s = {.word = name};
    cdi_expr_suggest(&s, c->scope);
    size_t used = strlen(c->error->text);
    if (s.name) {
        snprintf(c->error->text + used, sizeof c->error->text - used, "; did you mean '%s'?",
                 s.name);
    }
    return CD_INVALID;
}

// the arguments stand on the tape one behind the other, each knows the one before it
static CdStatus call_user(Compiler *c, const CdDefined *f, const char *word, size_t n,
                          Operand *out) {
    Operand before = 0, value;
    for (int k = 0; k < f->nargs; k++) {
        if (k > 0 && !take(c, ",")) return fail(c, c->at, "too few arguments for", word, n);
        CD_TRY(expression(c, &value));
        CD_TRY(emit(c, (CdOp){.code = CD_OP_ARGUMENT, .arg = {value, before}}, &before));
    }
    if (take(c, ",")) return fail(c, c->at - 1, "too many arguments for", word, n);
    if (!take(c, ")")) return fail(c, c->at, "')' is missing after the arguments of", word, n);
    return emit(c, (CdOp){.code = CD_OP_CALL, .arg = {before}, .function = f}, out);
}

static CdStatus call(Compiler *c, const char *word, size_t n, Operand *out) {
    for (const CdDefined *f = cdi_context_defined(c->ctx); f; f = f->next) {
        if (word_is(word, n, f->name)) return call_user(c, f, word, n, out);
    }
    for (size_t i = 0; i < NFUNCTIONS; i++) {
        if (!word_is(word, n, functions[i].name)) continue;
        Operand arg[3] = {0};
        for (int k = 0; k < functions[i].nargs; k++) {
            if (k > 0 && !take(c, ",")) return fail(c, c->at, "too few arguments for", word, n);
            CD_TRY(expression(c, &arg[k]));
        }
        if (take(c, ",")) return fail(c, c->at - 1, "too many arguments for", word, n);
        if (!take(c, ")")) return fail(c, c->at, "')' is missing after the arguments of", word, n);
        return emit_op(c, functions[i].code, functions[i].nargs, arg, out);
    }
    return unknown_name(c, word, n);
}

// a name that whoever compiles the text knows
static CdStatus foreign_name(Compiler *c, const char *word, size_t n, Operand *out) {
    size_t k = 0;
    while (k < c->nnames && (c->names[k].n != n || memcmp(c->names[k].text, word, n) != 0)) {
        k++;
    }
    const uint16_t variable = (uint16_t)(c->scope->nvariables + k);
    CD_TRY(emit(c, (CdOp){.code = CD_OP_VARIABLE, .arg = {variable}}, out));
    if (k < c->nnames) return CD_OK;
    RESERVE(c, names, names_room, c->nnames);
    c->names[c->nnames++] = (Word){word, n};
    return CD_OK;
}

static CdStatus quoted_name(Compiler *c, Operand *out) {
    const char *word = c->at + 1;
    const size_t n = strcspn(word, "'");
    if (word[n] == 0) return fail(c, c->at, "a closing ' is missing", NULL, 0);
    if (n == 0) return fail(c, c->at, "expected a name between the quotes", NULL, 0);
    c->at = word + n + 1;
    return foreign_name(c, word, n, out);
}

// the newest are used the most
static const Operand *find_local(const Compiler *c, const char *word, size_t n) {
    for (size_t k = c->nlocals; k-- > 0;) {
        const Local *l = &c->locals[k];
        if (l->name.n == n && memcmp(l->name.text, word, n) == 0) return &l->made;
    }
    return NULL;
}

static CdStatus name(Compiler *c, Operand *out) {
    const char *word = c->at;
    while (cdi_is_letter(*c->at) || is_digit(*c->at) || *c->at == '.') c->at++;
    size_t n = (size_t)(c->at - word);
    if (take(c, "(")) return call(c, word, n, out);

    const CdExprScope *s = c->scope;
    const Operand *local = find_local(c, word, n);
    if (local) {
        *out = *local;
        return CD_OK;
    }
    for (size_t i = 0; i < s->nvariables; i++) {
        if (!word_is(word, n, s->variables[i])) continue;
        return emit(c, (CdOp){.code = CD_OP_VARIABLE, .arg = {(uint16_t)i}}, out);
    }
    for (size_t i = 0; i < s->nconstants; i++) {
        if (word_is(word, n, s->constants[i])) return emit_constant(c, s->values[i], out);
    }
    if (word_is(word, n, "pi")) return emit_constant(c, CD_PI, out);
    return s->open ? foreign_name(c, word, n, out) : unknown_name(c, word, n);
}

static CdStatus primary(Compiler *c, Operand *out) {
    skip_space(c);
    if (is_digit(*c->at)) {
        double value;
        const char *start = c->at;
        c->at += cdi_number_read(c->at, (size_t)(c->end - c->at), &value);
        if (cdi_is_letter(*c->at) || is_digit(*c->at) || *c->at == '.') {
            return fail(c, start, "not a number:", start, strcspn(start, " +-*/()<>=!&|?:,;^"));
        }
        if (!isfinite(value)) {
            return fail(c, start, "the number is too large:", start, (size_t)(c->at - start));
        }
        return emit_constant(c, value, out);
    }
    if (cdi_is_letter(*c->at)) return name(c, out);
    if (*c->at == '\'' && c->scope->open) return quoted_name(c, out);
    if (take(c, "(")) {
        CD_TRY(expression(c, out));
        if (!take(c, ")")) return fail(c, c->at, "')' is missing", NULL, 0);
        return CD_OK;
    }
    if (*c->at == '\0') {
        return fail(c, c->at, "the expression ends where a value is expected", NULL, 0);
    }
    return fail(c, c->at, "expected a value, not", c->at, 1);
}

// every way down to a deeper level passes here, so the machine stack stays small
static CdStatus unary(Compiler *c, Operand *out) {
    if (c->depth == CD_EXPR_DEPTH_MAX) {
        return fail(c, c->at, "nested too deeply; split it into parameters", NULL, 0);
    }
    c->depth++;
    CdStatus status;
    Operand arg[3] = {0};
    bool negate = take(c, "-");
    if (negate || take(c, "!")) {
        status = unary(c, &arg[0]);
        if (status == CD_OK) status = emit_op(c, negate ? CD_OP_NEG : CD_OP_NOT, 1, arg, out);
    } else if (take(c, "+")) {
        status = unary(c, out);
    } else {
        status = primary(c, &arg[0]);
        *out = arg[0];
        if (status == CD_OK && take(c, "^")) {
            status = unary(c, &arg[1]);
            if (status == CD_OK) status = emit_op(c, CD_OP_pow, 2, arg, out);
        }
    }
    c->depth--;
    return status;
}

// binary operators, weakest first; of two that begin alike the longer stands first
typedef struct Binary {
    const char *symbol;
    CdOpCode code;
} Binary;

#define LEVELS 5
#define COMPARISONS 2 // the level that does not chain
static const Binary binary[LEVELS][7] = {
    {{"||", CD_OP_OR}},
    {{"&&", CD_OP_AND}},
    {{"==", CD_OP_EQ},
     {"!=", CD_OP_NE},
     {"<=", CD_OP_LE},
     {">=", CD_OP_GE},
     {"<", CD_OP_LT},
     {">", CD_OP_GT}},
    {{"+", CD_OP_ADD}, {"-", CD_OP_SUB}},
    {{"*", CD_OP_MUL}, {"/", CD_OP_DIV}},
};

static bool take_binary(Compiler *c, int level, CdOpCode *code) {
    for (const Binary *b = binary[level]; b->symbol; b++) {
        if (take(c, b->symbol)) {
            *code = b->code;
            return true;
        }
    }
    return false;
}

static CdStatus chain_of(Compiler *c, int level, Operand *out) {
    if (level == LEVELS) return unary(c, out);
    CD_TRY(chain_of(c, level + 1, out));
    CdOpCode code;
    while (take_binary(c, level, &code)) {
        Operand arg[3] = {*out};
        CD_TRY(chain_of(c, level + 1, &arg[1]));
        CD_TRY(emit_op(c, code, 2, arg, out));
        const char *at = c->at;
        if (level == COMPARISONS && take_binary(c, level, &code)) {
            return fail(c, at, "comparisons do not chain; write a < b && b < c", NULL, 0);
        }
    }
    return CD_OK;
}

static CdStatus expression(Compiler *c, Operand *out) {
    CD_TRY(chain_of(c, 0, out));
    if (!take(c, "?")) return CD_OK;
    if (c->depth == CD_EXPR_DEPTH_MAX) {
        return fail(c, c->at, "nested too deeply; split it into parameters", NULL, 0);
    }
    c->depth++;
    Operand arg[3] = {*out};
    CD_TRY(expression(c, &arg[1]));
    if (!take(c, ":")) return fail(c, c->at, "':' is missing after '?'", NULL, 0);
    CD_TRY(expression(c, &arg[2]));
    c->depth--;
    return emit_op(c, CD_OP_if, 3, arg, out);
}

// ---- names for what is used again

// does "name =" stand here? Then it is taken
static bool take_name(Compiler *c, Word *word) {
    skip_space(c);
    const char *from = c->at;
    while (cdi_is_letter(*c->at) || (c->at > from && is_digit(*c->at))) c->at++;
    *word = (Word){from, (size_t)(c->at - from)};
    skip_space(c);
    if (word->n > 0 && c->at[0] == '=' && c->at[1] != '=') {
        c->at++;
        return true;
    }
    c->at = from;
    return false;
}

static bool is_taken(const Compiler *c, Word w) {
    const CdExprScope *s = c->scope;
    bool taken = find_local(c, w.text, w.n) || word_is(w.text, w.n, "pi");
    for (size_t i = 0; i < s->nvariables; i++) taken |= word_is(w.text, w.n, s->variables[i]);
    for (size_t i = 0; i < s->nconstants; i++) taken |= word_is(w.text, w.n, s->constants[i]);
    return taken;
}

static CdStatus define(Compiler *c, Word word) {
    Operand made;
    if (is_taken(c, word)) {
        return fail(c, word.text, "there is already something of the name", word.text, word.n);
    }
    if (c->nlocals == CD_EXPR_OPS_MAX) return too_long(c, word.text);
    CD_TRY(expression(c, &made));
    if (!take(c, ";"))
        return fail(c, c->at, "';' is missing behind the value of", word.text, word.n);
    RESERVE(c, locals, locals_room, c->nlocals);
    c->locals[c->nlocals++] = (Local){word, made};
    c->kept = c->nops;
    return CD_OK;
}

static CdStatus compile(Compiler *c) {
    if (c->end - c->text > CD_EXPR_BYTES_MAX) return too_long(c, c->text);
    Word word;
    Operand out;
    while (take_name(c, &word)) CD_TRY(define(c, word));
    CD_TRY(expression(c, &out));
    skip_space(c);
    if (*c->at != '\0') {
        return fail(c, c->at, "expected an operator, not", c->at, strcspn(c->at, " "));
    }
    // the last operation is the result
    return out + 1u == c->nops ? CD_OK
                               : emit(c, (CdOp){.code = CD_OP_ARGUMENT, .arg = {out}}, &out);
}

// the tape, the names and their texts in one block
static CdStatus pack(CdContext *ctx, const Compiler *c, CdExpr **expr) {
    size_t texts = 0;
    for (size_t k = 0; k < c->nnames; k++) texts += c->names[k].n + 1;
    const size_t ops = c->nops * sizeof(CdOp), names = c->nnames * sizeof(CdExprName);
    CdExpr *e = *expr = cdi_alloc(ctx, sizeof *e + ops + names + texts);
    if (!e) return CD_NOMEM;
    e->nops = c->nops;
    e->nvariables = c->scope->nvariables;
    e->nnames = c->nnames;
    e->names = (CdExprName *)(void *)(e->ops + c->nops);
    memcpy(e->ops, c->ops, ops);
    char *text = (char *)(e->names + c->nnames);
    for (size_t k = 0; k < c->nnames; k++) {
        const Word *word = &c->names[k];
        memcpy(text, word->text, word->n);
        text[word->n] = 0;
        e->names[k] = (CdExprName){text, (int)(word->text - c->text) + 1};
        text += word->n + 1;
    }
    return CD_OK;
}

CdStatus cdi_expr_compile(CdContext *ctx, const char *text, const CdExprScope *scope, CdExpr **expr,
                          CdExprError *error) {
    Compiler *c = cdi_alloc(ctx, sizeof *c);
    if (!c) return CD_NOMEM;
    c->ctx = ctx;
    c->text = c->at = text;
    c->end = text + strlen(text);
    c->scope = scope;
    c->error = error;
    CdStatus status = compile(c);
    if (status == CD_OK) status = pack(ctx, c, expr);
    void *const lists[] = {c->ops, c->names, c->locals};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) cdi_free(ctx, lists[k]);
    cdi_free(ctx, c);
    return status;
}

void cdi_expr_free(CdContext *ctx, CdExpr *expr) {
    cdi_free(ctx, expr);
}
