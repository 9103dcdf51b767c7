// clock.c - wall time, and processor time of the calling thread
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include <time.h>

static int64_t read_ns(clockid_t id) {
    struct timespec t;
    if (clock_gettime(id, &t) != 0) return 0;
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t cdi_clock_ns(void) {
    return read_ns(CLOCK_MONOTONIC);
}
int64_t cdi_clock_thread_ns(void) {
    return read_ns(CLOCK_THREAD_CPUTIME_ID);
}
