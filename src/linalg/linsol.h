// linsol.h - direct solution of A x = b: analyse a pattern once, factor often, solve always
//
//   CD_TRY(cdi_linsol_new(ctx, cls, pattern, NULL, &s));     once per pattern
//   const int *map = cdi_linsol_map(s);
//   double *a = cdi_linsol_begin(s);                         once per matrix
//   a[map[k]] += ...                                         entry k of the pattern
//   CD_TRY(cdi_linsol_factor(s));
//   CD_TRY(cdi_linsol_solve(s, 1, b, n, false));             once per right-hand side, in place
//
// Assembly writes straight into the storage of the backend through the slot map, adding where
// entries meet. Or the numbers of the matrix stand somewhere else, and cdi_linsol_give says where:
// backends that factor in panels then take them from there. Neither begin nor solve allocates;
// factor does only where its class says so.
// Complex systems have pairs (re, im) for values and elements: a[2*map[k]], a[2*map[k] + 1].
// CD_SINGULAR and CD_NONFINITE are recoverable: they are not reported, cdi_linsol_bad_* tell where.
// A solver serves one thread at a time; its pattern may be shared and must outlive it.
// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM 2002, ch. 7, 12, 15.
#ifndef CARDAN_LINALG_LINSOL_H
#define CARDAN_LINALG_LINSOL_H

#include "base/pool.h"
#include "desc/desc.h"
#include "linalg/csc.h"
#include "math/dense.h"

typedef struct CdLinsol CdLinsol;
typedef struct CdLinsolClass CdLinsolClass;

// what solvers of one class, pattern and set-up have in common; zeros before the first of them,
// which fills it. It may go before they do
typedef struct CdLinsolShare {
    const CdLinsolClass *cls; // that was taken
    void *analysis;
    void (*release)(void *analysis);
} CdLinsolShare;

// what a system is like; zeros are a real system with unsymmetric values and default options
typedef struct CdLinsolSetup {
    bool complex;
    bool symmetric;   // values equal those of A^T; backends may use it
    bool only_solves; // of symmetric ones: nobody is going to ask for the inertia
    bool embed;       // complex as a real system of twice the order, whatever the class can
    const int *perm;  // elimination order for `ordering = given`; copied
    // unknowns with the same number, 0 ... n - 1, belong together, as those of a body or of a
    // joint; NULL: that is not known; copied
    const int *group;
    int multipliers; // the last so many unknowns have nothing on the diagonal, or hardly anything
    // for cdi_linsol_give: entry k of the pattern is number source[k] of nsource, among which those
    // of diagonals are no other entry's. NULL: never called; must outlive the solver
    const int *source;
    int nsource;
    CdLinsolShare *share;    // NULL: nothing is shared
    CdPool *pool;            // threads that backends may use while they factor and solve; NULL: one
    const CdObject *options; // of the class; NULL: defaults; copied
} CdLinsolSetup;

typedef struct CdLinsolStats {
    int64_t factors;   // with a new choice of pivots
    int64_t refactors; // with the pivots of the last factor
    int64_t fallbacks; // refactors that lost too many digits and were done again as factors
    int64_t left;      // matrices that the backend left to another one
    int replaced;      // pivots of the last factor that vanished, by what was expected
    int64_t solves;    // right-hand sides, those of refinement among them
    int64_t nnz;       // entries of the factors, 0 if not factored yet
    double flops;      // of the last factor (complex operations count once)
} CdLinsolStats;

// the class called name; NULL for "auto", which cdi_linsol_new then chooses. CD_NOTFOUND is
// reported with what may have been meant
CdStatus cdi_linsol_find(CdContext *ctx, const char *name, const CdLinsolClass **cls);
// the class that is fastest for a pattern of this size and for what is known of the system
const CdLinsolClass *cdi_linsol_auto(const CdPattern *pattern, const CdLinsolSetup *setup);
extern const CdLinsolClass *const cd_linsol_classes[]; // NULL-terminated, order of linsols.def

// cls NULL: cdi_linsol_auto; setup NULL: zeros
CdStatus cdi_linsol_new(CdContext *ctx, const CdLinsolClass *cls, const CdPattern *pattern,
                        const CdLinsolSetup *setup, CdLinsol **out);
void cdi_linsol_free(CdLinsol *s); // NULL does nothing
void cdi_linsol_share_free(CdLinsolShare *share);
// does nothing of earlier matrices decide about the next one?
bool cdi_linsol_unbiased(const CdLinsol *s);
bool cdi_linsol_renew(CdLinsol *s); // as one that has seen no matrix; false: it cannot be
const char *cdi_linsol_name(const CdLinsol *s);

const int *cdi_linsol_map(const CdLinsol *s); // slot of every entry of the pattern
double *cdi_linsol_begin(CdLinsol *s); // drop matrix and factors; values, zeroed, to be added to
void cdi_linsol_set(CdLinsol *s, const double *v); // begin with the numbers of a CdCsc
// instead of both: the numbers that entries are found among, which stay as they are until the next
// matrix. Some backends factor from there; the matrix itself is made when somebody asks
void cdi_linsol_give(CdLinsol *s, const double *numbers);
CdStatus cdi_linsol_factor(CdLinsol *s);
// A X = B, transposed: A^T X = B (not conjugated), column-major with ldb >= n elements
CdStatus cdi_linsol_solve(CdLinsol *s, int nrhs, double *b, int ldb, bool transposed);

// Unknowns in sections that do not meet, solved for by themselves, by several threads at a time.
// Arrays are the caller's
typedef struct CdLinsolSections {
    int n;
    const int *of;  // section of an unknown
    bool *together; // n: section k must be solved for with k - 1
    int *first;     // n + 1: the backend's
} CdLinsolSections;
// after a factor: which of them; false: all at once only
bool cdi_linsol_sections(const CdLinsol *s, const CdLinsolSections *sections);
// A x = b in place for sections begin ... end - 1, neither together with others; worker: of the
// pool of the set-up; not counted
void cdi_linsol_solve_sections(CdLinsol *s, const CdLinsolSections *sections, int begin, int end,
                               int worker, double *b);

// Unknowns begin[k] ... begin[k + 1] - 1 are part k: forward and backward elimination of parts, of
// about the same work each, touch their own numbers of b alone, by several threads at a time
typedef struct CdLinsolParts {
    int n;
    const int *begin; // n + 1
} CdLinsolParts;
CdLinsolParts cdi_linsol_parts(const CdLinsol *s); // after a factor; n = 0: there are none
// A x = b in place: forward with all parts, what is between, backward with all parts; not counted.
// What is between has copies, one for every worker: threads find it each for itself, without
// waiting for one of them, or all go back with the same one
void cdi_linsol_forward(CdLinsol *s, int begin, int end, int worker, double *b);
void cdi_linsol_between(CdLinsol *s, int copy);
void cdi_linsol_backward(CdLinsol *s, int begin, int end, int worker, int copy, double *b);

// after a factor
// what was factored, until the next matrix; what was given must still be there
CdCsc cdi_linsol_matrix(const CdLinsol *s);
int cdi_linsol_bad_column(const CdLinsol *s); // that has no pivot or no number; -1: none
int cdi_linsol_bad_row(const CdLinsol *s);    // whose entries are all zero; -1: none
CdLinsolStats cdi_linsol_stats(const CdLinsol *s);
// numbers of positive, negative and zero eigenvalues, for a singular matrix too; CD_INVALID where
// the backend does not know them
CdStatus cdi_linsol_inertia(const CdLinsol *s, CdInertia *inertia);
bool cdi_linsol_has_inertia(const CdLinsol *s);
// the sign of the pivot of an unknown, 1 or -1, if all pivots come from the diagonal; 0: they do
// not. As many are negative as eigenvalues of symmetric values, and of others if A, with rows of
// multipliers turned round, has a definite symmetric part
int cdi_linsol_sign(const CdLinsol *s, int unknown);
// smallest |pivot| over the largest entry of its column, both after row scaling, and its column:
// about eps for dependent columns. 1 if n = 0, 0 if not factored
double cdi_linsol_weakest_pivot(const CdLinsol *s, int *column);
// estimate of 1/(|A|_1 |A^-1|_1), at most three times too large in practice; 0 if not factored
double cdi_linsol_rcond(CdLinsol *s);

// |b - A x| / (|A| |x| + |b|) in the largest norm; v: numbers of another A, NULL: what was factored
double cdi_linsol_residual(CdLinsol *s, const double *v, bool transposed, const double *x,
                           const double *b);
// improve x until its residual is at most tol, for as long as a step halves it; CD_NOCONV if it
// stays above. v as in cdi_linsol_residual: factors of a regularised matrix solve for the true one
typedef struct CdRefinement {
    double tol;
    int max_steps;
    const double *v;
    int steps;       // out: taken
    double residual; // out: of x
} CdRefinement;
CdStatus cdi_linsol_refine(CdLinsol *s, CdRefinement *how, bool transposed, const double *b,
                           double *x);

// ---- for backends

// No operation is called for n = 0. The generic layer has checked that values are finite.
struct CdLinsolClass {
    CdDesc desc;              // name and options; all of them numbers, truth values or words
    bool complex;             // factors complex systems; false: they are embedded
    bool allocates_in_factor; // through its library, which the context does not see
    bool consumes_values;     // factor overwrites the values, so the matrix is copied before
    bool halves;              // symmetric values are half the work
    bool takes_given;         // factor reads `given`, unless that is NULL

    CdStatus (*analyze)(CdLinsol *s); // fills map, sets nslots and data
    // *bad: column without pivot, in the caller's numbering
    CdStatus (*factor)(CdLinsol *s, int *bad);
    void (*solve)(CdLinsol *s, int nrhs, double *b, int ldb, bool transposed);
    // NULL, both: never
    bool (*sections)(const CdLinsol *s, const CdLinsolSections *sections);
    void (*solve_sections)(CdLinsol *s, const CdLinsolSections *sections, int begin, int end,
                           int worker, double *b);
    // optional, all or none
    CdLinsolParts (*parts)(const CdLinsol *s);
    void (*forward)(CdLinsol *s, int begin, int end, int worker, double *b);
    void (*between)(CdLinsol *s, int copy);
    void (*backward)(CdLinsol *s, int begin, int end, int worker, int copy, double *b);
    double (*weakest_pivot)(const CdLinsol *s, int *column);
    CdStatus (*inertia)(const CdLinsol *s, CdInertia *inertia); // NULL: never known
    int (*sign)(const CdLinsol *s, int unknown);                // NULL: never known
    void (*forget)(CdLinsol *s); // pivots of earlier matrices; NULL: there are none
    bool (*unbiased)(
        const CdLinsol *s);       // no earlier matrix has decided anything; NULL: one may have
    void (*destroy)(CdLinsol *s); // data NULL: analyze failed early
};

struct CdLinsol {
    const CdLinsolClass *cls;
    CdContext *ctx;
    CdArena arena;       // memory of the solver
    CdLinsolSetup setup; // with a copy of perm; its options and share are there during analyze only
    const CdLinsolClass *real; // that was asked for; an embedding rests on it
    const CdPattern *pattern;
    const void *options; // struct of the class; NULL in an embedding
    int n;
    size_t nslots;
    int *map;            // nnz
    double *values;      // nslots, pairs if complex
    CdCsc matrix;        // the values by columns; shares them if the map is the identity
    const double *given; // numbers that entries are found among, by setup.source; NULL: none
    bool made;           // the values are theirs
    double *own;         // nsource, of values that were set; NULL: never needed
    double *work;        // 2 n, pairs if complex; free for every operation
    bool finite;         // all values, as was seen when they were set
    void *data;          // the backend's
    enum { CD_LINSOL_EMPTY, CD_LINSOL_SINGULAR, CD_LINSOL_FACTORED } state;
    int bad_column, bad_row;
    CdLinsolStats stats;
};

extern const CdLinsolClass cdi_linsol_embed; // complex as real, not in the list

// largest |r_i a_ij| of every column into max; r NULL: ones
void cdi_linsol_column_max(const CdLinsol *s, const double *r, double *max);

#endif
