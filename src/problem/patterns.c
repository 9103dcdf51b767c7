// patterns.c - where the matrices of a problem have entries
//
// The pattern of the derivatives is what the user gave, with the entries of B and of the identity
// matrices that stand for M and B. It is built with the first operator, as explicit methods can do
// without, and a full one is large.
#include <limits.h>

#include "linalg/pattern_sort.h"
#include "problem/work.h"

// ---- places in larger matrices

// entries of a column that are added together
#define PIECE 64

// rows list[0 ... n - 1], moved down by `row`, in column j
static void place_column(CdPatternBuilder *b, int n, const int *list, int row, int j) {
    int rows[PIECE];
    for (int k = 0, m; k < n; k += m) {
        m = n - k < PIECE ? n - k : PIECE;
        for (int i = 0; i < m; i++) rows[i] = row + list[k + i];
        cdi_pattern_add_block(b, m, rows, 1, &j);
    }
}

void cdi_pattern_place(CdPatternBuilder *b, const CdPattern *a, int row) {
    for (int j = 0; j < a->cols; j++) {
        place_column(b, a->ptr[j + 1] - a->ptr[j], a->row + a->ptr[j], row, j);
    }
}

CdStatus cdi_groups(const CdiProblem *p, CdArena *arena, int nd, int nc, const int **out) {
    *out = NULL;
    if (!p->user.v_groups) return CD_OK;
    int *group = CD_TAKE(arena, int, (size_t)nd + (size_t)nc);
    if (!group) return CD_NOMEM;
    for (int i = 0; i < nd; i++) group[i] = i < p->nv ? p->user.v_groups[i] : i;
    for (int i = 0; i < nc; i++) group[nd + i] = nd + p->user.constraint_groups[i];
    *out = group;
    return CD_OK;
}

static int slot_of(const CdPattern *in, const int *map, int i, int j, int *off) {
    const int slot = cdi_pattern_slot_like(in, i, j, off);
    return map ? map[slot] : slot;
}

int *cdi_slots_take(CdArena *arena, const CdPattern *in, const int *map, const CdPattern *a,
                    int row, int col, bool transposed) {
    int *slot = CD_TAKE(arena, int, (size_t)a->nnz);
    for (int c = 0, off = 0; slot && c < a->cols; c++) {
        for (int k = a->ptr[c]; k < a->ptr[c + 1]; k++) {
            const int i = row + a->row[k], j = col + c;
            slot[k] = transposed ? slot_of(in, map, j, i, &off) : slot_of(in, map, i, j, &off);
        }
    }
    return slot;
}

int *cdi_slots_diagonal(CdArena *arena, const CdPattern *in, const int *map, int from, int n) {
    int *slot = CD_TAKE(arena, int, (size_t)n);
    for (int i = 0, off = 0; slot && i < n; i++) {
        slot[i] = slot_of(in, map, from + i, from + i, &off);
    }
    return slot;
}

// ---- the patterns of a problem

// the user's rows, or every entry
static void add_sparsity(CdPatternBuilder *b, const CdSparsity *s, int rows, int cols, int from,
                         const int *numbers) {
    if (!s->ptr) {
        cdi_pattern_add_block(b, rows, numbers + from, cols, numbers + from);
        return;
    }
    for (int j = 0; j < cols; j++) {
        place_column(b, s->ptr[j + 1] - s->ptr[j], s->row + s->ptr[j], from, from + j);
    }
}

// the first `rows` rows and `cols` columns of the user's, whose rows ascend
static CdStatus copy_sparsity(CdiProblem *p, const CdSparsity *s, int rows, int cols,
                              CdPattern **out) {
    int *ptr, *row, nnz = 0;
    for (int j = 0; j < cols; j++) {
        for (int k = s->ptr[j]; k < s->ptr[j + 1] && s->row[k] < rows; k++) nnz++;
    }
    CD_TRY(cdi_pattern_alloc(p->ctx, rows, cols, nnz, out, &ptr, &row));
    for (int j = 0, n = 0; j < cols; j++) {
        for (int k = s->ptr[j]; k < s->ptr[j + 1] && s->row[k] < rows; k++) row[n++] = s->row[k];
        ptr[j + 1] = n;
    }
    return CD_OK;
}

static CdStatus pattern_of(CdiProblem *p, const CdSparsity *s, int rows, int cols,
                           const int *numbers, CdPattern **out) {
    CdPatternBuilder b;
    if (s->ptr) return copy_sparsity(p, s, rows, cols, out);
    cdi_pattern_begin(&b, p->ctx, rows, cols, false);
    add_sparsity(&b, s, rows, cols, 0, numbers);
    return cdi_pattern_end(&b, out);
}

static void add_diagonals(CdPatternBuilder *b, int from, int n) {
    for (int i = from; i < from + n; i++) cdi_pattern_add(b, i, i);
}

static CdStatus build_pattern(CdiProblem *p, const int *numbers) {
    const CdProblem *u = &p->user;
    CdPatternBuilder b;
    if (u->sparsity.ptr && u->mass && (p->ny == 0 || p->kind == CD_KIND_IMPLICIT)) {
        return copy_sparsity(p, &u->sparsity, p->nd, p->nd, &p->pattern);
    }
    cdi_pattern_begin(&b, p->ctx, p->nd, p->nd, false);
    add_sparsity(&b, &u->sparsity, p->nd, p->nd, 0, numbers);
    if (!u->mass) add_diagonals(&b, 0, p->nv);
    if (p->kind != CD_KIND_IMPLICIT && u->sparsity.ptr) {
        if (u->leading) {
            add_sparsity(&b, &u->leading_sparsity, p->ny, p->ny, p->nv, numbers);
        } else {
            add_diagonals(&b, p->nv, p->ny);
        }
    }
    return cdi_pattern_end(&b, &p->pattern);
}

// what the user gave for it, or the first nv rows and columns of all
static CdStatus mass_pattern(CdiProblem *p, const int *numbers) {
    CdiWork *w = p->work;
    const CdProblem *u = &p->user;
    const CdSparsity *s = u->mass_sparsity.ptr ? &u->mass_sparsity : &u->sparsity;
    CD_TRY(pattern_of(p, s, p->nv, p->nv, numbers, &w->mass_pattern));
    w->mass = CD_TAKE(&p->arena, double, (size_t)w->mass_pattern->nnz);
    return w->mass ? CD_OK : CD_NOMEM;
}

// values of the user's derivatives need a place of their own where our pattern has more entries
static CdStatus given_pattern(CdiProblem *p, const int *numbers) {
    CdiWork *w = p->work;
    if (!p->user.sparsity.ptr || p->user.sparsity.ptr[p->nd] == p->pattern->nnz) return CD_OK;
    CD_TRY(pattern_of(p, &p->user.sparsity, p->nd, p->nd, numbers, &w->given));
    w->given_values = CD_TAKE(&p->arena, double, (size_t)w->given->nnz * 3);
    w->given_slot = cdi_slots_take(&p->arena, p->pattern, NULL, w->given, 0, 0, false);
    return w->given_values && w->given_slot ? CD_OK : CD_NOMEM;
}

// a list of numbers for full blocks
static CdStatus with_numbers(CdiProblem *p, CdStatus (*build)(CdiProblem *, const int *)) {
    int *numbers = cdi_alloc_array(p->ctx, (size_t)p->n + 1, sizeof(int));
    if (!numbers) return CD_NOMEM;
    for (int i = 0; i < p->n; i++) numbers[i] = i;
    const CdStatus status = build(p, numbers);
    cdi_free(p->ctx, numbers);
    return status;
}

static CdStatus build_small(CdiProblem *p, const int *numbers) {
    const CdProblem *u = &p->user;
    CdiWork *w = p->work;
    CD_TRY(pattern_of(p, &u->constraint_sparsity, p->nc, p->nv, numbers, &p->jpattern));
    if (u->mass) CD_TRY(mass_pattern(p, numbers));
    if (u->leading) {
        CD_TRY(pattern_of(p, &u->leading_sparsity, p->ny, p->ny, numbers, &w->leading_pattern));
    }
    return u->constraint_jacobian ? CD_OK : cdi_colour_constraints(p);
}

CdStatus cdi_patterns_new(CdiProblem *p) {
    return with_numbers(p, build_small);
}

// slots of a part of M on the diagonal: of its pattern, or of the identity
static CdStatus part_slots(CdiProblem *p, const CdPattern *a, int from, int n, int **slots) {
    *slots = a ? cdi_slots_take(&p->arena, p->pattern, NULL, a, from, from, false)
               : cdi_slots_diagonal(&p->arena, p->pattern, NULL, from, n);
    return *slots ? CD_OK : CD_NOMEM;
}

static CdStatus build_large(CdiProblem *p, const int *numbers) {
    CdiWork *w = p->work;
    CD_TRY(build_pattern(p, numbers));
    CD_TRY(given_pattern(p, numbers));
    CD_TRY(part_slots(p, w->mass_pattern, 0, p->nv, &w->mass_slot));
    if (p->kind != CD_KIND_IMPLICIT) {
        CD_TRY(part_slots(p, w->leading_pattern, p->nv, p->ny, &w->leading_slot));
    }
    // those of constraints at other levels are made by differences, whoever gives the rest
    CD_TRY(cdi_colour_constraints(p));
    return cdi_by_user(p) ? CD_OK : cdi_colour(p->ctx, &p->arena, p->pattern, &w->colours);
}

static void free_large(CdiProblem *p) {
    cdi_pattern_free(p->work->given);
    cdi_pattern_free(p->pattern);
    p->work->given = p->pattern = NULL;
}

CdStatus cdi_patterns_derivatives(CdiProblem *p) {
    if (p->pattern) return CD_OK;
    if (!p->user.sparsity.ptr && (int64_t)p->nd * p->nd > INT_MAX) {
        return cdi_fail(
            p->ctx, CD_INVALID,
            "problem '%s': a full derivative of %d x %d is too large; give its sparsity",
            cdi_problem_name(p), p->nd, p->nd);
    }
    const CdStatus status = with_numbers(p, build_large);
    if (status != CD_OK) free_large(p);
    return status;
}

CdStatus cdi_patterns_mechanical(CdiProblem *p, CdPattern **out) {
    const CdSparsity *s = &p->user.sparsity;
    *out = NULL;
    return s->ptr ? copy_sparsity(p, s, p->nv, p->nv, out) : CD_OK;
}

void cdi_patterns_free(CdiProblem *p) {
    free_large(p);
    cdi_pattern_free(p->work->mass_pattern);
    cdi_pattern_free(p->work->leading_pattern);
    cdi_pattern_free(p->jpattern);
}
