// tiles.c - which items stand in tiles: those whose class has lanes, where there are enough
#include "system/tiles.h"

#include <string.h>

extern const CdTileOps cdi_tile_ops_base;
extern const CdSlopeOps cdi_slope_ops_base;
#if defined(__x86_64__)
extern const CdTileOps cdi_tile_ops_avx2, cdi_tile_ops_avx512;
extern const CdSlopeOps cdi_slope_ops_avx2, cdi_slope_ops_avx512;
#endif

const CdTileOps *cdi_tile_ops(CdIsa isa) {
    static const CdTileOps *const tables[CD_NISA] = {
        [CD_ISA_BASE] = &cdi_tile_ops_base,
#if defined(__x86_64__)
        [CD_ISA_AVX2] = &cdi_tile_ops_avx2,
        [CD_ISA_AVX512] = &cdi_tile_ops_avx512,
#endif
    };
    return isa <= cdi_isa() ? tables[isa] : NULL;
}

const CdSlopeOps *cdi_slope_ops(CdIsa isa) {
    static const CdSlopeOps *const tables[CD_NISA] = {
        [CD_ISA_BASE] = &cdi_slope_ops_base,
#if defined(__x86_64__)
        [CD_ISA_AVX2] = &cdi_slope_ops_avx2,
        [CD_ISA_AVX512] = &cdi_slope_ops_avx512,
#endif
    };
    return isa <= cdi_isa() ? tables[isa] : NULL;
}

// ---- what fits

static bool body_fits(const CdSystemBody *b) {
    return b->law->lanes;
}

static bool joint_fits(const CdSystemLink *l) {
    return l->item->cls->joint->lanes && l->nc > 0;
}

static bool force_fits(const CdSystemLink *l) {
    const CdForceLaw *law = l->item->cls->force;
    return law->lanes && !law->inertia && (!law->lanes->fits || law->lanes->fits(l->item->data));
}

// the class of an item; NULL: does not fit
typedef const CdItemClass *ClassOf(const CdSystem *s, int i);

static const CdItemClass *class_of_body(const CdSystem *s, int i) {
    return body_fits(&s->bodies[i]) ? s->bodies[i].item->cls : NULL;
}

static const CdItemClass *class_of_joint(const CdSystem *s, int i) {
    return joint_fits(&s->joints[i]) ? s->joints[i].item->cls : NULL;
}

static const CdItemClass *class_of_force(const CdSystem *s, int i) {
    return force_fits(&s->forces[i]) ? s->forces[i].item->cls : NULL;
}

// ---- groups of up to eight items of one kind: of a class, and of joints with the same rows in force

typedef struct Group {
    const CdItemClass *cls;
    int n, item[CD_TILE];
} Group;

typedef struct Groups {
    int n;
    Group *v;
    CdLone lone;
} Groups;

// numbers of the items of a class, how many
static int list_class(const CdSystem *s, int n, ClassOf *of, const CdItemClass *cls, int *list) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (of(s, i) == cls) list[count++] = i;
    }
    return count;
}

static bool same_rows(const CdSystemLink *a, const CdSystemLink *b) {
    return a->nc == b->nc && memcmp(a->rows, b->rows, (size_t)a->nc * sizeof *a->rows) == 0;
}

// puts those with the rows of the first before the others, both in their order; how many
static int take_kind(const CdSystem *s, const CdItemClass *cls, int *list, int count, int *rest) {
    int kind = 0, others = 0;
    if (!cls->joint || !cls->joint->rows) return count;
    for (int k = 0; k < count; k++) {
        const bool same = same_rows(&s->joints[list[0]], &s->joints[list[k]]);
        *(same ? &list[kind++] : &rest[others++]) = list[k];
    }
    memcpy(list + kind, rest, (size_t)others * sizeof *rest);
    return kind;
}

static void add_groups(Groups *g, const CdItemClass *cls, const int *list, int count) {
    for (int k = 0; k < count; k += CD_TILE) {
        Group *group = &g->v[g->n++];
        *group = (Group){.cls = cls, .n = count - k < CD_TILE ? count - k : CD_TILE};
        for (int l = 0; l < CD_TILE; l++) {
            group->item[l] = list[l < group->n ? k + l : k + group->n - 1];
        }
    }
}

static CdStatus group(CdSystem *s, CdArena *room, int n, ClassOf *of, int min, Groups *g) {
    int *list = CD_TAKE(room, int, (size_t)n), *rest = CD_TAKE(room, int, (size_t)n);
    bool *grouped = CD_TAKE(room, bool, (size_t)n);
    *g = (Groups){.v = CD_TAKE(room, Group, (size_t)n),
                  .lone.v = CD_TAKE(&s->arena, int, (size_t)n)};
    if (!list || !rest || !grouped || !g->v || !g->lone.v) return CD_NOMEM;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        const int count = list_class(s, n, of, *cls, list);
        for (int begin = 0, kind; begin < count; begin += kind) {
            kind = take_kind(s, *cls, list + begin, count - begin, rest);
            if (kind < min) continue;
            add_groups(g, *cls, list + begin, kind);
            for (int k = begin; k < begin + kind; k++) grouped[list[k]] = true;
        }
    }
    for (int i = 0; i < n; i++) {
        if (!grouped[i]) g->lone.v[g->lone.n++] = i;
    }
    return CD_OK;
}

// ---- tiles of groups

// numbers of one item to its lane
static void spread(int n, const double *x, int lane, double *to) {
    for (int k = 0; k < n; k++) to[CD_TILE * k + lane] = x[k];
}

static double *take_lanes(CdSystem *s, int n) {
    return cdi_arena_alloc(&s->arena, (size_t)(n > 0 ? n : 1) * CD_TILE * sizeof(double),
                           CD_ARENA_ALIGN);
}

// parameters of kernels
#define CELLS_MAX 64

static CdStatus fill_body(CdSystem *s, const Group *g, CdIsa isa, CdBodyTile *tile) {
    double x[CELLS_MAX];
    const CdBodyLaw *law = cdi_item_lanes(g->cls, isa)->body;
    *tile = (CdBodyTile){.law = law->lanes, .nq = law->nq, .nv = law->nv, .n = g->n};
    tile->p = take_lanes(s, tile->law->np);
    if (!tile->p) return CD_NOMEM;
    for (int l = 0; l < CD_TILE; l++) {
        const CdSystemBody *b = &s->bodies[g->item[l]];
        tile->body[l] = g->item[l];
        tile->q0[l] = b->q0;
        tile->v0[l] = b->v0;
        tile->law->cells(b->p, x);
        spread(tile->law->np, x, l, tile->p);
    }
    return CD_OK;
}

static CdStatus fill_bodies(CdSystem *s, CdArena *room, CdIsa isa, int min, CdSystemTiles *t) {
    Groups g;
    CD_TRY(group(s, room, s->nbodies, class_of_body, min, &g));
    t->lone_bodies = g.lone;
    t->bodies = CD_TAKE(&s->arena, CdBodyTile, (size_t)g.n);
    if (!t->bodies) return CD_NOMEM;
    for (; t->nbodies < g.n; t->nbodies++) {
        CD_TRY(fill_body(s, &g.v[t->nbodies], isa, &t->bodies[t->nbodies]));
    }
    return CD_OK;
}

static void fill_marker(const CdSystem *s, int marker, int side, int lane, CdLinkTile *tile) {
    const CdMarker *m = &s->model->markers.v[marker];
    double *x = tile->x + side * 12 * CD_TILE;
    tile->body[side][lane] = m->body;
    tile->v0[side][lane] = s->bodies[m->body].plain ? s->bodies[m->body].v0 : -1;
    spread(3, m->offset.p, lane, x);
    spread(9, m->offset.R, lane, x + 3 * CD_TILE);
}

static CdStatus fill_link(CdSystem *s, const CdSystemLink *links, const Group *g,
                          CdLinkTile *tile) {
    double x[CELLS_MAX];
    const int np = tile->joint ? tile->joint->np : tile->force->np;
    tile->n = g->n;
    tile->x = take_lanes(s, 2 * 12);
    tile->p = take_lanes(s, np);
    if (!tile->x || !tile->p) return CD_NOMEM;
    for (int l = 0; l < CD_TILE; l++) {
        const CdSystemLink *link = &links[g->item[l]];
        tile->link[l] = g->item[l];
        tile->at[l] = tile->joint ? link->row0 : link->memory0;
        fill_marker(s, link->a, 0, l, tile);
        fill_marker(s, link->b, 1, l, tile);
        (tile->joint ? tile->joint->cells : tile->force->cells)(link->item->data, x);
        spread(np, x, l, tile->p);
    }
    return CD_OK;
}

static CdStatus fill_joints(CdSystem *s, CdArena *room, CdIsa isa, int min, CdSystemTiles *t) {
    Groups g;
    CD_TRY(group(s, room, s->njoints, class_of_joint, min, &g));
    t->lone_joints = g.lone;
    t->joints = CD_TAKE(&s->arena, CdLinkTile, (size_t)g.n);
    if (!t->joints) return CD_NOMEM;
    for (; t->njoints < g.n; t->njoints++) {
        const Group *group = &g.v[t->njoints];
        const CdJointLaw *law = cdi_item_lanes(group->cls, isa)->joint;
        const CdSystemLink *one = &s->joints[group->item[0]];
        CdLinkTile *tile = &t->joints[t->njoints];
        *tile = (CdLinkTile){.joint = law->lanes, .size = one->nc, .all = law->nc};
        memcpy(tile->rows, one->rows, sizeof tile->rows);
        CD_TRY(fill_link(s, s->joints, group, tile));
    }
    return CD_OK;
}

static CdStatus fill_forces(CdSystem *s, CdArena *room, CdIsa isa, int min, CdSystemTiles *t) {
    Groups g;
    CD_TRY(group(s, room, s->nforces, class_of_force, min, &g));
    t->lone_forces = g.lone;
    t->forces = CD_TAKE(&s->arena, CdLinkTile, (size_t)g.n);
    if (!t->forces) return CD_NOMEM;
    for (; t->nforces < g.n; t->nforces++) {
        const CdForceLaw *law = cdi_item_lanes(g.v[t->nforces].cls, isa)->force;
        t->forces[t->nforces] = (CdLinkTile){.force = law->lanes, .size = law->nmemory};
        CD_TRY(fill_link(s, s->forces, &g.v[t->nforces], &t->forces[t->nforces]));
    }
    return CD_OK;
}

// ---- tiles that look alike: numbers that are the same are read from one place, which stays in the
// cache; many bodies and joints of a large model repeat themselves

// tiles that are looked back at: patterns of items seldom repeat themselves later
#define LOOK_BACK 6

static void read_from(double **mine, double *other, int n) {
    if (memcmp(*mine, other, (size_t)n * CD_TILE * sizeof **mine) == 0) *mine = other;
}

static void share_bodies(CdBodyTile *tiles, int n) {
    for (int k = 1; k < n; k++) {
        for (int i = k - 1; i >= 0 && i >= k - LOOK_BACK; i--) {
            if (tiles[i].law == tiles[k].law) read_from(&tiles[k].p, tiles[i].p, tiles[k].law->np);
        }
    }
}

static void share_links(CdLinkTile *tiles, int n) {
    for (int k = 1; k < n; k++) {
        CdLinkTile *tile = &tiles[k];
        const int np = tile->joint ? tile->joint->np : tile->force->np;
        for (int i = k - 1; i >= 0 && i >= k - LOOK_BACK; i--) {
            read_from(&tile->x, tiles[i].x, 2 * 12);
            if (tiles[i].joint == tile->joint && tiles[i].force == tile->force) {
                read_from(&tile->p, tiles[i].p, np);
            }
        }
    }
}

// ---- markers of links that are evaluated one by one

static void use_markers(const CdSystemLink *links, const CdLone *lone, bool *used) {
    for (int k = 0; k < lone->n; k++) {
        const CdSystemLink *l = &links[lone->v[k]];
        used[l->a] = true;
        if (l->b >= 0) used[l->b] = true;
    }
}

static CdStatus find_used(CdSystem *s, CdArena *room, CdSystemTiles *t) {
    bool *used = CD_TAKE(room, bool, (size_t)s->nmarkers);
    t->markers.v = CD_TAKE(&s->arena, int, (size_t)s->nmarkers);
    if (!used || !t->markers.v) return CD_NOMEM;
    use_markers(s->joints, &t->lone_joints, used);
    use_markers(s->forces, &t->lone_forces, used);
    for (int i = 0; i < s->nmarkers; i++) {
        if (used[i]) t->markers.v[t->markers.n++] = i;
    }
    return CD_OK;
}

static CdStatus fill(CdSystem *s, CdArena *room, CdIsa isa, int min, CdSystemTiles *t) {
    CD_TRY(fill_bodies(s, room, isa, min, t));
    CD_TRY(fill_joints(s, room, isa, min, t));
    CD_TRY(fill_forces(s, room, isa, min, t));
    share_bodies(t->bodies, t->nbodies);
    share_links(t->joints, t->njoints);
    share_links(t->forces, t->nforces);
    CD_TRY(find_used(s, room, t));
    return cdi_pulls_find(s, t);
}

CdStatus cdi_tiles_new(CdSystem *s, CdIsa isa, int min) {
    CdArena room;
    CdSystemTiles *t = CD_TAKE(&s->arena, CdSystemTiles, 1);
    if (!t) return CD_NOMEM;
    t->ops = cdi_tile_ops(isa);
    t->slopes = cdi_slope_ops(isa);
    cdi_arena_init(&room, s->ctx, 0);
    const CdStatus status = fill(s, &room, isa, min, t);
    cdi_arena_clear(&room);
    s->tiles = t;
    return status;
}

bool cdi_worth_sharing(const CdSystemWork *w) {
    const CdSystemTiles *t = w->system->tiles;
    const int lone = (t->lone_joints.n + t->lone_forces.n) / CD_TILE;
    return cd_pool_workers(w->pool) > 1 && t->njoints + t->nforces + lone > CD_SHARED_TILES;
}
