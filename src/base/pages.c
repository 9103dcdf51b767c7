// pages.c - large blocks of memory ask for large pages where the system offers them
//
// A step of 10,000 bodies walks through hundreds of megabytes. With pages of 4 kB nearly every new
// line of the cache also misses the table of pages; with 2 MB it does not, and the first touch of a
// block costs one trap in place of 512. Linux gives large pages to those who ask (madvise). Pages
// at the ends of a block may hold a neighbour's bytes: the request changes no contents.
#define _DEFAULT_SOURCE
#include "base/pages.h"

#include <stdint.h>
#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#if defined(__linux__) && defined(MADV_HUGEPAGE)

void cdi_pages_large(void *block, size_t n) {
    if (n < CD_PAGES_LARGE) return;
    const long size = sysconf(_SC_PAGESIZE);
    if (size <= 0) return;
    const uintptr_t page = (uintptr_t)size, begin = (uintptr_t)block & ~(page - 1);
    const uintptr_t end = ((uintptr_t)block + n + page - 1) & ~(page - 1);
    // an advice: whoever does not take it works as before
    (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

#else

void cdi_pages_large(void *block, size_t n) {
    (void)block, (void)n;
}

#endif
