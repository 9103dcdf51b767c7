// channels.h - what a run writes down: the numbers of sensors, or of all bodies without sensors
#ifndef CARDAN_SYSTEM_CHANNELS_H
#define CARDAN_SYSTEM_CHANNELS_H

#include "system/system.h"

typedef struct CdChannel {
    const char *name; // "tip.x": sensor and component; "link.x" of a body
    const char *unit; // "m"
    bool not_unique;  // a reaction that others could take the place of: the smallest is told
} CdChannel;

typedef struct CdChannels {
    CdContext *ctx;
    CdArena arena;
    const CdSystem *system;
    int n;
    const CdChannel *v;
    struct CdChannelWork *work; // history of angles, which turn of them
} CdChannels;

// which of n channels match one of the patterns ("tip.*"; * stands for anything); npatterns 0: all.
// A pattern that matches nothing is reported, with what may have been meant. Room for n in pick.
CdStatus cdi_channels_match(CdContext *ctx, const CdChannel *all, int n,
                            const char *const *patterns, int npatterns, int *pick, int *npicked);

// those whose names match
CdStatus cdi_channels_new(const CdSystem *system, const char *const *patterns, int npatterns,
                          CdChannels **channels);
void cdi_channels_free(CdChannels *channels); // NULL does nothing
// reactions of joints with such a row are not unique; rows: ng of them
void cdi_channels_mark(CdChannels *channels, const bool *rows);
// values at a complete point (vdot and lambda set), n of them; angles continue from the last call
CdStatus cdi_channels_eval(CdChannels *channels, CdSystemWork *work, const CdPoint *at,
                           double *values);

// from here on of a system that shares the structure of theirs (cdi_system_vary)
void cdi_channels_use(CdChannels *channels, const CdSystem *system);
void cdi_channels_restart(CdChannels *channels); // forget the history of angles
// this history as bytes, for the same build and system only
size_t cdi_channels_save_size(const CdChannels *channels);
void cdi_channels_save(const CdChannels *channels, void *to);
void cdi_channels_load(CdChannels *channels, const void *from);

#endif
