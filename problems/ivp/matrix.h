// matrix.h - writing small full matrices, by columns, in callbacks
#ifndef CARDAN_PROBLEMS_MATRIX_H
#define CARDAN_PROBLEMS_MATRIX_H

// nothing if a is NULL
static inline void fill_diagonal(double *a, int n, double x) {
    if (!a) return;
    for (int i = 0; i < n * n; i++) a[i] = 0;
    for (int i = 0; i < n; i++) a[i + i * n] = x;
}

// a = -rows^T, from rows as they are written
static inline void fill_minus_rows(double *a, int n, const double *rows) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i + j * n] = -rows[i * n + j];
}

#endif
