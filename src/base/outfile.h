// outfile.h - a file that takes its name when it is complete, or leaves nothing behind
//
// It is written beside its target under another name. Standard output ("-"), devices and pipes are
// written as they are; a file that is read-only is refused (cdi_target). Failures are reported with
// the path.
#ifndef CARDAN_BASE_OUTFILE_H
#define CARDAN_BASE_OUTFILE_H

#include "base/context.h"

typedef struct CdOutFile CdOutFile;

CdStatus cdi_out_open(CdContext *ctx, const char *path, CdOutFile **out);
bool cdi_out_seeks(const CdOutFile *out); // can it be written out of order?
// at the end of what was added so far; may wait in a buffer
CdStatus cdi_out_add(CdOutFile *out, const void *data, size_t n);
// anywhere; what lies between is zero
CdStatus cdi_out_at(CdOutFile *out, uint64_t offset, const void *data, size_t n);
// reach the disk, then take the name of the target
CdStatus cdi_out_keep(CdOutFile *out);
void cdi_out_free(CdOutFile *out); // what was not kept is removed; NULL does nothing

#endif
