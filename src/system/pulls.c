// pulls.c - what links do to bodies, found body by body
//
//   r_b += sum of J_b^T F,   in the order in which one thread adds it link by link
//
// so that threads which share the bodies give the same bits.
#include "system/tiles.h"

typedef struct Builder {
    CdPulls *pulls;
    const CdSystem *s;
    bool count; // only
} Builder;

// one side of a link
static void add(const Builder *b, int body, CdPull pull) {
    CdPulls *p = b->pulls;
    if (b->s->bodies[body].law->nv == 0) return;
    if (b->count) {
        p->begin[body + 1]++;
    } else {
        p->v[p->begin[body]++] = pull;
    }
}

static void add_tiles(const Builder *b, const CdLinkTile *tiles, int n) {
    for (int k = 0; k < n; k++) {
        for (int l = 0; l < tiles[k].n; l++) {
            for (int side = 0; side < tiles[k].sides; side++) {
                const int at = 2 * CD_BODY_NV_MAX * tiles[k].link[l] + 6 * side;
                add(b, tiles[k].body[side][l], (CdPull){at, false});
            }
        }
    }
}

static void add_lone(const Builder *b, const CdSystemLink *links, const CdLone *lone) {
    const CdMarker *markers = b->s->model->markers.v;
    for (int i = 0; i < lone->n; i++) {
        const CdSystemLink *l = &links[lone->v[i]];
        const int at = 2 * CD_BODY_NV_MAX * lone->v[i];
        add(b, markers[l->a].body, (CdPull){at, true});
        if (l->b >= 0) add(b, markers[l->b].body, (CdPull){at + l->na, true});
    }
}

static CdStatus find(CdSystem *s, const CdLinkTile *tiles, int ntiles, const CdSystemLink *links,
                     const CdLone *lone, CdPulls *pulls) {
    const int n = s->nbodies;
    Builder b = {pulls, s, true};
    pulls->begin = CD_TAKE(&s->arena, int, (size_t)n + 1);
    if (!pulls->begin) return CD_NOMEM;
    add_tiles(&b, tiles, ntiles);
    add_lone(&b, links, lone);
    for (int i = 0; i < n; i++) pulls->begin[i + 1] += pulls->begin[i];
    pulls->v = CD_TAKE(&s->arena, CdPull, (size_t)pulls->begin[n]);
    if (!pulls->v) return CD_NOMEM;
    b.count = false;
    add_tiles(&b, tiles, ntiles);
    add_lone(&b, links, lone);
    // every begin has become the end
    for (int i = n; i > 0; i--) pulls->begin[i] = pulls->begin[i - 1];
    pulls->begin[0] = 0;
    return CD_OK;
}

CdStatus cdi_pulls_find(CdSystem *s, CdSystemTiles *t) {
    CD_TRY(find(s, t->forces, t->nforces, s->forces, &t->lone_forces, &t->pulls_of_forces));
    return find(s, t->joints, t->njoints, s->joints, &t->lone_joints, &t->pulls_of_joints);
}

// of a rigid body
static void add_plain(const CdPull *pull, int n, double sign, const double *sums, double *r) {
    double f[6];
    for (int i = 0; i < 6; i++) f[i] = r[i];
    for (int k = 0; k < n; k++) {
        const double *F = sums + pull[k].at;
        for (int i = 0; i < 6; i++) f[i] += sign * F[i];
    }
    for (int i = 0; i < 6; i++) r[i] = f[i];
}

static void add_other(const CdSystemBody *b, CdPull pull, double sign, const double *sums,
                      double *r) {
    const double *F = sums + pull.at;
    const int nv = b->law->nv;
    for (int j = 0; j < nv; j++) {
        double f = 0;
        for (int i = 0; !pull.lone && i < 6; i++) f += b->J[i * nv + j] * F[i];
        r[j] += sign * (pull.lone ? F[j] : f);
    }
}

void cdi_pulls_add(const CdSystem *s, const CdPulls *pulls, int body, double sign,
                   const double *sums, double *r) {
    const CdSystemBody *b = &s->bodies[body];
    const CdPull *pull = pulls->v + pulls->begin[body];
    const int n = pulls->begin[body + 1] - pulls->begin[body];
    if (b->plain) {
        add_plain(pull, n, sign, sums, r + b->v0);
        return;
    }
    for (int k = 0; k < n; k++) add_other(b, pull[k], sign, sums, r + b->v0);
}
