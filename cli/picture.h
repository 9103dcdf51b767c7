// picture.h - what verbs share that make a picture
#ifndef CARDAN_CLI_PICTURE_H
#define CARDAN_CLI_PICTURE_H

#include "cli.h"

// "720x540" in pixels; false after a complaint
bool cli_picture_size(Cli *cli, const char *text, int *width, int *height);
// with --json it needs a file; false after a complaint
bool cli_picture_output(Cli *cli);
// to the file of -o, or to standard output; an exit code
int cli_picture_write(Cli *cli, const CdText *text);

#endif
