// native_chunks.c - which panels are filled together, and when
//
// Panels are needed in the order of elimination: that of a supernode, then those of its targets.
// They are filled with zeros and numbers of A a few at a time, so that large systems are read once
// and not three times.
#include "linalg/native.h"

// numbers of panels that are filled at once; half a first cache
#define CHUNK_NUMBERS 2048

typedef struct Chunks {
    CdiNativePart *part;
    int *owner;  // supernode of a column
    int *chunk;  // of a supernode, -1: not needed yet
    int *order;  // supernodes as they are needed
    int n;       // of them so far
    int numbers; // in the last chunk
} Chunks;

// a supernode is needed now, if not before
static void need(Chunks *c, int node) {
    CdiNativePart *part = c->part;
    if (c->chunk[node] >= 0) return;
    if (part->nchunks == 0 || c->numbers >= CHUNK_NUMBERS) {
        part->nchunks++;
        c->numbers = 0;
    }
    c->chunk[node] = part->nchunks - 1;
    c->numbers += (part->second > 0 ? 2 : 1) * (int)cdi_native_size(part, &part->supernodes[node]);
    c->order[c->n++] = node;
}

static void find_order(Chunks *c) {
    CdiNativePart *part = c->part;
    for (int k = 0; k <= part->nsupernodes; k++) {
        CdiSupernode *s = &part->supernodes[k];
        need(c, k);
        for (int i = 0; i < s->nrows; i++) need(c, c->owner[part->rows[s->rows + i]]);
        s->chunk = c->chunk[k];
        s->need = part->nchunks;
    }
}

// panels that follow each other are one range
static void put_range(CdiNativePart *part, CdiNativeChunk *chunk, int begin, int end) {
    int *last = part->ranges + 2 * (chunk->range + chunk->nranges - 1);
    if (chunk->nranges > 0 && (last[1] == begin || last[0] == end)) {
        last[last[1] == begin] = last[1] == begin ? end : begin;
        return;
    }
    last[2] = begin;
    last[3] = end;
    chunk->nranges++;
}

static void find_ranges(const Chunks *c) {
    CdiNativePart *part = c->part;
    int begin = 0, range = 0;
    for (int k = 0; k < part->nchunks; k++) {
        CdiNativeChunk *chunk = &part->chunks[k];
        int end = begin;
        while (end < c->n && c->chunk[c->order[end]] == k) end++;
        chunk->range = range;
        for (int second = 0; second <= (part->second > 0); second++) {
            for (int i = begin; i < end; i++) {
                const CdiSupernode *s = &part->supernodes[c->order[i]];
                const int at = s->at + second * s->second;
                put_range(part, chunk, at, at + (int)cdi_native_size(part, s));
            }
        }
        range += chunk->nranges;
        begin = end;
    }
}

// a chunk serves until a supernode needs more
static void find_columns(CdiNativePart *part) {
    int ready = 0;
    for (int k = 0; k < part->nsupernodes; k++) {
        const CdiSupernode *s = &part->supernodes[k];
        for (; ready < s->need; ready++) part->chunks[ready].column = s->first;
    }
    for (; ready < part->nchunks; ready++) part->chunks[ready].column = part->n;
    for (int k = 0; k < part->nchunks; k++) {
        part->chunks[k].end = k + 1 < part->nchunks ? part->chunks[k + 1].column : part->n;
    }
}

CdStatus cdi_native_chunks(CdArena *scratch, CdArena *arena, CdiNativePart *part) {
    const size_t n = (size_t)part->n + (size_t)part->nouter, nodes = (size_t)part->nsupernodes + 1;
    Chunks c = {.part = part};
    c.owner = CD_TAKE(scratch, int, n);
    c.chunk = CD_TAKE(scratch, int, nodes);
    c.order = CD_TAKE(scratch, int, nodes);
    part->ranges = CD_TAKE(arena, int, 4 * nodes);
    if (!c.owner || !c.chunk || !c.order || !part->ranges) return CD_NOMEM;
    for (int k = 0; k <= part->nsupernodes; k++) {
        const CdiSupernode *s = &part->supernodes[k];
        for (int i = 0; i < s->ncols; i++) c.owner[s->first + i] = k;
        c.chunk[k] = -1;
    }
    find_order(&c);
    part->chunks = CD_TAKE(arena, CdiNativeChunk, (size_t)part->nchunks);
    if (!part->chunks) return CD_NOMEM;
    find_ranges(&c);
    find_columns(part);
    return CD_OK;
}

// they are in the order of steps, and so are chunks
void cdi_native_chunk_pairs(CdiNativeTree *t) {
    int pair = 0;
    for (int k = 0; k <= t->nunits; k++) {
        const CdiNativeUnit *u = &t->units[k];
        for (int i = 0; i < u->part->nchunks; i++) {
            CdiNativeChunk *chunk = &u->part->chunks[i];
            chunk->pair = pair;
            while (pair < t->npairs && t->pair[CDI_PAIR_SIZE * pair] < u->step + chunk->end) pair++;
            chunk->pair_end = pair;
        }
    }
}

// targets of system i of unit k; they are written where there is room for them, and counted
static void put_edge(CdiNativeTree *t, int k, int i) {
    const CdiNativePart *top = t->units[t->nunits].part;
    const CdiNativeEdge *e = &t->edges[t->units[k].edge + i];
    for (int g = e->target; g < e->target + e->ntargets; g++) {
        CdiNativeChunk *to = &top->chunks[top->supernodes[t->edge_targets[g].to].chunk];
        const int at = to->incoming + to->nincoming++;
        if (t->incoming) t->incoming[at] = (CdiNativeIncoming){k, i, g};
    }
}

static void put_edges(CdiNativeTree *t) {
    for (int k = 0; k < t->nunits; k++) {
        for (int i = 0; i < t->units[k].count; i++) put_edge(t, k, i);
    }
}

CdStatus cdi_native_chunk_edges(CdiNativeTree *t) {
    const CdiNativePart *top = t->units[t->nunits].part;
    int n = 0;
    put_edges(t);
    for (int k = 0; k < top->nchunks; k++) {
        top->chunks[k].incoming = n;
        n += top->chunks[k].nincoming;
        top->chunks[k].nincoming = 0;
    }
    t->incoming = CD_TAKE(&t->arena, CdiNativeIncoming, (size_t)n);
    if (!t->incoming) return CD_NOMEM;
    put_edges(t);
    return CD_OK;
}
