// info_log.h - what is in a result log
#ifndef CARDAN_CLI_INFO_LOG_H
#define CARDAN_CLI_INFO_LOG_H

#include "cli.h"

int cli_info_log(Cli *cli, const char *path);

#endif
