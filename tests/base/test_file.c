// test_file.c - whole files in and out, and tables of numbers
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
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
    CHECK_TEXT(log.text, "test_file.tmp: larger than the limit of 4 bytes\n"
                         "no/such/file: cannot open: No such file or directory\n"
                         "/: is a folder, not a file\n"
                         "no/such/file: cannot create: No such file or directory\n");
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

int main(void) {
    RUN(what_is_written_is_read);
    RUN(failures_are_explained);
    RUN(paths_are_seen_from_the_file);
    RUN(lack_of_memory_is_survived);
    RUN(tables_of_numbers);
    RUN(tables_survive_lack_of_memory);
    return test_end();
}
