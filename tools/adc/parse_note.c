// parse_note.c - the directives: lines "// adc: ..." that say what to derive
//
//   NAME = jacobian(OUT; IN, ...)          NAME = along(OUT; IN, ..., t = 1; SPEED)
//   NAME = transpose(OUT; IN, ...; LAMBDA) NAME = gradient(OUT; IN, ...)   NAME = value(OUT)
//   d(OUT)/d(IN, ...)                      short for jac = jacobian(OUT; IN, ...)
//   joint(OUT; IN, ..., t = 1)             the family of a constraint
//   lanes(NAME, ...)   move(Struct)   partials(FUNCTION, ...)
#include "parser.h"

#include <string.h>

static bool name_of(Parser *p, const char **name, const char *what) {
    if (tok(p)->kind != T_NAME) {
        parse_fail(p, "expected %s in this directive before %s", what, parse_text(tok(p)));
        return false;
    }
    *name = tok(p)->text;
    p->at++;
    return true;
}

static bool one_in(Parser *p, Directive *d) {
    DirectiveIn in = {.place = tok(p)->place};
    if (!name_of(p, &in.name, "the name of an argument")) return false;
    if (take(p, "->") && !name_of(p, &in.member, "the name of a member")) return false;
    if (take(p, "=")) {
        const Token *t = tok(p);
        if (t->kind != T_INT && t->kind != T_REAL) {
            parse_fail(p, "expected the speed of '%s', for example %s = 1", in.name, in.name);
            return false;
        }
        in.fixed = true;
        in.speed = t->kind == T_INT ? (double)t->integer : t->real;
        p->at++;
    }
    PUSH(p->unit->mem, &d->ins, in);
    return true;
}

static bool in_list(Parser *p, Directive *d) {
    do {
        if (!one_in(p, d)) return false;
    } while (take(p, ","));
    return true;
}

// (OUT; IN, ...; EXTRA)
static bool operands(Parser *p, Directive *d, bool need_ins) {
    if (!expect(p, "(", "in this directive")) return false;
    d->of_place = tok(p)->place;
    if (!name_of(p, &d->of, "the name of an output")) return false;
    if (need_ins) {
        if (!expect(p, ";", "between output and inputs") || !in_list(p, d)) return false;
        if (take(p, ";") && !name_of(p, &d->extra, "the name of the new argument")) return false;
    }
    return expect(p, ")", "at the end of this directive");
}

static bool quotient(Parser *p, Directive *d) {
    d->op = "jacobian";
    d->name = "jac";
    if (!expect(p, "(", "after d")) return false;
    d->of_place = tok(p)->place;
    if (!name_of(p, &d->of, "the name of an output")) return false;
    if (!expect(p, ")", "after the output") || !expect(p, "/", "in d(...)/d(...)")) return false;
    const char *name;
    if (!name_of(p, &name, "d(") || !expect(p, "(", "in d(...)/d(...)")) return false;
    return in_list(p, d) && expect(p, ")", "at the end of this directive");
}

static bool derive(Parser *p, Directive *d, const char *name) {
    static const char *const ops[] = {"jacobian", "along", "transpose", "gradient", "value"};
    const Place place = tok(p)->place;
    d->name = name;
    if (!name_of(p, &d->op, "an operation")) return false;
    for (int i = 0; i < 5; i++) {
        if (strcmp(d->op, ops[i]) == 0) return operands(p, d, i < 4);
    }
    message_error(p->unit->m, place,
                  "unknown operation '%s'; write jacobian, along, transpose, "
                  "gradient or value",
                  d->op);
    return false;
}

static bool body(Parser *p, Directive *d) {
    const Place place = tok(p)->place;
    const char *first;
    if (!name_of(p, &first,
                 "jacobian, along, transpose, gradient, value, joint, lanes, move or "
                 "partials")) {
        return false;
    }
    if (take(p, "=")) return derive(p, d, first);
    if (strcmp(first, "d") == 0) return quotient(p, d);
    if (strcmp(first, "joint") == 0) {
        d->kind = D_JOINT;
        return operands(p, d, true);
    }
    if (strcmp(first, "lanes") == 0) {
        d->kind = D_LANES;
    } else if (strcmp(first, "move") == 0) {
        d->kind = D_MOVE;
    } else if (strcmp(first, "partials") == 0) {
        d->kind = D_PARTIALS;
    } else {
        message_error(p->unit->m, place,
                      "unknown directive '%s'; write NAME = jacobian(...), "
                      "joint(...), lanes(...), move(...) or partials(...)",
                      first);
        return false;
    }
    return expect(p, "(", "in this directive") && in_list(p, d) &&
           expect(p, ")", "at the end of this directive");
}

Directive *parse_directive(Unit *unit, const Token *t) {
    Parser p = {.unit = unit};
    const int before = unit->m->nerror;
    lex_directive(unit->mem, unit->m, t, &p.tokens);
    Directive *d = mem_new(unit->mem, sizeof *d);
    d->place = t->place;
    if (unit->m->nerror > before || !body(&p, d)) return NULL;
    if (tok(&p)->kind != T_END) {
        return parse_fail(&p, "expected the end of the directive before %s", parse_text(tok(&p)));
    }
    return d;
}
