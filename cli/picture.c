// picture.c - what verbs share that make a picture
#include "picture.h"

#include <string.h>

#include "base/file.h"

#define SIDE_MIN 100
#define SIDE_MAX 10000

bool cli_picture_size(Cli *cli, const char *text, int *width, int *height) {
    char rest;
    if (sscanf(text, "%5dx%5d%c", width, height, &rest) == 2 && *width >= SIDE_MIN &&
        *height >= SIDE_MIN && *width <= SIDE_MAX && *height <= SIDE_MAX) {
        return true;
    }
    cli_complain(cli, "%s: '%s' is no size; give --size WIDTHxHEIGHT in pixels, %d to %d each",
                 cli->verb->name, text, SIDE_MIN, SIDE_MAX);
    return false;
}

bool cli_picture_output(Cli *cli) {
    if (!cli->json || (cli->output && strcmp(cli->output, "-") != 0)) return true;
    cli_complain(cli, "%s: with --json the picture goes to a file; give -o FILE", cli->verb->name);
    return false;
}

int cli_picture_write(Cli *cli, const CdText *text) {
    const char *path = cli->output ? cli->output : "-";
    const int code = cli_code(cdi_file_write(cli->ctx, path, text->v, text->n));
    if (code == CLI_OK && cli->json) cdi_json_key_text(&cli->w, "file", path);
    return code;
}
