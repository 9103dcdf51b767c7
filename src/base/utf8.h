// utf8.h - characters in texts that people see
#ifndef CARDAN_BASE_UTF8_H
#define CARDAN_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

size_t cdi_utf8_size(const char *p, const char *end); // bytes of the character at p, 0 if not valid
bool cdi_utf8_valid(const char *s);
size_t cdi_utf8_count(const char *s); // characters of a valid text
size_t cdi_utf8_cut(const char *s,
                    size_t n); // at most n bytes of s that end with a whole character

// a text of the user's in a message: at most 60 bytes of whole characters, then "..."; returns buf
#define CD_SHOWN_MAX 64
const char *cdi_shown(const char *s, char buf[CD_SHOWN_MAX]);

#endif
