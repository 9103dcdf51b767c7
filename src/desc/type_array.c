// type_array.c - field types with many numbers: VEC3, MAT3, QUATERNION, MATRIX
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "desc/numbers.h"
#include "desc/type.h"

static CdStatus read_vec3(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    double *v = value;
    CD_TRY(cdi_read_numbers(r, f, json, 3, v));
    if (f->nonzero && v[0] == 0 && v[1] == 0 && v[2] == 0) {
        return cdi_reject(r, json, "must not be zero; give a direction such as [0, 0, 1]");
    }
    return CD_OK;
}

static void write_vec3(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_write_numbers(w, value, 3);
}

static void schema_vec3(CdSchema *s, const CdField *f) {
    cdi_schema_numbers(s, f->range, 3);
}

const CdTypeClass cd_type_vec3 = {
    .name = "vec3",
    .form = "a list of 3 numbers [x, y, z]",
    .size = 3 * sizeof(double),
    .number = true,
    .read = read_vec3,
    .write = write_vec3,
    .schema = schema_vec3,
};

static CdStatus read_mat3(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    double *m = value;
    return cdi_read_rows(r, f, json, 3, 3, m);
}

static void write_mat3(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_write_rows(w, value, 3, 3);
}

static void schema_mat3(CdSchema *s, const CdField *f) {
    cdi_schema_rows(s, f->range, 3, 3);
}

const CdTypeClass cd_type_mat3 = {
    .name = "mat3",
    .form = "3 rows of 3 numbers [[...], [...], [...]]",
    .size = 9 * sizeof(double),
    .number = true,
    .read = read_mat3,
    .write = write_mat3,
    .schema = schema_mat3,
};

// how far the norm may be from 1 before it is a mistake rather than rounding in the input
#define NORM_SLACK 1e-3

static CdStatus read_quaternion(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    double *q = value;
    CD_TRY(cdi_read_numbers(r, f, json, 4, q));
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(norm - 1) <= NORM_SLACK)) {
        return cdi_reject(
            r, json,
            "must have norm 1, not %.6g; the order is [w, x, y, z], no rotation is [1, 0, 0, 0]",
            norm);
    }
    for (int i = 0; i < 4; i++) q[i] /= norm;
    return CD_OK;
}

static void write_quaternion(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_write_numbers(w, value, 4);
}

static void schema_quaternion(CdSchema *s, const CdField *f) {
    cdi_schema_numbers(s, f->range, 4);
}

const CdTypeClass cd_type_quaternion = {
    .name = "quaternion",
    .form = "a list of 4 numbers [w, x, y, z]",
    .size = 4 * sizeof(double),
    .number = true,
    .keeps_text = true,
    .read = read_quaternion,
    .write = write_quaternion,
    .schema = schema_quaternion,
};

static CdStatus read_matrix(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    CdMatrix *m = value;
    CD_TRY(cdi_matrix_size(r, f, json, m));
    m->v = cdi_alloc_array(r->ctx, (size_t)m->rows * (size_t)m->cols, sizeof(double));
    if (!m->v) return CD_NOMEM;
    CdStatus status = cdi_read_rows(r, f, json, m->rows, m->cols, m->v);
    if (status != CD_OK) cdi_matrix_clear(r->ctx, f, m);
    return status;
}

void cdi_matrix_write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    const CdMatrix *m = value;
    if (m->v) {
        cdi_write_rows(w, m->v, m->rows, m->cols);
    } else {
        cdi_json_null(w);
    }
}

void cdi_matrix_clear(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    CdMatrix *m = value;
    cdi_free(ctx, m->v);
    *m = (CdMatrix){0};
}

static void schema_matrix(CdSchema *s, const CdField *f) {
    cdi_schema_rows(s, f->range, f->rows, f->cols);
}

const CdTypeClass cd_type_matrix = {
    .name = "matrix",
    .form = "rows of numbers [[...], ...]",
    .size = sizeof(CdMatrix),
    .number = true,
    .read = read_matrix,
    .write = cdi_matrix_write,
    .clear = cdi_matrix_clear,
    .schema = schema_matrix,
};
