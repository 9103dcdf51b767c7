// mem.c - the memory of one adc run: a chain of chunks, filled from the front
#include "mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20, ALIGN = 16 };

typedef struct MemChunk {
    struct MemChunk *next;
    size_t used, size;
} MemChunk;

static const size_t header = (sizeof(MemChunk) + ALIGN - 1) / ALIGN * ALIGN;

void *mem_new(Mem *mem, size_t n) {
    n = (n + ALIGN - 1) / ALIGN * ALIGN;
    if (!mem->chunk || mem->chunk->size - mem->chunk->used < n) {
        const size_t size = n > CHUNK ? n : CHUNK;
        MemChunk *c = calloc(1, header + size);
        if (!c) {
            fputs("adc: out of memory\n", stderr);
            exit(2);
        }
        c->size = size;
        c->next = mem->chunk;
        mem->chunk = c;
    }
    void *at = (char *)mem->chunk + header + mem->chunk->used;
    mem->chunk->used += n;
    return at;
}

void *mem_grow(Mem *mem, void *old, size_t old_n, size_t new_n) {
    void *at = mem_new(mem, new_n);
    if (old_n) memcpy(at, old, old_n);
    return at;
}

char *mem_copy(Mem *mem, const char *text, size_t n) {
    char *at = mem_new(mem, n + 1);
    if (n) memcpy(at, text, n);
    return at;
}

char *mem_text(Mem *mem, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *at = mem_new(mem, (size_t)n + 1);
    va_start(args, fmt);
    vsnprintf(at, (size_t)n + 1, fmt, args);
    va_end(args);
    return at;
}

void mem_free(Mem *mem) {
    while (mem->chunk) {
        MemChunk *next = mem->chunk->next;
        free(mem->chunk);
        mem->chunk = next;
    }
}
