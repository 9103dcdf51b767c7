// cpu.h - how many processors this process may use
#ifndef CARDAN_BASE_CPU_H
#define CARDAN_BASE_CPU_H

#include <pthread.h>

// processors of the affinity mask, or what the control group grants if that is less; at least 1
int cdi_cpu_count(void);

// whole processors that the control groups named in the file `self` (/proc/self/cgroup) and their
// parents grant, rounded down but at least 1; 0: no limit. root is where the groups are mounted.
int cdi_cpu_quota(const char *self, const char *root);

// the processor that runs the calling thread; -1: unknown
int cdi_cpu_current(void);

// put a thread on the step-th processor after `cpu`, in a circle, of those that the calling thread
// may use, if there is another one, and keep it off `cpu` from then on; among the others it is free
void cdi_cpu_part(pthread_t thread, int cpu, int step);

#endif
