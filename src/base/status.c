// status.c - names and texts of the status codes, and how a message reads
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "cardan/base.h"

const char *cd_status_name(CdStatus status) {
    static const char *const names[CD_NSTATUS] = {
#define X(code, text) #code,
        CD_STATUS_LIST(X)
#undef X
    };
    return (unsigned)status < CD_NSTATUS ? names[status] : "UNKNOWN";
}

const char *cd_status_text(CdStatus status) {
    static const char *const texts[CD_NSTATUS] = {
#define X(code, text) text,
        CD_STATUS_LIST(X)
#undef X
    };
    return (unsigned)status < CD_NSTATUS ? texts[status] : "unknown status";
}

// text under construction in a buffer that may be too small
typedef struct Line {
    char *buf;
    size_t size, n;
} Line;

// append what fits, count all; control characters are shown, not sent to the terminal
static void put(Line *line, const char *s) {
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        char shown[8] = {*s};
        if (c == '\n') {
            snprintf(shown, sizeof shown, "\\n");
        } else if (c < ' ' || c == 0x7f) {
            snprintf(shown, sizeof shown, "\\x%02x", c);
        }
        for (const char *k = shown; *k; k++) {
            if (line->n + 1 < line->size) {
                line->buf[line->n] = *k;
                line->buf[line->n + 1] = '\0';
            }
            line->n++;
        }
    }
}

// a character that did not fit as a whole leaves
static void drop_half(char *buf) {
    size_t n = strlen(buf), at = 0, next;
    while (at < n && (next = cdi_utf8_size(buf + at, buf + n)) > 0) at += next;
    if (n - at < 4) buf[at] = '\0';
}

static void put_name(Line *line, const char *name) {
    char shown[CD_SHOWN_MAX];
    put(line, cdi_shown(name, shown));
}

size_t cd_message_format(const CdMessage *message, char *buf, size_t size) {
    const CdPlace *p = &message->place;
    Line line = {buf, size, 0};
    char number[48];
    if (size) buf[0] = '\0';
    if (p->file) {
        put(&line, p->file);
        if (p->line > 0) {
            snprintf(number, sizeof number, ":%d:%d", p->line, p->col);
            put(&line, number);
        }
        put(&line, ": ");
    }
    if (p->item_class) {
        put(&line, p->item_class);
        if (p->item_name) {
            put(&line, " '");
            put_name(&line, p->item_name);
            put(&line, "'");
        }
        put(&line, ": ");
    }
    if (p->field) {
        put(&line, "field '");
        put(&line, p->field);
        put(&line, "': ");
    }
    put(&line, message->text);
    if (size && line.n >= size) drop_half(buf);
    return line.n;
}
