// mem.h - the memory of one adc run: everything is taken from one arena and given back at its end
#ifndef ADC_MEM_H
#define ADC_MEM_H

#include <stddef.h>

typedef struct Mem {
    struct MemChunk *chunk;
} Mem;

void *mem_new(Mem *mem, size_t n); // zeroed and aligned; ends the program when memory is exhausted
void *mem_grow(Mem *mem, void *old, size_t old_n, size_t new_n);
char *mem_text(Mem *mem, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *mem_copy(Mem *mem, const char *text, size_t n); // adds the terminating zero
void mem_free(Mem *mem);

// LIST(T) is a growing array; PUSH appends one item to it
#define LIST(T)     \
    struct {        \
        T *at;      \
        int n, cap; \
    }
#define PUSH(mem, list, ...)                                                                 \
    do {                                                                                     \
        if ((list)->n == (list)->cap) {                                                      \
            const int cap_ = (list)->cap ? 2 * (list)->cap : 8;                              \
            (list)->at = mem_grow(mem, (list)->at, (size_t)(list)->cap * sizeof *(list)->at, \
                                  (size_t)cap_ * sizeof *(list)->at);                        \
            (list)->cap = cap_;                                                              \
        }                                                                                    \
        (list)->at[(list)->n++] = __VA_ARGS__;                                               \
    } while (0)

#endif
