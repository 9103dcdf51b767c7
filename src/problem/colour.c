// colour.c - columns of a pattern in groups that share no row
//
// Greedy: every column in turn joins the first group in which no column shares a row with it. A
// band of width w gives w groups, and no pattern needs fewer than its fullest row has entries.
// Curtis, Powell & Reid, J. Inst. Maths Applics 13 (1974) 117.
#include "problem/work.h"

// columns of each group behind each other, ascending
static CdStatus sort_groups(CdArena *arena, int cols, const int *group, CdiColouring *out) {
    int *start = CD_TAKE(arena, int, (size_t)out->n + 1);
    int *column = CD_TAKE(arena, int, (size_t)cols);
    if (!start || !column) return CD_NOMEM;
    for (int j = 0; j < cols; j++) start[group[j] + 1]++;
    for (int c = 0; c < out->n; c++) start[c + 1] += start[c];
    for (int j = 0; j < cols; j++) column[start[group[j]]++] = j;
    // every start has moved to the next one
    for (int c = out->n; c > 0; c--) start[c] = start[c - 1];
    start[0] = 0;
    out->start = start;
    out->column = column;
    return CD_OK;
}

static bool is_full(const CdPattern *p) {
    return (int64_t)p->rows * p->cols == p->nnz;
}

// taken[c] = j: group c holds a column that shares a row with column j
static int first_free(const CdPattern *p, const CdPattern *t, const int *group, int j, int *taken) {
    for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
        const int i = p->row[k];
        for (int e = t->ptr[i]; e < t->ptr[i + 1] && t->row[e] < j; e++) {
            taken[group[t->row[e]]] = j;
        }
    }
    int c = 0;
    while (taken[c] == j) c++;
    return c;
}

static CdStatus find_groups(CdContext *ctx, CdArena *scratch, const CdPattern *p, int *group,
                            int *n) {
    *n = 0;
    if (is_full(p)) {
        for (int j = 0; j < p->cols; j++) group[j] = j;
        *n = p->rows > 0 ? p->cols : 0;
        if (p->rows > 0) return CD_OK;
    }
    CdPattern *t;
    int *taken = CD_TAKE(scratch, int, (size_t)p->cols + 1);
    if (!taken) return CD_NOMEM;
    CD_TRY(cdi_pattern_transpose(ctx, p, NULL, &t));
    for (int c = 0; c <= p->cols; c++) taken[c] = -1;
    for (int j = 0; j < p->cols; j++) {
        group[j] = first_free(p, t, group, j, taken);
        if (group[j] >= *n) *n = group[j] + 1;
    }
    cdi_pattern_free(t);
    return CD_OK;
}

CdStatus cdi_colour(CdContext *ctx, CdArena *arena, const CdPattern *p, CdiColouring *out) {
    CdArena scratch;
    cdi_arena_init(&scratch, ctx, 0);
    int *group = CD_TAKE(&scratch, int, (size_t)p->cols);
    CdStatus status = group ? find_groups(ctx, &scratch, p, group, &out->n) : CD_NOMEM;
    if (status == CD_OK) status = sort_groups(arena, p->cols, group, out);
    cdi_arena_clear(&scratch);
    return status;
}

CdStatus cdi_colour_constraints(CdiProblem *p) {
    CdiColouring *out = &p->work->jcolours;
    return out->start ? CD_OK : cdi_colour(p->ctx, &p->arena, p->jpattern, out);
}
