// race_load.c - reads a model and assembles it, for the suites in Python: time and memory as JSON
//
// usage: race_load MODEL
#include <stdio.h>

#include "base/clock.h"
#include "model/model.h"
#include "system/system.h"

// what getrusage tells would hold the peak of the program that started this one; 0: not Linux
static long peak_kb(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kb = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "VmHWM: %ld", &kb) == 1) break;
    }
    if (file) fclose(file);
    return kb;
}

static CdStatus load(CdContext *ctx, const char *path, double seconds[2]) {
    CdModel *model = NULL;
    CdSystem *system = NULL;
    CdSystemWork *work = NULL;
    const int64_t begin = cdi_clock_thread_ns();
    CdStatus status = cd_model_read(ctx, path, &model);
    const int64_t read = cdi_clock_thread_ns();
    if (status == CD_OK) status = cdi_system_new(model, &system);
    if (status == CD_OK) status = cdi_system_work_new(system, NULL, &work);
    seconds[0] = 1e-9 * (double)(read - begin);
    seconds[1] = 1e-9 * (double)(cdi_clock_thread_ns() - begin);
    cdi_system_work_free(work);
    cdi_system_free(system);
    cd_model_free(model);
    return status;
}

int main(int argc, char **argv) {
    double seconds[2];
    if (argc != 2) {
        fprintf(stderr, "usage: race_load MODEL\n");
        return 2;
    }
    CdContext *ctx = cd_context_new(NULL);
    if (!ctx) return 1;
    const long before = peak_kb();
    const CdStatus status = load(ctx, argv[1], seconds);
    cd_context_free(ctx);
    if (status != CD_OK) return 1;
    printf("{\"read\": %.9f, \"seconds\": %.9f, \"kb\": %ld}\n", seconds[0], seconds[1],
           peak_kb() - before);
    return 0;
}
