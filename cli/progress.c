// progress.c - how far a long verb is: a bar on a terminal, a line now and then elsewhere
#include "progress.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

#define MS INT64_C(1000000)
#define BAR_EVERY (100 * MS)
#define LINE_EVERY (10000 * MS)
#define BAR_WIDTH 20
// the clock is read about this often, and at least at every SKIP_MAX-th call
#define LOOK_EVERY (5 * MS)
#define SKIP_MAX 1024
#define LINE_MAX 160

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

const char *cli_duration(double seconds, char text[CLI_DURATION_MAX]) {
    const double most = 1e4 * DAY;
    const long s = (long)fmin(ceil(seconds), most);
    if (!(seconds < most)) {
        snprintf(text, CLI_DURATION_MAX, "very long");
    } else if (s < MINUTE) {
        snprintf(text, CLI_DURATION_MAX, "%ld s", s);
    } else if (s < HOUR) {
        snprintf(text, CLI_DURATION_MAX, "%ld m %02ld s", s / MINUTE, s % MINUTE);
    } else if (s < DAY) {
        snprintf(text, CLI_DURATION_MAX, "%ld h %02ld m", s / HOUR, s % HOUR / MINUTE);
    } else {
        snprintf(text, CLI_DURATION_MAX, "%ld d %02ld h", s / DAY, s % DAY / HOUR);
    }
    return text;
}

void cli_progress_begin(CliProgress *p, Cli *cli, const char *label) {
    *p = (CliProgress){
        .cli = cli, .shown = !cli->quiet && !cli->json, .bar = cli_tty(stderr), .skip = 1};
    snprintf(p->label, sizeof p->label, "%s", label);
    p->begin = p->drawn = p->checked = cdi_clock_ns();
}

static void draw(CliProgress *p, double fraction, double t, double left) {
    char line[LINE_MAX], bar[BAR_WIDTH + 1], time[CLI_DURATION_MAX];
    const int full = (int)(fraction * BAR_WIDTH);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)full);
    bar[BAR_WIDTH] = '\0';
    snprintf(line, sizeof line, "%s  %s%s%s%3.0f%%  t = %.4g s  %s left", p->label,
             p->bar ? "[" : "", p->bar ? bar : "", p->bar ? "] " : "", 100 * fraction, t,
             cli_duration(left, time));
    if (p->bar) {
        const int n = (int)strlen(line), old = p->cli->bar;
        fprintf(stderr, "\r%s%*s", line, old > n ? old - n : 0, "");
        p->cli->bar = n;
    } else {
        fprintf(stderr, "%s\n", line);
    }
    fflush(stderr);
}

void cli_progress_at(CliProgress *p, double fraction, double t) {
    if (!p->shown || ++p->calls < p->skip) return;
    const int64_t now = cdi_clock_ns();
    p->skip = now - p->checked < LOOK_EVERY ? p->skip * 2 : 1;
    if (p->skip > SKIP_MAX) p->skip = SKIP_MAX;
    p->calls = 0;
    p->checked = now;
    if (now - p->drawn < (p->bar ? BAR_EVERY : LINE_EVERY)) return;
    p->drawn = now;
    fraction = fmin(fmax(fraction, 0), 1);
    const double spent = 1e-9 * (double)(now - p->begin);
    draw(p, fraction, t, fraction > 0 ? spent * (1 - fraction) / fraction : INFINITY);
}

void cli_progress_end(CliProgress *p) {
    cli_clear_bar(p->cli);
    p->shown = false;
}
