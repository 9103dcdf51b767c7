// clock.h - wall time, processor time of the calling thread, and the date
#ifndef CARDAN_BASE_CLOCK_H
#define CARDAN_BASE_CLOCK_H

#include <stdint.h>

int64_t cdi_clock_ns(void);        // monotonic, from an arbitrary origin
int64_t cdi_clock_thread_ns(void); // processor time of this thread

// date and time of day, UTC: 2026-11-16T01:54:36Z
#define CD_DATE_MAX 32
void cdi_clock_date(char text[CD_DATE_MAX]);

#endif
