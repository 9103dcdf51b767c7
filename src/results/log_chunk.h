// log_chunk.h - inside results/: the chunks that logs are made of (log.h tells the format)
#ifndef CARDAN_RESULTS_LOG_CHUNK_H
#define CARDAN_RESULTS_LOG_CHUNK_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/open_file.h"
#include "results/log.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "logs are written as they lie in memory");

// of chunks whose checksum is by bytes, as that of the header and all of version 1, and by words
#define CDI_LOG_MAGIC "CdLg"
#define CDI_LOG_WORDS "CdLw"
#define CDI_LOG_ALIGN 8

typedef struct CdLogChunk {
    char magic[4], kind[4];
    uint64_t length; // of the payload
    uint64_t number; // 0, 1, 2 ... in the file
    uint64_t checksum;
} CdLogChunk;
_Static_assert(sizeof(CdLogChunk) == 32, "as docs/results.md says");

// before the bytes of a checkpoint
typedef struct CdLogPoint {
    double t;
    uint64_t samples;
} CdLogPoint;

static inline uint64_t cdi_log_padding(uint64_t length) {
    return (CDI_LOG_ALIGN - length % CDI_LOG_ALIGN) % CDI_LOG_ALIGN;
}

static inline bool cdi_log_is_chunk(const CdLogChunk *head, const char *magic) {
    return memcmp(head->magic, magic, sizeof head->magic) == 0;
}

// of a chunk; what follows must begin at a word
static inline uint64_t cdi_log_hash(const CdLogChunk *head, uint64_t h, const void *bytes,
                                    size_t n) {
    const bool words = cdi_log_is_chunk(head, CDI_LOG_WORDS);
    return words ? cdi_hash_words(h, bytes, n) : cdi_hash(h, bytes, n);
}

// begun with the head of a chunk, to be continued with its payload
static inline uint64_t cdi_log_checksum(const CdLogChunk *head) {
    return cdi_log_hash(head, CD_HASH_BEGIN, head, offsetof(CdLogChunk, checksum));
}

// ---- HEAD (log_head.c)

// with what this program is and the date; JSON
CdStatus cdi_log_head_write(CdContext *ctx, const CdLogHeader *header, CdText *out);
// from hostile bytes, named in messages; all that it points to is in the arena
CdStatus cdi_log_head_read(CdContext *ctx, const char *file, const char *text, size_t n,
                           CdArena *arena, CdLogHeader *header);

// ---- across files of results/

CdOpenFile *cdi_log_file(CdLogWriter *log); // for tests that interpose

// behind the last checkpoint; false: there is none
typedef struct CdLogEnd {
    uint64_t offset, number; // where the next chunk would be, and its number
} CdLogEnd;
bool cdi_log_end_of_checkpoint(const CdLog *log, CdLogEnd *end);

#endif
