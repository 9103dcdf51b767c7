// function_table.c - y through points (x_i, y_i): straight lines, or a natural cubic spline
//
// Spline: with h = x_{i+1} - x_i, a = (x_{i+1} - x)/h, b = (x - x_i)/h and second derivatives m_i
//   y = a y_i + b y_{i+1} + ((a^3 - a) m_i + (b^3 - b) m_{i+1}) h^2/6
// The m_i follow from the continuity of y' and m_0 = m_n = 0, a tridiagonal system (de Boor, A
// Practical Guide to Splines, ch. IV). Beyond the ends the function goes on straight, or holds its
// last value.

#include <math.h>

#include "base/number.h"
#include "desc/function.h"
#include "desc/reader.h"

enum { LINEAR, SPLINE };
enum { HOLD, EXTEND };
static const char *const interpolations[] = {"linear", "spline", NULL};
static const char *const beyonds[] = {"hold", "extend", NULL};

typedef struct Table {
    CdMatrix points;
    int interpolation, beyond;
    double *m; // second derivatives at the points; NULL: straight lines
} Table;

static double point_x(const Table *p, int i) {
    return p->points.v[2 * i];
}
static double point_y(const Table *p, int i) {
    return p->points.v[2 * i + 1];
}

// index of the interval that holds x, by bisection
static int locate(const Table *p, double x) {
    int lo = 0, hi = p->points.rows - 1;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (point_x(p, mid) <= x) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static void eval_inside(const Table *p, double x, double y[3]) {
    int i = locate(p, x);
    double h = point_x(p, i + 1) - point_x(p, i);
    double a = (point_x(p, i + 1) - x) / h, b = (x - point_x(p, i)) / h;
    double slope = (point_y(p, i + 1) - point_y(p, i)) / h;
    y[0] = a * point_y(p, i) + b * point_y(p, i + 1);
    y[1] = slope;
    y[2] = 0;
    if (!p->m) return;
    double m0 = p->m[i], m1 = p->m[i + 1];
    y[0] += ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6;
    y[1] += ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1) * h / 6;
    y[2] = a * m0 + b * m1;
}

static void eval(const void *data, double x, double y[3]) {
    const Table *p = data;
    double first = point_x(p, 0), last = point_x(p, p->points.rows - 1);
    if (x >= first && x <= last) {
        eval_inside(p, x, y);
        return;
    }
    double end = x < first ? first : last; // NaN takes the last point and stays NaN below
    eval_inside(p, end, y);
    y[2] = 0;
    if (p->beyond == HOLD) {
        y[0] += 0 * (x - end);
        y[1] = 0;
    } else {
        y[0] += y[1] * (x - end);
    }
}

// tridiagonal system for the second derivatives, solved by elimination
static void fit_spline(Table *p, double *work) {
    int n = p->points.rows;
    double *m = p->m, *upper = work;
    for (int i = 1; i < n - 1; i++) {
        double h0 = point_x(p, i) - point_x(p, i - 1), h1 = point_x(p, i + 1) - point_x(p, i);
        double s0 = (point_y(p, i) - point_y(p, i - 1)) / h0;
        double s1 = (point_y(p, i + 1) - point_y(p, i)) / h1;
        double pivot = 2 * (h0 + h1) - h0 * upper[i - 1];
        upper[i] = h1 / pivot;
        m[i] = (6 * (s1 - s0) - h0 * m[i - 1]) / pivot;
    }
    for (int i = n - 2; i > 0; i--) m[i] -= upper[i] * m[i + 1];
}

static CdStatus check_points(CdReader *r, const Table *p) {
    if (p->points.rows < 2) {
        return cdi_reject_field(r, "points", "must have at least 2 rows [x, y], not %d",
                                p->points.rows);
    }
    for (int i = 1; i < p->points.rows; i++) {
        if (point_x(p, i) > point_x(p, i - 1)) continue;
        char now[CD_NUMBER_MAX], before[CD_NUMBER_MAX];
        cdi_number_write(point_x(p, i), now);
        cdi_number_write(point_x(p, i - 1), before);
        return cdi_reject_field(r, "points",
                                "the first column must rise, but row %d has %s after %s", i + 1,
                                now, before);
    }
    return CD_OK;
}

// every interval must have a width, a slope and a curvature that are numbers
static CdStatus check_shape(CdReader *r, const Table *p) {
    for (int i = 0; i + 1 < p->points.rows; i++) {
        double h = point_x(p, i + 1) - point_x(p, i);
        double slope = (point_y(p, i + 1) - point_y(p, i)) / h;
        double bend = p->m ? (fabs(p->m[i]) + fabs(p->m[i + 1])) * h * h : 0;
        if (isfinite(h) && isfinite(slope) && isfinite(bend)) continue;
        return cdi_reject_field(r, "points", "rows %d and %d lie too far apart or too close", i + 1,
                                i + 2);
    }
    return CD_OK;
}

static CdStatus finish(CdReader *r, void *data) {
    Table *p = data;
    CD_TRY(check_points(r, p));
    CD_TRY(check_shape(r, p));
    if (p->interpolation == LINEAR) return CD_OK;
    size_t n = (size_t)p->points.rows;
    double *work = cdi_alloc_array(r->ctx, n, sizeof *work);
    p->m = cdi_alloc_array(r->ctx, n, sizeof *p->m);
    if (work && p->m) fit_spline(p, work);
    cdi_free(r->ctx, work);
    return work && p->m ? check_shape(r, p) : CD_NOMEM;
}

static void release(CdContext *ctx, void *data) {
    Table *p = data;
    cdi_free(ctx, p->m);
    p->m = NULL;
}

#define FIELD(...) CD_FIELD(Table, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(points, TABLE, "", NULL, "", "rows [x, y] in SI units, x rising", .cols = 2),
    FIELD(interpolation, ENUM, "", "\"spline\"", "", "between the points", .names = interpolations),
    FIELD(beyond, ENUM, "", "\"hold\"", "", "outside of the points: last value, or straight on",
          .names = beyonds),
};

const CdFunctionClass cd_function_table = {
    .desc = {.name = "Table",
             .doc = "Through given points, as straight lines or a natural cubic spline",
             .size = sizeof(Table),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Table\", \"points\": [[0, 0], [1, 2], [3, 2.5]]}",
             .finish = finish,
             .release = release},
    .eval = eval,
};
