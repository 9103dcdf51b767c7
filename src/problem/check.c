// check.c - mistakes in the description of a problem, all of them reported
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "problem/work.h"

typedef struct Check {
    CdContext *ctx;
    const CdProblem *u;
    const char *name;
    bool bad;
} Check;

static void mistake(Check *c, const char *fmt, ...) CD_PRINTF(2, 3);
static void mistake(Check *c, const char *fmt, ...) {
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    cdi_fail(c->ctx, CD_INVALID, "problem '%s': %s", c->name, text);
    c->bad = true;
}

static void require(Check *c, bool ok, const char *text) {
    if (!ok) mistake(c, "%s", text);
}

// a callback is there if and only if it is needed
static void paired(Check *c, bool needed, bool given, const char *callback, const char *size) {
    if (needed && !given) mistake(c, "%s > 0 needs '%s'", size, callback);
    if (!needed && given) mistake(c, "'%s' is useless with %s = 0", callback, size);
}

static void check_group(Check *c, const char *name, int n, const int *group) {
    for (int i = 0; group && i < n; i++) {
        if (group[i] >= 0 && group[i] < n) continue;
        mistake(c, "%s[%d] is %d, not a number from 0 to %d", name, i, group[i], n - 1);
        return;
    }
}

static void check_groups(Check *c) {
    const CdProblem *u = c->u;
    const int nc = u->ng + u->nn;
    require(c, !u->v_groups || u->constraint_groups || nc == 0,
            "v_groups without constraint_groups; give both or none");
    require(c, u->v_groups || !u->constraint_groups,
            "constraint_groups without v_groups; give both or none");
    check_group(c, "v_groups", u->nv, u->v_groups);
    check_group(c, "constraint_groups", nc, u->constraint_groups);
}

// sections follow each other from 0 to n
static void check_section(Check *c, const char *name, int n, const int *begin) {
    const int count = c->u->sections->n;
    bool good = begin && begin[0] == 0 && begin[count] == n;
    for (int k = 0; good && k < count; k++) good = begin[k] <= begin[k + 1];
    if (!good) mistake(c, "sections: numbers of %s do not rise from 0 to %d", name, n);
}

static void check_sections(Check *c) {
    const CdProblem *u = c->u;
    const CdSections *s = u->sections;
    if (!s) return;
    if (s->n < 1) {
        mistake(c, "sections: there are %d; give at least one, or none", s->n);
        return;
    }
    require(c, u->residual && s->begin && s->residual && s->retract && s->normalise,
            "sections need 'residual', and 'begin', 'residual', 'retract' and 'normalise' of their "
            "own");
    require(c, u->ny == 0 && u->nx == 0 && u->nn == 0, "sections need ny = nx = nn = 0");
    check_section(c, "q", u->nq > 0 ? u->nq : u->nv, s->q);
    check_section(c, "v", u->nv, s->v);
    check_section(c, "g", u->ng, s->g);
}

static void check_rows(Check *c) {
    const CdProblem *u = c->u;
    if (!u->residual_rows) return;
    require(c, u->residual, "'residual_rows' needs 'residual'");
    require(c, u->ny + u->nx + u->ng + u->nn == 0 && !u->retract,
            "'residual_rows' needs ny = nx = ng = nn = 0 and q' = v");
}

static bool check_sizes(Check *c) {
    const CdProblem *u = c->u;
    const int sizes[] = {u->nq, u->nv, u->ny, u->nx, u->ng,
                         u->nn, u->nz, u->np, u->nu, u->nrotations};
    const char *const names[] = {"nq", "nv", "ny", "nx", "ng",
                                 "nn", "nz", "np", "nu", "nrotations"};
    int64_t sum = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (sizes[k] < 0) mistake(c, "%s is %d; sizes are 0 or positive", names[k], sizes[k]);
        sum += sizes[k];
    }
    if (sum > INT_MAX / 8) mistake(c, "%lld unknowns are too many", (long long)sum);
    if (c->bad) return false;
    require(c, u->nv + u->ny > 0, "has no unknowns; give nv or ny");
    if (u->nq > 0 && u->nq < u->nv) {
        mistake(c,
                "nq = %d is less than nv = %d; there are at least as many coordinates as "
                "directions",
                u->nq, u->nv);
    }
    require(c, u->nv > 0 || u->nq == 0, "nq without nv; coordinates need velocities");
    require(c, u->nv > 0 || u->ng + u->nn == 0, "constraints (ng, nn) need nv > 0");
    if (u->redundant < 0 || u->redundant > u->ng + u->nn) {
        mistake(c, "redundant is %d of %d constraints", u->redundant, u->ng + u->nn);
    }
    int marked = 0;
    for (int i = 0; !c->bad && u->redundant_rows && i < u->ng + u->nn; i++) {
        marked += u->redundant_rows[i];
    }
    if (u->redundant_rows && marked != u->redundant) {
        mistake(c, "redundant_rows marks %d constraints, but %d are redundant", marked,
                u->redundant);
    }
    check_groups(c);
    check_sections(c);
    check_rows(c);
    return !c->bad;
}

static void check_first_order(Check *c) {
    const CdProblem *u = c->u;
    if (u->implicit) {
        require(c, !u->rate, "both 'rate' and 'implicit' are given; only one can be");
        require(c, u->ny > 0, "'implicit' is useless with ny = 0");
        require(c, u->nv == 0 && u->nx == 0, "'implicit' stands alone; nv and nx must be 0");
        require(c, !u->leading, "'leading' is useless with 'implicit'");
    } else {
        paired(c, u->ny > 0, u->rate, "rate", "ny");
        if (u->leading) paired(c, u->ny > 0, u->leading, "leading", "ny");
    }
    paired(c, u->nx > 0, u->algebra, "algebra", "nx");
    for (int i = 0; u->index && i < u->ny; i++) {
        if (u->index[i] < 1 || u->index[i] > 3) {
            mistake(c, "index of y[%d] is %d; it can be 1, 2 or 3", i, u->index[i]);
        }
    }
}

static void check_mechanical(Check *c) {
    const CdProblem *u = c->u;
    const int nc = u->ng + u->nn;
    paired(c, u->nv > 0, u->force, "force", "nv");
    if (u->mass) paired(c, u->nv > 0, u->mass, "mass", "nv");
    paired(c, u->ng > 0, u->constraint, "constraint", "ng");
    if (u->nn > 0) paired(c, true, u->constraint_jacobian, "constraint_jacobian", "nn");
    if (nc > 0) return;
    paired(c, false, u->constraint_jacobian, "constraint_jacobian", "ng + nn");
    paired(c, false, u->velocity_terms, "velocity_terms", "ng + nn");
    paired(c, false, u->velocity_slopes, "velocity_slopes", "ng + nn");
    paired(c, false, u->acceleration_terms, "acceleration_terms", "ng + nn");
}

bool cdi_problem_on_manifold(const CdProblem *u) {
    return u->kinematics || u->tangent || u->retract || u->difference;
}

static void check_manifold(Check *c) {
    const CdProblem *u = c->u;
    if ((u->nq == 0 || u->nq == u->nv) && !cdi_problem_on_manifold(u)) return;
    require(c, u->nv > 0, "has operations of a manifold but no nv");
    const char *why = u->nq > u->nv ? "nq > nv" : "a manifold";
    if (!u->kinematics) mistake(c, "%s needs 'kinematics'", why);
    if (!u->tangent) mistake(c, "%s needs 'tangent'", why);
    if (!u->retract) mistake(c, "%s needs 'retract'", why);
    if (!u->difference) mistake(c, "%s needs 'difference'", why);
}

// triples of velocities, one after the other
static void check_rotations(Check *c) {
    const CdProblem *u = c->u;
    int free = 0;
    if (u->nrotations == 0) return;
    require(c, u->retract && u->rotations, "nrotations > 0 needs 'retract' and 'rotations'");
    for (int k = 0; u->rotations && k < u->nrotations; k++) {
        const int first = u->rotations[k];
        if (first >= free && first <= u->nv - 3) {
            free = first + 3;
            continue;
        }
        mistake(c,
                "rotations[%d] is %d; rotations are three of %d velocities each and follow each "
                "other",
                k, first, u->nv);
        return;
    }
}

static void check_events(Check *c) {
    const CdProblem *u = c->u;
    paired(c, u->nz > 0, u->events, "events", "nz");
    require(c, !u->step_end || u->handle_event, "'step_end' needs 'handle_event'");
    require(c, !u->next_time || u->handle_event, "'next_time' needs 'handle_event'");
    if (u->discrete_size > 0) {
        require(c, u->save && u->load, "discrete_size > 0 needs 'save' and 'load'");
    } else {
        require(c, !u->save && !u->load, "'save' and 'load' are useless with discrete_size = 0");
    }
    paired(c, u->np > 0, u->p, "p", "np");
    paired(c, u->nu > 0, u->u, "u", "nu");
}

static void check_weights(Check *c) {
    const CdProblem *u = c->u;
    const int n = (u->nq > 0 ? u->nq : u->nv) + u->nv + u->ny + u->nx + u->ng + u->nn;
    for (int i = 0; u->weight && i < n; i++) {
        if (!(u->weight[i] >= 0) || !isfinite(u->weight[i])) {
            mistake(c, "weight %d is %g; weights are 0 or positive", i, u->weight[i]);
        }
    }
    const int own = !!u->lin_new + !!u->lin_setup + !!u->lin_solve + !!u->lin_free;
    require(c, own == 0 || own == 4,
            "own linear algebra is all of lin_new, lin_setup, lin_solve, lin_free");
}

// ascending rows in range; the first mistake is told
static void check_sparsity(Check *c, const CdSparsity *s, int rows, int cols, bool needed,
                           const char *what) {
    if (!s->ptr) {
        if (needed && (int64_t)rows * cols > INT_MAX) {
            mistake(c, "a full %s matrix of %d x %d is too large; give its sparsity", what, rows,
                    cols);
        }
        return;
    }
    if (s->ptr[0] != 0) {
        mistake(c, "%s sparsity: ptr[0] is %d; it must be 0", what, s->ptr[0]);
        return;
    }
    for (int j = 0; j < cols; j++) {
        if (s->ptr[j + 1] < s->ptr[j]) {
            mistake(c, "%s sparsity: ptr[%d] = %d is less than ptr[%d] = %d", what, j + 1,
                    s->ptr[j + 1], j, s->ptr[j]);
            return;
        }
        for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) {
            if (s->row[k] < 0 || s->row[k] >= rows) {
                mistake(c, "%s sparsity: column %d has row %d; rows are 0 ... %d", what, j,
                        s->row[k], rows - 1);
                return;
            }
            if (k > s->ptr[j] && s->row[k] <= s->row[k - 1]) {
                mistake(c, "%s sparsity: rows of column %d do not ascend (%d after %d)", what, j,
                        s->row[k], s->row[k - 1]);
                return;
            }
        }
    }
}

// masses are derivatives too; the first entry that is missing there is told
static void check_mass_entries(Check *c) {
    const CdSparsity *m = &c->u->mass_sparsity, *all = &c->u->sparsity;
    for (int j = 0; m->ptr && all->ptr && j < c->u->nv; j++) {
        int k = all->ptr[j];
        for (int i = m->ptr[j]; i < m->ptr[j + 1]; i++) {
            while (k < all->ptr[j + 1] && all->row[k] < m->row[i]) k++;
            if (k < all->ptr[j + 1] && all->row[k] == m->row[i]) continue;
            mistake(c, "mass sparsity: the derivative sparsity lacks row %d of column %d",
                    m->row[i], j);
            return;
        }
    }
}

CdStatus cdi_problem_check(CdContext *ctx, const CdProblem *u) {
    Check c = {.ctx = ctx, .u = u, .name = u->name ? u->name : "problem"};
    if (!check_sizes(&c)) return CD_INVALID;
    const int nd = u->nv + u->ny + u->nx;
    check_first_order(&c);
    check_mechanical(&c);
    check_manifold(&c);
    check_rotations(&c);
    check_events(&c);
    check_weights(&c);
    const bool full_mass = u->mass && !u->sparsity.ptr;
    // derivatives may never be needed
    check_sparsity(&c, &u->sparsity, nd, nd, false, "derivative");
    if (u->mass) check_sparsity(&c, &u->mass_sparsity, u->nv, u->nv, full_mass, "mass");
    if (!c.bad && u->mass) check_mass_entries(&c);
    require(&c, u->mass || !u->mass_sparsity.ptr, "'mass_sparsity' is useless without 'mass'");
    check_sparsity(&c, &u->constraint_sparsity, u->ng + u->nn, u->nv, true, "constraint");
    if (u->leading) check_sparsity(&c, &u->leading_sparsity, u->ny, u->ny, true, "leading");
    return c.bad ? CD_INVALID : CD_OK;
}
