// file.c - whole files in and out (POSIX)
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/outfile.h"

#define CHUNK 65536
#define BEGIN_MAX 64 // of what tells kinds of files apart

bool cdi_file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

bool cdi_file_same(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

bool cdi_file_begins(const char *path, const void *bytes, size_t n) {
    struct stat info;
    char begin[BEGIN_MAX];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return false;
    const bool same = n <= sizeof begin && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                      read(fd, begin, n) == (ssize_t)n && memcmp(begin, bytes, n) == 0;
    close(fd);
    return same;
}

static CdStatus read_all(CdContext *ctx, int fd, const char *path, size_t limit, CdText *text) {
    char chunk[CHUNK];
    CdPlace place = {.file = path};
    for (;;) {
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return cdi_fail_errno(ctx, path, "read");
        if ((size_t)got > limit - text->n) {
            return cdi_fail_at(ctx, CD_LIMIT, &place, "larger than the limit of %zu bytes", limit);
        }
        cdi_text_addn(text, chunk, (size_t)got);
        if (text->status != CD_OK) return cdi_fail_at(ctx, CD_NOMEM, &place, "out of memory");
        if (got == 0) return CD_OK;
    }
}

// an ordinary file ends and waits for nobody; asking before opening would leave time to exchange it
static CdStatus check_kind(CdContext *ctx, int fd, const char *path, bool ordinary) {
    struct stat info;
    CdPlace place = {.file = path};
    if (fstat(fd, &info) != 0) return cdi_fail_errno(ctx, path, "look at");
    if (S_ISDIR(info.st_mode)) {
        return cdi_fail_at(ctx, CD_IO, &place, "is a folder, not a file");
    }
    if (ordinary && !S_ISREG(info.st_mode)) {
        return cdi_fail_at(ctx, CD_IO, &place, "is not an ordinary file");
    }
    return CD_OK;
}

static CdStatus read_fd(CdContext *ctx, int fd, const char *path, bool ordinary, size_t limit,
                        char **data, size_t *n) {
    CD_TRY(check_kind(ctx, fd, path, ordinary));
    CdText text;
    cdi_text_init(&text, ctx);
    CdStatus status = read_all(ctx, fd, path, limit, &text);
    if (status != CD_OK) {
        cdi_text_free(&text);
        return status;
    }
    *data = text.v;
    *n = text.n;
    return CD_OK;
}

CdStatus cdi_file_read(CdContext *ctx, const char *path, size_t limit, char **data, size_t *n) {
    if (strcmp(path, "-") == 0) {
        return read_fd(ctx, STDIN_FILENO, "<stdin>", false, limit, data, n);
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return cdi_fail_errno(ctx, path, "open");
    CdStatus status = read_fd(ctx, fd, path, false, limit, data, n);
    close(fd);
    return status;
}

CdStatus cdi_file_read_ordinary(CdContext *ctx, const char *path, size_t limit, char **data,
                                size_t *n) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return cdi_fail_errno(ctx, path, "open");
    CdStatus status = read_fd(ctx, fd, path, true, limit, data, n);
    close(fd);
    return status;
}

CdStatus cdi_file_write(CdContext *ctx, const char *path, const char *data, size_t n) {
    CdOutFile *out;
    CD_TRY(cdi_out_open(ctx, path, &out));
    CdStatus status = cdi_out_add(out, data, n);
    if (status == CD_OK) status = cdi_out_keep(out);
    cdi_out_free(out);
    return status;
}

const char *cdi_path_stem(const char *path, size_t *n) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    *n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return name;
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
