// run_output.c - where the samples of a run go
#include "run_output.h"

#include <ctype.h>
#include <string.h>

CdStatus cli_output_begin(RunOutput *o, const CdChannels *channels) {
    if (!o->path) return CD_OK;
    return cdi_csv_file_open(o->cli->ctx, o->path, channels->v, channels->n, &o->csv);
}

CdStatus cli_output_row(RunOutput *o, double t, const double *values) {
    return o->csv ? cdi_csv_file_row(o->csv, t, values) : CD_OK;
}

CdStatus cli_output_close(RunOutput *o) {
    return cdi_csv_file_close(o->csv);
}

void cli_output_path(const char *path, const char *run, CdText *out) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    const size_t n = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    cdi_text_addn(out, path, n);
    cdi_text_add(out, "-");
    for (const char *c = run; *c; c++) {
        const bool plain = isalnum((unsigned char)*c) || (unsigned char)*c > 0x7f ||
                           (*c == '.' && c > run) || *c == '-';
        cdi_text_addn(out, plain ? c : "_", 1);
    }
    cdi_text_add(out, path + n);
}
