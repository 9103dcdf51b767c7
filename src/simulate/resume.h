// resume.h - inside simulate/: a run as bytes, from which it goes on bit for bit
#ifndef CARDAN_SIMULATE_RESUME_H
#define CARDAN_SIMULATE_RESUME_H

#include "simulate/session.h"

// what a run knows beside its session
typedef struct CdRunMemory {
    CdProgress progress;
    CdEnergy energy_start;
    double wall_time, cpu_time; // before it was interrupted
} CdRunMemory;

size_t cdi_run_save_size(const CdSession *s); // 0: the method cannot be saved
CdStatus cdi_run_save(CdSession *s, const CdRunMemory *memory, void *to, size_t size);
// bytes of the same build, model and method; others are refused
CdStatus cdi_run_load(CdSession *s, const CdCheckpoint *from, CdRunMemory *memory);

#endif
