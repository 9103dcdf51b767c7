// native.h - factors of a fixed pattern with pivots from the diagonal, by dense panels
//
//   P A P^T = L D U         pattern of A taken as that of A + A^T
//
// Columns of L with nearly the same rows form a supernode. Its panel of L D is dense: ncols columns
// of up to ld numbers, the rows of its own columns first, then the nrows rows below them; unless
// values are symmetric there is a panel of (D U)^T of the same form. Columns stand in groups, those
// of a group begin at the row of its first: what is above the diagonal takes hardly any room.
// Panels of L lie one after the other in the order of elimination, those of U behind them the other
// way round, unless there are single columns: each substitution reads one of the two as it lies in
// memory, upwards, which is what memory is fastest at. A step eliminates the columns of one
// supernode and subtracts their product from the panels of those further up the tree, whose places
// were found beforehand. Short columns stay single where that costs less: each has a list of all
// the numbers that it changes.
//
// The tree is taken apart: a part is a subtree whose supernodes meet only each other and a few
// unknowns outside, for which it has a panel of its own at its end. Parts that look alike are units
// of CDI_NATIVE_WIDE systems side by side, every number followed by those of the others; large ones
// that are alone, and two or one that such units leave over, are units of width 1. Units know
// nothing of each other, so threads share them; what is left of the tree is the top, to which the
// last panels of all units are added in their order. Neither units nor order depend on how many
// threads there are.
#ifndef CARDAN_LINALG_NATIVE_H
#define CARDAN_LINALG_NATIVE_H

#include <stdatomic.h>

#include "base/isa.h"
#include "base/pool.h"
#include "linalg/linsol.h"

#define CDI_NATIVE_LANES 4    // columns of a group in panels of width 1
#define CDI_NATIVE_PAIR 2     // and in wide ones
#define CDI_NATIVE_WIDE 8     // systems side by side
#define CDI_NATIVE_HALF 4     // where there are no more
#define CDI_NATIVE_SHARES 256 // of about the same work, of which threads take some in a row
#define CDI_NATIVE_PARTS 16
// ask for a line that is needed soon: into the second cache, as the first one waits for some twenty
// lines at most, which is a third of what memory could give
#define CDI_NATIVE_ASK(p) __builtin_prefetch(p, 0, 2)
#define CDI_NATIVE_AHEAD 1536 // numbers from what is at work to that line
// numbers between what two threads write, as processors fetch ahead; whole lines
#define CDI_NATIVE_APART 256
#define CDI_NATIVE_BLOCK 12 // columns of panels of width 1 whose triangle is inverted

// a pivot below this part of its scale, or what the solver says, is replaced by REPLACED of it
#define CDI_NATIVE_ZERO 1e-14
#define CDI_NATIVE_REPLACED 1e-8

// supernodes with loops of their own: a body with a joint of five rows, and no, one or two other
// bodies below
#define CDI_NATIVE_BODY 6
#define CDI_NATIVE_BODY_JOINT 11
enum { CDI_NATIVE_ANY, CDI_NATIVE_ROOT, CDI_NATIVE_CHILD, CDI_NATIVE_TIED, CDI_NATIVE_SINGLE };
// two chains of single columns: each column has the next one below it and nothing else, or one row
// beside it, the same in all of a chain and not that of the other
enum { CDI_NATIVE_STRAIGHT = 1, CDI_NATIVE_BESIDE };
// most rows below a single column with a list
#define CDI_NATIVE_LIST_ROWS 16

typedef struct CdiSupernode {
    int kind;
    int first, ncols, nrows, ld;
    int at;               // of its first panel in x
    int second;           // from there to its second panel; 0: there is none
    int rows;             // of the list of its rows
    int target, ntargets; // of a single column: target is its list in places, column by column
    int chunk;            // of its panel
    int need;             // chunks that it and its targets need
} CdiSupernode;

// rows begin ... end - 1 of a supernode are columns of supernode `to`
typedef struct CdiTarget {
    int to, begin, end;
    int place; // in places: of the rows from begin on, in the panel of `to`
} CdiTarget;

// the scale of a weak column from its neighbour: numbers a_ij and a_ji in x
typedef struct CdiNativePair {
    int column, other;
    int down, up;
} CdiNativePair;

// panels of width 1 that are filled at once, just before the first of them is needed, while they
// are in the cache; panels are in the order in which they are needed
typedef struct CdiNativeChunk {
    int range, nranges;      // places of x that become zeros: begin, end
    int entry, nentries;     // entries of its unit that lie in it
    int column, end;         // columns whose scales are needed until the next chunk is
    int pair, pair_end;      // that make them
    int incoming, nincoming; // of the top: what units have for it
} CdiNativeChunk;

// columns 0 ... n - 1 of a subtree, then the unknowns outside that it meets
typedef struct CdiNativePart {
    int n, nouter;
    int group; // columns of one in panels
    int nsupernodes;
    CdiSupernode *supernodes; // one more, of the columns outside
    CdiTarget *targets;
    int *rows, *places;
    int nx;          // numbers in all panels
    int second;      // numbers in the first panels; 0: there are no second ones
    int widest;      // longest column of a panel, a multiple of CDI_NATIVE_LANES
    int64_t largest; // numbers of a panel of such columns
    // single columns at its beginning, in two chains that do not meet; 0: there are none
    int chain[2];
    int straight;  // CDI_NATIVE_STRAIGHT, CDI_NATIVE_BESIDE, or 0
    int beside[2]; // the row of each chain
    // of width 1
    int nchunks;
    CdiNativeChunk *chunks;
    int *ranges;
    // of wide parts: numbers that all systems have from A, and all others; products that make
    // scales
    int nfill, nempty, npairs;
    int *fill, *empty;
    CdiNativePair *pairs;
} CdiNativePart;

// where the last panel of one of the systems goes in the top
typedef struct CdiNativeEdge {
    int rows; // of the list of columns of the top
    int target, ntargets;
} CdiNativeEdge;

// one of these targets
typedef struct CdiNativeIncoming {
    int unit, system, target;
} CdiNativeIncoming;

// columns begin ... end - 1 of a wide unit: by is 1 or -1 where their unknowns follow each other,
// up or down, in every system, and there are four of them or more; otherwise 0
typedef struct CdiNativeStretch {
    int begin, end, by;
} CdiNativeStretch;

typedef struct CdiNativeUnit {
    const CdiNativePart *part;
    int like;    // first unit with this part
    int width;   // 1, CDI_NATIVE_HALF or CDI_NATIVE_WIDE
    int count;   // systems; copies of the first follow up to the width
    size_t x;    // where its numbers begin
    int step;    // where its steps begin: column k of system i is step + width k + i
    int fill;    // of a wide one: its entries of from, width for each of the fill of its part
    int scatter; // its other entries of from and to
    int nscatter;
    int edge;    // of its first system
    int stretch; // of a wide one: its first, of all columns
    int nstretches;
} CdiNativeUnit;

// of a panel: from its begin to where column j has its row 0, or would have it, and all numbers
static inline size_t cdi_native_column(size_t ld, size_t group, size_t j) {
    const size_t first = j / group * group;
    return first * ld - first * (first - group) / 2 + (j - first) * (ld - first) - first;
}

// where the panel of a supernode is, or its other one
static inline size_t cdi_native_panel(const CdiSupernode *s, bool other) {
    return (size_t)s->at + (other ? (size_t)s->second : 0);
}

// does that of the last supernode lie below that of the first?
static inline bool cdi_native_goes_down(const CdiNativePart *t, bool other) {
    const CdiSupernode *first = t->supernodes, *last = first + t->nsupernodes - 1;
    return t->nsupernodes > 0 && cdi_native_panel(last, other) < cdi_native_panel(first, other);
}

static inline size_t cdi_native_size(const CdiNativePart *t, const CdiSupernode *s) {
    const size_t ld = (size_t)s->ld, n = (size_t)s->ncols;
    return n > 0 ? cdi_native_column(ld, (size_t)t->group, n - 1) + ld : 0;
}

// where a part begins
typedef struct CdiNativeShare {
    int turn, top; // units, columns of the top
} CdiNativeShare;

// what an analysis finds, shared by all solvers of a pattern that have the same order
typedef struct CdiNativeTree {
    CdArena arena;
    atomic_int users;
    int n;
    bool symmetric;
    int nunits;
    CdiNativeUnit *units; // one more, the top
    int *turn;            // units in the order of their first unknowns
    int *share;           // where in turn every one of CDI_NATIVE_SHARES begins; one more, the end
    int nparts;           // units in a row, whose unknowns no other unit has between them
    int *begin;           // unknowns of parts and, between them, of the top; one more
    CdiNativeShare *part; // one more
    int *tops;            // columns of the top, part by part
    CdiNativeEdge *edges;
    CdiTarget *edge_targets;
    int *edge_rows, *edge_places;
    CdiNativeIncoming *incoming; // by chunk of the top
    int nsteps;                  // with room for unknowns outside of parts
    int narrow;                  // step from which on no unit is wide
    int *step;                   // of an unknown
    int *perm;                   // step k eliminates unknown perm[k]; -1: none
    CdiNativeStretch *stretches; // of wide units
    bool *weak;                  // by step: has hardly anything on the diagonal
    int nfrom;
    int *from, *to; // value from[k] of A goes to x[to[k]], of its unit
    int *diagonal;  // by step of units that are not wide: value of A, -1: none
    int npairs;
    int *pair; // of their weak steps: products a_ij a_ji / a_jj that make their scale
    size_t nx; // numbers of all units
    int64_t nnz;
    double flops;
} CdiNativeTree;

// one of the pairs: step, values a_ij and a_ji, and a_jj
enum { CDI_PAIR_STEP, CDI_PAIR_DOWN, CDI_PAIR_UP, CDI_PAIR_OTHER, CDI_PAIR_SIZE };

// of the pivots
typedef struct CdiPivots {
    int replaced;
    double least, most; // |pivot| over its scale
    int least_step;
} CdiPivots;

// the numbers of one unit
typedef struct CdiNativeFactor {
    double *x;       // panels
    double *inverse; // of the pivots, by step
    double *scale;   // of the pivots, by step: 1 / what is expected, with its sign
    double *work;
    double zero; // ratio of a pivot to its scale that is none
    int count;   // systems that count
    // of a solution, where caches do not hold all units: the panel of the next unit that is needed
    // first, so that it is asked for in time
    const double *next;
    CdiPivots pivots;
    // of width 1: fills a chunk, when the panels are needed
    void (*prepare)(void *user, const CdiNativeChunk *chunk);
    void *user;
} CdiNativeFactor;

// loops over the panels of a part, compiled for each instruction set
typedef struct CdiNativeOps {
    void (*factor)(const CdiNativePart *t, bool symmetric, CdiNativeFactor *f);
    // scales from the numbers of A in x; NULL: they are set
    void (*scale)(const CdiNativePart *t, const CdiNativeFactor *f);
    // z from b and back, for the columns of these stretches; width 1: not there
    void (*load)(const CdiNativeStretch *s, int n, const int *perm, const double *b, double *z);
    void (*store)(const CdiNativeStretch *s, int n, const int *perm, const double *z, double *b);
    // z = D^-1 L^-1 z and what is to be added to unknowns outside, then z = U^-1 z; other: by the
    // second panel of every supernode
    void (*forward)(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z);
    void (*backward)(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z);
    // numbers of room that they need
    size_t (*work)(const CdiNativePart *t);
} CdiNativeOps;

// of width 1 (native.simd.c), CDI_NATIVE_HALF and CDI_NATIVE_WIDE (native_wide.simd.c)
const CdiNativeOps *cdi_native_ops(CdIsa isa, int width);
// numbers of room behind the panels and the steps of width 1, which loops may read
#define CDI_NATIVE_BEHIND CDI_NATIVE_LANES

// which unknowns have hardly anything on the diagonal, for their couplings; work: 2 n
void cdi_native_weak(const CdCsc *a, double *work, bool *weak);
// values of a with something on the diagonal of weak unknowns, of the sign that it should have
// (native_regular.c); false: none of them has a diagonal
bool cdi_native_regularise(const CdCsc *a, const bool *weak, double *out);
// how to order: bodies up from either end of a closed loop after which the joint that closes it
// comes; and whether long chains are cut. Or by the pattern alone, or as given
typedef struct CdiNativeWay {
    int loop;
    bool cut;
    bool plain;       // minimum degree
    const int *given; // NULL: none
} CdiNativeWay;
// an order for these values: weak unknowns are told, and follow a partner with a diagonal; piece:
// of a chain that was cut, by unknown, -1: none
CdStatus cdi_native_order(CdContext *ctx, CdArena *scratch, const CdCsc *a, const int *group,
                          CdiNativeWay way, bool *weak, int *piece, int *perm);
// bodies with their joints, and who meets whom
typedef struct CdiNodes {
    const CdPattern *pattern;
    const int *size; // unknowns of each
    bool loose;      // bodies meet joints only, and not each other
} CdiNodes;
// an order of nodes, island by island
CdStatus cdi_native_dissect(CdContext *ctx, CdArena *scratch, const CdiNodes *nodes, bool cut,
                            int *piece, int *perm);
CdStatus cdi_native_analyze(CdContext *ctx, const CdCsc *a, const int *group, CdiNativeWay way,
                            bool symmetric, CdiNativeTree **out);
// values of A are found among others from now on: entry k is number source[k]
void cdi_native_tree_source(CdiNativeTree *t, const int *source);
CdiNativeTree *cdi_native_tree_keep(CdiNativeTree *t); // for one more user
void cdi_native_tree_free(CdiNativeTree *t);           // of one user; NULL does nothing

// a tree with its numbers
typedef struct CdiNative {
    const CdiNativeTree *tree;
    CdArena arena; // of the numbers
    size_t nwork;  // numbers of room for a thread
    double *alone; // and of a unit that meets nothing outside
    size_t nalone;
    const CdiNativeOps *ops, *half, *wide;
    CdPool *pool; // NULL: one thread
    double *x, *inverse, *scale, *z, *work;
    double *aside; // of parts: what units have for the top, in their places of z
    double *tops;  // of parts: solutions of the top, for every worker
    size_t ntops;
    double zero;        // CDI_NATIVE_ZERO unless somebody changes it
    CdiPivots *by_unit; // one more, of the top
    CdiPivots pivots;   // of all
} CdiNative;

// the tree must outlive its numbers
CdStatus cdi_native_open(CdContext *ctx, const CdiNativeTree *t, CdPool *pool, CdIsa isa,
                         CdiNative *m);
void cdi_native_close(CdiNative *m);                   // all zeros: nothing
void cdi_native_factor(CdiNative *m, const double *v); // of A
void cdi_native_solve(CdiNative *m, bool transposed, double *b);
// of units first ... end - 1 by their turn alone, where nothing is left for the top
void cdi_native_solve_units(CdiNative *m, int first, int end, int worker, double *b);
// a solution: parts first ... end - 1, the top, the parts again
void cdi_native_forward_parts(CdiNative *m, int first, int end, int worker, double *b);
void cdi_native_solve_top(CdiNative *m, int copy); // into one of as many copies as workers
void cdi_native_backward_parts(CdiNative *m, int first, int end, int worker, int copy, double *b);
// units by sections of unknowns: first[k] is the turn of the first unit of section k; false: some
// of the unknowns are in the top
bool cdi_native_sections(const CdiNativeTree *t, const CdLinsolSections *sections);

// ---- between the files of the analysis

// the whole tree of supernodes, in postorder, so that subtrees are contiguous; rows are steps
typedef struct CdiSupertree {
    int n; // steps
    int nsupernodes;
    CdiSupernode *node; // first, ncols, nrows, rows
    int *rows;
    int *owner;     // supernode of a step
    int *step;      // of an unknown
    bool *weak;     // unknowns
    bool symmetric; // values
} CdiSupertree;

// how it is taken apart
typedef struct CdiDivision {
    int *below; // first supernode of a subtree
    int nunits;
    struct CdiDivided {
        int width, count;
        int like; // first unit of its class
        int root[CDI_NATIVE_WIDE];
    } * units;
    int *unit; // of a supernode, -1: the top
} CdiDivision;

CdStatus cdi_native_divide(CdArena *scratch, const CdiSupertree *s, CdiDivision *d);
// chunks of a part of width 1 whose panels are laid out
CdStatus cdi_native_chunks(CdArena *scratch, CdArena *arena, CdiNativePart *part);
// which columns of wide units are next to each other in b
CdStatus cdi_native_stretches(CdiNativeTree *t);
// which pairs and edges belong to them
void cdi_native_chunk_pairs(CdiNativeTree *t);
CdStatus cdi_native_chunk_edges(CdiNativeTree *t);
// parts, units, steps and what goes where
CdStatus cdi_native_units(CdContext *ctx, CdArena *scratch, const CdPattern *p,
                          const CdiSupertree *s, const CdiDivision *d, CdiNativeTree *t);
// turns and shares of the units of a tree
CdStatus cdi_native_share(CdArena *scratch, CdiNativeTree *t);

#endif
