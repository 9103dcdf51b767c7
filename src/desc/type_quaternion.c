// type_quaternion.c - field type QUATERNION: a rotation [w, x, y, z], normalised when read
#include <float.h>
#include <math.h>

#include "base/number.h"
#include "desc/numbers.h"

// how far the norm may be from 1: above, it is a mistake; below, nothing is left to normalise, so
// that what was written reads back to the same bits
#define NORM_SLACK 1e-3
#define NORM_NOISE (4 * DBL_EPSILON)

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    double *q = value;
    CD_TRY(cdi_read_numbers(r, f, json, 4, q));
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(norm - 1) <= NORM_SLACK)) {
        char text[CD_NUMBER_MAX];
        cdi_number_write(norm, text);
        return cdi_reject(r, json,
                          "must have norm 1, not %s; the order is [w, x, y, z], no rotation is "
                          "[1, 0, 0, 0]",
                          text);
    }
    if (fabs(norm - 1) <= NORM_NOISE) return CD_OK;
    for (int i = 0; i < 4; i++) q[i] /= norm;
    return CD_OK;
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_write_numbers(w, value, 4);
}

static void schema(CdSchema *s, const CdField *f) {
    cdi_schema_numbers(s, f->range, 4);
}

const CdTypeClass cd_type_quaternion = {
    .name = "quaternion",
    .form = "a list of 4 numbers [w, x, y, z]",
    .size = 4 * sizeof(double),
    .number = true,
    .keeps_text = true,
    .read = read,
    .write = write,
    .schema = schema,
};
