// channel.c - print a channel of a log, or the names of all: channel RUN.log [CHANNEL]
#include <cardan/results.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void tell(void *user, const CdMessage *message) {
    char text[1000];
    (void)user;
    cd_message_format(message, text, sizeof text);
    fprintf(stderr, "%s\n", text);
}

static void list(const CdLog *log) {
    const char *unit, *name;
    for (int i = 0; (name = cd_log_channel(log, i, &unit)) != NULL; i++) {
        printf("%s in %s\n", name, unit);
    }
}

// the time and one number per line
static CdStatus print(CdLog *log, const char *name) {
    const uint64_t n = cd_log_rows(log);
    double *t = malloc((n + 1) * sizeof *t), *x = malloc((n + 1) * sizeof *x);
    int channel;
    CdStatus status = t && x ? cd_log_find(log, name, &channel) : CD_NOMEM;
    if (status == CD_OK) status = cd_log_column(log, -1, t);
    if (status == CD_OK) status = cd_log_column(log, channel, x);
    for (uint64_t i = 0; i < n && status == CD_OK; i++) printf("%.6g %.9g\n", t[i], x[i]);
    free(t);
    free(x);
    return status;
}

int main(int argc, char **argv) {
    CdContext *ctx = cd_context_new(NULL);
    CdLog *log = NULL;
    if (!ctx || argc < 2) {
        fputs("usage: channel RUN.log [CHANNEL]\n", stderr);
        return 2;
    }
    cd_context_set_sink(ctx, tell, NULL);
    CdStatus status = cd_log_open(ctx, argv[1], &log);
    if (status == CD_OK && argc > 2) {
        status = print(log, argv[2]);
    } else if (status == CD_OK) {
        printf("%" PRIu64 " rows of\n", cd_log_rows(log));
        list(log);
    }
    cd_log_free(log);
    cd_context_free(ctx);
    return status == CD_OK ? 0 : 1;
}
