// file.h - whole files in and out
#ifndef CARDAN_BASE_FILE_H
#define CARDAN_BASE_FILE_H

#include "base/context.h"

// read a regular file or a pipe of at most limit bytes; "-" is standard input. *data is
// NUL-terminated and owned by the caller (cdi_free). Failures are reported with the path.
CdStatus cdi_file_read(CdContext *ctx, const char *path, size_t limit, char **data, size_t *n);

// an ordinary file, so that reading it ends and waits for nobody?
bool cdi_file_is_regular(const char *path);

// replace a file: the new content is complete under its name or not there at all
CdStatus cdi_file_write(CdContext *ctx, const char *path, const char *data, size_t n);

// path as seen from the folder of the file `from` (NULL: from here); absolute paths stay as they
// are
char *cdi_path_join(CdContext *ctx, const char *from,
                    const char *path); // caller frees; NULL: memory

#endif
