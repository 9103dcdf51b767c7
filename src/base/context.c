// context.c - counting allocator and message sink of a context
#include "base/context.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/utf8.h"

// longest message text; longer ones end in "..."
#define TEXT_MAX 2048

struct CdContext {
    CdAllocator allocator;
    CdSink *sink;
    void *sink_user;
    CdDefined *defined;
    atomic_size_t live_bytes, live_blocks, peak_bytes;
    atomic_uint_fast64_t total_blocks;
    atomic_uint_fast64_t fail_at; // value of total_blocks at which an allocation fails; 0: never
    atomic_bool fail_after;       // and all after it
};

// stands before every block so that it can be counted out again; keeps 16-byte alignment
typedef union Header {
    size_t size;
    char pad[16];
} Header;

static void *libc_resize(void *user, void *p, size_t n) {
    (void)user;
    if (n == 0) {
        free(p);
        return NULL;
    }
    void *block = realloc(p, n);
    if (block) cdi_pages_large(block, n);
    return block;
}

// zeroed; what is fresh from the system is so, and is not touched before it is used
static void *zeros(const CdAllocator *from, size_t n) {
    const bool libc = from->resize == libc_resize;
    void *block = libc ? calloc(1, n) : from->resize(from->user, NULL, n);
    if (block && libc) cdi_pages_large(block, n);
    if (block && !libc) memset(block, 0, n);
    return block;
}

CdContext *cd_context_new(const CdAllocator *allocator) {
    CdAllocator source = allocator ? *allocator : (CdAllocator){libc_resize, NULL};
    CdContext *ctx = source.resize(source.user, NULL, sizeof *ctx);
    if (!ctx) return NULL;
    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = source;
    return ctx;
}

void cd_context_free(CdContext *ctx) {
    if (!ctx) return;
    while (ctx->defined) {
        CdDefined *d = ctx->defined;
        ctx->defined = d->next;
        cdi_free(ctx, d->name);
        cdi_free(ctx, d);
    }
    ctx->allocator.resize(ctx->allocator.user, ctx, 0);
}

void cd_context_set_sink(CdContext *ctx, CdSink *sink, void *user) {
    ctx->sink = sink;
    ctx->sink_user = user;
}

CdSink *cdi_context_sink(const CdContext *ctx, void **user) {
    *user = ctx->sink_user;
    return ctx->sink;
}

CdMemory cd_context_memory(const CdContext *ctx) {
    return (CdMemory){
        .live_bytes = atomic_load(&ctx->live_bytes),
        .live_blocks = atomic_load(&ctx->live_blocks),
        .peak_bytes = atomic_load(&ctx->peak_bytes),
        .total_blocks = atomic_load(&ctx->total_blocks),
    };
}

void cdi_context_fail_at(CdContext *ctx, uint64_t n, bool and_after) {
    atomic_store(&ctx->fail_after, and_after);
    atomic_store(&ctx->fail_at, n ? atomic_load(&ctx->total_blocks) + n : 0);
}

static void count_bytes(CdContext *ctx, size_t before, size_t after) {
    size_t live = atomic_fetch_add(&ctx->live_bytes, after - before) + (after - before);
    size_t peak = atomic_load(&ctx->peak_bytes);
    while (live > peak && !atomic_compare_exchange_weak(&ctx->peak_bytes, &peak, live)) {
    }
}

// one more allocation of n bytes; false: it fails
static bool may_take(CdContext *ctx, size_t n) {
    if (n > SIZE_MAX - sizeof(Header)) return false;
    const uint64_t serial = atomic_fetch_add(&ctx->total_blocks, 1) + 1;
    const uint64_t fail_at = atomic_load(&ctx->fail_at);
    return !fail_at || (serial != fail_at && (serial < fail_at || !ctx->fail_after));
}

void *cdi_resize(CdContext *ctx, void *p, size_t n) {
    if (!may_take(ctx, n)) return NULL;
    Header *old = p ? (Header *)p - 1 : NULL;
    size_t before = old ? old->size : 0;
    Header *h = ctx->allocator.resize(ctx->allocator.user, old, sizeof(Header) + n);
    if (!h) return NULL;
    h->size = n;
    count_bytes(ctx, before, n);
    if (!old) atomic_fetch_add(&ctx->live_blocks, 1);
    return h + 1;
}

void *cdi_alloc(CdContext *ctx, size_t n) {
    Header *h = may_take(ctx, n) ? zeros(&ctx->allocator, sizeof(Header) + n) : NULL;
    if (!h) return NULL;
    h->size = n;
    count_bytes(ctx, 0, n);
    atomic_fetch_add(&ctx->live_blocks, 1);
    return h + 1;
}

void *cdi_alloc_array(CdContext *ctx, size_t n, size_t size) {
    if (size && n > SIZE_MAX / size) return NULL;
    return cdi_alloc(ctx, n * size);
}

void cdi_free(CdContext *ctx, void *p) {
    if (!p) return;
    Header *h = (Header *)p - 1;
    atomic_fetch_sub(&ctx->live_bytes, h->size);
    atomic_fetch_sub(&ctx->live_blocks, 1);
    ctx->allocator.resize(ctx->allocator.user, h, 0);
}

char *cdi_strndup(CdContext *ctx, const char *s, size_t n) {
    char *copy = cdi_resize(ctx, NULL, n + 1);
    if (!copy) return NULL;
    memcpy(copy, s, n);
    copy[n] = '\0';
    return copy;
}

char *cdi_strdup(CdContext *ctx, const char *s) {
    return cdi_strndup(ctx, s, strlen(s));
}

static void report(CdContext *ctx, CdMessage *message, const char *fmt, va_list args) {
    if (!ctx->sink) return;
    char text[TEXT_MAX];
    int n = vsnprintf(text, sizeof text, fmt, args);
    if (n >= (int)sizeof text) memcpy(text + cdi_utf8_cut(text, sizeof text - 4), "...", 4);
    message->text = text;
    ctx->sink(ctx->sink_user, message);
}

CdStatus cdi_vfail_at(CdContext *ctx, CdStatus status, const CdPlace *place, const char *fmt,
                      va_list args) {
    CdMessage message = {CD_ERROR, status, place ? *place : (CdPlace){0}, NULL};
    report(ctx, &message, fmt, args);
    return status;
}

CdStatus cdi_fail_at(CdContext *ctx, CdStatus status, const CdPlace *place, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    cdi_vfail_at(ctx, status, place, fmt, args);
    va_end(args);
    return status;
}

CdStatus cdi_fail(CdContext *ctx, CdStatus status, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    cdi_vfail_at(ctx, status, NULL, fmt, args);
    va_end(args);
    return status;
}

void cdi_warn(CdContext *ctx, const char *fmt, ...) {
    CdMessage message = {.level = CD_WARNING, .status = CD_OK};
    va_list args;
    va_start(args, fmt);
    report(ctx, &message, fmt, args);
    va_end(args);
}

void cdi_inform(CdContext *ctx, const char *fmt, ...) {
    CdMessage message = {.level = CD_INFO, .status = CD_OK};
    va_list args;
    va_start(args, fmt);
    report(ctx, &message, fmt, args);
    va_end(args);
}

// ---- functions of the user's

static bool is_identifier(const char *s) {
    for (const char *c = s; *c; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        if (!letter && !(c > s && *c >= '0' && *c <= '9')) return false;
    }
    return *s != 0;
}

const CdDefined *cdi_context_defined(const CdContext *ctx) {
    return ctx->defined;
}

CdStatus cd_context_define(CdContext *ctx, const char *name, int nargs, CdUserFunction *function,
                           void *user) {
    if (!is_identifier(name)) {
        return cdi_fail(ctx, CD_INVALID,
                        "'%.64s' cannot name a function; use letters, digits and _, a letter first",
                        name);
    }
    if (nargs < 0 || nargs > CD_USER_ARGS_MAX || !function) {
        return cdi_fail(ctx, CD_INVALID, "function '%.64s' must have 0 to %d arguments", name,
                        CD_USER_ARGS_MAX);
    }
    CdDefined *d = cdi_alloc(ctx, sizeof *d);
    char *copy = d ? cdi_strdup(ctx, name) : NULL;
    if (!copy) {
        cdi_free(ctx, d);
        return cdi_fail(ctx, CD_NOMEM, "out of memory");
    }
    *d = (CdDefined){ctx->defined, copy, nargs, function, user};
    ctx->defined = d;
    return CD_OK;
}
