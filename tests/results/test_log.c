// test_log.c - logs: what was written is read, damage and failures at any byte are survived
#define _POSIX_C_SOURCE 200809L
#include "results/log.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "results/log_chunk.h"
#include "test.h"

static const char path[] = "test_log.tmp"; // in the build folder, where ctest runs

#define BYTES_MAX ((size_t)1 << 24)
#define NCHANNELS 3

static const CdChannel channels[NCHANNELS] = {
    {"tip.x", "m", false}, {"hinge.\"angle\"", "rad", true}, {"@l.x", "m", false}};
static const CdLogHeader header = {.file = "models/crank.json",
                                   .model = "{\"cardan\": 1, \"items\": []}",
                                   .run = "{\"duration\": 2.5}",
                                   .method = "gen-alpha(rho=0.8)",
                                   .hash = 0xfedcba9876543210,
                                   .n = NCHANNELS,
                                   .nscene = 1,
                                   .channels = channels};

static double value(uint64_t row, int channel) {
    return sin((double)row) + channel;
}

static CdStatus add_rows(CdLogWriter *log, uint64_t first, uint64_t n) {
    for (uint64_t i = first; i < first + n; i++) {
        const double v[NCHANNELS] = {value(i, 0), value(i, 1), value(i, 2)};
        CD_TRY(cdi_log_row(log, 0.25 * (double)i, v));
    }
    return CD_OK;
}

static void check_rows(CdLog *log, uint64_t first, uint64_t n) {
    double rows[64 * (1 + NCHANNELS)];
    CHECK_OK(cdi_log_read(log, first, n, rows));
    for (uint64_t i = 0; i < n; i++) {
        CHECK_BITS(rows[i * 4], 0.25 * (double)(first + i));
        for (int k = 0; k < NCHANNELS; k++) CHECK_BITS(rows[i * 4 + 1 + k], value(first + i, k));
    }
}

// rows in three chunks, two checkpoints, a summary
static void write_example(CdContext *ctx) {
    CdLogWriter *log;
    CHECK_OK(cdi_log_create(ctx, path, &header, &log));
    CHECK_OK(add_rows(log, 0, 2));
    CHECK_OK(cdi_log_checkpoint(log, &(CdCheckpoint){0.25, 2, "early", 5}));
    CHECK_OK(add_rows(log, 2, 3));
    CHECK_OK(cdi_log_checkpoint(log, &(CdCheckpoint){1, 5, "late!?", 6}));
    CHECK_OK(add_rows(log, 5, 4));
    CHECK_OK(cdi_log_close(log, "{\"state\": \"fine\"}"));
}

// ---- what was written is read

TEST(a_log_comes_back) {
    TestLog t;
    CdLog *log;
    CdCheckpoint c;
    test_log_open(&t);
    write_example(t.ctx);
    CHECK_OK(cdi_log_open(t.ctx, path, &log));
    const CdLogHeader *h = cdi_log_header(log);
    CHECK_TEXT(h->file, header.file);
    CHECK_TEXT(h->model, header.model);
    CHECK_TEXT(h->run, header.run);
    CHECK_TEXT(h->method, header.method);
    CHECK_TEXT(h->version, CD_VERSION);
    CHECK(h->hash == header.hash);
    CHECK_INT(h->n, NCHANNELS);
    CHECK_INT(h->nscene, 1);
    CHECK_TEXT(h->channels[1].name, "hinge.\"angle\"");
    CHECK_TEXT(h->channels[1].unit, "rad");
    CHECK(h->channels[1].not_unique && !h->channels[0].not_unique);
    CHECK_INT(strlen(h->date), 20);
    CHECK(h->compiler && h->isa);
    CHECK_INT(cdi_log_rows(log), 9);
    for (uint64_t first = 0; first < 9; first++) check_rows(log, first, 9 - first);
    check_rows(log, 1, 5);
    double column[9];
    CHECK_OK(cdi_log_column(log, -1, column));
    CHECK_BITS(column[8], 2);
    CHECK_OK(cdi_log_column(log, cdi_log_channel(log, "hinge.\"angle\""), column));
    for (uint64_t i = 0; i < 9; i++) CHECK_BITS(column[i], value(i, 1));
    CHECK_INT(cdi_log_channel(log, "tip.y"), -1);
    CHECK(cdi_log_complete(log));
    CHECK_TEXT(cdi_log_summary(log), "{\"state\": \"fine\"}");
    CHECK(cdi_log_checkpoint_last(log, &c));
    CHECK_BITS(c.t, 1);
    CHECK_INT(c.samples, 5);
    CHECK_INT(c.size, 6);
    CHECK(memcmp(c.bytes, "late!?", 6) == 0);
    CHECK_TEXT(t.text, "");
    cdi_log_free(log);
    remove(path);
    test_log_close(&t);
}

TEST(many_rows_take_no_memory) {
    TestLog t;
    CdLogWriter *w;
    CdLog *log;
    test_log_open(&t);
    CHECK_OK(cdi_log_create(t.ctx, path, &header, &w));
    const size_t before = cd_context_memory(t.ctx).live_bytes;
    CHECK_OK(add_rows(w, 0, 100000));
    CHECK_INT(cd_context_memory(t.ctx).live_bytes, before);
    CHECK_OK(cdi_log_close(w, "{}"));
    CHECK_OK(cdi_log_open(t.ctx, path, &log));
    CHECK_INT(cdi_log_rows(log), 100000);
    check_rows(log, 99990, 10);
    check_rows(log, 2040, 20); // over the end of a chunk
    double rows[4];
    CHECK_INT(cdi_log_read(log, 100000, 1, rows), CD_INVALID);
    CHECK_INT(cdi_log_read(log, UINT64_MAX, 2, rows), CD_INVALID);
    CHECK_INT(cdi_log_column(log, NCHANNELS, rows), CD_INVALID);
    CHECK_INT(cdi_log_column(log, -2, rows), CD_INVALID);
    cdi_log_free(log);
    remove(path);
    test_log_close(&t);
}

// ---- files that end too early, or hold something else

// without waiting for the disk
static void put_file(const char *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(bytes, 1, n, f) == n);
    if (f) fclose(f);
}

// the file with n bytes of it, byte `at` changed (SIZE_MAX: none); number of rows, -1: refused
static long long rows_of(CdContext *ctx, const char *bytes, size_t n, size_t at) {
    char *copy = malloc(n + 1);
    CdLog *log;
    long long rows = -1;
    memcpy(copy, bytes, n);
    if (at < n) copy[at] ^= 0x40;
    put_file(copy, n);
    free(copy);
    if (cdi_log_open(ctx, path, &log) == CD_OK) {
        rows = (long long)cdi_log_rows(log);
        for (long long i = 0; i < rows; i++) check_rows(log, (uint64_t)i, 1);
        CHECK(!cdi_log_complete(log));
    }
    cdi_log_free(log);
    return rows;
}

TEST(a_log_cut_anywhere_is_read_as_far_as_it_is_whole) {
    TestLog t;
    char *bytes;
    size_t n;
    test_log_open(&t);
    write_example(t.ctx);
    CHECK_OK(cdi_file_read(t.ctx, path, BYTES_MAX, &bytes, &n));
    long long last = -1;
    int steps = 0;
    for (size_t k = 0; k < n; k++) {
        test_log_clear(&t);
        const long long rows = rows_of(t.ctx, bytes, k, SIZE_MAX);
        CHECK(rows >= last && strlen(t.text) > 0);
        steps += rows != last;
        last = rows;
    }
    // nothing, header, and rows in three chunks
    CHECK_INT(last, 9);
    CHECK_INT(steps, 4);
    CHECK(strstr(t.text, "bytes are no whole chunk and left out; 9 rows before them are read"));
    cdi_free(t.ctx, bytes);
    remove(path);
    test_log_close(&t);
}

TEST(a_changed_byte_is_noticed) {
    TestLog t;
    char *bytes;
    size_t n;
    test_log_open(&t);
    write_example(t.ctx);
    CHECK_OK(cdi_file_read(t.ctx, path, BYTES_MAX, &bytes, &n));
    for (size_t k = 0; k < n; k++) {
        // the padding of texts is no part of anything
        if (bytes[k] == 0 && k % 8 != 0 && bytes[(k / 8) * 8] != 0) continue;
        if (n - k <= 8) continue;
        test_log_clear(&t);
        const long long rows = rows_of(t.ctx, bytes, n, k);
        if (rows == 9) CHECK(strstr(t.text, "9 rows") != NULL);
        CHECK(rows <= 9);
    }
    cdi_free(t.ctx, bytes);
    remove(path);
    test_log_close(&t);
}

TEST(other_files_are_refused) {
    static const char csv[] = "t,x\n0,1\n1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n8,9\n";
    TestLog t;
    CdLog *log;
    test_log_open(&t);
    put_file(csv, strlen(csv));
    CHECK_INT(cdi_log_open(t.ctx, path, &log), CD_INVALID);
    CHECK_INT(cdi_log_open(t.ctx, ".", &log), CD_IO);
    CHECK_INT(cdi_log_open(t.ctx, "no/such.log", &log), CD_IO);
    CHECK_INT(cdi_log_open(t.ctx, "/dev/zero", &log), CD_IO);
    CHECK_TEXT(t.text,
               "test_log.tmp: is not a log of cardan; `cardan run MODEL.json -o NAME.log` makes "
               "one\n"
               ".: is not an ordinary file\n"
               "no/such.log: cannot open: No such file or directory\n"
               "/dev/zero: is not an ordinary file\n");
    remove(path);
    test_log_close(&t);
}

// one chunk with any payload and number, sealed
static void put_chunk(CdText *out, const char *kind, const void *bytes, size_t n, uint64_t number) {
    CdLogChunk head = {.length = n, .number = number};
    memcpy(head.magic, CDI_LOG_MAGIC, 4);
    memcpy(head.kind, kind, 4);
    head.checksum = cdi_hash(cdi_log_checksum(&head), bytes, n);
    cdi_text_addn(out, (const char *)&head, sizeof head);
    cdi_text_addn(out, bytes, n);
    cdi_text_addn(out, "\0\0\0\0\0\0\0", (size_t)cdi_log_padding(n));
}

#define GOOD_HEAD                                                         \
    "{\"format\": \"cardan log\", \"version\": 1, \"model\": {\"hash\": " \
    "\"0123456789abcdef\"}, \"run\": {}, \"channels\": [{\"name\": \"x\", \"unit\": \"m\"}]}"

static void expect_chunk(const char *head, const char *kind, const void *bytes, size_t n,
                         CdStatus status, const char *message) {
    TestLog t;
    CdText file;
    CdLog *log;
    test_log_open(&t);
    cdi_text_init(&file, t.ctx);
    put_chunk(&file, "HEAD", head, strlen(head), 0);
    if (kind) put_chunk(&file, kind, bytes, n, 1);
    put_file(file.v, file.n);
    CHECK_INT(cdi_log_open(t.ctx, path, &log), status);
    CHECK_TEXT(t.text, message);
    cdi_log_free(log);
    cdi_text_free(&file);
    remove(path);
    test_log_close(&t);
}

TEST(a_header_that_lies_is_refused) {
    static const struct {
        const char *head, *message;
    } cases[] = {
        {"{}", "the header of the log is wrong: it does not say \"format\": \"cardan log\""},
        {"{\"format\": \"cardan log\"}", "the header of the log is wrong: it has no version"},
        {"{\"format\": \"cardan log\", \"version\": 3}",
         "the log has format version 3, this program (" CD_VERSION
         ") reads up to 2; read it with a newer cardan"},
        {"{\"format\": \"cardan log\", \"version\": 1}",
         "the header of the log is wrong: the model has no hash"},
        {"{\"format\": \"cardan log\", \"version\": 1.5, \"model\": {\"hash\": "
         "\"012345678-abcdef\"}}",
         "the header of the log is wrong: the model has no hash"},
        {"{\"format\": \"cardan log\", \"version\": 1, \"model\": {\"hash\": "
         "\"0123456789abcdef\"}, \"run\": {}, \"channels\": 3}",
         "the header of the log is wrong: it has no list of channels"},
        {"{\"format\": \"cardan log\", \"version\": 1, \"model\": {\"hash\": "
         "\"0123456789abcdef\"}, \"run\": {}, \"channels\": [{\"name\": \"x\"}]}",
         "the header of the log is wrong: a channel has no name or no unit"},
        {"{\"format\": \"cardan log\", \"version\": 1, \"model\": {\"hash\": "
         "\"0123456789abcdef\"}, \"run\": {}, \"scene\": 1, \"channels\": []}",
         "the header of the log is wrong: 'scene' must be a number of channels"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[400];
        snprintf(message, sizeof message, "test_log.tmp: %s\n", cases[i].message);
        expect_chunk(cases[i].head, NULL, NULL, 0, CD_INVALID, message);
    }
}

TEST(what_a_header_does_not_tell_is_empty) {
    static const char text[] = "{\"format\": \"cardan log\", \"version\": 1, \"model\": {\"hash\": "
                               "\"0123456789abcdef\"}, \"run\": {}, \"channels\": "
                               "[{\"name\": \"x\", \"unit\": \"m\", \"not_unique\": \"no\"}]}";
    TestLog t;
    CdArena arena;
    CdLogHeader h;
    test_log_open(&t);
    cdi_arena_init(&arena, t.ctx, 0);
    CHECK_OK(cdi_log_head_read(t.ctx, path, text, strlen(text), &arena, &h));
    CHECK(h.file == NULL && !h.resumable && !h.channels[0].not_unique);
    CHECK_TEXT(h.method, "");
    CHECK_TEXT(h.version, "");
    CHECK_TEXT(h.compiler, "");
    CHECK_TEXT(h.isa, "");
    CHECK_TEXT(h.date, "");
    cdi_arena_clear(&arena);
    test_log_close(&t);
}

TEST(a_chunk_that_lies_is_refused) {
    const uint64_t none = 0, huge = UINT64_MAX / 16 + 1;
    const char rows[] = "test_log.tmp: a chunk of rows has another length than its rows\n";
    const char fine[] =
        "warning: test_log.tmp: the run was not ended; the 0 rows so far are read\n";
    expect_chunk(GOOD_HEAD, "ROWS", &none, sizeof none, CD_OK, fine + 9);
    expect_chunk(GOOD_HEAD, "FUTU", "any", 3, CD_OK, fine + 9);
    expect_chunk(GOOD_HEAD, "ROWS", &none, 7, CD_INVALID,
                 "test_log.tmp: a chunk of rows has no number of them\n");
    expect_chunk(GOOD_HEAD, "ROWS", (uint64_t[]){1, 2}, 16, CD_INVALID, rows);
    expect_chunk(GOOD_HEAD, "ROWS", (uint64_t[]){huge, 1, 2}, 24, CD_INVALID, rows);
    expect_chunk(GOOD_HEAD, "ROWS", (uint64_t[]){2, 1, 2}, 24, CD_INVALID, rows);
    expect_chunk(GOOD_HEAD, "CHKP", "short", 5, CD_INVALID,
                 "test_log.tmp: a checkpoint is too short\n");
    expect_chunk(GOOD_HEAD, "DONE", "{", 1, CD_INVALID,
                 "test_log.tmp:1:2: the text ends here, but the object opened at 1:1 is not "
                 "closed; write }\n");
}

// ---- a disk that does not take everything

typedef struct Disk {
    int fd;
    size_t room;
    int calls;
} Disk;

// takes a few bytes at a time, is interrupted now and then, and has only so much room
static long stingy(void *user, const void *bytes, size_t n) {
    Disk *disk = user;
    const size_t least = n < 7 ? n : 7, put = least < disk->room ? least : disk->room;
    if (disk->calls++ % 3 == 1) {
        errno = EINTR;
        return -1;
    }
    if (put == 0) errno = ENOSPC;
    if (put == 0) return -1;
    disk->room -= put;
    return (long)write(disk->fd, bytes, put);
}

static CdStatus write_to_disk(CdContext *ctx, size_t room, size_t *rows) {
    CdLogWriter *w;
    Disk disk = {.room = room};
    CHECK_OK(cdi_log_create(ctx, path, &header, &w));
    FILE *f = fopen(path, "ab");
    disk.fd = fileno(f);
    cdi_open_interpose(cdi_log_file(w), stingy, &disk);
    CdStatus status = CD_OK;
    for (*rows = 0; *rows < 6 && status == CD_OK; ++*rows) {
        status = add_rows(w, *rows, 1);
        if (status == CD_OK) status = cdi_log_checkpoint(w, &(CdCheckpoint){0, *rows, "?", 1});
    }
    const CdStatus closed = cdi_log_close(w, "{}");
    fclose(f);
    CHECK_INT(closed, status);
    return status;
}

TEST(short_writes_change_nothing) {
    TestLog t;
    CdLog *log;
    size_t rows;
    test_log_open(&t);
    CHECK_OK(write_to_disk(t.ctx, SIZE_MAX, &rows));
    CHECK_OK(cdi_log_open(t.ctx, path, &log));
    CHECK(cdi_log_complete(log));
    check_rows(log, 0, 6);
    CHECK_TEXT(t.text, "");
    cdi_log_free(log);
    remove(path);
    test_log_close(&t);
}

// bytes of a chunk with one row, and of it and a checkpoint
#define ROW 72
#define BOTH 128

TEST(a_full_disk_ends_the_log_where_it_is_whole) {
    TestLog t;
    test_log_open(&t);
    for (size_t room = 0; room < 6 * BOTH; room += 17) {
        CdLog *log;
        size_t rows;
        test_log_clear(&t);
        CHECK_INT(write_to_disk(t.ctx, room, &rows), CD_IO);
        // told once, though the log is closed after it
        CHECK_TEXT(t.text, "test_log.tmp: cannot write: No space left on device\n");
        test_log_clear(&t);
        CHECK_OK(cdi_log_open(t.ctx, path, &log));
        CHECK_INT(cdi_log_rows(log), (room + BOTH - ROW) / BOTH);
        CHECK(strstr(t.text, "the run was not ended") != NULL); // nothing half is left
        check_rows(log, 0, cdi_log_rows(log));
        cdi_log_free(log);
    }
    remove(path);
    test_log_close(&t);
}

TEST(places_that_cannot_be_written_are_told) {
    TestLog t;
    CdLogWriter *w;
    test_log_open(&t);
    CHECK_INT(cdi_log_create(t.ctx, ".", &header, &w), CD_IO);
    CHECK_INT(cdi_log_create(t.ctx, "no/such.log", &header, &w), CD_IO);
    CHECK_INT(cdi_log_create(t.ctx, "/dev/full", &header, &w), CD_IO);
    CHECK_TEXT(t.text, ".: cannot write: Is a directory\n"
                       "no/such.log: cannot create: No such file or directory\n"
                       "/dev/full: cannot write: No space left on device\n");
    test_log_clear(&t);
    CHECK_OK(cdi_log_create(t.ctx, "/dev/null", &header, &w));
    CHECK_OK(add_rows(w, 0, 10));
    CHECK_OK(cdi_log_checkpoint(w, &(CdCheckpoint){0, 10, "?", 1}));
    CHECK_OK(cdi_log_close(w, "{}"));
    CHECK_TEXT(t.text, "");
    test_log_close(&t);
}

// ---- resume

static CdStatus resume(CdContext *ctx, CdLogWriter **w) {
    CdOpenFile *file;
    CdLog *old;
    CD_TRY(cdi_open_old(ctx, path, true, &file));
    CdStatus status = cdi_log_scan(ctx, path, &old);
    if (status != CD_OK) {
        (void)cdi_open_close(file);
        return status;
    }
    status = cdi_log_resume(old, file, w);
    cdi_log_free(old);
    return status;
}

TEST(a_log_goes_on_after_its_last_checkpoint) {
    TestLog t;
    CdLogWriter *w;
    CdLog *log;
    test_log_open(&t);
    write_example(t.ctx);
    CHECK_OK(resume(t.ctx, &w));
    CHECK_OK(add_rows(w, 5, 3));
    CHECK_OK(cdi_log_close(w, "{\"again\": 1}"));
    CHECK_OK(cdi_log_open(t.ctx, path, &log));
    CHECK_INT(cdi_log_rows(log), 8);
    check_rows(log, 0, 8);
    CHECK_TEXT(cdi_log_summary(log), "{\"again\": 1}");
    cdi_log_free(log);
    CHECK_OK(cdi_log_create(t.ctx, path, &header, &w));
    CHECK_OK(cdi_log_close(w, NULL));
    CHECK_INT(resume(t.ctx, &w), CD_INVALID);
    CHECK_TEXT(t.text, "test_log.tmp: the log has no checkpoint to resume from\n");
    remove(path);
    test_log_close(&t);
}

// ---- memory

static CdStatus write_and_read(CdContext *ctx, void *user) {
    CdLogWriter *w;
    CdLog *log;
    (void)user;
    CD_TRY(cdi_log_create(ctx, path, &header, &w));
    CdStatus status = add_rows(w, 0, 3);
    if (status == CD_OK) status = cdi_log_checkpoint(w, &(CdCheckpoint){0, 3, "bytes", 5});
    const CdStatus closed = cdi_log_close(w, "{}");
    CD_TRY(status);
    CD_TRY(closed);
    CD_TRY(resume(ctx, &w));
    CD_TRY(cdi_log_close(w, "{}"));
    CD_TRY(cdi_log_open(ctx, path, &log));
    double times[3];
    status = cdi_log_column(log, -1, times);
    cdi_log_free(log);
    return status;
}

TEST(memory_that_is_missing_is_told) {
    CHECK_OOM(write_and_read, NULL);
    remove(path);
}

int main(void) {
    RUN(a_log_comes_back);
    RUN(many_rows_take_no_memory);
    RUN(a_log_cut_anywhere_is_read_as_far_as_it_is_whole);
    RUN(a_changed_byte_is_noticed);
    RUN(other_files_are_refused);
    RUN(a_header_that_lies_is_refused);
    RUN(what_a_header_does_not_tell_is_empty);
    RUN(a_chunk_that_lies_is_refused);
    RUN(short_writes_change_nothing);
    RUN(a_full_disk_ends_the_log_where_it_is_whole);
    RUN(places_that_cannot_be_written_are_told);
    RUN(a_log_goes_on_after_its_last_checkpoint);
    RUN(memory_that_is_missing_is_told);
    return test_end();
}
