// descriptor.h - what files of every kind do with descriptors
#ifndef CARDAN_BASE_DESCRIPTOR_H
#define CARDAN_BASE_DESCRIPTOR_H

#include "base/text.h"

// report what the system said last: "PATH: cannot WHAT: No space left on device"
CdStatus cdi_fail_errno(CdContext *ctx, const char *path, const char *what);

// the number of bytes taken, or -1 and errno
typedef long CdWrite(void *user, const void *bytes, size_t n);
long cdi_write_fd(void *fd, const void *bytes, size_t n); // user is the address of a descriptor
// all of them; false: errno tells why not
bool cdi_write_all(CdWrite *write, void *user, const void *bytes, size_t n);

// what a path stands for that is to be written. A file that is read-only is not replaced: its owner
// wants to keep it.
typedef enum CdTarget {
    CD_TARGET_REFUSED, // errno tells why
    CD_TARGET_FILE,    // an ordinary file, or nothing yet
    CD_TARGET_STREAM,  // a device or pipe, which a file must not take the place of
} CdTarget;
CdTarget cdi_target(const char *path);

// A new file beside a path, for reading and writing, under a name that is free for us alone. A
// failure is reported, and the name is then empty.
CdStatus cdi_create_beside(CdContext *ctx, const char *path, CdText *name, int *fd);

#endif
