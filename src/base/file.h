// file.h - whole files in and out
#ifndef CARDAN_BASE_FILE_H
#define CARDAN_BASE_FILE_H

#include "base/context.h"

bool cdi_file_exists(const char *path);           // something of that name
bool cdi_file_same(const char *a, const char *b); // two names of one ordinary file
// an ordinary file that begins with these (64 at most)
bool cdi_file_begins(const char *path, const void *bytes, size_t n);

// read a regular file or a pipe of at most limit bytes; "-" is standard input. *data is
// NUL-terminated and owned by the caller (cdi_free). Failures are reported with the path.
CdStatus cdi_file_read(CdContext *ctx, const char *path, size_t limit, char **data, size_t *n);

// the same for files that are named in the input of others: devices, pipes and "-" are refused
CdStatus cdi_file_read_ordinary(CdContext *ctx, const char *path, size_t limit, char **data,
                                size_t *n);

// replace a file: its name stands for the old content or for all of the new one, never for a part;
// "-" is standard output
CdStatus cdi_file_write(CdContext *ctx, const char *path, const char *data, size_t n);

// the name of a file without its ending: "models/crank.json" -> "crank", which has n letters
const char *cdi_path_stem(const char *path, size_t *n);

// path as seen from the folder of the file `from` (NULL: from here); absolute paths stay as they
// are
char *cdi_path_join(CdContext *ctx, const char *from,
                    const char *path); // caller frees; NULL: memory

#endif
