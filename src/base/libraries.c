// libraries.c - libraries of others, from libraries.def, and what to say when one was left out
#include "base/libraries.h"

#include <stdio.h>
#include <string.h>

const CdLibrary cdi_libraries[] = {
#define LIBRARY(name, here, classes, purpose, packages) {name, here, classes, purpose, packages},
#include "base/libraries.def"
#undef LIBRARY
    {0}};

static bool has_word(const char *words, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, word, n) == 0) return true;
        at += length;
    }
    return false;
}

const char *cdi_left_out_of(const CdLibrary *libraries, const char *name,
                            char text[CDI_LEFT_OUT_MAX]) {
    text[0] = 0;
    for (const CdLibrary *l = libraries; l->name; l++) {
        if (l->here || !has_word(l->classes, name)) continue;
        snprintf(text, CDI_LEFT_OUT_MAX,
                 " in this build, which found no %s; install %s (Debian) and build anew", l->name,
                 l->packages);
    }
    return text;
}

const char *cdi_left_out(const char *name, char text[CDI_LEFT_OUT_MAX]) {
    return cdi_left_out_of(cdi_libraries, name, text);
}
