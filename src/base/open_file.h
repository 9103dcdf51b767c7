// open_file.h - a file that stays open: it grows at its end, or is read anywhere
//
// Offsets have 64 bits. Failures are reported with the path.
#ifndef CARDAN_BASE_OPEN_FILE_H
#define CARDAN_BASE_OPEN_FILE_H

#include "base/descriptor.h"

typedef struct CdOpenFile CdOpenFile;

// A new file that begins with these bytes: until all of them are there, the path stands for what it
// stood for before. A device or pipe of that name is written to as it is; a file that is read-only
// is refused (cdi_target).
CdStatus cdi_open_new(CdContext *ctx, const char *path, const void *bytes, size_t n,
                      CdOpenFile **file);
// an ordinary file, for reading; or for growing too
CdStatus cdi_open_old(CdContext *ctx, const char *path, bool grow, CdOpenFile **file);
CdStatus cdi_open_close(CdOpenFile *file); // NULL does nothing

uint64_t cdi_open_size(const CdOpenFile *file);
const char *cdi_open_path(const CdOpenFile *file);

// at the end, all of them: after a failure the file is cut to what it was before
CdStatus cdi_open_append(CdOpenFile *file, const void *bytes, size_t n);
CdStatus cdi_open_cut(CdOpenFile *file, uint64_t size);
CdStatus cdi_open_sync(CdOpenFile *file); // what was written is on the disk after it
// n bytes from an offset; fewer are a failure
CdStatus cdi_open_read(CdOpenFile *file, uint64_t offset, void *bytes, size_t n);

// what writes in place of the system (for tests)
void cdi_open_interpose(CdOpenFile *file, CdWrite *write, void *user);

#endif
