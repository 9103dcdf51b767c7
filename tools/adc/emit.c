// emit.c - the generated header: sizes, prototypes and functions
#include "emit.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

// lanes: pointers that lie in a struct become arguments of their own, one pointer per lane
static void member_handles(Text *t, const Program *p, const int *roots, int n);

void emit_signature(Text *t, const Program *p, Shape shape) {
    const char *comma = "";
    text_add(t, "static inline void %s_%s%s(", p->fn->name, p->name, suffix(shape));
    for (int i = 0; i < p->fn->params.n; i++) {
        const Var *v = p->fn->params.at[i];
        if (!is_input(v) || (shape == LANES && v->type.base == B_STRUCT && !v->type.st->ncell)) {
            continue;
        }
        text_add(t, "%s", comma);
        input(t, v, shape);
        comma = ", ";
    }
    if (shape == LANES) member_handles(t, p, NULL, 0);
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

static void member_handles(Text *t, const Program *p, const int *roots, int n) {
    (void)roots;
    (void)n;
    const Graph *g = p->g;
    for (int i = 0; i < g->calls.n; i++) {
        const Call *c = &g->calls.at[i];
        for (int k = 0; k < c->nargs; k++) {
            if (c->arg[k] >= 0 || !strchr(c->handle[k], '>')) continue;
            bool again = false;
            for (int j = 0; j < i; j++) {
                for (int l = 0; l < g->calls.at[j].nargs; l++) {
                    const char *other = g->calls.at[j].handle[l];
                    again =
                        again || (g->calls.at[j].arg[l] < 0 && strcmp(other, c->handle[k]) == 0);
                }
            }
            if (again) continue;
            char name[80];
            size_t m = 0;
            for (const char *s = c->handle[k]; *s && m + 1 < sizeof name; s++) {
                if (*s != '>') name[m++] = (char)(isalnum((unsigned char)*s) ? *s : '_');
            }
            name[m] = 0;
            text_add(t, ", const %s *const %s[8]", c->fn->params.at[k]->type.name, name);
        }
    }
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

static void functions(Text *t, const Programs *programs, Shape shape) {
    for (int i = 0; i < programs->n; i++) {
        const Program *p = programs->at[i];
        if (shape == LANES && !p->lanes) continue;
        text_add(t, "\n// %s = %s\n", p->name, p->doc);
        emit_signature(t, p, shape);
        text_add(t, " {\n");
        emit_body(t, p, shape);
        text_add(t, "}\n");
    }
}

static void prototypes(Text *t, const Programs *programs, Shape shape) {
    for (int i = 0; i < programs->n; i++) {
        if (shape == LANES && !programs->at[i]->lanes) continue;
        emit_signature(t, programs->at[i], shape);
        text_add(t, ";\n");
    }
}

static void lanes(Text *t, const Programs *programs) {
    bool any = false;
    for (int i = 0; i < programs->n; i++) any = any || programs->at[i]->lanes;
    if (!any) return;
    text_add(t, "\n// lanes: element k of item l stands at [8*k + l]; a struct is its doubles in "
                "their order.\n// For objects made for one instruction set (ad/lanes.h)\n"
                "#ifdef CD_LANES\n#include \"ad/lanes.h\"\n");
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
