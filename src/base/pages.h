// pages.h - large pages for large blocks of memory
#ifndef CARDAN_BASE_PAGES_H
#define CARDAN_BASE_PAGES_H

#include <stddef.h>

// smaller blocks are left alone: neighbours of this size are merged by the system
#define CD_PAGES_LARGE ((size_t)1 << 20)

// asks for large pages under a block of the system's allocator
void cdi_pages_large(void *block, size_t n);

#endif
