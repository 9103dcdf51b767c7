// gate.h - a word that two threads change in turn; who waits for its turn spins, then sleeps
//
// The state of a gate says whose turn it is. Only the thread whose turn it is changes the state,
// the other one waits for that; or both may, and who moves it first has it. Everything written
// before a change is visible to the thread that has seen it.
#ifndef CARDAN_BASE_GATE_H
#define CARDAN_BASE_GATE_H

#include <stdatomic.h>

#include "base/context.h"

// CD_NO_FUTEX asks for the portable way to sleep where the system has a better one (for tests)
#if !defined(__linux__) && !defined(CD_NO_FUTEX)
#define CD_NO_FUTEX
#endif

#ifdef CD_NO_FUTEX
#include <pthread.h>
#endif

#define CD_GATE_ALIGN 128 // two cache lines: processors fetch them in pairs

typedef struct CdGate {
    atomic_uint word; // state * 2 + (1 if the other thread sleeps)
#ifdef CD_NO_FUTEX
    pthread_mutex_t lock;
    pthread_cond_t changed;
#endif
} CdGate;

bool cdi_gate_init(CdGate *gate, unsigned state); // false: the system is out of resources
void cdi_gate_clear(CdGate *gate);

void cdi_gate_put(CdGate *gate, unsigned state); // change it and wake the other thread

// change it if it is from, where nobody may sleep; false: the other one did
bool cdi_gate_move(CdGate *gate, unsigned from, unsigned to);

unsigned cdi_gate_state(const CdGate *gate);

// wait while the state is from, asleep
void cdi_gate_sleep(CdGate *gate, unsigned from);

// spin while the state is from, for spin_ns nanoseconds at most; true: the state has been left
bool cdi_gate_spin(const CdGate *gate, unsigned from, int64_t spin_ns);

#endif
