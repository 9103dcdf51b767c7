// status.c - names and texts of the status codes, and how a message reads
#include <stdio.h>
#include <string.h>

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

// append what fits, count all
static void put(char *buf, size_t size, size_t *n, const char *s) {
    size_t len = strlen(s);
    if (*n < size) {
        size_t room = size - 1 - *n;
        size_t take = len < room ? len : room;
        memcpy(buf + *n, s, take);
        buf[*n + take] = '\0';
    }
    *n += len;
}

size_t cd_message_format(const CdMessage *message, char *buf, size_t size) {
    const CdPlace *p = &message->place;
    char number[48];
    size_t n = 0;
    if (size) buf[0] = '\0';
    if (p->file) {
        put(buf, size, &n, p->file);
        if (p->line > 0) {
            snprintf(number, sizeof number, ":%d:%d", p->line, p->col);
            put(buf, size, &n, number);
        }
        put(buf, size, &n, ": ");
    }
    if (p->item_class) {
        put(buf, size, &n, p->item_class);
        if (p->item_name) {
            put(buf, size, &n, " '");
            put(buf, size, &n, p->item_name);
            put(buf, size, &n, "'");
        }
        put(buf, size, &n, ": ");
    }
    if (p->field) {
        put(buf, size, &n, "field '");
        put(buf, size, &n, p->field);
        put(buf, size, &n, "': ");
    }
    put(buf, size, &n, message->text);
    return n;
}
