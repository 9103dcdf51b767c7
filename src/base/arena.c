// arena.c - memory that is taken piece by piece and given back all at once
#include "base/arena.h"

#include <string.h>

// larger pieces have blocks of their own; blocks for others grow up to this
#define SMALL_MAX 4096
#define GROWN_MAX 65536

struct CdArenaBlock {
    CdArenaBlock *older;
};

static char *align_up(char *p, size_t align) {
    uintptr_t misfit = (uintptr_t)p & (align - 1);
    return misfit ? p + (align - misfit) : p;
}

void cdi_arena_init(CdArena *arena, CdContext *ctx, size_t block_size) {
    *arena = (CdArena){.ctx = ctx, .block_size = block_size};
}

void cdi_arena_clear(CdArena *arena) {
    while (arena->blocks) {
        CdArenaBlock *older = arena->blocks->older;
        cdi_free(arena->ctx, arena->blocks);
        arena->blocks = older;
    }
    arena->next = arena->end = NULL;
    arena->taken = 0;
}

// room in the next block for small pieces: as much as all blocks so far
static size_t usual(const CdArena *arena) {
    if (arena->block_size > 0) return arena->block_size;
    return arena->taken < GROWN_MAX ? arena->taken : GROWN_MAX;
}

// a block begins at a full alignment, so that what fits does not depend on where memory lies
static char *add_block(CdArena *arena, size_t size) {
    const size_t slack = sizeof(CdArenaBlock) + CD_ARENA_ALIGN;
    if (size > SIZE_MAX - slack) return NULL;
    CdArenaBlock *block = cdi_alloc(arena->ctx, size + slack);
    if (!block) return NULL;
    block->older = arena->blocks;
    arena->blocks = block;
    arena->taken += size;
    return align_up((char *)(block + 1), CD_ARENA_ALIGN);
}

static char *take_small(CdArena *arena, size_t n, size_t align) {
    char *p = arena->next ? align_up(arena->next, align) : NULL;
    if (!p || p > arena->end || n > (size_t)(arena->end - p)) {
        const size_t size = n > usual(arena) ? n : usual(arena);
        char *block = add_block(arena, size);
        if (!block) return NULL;
        arena->end = block + size;
        p = block;
    }
    arena->next = p + n;
    return p;
}

void *cdi_arena_alloc(CdArena *arena, size_t n, size_t align) {
    // a large piece has a block of its own: what is free elsewhere stays so
    if (n > SMALL_MAX && n > arena->block_size) return add_block(arena, n);
    return take_small(arena, n, align);
}

void *cdi_take(CdArena *arena, size_t n, size_t size) {
    if (n > SIZE_MAX / size) return NULL;
    return cdi_arena_alloc(arena, n * size, CD_ARENA_ALIGN);
}

char *cdi_arena_strndup(CdArena *arena, const char *s, size_t n) {
    char *copy = cdi_arena_alloc(arena, n + 1, 1);
    if (copy) memcpy(copy, s, n);
    return copy;
}

char *cdi_arena_join(CdArena *arena, int n, const char *const *texts) {
    size_t length = 0;
    for (int k = 0; k < n; k++) length += strlen(texts[k]);
    char *joined = cdi_arena_alloc(arena, length + 1, 1), *end = joined;
    for (int k = 0; joined && k < n; k++) {
        const size_t one = strlen(texts[k]);
        memcpy(end, texts[k], one);
        end += one;
    }
    return joined;
}
