// save.c - all memory of a run as bytes, so that another integrator continues bit for bit
//
// One function walks over everything that is saved, in one order; it counts, writes or reads as
// asked. The bytes begin with a head by which foreign ones are refused, and a checksum.
#include <stdint.h>
#include <string.h>

#include "base/float_mode.h"
#include "base/hash.h"
#include "integrators/driver.h"

#define MAGIC "cardan\1\n"
#define VERSION 1
// every piece begins at a multiple of this
#define PIECE_ALIGN 16

typedef struct Head {
    char magic[8];
    uint32_t version, epoch;
    uint64_t method;   // hash of its name
    uint64_t size;     // of all bytes
    uint64_t checksum; // of all that follows
    int32_t sizes[8];  // of the problem
} Head;

typedef enum Mode { COUNT, WRITE, READ } Mode;

typedef struct Walk {
    Mode mode;
    size_t n; // bytes so far
    char *bytes;
} Walk;

static size_t aligned(size_t n) {
    return (n + PIECE_ALIGN - 1) / PIECE_ALIGN * PIECE_ALIGN;
}

// the next n bytes of the walk
static char *piece(Walk *w, size_t n) {
    char *at = w->bytes ? w->bytes + w->n : NULL;
    w->n += aligned(n);
    return at;
}

static void walk(Walk *w, void *p, size_t n) {
    char *at = piece(w, n);
    if (n == 0 || w->mode == COUNT) return;
    memcpy(w->mode == WRITE ? at : p, w->mode == WRITE ? p : at, n);
}

static void walk_list(Walk *w, const CdiKeptList *list) {
    for (const CdiKept *k = list->first; k; k = k->next) walk(w, k->p, k->n);
}

// the path is a text of this process
static void walk_statistics(Walk *w, CdStatistics *s) {
    const char *path = s->path;
    CdStatistics copy = *s;
    copy.path = NULL;
    walk(w, &copy, sizeof copy);
    *s = copy;
    s->path = path;
}

static void walk_discrete(Walk *w, const CdProblem *user) {
    char *at = piece(w, user->discrete_size);
    if (w->mode == WRITE && user->save) user->save(user->data, at);
    if (w->mode == READ && user->load) user->load(user->data, at);
    walk(w, user->p, user->p ? (size_t)user->np * sizeof *user->p : 0);
    walk(w, user->u, user->u ? (size_t)user->nu * sizeof *user->u : 0);
}

// pivots behind accelerations and projections
static CdStatus walk_solutions(Walk *w, CdiProblem *p) {
    char *at = piece(w, cdi_problem_save_size(p));
    if (w->mode == WRITE) cdi_problem_save(p, at);
    if (w->mode != READ) return CD_OK;
    cdi_problem_changed(p);
    return cdi_problem_load(p, at);
}

static CdStatus walk_method(Walk *w, CdIntegrator *it) {
    const CdIntegratorClass *cls = it->cls;
    walk(w, it->method, cls->saved);
    walk_list(w, &it->driver->kept);
    char *at = piece(w, cls->save_size ? cls->save_size(it) : 0);
    if (w->mode == WRITE && cls->save) cls->save(it, at);
    return w->mode == READ && cls->load ? cls->load(it, at) : CD_OK;
}

static CdStatus walk_all(Walk *w, CdIntegrator *it) {
    walk(w, &it->now.t, sizeof it->now.t);
    walk(w, &it->t_old, sizeof it->t_old);
    walk(w, &it->h, sizeof it->h);
    walk(w, &it->h_next, sizeof it->h_next);
    walk_list(w, &it->driver->own);
    walk_statistics(w, it->stats);
    walk_discrete(w, &it->problem->user);
    CD_TRY(walk_solutions(w, it->problem));
    return walk_method(w, it);
}

size_t cd_integrator_save_size(const CdIntegrator *it) {
    if (!it->cls->can_save) return 0;
    Walk w = {.mode = COUNT, .n = aligned(sizeof(Head))};
    // counting changes nothing
    (void)walk_all(&w, (CdIntegrator *)it);
    return w.n;
}

static Head head_of(const CdIntegrator *it, size_t size) {
    const CdiProblem *p = it->problem;
    const char *name = it->cls->desc.name;
    return (Head){
        .magic = MAGIC,
        .version = VERSION,
        .epoch = it->driver->numbers->epoch,
        .method = cdi_hash(CD_HASH_BEGIN, name, strlen(name)),
        .size = size,
        .sizes = {p->nq, p->nv, p->ny, p->nx, p->ng, p->nn, p->user.nz, it->options->form}};
}

static CdStatus check_size(const CdIntegrator *it, const char *what, const void *bytes, size_t size,
                           size_t needed) {
    if (!it->cls->can_save) {
        return cdi_integrator_fail(it, CD_INVALID,
                                   "this method cannot be saved and continued; take one that can, "
                                   "such as dopri5 or radau5");
    }
    if (!bytes) return cdi_integrator_fail(it, CD_INVALID, "%s is not given", what);
    if (size == needed) return CD_OK;
    return cdi_integrator_fail(it, CD_INVALID, "%s has %zu bytes; %zu are needed", what, size,
                               needed);
}

CdStatus cd_integrator_save(CdIntegrator *it, void *to, size_t size) {
    const size_t needed = cd_integrator_save_size(it), begin = aligned(sizeof(Head));
    CD_TRY(check_size(it, "the memory to save to", to, size, needed));
    if (!it->driver->numbers->started) {
        return cdi_integrator_fail(it, CD_INVALID, "is not started, so there is nothing to save");
    }
    if (it->cls->settle) it->cls->settle(it);
    // what lies between pieces is a part of the checksum
    memset(to, 0, size);
    Walk w = {.mode = WRITE, .n = begin, .bytes = to};
    CD_TRY(walk_all(&w, it));
    Head head = head_of(it, size);
    head.checksum = cdi_hash(CD_HASH_BEGIN, (char *)to + begin, size - begin);
    memcpy(to, &head, sizeof head);
    return CD_OK;
}

static CdStatus check_head(const CdIntegrator *it, const Head *head, size_t size) {
    const Head own = head_of(it, size);
    if (memcmp(head->magic, own.magic, sizeof own.magic) != 0 || head->version != own.version) {
        return cdi_integrator_fail(it, CD_INVALID, "these bytes were not saved by this program");
    }
    if (head->method != own.method) {
        return cdi_integrator_fail(it, CD_INVALID, "these bytes were saved by another method");
    }
    if (memcmp(head->sizes, own.sizes, sizeof own.sizes) != 0 || head->epoch != own.epoch) {
        return cdi_integrator_fail(it, CD_INVALID,
                                   "these bytes were saved with a problem of other sizes or form");
    }
    return CD_OK;
}

CdStatus cd_integrator_load(CdIntegrator *it, const void *from, size_t size) {
    const size_t begin = aligned(sizeof(Head));
    Head head;
    if (from && size >= begin && it->cls->can_save) {
        memcpy(&head, from, sizeof head);
        CD_TRY(check_head(it, &head, size));
    }
    CD_TRY(check_size(it, "what is to be loaded", from, size, cd_integrator_save_size(it)));
    if (head.checksum != cdi_hash(CD_HASH_BEGIN, (const char *)from + begin, size - begin)) {
        return cdi_integrator_fail(it, CD_INVALID, "the saved bytes are damaged");
    }
    const uint64_t blocks = cd_context_memory(it->ctx).total_blocks;
    // reading does not write to them
    Walk w = {.mode = READ, .n = begin, .bytes = (char *)from};
    const uint32_t mode = cdi_float_set(CDI_FLUSH); // as in the run, for what is factored again
    const CdStatus status = walk_all(&w, it);
    cdi_float_set(mode);
    it->driver->numbers->allocations = blocks;
    it->driver->numbers->started = status == CD_OK;
    return status;
}
