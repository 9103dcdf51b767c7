// export.h - tables into files of other programs; one file per format, one line in exports.def
//
// Rows are pulled in blocks and handed on, so memory does not grow with their number. Formats that
// keep a column in one piece know from the number of rows where every column lies and write the
// pieces of a block there, out of order. A file takes its name when it is complete.
#ifndef CARDAN_RESULTS_EXPORT_H
#define CARDAN_RESULTS_EXPORT_H

#include "base/outfile.h"
#include "base/text.h"
#include "results/table.h"

// longer names and units are surely no names
#define CD_EXPORT_NAME_MAX 4096
// in all columns together; offsets in files stay below 2^63
#define CD_EXPORT_NUMBERS_MAX ((uint64_t)1 << 58)

typedef struct CdExport {
    CdContext *ctx;
    const CdTable *table;
    CdOutFile *out;
    const char *path;
    CdArena arena; // for the format; given back at the end
    CdText bytes;  // under construction, for the format
    void *work;    // of the format
} CdExport;

typedef struct CdExportClass {
    const char *name;      // as the user calls it
    const char *extension; // ".csv"
    const char *doc;       // one line
    // before the first block; the number of rows is known
    CdStatus (*open)(CdExport *e);
    // rows [first, first + n), each t and the channels; this or `column`
    CdStatus (*rows)(CdExport *e, uint64_t first, uint64_t n, const double *rows);
    // the same rows of one column: 0 time, 1 the first channel. Needs a file that can be written
    // out of order.
    CdStatus (*column)(CdExport *e, int column, uint64_t first, uint64_t n, const double *values);
    CdStatus (*close)(CdExport *e); // after the last block; NULL: nothing to do
} CdExportClass;

extern const CdExportClass *const cd_exports[]; // NULL-terminated

// by name, or, without one (NULL), by the end of the path; reported if there is none
CdStatus cdi_export_class(CdContext *ctx, const char *name, const char *path,
                          const CdExportClass **cls);

// `cancelled` is asked between blocks; NULL: never
typedef bool CdExportCancelled(void *user);
CdStatus cdi_export(CdTable *table, const CdExportClass *cls, const char *path,
                    CdExportCancelled *cancelled, void *user);

// ---- for formats

// Names of all columns (time first) that a format allows: at most `max` bytes, other characters
// replaced by _, all different, none among the reserved words (NULL-terminated). From the arena.
typedef bool CdKeyLetter(char c, bool first);
CdStatus cdi_export_keys(CdExport *e, CdKeyLetter *allowed, size_t max, const char *const *reserved,
                         const char ***keys);
const char *cdi_export_name(const CdExport *e, int column); // "t" for 0
const char *cdi_export_unit(const CdExport *e, int column); // "s" for 0
// write the bytes under construction at a place and begin anew
CdStatus cdi_export_put(CdExport *e, uint64_t offset);

#endif
