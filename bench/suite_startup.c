// suite_startup.c - how long `cardan version` takes beside programs that do nothing
//
// Every program is started and waited for on its own; what is timed is the kernel's work of making
// a process, the loader's of bringing libraries in, and ours. Goal: at most three times a program
// that is linked without shared libraries and does nothing.
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

extern char **environ;

typedef struct Program {
    char *words[3]; // ends with NULL
    int failed;
} Program;

static void start(void *user) {
    Program *p = user;
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid, p->words[0], &actions, NULL, p->words, environ) == 0) {
        waitpid(pid, &status, 0);
    }
    p->failed += status != 0;
    posix_spawn_file_actions_destroy(&actions);
}

int main(int argc, char **argv) {
    BenchOptions options;
    if (!bench_options(argc, argv, &options)) return 2;
    Program programs[] = {{.words = {CD_NOTHING_STATIC}},
                          {.words = {CD_NOTHING_SHARED}},
                          {.words = {CD_CARDAN, "version"}}};
    BenchCase cases[] = {{.name = "nothing, static", .run = start, .user = &programs[0]},
                         {.name = "nothing, shared libc", .run = start, .user = &programs[1]},
                         {.name = "cardan version", .run = start, .user = &programs[2]}};
    enum { N = sizeof cases / sizeof *cases };
    BenchPlan plan = {.rounds = 100, .samples = 5, .warmup = 1, .settle_ms = 0};
    if (options.quick) plan = (BenchPlan){.rounds = 2, .samples = 2, .warmup = 1};
    bool ok = bench_interleave(cases, N, plan);
    BenchRow rows[N];
    for (int i = 0; ok && i < N; i++) {
        const double median = bench_percentile(cases[i].us, cases[i].n, 50);
        const double nothing = bench_percentile(cases[0].us, cases[0].n, 50);
        rows[i] = (BenchRow){cases[i].name, {median, cases[i].us[0], median / nothing}};
        if (programs[i].failed) fprintf(stderr, "%s fails\n", programs[i].words[0]);
        ok = programs[i].failed == 0;
    }
    BenchTable table = {"start to end of a process, microseconds; goal: cardan at most 3 x nothing",
                        {"program", "median_us", "least_us", "ratio", NULL},
                        rows,
                        N};
    if (ok) bench_print(&table, options.json);
    bench_free(cases, N);
    return ok ? 0 : 1;
}
