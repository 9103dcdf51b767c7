// arena.h - memory that is taken piece by piece and given back all at once
#ifndef CARDAN_BASE_ARENA_H
#define CARDAN_BASE_ARENA_H

#include "base/context.h"

#define CD_ARENA_ALIGN 64 // a cache line, the widest vector

typedef struct CdArenaBlock CdArenaBlock;

typedef struct CdArena {
    CdContext *ctx;
    CdArenaBlock *blocks; // newest first
    char *next, *end;     // free part of the block for small pieces
    size_t block_size;    // usual size of a new block; 0: they grow with what was taken
    size_t taken;         // by all blocks
} CdArena;

void cdi_arena_init(CdArena *arena, CdContext *ctx, size_t block_size);
void cdi_arena_clear(CdArena *arena); // give everything back; the arena can be used again

// zeroed; alignment a power of two up to CD_ARENA_ALIGN; NULL when out of memory
void *cdi_arena_alloc(CdArena *arena, size_t n, size_t align);
// n zeroed values of a type, or NULL: out of memory or too many
#define CD_TAKE(arena, T, n) ((T *)cdi_take(arena, n, sizeof(T)))
void *cdi_take(CdArena *arena, size_t n, size_t size);
char *cdi_arena_strndup(CdArena *arena, const char *s, size_t n);
// n texts, one behind the other
char *cdi_arena_join(CdArena *arena, int n, const char *const *texts);

#endif
