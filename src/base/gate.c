// gate.c - a word that two threads change in turn; who waits for its turn spins, then sleeps
//
// No wake-up is lost because state and sleep mark share one word, and every change of it is one
// read-modify-write. The sleeper marks the state it has seen; if the state was left meanwhile the
// mark fails and nobody sleeps. The other thread replaces state and mark at once, and learns from
// what it replaced whether there is somebody to wake. No fence between two words is needed (the
// usual "store mine, then look at yours"), acquire and release are enough.
//
// A sleeper blocks in the kernel only while the word is the marked state: by a futex on Linux, else
// by a condition variable whose mutex closes the gap between looking at the word and blocking. Who
// spins does not yield: some schedulers take a whole time slice for that.
#define _GNU_SOURCE
#include "base/gate.h"

#include "base/clock.h"

#ifndef CD_NO_FUTEX
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define ASLEEP 1u

// looks at the word between two looks at the clock, which costs as much as a hand-off
#define SPIN_BATCH 64

// tell the processor that this is a waiting loop
static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

#ifdef CD_NO_FUTEX

bool cdi_gate_init(CdGate *gate, unsigned state) {
    atomic_init(&gate->word, state << 1);
    if (pthread_mutex_init(&gate->lock, NULL) != 0) return false;
    if (pthread_cond_init(&gate->changed, NULL) == 0) return true;
    pthread_mutex_destroy(&gate->lock);
    return false;
}

void cdi_gate_clear(CdGate *gate) {
    pthread_cond_destroy(&gate->changed);
    pthread_mutex_destroy(&gate->lock);
}

static void block(CdGate *gate, unsigned word) {
    pthread_mutex_lock(&gate->lock);
    while (atomic_load_explicit(&gate->word, memory_order_acquire) == word) {
        pthread_cond_wait(&gate->changed, &gate->lock);
    }
    pthread_mutex_unlock(&gate->lock);
}

static void wake(CdGate *gate) {
    pthread_mutex_lock(&gate->lock);
    pthread_cond_signal(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

#else

bool cdi_gate_init(CdGate *gate, unsigned state) {
    atomic_init(&gate->word, state << 1);
    return true;
}

void cdi_gate_clear(CdGate *gate) {
    (void)gate;
}

static void block(CdGate *gate, unsigned word) {
    syscall(SYS_futex, &gate->word, FUTEX_WAIT_PRIVATE, word, NULL, NULL, 0);
}

static void wake(CdGate *gate) {
    syscall(SYS_futex, &gate->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#endif

void cdi_gate_put(CdGate *gate, unsigned state) {
    unsigned old = atomic_exchange_explicit(&gate->word, state << 1, memory_order_acq_rel);
    if (old & ASLEEP) wake(gate);
}

bool cdi_gate_move(CdGate *gate, unsigned from, unsigned to) {
    unsigned word = from << 1;
    // a look first: a failed exchange would take the line away from the other one
    if (atomic_load_explicit(&gate->word, memory_order_relaxed) != word) return false;
    return atomic_compare_exchange_strong_explicit(&gate->word, &word, to << 1,
                                                   memory_order_acq_rel, memory_order_relaxed);
}

unsigned cdi_gate_state(const CdGate *gate) {
    return atomic_load_explicit(&gate->word, memory_order_acquire) >> 1;
}

void cdi_gate_sleep(CdGate *gate, unsigned from) {
    unsigned marked = from << 1 | ASLEEP;
    for (;;) {
        unsigned word = from << 1;
        bool mark = atomic_compare_exchange_strong_explicit(
            &gate->word, &word, marked, memory_order_acquire, memory_order_acquire);
        if (!mark && word != marked) return;
        block(gate, marked);
    }
}

// spin for about a microsecond; has the state been left?
static bool spin_batch(const CdGate *gate, unsigned from) {
    for (int i = 0; i < SPIN_BATCH; i++) {
        if (cdi_gate_state(gate) != from) return true;
        relax();
    }
    return false;
}

bool cdi_gate_spin(const CdGate *gate, unsigned from, int64_t spin_ns) {
    if (spin_batch(gate, from)) return true;
    const int64_t end = cdi_clock_ns() + spin_ns;
    while (cdi_clock_ns() < end) {
        if (spin_batch(gate, from)) return true;
    }
    return false;
}
