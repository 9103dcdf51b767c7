// classes.h - the classes that a model file or a method may name, for help, schema and completion
#ifndef CARDAN_CLI_CLASSES_H
#define CARDAN_CLI_CLASSES_H

#include "desc/desc.h"

// i = 0, 1, ... until NULL; *group is "joint", "shape", "model": classes of a group stand together
const CdDesc *cli_class_at(int i, const char **group);
// NULL: there is none, and *s knows the nearest name
const CdDesc *cli_class(const char *name, CdSuggestion *s);

#endif
