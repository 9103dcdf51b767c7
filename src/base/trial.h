// trial.h - does it pay to share work with other threads? Found out by trying
//
// What a hand-over costs depends on where processors are and on who else uses them: the same two of
// a virtual machine were seen 0.1 and 0.45 us apart within a minute. Work that is done again and
// again, as the steps of an integrator are, comes in rounds: some are shared, some are done by one
// thread, and what took less by the median is kept for a while, the longer the more often the same
// was found. Rounds do not count while numbers come from the cache of another processor, and while
// threads wake up and find one. Where rounds take long no hand-over counts: they are shared.
#ifndef CARDAN_BASE_TRIAL_H
#define CARDAN_BASE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#define CDI_TRIAL_ROUNDS 9 // of each way

typedef struct CdTrial {
    bool shares;    // the next round is to be shared
    bool better;    // sharing was, in the last trial
    int wait;       // rounds until the next trial; 0: it is going on
    int64_t warm;   // ns of rounds that do not count yet
    int64_t period; // ns from one trial to the next
    int n;          // rounds that count so far
    int64_t took[CDI_TRIAL_ROUNDS];
    int64_t shared; // median
} CdTrial;

void cdi_trial_init(CdTrial *t);
// is the time of the next round wanted?
static inline bool cdi_trial_watches(const CdTrial *t) {
    return t->wait == 0;
}
// a round is over; ns: the time it took, if that was wanted
void cdi_trial_tell(CdTrial *t, int64_t ns);

#endif
