// wheel.h - a class of the example: a driven wheel, described by one table
#ifndef CARDAN_EXAMPLES_TABLES_WHEEL_H
#define CARDAN_EXAMPLES_TABLES_WHEEL_H

#include "desc/desc.h"

extern const CdDesc cd_wheel;

#endif
