// type_int.c - field type INT: a whole number
#include <limits.h>
#include <math.h>

#include "base/number.h"
#include "desc/type.h"

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    double x;
    CD_TRY(cdi_read_quantity(r, f, json, &x));
    char text[CD_NUMBER_MAX];
    cdi_number_write(x, text);
    if (x != floor(x)) return cdi_reject(r, json, "must be a whole number, not %s", text);
    if (x < INT_MIN || x > INT_MAX) {
        return cdi_reject(r, json, "must be a whole number from %d to %d, not %s", INT_MIN, INT_MAX,
                          text);
    }
    *(int *)value = (int)x;
    return CD_OK;
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_json_integer(w, *(const int *)value);
}

static void schema(CdSchema *s, const CdField *f) {
    cdi_schema_number(s, "integer", f->range[0] ? f->range : "[-2147483648, 2147483647]");
}

static double real(const void *value) {
    return *(const int *)value;
}

const CdTypeClass cd_type_int = {
    .name = "int",
    .form = "a whole number",
    .size = sizeof(int),
    .number = true,
    .zeros = true,
    .read = read,
    .write = write,
    .schema = schema,
    .real = real,
};
