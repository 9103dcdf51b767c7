// fuzz_adc.c - any text is either refused with messages or derived; never a crash
#include <stdint.h>

#include "derive.h"
#include "emit.h"
#include "parser.h"
#include "types.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static FILE *nowhere;
    if (!nowhere) nowhere = fopen("/dev/null", "w");
    if (n > 4096) return 0;
    Mem mem = {0};
    Messages m = {.mem = &mem, .out = nowhere};
    Unit u = {.mem = &mem, .m = &m};
    const Search search = {NULL, 0};
    const Source source = {.path = "fuzz.c", .text = mem_copy(&mem, (const char *)data, n), .n = n};
    parse_source(&u, &search, &source, true, false);
    if (!u.lost) check_unit(&u);
    Programs programs = {0};
    if (!m.nerror) {
        collect_moves(&u);
        for (int i = 0; i < u.functions.n; i++) derive(&u, u.functions.at[i], &programs);
    }
    if (!m.nerror) {
        Text t = {.mem = &mem};
        emit_header(&t, "fuzz", "fuzz.c", &programs, SCALAR);
    }
    mem_free(&mem);
    return 0;
}
