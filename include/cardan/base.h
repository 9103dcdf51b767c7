// base.h - status codes, messages and the context that every cardan call works in
#ifndef CARDAN_BASE_H
#define CARDAN_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CD_VERSION "0.1.0"

// code, text; the command line and Python derive their names from the code
#define CD_STATUS_LIST(X)                                 \
    X(OK, "success")                                      \
    X(RETRY, "step rejected, a smaller step may succeed") \
    X(NOCONV, "iteration did not converge")               \
    X(SINGULAR, "matrix is singular")                     \
    X(NONFINITE, "a value became NaN or infinite")        \
    X(CANCELLED, "cancelled by the user")                 \
    X(INVALID, "invalid input")                           \
    X(NOTFOUND, "nothing of that name")                   \
    X(LIMIT, "input exceeds a safety limit")              \
    X(IO, "cannot read or write a file")                  \
    X(NOMEM, "out of memory")                             \
    X(BUG, "internal error, please report")

typedef enum CdStatus {
#define X(code, text) CD_##code,
    CD_STATUS_LIST(X)
#undef X
        CD_NSTATUS
} CdStatus;

const char *cd_status_name(CdStatus status); // "NOMEM"
const char *cd_status_text(CdStatus status); // "out of memory"

typedef enum CdLevel { CD_ERROR, CD_WARNING, CD_INFO, CD_DEBUG } CdLevel;

// where in the user's words a message points to; members that do not apply are NULL or 0
typedef struct CdPlace {
    const char *file;
    int line, col; // from 1; col counts bytes
    const char *item_class, *item_name;
    const char *field;
} CdPlace;

typedef struct CdMessage {
    CdLevel level;
    CdStatus status; // CD_OK unless level is CD_ERROR
    CdPlace place;
    const char *text; // what is wrong; and after a semicolon what would be right
} CdMessage;

// receives messages; the pointers in the message are valid during the call only.
// Called from any thread that uses the context, so it must be thread-safe.
typedef void CdSink(void *user, const CdMessage *message);

// "file:line:col: class 'name': field 'x': text", cut to fit; returns the untruncated length
size_t cd_message_format(const CdMessage *message, char *buf, size_t size);

// memory source; resize(p, 0) frees, resize(NULL, n) allocates, 16-byte aligned, NULL when out of
// memory
typedef struct CdAllocator {
    void *(*resize)(void *user, void *p, size_t n);
    void *user;
} CdAllocator;

// what the context has allocated
typedef struct CdMemory {
    size_t live_bytes, live_blocks, peak_bytes;
    uint64_t total_blocks; // allocations and growths so far
} CdMemory;

// one context per independent user of the library: its memory source and its message sink
typedef struct CdContext CdContext;

CdContext *
cd_context_new(const CdAllocator *allocator); // NULL: libc's; returns NULL if out of memory
void cd_context_free(CdContext *ctx);         // NULL does nothing
void cd_context_set_sink(CdContext *ctx, CdSink *sink, void *user); // NULL: silence
CdMemory cd_context_memory(const CdContext *ctx);

// a function of one's own for expressions, which call it by this name as long as the context lives.
// Its derivatives are made by differences; it may be called from any thread.
typedef double CdUserFunction(void *user, const double *args);
#define CD_USER_ARGS_MAX 16
CdStatus cd_context_define(CdContext *ctx, const char *name, int nargs, CdUserFunction *function,
                           void *user);

#ifdef __cplusplus
}
#endif

#endif
