// method.c - a method as text: formulation=ggl integrator=gen-alpha(rho=0.8) linsol=klu threads=2
//
// Parts are separated by spaces outside of brackets; a part without "=" in front of its first
// bracket is an integrator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/simulate.h"

#define AUTO_INTEGRATOR "gen-alpha"
#define THREADS_MAX 256

typedef struct Part {
    const char *key; // NULL: an integrator
    size_t nkey;
    const char *value;
    size_t nvalue;
} Part;

// the next part; false at the end
static bool next_part(const char **at, Part *part) {
    const char *p = *at + strspn(*at, " \t\n");
    int depth = 0;
    *part = (Part){.value = p};
    const char *equals = NULL;
    while (*p && (depth > 0 || !strchr(" \t\n", *p))) {
        if (*p == '(') depth++;
        if (*p == ')') depth--;
        if (*p == '=' && depth == 0 && !equals) equals = p;
        p++;
    }
    if (equals) {
        part->key = part->value;
        part->nkey = (size_t)(equals - part->key);
        part->value = equals + 1;
    }
    part->nvalue = (size_t)(p - part->value);
    *at = p;
    return p > part->value || part->key;
}

static CdStatus set_text(CdContext *ctx, const Part *part, char *out, size_t size) {
    if (part->nvalue == 0) {
        return cdi_fail(ctx, CD_INVALID, "method: '%.*s' has no value", (int)part->nkey, part->key);
    }
    if (part->nvalue >= size) {
        return cdi_fail(ctx, CD_LIMIT, "method: a part of %zu bytes is too long; at most %zu",
                        part->nvalue, size - 1);
    }
    if (*out) {
        return cdi_fail(ctx, CD_INVALID, "method: '%.*s' stands beside '%s'; give it once",
                        (int)part->nvalue, part->value, out);
    }
    memcpy(out, part->value, part->nvalue);
    out[part->nvalue] = 0;
    return CD_OK;
}

static CdStatus set_threads(CdContext *ctx, const Part *part, int *threads) {
    char *end;
    const long n = strtol(part->value, &end, 10);
    if (part->nvalue == strlen("auto") && memcmp(part->value, "auto", part->nvalue) == 0) {
        *threads = CD_THREADS_AUTO;
        return CD_OK;
    }
    if (end == part->value + part->nvalue && n >= 1 && n <= THREADS_MAX) {
        *threads = (int)n;
        return CD_OK;
    }
    return cdi_fail(ctx, CD_INVALID, "method: threads must be 'auto' or a number from 1 to %d",
                    THREADS_MAX);
}

static CdStatus set_part(CdContext *ctx, const Part *part, CdMethod *m) {
    static const char *const keys[] = {"coordinates", "formulation", "integrator",
                                       "jacobian",    "linsol",      "threads"};
    enum { NKEYS = sizeof keys / sizeof *keys };
    char key[32];
    if (!part->key) return set_text(ctx, part, m->integrator, sizeof m->integrator);
    snprintf(key, sizeof key, "%.*s", (int)part->nkey, part->key);
    if (cdi_equal(key, "coordinates")) return set_text(ctx, part, m->coordinates, 32);
    if (cdi_equal(key, "formulation")) return set_text(ctx, part, m->formulation, 32);
    if (cdi_equal(key, "integrator")) {
        return set_text(ctx, part, m->integrator, sizeof m->integrator);
    }
    if (cdi_equal(key, "jacobian")) return set_text(ctx, part, m->jacobian, 32);
    if (cdi_equal(key, "linsol")) return set_text(ctx, part, m->linsol, 32);
    if (cdi_equal(key, "threads")) return set_threads(ctx, part, &m->threads);
    const char *near = cdi_suggest(key, keys, NKEYS);
    return cdi_fail(ctx, CD_INVALID, "method: unknown part '%s'%s%s%s", key,
                    near ? "; did you mean '"
                         : "; there are coordinates, formulation, integrator, "
                           "jacobian, linsol and threads",
                    near ? near : "", near ? "'?" : "");
}

static CdStatus check_words(CdContext *ctx, const CdMethod *m) {
    if (*m->coordinates && strcmp(m->coordinates, "redundant") != 0 &&
        strcmp(m->coordinates, "lie") != 0) {
        return cdi_fail(ctx, CD_INVALID,
                        "method: coordinates '%s' are not built yet; there is 'redundant'",
                        m->coordinates);
    }
    if (*m->jacobian && strcmp(m->jacobian, "ad") != 0 && strcmp(m->jacobian, "differences") != 0) {
        return cdi_fail(ctx, CD_INVALID, "method: jacobian must be 'ad' or 'differences', not '%s'",
                        m->jacobian);
    }
    return CD_OK;
}

static CdStatus check_brackets(CdContext *ctx, const char *integrator) {
    const size_t n = strlen(integrator);
    if (!strchr(integrator, '(') || integrator[n - 1] == ')') return CD_OK;
    return cdi_fail(ctx, CD_INVALID, "method: '%s' must end with ')'", integrator);
}

CdStatus cdi_method_parse(CdContext *ctx, const char *text, CdMethod *method) {
    Part part;
    *method = (CdMethod){.threads = 0};
    while (next_part(&text, &part)) CD_TRY(set_part(ctx, &part, method));
    CD_TRY(check_brackets(ctx, method->integrator));
    if (cdi_equal(method->integrator, "auto")) *method->integrator = 0;
    return check_words(ctx, method);
}

// append ", key=value" to the options in brackets
static void add_option(CdText *text, bool *first, const char *key, const char *value) {
    cdi_text_addf(text, "%s%s=%s", *first ? "" : ", ", key, value);
    *first = false;
}

// is the option among those in brackets?
static bool has_option(const char *bracket, const char *key) {
    const size_t n = strlen(key);
    for (const char *p = bracket; p && (p = strstr(p, key)); p += n) {
        const char *after = p + n + strspn(p + n, " \t\n");
        if (strchr("(, \t\n", p[-1]) && *after == '=') return true;
    }
    return false;
}

// the step of the run makes steps fixed, unless digits ask for step control
CdStatus cdi_method_integrator(CdContext *ctx, const CdMethod *m, double step, char *text,
                               size_t size) {
    const char *name = *m->integrator ? m->integrator : AUTO_INTEGRATOR;
    const char *bracket = strchr(name, '(');
    const size_t n = bracket ? strlen(name) - 1 : strlen(name); // without the closing bracket
    bool first = !bracket || bracket[1] == ')';
    char number[64];
    CdText out;
    cdi_text_init(&out, ctx);
    cdi_text_addn(&out, name, n);
    if (!bracket) cdi_text_add(&out, "(");
    if (*m->formulation) add_option(&out, &first, "form", m->formulation);
    if (cdi_equal(m->jacobian, "differences")) add_option(&out, &first, "jacobian", "differences");
    if (*m->linsol) add_option(&out, &first, "linsol", m->linsol);
    if (step > 0 && !has_option(bracket, "step") && !has_option(bracket, "digits")) {
        snprintf(number, sizeof number, "%.17g", step);
        add_option(&out, &first, "step", number);
        if (!has_option(bracket, "adaptive")) add_option(&out, &first, "adaptive", "false");
    }
    cdi_text_add(&out, ")");
    CdStatus status = out.status;
    if (status == CD_OK && out.n >= size) {
        status = cdi_fail(ctx, CD_LIMIT, "method: longer than %zu bytes", size - 1);
    }
    if (status == CD_OK) memcpy(text, out.v, out.n + 1);
    cdi_text_free(&out);
    return status;
}

void cdi_method_write(const CdMethod *m, char *text, size_t size) {
    char threads[16] = "auto";
    if (m->threads != CD_THREADS_AUTO) {
        snprintf(threads, sizeof threads, "%d", m->threads > 0 ? m->threads : 1);
    }
    snprintf(
        text, size, "coordinates=%s formulation=%s integrator=%s jacobian=%s linsol=%s threads=%s",
        *m->coordinates ? m->coordinates : "redundant", *m->formulation ? m->formulation : "auto",
        *m->integrator ? m->integrator : AUTO_INTEGRATOR, *m->jacobian ? m->jacobian : "ad",
        *m->linsol ? m->linsol : "auto", threads);
}
