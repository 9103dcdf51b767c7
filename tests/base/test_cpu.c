// test_cpu.c - processors granted by affinity and by control groups, the latter in a made-up tree
#define _GNU_SOURCE
#include "base/cpu.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

// a folder that stands for /sys/fs/cgroup, with the file of the process in it
static char root[64];

static void put(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *f = fopen(path, "w");
    if (!CHECK(f != NULL)) return;
    fputs(text, f);
    fclose(f);
}

static void folder(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", root, name);
    CHECK_INT(mkdir(path, 0700), 0);
}

static void open_tree(void) {
    snprintf(root, sizeof root, "/tmp/cardan_cpu_XXXXXX");
    CHECK(mkdtemp(root) != NULL);
}

static void close_tree(void) {
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    CHECK_INT(system(command), 0);
}

static int quota(void) {
    char self[200];
    snprintf(self, sizeof self, "%s/self", root);
    return cdi_cpu_quota(self, root);
}

TEST(version_2_counts_the_parents) {
    open_tree();
    CHECK_INT(quota(), 0);
    put("self", "0::/a/b\n");
    CHECK_INT(quota(), 0);
    folder("a");
    folder("a/b");
    put("a/b/cpu.max", "max 100000\n");
    CHECK_INT(quota(), 0);
    put("a/b/cpu.max", "650000 100000\n");
    CHECK_INT(quota(), 6);
    put("a/cpu.max", "250000 100000\n");
    CHECK_INT(quota(), 2);
    put("cpu.max", "50000 100000\n");
    CHECK_INT(quota(), 1);
    put("self", "0::/\n");
    CHECK_INT(quota(), 1);
    close_tree();
}

TEST(version_1_has_two_files) {
    open_tree();
    put("self", "5:cpuset:/x\n4:cpuacct,cpu:/a\n1:memory:/a\n");
    folder("x");
    folder("cpu");
    folder("cpu/a");
    put("x/cpu.max", "100000 100000\n");
    put("cpu/a/cpu.cfs_period_us", "100000\n");
    CHECK_INT(quota(), 0);
    put("cpu/a/cpu.cfs_quota_us", "-1\n");
    CHECK_INT(quota(), 0);
    put("cpu/a/cpu.cfs_quota_us", "300000\n");
    CHECK_INT(quota(), 3);
    close_tree();
}

TEST(odd_files_mean_no_limit) {
    open_tree();
    put("self", "\nnonsense\n0:\n::\n0::\n");
    CHECK_INT(quota(), 0);
    put("cpu.max", "");
    CHECK_INT(quota(), 0);
    put("cpu.max", "100000 0\n");
    CHECK_INT(quota(), 0);
    put("cpu.max", "9223372036854775807 1\n");
    CHECK_INT(quota(), 0);
    CHECK_INT(cdi_cpu_quota("/nonexistent/self", root), 0);
    close_tree();
}

TEST(affinity_is_obeyed) {
    int all = cdi_cpu_count();
    CHECK(all >= 1);
    CHECK(all <= sysconf(_SC_NPROCESSORS_CONF));
    cpu_set_t before, one;
    CHECK_INT(sched_getaffinity(0, sizeof before, &before), 0);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &before)) continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        CHECK_INT(sched_setaffinity(0, sizeof one, &one), 0);
        CHECK_INT(cdi_cpu_count(), 1);
        break;
    }
    CHECK_INT(sched_setaffinity(0, sizeof before, &before), 0);
    CHECK_INT(cdi_cpu_count(), all);
}

// a thread that waits until it is to end
static void *wait_for_end(void *end) {
    pthread_mutex_lock(end);
    pthread_mutex_unlock(end);
    return NULL;
}

// the caller is free to be anywhere; one that may use but this processor cannot send threads away
TEST(parted_threads_stay_off_a_processor) {
    if (cdi_cpu_count() < 2) return;
    pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    cpu_set_t before, after, one;
    pthread_mutex_lock(&end);
    CHECK_INT(pthread_create(&thread, NULL, wait_for_end, &end), 0);
    CHECK_INT(sched_getaffinity(0, sizeof before, &before), 0);
    int cpu = 0;
    for (int step = 1; step <= 5; step++, cpu = (cpu + 1) % CPU_SETSIZE) {
        while (!CPU_ISSET(cpu, &before)) cpu = (cpu + 1) % CPU_SETSIZE;
        cdi_cpu_part(thread, cpu, step);
        CHECK_INT(pthread_getaffinity_np(thread, sizeof after, &after), 0);
        CHECK(!CPU_ISSET(cpu, &after));
        CHECK_INT(CPU_COUNT(&after), CPU_COUNT(&before) - 1);
    }
    cdi_cpu_part(thread, -1, 1);
    cdi_cpu_part(thread, 1 << 20, 1);
    CPU_ZERO(&one);
    while (!CPU_ISSET(cpu, &before)) cpu = (cpu + 1) % CPU_SETSIZE;
    CPU_SET(cpu, &one);
    CHECK_INT(sched_setaffinity(0, sizeof one, &one), 0);
    cdi_cpu_part(thread, cpu, 1);
    CHECK_INT(sched_setaffinity(0, sizeof before, &before), 0);
    CHECK_INT(pthread_getaffinity_np(thread, sizeof one, &one), 0);
    CHECK(CPU_EQUAL(&one, &after));
    pthread_mutex_unlock(&end);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

int main(void) {
    RUN(version_2_counts_the_parents);
    RUN(version_1_has_two_files);
    RUN(odd_files_mean_no_limit);
    RUN(affinity_is_obeyed);
    RUN(parted_threads_stay_off_a_processor);
    return test_end();
}
