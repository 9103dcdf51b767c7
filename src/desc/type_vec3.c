// type_vec3.c - field type VEC3: three numbers [x, y, z]
#include <float.h>

#include "desc/numbers.h"
#include "math/vec3.h"

// directions are normalised later; shorter ones have no direction in double precision
static bool is_zero(const double v[3]) {
    return !(norm3(v) > DBL_MIN);
}

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    double *v = value;
    CD_TRY(cdi_read_numbers(r, f, json, 3, v));
    if (!f->nonzero || !is_zero(v)) return CD_OK;
    return cdi_reject(r, json, "must not be zero; give a direction such as [0, 0, 1]");
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_write_numbers(w, value, 3);
}

static void schema(CdSchema *s, const CdField *f) {
    cdi_schema_numbers(s, f->range, 3);
    if (!f->nonzero) return;
    cdi_json_key(s->w, "not");
    cdi_json_begin_object(s->w);
    cdi_json_key(s->w, "const");
    cdi_write_numbers(s->w, (double[]){0, 0, 0}, 3);
    cdi_json_end_object(s->w);
}

const CdTypeClass cd_type_vec3 = {
    .name = "vec3",
    .form = "a list of 3 numbers [x, y, z]",
    .size = 3 * sizeof(double),
    .number = true,
    .zeros = true,
    .read = read,
    .write = write,
    .schema = schema,
};
