// outfile.c - a file that takes its name when it is complete, or leaves nothing behind (POSIX)
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define BUFFER 65536
#define NAMES_MAX 100 // of files that are being written beside one target

struct CdOutFile {
    CdContext *ctx;
    char *path;
    CdText beside; // name until it is complete; empty: written in place
    int fd;
    bool seeks;
    size_t n; // bytes that wait
    char buffer[BUFFER];
};

static CdStatus failed(const CdOutFile *f, const char *what) {
    int code = errno;
    CdPlace place = {.file = strcmp(f->path, "-") == 0 ? "<stdout>" : f->path};
    return cdi_fail_at(f->ctx, CD_IO, &place, "cannot %s: %s", what, strerror(code));
}

// a new file beside the target; its name is free for us alone
static CdStatus open_beside(CdOutFile *f) {
    for (int i = 0; i < NAMES_MAX && f->fd < 0; i++) {
        cdi_text_clear(&f->beside);
        cdi_text_addf(&f->beside, "%s.%ld-%d.tmp", f->path, (long)getpid(), i);
        if (f->beside.status != CD_OK) return cdi_fail(f->ctx, CD_NOMEM, "out of memory");
        f->fd = open(f->beside.v, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (f->fd < 0 && errno != EEXIST) break;
    }
    if (f->fd >= 0) return CD_OK;
    cdi_text_free(&f->beside);
    return failed(f, "create");
}

static CdStatus open_target(CdOutFile *f) {
    struct stat info;
    if (strcmp(f->path, "-") == 0) {
        f->fd = STDOUT_FILENO;
        return CD_OK;
    }
    if (stat(f->path, &info) != 0 || S_ISREG(info.st_mode)) {
        f->seeks = true;
        return open_beside(f);
    }
    // devices and pipes would be replaced by a file
    f->fd = open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (f->fd < 0) return failed(f, "open");
    f->seeks = lseek(f->fd, 0, SEEK_CUR) >= 0;
    return CD_OK;
}

CdStatus cdi_out_open(CdContext *ctx, const char *path, CdOutFile **out) {
    CdOutFile *f = *out = cdi_alloc(ctx, sizeof *f);
    if (!f) return CD_NOMEM;
    f->ctx = ctx;
    f->fd = -1;
    cdi_text_init(&f->beside, ctx);
    f->path = cdi_strdup(ctx, path);
    const CdStatus status = f->path ? open_target(f) : CD_NOMEM;
    if (status != CD_OK) {
        cdi_out_free(f);
        *out = NULL;
    }
    return status;
}

bool cdi_out_seeks(const CdOutFile *f) {
    return f->seeks;
}

static CdStatus write_all(const CdOutFile *f, const char *data, size_t n) {
    while (n > 0) {
        ssize_t put = write(f->fd, data, n);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return failed(f, "write");
        data += put;
        n -= (size_t)put;
    }
    return CD_OK;
}

static CdStatus flush(CdOutFile *f) {
    const size_t n = f->n;
    f->n = 0;
    return write_all(f, f->buffer, n);
}

CdStatus cdi_out_add(CdOutFile *f, const void *data, size_t n) {
    if (n > BUFFER - f->n) CD_TRY(flush(f));
    if (n > BUFFER) return write_all(f, data, n);
    if (n > 0) memcpy(f->buffer + f->n, data, n);
    f->n += n;
    return CD_OK;
}

CdStatus cdi_out_at(CdOutFile *f, uint64_t offset, const void *data, size_t n) {
    const char *from = data;
    if (offset > INT64_MAX - n) {
        errno = EFBIG;
        return failed(f, "write");
    }
    while (n > 0) {
        ssize_t put = pwrite(f->fd, from, n, (off_t)offset);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return failed(f, "write");
        from += put;
        offset += (uint64_t)put;
        n -= (size_t)put;
    }
    return CD_OK;
}

CdStatus cdi_out_keep(CdOutFile *f) {
    CD_TRY(flush(f));
    if (!f->beside.v) return CD_OK;
    const bool synced = fsync(f->fd) == 0;
    const int fd = f->fd;
    f->fd = -1;
    if (close(fd) != 0 || !synced || rename(f->beside.v, f->path) != 0) return failed(f, "write");
    cdi_text_free(&f->beside);
    return CD_OK;
}

void cdi_out_free(CdOutFile *f) {
    if (!f) return;
    if (f->fd >= 0 && f->fd != STDOUT_FILENO) close(f->fd);
    if (f->beside.v) unlink(f->beside.v);
    cdi_text_free(&f->beside);
    cdi_free(f->ctx, f->path);
    cdi_free(f->ctx, f);
}
