// json.c - reads JSON text into values that know their place
//
// One loop without recursion. Every open array or object is a level that gathers its items. When it
// ends they move to the arena as one block, or, if they are many, the gathered block itself stays.
#include "base/json.h"

#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/json_lex.h"
#include "base/utf8.h"

#define BLOCK_MIN ((size_t)512)
#define BLOCK_MAX ((size_t)65536)
#define FEW_ITEMS 512 // up to here a copy is cheaper than a block of its own
#define FEW_KEYS 16   // up to here comparing each with each is faster than sorting

struct CdJsonDoc {
    CdContext *ctx;
    CdArena arena;            // items and texts
    CD_ARRAY(CdJson *) large; // blocks of many items
    char *file;
    CdJson root;
};

// an open container and its items so far; the outermost level holds the document's one value
typedef struct Level {
    CdJson self;
    CD_ARRAY(CdJson) items;
} Level;

typedef struct Reader {
    CdJsonLexer lex;
    CdJsonDoc *doc;
    CdJsonLimits limits;
    CD_ARRAY(Level) levels; // as many as were ever open
    int depth;              // index of the innermost open one
    size_t values;
} Reader;

#define FAIL(r, pos, ...) cdi_json_fail(&(r)->lex, CD_INVALID, pos, __VA_ARGS__)

static Level *innermost(const Reader *r) {
    return &r->levels.v[r->depth];
}

static bool in_object(const Reader *r) {
    return innermost(r)->self.kind == CD_JSON_OBJECT;
}

static CdJsonPos here(const Reader *r) {
    return cdi_json_pos(&r->lex, r->lex.p);
}

// the next byte; 0 at the end
static char peek(const Reader *r) {
    return r->lex.p < r->lex.end ? *r->lex.p : '\0';
}

static bool at_end(const Reader *r) {
    return r->lex.p == r->lex.end;
}

static char closer(const Reader *r) {
    return in_object(r) ? '}' : ']';
}

static CdStatus fail_unclosed(const Reader *r) {
    const CdJson *open = &innermost(r)->self;
    return FAIL(r, here(r), "the text ends here, but %s opened at %d:%d is not closed; write %c",
                in_object(r) ? "the object" : "the array", open->line, open->col, closer(r));
}

// something that may start a value stands where a comma should
static bool starts_value(const Reader *r) {
    return (peek(r) && strchr("\"'{[-+.", peek(r))) || cdi_json_word(&r->lex) > 0;
}

static CdStatus fail_separator(const Reader *r) {
    const CdJson *open = &innermost(r)->self;
    const char *what = in_object(r) ? "object" : "array";
    char buf[CD_JSON_SHOWN_MAX], c = peek(r);
    if (at_end(r)) return fail_unclosed(r);
    if (c == ']' || c == '}') {
        return FAIL(r, here(r), "%c does not close the %s opened at %d:%d; write %c", c, what,
                    open->line, open->col, closer(r));
    }
    if (starts_value(r)) {
        return FAIL(r, here(r), "a comma is missing before this %s",
                    in_object(r) ? "key" : "value");
    }
    return FAIL(r, here(r), "%s is not expected here; write a comma or %c",
                cdi_json_shown(&r->lex, buf), closer(r));
}

static CdStatus fail_key(const Reader *r) {
    char buf[CD_JSON_SHOWN_MAX], c = peek(r);
    if (at_end(r)) return fail_unclosed(r);
    if (c == '\'') return FAIL(r, here(r), "keys stand in double quotes, not in single ones");
    if (c == ',' || c == ':') {
        return FAIL(r, here(r), "a key is missing before this %s", c == ',' ? "comma" : "colon");
    }
    return FAIL(r, here(r), "%s is not a key; keys stand in double quotes",
                cdi_json_shown(&r->lex, buf));
}

static CdStatus fail_value(const Reader *r) {
    char buf[CD_JSON_SHOWN_MAX], c = peek(r);
    if (at_end(r)) return fail_unclosed(r);
    switch (c) {
    case '\'': return FAIL(r, here(r), "strings stand in double quotes, not in single ones");
    case '+': return FAIL(r, here(r), "a number must not start with +; leave it out");
    case '.': return FAIL(r, here(r), "a number must not start with a point; write 0.5, not .5");
    case ',': return FAIL(r, here(r), "a value is missing before this comma");
    case ']':
    case '}': return FAIL(r, here(r), "a value is missing before this %c", c);
    default:
        return FAIL(r, here(r), "%s is not a JSON value; put texts in double quotes",
                    cdi_json_shown(&r->lex, buf));
    }
}

static CdStatus fail_duplicate(const Reader *r, const CdJson *first, const CdJson *second) {
    CdJsonPos pos = {second->key_line, second->key_col};
    char shown[CD_SHOWN_MAX];
    return FAIL(r, pos, "key \"%s\" is given twice; it was first given at %d:%d",
                cdi_shown(second->key, shown), first->key_line, first->key_col);
}

// merge the sorted runs from[a..b) and from[b..c) into to[a..c)
static void merge(const CdJson **from, const CdJson **to, size_t a, size_t b, size_t c) {
    size_t i = a, j = b;
    for (size_t k = a; k < c; k++) {
        bool left = i < b && (j == c || strcmp(from[i]->key, from[j]->key) <= 0);
        to[k] = left ? from[i++] : from[j++];
    }
}

// stable merge sort by key; returns the half of the 2n pointers that holds the result
static const CdJson **sort_by_key(const CdJson **half, size_t n) {
    const CdJson **from = half, **to = half + n;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t a = 0; a < n; a += 2 * run) {
            size_t b = a + run < n ? a + run : n, c = b + run < n ? b + run : n;
            merge(from, to, a, b, c);
        }
        const CdJson **spare = from;
        from = to;
        to = spare;
    }
    return from;
}

// many keys: equal ones become neighbours, the first in the text before the second
static CdStatus check_many_keys(const Reader *r, const CdJson *items, size_t n) {
    const CdJson **scratch = cdi_alloc_array(r->lex.ctx, n, 2 * sizeof *scratch);
    if (!scratch) return CD_NOMEM;
    for (size_t i = 0; i < n; i++) scratch[i] = &items[i];
    const CdJson **sorted = sort_by_key(scratch, n), *first = NULL, *second = NULL;
    for (size_t i = 1; i < n; i++) {
        bool earlier = !second || sorted[i] < second;
        if (!earlier || strcmp(sorted[i - 1]->key, sorted[i]->key) != 0) continue;
        first = sorted[i - 1];
        second = sorted[i];
    }
    cdi_free(r->lex.ctx, scratch);
    return second ? fail_duplicate(r, first, second) : CD_OK;
}

static CdStatus check_keys(const Reader *r, const CdJson *items, size_t n) {
    if (n > FEW_KEYS) return check_many_keys(r, items, n);
    for (size_t i = 1; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(items[i].key, items[j].key) == 0)
                return fail_duplicate(r, &items[j], &items[i]);
        }
    }
    return CD_OK;
}

// go one level deeper; levels that were open before keep the memory of their items
static CdStatus open_container(Reader *r, CdJson *value) {
    if (r->depth >= r->limits.depth) {
        return cdi_json_fail(&r->lex, CD_LIMIT, here(r), "nested deeper than the limit of %d",
                             r->limits.depth);
    }
    value->kind = peek(r) == '{' ? CD_JSON_OBJECT : CD_JSON_ARRAY;
    if ((size_t)++r->depth == r->levels.n) CD_TRY(CD_PUSH(r->lex.ctx, r->levels, (Level){0}));
    innermost(r)->self = *value;
    innermost(r)->items.n = 0;
    r->lex.p++;
    return CD_OK;
}

// many items stay where they were gathered
static CdStatus keep_items(Reader *r, Level *level) {
    CD_TRY(cdi_array_fit(r->lex.ctx, &r->doc->large.any, 1, sizeof *r->doc->large.v));
    CdJson *fitted = cdi_resize(r->lex.ctx, level->items.v, level->items.n * sizeof *fitted);
    if (!fitted) return CD_NOMEM;
    r->doc->large.v[r->doc->large.n++] = fitted;
    level->self.items = fitted;
    level->items.any = (CdArray){0};
    return CD_OK;
}

static CdStatus copy_items(Reader *r, Level *level) {
    size_t size = level->items.n * sizeof *level->items.v;
    CdJson *items = cdi_arena_alloc(&r->doc->arena, size, _Alignof(CdJson));
    if (!items) return CD_NOMEM;
    memcpy(items, level->items.v, size);
    level->self.items = items;
    return CD_OK;
}

static CdStatus close_container(Reader *r) {
    Level *level = innermost(r);
    size_t n = level->items.n;
    if (in_object(r)) CD_TRY(check_keys(r, level->items.v, n));
    level->self.n = n;
    if (n > FEW_ITEMS) {
        CD_TRY(keep_items(r, level));
    } else if (n > 0) {
        CD_TRY(copy_items(r, level));
    }
    r->depth--;
    r->lex.p++;
    return CD_PUSH(r->lex.ctx, innermost(r)->items, level->self);
}

// "key":
static CdStatus read_key(Reader *r, CdJson *value) {
    if (peek(r) != '"') return fail_key(r);
    CdJsonPos pos = here(r);
    size_t n;
    CD_TRY(cdi_json_lex_string(&r->lex, &r->doc->arena, &value->key, &n));
    value->key_line = pos.line;
    value->key_col = pos.col;
    CD_TRY(cdi_json_skip_space(&r->lex));
    if (peek(r) != ':') {
        if (at_end(r)) return fail_unclosed(r);
        char shown[CD_SHOWN_MAX];
        return FAIL(r, here(r), "a colon is missing after the key \"%s\"",
                    cdi_shown(value->key, shown));
    }
    r->lex.p++;
    return cdi_json_skip_space(&r->lex);
}

static CdStatus read_value(Reader *r, CdJson *value) {
    CdJsonPos pos = here(r);
    value->line = pos.line;
    value->col = pos.col;
    if (r->values >= r->limits.values) {
        return cdi_json_fail(&r->lex, CD_LIMIT, pos, "more values than the limit of %zu",
                             r->limits.values);
    }
    r->values++;
    char c = peek(r);
    if (c == '-' || (c >= '0' && c <= '9')) return cdi_json_lex_number(&r->lex, value);
    if (c == '{' || c == '[') return open_container(r, value);
    if (cdi_json_word(&r->lex) > 0) return cdi_json_lex_word(&r->lex, value);
    if (c != '"') return fail_value(r);
    value->kind = CD_JSON_STRING;
    return cdi_json_lex_string(&r->lex, &r->doc->arena, &value->text, &value->n);
}

// a member or element with its key; *opened: it is a container that has just begun
static CdStatus read_item(Reader *r, bool *opened) {
    CdJson value = {0};
    if (in_object(r)) CD_TRY(read_key(r, &value));
    CD_TRY(read_value(r, &value));
    *opened = value.kind == CD_JSON_ARRAY || value.kind == CD_JSON_OBJECT;
    return *opened ? CD_OK : CD_PUSH(r->lex.ctx, innermost(r)->items, value);
}

// what follows an item: any number of ends, then a comma; *done: the outermost value has ended
static CdStatus read_separators(Reader *r, bool *done) {
    while (r->depth > 0) {
        CD_TRY(cdi_json_skip_space(&r->lex));
        if (peek(r) == ',') {
            CdJsonPos comma = here(r);
            r->lex.p++;
            CD_TRY(cdi_json_skip_space(&r->lex));
            if (peek(r) != closer(r)) return CD_OK;
            return FAIL(r, comma, "no comma may stand before %c; leave it out", closer(r));
        }
        if (peek(r) != closer(r)) return fail_separator(r);
        CD_TRY(close_container(r));
    }
    *done = true;
    return CD_OK;
}

static CdStatus read_items(Reader *r) {
    bool done = false;
    while (!done) {
        bool opened;
        CD_TRY(read_item(r, &opened));
        if (opened) {
            CD_TRY(cdi_json_skip_space(&r->lex));
            if (peek(r) != closer(r)) continue;
        }
        CD_TRY(read_separators(r, &done));
    }
    return CD_OK;
}

static void skip_byte_order_mark(CdJsonLexer *lex) {
    if (lex->end - lex->p >= 3 && memcmp(lex->p, "\xef\xbb\xbf", 3) == 0) lex->p += 3;
    lex->line_start = lex->p;
}

static CdStatus read_document(Reader *r) {
    skip_byte_order_mark(&r->lex);
    if (at_end(r)) return FAIL(r, here(r), "the text is empty; write a value such as {}");
    CD_TRY(cdi_json_skip_space(&r->lex));
    if (at_end(r)) {
        return FAIL(r, here(r), "only white space and comments are here; write a value such as {}");
    }
    CD_TRY(read_items(r));
    CD_TRY(cdi_json_skip_space(&r->lex));
    if (at_end(r)) return CD_OK;
    char buf[CD_JSON_SHOWN_MAX];
    return FAIL(r, here(r), "%s follows the end of the value; only comments may",
                cdi_json_shown(&r->lex, buf));
}

// lines and columns are ints
static size_t byte_limit(CdJsonLimits limits) {
    return limits.bytes < INT_MAX ? limits.bytes : INT_MAX;
}

static CdStatus read_text(CdJsonDoc *doc, const char *text, size_t n, CdJsonLimits limits) {
    CdPlace place = {.file = doc->file};
    if (n > byte_limit(limits)) {
        return cdi_fail_at(doc->ctx, CD_LIMIT, &place, "larger than the limit of %zu bytes",
                           byte_limit(limits));
    }
    Reader r = {
        .lex = {doc->ctx, doc->file, text, text + n, text, 1}, .doc = doc, .limits = limits};
    if (limits.depth > CD_JSON_DEPTH_MAX) r.limits.depth = CD_JSON_DEPTH_MAX;
    CdStatus status = CD_PUSH(doc->ctx, r.levels, (Level){0});
    if (status == CD_OK) status = read_document(&r);
    if (status == CD_OK) doc->root = r.levels.v[0].items.v[0];
    for (size_t i = 0; i < r.levels.n; i++) cdi_array_free(doc->ctx, &r.levels.v[i].items.any);
    cdi_array_free(doc->ctx, &r.levels.any);
    return status;
}

static size_t block_size(size_t n) {
    return n < BLOCK_MIN ? BLOCK_MIN : n > BLOCK_MAX ? BLOCK_MAX : n;
}

CdStatus cdi_json_read(CdContext *ctx, const char *file, const char *text, size_t n,
                       CdJsonLimits limits, CdJsonDoc **doc) {
    *doc = NULL;
    CdStatus status = CD_NOMEM;
    CdJsonDoc *made = cdi_alloc(ctx, sizeof *made);
    if (made) {
        made->ctx = ctx;
        cdi_arena_init(&made->arena, ctx, block_size(n));
        made->file = file ? cdi_strdup(ctx, file) : NULL;
        if (made->file || !file) status = read_text(made, n ? text : "", n, limits);
    }
    if (status == CD_OK) {
        *doc = made;
        return CD_OK;
    }
    cdi_json_free(made);
    CdPlace place = {.file = file};
    return status == CD_NOMEM ? cdi_fail_at(ctx, status, &place, "out of memory") : status;
}

CdStatus cdi_json_read_file(CdContext *ctx, const char *path, CdJsonLimits limits,
                            CdJsonDoc **doc) {
    char *data;
    size_t n;
    *doc = NULL;
    CD_TRY(cdi_file_read(ctx, path, byte_limit(limits), &data, &n));
    const char *file = strcmp(path, "-") == 0 ? "<stdin>" : path;
    CdStatus status = cdi_json_read(ctx, file, data, n, limits, doc);
    cdi_free(ctx, data);
    return status;
}

void cdi_json_free(CdJsonDoc *doc) {
    if (!doc) return;
    cdi_arena_clear(&doc->arena);
    for (size_t i = 0; i < doc->large.n; i++) cdi_free(doc->ctx, doc->large.v[i]);
    cdi_array_free(doc->ctx, &doc->large.any);
    cdi_free(doc->ctx, doc->file);
    cdi_free(doc->ctx, doc);
}

const CdJson *cdi_json_root(const CdJsonDoc *doc) {
    return &doc->root;
}

const char *cdi_json_file(const CdJsonDoc *doc) {
    return doc->file;
}

static void place_value(CdJson *json, int line, int col) {
    json->line = json->key_line = line;
    json->col = json->key_col = col;
    if (json->kind != CD_JSON_ARRAY && json->kind != CD_JSON_OBJECT) return;
    // items are the document's own
    for (size_t i = 0; i < json->n; i++) place_value((CdJson *)&json->items[i], line, col);
}

void cdi_json_place(CdJsonDoc *doc, int line, int col) {
    place_value(&doc->root, line, col);
}

const CdJson *cdi_json_get(const CdJson *object, const char *key) {
    if (object->kind != CD_JSON_OBJECT) return NULL;
    for (size_t i = 0; i < object->n; i++) {
        if (cdi_same(object->items[i].key, key)) return &object->items[i];
    }
    return NULL;
}

const char *cdi_json_kind_name(CdJsonKind kind) {
    static const char *const names[CD_NJSON] = {"null",     "true or false", "a number",
                                                "a string", "an array",      "an object"};
    return (unsigned)kind < CD_NJSON ? names[kind] : "unknown";
}
