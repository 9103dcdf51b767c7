// types.h - names and types of everything in the tree
#ifndef ADC_TYPES_H
#define ADC_TYPES_H

#include "tree.h"

void check_unit(Unit *u); // all functions, in the order of the file; messages for all that is wrong
Function *find_function(const Unit *u, const char *name);

#endif
