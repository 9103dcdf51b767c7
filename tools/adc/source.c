// source.c - source texts, places in them, and the messages that point there
#include "source.h"

#include <stdarg.h>
#include <string.h>

enum { MAX_SHOWN = 200 }; // characters of a source line that a message shows

Source *source_read(Mem *mem, const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    size_t n = 0, cap = 1 << 16;
    char *text = mem_new(mem, cap);
    for (size_t got; (got = fread(text + n, 1, cap - 1 - n, f)) > 0;) {
        n += got;
        if (n == cap - 1) {
            text = mem_grow(mem, text, n, 2 * cap);
            cap *= 2;
        }
    }
    const bool failed = ferror(f) != 0;
    fclose(f);
    if (failed) return NULL;
    text[n] = 0;
    Source *s = mem_new(mem, sizeof *s);
    *s = (Source){.path = mem_copy(mem, path, strlen(path)), .text = text, .n = n};
    return s;
}

static size_t line_start(Place p) {
    size_t at = p.at;
    while (at > 0 && p.source->text[at - 1] != '\n') at--;
    return at;
}

int place_line(Place p) {
    int line = 1;
    for (size_t i = 0; i < p.at; i++) line += p.source->text[i] == '\n';
    return line;
}

int place_column(Place p) {
    return (int)(p.at - line_start(p)) + 1;
}

static void show_line(FILE *out, Place p) {
    const size_t start = line_start(p), column = p.at - start;
    if (column >= MAX_SHOWN) return;
    fputs("    ", out);
    for (size_t i = start; i < p.source->n && i < start + MAX_SHOWN; i++) {
        const char c = p.source->text[i];
        if (c == '\n' || c == '\r') break;
        fputc((unsigned char)c < ' ' ? ' ' : c, out);
    }
    fprintf(out, "\n    %*s^\n", (int)column, "");
}

void message_error(Messages *m, Place place, const char *fmt, ...) {
    const bool again = m->nerror && m->last.source == place.source && m->last.at == place.at;
    m->last = place;
    if (again || m->nerror >= MAX_ERRORS) return;
    m->nerror++;
    fprintf(m->out, "%s:%d:%d: error: ", place.source->path, place_line(place),
            place_column(place));
    va_list args;
    va_start(args, fmt);
    vfprintf(m->out, fmt, args);
    va_end(args);
    fputc('\n', m->out);
    show_line(m->out, place);
}

bool message_full(const Messages *m) {
    return m->nerror >= MAX_ERRORS;
}
