// cpu.c - how many processors this process may use
//
// A container limits processor time not by the affinity mask but by a quota of its control group:
// quota / period processors on average. The smallest quota on the way from the group of the process
// to the root counts. Version 2 keeps both numbers in cpu.max, version 1 in two files.
#define _GNU_SOURCE
#include "base/cpu.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>

// room for 16384 processors; the kernel refuses a mask shorter than its own
#define MASKS 16
#define MASK_SIZE (MASKS * sizeof(cpu_set_t))
#define MASK_BITS (8 * (int)MASK_SIZE)

static int affinity(void) {
    cpu_set_t set[MASKS] = {0};
    if (sched_getaffinity(0, MASK_SIZE, set) != 0) return 0;
    return CPU_COUNT_S(MASK_SIZE, set);
}

int cdi_cpu_current(void) {
    return sched_getcpu();
}

void cdi_cpu_part(pthread_t thread, int cpu, int step) {
    cpu_set_t allowed[MASKS] = {0}, one[MASKS] = {0};
    if (cpu < 0 || cpu >= MASK_BITS || sched_getaffinity(0, MASK_SIZE, allowed) != 0) return;

    // among the others, so that no step leads back
    CPU_CLR_S(cpu, MASK_SIZE, allowed);
    int others = CPU_COUNT_S(MASK_SIZE, allowed);
    if (others == 0) return;
    int to = cpu;
    for (int left = (step - 1) % others + 1; left > 0;
         left -= CPU_ISSET_S(to, MASK_SIZE, allowed)) {
        to = (to + 1) % MASK_BITS;
    }

    // the kernel moves a thread when its mask demands it
    CPU_SET_S(to, MASK_SIZE, one);
    if (pthread_setaffinity_np(thread, MASK_SIZE, one) == 0) {
        (void)pthread_setaffinity_np(thread, MASK_SIZE, allowed);
    }
}
#else
static int affinity(void) {
    return 0;
}

int cdi_cpu_current(void) {
    return -1;
}

void cdi_cpu_part(pthread_t thread, int cpu, int step) {
    (void)thread;
    (void)cpu;
    (void)step;
}
#endif

#define PATH_SIZE 4096

// the integers at the start of dir/name; returns how many of the two there are
static int read_pair(const char *dir, const char *name, long long v[2]) {
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    int n = fscanf(f, "%lld %lld", &v[0], &v[1]);
    fclose(f);
    return n < 0 ? 0 : n;
}

// processors granted by one group; 0: no limit
static int group_quota(const char *dir) {
    long long v[2] = {0, 0}, period[2];
    if (read_pair(dir, "cpu.max", v) < 2) {
        if (read_pair(dir, "cpu.cfs_quota_us", v) < 1) return 0;
        if (read_pair(dir, "cpu.cfs_period_us", period) < 1) return 0;
        v[1] = period[0];
    }
    if (v[0] <= 0 || v[1] <= 0 || v[0] / v[1] > INT_MAX) return 0;
    return v[0] < v[1] ? 1 : (int)(v[0] / v[1]);
}

static int smaller_limit(int a, int b) {
    if (a == 0 || b == 0) return a + b;
    return a < b ? a : b;
}

// the group `path` below `mount` and its parents
static int path_quota(const char *mount, const char *path) {
    char dir[PATH_SIZE];
    size_t base = strlen(mount);
    if (snprintf(dir, sizeof dir, "%s%s", mount, path) >= (int)sizeof dir) return 0;
    for (int quota = 0;;) {
        quota = smaller_limit(quota, group_quota(dir));
        char *slash = strrchr(dir + base, '/');
        if (!slash) return quota;
        *slash = '\0';
    }
}

// is cpu among the comma-separated controllers?
static int has_cpu(const char *list, size_t n) {
    for (const char *p = list, *end = list + n; p < end;) {
        size_t len = strcspn(p, ",:");
        if (len == 3 && strncmp(p, "cpu", 3) == 0) return 1;
        p += len + 1;
    }
    return 0;
}

// one line "number:controllers:path"; version 2 has no controllers
static int line_quota(char *line, const char *root) {
    line[strcspn(line, "\n")] = '\0';
    char *list = strchr(line, ':');
    char *path = list ? strchr(list + 1, ':') : NULL;
    if (!path) return 0;
    size_t n = (size_t)(path - list - 1);
    if (n == 0) return path_quota(root, path + 1);
    if (!has_cpu(list + 1, n)) return 0;
    char mount[PATH_SIZE];
    if (snprintf(mount, sizeof mount, "%s/cpu", root) >= (int)sizeof mount) return 0;
    return path_quota(mount, path + 1);
}

int cdi_cpu_quota(const char *self, const char *root) {
    FILE *f = fopen(self, "r");
    if (!f) return 0;
    int quota = 0;
    char line[PATH_SIZE];
    while (fgets(line, sizeof line, f)) quota = smaller_limit(quota, line_quota(line, root));
    fclose(f);
    return quota;
}

int cdi_cpu_count(void) {
    int n = affinity();
    if (n <= 0) n = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (n <= 0) n = 1;
    return smaller_limit(n, cdi_cpu_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
}
