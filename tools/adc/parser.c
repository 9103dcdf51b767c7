// parser.c - files, types and functions of the subset
//
//   file     = { #include "x" | #define NAME INT | enum | typedef struct | table | directive
//              | function | prototype | extern }
//   function = ["static"] ["inline"] ("void" | "double") NAME "(" params ")" block
#include "parser.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "parse_stmt.h"

Token *tok(Parser *p) {
    return &p->tokens.at[p->at];
}

static bool at_kind(Parser *p, TokenKind kind, const char *text) {
    return tok(p)->kind == kind && strcmp(tok(p)->text, text) == 0;
}

bool at_mark(Parser *p, const char *mark) {
    return at_kind(p, T_MARK, mark);
}

bool at_name(Parser *p, const char *name) {
    return at_kind(p, T_NAME, name);
}

bool take(Parser *p, const char *mark) {
    if (!at_mark(p, mark)) return false;
    p->at++;
    return true;
}

bool take_name(Parser *p, const char *name) {
    if (!at_name(p, name)) return false;
    p->at++;
    return true;
}

const char *parse_text(const Token *t) {
    return t->kind == T_END ? "the end" : *t->text ? t->text : "this";
}

void *parse_fail(Parser *p, const char *fmt, ...) {
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    message_error(p->unit->m, tok(p)->place, "%s", text);
    return NULL;
}

bool expect(Parser *p, const char *mark, const char *context) {
    if (take(p, mark)) return true;
    parse_fail(p, "expected '%s' %s before %s", mark, context, parse_text(tok(p)));
    return false;
}

Struct *parse_struct_named(const Unit *u, const char *name) {
    for (int i = u->structs.n - 1; i >= 0; i--) {
        if (strcmp(u->structs.at[i]->name, name) == 0) return u->structs.at[i];
    }
    return NULL;
}

// {[INT]}: dimensions behind a name; quiet where the struct lies outside of the kernel regions
bool parse_dims(Parser *p, Type *t) {
    while (at_mark(p, "[")) {
        p->at++;
        take_name(p, "restrict");
        long n;
        if (at_mark(p, "]")) {
            parse_fail(p, "array without size; write the number of elements");
            return false;
        }
        const Place place = tok(p)->place;
        if (!parse_integer(p, &n) || !expect(p, "]", "after the size")) return false;
        if (n < 1 || n > MAX_CELLS || t->ndim == MAX_DIMS) {
            message_error(p->unit->m, place,
                          "an array has 1 to %d elements and up to %d "
                          "dimensions; make it smaller",
                          (int)MAX_CELLS, (int)MAX_DIMS);
            return false;
        }
        t->dim[t->ndim++] = (int)n;
    }
    if (type_cells(t) > MAX_CELLS) {
        parse_fail(p, "more than %d doubles in one variable; make it smaller", (int)MAX_CELLS);
        return false;
    }
    return true;
}

static void skip_member(Parser *p) {
    int depth = 0;
    while (tok(p)->kind != T_END && !(depth <= 0 && at_mark(p, ";"))) {
        if (depth <= 0 && at_mark(p, "}")) return;
        depth += at_mark(p, "{") ? 1 : at_mark(p, "}") ? -1 : 0;
        p->at++;
    }
    take(p, ";");
}

static void add_member(Parser *p, Struct *st, const char *name, Type type) {
    const Member member = {.name = name, .type = type, .offset = st->ncell};
    if (type.base == B_DOUBLE || type.base == B_STRUCT) st->ncell += type_cells(&type);
    if (type.base == B_VOID || type.base == B_HANDLE) st->whole = false;
    if (type.base == B_STRUCT && !type.st->whole) st->whole = false;
    PUSH(p->unit->mem, &st->members, member);
}

// "double a, b[3];" or "Frame f;"; anything else becomes a member that kernels can not use
static void member_line(Parser *p, Struct *st) {
    const int start = p->at;
    Messages quiet = {.mem = p->unit->mem, .nerror = MAX_ERRORS};
    Messages *loud = p->unit->m;
    p->unit->m = &quiet;
    Type base = {.base = B_VOID};
    const bool is_const = take_name(p, "const");
    const Struct *inner = tok(p)->kind == T_NAME ? parse_struct_named(p->unit, tok(p)->text) : NULL;
    if (at_name(p, "double")) {
        base.base = B_DOUBLE;
    } else if (inner) {
        base = (Type){.base = B_STRUCT, .st = inner, .name = inner->name};
    }
    base.name = tok(p)->text;
    bool ok = tok(p)->kind == T_NAME && (base.base != B_VOID || is_const);
    if (ok) p->at++;
    do {
        Type type = base;
        if (is_const && take(p, "*")) type.base = B_HANDLE;
        ok = ok && type.base != B_VOID && tok(p)->kind == T_NAME;
        const char *name = tok(p)->text;
        if (ok) p->at++;
        ok = ok && parse_dims(p, &type) && st->ncell + type_cells(&type) <= MAX_CELLS;
        if (ok) add_member(p, st, name, type);
    } while (ok && take(p, ","));
    if (!ok || !take(p, ";")) {
        p->at = start;
        for (int i = start; p->tokens.at[i].kind != T_END;
             i++) { // the last name before ; [ , is it
            const Token *t = &p->tokens.at[i];
            if (t->kind == T_MARK && strchr(";}", *t->text)) break;
            if (t->kind == T_NAME) add_member(p, st, t->text, (Type){.base = B_VOID});
        }
        skip_member(p);
    }
    p->unit->m = loud;
}

static bool parse_struct(Parser *p) {
    Struct *st = mem_new(p->unit->mem, sizeof *st);
    st->whole = true;
    p->at += 2; // typedef struct
    if (tok(p)->kind == T_NAME) p->at++;
    if (tok(p)->kind == T_NAME && strcmp(tok(p)[1].text, ";") == 0) { // its members are elsewhere
        p->at += 2;
        return true;
    }
    if (!expect(p, "{", "in the struct")) return false;
    while (!at_mark(p, "}") && tok(p)->kind != T_END) member_line(p, st);
    if (!expect(p, "}", "at the end of the struct")) return false;
    if (tok(p)->kind != T_NAME) {
        parse_fail(p, "expected the name of the struct");
        return false;
    }
    st->name = tok(p)->text;
    st->place = tok(p)->place;
    p->at++;
    PUSH(p->unit->mem, &p->unit->structs, st);
    return expect(p, ";", "after the struct");
}

static void add_constant(Parser *p, const char *name, Place place, long value) {
    Var *v = mem_new(p->unit->mem, sizeof *v);
    *v = (Var){.name = name, .place = place, .constant = true, .integer = value};
    v->type.base = B_INT;
    PUSH(p->unit->mem, &p->unit->globals, v);
}

// enum { A = 5, B };
static bool parse_enum(Parser *p) {
    p->at++;
    if (tok(p)->kind == T_NAME) p->at++;
    if (!expect(p, "{", "in the enum")) return false;
    long next = 0;
    while (tok(p)->kind == T_NAME) {
        const Token *t = tok(p);
        p->at++;
        if (take(p, "=") && !parse_integer(p, &next)) return false;
        add_constant(p, t->text, t->place, next++);
        if (!take(p, ",")) break;
    }
    return expect(p, "}", "at the end of the enum") && expect(p, ";", "after the enum");
}

static void parse_define(Parser *p) {
    const Token *t = tok(p);
    Parser inner = {.unit = p->unit};
    lex_directive(p->unit->mem, p->unit->m, t, &inner.tokens);
    p->at++;
    const Token *name = tok(&inner);
    if (name->kind != T_NAME) return;
    inner.at++;
    if (tok(&inner)->kind == T_END) return; // an include guard
    long value;
    if (at_mark(&inner, "(") && tok(&inner)->place.at == name->place.at + strlen(name->text)) {
        parse_fail(&inner, "macros with arguments are not in the subset; write a static function");
    } else if (parse_integer(&inner, &value)) {
        add_constant(p, name->text, name->place, value);
    }
}

static bool table_value(Parser *p, double *value) {
    const bool minus = take(p, "-");
    const Token *t = tok(p);
    if (t->kind != T_INT && t->kind != T_REAL) {
        parse_fail(p, "a table holds plain numbers only; write the value out");
        return false;
    }
    *value = t->kind == T_INT ? (double)t->integer : t->real;
    if (minus) *value = -*value;
    p->at++;
    if (!at_mark(p, ",") && !at_mark(p, "}") && !at_mark(p, ";")) {
        parse_fail(p, "a table holds plain numbers only; write the value out");
        return false;
    }
    return true;
}

static bool table_values(Parser *p, const Type *t, int level, double *at) {
    if (level == t->ndim) return table_value(p, at);
    int stride = 1;
    for (int i = level + 1; i < t->ndim; i++) stride *= t->dim[i];
    if (!expect(p, "{", "before the values")) return false;
    for (int i = 0; i < t->dim[level] && !at_mark(p, "}"); i++) {
        if (!table_values(p, t, level + 1, at + (ptrdiff_t)i * stride)) return false;
        if (!take(p, ",")) break;
    }
    return expect(p, "}", "after the values (or there are too many)");
}

// [static] const double NAME dims = values;
static bool parse_table(Parser *p) {
    take_name(p, "static");
    take_name(p, "const");
    p->at++; // double
    Var *v = mem_new(p->unit->mem, sizeof *v);
    v->name = tok(p)->text;
    v->place = tok(p)->place;
    v->constant = true;
    v->type = (Type){.base = B_DOUBLE, .is_const = true};
    p->at++;
    if (!parse_dims(p, &v->type) || !expect(p, "=", "in the table")) return false;
    v->table = mem_new(p->unit->mem, (size_t)type_cells(&v->type) * sizeof *v->table);
    if (!table_values(p, &v->type, 0, v->table)) return false;
    PUSH(p->unit->mem, &p->unit->globals, v);
    return expect(p, ";", "after the table");
}

static bool starts_table(Parser *p) {
    int k = p->at;
    const Token *t = p->tokens.at;
    if (t[k].kind == T_NAME && strcmp(t[k].text, "static") == 0) k++;
    if (t[k].kind != T_NAME || strcmp(t[k].text, "const") != 0) return false;
    return t[k + 1].kind == T_NAME && strcmp(t[k + 1].text, "double") == 0 &&
           t[k + 2].kind == T_NAME;
}

// skip to where the next declaration can start
static void recover(Parser *p) {
    int depth = 0;
    while (tok(p)->kind != T_END) {
        const bool close = at_mark(p, "}"), end = at_mark(p, ";");
        depth += at_mark(p, "{") ? 1 : close ? -1 : 0;
        p->at++;
        if ((close && depth <= 0) || (end && depth <= 0)) return;
    }
}

static const char *join(Mem *mem, const char *dir, const char *file) {
    return *dir ? mem_text(mem, "%s/%s", dir, file) : file;
}

static const char *folder(Mem *mem, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? mem_copy(mem, path, (size_t)(slash - path)) : "";
}

// x.c includes x.adc.h, which is what is being written
static bool is_own_output(const char *source, const char *included) {
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    const char *tail = strrchr(included, '/'), *name = tail ? tail + 1 : included;
    const size_t n = strcspn(base, ".");
    return strncmp(base, name, n) == 0 && strncmp(name + n, ".adc.", 5) == 0;
}

// a file that is not found is an ordinary header: nothing for kernels
static void include(Parser *p, const Search *search, const Token *t) {
    Mem *mem = p->unit->mem;
    if (!p->included && is_own_output(t->place.source->path, t->text)) return;
    const char *path = join(mem, folder(mem, t->place.source->path), t->text);
    if (parse_file(p->unit, search, path, false, true)) return;
    for (int i = 0; i < search->n; i++) {
        if (parse_file(p->unit, search, join(mem, search->dirs[i], t->text), false, true)) return;
    }
}

static void declaration(Parser *p, const Search *search, Notes *notes) {
    const Token *t = tok(p);
    const int before = p->at;
    bool ok = true;
    if (t->kind == T_INCLUDE) {
        p->at++;
        include(p, search, t);
    } else if (t->kind == T_DEFINE) {
        parse_define(p);
    } else if (t->kind == T_DIRECTIVE) {
        Directive *d = parse_directive(p->unit, t);
        p->at++;
        if (d) PUSH(p->unit->mem, notes, d);
    } else if (take(p, ";")) {
        return;
    } else if (at_name(p, "typedef") && strcmp(t[1].text, "struct") == 0) {
        ok = parse_struct(p);
    } else if (at_name(p, "enum")) {
        ok = parse_enum(p);
    } else if (starts_table(p)) {
        ok = parse_table(p);
    } else {
        ok = parse_function(p, notes);
    }
    if (!ok) {
        notes->n = 0; // what they speak of was not understood
        p->unit->lost = true;
        if (p->at == before) p->at++;
        recover(p);
    }
}

static bool known(const Unit *u, const char *path) {
    for (int i = 0; i < u->files.n; i++) {
        if (strcmp(u->files.at[i], path) == 0) return true;
    }
    return false;
}

bool parse_file(Unit *unit, const Search *search, const char *path, bool whole, bool included) {
    enum { MAX_FILES = 200 };
    if (known(unit, path)) return true;
    const Source *source = unit->files.n < MAX_FILES ? source_read(unit->mem, path) : NULL;
    if (!source) return false;
    PUSH(unit->mem, &unit->files, source->path);
    parse_source(unit, search, source, whole, included);
    return true;
}

void parse_source(Unit *unit, const Search *search, const Source *source, bool whole,
                  bool included) {
    Parser p = {.unit = unit, .included = included};
    lex(unit->mem, unit->m, source, whole, &p.tokens);
    Notes notes = {0};
    while (tok(&p)->kind != T_END && !message_full(unit->m)) declaration(&p, search, &notes);
    if (notes.n && !message_full(unit->m)) {
        message_error(unit->m, notes.at[0]->place,
                      "this directive stands before no function; put it above one");
    }
}
