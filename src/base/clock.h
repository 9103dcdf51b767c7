// clock.h - wall time, and processor time of the calling thread
#ifndef CARDAN_BASE_CLOCK_H
#define CARDAN_BASE_CLOCK_H

#include <stdint.h>

int64_t cdi_clock_ns(void);        // monotonic, from an arbitrary origin
int64_t cdi_clock_thread_ns(void); // processor time of this thread

#endif
