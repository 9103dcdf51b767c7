// test_pages.c - large blocks of the system's allocator lie in large pages, those of users do not
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "test.h"

#define LINE_MAX_CHARS 512
#define BLOCK (8 * CD_PAGES_LARGE)

// 1: the mapping that holds this address was advised to take large pages; 0: not; -1: nobody knows
static int is_advised(const void *address) {
    FILE *maps = fopen("/proc/self/smaps", "r");
    if (!maps) return -1;
    char line[LINE_MAX_CHARS];
    bool here = false;
    int advised = -1;
    while (advised < 0 && fgets(line, sizeof line, maps)) {
        uintptr_t begin, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) == 2) {
            here = (uintptr_t)address >= begin && (uintptr_t)address < end;
        }
        if (here && strncmp(line, "VmFlags:", 8) == 0) advised = strstr(line, " hg") != NULL;
    }
    fclose(maps);
    return advised;
}

static bool has_large_pages(void) {
    FILE *choice = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (choice) fclose(choice);
    return choice != NULL;
}

static void *users_resize(void *user, void *p, size_t n) {
    (void)user;
    if (n) return realloc(p, n);
    free(p);
    return NULL;
}

TEST(blocks_of_users_are_left_alone) {
    CdContext *ctx = cd_context_new(&(CdAllocator){users_resize, NULL});
    char *block = cdi_alloc(ctx, BLOCK);
    CHECK(is_advised(block + BLOCK / 2) <= 0);
    cdi_free(ctx, block);
    cd_context_free(ctx);
}

TEST(large_blocks_ask_for_large_pages) {
    CdContext *ctx = cd_context_new(NULL);
    char *block = cdi_alloc(ctx, BLOCK);
    CHECK_INT(cd_context_memory(ctx).live_bytes, BLOCK);
    if (has_large_pages()) CHECK(is_advised(block + BLOCK / 2) != 0);

    // growing keeps contents and advice
    block[BLOCK - 1] = 'x';
    block = cdi_resize(ctx, block, 2 * BLOCK);
    CHECK_INT(block[BLOCK - 1], 'x');
    if (has_large_pages()) CHECK(is_advised(block + BLOCK) != 0);
    cdi_free(ctx, block);
    CHECK_INT(cd_context_memory(ctx).live_blocks, 0);
    cd_context_free(ctx);
}

TEST(small_blocks_do_not_ask) {
    CdContext *ctx = cd_context_new(NULL);
    char *block = cdi_alloc(ctx, CD_PAGES_LARGE / 2);
    CHECK(is_advised(block) <= 0);
    cdi_free(ctx, block);
    cd_context_free(ctx);
}

int main(void) {
    RUN(blocks_of_users_are_left_alone);
    RUN(small_blocks_do_not_ask);
    RUN(large_blocks_ask_for_large_pages);
    return test_end();
}
