// reference.h - manual pages, reference pages and completions, made from the tables of the verbs
#ifndef CARDAN_CLI_REFERENCE_H
#define CARDAN_CLI_REFERENCE_H

#include "cli.h"

// manual page in the language of man(7): of a verb, or of the program (NULL)
void cli_manual(const CliVerb *verb, CdText *out);
// the same as Markdown, for docs/verbs
void cli_markdown(const CliVerb *verb, CdText *out);

void cli_bash(CdText *out);
void cli_zsh(CdText *out);
void cli_fish(CdText *out);

#endif
