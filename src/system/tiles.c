// tiles.c - which items stand in tiles: those whose class has lanes, where there are enough
#include "system/tiles.h"

#include <stdlib.h>
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

// of one that follows a function of time: the lanes are those of the coordinate's joint
static const CdJointCoordinate *followed(const CdSystemLink *l, const CdFunction **motion) {
    const CdJointLaw *law = l->item->cls->joint;
    return law->follows ? law->follows(l->item->data, motion) : NULL;
}

static bool joint_fits(const CdSystemLink *l) {
    const CdFunction *motion;
    const CdJointCoordinate *of = followed(l, &motion);
    return l->nc > 0 && (of ? of->law->rel_lanes : l->item->cls->joint->lanes);
}

// the first lanes that an item fits; NULL: none
static const CdForceLanes *force_lanes(const CdForceLanes *lanes, const void *p) {
    while (lanes && lanes->fits && !lanes->fits(p)) lanes = lanes->other;
    return lanes;
}

static bool force_fits(const CdSystemLink *l) {
    return force_lanes(l->item->cls->force->lanes, l->item->data);
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

// ---- groups of up to eight items of one kind: of a class, joints with the same rows in force or
// the coordinate that they follow, forces with the same lanes

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
    const CdFunction *motion;
    const CdJointCoordinate *of = followed(a, &motion), *other = followed(b, &motion);
    if (of) return of->law == other->law && of->index == other->index;
    return a->nc == b->nc && memcmp(a->rows, b->rows, (size_t)a->nc * sizeof *a->rows) == 0;
}

static bool same_kind(const CdSystem *s, const CdItemClass *cls, int i, int j) {
    if (cls->joint) return same_rows(&s->joints[i], &s->joints[j]);
    const CdForceLanes *lanes = cls->force->lanes;
    return force_lanes(lanes, s->forces[i].item->data) ==
           force_lanes(lanes, s->forces[j].item->data);
}

// puts those of the kind of the first before the others, both in their order; how many
static int take_kind(const CdSystem *s, const CdItemClass *cls, int *list, int count, int *rest) {
    int kind = 0, others = 0;
    if (!cls->joint && !cls->force) return count;
    for (int k = 0; k < count; k++) {
        const bool same = same_kind(s, cls, list[0], list[k]);
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

static int compare_groups(const void *a, const void *b) {
    const Group *x = a, *y = b;
    return (x->item[0] > y->item[0]) - (x->item[0] < y->item[0]);
}

// in the order of their first items: neighbours in the model are neighbours in memory
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
    qsort(g->v, (size_t)g->n, sizeof *g->v, compare_groups);
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
    const CdBodyLaw *law = g->cls->body;
    *tile = (CdBodyTile){
        .law = cdi_item_lanes(g->cls, isa).body, .nq = law->nq, .nv = law->nv, .n = g->n};
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

// those without velocities never change
static void leave_out_fixed(const CdSystem *s, CdLone *lone) {
    int kept = 0;
    for (int i = 0; i < lone->n; i++) {
        if (s->bodies[lone->v[i]].law->nv > 0) lone->v[kept++] = lone->v[i];
    }
    lone->n = kept;
}

static CdStatus fill_bodies(CdSystem *s, CdArena *room, CdIsa isa, int min, CdSystemTiles *t) {
    Groups g;
    CD_TRY(group(s, room, s->nbodies, class_of_body, min, &g));
    t->lone_bodies = g.lone;
    leave_out_fixed(s, &t->lone_bodies);
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

// numbers of a link that its kernel reads: those of the joint that it follows, or its own
static void link_cells(const CdLinkTile *tile, const CdSystemLink *link, double *x) {
    const CdFunction *motion;
    const CdJointCoordinate *of = tile->joint ? followed(link, &motion) : NULL;
    (tile->joint ? tile->joint->cells : tile->force->cells)(of ? of->p : link->item->data, x);
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
        if (tile->sides == 2) fill_marker(s, link->b, 1, l, tile);
        if (np > 0) link_cells(tile, link, x);
        spread(np, x, l, tile->p);
    }
    return CD_OK;
}

static const CdItemClass *class_of_law(const CdJointLaw *law) {
    const CdItemClass *const *cls = cd_item_classes;
    while ((*cls)->joint != law) cls++;
    return *cls;
}

// joints that are a coordinate of another one, which follows a function of time: its row of all
static void fill_motion(const CdSystem *s, const Group *g, CdIsa isa, CdLinkTile *tile) {
    const CdJointCoordinate *of = followed(&s->joints[g->item[0]], &tile->motion[0]);
    tile->joint = cdi_item_lanes(class_of_law(of->law), isa).relative;
    tile->all = of->law->nrel;
    tile->rows[0] = of->index;
    tile->angle = cdi_coordinate_is_angle(of);
    for (int l = 0; l < CD_TILE; l++) followed(&s->joints[g->item[l]], &tile->motion[l]);
}

static CdStatus fill_joints(CdSystem *s, CdArena *room, CdIsa isa, int min, CdSystemTiles *t) {
    Groups g;
    CD_TRY(group(s, room, s->njoints, class_of_joint, min, &g));
    t->lone_joints = g.lone;
    t->joints = CD_TAKE(&s->arena, CdLinkTile, (size_t)g.n);
    if (!t->joints) return CD_NOMEM;
    for (; t->njoints < g.n; t->njoints++) {
        const Group *group = &g.v[t->njoints];
        const CdJointLaw *law = group->cls->joint;
        const CdSystemLink *one = &s->joints[group->item[0]];
        CdLinkTile *tile = &t->joints[t->njoints];
        *tile = (CdLinkTile){.joint = cdi_item_lanes(group->cls, isa).joint,
                             .sides = 2,
                             .size = one->nc,
                             .all = law->nc};
        memcpy(tile->rows, one->rows, sizeof tile->rows);
        if (law->follows) fill_motion(s, group, isa, tile);
        CD_TRY(fill_link(s, s->joints, group, tile));
    }
    return CD_OK;
}

static CdStatus fill_force(CdSystem *s, const Group *g, CdIsa isa, CdLinkTile *tile) {
    const CdForceLaw *law = g->cls->force;
    const CdForceLanes *lanes = cdi_item_lanes(g->cls, isa).force;
    *tile = (CdLinkTile){.force = force_lanes(lanes, s->forces[g->item[0]].item->data),
                         .sides = law->nmarkers,
                         .size = law->nmemory};
    if (law->inertia) tile->inertia = take_lanes(s, 1);
    if (law->inertia && !tile->inertia) return CD_NOMEM;
    for (int l = 0; law->inertia && l < CD_TILE; l++) {
        tile->inertia[l] = law->inertia(s->forces[g->item[l]].item->data);
    }
    return fill_link(s, s->forces, g, tile);
}

static CdStatus fill_forces(CdSystem *s, CdArena *room, CdIsa isa, int min, CdSystemTiles *t) {
    Groups g;
    CD_TRY(group(s, room, s->nforces, class_of_force, min, &g));
    t->lone_forces = g.lone;
    t->forces = CD_TAKE(&s->arena, CdLinkTile, (size_t)g.n);
    if (!t->forces) return CD_NOMEM;
    for (; t->nforces < g.n; t->nforces++) {
        CD_TRY(fill_force(s, &g.v[t->nforces], isa, &t->forces[t->nforces]));
        t->spins = t->spins || t->forces[t->nforces].inertia;
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
