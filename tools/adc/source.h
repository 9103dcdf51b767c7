// source.h - source texts, places in them, and the messages that point there
#ifndef ADC_SOURCE_H
#define ADC_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "mem.h"

typedef struct Source {
    const char *path; // as the user wrote it
    const char *text; // zero at its end
    size_t n;
} Source;

typedef struct Place {
    const Source *source;
    size_t at; // offset in the text
} Place;

typedef struct Messages {
    Mem *mem;
    FILE *out;
    int nerror;
    Place last; // an error at the same place is told once
} Messages;

enum { MAX_ERRORS = 20 };

// file:line:col: error: what; what to write instead
// followed by the line and a caret
void message_error(Messages *m, Place place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool message_full(const Messages *m); // so many errors that there is no use in going on

Source *source_read(Mem *mem, const char *path); // NULL when it can not be read
int place_line(Place place);                     // counts from 1
int place_column(Place place);

#endif
