// open_file.c - a file that stays open: it grows at its end, or is read anywhere (POSIX)
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "base/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct CdOpenFile {
    CdContext *ctx;
    char *path;
    int fd;
    uint64_t size;
    bool ordinary; // it can be cut
    CdWrite *write;
    void *user;
};

static CdStatus fail(const CdOpenFile *f, const char *what) {
    return cdi_fail_errno(f->ctx, f->path, what);
}

static CdStatus make(CdContext *ctx, const char *path, CdOpenFile **file) {
    CdOpenFile *f = *file = cdi_alloc(ctx, sizeof *f);
    if (!f) return CD_NOMEM;
    *f = (CdOpenFile){.ctx = ctx, .fd = -1, .write = cdi_write_fd, .user = &f->fd};
    f->path = cdi_strdup(ctx, path);
    if (f->path) return CD_OK;
    cdi_free(ctx, f);
    *file = NULL;
    return CD_NOMEM;
}

static void dispose(CdOpenFile *f) {
    cdi_free(f->ctx, f->path);
    cdi_free(f->ctx, f);
}

CdStatus cdi_open_close(CdOpenFile *f) {
    if (!f) return CD_OK;
    CdStatus status = CD_OK;
    if (f->fd >= 0 && close(f->fd) != 0 && errno != EINTR) status = fail(f, "close");
    dispose(f);
    return status;
}

// two programs that append to one file leave nothing that can be read; where files cannot be locked
// nobody looks
static bool is_taken(int fd) {
    return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// ---- writing

static int truncate_at(const CdOpenFile *f, uint64_t size) {
    int code;
    do code = ftruncate(f->fd, (off_t)size);
    while (code != 0 && errno == EINTR);
    if (code == 0 && lseek(f->fd, (off_t)size, SEEK_SET) < 0) code = -1;
    return code;
}

CdStatus cdi_open_append(CdOpenFile *f, const void *bytes, size_t n) {
    if (cdi_write_all(f->write, f->user, bytes, n)) {
        f->size += n;
        return CD_OK;
    }
    const CdStatus status = fail(f, "write");
    // readers stop at a part of a chunk as well, so nothing is lost if this fails
    if (f->ordinary) (void)truncate_at(f, f->size);
    return status;
}

CdStatus cdi_open_cut(CdOpenFile *f, uint64_t size) {
    if (truncate_at(f, size) != 0) return fail(f, "shorten");
    f->size = size;
    return CD_OK;
}

CdStatus cdi_open_sync(CdOpenFile *f) {
    if (!f->ordinary) return CD_OK;
    int code;
    do code = fsync(f->fd);
    while (code != 0 && errno == EINTR);
    // some file systems cannot, which is no reason to end a run
    if (code == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) return CD_OK;
    return fail(f, "write to the disk");
}

void cdi_open_interpose(CdOpenFile *f, CdWrite *write, void *user) {
    f->write = write;
    f->user = user;
}

// ---- opening

// beside the path, then in its place
static CdStatus create_ordinary(CdOpenFile *f, const void *bytes, size_t n) {
    CdText name;
    cdi_text_init(&name, f->ctx);
    CdStatus status = cdi_create_beside(f->ctx, f->path, &name, &f->fd);
    if (status == CD_OK) {
        // its name is new, so it is ours
        (void)is_taken(f->fd);
        status = cdi_open_append(f, bytes, n);
        if (status == CD_OK && rename(name.v, f->path) != 0) status = fail(f, "create");
        if (status != CD_OK) (void)unlink(name.v);
    }
    cdi_text_free(&name);
    return status;
}

static CdStatus create_other(CdOpenFile *f, const void *bytes, size_t n) {
    f->fd = open(f->path, O_WRONLY | O_CLOEXEC);
    if (f->fd < 0) return fail(f, "open");
    return cdi_open_append(f, bytes, n);
}

CdStatus cdi_open_new(CdContext *ctx, const char *path, const void *bytes, size_t n,
                      CdOpenFile **file) {
    CD_TRY(make(ctx, path, file));
    CdOpenFile *f = *file;
    const CdTarget kind = cdi_target(path);
    f->ordinary = kind == CD_TARGET_FILE;
    CdStatus status = kind == CD_TARGET_REFUSED  ? fail(f, "write")
                      : kind == CD_TARGET_STREAM ? create_other(f, bytes, n)
                                                 : create_ordinary(f, bytes, n);
    if (status == CD_OK) return CD_OK;
    if (f->fd >= 0) close(f->fd);
    dispose(f);
    *file = NULL;
    return status;
}

static CdStatus open_ordinary(CdOpenFile *f, bool grow) {
    struct stat info;
    const CdPlace place = {.file = f->path};
    f->fd = open(f->path, (grow ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (f->fd < 0) return fail(f, "open");
    if (fstat(f->fd, &info) != 0) return fail(f, "look at");
    if (!S_ISREG(info.st_mode)) {
        return cdi_fail_at(f->ctx, CD_IO, &place, "is not an ordinary file");
    }
    if (grow && is_taken(f->fd)) {
        return cdi_fail_at(f->ctx, CD_IO, &place,
                           "another program is writing it; wait until it has ended");
    }
    f->size = (uint64_t)info.st_size;
    f->ordinary = true;
    if (grow && lseek(f->fd, 0, SEEK_END) < 0) return fail(f, "open");
    return CD_OK;
}

CdStatus cdi_open_old(CdContext *ctx, const char *path, bool grow, CdOpenFile **file) {
    CD_TRY(make(ctx, path, file));
    const CdStatus status = open_ordinary(*file, grow);
    if (status == CD_OK) return CD_OK;
    if ((*file)->fd >= 0) close((*file)->fd);
    dispose(*file);
    *file = NULL;
    return status;
}

uint64_t cdi_open_size(const CdOpenFile *f) {
    return f->size;
}

const char *cdi_open_path(const CdOpenFile *f) {
    return f->path;
}

CdStatus cdi_open_read(CdOpenFile *f, uint64_t offset, void *bytes, size_t n) {
    const CdPlace place = {.file = f->path};
    for (char *to = bytes; n > 0;) {
        const ssize_t got = pread(f->fd, to, n, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(f, "read");
        if (got == 0) {
            return cdi_fail_at(f->ctx, CD_IO, &place, "became shorter while it was read");
        }
        to += got;
        n -= (size_t)got;
        offset += (uint64_t)got;
    }
    return CD_OK;
}
