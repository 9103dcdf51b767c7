// alpha_motion.c - loops over V of one step of the generalised-alpha family, shared by threads
//
// V is cut into blocks of fixed length; norms are sums of their sums in order, so that bits do not
// depend on the number of threads. Positions in linear spaces move with their velocities.
#include "base/pool.h"
#include "integrators/gen_alpha.h"

#define BLOCK CDI_ALPHA_BLOCK
#define GRAIN 2 // blocks that are worth another thread

typedef struct Part {
    CdIntegrator *it;
    const CdAlphaStep *s;
    size_t from, n; // of V
    bool of_q;      // it has positions
} Part;

static size_t blocks(const Part *p) {
    return (p->n + BLOCK - 1) / BLOCK;
}

// where block k begins in V, and how long it is
static size_t block(const Part *p, size_t k, size_t *n) {
    const size_t begin = k * BLOCK, rest = p->n - begin;
    *n = rest < BLOCK ? rest : BLOCK;
    return p->from + begin;
}

static void predict_range(void *user, size_t begin, size_t end, int worker) {
    const Part *p = user;
    const CdAlphaMemory *m = p->it->method;
    double *V = cdi_alpha_velocities(&p->it->now), *V0 = cdi_alpha_velocities(&m->old);
    double *A = cdi_alpha_accelerations(&p->it->now), *A0 = cdi_alpha_accelerations(&m->old);
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        size_t n;
        const size_t i = block(p, k, &n);
        CdAlphaPast past;
        if (p->s->more) past = cdi_alpha_past(m, i);
        m->ops->predict(n, p->s, V + i, A + i, m->a + i, V0 + i, A0 + i, m->a_old + i,
                        p->s->more ? &past : NULL, p->of_q ? p->it->now.q + i : NULL,
                        p->of_q ? m->old.q + i : NULL);
    }
}

static void move_range(void *user, size_t begin, size_t end, int worker) {
    const Part *p = user;
    const CdAlphaMemory *m = p->it->method;
    double *V = cdi_alpha_velocities(&p->it->now), *A = cdi_alpha_accelerations(&p->it->now);
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        size_t n;
        const size_t i = block(p, k, &n);
        m->sums[k] = m->ops->move(n, p->s, m->b + i, m->scale + i, V + i, A + i, m->a + i,
                                  p->of_q ? p->it->now.q + i : NULL);
    }
}

// V in linear spaces first, then what has no positions, or has them on a manifold
static int parts(CdIntegrator *it, const CdAlphaStep *s, Part out[2]) {
    const CdAlphaMemory *m = it->method;
    const size_t linear = it->problem->vector_space ? (size_t)it->problem->nv : 0;
    const size_t rest = (size_t)m->nV - linear;
    int n = 0;
    if (linear > 0) out[n++] = (Part){it, s, 0, linear, true};
    if (rest > 0) out[n++] = (Part){it, s, linear, rest, false};
    return n;
}

static void share(Part *p, CdRangeFn *fn) {
    const size_t n = blocks(p);
    if (n == 1) {
        fn(p, 0, 1, 0);
    } else {
        cd_parallel_for(p->it->problem->user.pool, n, GRAIN, fn, p);
    }
}

// one block that has positions all over
static bool is_small(const CdIntegrator *it, const CdAlphaMemory *m) {
    return it->problem->vector_space && m->nV == it->problem->nv && m->nV <= BLOCK;
}

void cdi_alpha_predict_motion(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    if (is_small(it, m)) {
        CdAlphaPast past;
        if (s->more) past = cdi_alpha_past(m, 0);
        m->ops->predict((size_t)m->nV, s, it->now.v, it->now.vdot, m->a, m->old.v, m->old.vdot,
                        m->a_old, s->more ? &past : NULL, it->now.q, m->old.q);
        return;
    }
    Part p[2];
    const int n = parts(it, s, p);
    for (int k = 0; k < n; k++) share(&p[k], predict_range);
}

double cdi_alpha_move_motion(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    if (is_small(it, m)) {
        return m->ops->move((size_t)m->nV, s, m->b, m->scale, it->now.v, it->now.vdot, m->a,
                            it->now.q);
    }
    Part p[2];
    const int n = parts(it, s, p);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        share(&p[k], move_range);
        for (size_t i = 0; i < blocks(&p[k]); i++) sum += m->sums[i];
    }
    return sum;
}
