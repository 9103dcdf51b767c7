// unit.c - reads units by recursive descent
#include "desc/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/turns.h"

// powers beyond these, as written and in all, and deeper brackets are no unit of mechanics
#define POWER_MAX 12
#define TOTAL_MAX 99
#define DEPTH_MAX 8

// largest whole number up to which all are exact
#define EXACT_MAX 0x1p53

typedef struct Symbol {
    const char *text;
    double num, den;
    int pi, power[CD_NDIM];
    bool prefixes;
} Symbol;

static const Symbol symbols[] = {
#define UNIT(text, num, den, pi, m, kg, s, a, k, rad, prefixes) \
    {text, num, den, pi, {m, kg, s, a, k, rad}, prefixes},
#include "desc/units.def"
#undef UNIT
};
enum { NSYMBOLS = sizeof symbols / sizeof *symbols };

static const struct {
    const char *text;
    double num, den;
} prefixes[] = {{"n", 1, 1e9}, {"u", 1, 1e6}, {"µ", 1, 1e6}, {"μ", 1, 1e6},
                {"m", 1, 1e3}, {"c", 1, 100}, {"d", 1, 10},  {"h", 100, 1},
                {"k", 1e3, 1}, {"M", 1e6, 1}, {"G", 1e9, 1}};
enum { NPREFIXES = sizeof prefixes / sizeof *prefixes };

typedef struct Parser {
    const char *at, *end;
    const char *bad;
    size_t nbad;
    int depth;
} Parser;

static bool fail(Parser *p, const char *bad, size_t n) {
    p->bad = bad;
    p->nbad = n;
    return false;
}

static bool take(Parser *p, const char *symbol) {
    size_t n = strlen(symbol);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, symbol, n) != 0) return false;
    p->at += n;
    return true;
}

static void skip_space(Parser *p) {
    while (take(p, " ")) {
    }
}

static bool find(const char *word, size_t n, bool prefixed, CdUnit *unit) {
    for (int i = 0; i < NSYMBOLS; i++) {
        const Symbol *s = symbols + i;
        if (strlen(s->text) != n || memcmp(s->text, word, n) != 0) continue;
        if (prefixed && !s->prefixes) continue;
        *unit = (CdUnit){.num = s->num, .den = s->den, .pi = s->pi};
        memcpy(unit->power, s->power, sizeof s->power);
        return true;
    }
    return false;
}

// multiply the factor by num/den; whole numbers are kept in lowest terms, so that kg is exactly 1
static void scale(CdUnit *unit, double num, double den) {
    unit->num *= num;
    unit->den *= den;
    double a = unit->num, b = unit->den;
    if (a != floor(a) || b != floor(b) || a > EXACT_MAX || b > EXACT_MAX) return;
    while (b > 0) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    unit->num /= a;
    unit->den /= a;
}

// a letter, or a byte of a letter beyond ASCII other than the superscripts and the middle dot
static bool in_word(const Parser *p) {
    if (p->at == p->end) return false;
    char c = *p->at;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%') return true;
    Parser probe = *p;
    if (take(&probe, "²") || take(&probe, "³") || take(&probe, "·")) return false;
    return (unsigned char)c >= 0x80;
}

static bool symbol(Parser *p, CdUnit *unit) {
    const char *word = p->at;
    if (!take(p, "1")) {
        while (in_word(p)) p->at++;
    }
    size_t n = (size_t)(p->at - word);
    if (n == 0) return fail(p, word, p->at < p->end ? 1 : 0);
    if (find(word, n, false, unit)) return true;
    for (int i = 0; i < NPREFIXES; i++) {
        size_t k = strlen(prefixes[i].text);
        if (n <= k || memcmp(word, prefixes[i].text, k) != 0) continue;
        if (!find(word + k, n - k, true, unit)) continue;
        scale(unit, prefixes[i].num, prefixes[i].den);
        return true;
    }
    return fail(p, word, n);
}

static void raise_to(CdUnit *unit, int power) {
    CdUnit base = *unit;
    unit->num = unit->den = 1;
    for (int i = 0; i < abs(power); i++) {
        scale(unit, power > 0 ? base.num : base.den, power > 0 ? base.den : base.num);
    }
    unit->pi *= power;
    for (int i = 0; i < CD_NDIM; i++) unit->power[i] *= power;
}

// a factor that is a number, and powers that are small
static bool in_bounds(const CdUnit *unit) {
    bool ok = isnormal(unit->num) && isnormal(unit->den) && abs(unit->pi) <= TOTAL_MAX;
    for (int i = 0; i < CD_NDIM; i++) ok = ok && abs(unit->power[i]) <= TOTAL_MAX;
    return ok;
}

static bool exponent(Parser *p, CdUnit *unit) {
    if (take(p, "²")) {
        raise_to(unit, 2);
    } else if (take(p, "³")) {
        raise_to(unit, 3);
    } else if (take(p, "^")) {
        const char *start = p->at;
        int sign = take(p, "-") ? -1 : 1;
        int power = 0, digits = 0;
        while (p->at < p->end && *p->at >= '0' && *p->at <= '9' && digits < 3) {
            power = 10 * power + (*p->at++ - '0');
            digits++;
        }
        if (digits == 0 || power > POWER_MAX) return fail(p, start, (size_t)(p->at - start));
        raise_to(unit, sign * power);
    }
    return true;
}

static bool product(Parser *p, CdUnit *unit);

static bool factor(Parser *p, CdUnit *unit) {
    skip_space(p);
    const char *start = p->at;
    if (take(p, "(")) {
        if (p->depth == DEPTH_MAX) return fail(p, start, 1);
        p->depth++;
        if (!product(p, unit)) return false;
        p->depth--;
        if (!take(p, ")")) return fail(p, start, (size_t)(p->end - start));
    } else if (!symbol(p, unit)) {
        return false;
    }
    if (!exponent(p, unit)) return false;
    return in_bounds(unit) || fail(p, start, (size_t)(p->at - start));
}

static bool product(Parser *p, CdUnit *unit) {
    const char *start = p->at;
    if (!factor(p, unit)) return false;
    for (;;) {
        skip_space(p);
        bool over = take(p, "/");
        if (!over && (p->at == p->end || *p->at == ')')) return true;
        if (!over && !take(p, "*")) take(p, "·");
        CdUnit next;
        if (!factor(p, &next)) return false;
        if (over) raise_to(&next, -1);
        scale(unit, next.num, next.den);
        unit->pi += next.pi;
        for (int i = 0; i < CD_NDIM; i++) unit->power[i] += next.power[i];
        if (!in_bounds(unit)) return fail(p, start, (size_t)(p->at - start));
    }
}

bool cdi_unit_parse(const char *text, size_t n, CdUnit *unit, const char **bad, size_t *nbad) {
    Parser p = {.at = text, .end = text + n};
    if (product(&p, unit) && (p.at == p.end || fail(&p, p.at, (size_t)(p.end - p.at)))) return true;
    *bad = p.bad;
    *nbad = p.nbad;
    return false;
}

double cdi_unit_to_si(const CdUnit *unit, double value) {
    double x = value * unit->num / unit->den;
    for (int i = 0; i < unit->pi; i++) x *= CD_PI;
    for (int i = 0; i > unit->pi; i--) x /= CD_PI;
    return x;
}

bool cdi_unit_fits(const CdUnit *given, const CdUnit *wanted) {
    for (int i = 0; i < CD_RADIAN; i++) {
        if (given->power[i] != wanted->power[i]) return false;
    }
    int angle = wanted->power[CD_RADIAN];
    bool left_out = angle < 0 && given->power[CD_RADIAN] == 0;
    return given->power[CD_RADIAN] == angle || left_out;
}
