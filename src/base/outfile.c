// outfile.c - a file that takes its name when it is complete, or leaves nothing behind (POSIX)
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"

#define BUFFER 65536

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
    return cdi_fail_errno(f->ctx, strcmp(f->path, "-") == 0 ? "<stdout>" : f->path, what);
}

static CdStatus open_target(CdOutFile *f) {
    if (strcmp(f->path, "-") == 0) {
        f->fd = STDOUT_FILENO;
        return CD_OK;
    }
    const CdTarget kind = cdi_target(f->path);
    if (kind == CD_TARGET_REFUSED) return failed(f, "write");
    if (kind == CD_TARGET_FILE) {
        f->seeks = true;
        return cdi_create_beside(f->ctx, f->path, &f->beside, &f->fd);
    }
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

static CdStatus write_all(CdOutFile *f, const void *data, size_t n) {
    return cdi_write_all(cdi_write_fd, &f->fd, data, n) ? CD_OK : failed(f, "write");
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

// a place in a file
typedef struct Place {
    int fd;
    uint64_t offset;
} Place;

static long write_at(void *user, const void *bytes, size_t n) {
    Place *at = user;
    const ssize_t put = pwrite(at->fd, bytes, n, (off_t)at->offset);
    if (put > 0) at->offset += (uint64_t)put;
    return (long)put;
}

CdStatus cdi_out_at(CdOutFile *f, uint64_t offset, const void *data, size_t n) {
    Place at = {f->fd, offset};
    if (offset > INT64_MAX - n) {
        errno = EFBIG;
        return failed(f, "write");
    }
    return cdi_write_all(write_at, &at, data, n) ? CD_OK : failed(f, "write");
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
