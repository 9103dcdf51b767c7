// replay.c - feeds files to a fuzz target, so that its corpus is tested in every build
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

// a copy of exactly its size lets the sanitizers see every byte read beyond
static int replay(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return 1;
    long n = ftell(file);
    rewind(file);
    uint8_t *data = malloc(n > 0 ? (size_t)n : 1);
    int failed = n < 0 || !data || fread(data, 1, (size_t)n, file) != (size_t)n;
    fclose(file);
    if (!failed) LLVMFuzzerTestOneInput(data, (size_t)n);
    free(data);
    return failed;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        printf("%s\n", argv[i]);
        fflush(stdout);
        if (replay(argv[i]) != 0) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
    }
    printf("%d files\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
