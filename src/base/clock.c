// clock.c - wall time, processor time of threads, and the date
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

#ifdef __linux__
int64_t cdi_clock_of_thread_ns(pthread_t thread) {
    clockid_t id;
    return pthread_getcpuclockid(thread, &id) == 0 ? read_ns(id) : 0;
}
#else
int64_t cdi_clock_of_thread_ns(pthread_t thread) {
    (void)thread;
    return 0;
}
#endif

void cdi_clock_date(char text[CD_DATE_MAX]) {
    const time_t now = time(NULL);
    struct tm utc;
    text[0] = 0;
    if (gmtime_r(&now, &utc)) (void)strftime(text, CD_DATE_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
