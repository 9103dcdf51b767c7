// context.h - allocation and reporting inside the library: everything goes through a CdContext
#ifndef CARDAN_BASE_CONTEXT_H
#define CARDAN_BASE_CONTEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cardan/base.h"

// pass a failure up unchanged
#define CD_TRY(call)                                \
    do {                                            \
        CdStatus cd_status_ = (call);               \
        if (cd_status_ != CD_OK) return cd_status_; \
    } while (0)

#if defined(__GNUC__)
#define CD_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define CD_PRINTF(fmt, args)
#endif

// memory, 16-byte aligned; NULL when out of memory (nothing is reported: the caller's CD_NOMEM is)
void *cdi_alloc(CdContext *ctx, size_t n);                    // zeroed
void *cdi_alloc_array(CdContext *ctx, size_t n, size_t size); // zeroed; NULL on overflow too
void *cdi_resize(CdContext *ctx, void *p, size_t n);          // new bytes are not set; n > 0
void cdi_free(CdContext *ctx, void *p);                       // NULL does nothing
char *cdi_strdup(CdContext *ctx, const char *s);
char *cdi_strndup(CdContext *ctx, const char *s, size_t n);

// where messages go now
CdSink *cdi_context_sink(const CdContext *ctx, void **user);

// functions of the user's, the last defined first
typedef struct CdDefined {
    struct CdDefined *next;
    char *name;
    int nargs;
    CdUserFunction *function;
    void *user;
} CdDefined;
const CdDefined *cdi_context_defined(const CdContext *ctx);

// let the n-th allocation from now fail, alone or with all after it; 0: none (for tests)
void cdi_context_fail_at(CdContext *ctx, uint64_t n, bool and_after);

// report a failure; returns the status it is given
CdStatus cdi_fail(CdContext *ctx, CdStatus status, const char *fmt, ...) CD_PRINTF(3, 4);
CdStatus cdi_fail_at(CdContext *ctx, CdStatus status, const CdPlace *place, const char *fmt, ...)
    CD_PRINTF(4, 5);
CdStatus cdi_vfail_at(CdContext *ctx, CdStatus status, const CdPlace *place, const char *fmt,
                      va_list args);
// tell what is right to know and no failure
void cdi_warn(CdContext *ctx, const char *fmt, ...) CD_PRINTF(2, 3);
void cdi_inform(CdContext *ctx, const char *fmt, ...) CD_PRINTF(2, 3);

#endif
