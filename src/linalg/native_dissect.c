// native_dissect.c - an order of nodes island by island, and long chains cut into equal pieces
//
// Every island (connected component) is ordered by AMD on its own, with its nodes numbered as they
// come, so that islands with the same pattern get the same order. An island that is long and thin
// is cut: its nodes in levels, level k + 1 the neighbours of level k, starting from one end,
//
//   few | m levels | m levels | ... | m levels | rest
//
// where every | is one level that separates pieces. The first levels are left out if they make the
// first piece unlike the others. Pieces are eliminated first, the separators last. That gives every
// piece the rows of two separators and so twice the work or more, but pieces that look alike are
// eliminated side by side (native_units.c).
// George & Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, ch. 4, 8.
#include <string.h>

#include "linalg/native.h"
#include "linalg/order.h"
#include "linalg/pattern_sort.h"

// pieces: so many at a time
#define PIECES CDI_NATIVE_WIDE
// most unknowns of a level, and fewest levels of a piece
#define LEVEL_SIZE_MAX 12
#define LEVELS_LEAST 3
// levels of pieces of long chains: as many as have so many numbers, so that a unit fits into the
// cache of a processor, within bounds
#define PIECE_NUMBERS 4096
#define LEVELS_SHORT 8
// numbers from which on memory is what takes time, and more of them take more; of levels as wide as
// bodies with joints, whose panels are as fast alone, they need not leave the first caches
#define NUMBERS_MAX 1000000
#define WIDE_LEVEL 6
#define WIDE_NUMBERS_MAX 50000
// of bodies that only joints hold together pieces have few numbers more
#define LOOSE_NUMBERS_MAX 1300000
#define LEVELS_LONG 256
// levels of pieces of thin chains that are short, so that there are units for threads: two, or four
#define LEVELS_TWO 30
#define LEVELS_FOUR 100
// part of the pieces that have to look alike
#define ALIKE 0.75
// most levels before the first piece
#define SKIP_MAX 2
// searches for an end that is far away
#define ENDS 3

typedef struct Dissect {
    CdContext *ctx;
    const CdPattern *p;
    const int *size; // unknowns of a node
    bool loose;      // bodies do not meet each other
    int *piece, *perm;
    int at;     // nodes ordered so far
    int pieces; // made so far
    // islands
    int nislands;
    int *start, *node; // their nodes, ascending
    int *local;        // number of a node in its island
    int *mark;
    // levels of an island
    int nlevels;
    int *queue, *first; // nodes by level; of queue
    int *level;         // of a node
    // the last island that was ordered by AMD
    CdPattern *last;
    int *order;
} Dissect;

static CdStatus take(Dissect *d, CdArena *scratch) {
    int **const arrays[] = {&d->start, &d->node,  &d->local, &d->mark,
                            &d->queue, &d->first, &d->level, &d->order};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(scratch, int, (size_t)d->p->cols + 2);
        if (!*arrays[k]) return CD_NOMEM;
    }
    return CD_OK;
}

// ---- islands

// all that can be reached from a node, by levels; how many
static int reach(Dissect *d, int from, int tag) {
    const CdPattern *p = d->p;
    int n = 0;
    d->queue[n++] = from;
    d->mark[from] = tag;
    d->level[from] = 0;
    d->nlevels = 0;
    for (int head = 0; head < n; head++) {
        const int j = d->queue[head];
        if (d->level[j] == d->nlevels) d->first[d->nlevels++] = head;
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            const int i = p->row[k];
            if (d->mark[i] == tag) continue;
            d->mark[i] = tag;
            d->level[i] = d->level[j] + 1;
            d->queue[n++] = i;
        }
    }
    d->first[d->nlevels] = n;
    return n;
}

// marks become numbers of islands, in the order of their first nodes
static void find_islands(Dissect *d) {
    const int n = d->p->cols;
    for (int j = 0; j < n; j++) d->mark[j] = -1;
    for (int j = 0; j < n; j++) {
        if (d->mark[j] >= 0) continue;
        d->start[d->nislands + 2] = reach(d, j, d->nislands);
        d->nislands++;
    }
    for (int k = 0; k < d->nislands; k++) d->start[k + 2] += d->start[k + 1];
    for (int j = 0; j < n; j++) d->node[d->start[d->mark[j] + 1]++] = j;
    for (int k = 0; k < n; k++) d->local[d->node[k]] = k - d->start[d->mark[d->node[k]]];
}

static CdStatus island_pattern(const Dissect *d, int n, const int *node, CdPattern **out) {
    int nnz = 0, *ptr, *row;
    for (int k = 0; k < n; k++) nnz += d->p->ptr[node[k] + 1] - d->p->ptr[node[k]];
    CD_TRY(cdi_pattern_alloc(d->ctx, n, n, nnz, out, &ptr, &row));
    for (int k = 0, at = 0; k < n; k++) {
        for (int e = d->p->ptr[node[k]]; e < d->p->ptr[node[k] + 1]; e++) {
            row[at++] = d->local[d->p->row[e]];
        }
        ptr[k + 1] = at;
    }
    return CD_OK;
}

static bool same_pattern(const CdPattern *a, const CdPattern *b) {
    if (!a || a->cols != b->cols || a->nnz != b->nnz) return false;
    return memcmp(a->ptr, b->ptr, ((size_t)a->cols + 1) * sizeof *a->ptr) == 0 &&
           memcmp(a->row, b->row, (size_t)a->nnz * sizeof *a->row) == 0;
}

static CdStatus order_island(Dissect *d, int n, const int *node) {
    CdPattern *p;
    CD_TRY(island_pattern(d, n, node, &p));
    if (!same_pattern(d->last, p)) {
        CdSymbolic *s;
        cdi_pattern_free(d->last);
        d->last = p;
        CD_TRY(cdi_symbolic_new(d->ctx, p, CD_ORDER_AMD, NULL, &s));
        memcpy(d->order, s->perm, (size_t)n * sizeof *d->order);
        cdi_symbolic_free(s);
    } else {
        cdi_pattern_free(p);
    }
    for (int k = 0; k < n; k++) d->perm[d->at++] = node[d->order[k]];
    return CD_OK;
}

// ---- cuts

// so many pieces of m levels, each behind a level that separates; `skip` levels before them
typedef struct Cuts {
    int npieces, m, skip;
    bool thin; // levels are narrow
} Cuts;

// the level that separates a piece from the one before
static int separator(Cuts c, int piece) {
    return c.skip + piece * (c.m + 1);
}

static int width(const Dissect *d, int level) {
    int sum = 0;
    for (int k = d->first[level]; k < d->first[level + 1]; k++) sum += d->size[d->queue[k]];
    return sum;
}

// levels from an end that is as far as can be
static void find_levels(Dissect *d, int n, int from) {
    for (int k = 0; k < ENDS; k++) {
        const int before = d->nlevels;
        reach(d, from, d->nislands + k);
        if (k > 0 && d->nlevels <= before) break;
        from = d->queue[n - 1];
    }
    // as they are numbered, if there is a choice
    if (d->queue[0] > d->queue[n - 1]) reach(d, d->queue[n - 1], d->nislands + ENDS);
    for (int k = 0; k < n; k++) d->mark[d->queue[k]] = -1;
}

// are neighbours of node i of one piece those of node j of the other, shifted? nodes are places in
// the queue
static bool alike(const Dissect *d, int i, int j) {
    const CdPattern *p = d->p;
    const int a = d->queue[i], b = d->queue[j];
    if (d->size[a] != d->size[b] || p->ptr[a + 1] - p->ptr[a] != p->ptr[b + 1] - p->ptr[b]) {
        return false;
    }
    return d->first[d->level[a] + 1] - i == d->first[d->level[b] + 1] - j;
}

// is a piece like that in the middle?
static bool pieces_alike(const Dissect *d, Cuts c, int piece) {
    const int middle = separator(c, c.npieces / 2), mine = separator(c, piece);
    const int a = d->first[middle + 1], b = d->first[mine + 1];
    const int n = d->first[middle + c.m + 1] - a;
    if (d->first[mine + c.m + 1] - b != n) return false;
    for (int k = 0; k < n; k++) {
        if (!alike(d, a + k, b + k)) return false;
    }
    return true;
}

static int widest(const Dissect *d) {
    int most = 1;
    for (int k = 0; k < d->nlevels; k++) {
        const int w = width(d, k);
        if (w > most) most = w;
    }
    return most;
}

// a level has about 3 w^2 numbers: with itself, with the next and with the separator
static int piece_levels(int w) {
    const int m = PIECE_NUMBERS / (3 * w * w);
    return m < LEVELS_SHORT ? LEVELS_SHORT : m > LEVELS_LONG ? LEVELS_LONG : m;
}

// units that pieces make
static int count_rounds(const Dissect *d, int w) {
    const int n = d->nlevels, of_cache = n / (PIECES * (piece_levels(w) + 1));
    const bool thin = w < WIDE_LEVEL;
    const int rounds = thin && n >= 4 * PIECES * (LEVELS_FOUR + 1)  ? 4
                       : thin && n >= 2 * PIECES * (LEVELS_TWO + 1) ? 2
                                                                    : 1;
    return rounds < of_cache ? of_cache : rounds;
}

static bool worth_a_cut(const Dissect *d, Cuts *c) {
    const int w = widest(d);
    const int most_numbers = w < WIDE_LEVEL ? NUMBERS_MAX
                             : d->loose     ? LOOSE_NUMBERS_MAX
                                            : WIDE_NUMBERS_MAX;
    if (w > LEVEL_SIZE_MAX || d->nlevels > most_numbers / (3 * w * w)) return false;
    const int npieces = count_rounds(d, w) * PIECES;
    int most = 0;
    for (int skip = 0; skip <= SKIP_MAX; skip++) {
        const Cuts now = {npieces, (d->nlevels - 1 - skip) / npieces - 1, skip, w < WIDE_LEVEL};
        int same = 0;
        for (int k = 0; now.m >= LEVELS_LEAST && k < npieces; k++) same += pieces_alike(d, now, k);
        if (same < ALIKE * npieces || same * now.m <= most) continue;
        most = same * now.m;
        *c = now;
    }
    return most > 0;
}

static void put_level(Dissect *d, int level, int piece) {
    for (int k = d->first[level]; k < d->first[level + 1]; k++) {
        d->piece[d->queue[k]] = piece;
        d->perm[d->at++] = d->queue[k];
    }
}

// Thin pieces from both ends to the middle: substitution goes along two chains at a time. Bodies
// with their joints from one end only, as it takes more numbers from the other.
static void put_piece(Dissect *d, Cuts c, int k) {
    const int at = separator(c, k), middle = c.thin ? (c.m + 1) / 2 : c.m + 1;
    for (int i = 1; i < middle; i++) put_level(d, at + i, d->pieces + k);
    for (int i = c.m; i >= middle; i--) put_level(d, at + i, d->pieces + k);
}

// pieces, what is left before them, and behind them from the far end on, the levels between them
static void put_pieces(Dissect *d, Cuts c) {
    for (int k = 0; k < c.npieces; k++) put_piece(d, c, k);
    d->pieces += c.npieces;
    for (int k = 0; k < c.skip; k++) put_level(d, k, -1);
    for (int k = d->nlevels - 1; k >= separator(c, c.npieces); k--) put_level(d, k, -1);
    for (int k = c.npieces - 1; k >= 0; k--) put_level(d, separator(c, k), -1);
}

static CdStatus dissect(Dissect *d, bool cut) {
    find_islands(d);
    for (int k = 0; k < d->nislands; k++) {
        const int n = d->start[k + 1] - d->start[k], *node = d->node + d->start[k];
        Cuts c = {0};
        if (cut && n >= PIECES * (LEVELS_LEAST + 1)) {
            find_levels(d, n, node[0]);
            if (worth_a_cut(d, &c)) put_pieces(d, c);
        }
        if (c.m < LEVELS_LEAST || d->at < d->start[k + 1]) CD_TRY(order_island(d, n, node));
    }
    return CD_OK;
}

CdStatus cdi_native_dissect(CdContext *ctx, CdArena *scratch, const CdiNodes *nodes, bool cut,
                            int *piece, int *perm) {
    const CdPattern *p = nodes->pattern;
    Dissect d = {.ctx = ctx,
                 .p = p,
                 .size = nodes->size,
                 .loose = nodes->loose,
                 .piece = piece,
                 .perm = perm};
    CD_TRY(take(&d, scratch));
    for (int k = 0; k < p->cols; k++) piece[k] = -1;
    const CdStatus status = dissect(&d, cut);
    cdi_pattern_free(d.last);
    return status;
}
