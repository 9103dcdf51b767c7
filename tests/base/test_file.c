// test_file.c - whole files in and out, and tables of numbers
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/outfile.h"
#include "test.h"

static const char path[] = "test_file.tmp"; // in the build folder, where ctest runs

TEST(what_is_written_is_read) {
    TestLog log;
    test_log_open(&log);
    char big[200000], *data;
    size_t n;
    memset(big, 'x', sizeof big);
    big[0] = '\0';
    CHECK_OK(cdi_file_write(log.ctx, path, big, sizeof big));
    CHECK_OK(cdi_file_read(log.ctx, path, sizeof big, &data, &n));
    CHECK_INT(n, sizeof big);
    CHECK(memcmp(data, big, n) == 0);
    CHECK_INT(data[n], 0);
    cdi_free(log.ctx, data);
    CHECK_OK(cdi_file_write(log.ctx, path, "", 0));
    CHECK_OK(cdi_file_read(log.ctx, path, 10, &data, &n));
    CHECK_INT(n, 0);
    cdi_free(log.ctx, data);
    remove(path);
    test_log_close(&log);
}

TEST(failures_are_explained) {
    TestLog log;
    test_log_open(&log);
    char *data;
    size_t n;
    CHECK_OK(cdi_file_write(log.ctx, path, "12345", 5));
    CHECK_INT(cdi_file_read(log.ctx, path, 4, &data, &n), CD_LIMIT);
    CHECK_INT(cdi_file_read(log.ctx, "no/such/file", 4, &data, &n), CD_IO);
    CHECK_INT(cdi_file_read(log.ctx, "/", 4, &data, &n), CD_IO);
    CHECK_INT(cdi_file_write(log.ctx, "no/such/file", "x", 1), CD_IO);
    CHECK_INT(cdi_file_write(log.ctx, "/", "x", 1), CD_IO);
    CHECK_TEXT(log.text, "test_file.tmp: larger than the limit of 4 bytes\n"
                         "no/such/file: cannot open: No such file or directory\n"
                         "/: is a folder, not a file\n"
                         "no/such/file: cannot create: No such file or directory\n"
                         "/: cannot write: Is a directory\n");
    test_log_clear(&log);
    CHECK_INT(cdi_file_read_ordinary(log.ctx, "/dev/zero", 4, &data, &n), CD_IO);
    CHECK_INT(cdi_file_read_ordinary(log.ctx, "/", 4, &data, &n), CD_IO);
    CHECK_INT(cdi_file_read_ordinary(log.ctx, "-", 4, &data, &n), CD_IO);
    CHECK_OK(cdi_file_read_ordinary(log.ctx, path, 5, &data, &n));
    CHECK_INT(n, 5);
    cdi_free(log.ctx, data);
    CHECK_TEXT(log.text, "/dev/zero: is not an ordinary file\n"
                         "/: is a folder, not a file\n"
                         "-: cannot open: No such file or directory\n");
    remove(path);
    test_log_close(&log);
}

static bool exists(const char *name) {
    FILE *f = fopen(name, "r");
    if (f) fclose(f);
    return f != NULL;
}

TEST(files_take_their_name_when_they_are_complete) {
    TestLog log;
    test_log_open(&log);
    CdOutFile *out;
    char *data, big[70000];
    size_t n;
    memset(big, 'b', sizeof big);
    CHECK_OK(cdi_out_open(log.ctx, path, &out));
    CHECK(cdi_out_seeks(out));
    CHECK_OK(cdi_out_add(out, "head", 4));
    CHECK_OK(cdi_out_add(out, big, sizeof big));
    CHECK_OK(cdi_out_at(out, 70010, "end", 3));
    CHECK_OK(cdi_out_at(out, 1, "EA", 2)); // what waited is on its way, so this is the last word
    CHECK(!exists(path));
    CHECK_OK(cdi_out_keep(out));
    cdi_out_free(out);
    CHECK_OK(cdi_file_read(log.ctx, path, 1 << 20, &data, &n));
    CHECK_INT(n, 70013);
    CHECK(memcmp(data, "hEAdb", 5) == 0 && memcmp(data + 70003, "b\0\0\0\0\0\0end", 10) == 0);
    cdi_free(log.ctx, data);

    // the old content stays, and nothing else
    char beside[64];
    snprintf(beside, sizeof beside, "%s.%ld-0.tmp", path, (long)getpid());
    CHECK_OK(cdi_out_open(log.ctx, path, &out));
    CHECK_OK(cdi_out_at(out, 0, "new", 3));
    CHECK(exists(beside));
    CHECK_INT(cdi_out_at(out, UINT64_MAX - 1, "x", 1), CD_IO);
    cdi_out_free(out);
    CHECK(!exists(beside));
    CHECK_TEXT(log.text, "test_file.tmp: cannot write: File too large\n");
    CHECK_OK(cdi_file_read(log.ctx, path, 1 << 20, &data, &n));
    CHECK_INT(n, 70013);
    cdi_free(log.ctx, data);
    remove(path);
    test_log_close(&log);
}

TEST(devices_are_written_not_replaced) {
    TestLog log;
    test_log_open(&log);
    CdOutFile *out;
    CHECK_OK(cdi_file_write(log.ctx, "/dev/null", "gone", 4));
    CHECK_INT(cdi_file_write(log.ctx, "/dev/full", "none", 4), CD_IO);
    CHECK_OK(cdi_out_open(log.ctx, "/dev/full", &out));
    CHECK_INT(cdi_out_at(out, 8, "none", 4), CD_IO);
    CHECK_OK(cdi_out_add(out, "waits", 5));
    CHECK_INT(cdi_out_keep(out), CD_IO);
    cdi_out_free(out);
    CHECK_TEXT(log.text, "/dev/full: cannot write: No space left on device\n"
                         "/dev/full: cannot write: No space left on device\n"
                         "/dev/full: cannot write: No space left on device\n");
    FILE *device = fopen("/dev/null", "r");
    CHECK(device && fgetc(device) == EOF); // a file would hold "gone"
    if (device) fclose(device);
    test_log_close(&log);
}

TEST(stars_stand_for_anything) {
    CHECK(cdi_matches("tip.*", "tip.x") && cdi_matches("*", "") && cdi_matches("*.x", "a.x.x"));
    CHECK(cdi_matches("a*b*c", "a-b-b-c") && cdi_matches("tip.**", "tip."));
    CHECK(!cdi_matches("tip.*", "tip") && !cdi_matches("", "a") && !cdi_matches("a*b", "a-b-"));
}

TEST(ends_of_names_are_ends_of_something) {
    CHECK(cdi_ends_with("a.csv", ".csv") && cdi_ends_with(".csv.csv", ".csv"));
    CHECK(!cdi_ends_with(".csv", ".csv") && !cdi_ends_with("csv", ".csv"));
    CHECK(!cdi_ends_with("a.csv2", ".csv") && !cdi_ends_with(NULL, ".csv"));
    CHECK(cdi_is_letter('a') && cdi_is_letter('Z') && cdi_is_letter('_'));
    CHECK(!cdi_is_letter('1') && !cdi_is_letter('@') && !cdi_is_letter('[') && !cdi_is_letter('{'));
}

static void check_join(CdContext *ctx, const char *from, const char *to, const char *expected) {
    char *joined = cdi_path_join(ctx, from, to);
    CHECK_TEXT(joined, expected);
    cdi_free(ctx, joined);
}

TEST(paths_are_seen_from_the_file) {
    CdContext *ctx = cd_context_new(NULL);
    check_join(ctx, "models/car.json", "road.csv", "models/road.csv");
    check_join(ctx, "models/car.json", "/abs/road.csv", "/abs/road.csv");
    check_join(ctx, "car.json", "road.csv", "road.csv");
    check_join(ctx, NULL, "road.csv", "road.csv");
    check_join(ctx, NULL, "-", "./-");
    CHECK_INT(cd_context_memory(ctx).live_blocks, 0);
    cd_context_free(ctx);
}

static void check_stem(const char *whole, const char *expected) {
    size_t n;
    const char *stem = cdi_path_stem(whole, &n);
    CHECK_INT((long)n, (long)strlen(expected));
    CHECK(strncmp(stem, expected, n) == 0);
}

TEST(stems_have_neither_folder_nor_ending) {
    check_stem("models/crank.json", "crank");
    check_stem("crank", "crank");
    check_stem("a.b/crank", "crank");
    check_stem("a/b.tar.gz", "b.tar");
    check_stem("a/.hidden", ".hidden");
    check_stem("a/", "");
}

static CdStatus write_and_read(CdContext *ctx, void *user) {
    (void)user;
    char *data;
    size_t n;
    CD_TRY(cdi_file_write(ctx, path, "hello", 5));
    CdStatus status = cdi_file_read(ctx, path, 100, &data, &n);
    if (status != CD_OK) return status;
    cdi_free(ctx, data);
    char *joined = cdi_path_join(ctx, "a/b", "c");
    cdi_free(ctx, joined);
    return joined ? CD_OK : CD_NOMEM;
}

TEST(lack_of_memory_is_survived) {
    CHECK_OOM(write_and_read, NULL);
    remove(path);
}

static TestLog csv_log;

static void check_csv(const char *text, size_t rows, size_t cols, double last) {
    size_t r = 0, c = 0;
    double *v = NULL;
    CHECK_OK(cdi_csv_read(csv_log.ctx, "t.csv", text, strlen(text), &r, &c, &v));
    CHECK_INT(r, rows);
    CHECK_INT(c, cols);
    if (v) CHECK_BITS(v[rows * cols - 1], last);
    cdi_free(csv_log.ctx, v);
}

static void check_bad_csv(const char *text, const char *message) {
    size_t r, c;
    double *v;
    test_log_clear(&csv_log);
    CHECK_INT(cdi_csv_read(csv_log.ctx, "t.csv", text, strlen(text), &r, &c, &v), CD_INVALID);
    CHECK_TEXT(csv_log.text, message);
}

TEST(tables_of_numbers) {
    test_log_open(&csv_log);
    check_csv("1,2\n3,4\n", 2, 2, 4);
    check_csv("1, 2 , 3\t4 5", 1, 5, 5);
    check_csv("time,height\r\n0,1\r\n+1,-2e-3\r\n", 2, 2, -2e-3);
    check_csv("# road\n\n  1 2 # first\n\n3 4\n#end", 2, 2, 4);
    check_csv("1,2,\n3,4,\n", 2, 2, 4);
    check_csv("\xef\xbb\xbf"
              "0,0\n1,1\n2,2\n",
              3, 2, 2);
    check_csv("0,0\r1,1\r2,2\r", 3, 2, 2);
    check_csv("\"time\", \"height (m)\"\n1,2\n", 1, 2, 2);
    check_csv("t;h\n1;2\n", 1, 2, 2);
    check_bad_csv("nan,0\n1,2\n", "t.csv:1:1: expected a number\n");
    check_bad_csv("\"0\",0\n1,2\n", "t.csv:1:1: expected a number\n");
    check_bad_csv(",0\n1,2\n", "t.csv:1:1: expected a number\n");
    check_bad_csv("a,0\n1,2\n", "t.csv:1:1: expected a number\n");
    check_bad_csv("-inf,0\n1,2\n", "t.csv:1:1: expected a number\n");
    check_bad_csv("0,5;1,2\n",
                  "t.csv:1:4: commas and semicolons in one table; write decimals with a point\n");
    check_bad_csv("", "t.csv: the table has no numbers\n");
    check_bad_csv("# nothing\n", "t.csv: the table has no numbers\n");
    check_bad_csv("1,2\n3\n", "t.csv:2:2: 1 columns here, but 2 in the first row\n");
    check_bad_csv("a,b\n1,x\n", "t.csv:2:3: expected a number\n");
    check_bad_csv("1,,2\n", "t.csv:1:3: expected a number\n");
    check_bad_csv("1 2x\n",
                  "t.csv:1:4: expected a comma, semicolon or space between two numbers\n");
    check_bad_csv("1e999\n", "t.csv:1:1: the number is too large for a double\n");
    check_bad_csv("1\nnan\n", "t.csv:2:1: expected a number\n");
    test_log_close(&csv_log);
}

static CdStatus read_csv(CdContext *ctx, void *user) {
    size_t r, c;
    double *v;
    const char *text = user;
    CD_TRY(cdi_csv_read(ctx, "t.csv", text, strlen(text), &r, &c, &v));
    cdi_free(ctx, v);
    return CD_OK;
}

TEST(tables_survive_lack_of_memory) {
    CHECK_OOM(read_csv, "1 2 3\n4 5 6\n7 8 9\n1 2 3\n4 5 6\n7 8 9\n");
}

TEST(a_file_is_known_by_its_first_bytes) {
    TestLog log;
    test_log_open(&log);
    char long_name[100] = "";
    int ends[2];
    CHECK_OK(cdi_file_write(log.ctx, path, "CdLgHEAD", 8));
    CHECK(cdi_file_begins(path, "CdLg", 4));
    CHECK(cdi_file_begins(path, "CdLgHEAD", 8));
    CHECK(!cdi_file_begins(path, "CdLgHEAD.", 9));
    CHECK(!cdi_file_begins(path, "CdLx", 4));
    CHECK(!cdi_file_begins(path, long_name, sizeof long_name));
    CHECK(!cdi_file_begins("no/such/file", "", 0));
    CHECK(!cdi_file_begins("/dev/zero", "\0", 1));
    // what was read from a pipe could not be read again
    CHECK_INT(pipe(ends), 0);
    CHECK_INT(write(ends[1], "CdLg", 4), 4);
    snprintf(long_name, sizeof long_name, "/dev/fd/%d", ends[0]);
    CHECK(!cdi_file_begins(long_name, "CdLg", 4));
    close(ends[1]);
    CHECK_INT(read(ends[0], long_name, sizeof long_name), 4);
    close(ends[0]);
    remove(path);
    test_log_close(&log);
}

int main(void) {
    RUN(what_is_written_is_read);
    RUN(failures_are_explained);
    RUN(files_take_their_name_when_they_are_complete);
    RUN(a_file_is_known_by_its_first_bytes);
    RUN(devices_are_written_not_replaced);
    RUN(stars_stand_for_anything);
    RUN(paths_are_seen_from_the_file);
    RUN(stems_have_neither_folder_nor_ending);
    RUN(lack_of_memory_is_survived);
    RUN(tables_of_numbers);
    RUN(tables_survive_lack_of_memory);
    RUN(ends_of_names_are_ends_of_something);
    return test_end();
}
