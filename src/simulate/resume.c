// resume.c - a run as bytes: what it knows itself, the integrator's memory, turns of angles
#include "simulate/resume.h"

#include <string.h>

#include "cardan/integrator.h"

size_t cdi_run_save_size(const CdSession *s) {
    const size_t n = cd_integrator_save_size(s->it);
    return n > 0 ? sizeof(CdRunMemory) + n + cdi_channels_save_size(s->channels) : 0;
}

CdStatus cdi_run_save(CdSession *s, const CdRunMemory *memory, void *to, size_t size) {
    const size_t n = cd_integrator_save_size(s->it);
    char *at = to;
    memset(at, 0, size);
    memcpy(at, memory, sizeof *memory);
    CD_TRY(cd_integrator_save(s->it, at + sizeof *memory, n));
    cdi_channels_save(s->channels, at + sizeof *memory + n);
    return CD_OK;
}

CdStatus cdi_run_load(CdSession *s, const CdCheckpoint *from, CdRunMemory *memory) {
    const size_t n = cd_integrator_save_size(s->it);
    const char *at = from->bytes;
    if (n == 0) {
        return cdi_fail(s->ctx, CD_INVALID,
                        "the method cannot be resumed; take one of cardan's own");
    }
    if (from->size != cdi_run_save_size(s)) {
        return cdi_fail(s->ctx, CD_INVALID, "the checkpoint is one of another run");
    }
    memcpy(memory, at, sizeof *memory);
    CD_TRY(cd_integrator_load(s->it, at + sizeof *memory, n));
    cdi_channels_load(s->channels, at + sizeof *memory + n);
    return CD_OK;
}
