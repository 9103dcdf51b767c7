// descriptor.c - what files of every kind do with descriptors (POSIX)
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_MAX 100 // of files that are being written beside one target

CdStatus cdi_fail_errno(CdContext *ctx, const char *path, const char *what) {
    const int code = errno;
    const CdPlace place = {.file = path};
    return cdi_fail_at(ctx, CD_IO, &place, "cannot %s: %s", what, strerror(code));
}

long cdi_write_fd(void *fd, const void *bytes, size_t n) {
    return (long)write(*(const int *)fd, bytes, n);
}

bool cdi_write_all(CdWrite *write, void *user, const void *bytes, size_t n) {
    const char *from = bytes;
    while (n > 0) {
        const long put = write(user, from, n);
        if (put < 0 && errno == EINTR) continue;
        // a device that takes nothing would be asked for ever
        if (put == 0) errno = ENOSPC;
        if (put <= 0) return false;
        from += put;
        n -= (size_t)put;
    }
    return true;
}

CdTarget cdi_target(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) return errno == ENOENT ? CD_TARGET_FILE : CD_TARGET_REFUSED;
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return CD_TARGET_REFUSED;
    }
    if (access(path, W_OK) != 0) return CD_TARGET_REFUSED;
    return S_ISREG(info.st_mode) ? CD_TARGET_FILE : CD_TARGET_STREAM;
}

CdStatus cdi_create_beside(CdContext *ctx, const char *path, CdText *name, int *fd) {
    *fd = -1;
    for (int i = 0; i < NAMES_MAX; i++) {
        cdi_text_clear(name);
        cdi_text_addf(name, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        if (name->status != CD_OK) break;
        *fd = open(name->v, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*fd >= 0) return CD_OK;
        if (errno != EEXIST) break;
    }
    const CdStatus status = name->status == CD_OK ? cdi_fail_errno(ctx, path, "create")
                                                  : cdi_fail(ctx, CD_NOMEM, "out of memory");
    cdi_text_free(name);
    return status;
}
