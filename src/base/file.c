// file.c - whole files in and out (POSIX)
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define CHUNK 65536

// the system's words for the last error
static CdStatus fail_errno(CdContext *ctx, const char *path, const char *what) {
    int code = errno;
    CdPlace place = {.file = path};
    return cdi_fail_at(ctx, CD_IO, &place, "cannot %s: %s", what, strerror(code));
}

static CdStatus read_all(CdContext *ctx, int fd, const char *path, size_t limit, CdText *text) {
    char chunk[CHUNK];
    CdPlace place = {.file = path};
    for (;;) {
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_errno(ctx, path, "read");
        if ((size_t)got > limit - text->n) {
            return cdi_fail_at(ctx, CD_LIMIT, &place, "larger than the limit of %zu bytes", limit);
        }
        cdi_text_addn(text, chunk, (size_t)got);
        if (text->status != CD_OK) return cdi_fail_at(ctx, CD_NOMEM, &place, "out of memory");
        if (got == 0) return CD_OK;
    }
}

CdStatus cdi_file_read(CdContext *ctx, const char *path, size_t limit, char **data, size_t *n) {
    bool standard_input = strcmp(path, "-") == 0;
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_errno(ctx, path, "open");

    struct stat info;
    CdStatus status = CD_OK;
    CdText text;
    cdi_text_init(&text, ctx);
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        CdPlace place = {.file = path};
        status = cdi_fail_at(ctx, CD_IO, &place, "is a folder, not a file");
    } else {
        status = read_all(ctx, fd, standard_input ? "<stdin>" : path, limit, &text);
    }
    if (!standard_input) close(fd);
    if (status != CD_OK) {
        cdi_text_free(&text);
        return status;
    }
    *data = text.v;
    *n = text.n;
    return CD_OK;
}

bool cdi_file_is_regular(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool write_all(int fd, const char *data, size_t n) {
    while (n > 0) {
        ssize_t put = write(fd, data, n);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return false;
        data += put;
        n -= (size_t)put;
    }
    return true;
}

CdStatus cdi_file_write(CdContext *ctx, const char *path, const char *data, size_t n) {
    CdText temporary;
    cdi_text_init(&temporary, ctx);
    cdi_text_addf(&temporary, "%s.%ld.tmp", path, (long)getpid());
    if (temporary.status != CD_OK) return cdi_fail(ctx, CD_NOMEM, "out of memory");

    // write beside the target, reach the disk, then take its name
    CdStatus status = CD_OK;
    int fd = open(temporary.v, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        status = fail_errno(ctx, path, "create");
    } else {
        bool ok = write_all(fd, data, n) && fsync(fd) == 0;
        ok = close(fd) == 0 && ok;
        if (!ok || rename(temporary.v, path) != 0) {
            status = fail_errno(ctx, path, "write");
            unlink(temporary.v);
        }
    }
    cdi_text_free(&temporary);
    return status;
}

char *cdi_path_join(CdContext *ctx, const char *from, const char *path) {
    const char *slash = from && path[0] != '/' ? strrchr(from, '/') : NULL;
    CdText text;
    cdi_text_init(&text, ctx);
    if (slash) cdi_text_addn(&text, from, (size_t)(slash - from) + 1);
    if (!slash && strcmp(path, "-") == 0) cdi_text_add(&text, "./");
    cdi_text_add(&text, path);
    if (text.status != CD_OK) cdi_text_free(&text);
    return text.v;
}
