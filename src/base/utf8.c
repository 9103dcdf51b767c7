// utf8.c - characters in texts that people see
#include "base/utf8.h"

#include <string.h>

size_t cdi_utf8_size(const char *text, const char *end) {
    const unsigned char *p = (const unsigned char *)text;
    size_t room = (size_t)(end - text);
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (n < 2) return n;
    if (p[0] > 0xf4 || n > room) return 0;

    // no overlong forms, no surrogates, nothing above U+10FFFF
    unsigned char lo = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char hi = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < lo || p[1] > hi) return 0;
    for (size_t i = 2; i < n; i++) {
        if (p[i] < 0x80 || p[i] > 0xbf) return 0;
    }
    return n;
}

bool cdi_utf8_valid(const char *s) {
    const char *end = s + strlen(s);
    while (s < end) {
        size_t n = cdi_utf8_size(s, end);
        if (n == 0) return false;
        s += n;
    }
    return true;
}

static bool continues(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

size_t cdi_utf8_count(const char *s) {
    size_t n = 0;
    for (; *s; s++) n += !continues(*s);
    return n;
}

size_t cdi_utf8_cut(const char *s, size_t n) {
    size_t len = strlen(s);
    if (len <= n) return len;
    while (n > 0 && continues(s[n])) n--;
    return n;
}

const char *cdi_shown(const char *s, char buf[CD_SHOWN_MAX]) {
    size_t n = cdi_utf8_cut(s, CD_SHOWN_MAX - 4);
    memcpy(buf, s, n);
    strcpy(buf + n, s[n] ? "..." : "");
    return buf;
}
