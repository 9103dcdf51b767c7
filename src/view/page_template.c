// page_template.c - the page without data: web/dist/viewer.html inside the program
//
// The assembler puts the file there as it is; a literal of this length is beyond what C promises.
#include "view/page_template.h"

#ifndef CD_PAGE_FILE
#error "CD_PAGE_FILE names the page; CMakeLists.txt gives it"
#endif

#if defined(__APPLE__)
#define SECTION ".section __TEXT,__const"
#define SYMBOL "_cdi_page_template"
#else
#define SECTION ".section .rodata,\"a\""
#define SYMBOL "cdi_page_template"
#endif

__asm__(SECTION "\n"
                ".globl " SYMBOL "\n"
                ".balign 16\n" SYMBOL ":\n"
                ".incbin \"" CD_PAGE_FILE "\"\n"
                ".byte 0\n"
                ".text\n");
