// export_csv.c - results as text: one line per row (csv_file.h tells the form)
#include "results/csv_file.h"
#include "results/export.h"

static CdStatus add_text(CdExport *e) {
    CD_TRY(e->bytes.status);
    const CdStatus status = cdi_out_add(e->out, e->bytes.v, e->bytes.n);
    cdi_text_clear(&e->bytes);
    return status;
}

static CdStatus open(CdExport *e) {
    cdi_csv_add_header(&e->bytes, e->table->channels, e->table->n);
    return add_text(e);
}

static CdStatus rows(CdExport *e, uint64_t first, uint64_t n, const double *x) {
    (void)first;
    for (uint64_t i = 0; i < n; i++, x += e->table->n + 1) {
        cdi_csv_add_row(&e->bytes, x[0], x + 1, e->table->n);
        CD_TRY(add_text(e));
    }
    return CD_OK;
}

const CdExportClass cd_export_csv = {
    .name = "csv",
    .extension = ".csv",
    .doc = "text, one line per sample; numbers read back as the same bits",
    .open = open,
    .rows = rows,
};
