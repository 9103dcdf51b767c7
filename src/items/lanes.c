// lanes.c - lanes of items by instruction set
#include "items/lanes.h"

typedef CdItemLanes LanesFn(void);

// LANES(name) for every file with lanes, written by cmake/CardanAdc.cmake
#define LANES(name) extern const CdItemClass cd_##name;
#include "items_lanes.def"
#undef LANES

#if defined(__x86_64__)
#define LANES(name) LanesFn cdi_##name##_lanes_avx2, cdi_##name##_lanes_avx512;
#include "items_lanes.def"
#undef LANES
#define LANES(name) {&cd_##name, {NULL, cdi_##name##_lanes_avx2, cdi_##name##_lanes_avx512}},
#else
#define LANES(name) {&cd_##name, {NULL, NULL, NULL}},
#endif

static const struct Row {
    const CdItemClass *cls;
    LanesFn *lanes[CD_NISA];
} rows[] = {
#include "items_lanes.def"
};

CdItemLanes cdi_item_lanes(const CdItemClass *cls, CdIsa isa) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].cls == cls && rows[i].lanes[isa]) return rows[i].lanes[isa]();
    }
    return lanes_of(cls);
}
