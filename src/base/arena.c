// arena.c - memory that is taken piece by piece and given back all at once
#include "base/arena.h"

#include <string.h>

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
}

static bool add_block(CdArena *arena, size_t need) {
    size_t slack = sizeof(CdArenaBlock) + CD_ARENA_ALIGN;
    if (need > SIZE_MAX - slack) return false;
    size_t size = (need > arena->block_size ? need : arena->block_size) + slack;
    CdArenaBlock *block = cdi_resize(arena->ctx, NULL, size);
    if (!block) return false;
    block->older = arena->blocks;
    arena->blocks = block;
    arena->next = (char *)(block + 1);
    arena->end = (char *)block + size;
    return true;
}

void *cdi_arena_alloc(CdArena *arena, size_t n, size_t align) {
    char *p = arena->next ? align_up(arena->next, align) : NULL;
    if (!p || p > arena->end || n > (size_t)(arena->end - p)) {
        if (!add_block(arena, n)) return NULL;
        p = align_up(arena->next, align);
    }
    arena->next = p + n;
    memset(p, 0, n);
    return p;
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
