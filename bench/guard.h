// guard.h - pieces of work whose instructions are counted
//
// bench/guard.txt has a line for every case: what it is called, how many instructions it may take
// and the command that does it. Cases of this program do their work in guard_measured, so that
// nothing else is counted.
#ifndef CARDAN_BENCH_GUARD_H
#define CARDAN_BENCH_GUARD_H

#include <stdbool.h>

typedef struct GuardCase {
    const char *name;
    void *(*open)(int variant); // NULL: failed
    bool (*run)(void *data);    // counted
    void (*close)(void *data);
    int variant;
} GuardCase;

#endif
