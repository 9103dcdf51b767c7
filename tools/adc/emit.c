// emit.c - the generated header: sizes, prototypes and functions
#include "emit.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "activity.h"

void text_add(Text *t, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const int need = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (t->n + (size_t)need + 1 > t->cap) {
        const size_t cap = 2 * t->cap + (size_t)need + 256;
        t->at = mem_grow(t->mem, t->at, t->n, cap);
        t->cap = cap;
    }
    va_start(args, fmt);
    vsnprintf(t->at + t->n, (size_t)need + 1, fmt, args);
    va_end(args);
    t->n += (size_t)need;
}

// the shortest text that reads back as the same double
const char *emit_number(Mem *mem, double v) {
    if (isnan(v)) return "(0.0/0.0)";
    if (isinf(v)) return v > 0 ? "(1.0/0.0)" : "(-1.0/0.0)";
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v) break;
    }
    const char *point = strpbrk(text, ".en") ? "" : ".0";
    return mem_text(mem, v < 0 ? "(%s%s)" : "%s%s", text, point);
}

// does a program need this node?
static bool program_reads(const Program *p, int node) {
    LIST(int) roots = {0};
    for (int i = 0; i < p->outs.n; i++) {
        for (int k = 0; k < p->outs.at[i].n; k++) {
            PUSH(p->g->mem, &roots, p->outs.at[i].node[k]);
        }
    }
    return liveness(p->g, roots.at, roots.n)[node];
}

static const char *type_of(Shape shape) {
    return shape == COMPLEX ? "double complex" : "double";
}

static const char *suffix(Shape shape) {
    return shape == LANES ? "_lanes" : shape == COMPLEX ? "_complex" : "";
}

static void input(Text *t, const Var *v, Shape shape) {
    const int n = type_cells(&v->type);
    if (v->type.base == B_HANDLE) {
        text_add(t, shape == LANES ? "const %s *const %s[8]" : "const %s *%s", v->type.name,
                 v->name);
    } else if (shape == LANES && n == 0) { // a struct without doubles
        text_add(t, "const double *%s", v->name);
    } else if (shape == LANES) {
        text_add(t, "const double %s[restrict %d*8]", v->name, n);
    } else if (v->type.base == B_STRUCT) {
        text_add(t, "const %s *%s", v->type.name, v->name);
    } else if (v->type.ndim) {
        text_add(t, "const %s %s[%d]", type_of(shape), v->name, n);
    } else {
        text_add(t, "%s %s", type_of(shape), v->name);
    }
}

static bool is_input(const Var *v) {
    return v->type.is_const || (!v->type.ndim && v->type.base != B_STRUCT);
}

static void array(Text *t, const char *qualifier, const char *name, int n, Shape shape) {
    text_add(t, "%s%s %s[%s%d%s]", qualifier, type_of(shape), name,
             *qualifier && shape != LANES ? "" : "restrict ", n, shape == LANES ? "*8" : "");
}

static bool is_handle(const Program *p, const char *text) {
    for (int i = 0; i < p->fn->params.n; i++) {
        const Var *v = p->fn->params.at[i];
        if (v->type.base == B_HANDLE && strcmp(v->name, text) == 0) return true;
    }
    return false;
}

// lanes: a pointer that extern functions get is an argument of its own, one per lane
const char *emit_handle(Mem *mem, const Program *p, const char *text) {
    if (is_handle(p, text)) return text;
    Text t = {.mem = mem};
    for (const char *s = text + (*text == '&'); *s; s++) {
        if (*s != '>') text_add(&t, "%c", isalnum((unsigned char)*s) ? *s : '_');
    }
    text_add(&t, "_at");
    return t.at;
}

static bool starts_with(const char *handle, const char *param) {
    const size_t n = strlen(param);
    handle += *handle == '&';
    return strncmp(handle, param, n) == 0 && !isalnum((unsigned char)handle[n]) && handle[n] != '_';
}

typedef LIST(const char *) Names;

// the pointers that come with one parameter, in the order of their first call
static void handles_of(Text *t, const Program *p, const char *param, Names *seen) {
    const Graph *g = p->g;
    for (int i = 1; i < g->nodes.n; i++) {
        if (g->nodes.at[i].op != O_EXTERN || !program_reads(p, i)) continue;
        const Call *c = &g->calls.at[g->nodes.at[i].a];
        for (int k = 0; k < c->nargs; k++) {
            if (c->arg[k] >= 0 || is_handle(p, c->handle[k])) continue;
            bool again = !starts_with(c->handle[k], param);
            for (int j = 0; j < seen->n; j++) again = again || !strcmp(seen->at[j], c->handle[k]);
            if (again) continue;
            PUSH(t->mem, seen, c->handle[k]);
            text_add(t, ", const %s *const %s[8]", c->fn->params.at[k]->type.name,
                     emit_handle(t->mem, p, c->handle[k]));
        }
    }
}

static void handles(Text *t, const Program *p) {
    Names seen = {0};
    if (!p->g->calls.n) return;
    for (int i = 0; i < p->fn->params.n; i++) handles_of(t, p, p->fn->params.at[i]->name, &seen);
}

void emit_signature(Text *t, const Program *p, Shape shape) {
    const char *comma = "";
    text_add(t, "static inline void %s_%s%s(", p->fn->name, p->name, suffix(shape));
    if (shape == LANES) {
        text_add(t, "int %s", EMIT_ITEMS);
        comma = ", ";
    }
    for (int i = 0; i < p->fn->params.n; i++) {
        const Var *v = p->fn->params.at[i];
        if (!is_input(v)) continue;
        text_add(t, "%s", comma);
        input(t, v, shape);
        comma = ", ";
    }
    if (shape == LANES) handles(t, p);
    for (int i = 0; i < p->extras.n; i++) {
        text_add(t, "%s", comma);
        array(t, "const ", p->extras.at[i].name, p->extras.at[i].n, shape);
        comma = ", ";
    }
    for (int i = 0; i < p->outs.n; i++) {
        text_add(t, "%s", comma);
        array(t, "", p->outs.at[i].name, p->outs.at[i].n, shape);
        comma = ", ";
    }
    text_add(t, ")");
}

static int nonzeros(const Program *p) {
    const Output *o = &p->outs.at[p->outs.n - 1];
    int n = 0;
    for (int i = 0; i < o->n; i++) n += !graph_is(p->g, o->node[i], 0);
    return n;
}

static void sizes(Text *t, const Program *p) {
    const Output *o = &p->outs.at[p->outs.n - 1];
    const char *f = p->fn->name, *name = p->name;
    text_add(t, "enum { %s_%s_N = %d, ", f, name, o->n);
    if (o->ncol) text_add(t, "%s_%s_NROW = %d, ", f, name, o->n / o->ncol);
    text_add(t, "%s_%s_NDIR = %d, %s_%s_NNZ = %d };\n", f, name, p->ndir, f, name, nonzeros(p));
}

static const char *guard(Mem *mem, const char *stem, Shape shape) {
    char *g = mem_text(mem, "%s_ADC%s_H", stem, shape == COMPLEX ? "_COMPLEX" : "");
    for (char *c = g; *c; c++) *c = (char)(isalnum((unsigned char)*c) ? toupper(*c) : '_');
    return isdigit((unsigned char)*g) ? mem_text(mem, "ADC_%s", g) : g;
}

// breaks a long line after commas
static void signature(Text *t, const Program *p, Shape shape, const char *end) {
    enum { WIDTH = 100 };
    Text s = {.mem = t->mem};
    emit_signature(&s, p, shape);
    text_add(&s, "%s", end);
    const char *at = s.at;
    const int indent = (int)(strchr(at, '(') - at) + 1;
    for (int column = 0; *at;) {
        size_t n = strcspn(at, ","); // one argument with its comma
        n += at[n] == ',';
        const bool fits = column + (int)n - (*at == ' ') <= WIDTH;
        if (!fits && column) {
            text_add(t, "\n%*s", indent, "");
            at += *at == ' ';
            column = indent;
            n = strcspn(at, ",");
            n += at[n] == ',';
        }
        text_add(t, "%.*s", (int)n, at);
        column += (int)n;
        at += n;
    }
    text_add(t, "\n");
}

static void functions(Text *t, const Programs *programs, Shape shape) {
    for (int i = 0; i < programs->n; i++) {
        const Program *p = programs->at[i];
        if (shape == LANES && !p->lanes) continue;
        text_add(t, "\n// %s = %s\n", p->name, p->doc);
        signature(t, p, shape, " {");
        emit_body(t, p, shape);
        text_add(t, "}\n");
    }
}

static void prototypes(Text *t, const Programs *programs, Shape shape) {
    for (int i = 0; i < programs->n; i++) {
        if (shape == LANES && !programs->at[i]->lanes) continue;
        signature(t, programs->at[i], shape, ";");
    }
}

// out[n] = path of every double of a type, in their order
static void type_copies(Text *t, const Type *type, const char *path, int *n) {
    if (type->ndim > 0) {
        Type part = *type;
        part.ndim--;
        for (int i = 0; i < part.ndim; i++) part.dim[i] = type->dim[i + 1];
        for (int i = 0; i < type->dim[0]; i++) {
            type_copies(t, &part, mem_text(t->mem, "%s[%d]", path, i), n);
        }
    } else if (type->base == B_DOUBLE) {
        text_add(t, "    out[%d] = %s;\n", (*n)++, path);
    } else if (type->base == B_STRUCT) {
        for (int i = 0; i < type->st->members.n; i++) {
            const Member *m = &type->st->members.at[i];
            const char *dot = strchr(path, '>') ? "." : "->";
            type_copies(t, &m->type, mem_text(t->mem, "%s%s%s", path, dot, m->name), n);
        }
    }
}

// how the parameters of a kernel, its first argument, come to stand in lanes
static void parameters(Text *t, const Function *fn) {
    if (fn->params.n == 0 || fn->params.at[0]->type.base != B_STRUCT) return;
    const Var *p = fn->params.at[0];
    int n = 0;
    text_add(t, "enum { %s_%s_N = %d };\n", fn->name, p->name, p->type.st->ncell);
    text_add(t, "static inline void %s_%s_cells(const %s *%s, double *out) {\n", fn->name, p->name,
             p->type.name, p->name);
    type_copies(t, &(Type){.base = B_STRUCT, .st = p->type.st}, p->name, &n);
    if (n == 0) text_add(t, "    (void)%s;\n    (void)out;\n", p->name);
    text_add(t, "}\n");
}

// of every kernel with lanes
static void all_parameters(Text *t, const Programs *programs) {
    for (int i = 0; i < programs->n; i++) {
        bool first = programs->at[i]->lanes;
        for (int j = 0; j < i; j++) {
            first =
                first && !(programs->at[j]->lanes && programs->at[j]->fn == programs->at[i]->fn);
        }
        if (first) parameters(t, programs->at[i]->fn);
    }
}

static void lanes(Text *t, const Programs *programs) {
    bool any = false;
    for (int i = 0; i < programs->n; i++) any = any || programs->at[i]->lanes;
    if (!any) return;
    text_add(t, "\n// lanes: element k of item l stands at [8*k + l]; a struct is its doubles in "
                "their order.\n// For objects made for one instruction set (ad/lanes.h)\n"
                "#ifdef CD_LANES\n#include \"ad/lanes.h\"\n");
    all_parameters(t, programs);
    prototypes(t, programs, LANES);
    functions(t, programs, LANES);
    text_add(t, "#endif\n");
}

void emit_header(Text *t, const char *stem, const char *source, const Programs *programs,
                 Shape shape) {
    const char *g = guard(t->mem, stem, shape);
    text_add(t, "// %s.adc%s.h - derivatives of the kernels in %s; written by adc, do not edit\n",
             stem, shape == COMPLEX ? ".complex" : "", source);
    text_add(t, "#ifndef %s\n#define %s\n\n#include <math.h>\n", g, g);
    if (shape == COMPLEX) text_add(t, "#include \"adc_complex.h\"\n");
    text_add(t, "\n// kernel\n");
    if (shape == SCALAR) {
        for (int i = 0; i < programs->n; i++) sizes(t, programs->at[i]);
        text_add(t, "\n");
    }
    prototypes(t, programs, shape);
    functions(t, programs, shape);
    text_add(t, "// end kernel\n");
    if (shape == SCALAR) lanes(t, programs);
    text_add(t, "\n#endif\n");
}
