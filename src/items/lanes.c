// lanes.c - class objects of items by instruction set
#include "items/lanes.h"

// LANES(name) for every file with lanes, written by cmake/CardanAdc.cmake
#define LANES(name) extern const CdItemClass cd_##name;
#include "items_lanes.def"
#undef LANES

#if defined(__x86_64__)
#define LANES(name) extern const CdItemClass cd_##name##_avx2, cd_##name##_avx512;
#include "items_lanes.def"
#undef LANES
#define LANES(name) {&cd_##name, &cd_##name##_avx2, &cd_##name##_avx512},
#else
#define LANES(name) {&cd_##name, NULL, NULL},
#endif

static const CdItemClass *const classes[][CD_NISA] = {
#include "items_lanes.def"
};

const CdItemClass *cdi_item_lanes(const CdItemClass *cls, CdIsa isa) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (classes[i][CD_ISA_BASE] == cls && classes[i][isa]) return classes[i][isa];
    }
    return cls;
}
