// manual.c - the manual page of a class as plain text, from its table alone
#include <string.h>

#include "base/text.h"
#include "desc/type.h"

#define INDENT "    "

static void pad(CdText *out, size_t n) {
    for (size_t i = 0; i < n; i++) cdi_text_add(out, " ");
}

// "vec3 [m]", "list of real [N/m]", "function of t [s], value [N*m]"
static void type_words(CdText *out, const CdField *f) {
    if (f->list) cdi_text_add(out, "list of ");
    cdi_text_add(out, cdi_type(f->type)->name);
    if (cdi_type(f->type)->words) cdi_type(f->type)->words(out, f);
    if (!f->unit[0] || strcmp(f->unit, "1") == 0) return;
    cdi_text_add(out, " [");
    for (const char *c = f->unit; *c; c++) {
        if (*c != '$') cdi_text_addn(out, c, 1); // y and x of a function read well without the sign
    }
    cdi_text_add(out, "]");
}

static void entry(CdText *out, const CdField *f, size_t width) {
    cdi_text_add(out, INDENT);
    cdi_text_add(out, f->name);
    pad(out, width - strlen(f->name) + 2);
    type_words(out, f);
    if (f->count) cdi_text_addf(out, ", number of elements in %s", f->count);
    if (f->range[0]) cdi_text_addf(out, ", in %s", f->range);
    if (f->nonzero) cdi_text_add(out, ", not zero");
    if (f->def) {
        cdi_text_addf(out, ", default %s\n", f->def);
    } else {
        cdi_text_add(out, ", required\n");
    }
    cdi_text_add(out, INDENT);
    pad(out, width + 2);
    cdi_text_addf(out, "%s\n", f->doc);
}

void cdi_desc_manual(const CdDesc *desc, CdText *out) {
    size_t width = 0;
    for (int i = 0; i < desc->nfields; i++) {
        size_t n = strlen(desc->fields[i].name);
        if (n > width) width = n;
    }
    cdi_text_addf(out, "NAME\n" INDENT "%s - %s\n", desc->name, desc->doc);
    cdi_text_add(out, "\nFIELDS\n");
    for (int i = 0; i < desc->nfields; i++) entry(out, desc->fields + i, width);
    if (desc->example) cdi_text_addf(out, "\nEXAMPLE\n" INDENT "%s\n", desc->example);
}
