// progress.h - how far a long verb is: a bar on a terminal, a line now and then elsewhere
//
//   run  [##########..........]  50%  t = 5 s  2 m 10 s left
//
// On standard error; nothing with --quiet or --json. A bar is drawn at most ten times a second,
// lines come every ten seconds.
#ifndef CARDAN_CLI_PROGRESS_H
#define CARDAN_CLI_PROGRESS_H

#include "cli.h"

typedef struct CliProgress {
    Cli *cli;
    bool shown, bar;      // at all; as a bar
    char label[17];       // cut to fit
    int64_t begin, drawn; // ns
    int64_t checked;      // ns, when the clock was last read
    int calls, skip;      // the clock is read at every skip-th call
} CliProgress;

void cli_progress_begin(CliProgress *p, Cli *cli, const char *label);
// fraction from 0 to 1; cheap enough for every step
void cli_progress_at(CliProgress *p, double fraction, double t);
void cli_progress_end(CliProgress *p); // takes the bar away

// "2 m 10 s"
#define CLI_DURATION_MAX 48
const char *cli_duration(double seconds, char text[CLI_DURATION_MAX]);

#endif
