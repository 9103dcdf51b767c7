// table.h - channels over time from anywhere: a log, a CSV file, a part of another table
//
// Rows are asked for in blocks, so what works on tables needs no more memory for longer ones. Time
// does not decrease from row to row.
#ifndef CARDAN_RESULTS_TABLE_H
#define CARDAN_RESULTS_TABLE_H

#include "base/arena.h"
#include "results/log.h"

typedef struct CdTable CdTable;

struct CdTable {
    CdContext *ctx;
    int n;
    const CdChannel *channels;
    uint64_t rows;
    // rows [first, first + n), each t and the channels
    CdStatus (*read)(CdTable *table, uint64_t first, uint64_t n, double *rows);
    void (*close)(CdTable *table); // gives back what `source` holds; NULL: nothing
    void *source;
    CdArena arena; // for what lives as long as the table
};

// a table without source, to be filled in by those who make one
CdStatus cdi_table_new(CdContext *ctx, CdTable **table);
void cdi_table_free(CdTable *table); // NULL does nothing

// a log or a CSV file, told apart by its first bytes; "-": CSV from standard input
CdStatus cdi_table_open(CdContext *ctx, const char *path, CdTable **table);
// of a log, which must live as long
CdStatus cdi_table_of_log(CdContext *ctx, CdLog *log, CdTable **table);
CdStatus cdi_table_of_csv(CdContext *ctx, const char *file, const char *text, size_t n,
                          CdTable **table);

// numbers of a block of rows that is handled at once, at least one row
#define CD_TABLE_BLOCK 262144
uint64_t cdi_table_block(const CdTable *table); // rows of such a block
double *cdi_table_room(const CdTable *table);   // for such a block, to be freed; NULL: no memory

// a part of a table
typedef struct CdSelection {
    const char *const *patterns; // of channels; none: all
    int npatterns;
    bool scene;      // keep what pictures need, too: channels "@..."
    double from, to; // time, both included
    int every;       // take one row and leave out every - 1; >= 1
} CdSelection;
#define CD_SELECT_ALL ((CdSelection){.from = -INFINITY, .to = INFINITY, .every = 1})

// The part takes over the table, also when this fails.
CdStatus cdi_table_select(CdTable *from, const CdSelection *selection, CdTable **part);

#endif
