// clock.h - wall time, processor time of threads, and the date
#ifndef CARDAN_BASE_CLOCK_H
#define CARDAN_BASE_CLOCK_H

#include <pthread.h>
#include <stdint.h>

int64_t cdi_clock_ns(void);        // monotonic, from an arbitrary origin
int64_t cdi_clock_thread_ns(void); // processor time of this thread
// that of another thread of this process; 0 where it cannot be had
int64_t cdi_clock_of_thread_ns(pthread_t thread);

// date and time of day, UTC: 2026-11-16T01:54:36Z
#define CD_DATE_MAX 32
void cdi_clock_date(char text[CD_DATE_MAX]);

#endif
