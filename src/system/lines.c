// lines.c - finds the forces that are lines in one coordinate or two, and their runs
//
// Items are sorted by the distance of their coordinates, then by the first of them: neighbours in
// a chain, or in a row of a grid, then stand together, however they were written. Lines on the same
// coordinates are one: k = k_1 + k_2, c = c_1 + c_2, unless both pull to different lengths.
#include "system/lines.h"

#include <stdlib.h>

// shorter runs are single items
#define RUN_MIN 8

typedef struct Line {
    CdLineRun at; // of one
    int item;
    CdCoordinateLine law;
} Line;

// ---- one item

// a and b in the order of their numbers
static void order_ends(Line *l) {
    CdLineRun *at = &l->at;
    if (at->vb < 0 || at->va < at->vb) return;
    *at = (CdLineRun){.n = 1, .qa = at->qb, .va = at->vb, .qb = at->qa, .vb = at->va};
    l->law.length = -l->law.length;
    l->law.force = -l->law.force;
}

// false: the force of this item is no line
static bool read_line(const CdSystem *s, int k, Line *l) {
    const CdSystemCoordinates *c = &s->coordinates[k];
    const CdCoordinateLaw *law = c->item->cls->coordinate;
    if (c->n > 2 || !law->line || !law->line(c->item->data, &l->law)) return false;
    l->item = k;
    l->at = (CdLineRun){.n = 1,
                        .qa = c->q[0],
                        .va = c->v[0],
                        .qb = c->n == 2 ? c->q[1] : -1,
                        .vb = c->n == 2 ? c->v[1] : -1};
    order_ends(l);
    return true;
}

static bool acts(const Line *l) {
    return l->at.va != l->at.vb && (l->law.stiffness != 0 || l->law.damping != 0);
}

// ---- order

static int compare_ints(int a, int b) {
    return a < b ? -1 : a > b;
}

static int distance(const Line *l) {
    return l->at.vb < 0 ? 0 : l->at.vb - l->at.va;
}

static int compare(const void *x, const void *y) {
    const Line *a = x, *b = y;
    int order = compare_ints(distance(a), distance(b));
    if (order == 0) order = compare_ints(a->at.va, b->at.va);
    return order != 0 ? order : compare_ints(a->item, b->item);
}

static bool same_ends(const Line *a, const Line *b) {
    return a->at.va == b->at.va && a->at.vb == b->at.vb;
}

// b becomes part of a, if it can
static bool merge(Line *a, const Line *b) {
    const bool free = a->law.stiffness == 0, other_free = b->law.stiffness == 0;
    if (!same_ends(a, b)) return false;
    if (!free && !other_free && a->law.length != b->law.length) return false;
    if (free) a->law.length = b->law.length;
    a->law.stiffness += b->law.stiffness;
    a->law.damping += b->law.damping;
    return true;
}

static bool follows(const Line *b, const Line *a) {
    const CdLineRun *x = &a->at, *y = &b->at;
    if (y->va != x->va + 1 || y->qa != x->qa + 1) return false;
    return x->vb < 0 ? y->vb < 0 : y->vb == x->vb + 1 && y->qb == x->qb + 1;
}

// how many of n lines are a run, at least 1
static int run_length(const Line *lines, int n) {
    int length = 1;
    while (length < n && follows(&lines[length], &lines[length - 1])) length++;
    return length;
}

// ---- arrays

static void put_numbers(CdSystemLines *out, int i, const Line *l) {
    out->length[i] = l->law.length;
    out->stiffness[i] = l->law.stiffness;
    out->damping[i] = l->law.damping;
}

// runs, or what is too short to be one
static void put_runs(CdSystemLines *out, const Line *lines, int n, bool single) {
    for (int k = 0, length; k < n; k += length) {
        length = run_length(lines + k, n - k);
        if ((length < RUN_MIN) != single) continue;
        for (int i = 0; i < length; i++) {
            put_numbers(out, out->n, &lines[k + i]);
            if (!single && i > 0) {
                out->n++;
                continue;
            }
            CdLineRun *run = single ? &out->single[out->nsingle++] : &out->runs[out->nruns++];
            *run = lines[k + i].at;
            run->first = out->n++;
            run->n = single ? 1 : length;
        }
    }
}

static CdStatus put(CdSystem *s, const Line *lines, int n, CdSystemLines *out) {
    const size_t size = (size_t)n;
    out->length = CD_TAKE(&s->arena, double, size);
    out->stiffness = CD_TAKE(&s->arena, double, size);
    out->damping = CD_TAKE(&s->arena, double, size);
    out->runs = CD_TAKE(&s->arena, CdLineRun, size / RUN_MIN);
    out->single = CD_TAKE(&s->arena, CdLineRun, size);
    if (!out->length || !out->stiffness || !out->damping || !out->runs || !out->single) {
        return CD_NOMEM;
    }
    put_runs(out, lines, n, false);
    put_runs(out, lines, n, true);
    return CD_OK;
}

// ---- blocks of rows

// notes a run in the blocks of rows first ... first + n - 1, or only counts
static void touch_rows(CdSystemLines *l, int *last, int run, int first, int n, bool count) {
    for (int i = first / CD_LINE_ROWS; i <= (first + n - 1) / CD_LINE_ROWS; i++) {
        if (last[i] == run) continue;
        last[i] = run;
        if (count) {
            l->block[i + 1]++;
        } else {
            l->touch[l->block[i]++] = run;
        }
    }
}

static void touch_all(CdSystemLines *l, int *last, bool count) {
    for (int i = 0; i < l->nblocks; i++) last[i] = -1;
    for (int k = 0; k < l->nruns; k++) {
        const CdLineRun *run = &l->runs[k];
        touch_rows(l, last, k, run->va, run->n, count);
        if (run->vb >= 0) touch_rows(l, last, k, run->vb, run->n, count);
    }
}

static CdStatus find_blocks(CdSystem *s, CdArena *scratch, CdSystemLines *l) {
    l->nblocks = (s->nv + CD_LINE_ROWS - 1) / CD_LINE_ROWS;
    l->block = CD_TAKE(&s->arena, int, (size_t)l->nblocks + 1);
    int *last = CD_TAKE(scratch, int, (size_t)l->nblocks);
    if (!l->block || !last) return CD_NOMEM;
    touch_all(l, last, true);
    for (int i = 0; i < l->nblocks; i++) l->block[i + 1] += l->block[i];
    l->touch = CD_TAKE(&s->arena, int, (size_t)l->block[l->nblocks]);
    if (!l->touch) return CD_NOMEM;
    touch_all(l, last, false);
    // every begin has become the end
    for (int i = l->nblocks; i > 0; i--) l->block[i] = l->block[i - 1];
    l->block[0] = 0;
    return CD_OK;
}

// ---- all items

static void add_constant(CdSystemLines *out, const Line *l) {
    const double pull = l->law.force;
    out->pushes = out->pushes || pull != 0;
    if (l->at.vb >= 0) {
        out->constant[l->at.va] += pull;
        out->constant[l->at.vb] -= pull;
    } else {
        out->constant[l->at.va] -= pull;
    }
}

// the lines that do something, without those that others stand for
static int merge_all(Line *lines, int n) {
    int kept = 0;
    for (int k = 0; k < n; k++) {
        if (!acts(&lines[k])) continue;
        if (kept == 0 || !merge(&lines[kept - 1], &lines[k])) lines[kept++] = lines[k];
    }
    return kept;
}

static CdStatus find(CdSystem *s, CdArena *scratch, CdSystemLines *out) {
    Line *lines = CD_TAKE(scratch, Line, (size_t)s->ncoordinates);
    out->constant = CD_TAKE(&s->arena, double, (size_t)s->nv);
    out->other = CD_TAKE(&s->arena, int, (size_t)s->ncoordinates);
    if (!lines || !out->constant || !out->other) return CD_NOMEM;
    int n = 0;
    for (int k = 0; k < s->ncoordinates; k++) {
        if (s->coordinates[k].row >= 0) continue;
        if (read_line(s, k, &lines[n])) {
            add_constant(out, &lines[n++]);
        } else {
            out->other[out->nother++] = k;
        }
    }
    if (n > 0) qsort(lines, (size_t)n, sizeof *lines, compare);
    CD_TRY(put(s, lines, merge_all(lines, n), out));
    return find_blocks(s, scratch, out);
}

CdStatus cdi_lines_find(CdSystem *s) {
    CdArena scratch;
    s->lines = CD_TAKE(&s->arena, CdSystemLines, 1);
    if (!s->lines) return CD_NOMEM;
    cdi_arena_init(&scratch, s->ctx, 0);
    const CdStatus status = find(s, &scratch, s->lines);
    cdi_arena_clear(&scratch);
    return status;
}

// ---- forces

// -1: not
static inline bool is_in(int row, int lo, int hi) {
    return (unsigned)(row - lo) < (unsigned)(hi - lo);
}

void cdi_lines_single(const CdSystemLines *l, int lo, int hi, double sign, const double *q,
                      const double *v, double *out) {
    for (int k = 0; k < l->nsingle; k++) {
        const CdLineRun *at = &l->single[k];
        const double x = at->vb < 0 ? q[at->qa] : q[at->qb] - q[at->qa];
        const double rate = at->vb < 0 ? v[at->va] : v[at->vb] - v[at->va];
        const double F = sign * (l->stiffness[at->first] * (x - l->length[at->first]) +
                                 l->damping[at->first] * rate);
        if (is_in(at->va, lo, hi)) out[at->va] += at->vb < 0 ? -F : F;
        if (is_in(at->vb, lo, hi)) out[at->vb] -= F;
    }
}

// ---- instruction sets

extern const CdLineOps cdi_line_ops_base;
#if defined(__x86_64__)
extern const CdLineOps cdi_line_ops_avx2;
extern const CdLineOps cdi_line_ops_avx512;
#endif

const CdLineOps *cdi_line_ops(CdIsa isa) {
    static const CdLineOps *const tables[CD_NISA] = {
        [CD_ISA_BASE] = &cdi_line_ops_base,
#if defined(__x86_64__)
        [CD_ISA_AVX2] = &cdi_line_ops_avx2,
        [CD_ISA_AVX512] = &cdi_line_ops_avx512,
#endif
    };
    return isa <= cdi_isa() ? tables[isa] : NULL;
}
