// csv_file.h - rows of numbers into a text file, as they come
//
//   # time in s; tip.x in m
//   t,tip.x
//   0,0.5
//
// Names that hold a separator stand in quotes. Behind the unit of reactions that are not unique
// stands "(not unique)".
#ifndef CARDAN_RESULTS_CSV_FILE_H
#define CARDAN_RESULTS_CSV_FILE_H

#include "system/channels.h"

#define CD_CSV_NOT_UNIQUE " (not unique)"

// the two lines at the top, and one row: what others write elsewhere
void cdi_csv_add_header(CdText *text, const CdChannel *channels, int n);
void cdi_csv_add_row(CdText *text, double t, const double *values, int n);

typedef struct CdCsvFile CdCsvFile;

// path "-": standard output. Failures are reported with the path.
CdStatus cdi_csv_file_open(CdContext *ctx, const char *path, const CdChannel *channels, int n,
                           CdCsvFile **file);
CdStatus cdi_csv_file_row(CdCsvFile *file, double t, const double *values);
// everything is on its way to the disk if this succeeds; NULL does nothing
CdStatus cdi_csv_file_close(CdCsvFile *file);

#endif
