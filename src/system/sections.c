// sections.c - islands of a system, some in a row, that have items, tiles and numbers of their own
//
// A cut before body b parts bodies 0 ... b - 1 from the others. It is open if
//
//   no tile and no link has moving bodies on both sides, and in every list those of the first side
//   come before those of the other
//
// so that a section between two open cuts is a run of bodies, of tiles, of links, of velocities and
// of constraints. Bodies that cannot move are on no side.
#include <string.h>

#include "system/link.h"
#include "system/tiles.h"

// velocities that are worth a section
#define VELOCITIES_MIN 32
// that are worth threads; linear solvers take up to eight islands at once
#define SECTIONS_MIN 2
#define ISLANDS_MIN 16

// bodies that an item touches; last < first: none that moves
typedef struct Reach {
    int first, last;
} Reach;

typedef struct Finder {
    CdSystem *s;
    int *closed; // by body, how many cuts are closed from it on; summed up later
    Reach so_far;
} Finder;

static void extend(const CdSystem *s, Reach *r, int body) {
    if (s->bodies[body].law->nv == 0) return;
    if (body < r->first) r->first = body;
    if (body > r->last) r->last = body;
}

static Reach nothing(const CdSystem *s) {
    return (Reach){s->nbodies, -1};
}

static Reach reach_of_link(const CdSystem *s, const CdSystemLink *l) {
    const CdMarker *m = s->model->markers.v;
    Reach r = nothing(s);
    extend(s, &r, m[l->a].body);
    if (l->b >= 0) extend(s, &r, m[l->b].body);
    return r;
}

static Reach reach_of_tile(const CdSystem *s, const CdLinkTile *tile) {
    Reach r = nothing(s);
    for (int side = 0; side < tile->sides; side++) {
        for (int l = 0; l < tile->n; l++) extend(s, &r, tile->body[side][l]);
    }
    return r;
}

static Reach reach_of_body_tile(const CdSystem *s, const CdBodyTile *tile) {
    Reach r = nothing(s);
    for (int l = 0; l < tile->n; l++) extend(s, &r, tile->body[l]);
    return r;
}

// item `i` of one of the lists; where it ends is known by cdi_span_sizes
static Reach reach_of(const CdSystem *s, int list, int i) {
    const CdSystemTiles *t = s->tiles;
    switch (list) {
    case CD_SPAN_BODY_TILES: return reach_of_body_tile(s, &t->bodies[i]);
    case CD_SPAN_MARKERS: i = s->model->markers.v[t->markers.v[i]].body; break;
    case CD_SPAN_LONE_BODIES: i = t->lone_bodies.v[i]; break;
    case CD_SPAN_JOINT_TILES: return reach_of_tile(s, &t->joints[i]);
    case CD_SPAN_LONE_JOINTS: return reach_of_link(s, &s->joints[t->lone_joints.v[i]]);
    case CD_SPAN_FORCE_TILES: return reach_of_tile(s, &t->forces[i]);
    case CD_SPAN_JOINTS: return reach_of_link(s, &s->joints[i]);
    case CD_SPAN_FORCES: return reach_of_link(s, &s->forces[i]);
    case CD_SPAN_LONE_FORCES: return reach_of_link(s, &s->forces[t->lone_forces.v[i]]);
    }
    Reach r = nothing(s);
    extend(s, &r, i);
    return r;
}

// ---- cuts

// the next item of a list: it holds its bodies together, and with those of items before it that
// come after them
static void add(Finder *f, Reach r) {
    if (r.last < r.first) return;
    const int last = r.last > f->so_far.last ? r.last : f->so_far.last;
    f->closed[r.first + 1]++;
    f->closed[last + 1]--;
    f->so_far.last = last;
}

static void close_list(Finder *f, int list) {
    int n[CD_SPANS];
    cdi_span_sizes(f->s, n);
    f->so_far = nothing(f->s);
    for (int i = 0; i < n[list]; i++) add(f, reach_of(f->s, list, i));
}

// where bodies with velocities begin that have nothing to do with those before
static int count_islands(const Finder *f) {
    const CdSystem *s = f->s;
    int n = 0;
    for (int b = 0, closed = 0; b < s->nbodies; b++) {
        closed += f->closed[b];
        n += closed == 0 && s->bodies[b].law->nv > 0;
    }
    return n;
}

// how many islands there are beside
static int close_cuts(Finder *f) {
    close_list(f, CD_SPAN_JOINTS);
    close_list(f, CD_SPAN_FORCES);
    const int islands = count_islands(f);
    for (int list = 0; list < CD_SPANS; list++) {
        if (list != CD_SPAN_JOINTS && list != CD_SPAN_FORCES) close_list(f, list);
    }
    for (int b = 1; b <= f->s->nbodies; b++) f->closed[b] += f->closed[b - 1];
    return islands;
}

// first body of every section, and one more; enough velocities in each
static int choose_cuts(const Finder *f, int *cut) {
    const CdSystem *s = f->s;
    int n = 0;
    cut[0] = 0;
    for (int b = 1; b < s->nbodies; b++) {
        const int since = s->bodies[b].v0 - s->bodies[cut[n]].v0;
        if (f->closed[b] == 0 && since >= VELOCITIES_MIN) cut[++n] = b;
    }
    if (n > 0 && s->nv - s->bodies[cut[n]].v0 < VELOCITIES_MIN) n--;
    cut[++n] = s->nbodies;
    return n;
}

// ---- tables

// how many of a list come before every cut
static void count_list(const CdSystem *s, int list, int size, int n, const int *cut,
                       int (*begin)[CD_SPANS]) {
    int i = 0;
    for (int k = 0; k <= n; k++) {
        while (i < size && reach_of(s, list, i).last < cut[k]) i++;
        begin[k][list] = k == n ? size : i;
    }
}

static void count_rows(const CdSystem *s, int n, const int *cut, int *g) {
    int i = 0;
    for (int k = 0; k <= n; k++) {
        while (i < s->njoints && reach_of_link(s, &s->joints[i]).last < cut[k]) i++;
        g[k] = i < s->njoints ? s->joints[i].row0 : s->ng;
    }
}

static CdStatus begin_evaluation(void *data) {
    return cdi_system_cancelled(data) ? CD_CANCELLED : CD_OK;
}

static CdStatus make(CdSystem *s, int islands, int n, const int *cut) {
    const size_t size = (size_t)n + 1;
    CdSystemSections *out = CD_TAKE(&s->arena, CdSystemSections, 1);
    int *q = CD_TAKE(&s->arena, int, 3 * size), *v = q + size, *g = v + size, lists[CD_SPANS];
    if (!out || !q) return CD_NOMEM;
    out->begin = cdi_arena_alloc(&s->arena, size * sizeof *out->begin, _Alignof(int));
    if (!out->begin) return CD_NOMEM;
    cdi_span_sizes(s, lists);
    for (int list = 0; list < CD_SPANS; list++) {
        count_list(s, list, lists[list], n, cut, out->begin);
    }
    for (int k = 0; k <= n; k++) {
        out->begin[k][CD_SPAN_BODIES] = cut[k];
        q[k] = k < n ? s->bodies[cut[k]].q0 : s->nq;
        v[k] = k < n ? s->bodies[cut[k]].v0 : s->nv;
    }
    count_rows(s, n, cut, g);
    out->user = (CdSections){.n = n,
                             .q = q,
                             .v = v,
                             .g = g,
                             .begin = begin_evaluation,
                             .residual = cdi_system_sections_residual,
                             .retract = cdi_system_sections_retract,
                             .normalise = cdi_system_sections_normalise,
                             .step_end = cdi_system_sections_step_end};
    out->islands = islands;
    s->sections = out;
    return CD_OK;
}

CdStatus cdi_system_sections_find(CdSystem *s) {
    CdArena room;
    if (s->ncoordinates > 0 || s->signals || s->plain || s->nbodies < 2) return CD_OK;
    cdi_arena_init(&room, s->ctx, 0);
    Finder f = {.s = s, .closed = CD_TAKE(&room, int, (size_t)s->nbodies + 2)};
    int *cut = CD_TAKE(&room, int, (size_t)s->nbodies + 1);
    CdStatus status = f.closed && cut ? CD_OK : CD_NOMEM;
    if (status == CD_OK) {
        const int islands = close_cuts(&f), n = choose_cuts(&f, cut);
        if (n > 1) status = make(s, islands, n, cut);
    }
    cdi_arena_clear(&room);
    return status;
}

bool cdi_system_is_apart(const CdSystem *s) {
    return s->sections && s->sections->user.n >= SECTIONS_MIN &&
           s->sections->islands >= ISLANDS_MIN;
}

// ---- spans

void cdi_span_sizes(const CdSystem *s, int n[CD_SPANS]) {
    const CdSystemTiles *t = s->tiles;
    n[CD_SPAN_BODIES] = s->nbodies;
    n[CD_SPAN_BODY_TILES] = t->nbodies;
    n[CD_SPAN_LONE_BODIES] = t->lone_bodies.n;
    n[CD_SPAN_MARKERS] = t->markers.n;
    n[CD_SPAN_JOINTS] = s->njoints;
    n[CD_SPAN_JOINT_TILES] = t->njoints;
    n[CD_SPAN_LONE_JOINTS] = t->lone_joints.n;
    n[CD_SPAN_FORCES] = s->nforces;
    n[CD_SPAN_FORCE_TILES] = t->nforces;
    n[CD_SPAN_LONE_FORCES] = t->lone_forces.n;
}

CdSpan cdi_span_of_shares(const CdSystem *s, size_t begin, size_t end) {
    CdSpan span;
    int n[CD_SPANS];
    cdi_span_sizes(s, n);
    for (int k = 0; k < CD_SPANS; k++) {
        span.begin[k] = cdi_share(n[k], begin);
        span.end[k] = cdi_share(n[k], end);
    }
    return span;
}

CdSpan cdi_span_of_sections(const CdSystem *s, int first, int end) {
    CdSpan span;
    memcpy(span.begin, s->sections->begin[first], sizeof span.begin);
    memcpy(span.end, s->sections->begin[end], sizeof span.end);
    return span;
}
