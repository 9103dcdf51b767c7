// method_text.c - a method as people write it: "gen-alpha(rho=0.8, step=1 ms)"
//
//   method = name [ "(" [ key "=" value { "," key "=" value } ] ")" ]
//   value  = "quoted" | [list] | true | false | number | number unit | word
//
// Quoted texts and lists are JSON, everything else is text up to the next comma. The table of the
// class reads the values, so units, ranges and words are those of every other description.
#include <string.h>

#include "base/libraries.h"
#include "base/number.h"
#include "base/utf8.h"
#include "integrators/driver.h"

// more is no longer a method that people wrote
#define METHOD_MAX 4096

typedef struct Parser {
    CdContext *ctx;
    const char *given; // the whole text
    char *text;        // copy of it that is cut into words
    char *at;
    CdObject *options;
    CdStatus status; // of all values so far
} Parser;

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

static void skip_space(Parser *p) {
    while (is_space(*p->at)) p->at++;
}

static CdStatus wrong(const Parser *p, const char *what) {
    return cdi_fail(p->ctx, CD_INVALID,
                    "method \"%s\", column %d: %s; write it like gen-alpha(rho=0.8, step=1 ms)",
                    p->given, (int)(p->at - p->text) + 1, what);
}

// a name or a key; its end is where the parser stands then
static size_t word(Parser *p, char **start) {
    skip_space(p);
    *start = p->at;
    while (is_word(*p->at)) p->at++;
    return (size_t)(p->at - *start);
}

// to the comma or bracket that ends a value, over quotes and nested brackets; false: none
static bool skip_value(Parser *p) {
    int depth = 0;
    for (; *p->at; p->at++) {
        const char c = *p->at;
        if (c == '"') {
            do {
                p->at += p->at[0] == '\\' && p->at[1] ? 2 : 1;
            } while (*p->at && *p->at != '"');
            if (!*p->at) return false;
        } else if (c == '(' || c == '[') {
            depth++;
        } else if (depth == 0 && (c == ',' || c == ')')) {
            return true;
        } else if (c == ')' || c == ']') {
            depth--;
        }
    }
    return false;
}

// is it JSON as it stands? Other values are texts.
static bool is_json(const char *value) {
    double x;
    const size_t n = strlen(value);
    return value[0] == '"' || value[0] == '[' || strcmp(value, "true") == 0 ||
           strcmp(value, "false") == 0 || cdi_number_read(value, n, &x) == n;
}

static CdStatus set(Parser *p, const char *key, const char *value) {
    if (cdi_desc_field(cdi_object_desc(p->options), key) && cdi_object_given(p->options, key)) {
        const CdPlace place = cdi_object_place(p->options, key);
        return cdi_fail_at(p->ctx, CD_INVALID, &place, "is given twice; give it once");
    }
    const CdSource source = {.no_files = true};
    return is_json(value) ? cdi_object_set(p->options, key, value, &source)
                          : cdi_object_set_text(p->options, key, value, NULL);
}

// key = value; *end becomes the character after it. A mistake in the value is remembered only, so
// that the next ones are found too.
static CdStatus pair(Parser *p, char *end) {
    char *key, *value;
    const size_t nkey = word(p, &key);
    if (nkey == 0) return wrong(p, "the name of an option is missing");
    skip_space(p);
    if (*p->at != '=') return wrong(p, "'=' is missing");
    p->at++;
    skip_space(p);
    value = p->at;
    if (!skip_value(p)) return wrong(p, "the text ends within the options");
    if (p->at == value) return wrong(p, "a value is missing");
    *end = *p->at;
    char *last = p->at++;
    while (is_space(last[-1])) last--;
    *last = key[nkey] = '\0';
    const CdStatus status = set(p, key, value);
    if (status != CD_OK) p->status = status;
    return status == CD_NOMEM ? status : CD_OK;
}

static CdStatus options(Parser *p) {
    char end = ',';
    skip_space(p);
    if (*p->at == ')') {
        p->at++;
        end = ')';
    }
    while (end == ',') CD_TRY(pair(p, &end));
    skip_space(p);
    return *p->at ? wrong(p, "nothing may follow the options") : CD_OK;
}

static CdStatus find_class(Parser *p, const char *name, const CdIntegratorClass **cls) {
    CdSuggestion near = {.word = name};
    for (int k = 0; cd_integrator_classes[k]; k++) {
        *cls = cd_integrator_classes[k];
        if (strcmp(name, (*cls)->desc.name) == 0) return CD_OK;
        cdi_suggest_from(&near, (*cls)->desc.name);
    }
    *cls = NULL;
    char why[CDI_LEFT_OUT_MAX];
    if (*cdi_left_out(name, why)) near.name = NULL;
    return cdi_fail(p->ctx, CD_NOTFOUND, "there is no method '%s'%s%s%s%s", name, why,
                    near.name ? "; did you mean '" : "", near.name ? near.name : "",
                    near.name ? "'?" : "");
}

// rules that hold for all methods
static CdStatus check_rules(Parser *p, const CdIntegratorClass *cls) {
    const CdCommonOptions *o = cdi_object_data(p->options);
    const char *name = cls->desc.name;
    CdStatus status = CD_OK;
    if (cls->fixed_only && o->adaptive) {
        status = cdi_fail(p->ctx, CD_INVALID,
                          "method '%s' has no step control; leave adaptive=true away", name);
    } else if (!o->adaptive && o->step == 0) {
        const char *more = cls->fixed_only ? "" : "adaptive=false, ";
        status = cdi_fail(p->ctx, CD_INVALID, "method '%s' needs a step: write %s(%sstep=1e-3)",
                          name, name, more);
    } else if (!o->adaptive && o->max_step > 0 && o->step > o->max_step) {
        status = cdi_fail(p->ctx, CD_INVALID,
                          "method '%s': a fixed step of %g s must not be larger than max_step %g s",
                          name, o->step, o->max_step);
    }
    if (o->max_step > 0 && o->min_step > o->max_step) {
        status = cdi_fail(p->ctx, CD_INVALID,
                          "method '%s': min_step %g s must not be larger than max_step %g s", name,
                          o->min_step, o->max_step);
    }
    return status;
}

static CdStatus parse(Parser *p, const CdIntegratorClass **cls) {
    char *name;
    const size_t n = word(p, &name);
    if (n == 0) return wrong(p, "the name of a method is missing");
    skip_space(p);
    const char next = *p->at;
    if (next && next != '(') return wrong(p, "'(' is missing");
    if (next) p->at++;
    name[n] = '\0';
    CD_TRY(find_class(p, name, cls));
    CD_TRY(cdi_object_new(p->ctx, &(*cls)->desc, NULL, &p->options));
    if (next) CD_TRY(options(p));
    if (p->status != CD_OK) return p->status;
    CD_TRY(cdi_object_check(p->options, NULL));
    const CdStatus rules = check_rules(p, *cls);
    const CdStatus digits = cdi_digits_apply(p->ctx, *cls, p->options);
    return rules != CD_OK ? rules : digits;
}

CdStatus cdi_method_read(CdContext *ctx, const char *text, const CdIntegratorClass **cls,
                         CdObject **options_out) {
    *options_out = NULL;
    *cls = NULL;
    if (!text) return cdi_fail(ctx, CD_INVALID, "no method is given; write one like \"dopri5\"");
    if (strlen(text) > METHOD_MAX) {
        return cdi_fail(ctx, CD_LIMIT, "the text of a method has more than %d bytes", METHOD_MAX);
    }
    if (!cdi_utf8_valid(text)) return cdi_fail(ctx, CD_INVALID, "the method is not valid UTF-8");
    char *copy = cdi_strdup(ctx, text);
    if (!copy) return CD_NOMEM;
    Parser p = {.ctx = ctx, .given = text, .text = copy, .at = copy};
    const CdStatus status = parse(&p, cls);
    if (status == CD_OK) {
        *options_out = p.options;
    } else {
        cdi_object_free(p.options);
    }
    cdi_free(ctx, copy);
    return status;
}
