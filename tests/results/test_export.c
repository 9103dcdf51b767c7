// test_export.c - formats of results: what they write, what they refuse, what a failure leaves
#include "results/export.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "test.h"

static const char path[] = "test_export.tmp";

// rows of 0, 1, 2, ...: the number k of row i is 1000 i + k
static CdStatus count(CdTable *t, uint64_t first, uint64_t n, double *rows) {
    for (uint64_t i = first; i < first + n; i++) {
        for (int k = 0; k <= t->n; k++) *rows++ = 1000.0 * (double)i + k;
    }
    return CD_OK;
}

static CdTable *counting(CdContext *ctx, const CdChannel *channels, int n, uint64_t rows) {
    CdTable *t;
    if (!test_check(__FILE__, __LINE__, cdi_table_new(ctx, &t) == CD_OK, "new table")) return NULL;
    t->n = n;
    t->channels = channels;
    t->rows = rows;
    t->read = count;
    return t;
}

static const CdChannel two[] = {{"tip.x", "m", false}, {"a, b", "rad/s", false}};

static const CdExportClass *format(CdContext *ctx, const char *name) {
    const CdExportClass *cls = NULL;
    CHECK_OK(cdi_export_class(ctx, name, NULL, &cls));
    return cls;
}

static char *written(CdContext *ctx, size_t *n) {
    char *data = NULL;
    *n = 0;
    CHECK_OK(cdi_file_read(ctx, path, 1 << 24, &data, n));
    return data;
}

TEST(text_is_as_it_was_sampled) {
    TestLog log;
    test_log_open(&log);
    CdTable *t = counting(log.ctx, two, 2, 3);
    CHECK_OK(cdi_export(t, format(log.ctx, "csv"), path, NULL, NULL));
    size_t n;
    char *text = written(log.ctx, &n);
    CHECK_TEXT(text, "# time in s; tip.x in m; a, b in rad/s\n"
                     "t,tip.x,\"a, b\"\n0,1,2\n1000,1001,1002\n2000,2001,2002\n");

    // and reads back
    CdTable *back;
    double rows[9], expected[9];
    CHECK_OK(cdi_table_of_csv(log.ctx, path, text, n, &back));
    CHECK_INT(back->n, 2);
    CHECK_INT(back->rows, 3);
    for (int k = 0; k < 2; k++) {
        CHECK_TEXT(back->channels[k].name, two[k].name);
        CHECK_TEXT(back->channels[k].unit, two[k].unit);
    }
    CHECK_OK(back->read(back, 0, 3, rows));
    CHECK_OK(count(t, 0, 3, expected));
    CHECK(memcmp(rows, expected, sizeof rows) == 0);
    cdi_table_free(back);
    cdi_table_free(t);
    cdi_free(log.ctx, text);
    remove(path);
    test_log_close(&log);
}

// ---- CSV as a table

static TestLog csv_log;

static CdTable *csv(const char *text) {
    CdTable *t = NULL;
    CHECK_OK(cdi_table_of_csv(csv_log.ctx, "x.csv", text, strlen(text), &t));
    return t;
}

static void check_bad(const char *text, const char *message) {
    CdTable *t;
    test_log_clear(&csv_log);
    CHECK_INT(cdi_table_of_csv(csv_log.ctx, "x.csv", text, strlen(text), &t), CD_INVALID);
    CHECK_TEXT(csv_log.text, message);
    CHECK(t == NULL);
}

TEST(tables_from_text) {
    test_log_open(&csv_log);
    double row[4];
    CdTable *t = csv("t ; @a ;\"b;c\"; nan \n0;nan;-inf;inf\n");
    CHECK_INT(t->n, 3);
    CHECK_TEXT(t->channels[0].name, "@a");
    CHECK_TEXT(t->channels[1].name, "b;c");
    CHECK_TEXT(t->channels[2].name, "nan");
    CHECK_TEXT(t->channels[2].unit, "");
    CHECK_OK(t->read(t, 0, 1, row));
    CHECK(isnan(row[1]) && row[2] == -INFINITY && row[3] == INFINITY);
    cdi_table_free(t);

    t = csv("0 1 2\n1 2 3");
    CHECK_INT(t->rows, 2);
    CHECK_TEXT(t->channels[1].name, "c2");
    cdi_table_free(t);

    t = csv("# time in s; x in m (not unique); z in kg\nt,x,y\n");
    CHECK_INT(t->rows, 0);
    CHECK_TEXT(t->channels[0].unit, "m");
    CHECK(t->channels[0].not_unique && !t->channels[1].not_unique);
    CHECK_TEXT(t->channels[1].unit, "");
    cdi_table_free(t);

    check_bad("", "x.csv: the table has no numbers\n");
    check_bad("t,x\n0,1,2\n", "x.csv: 2 names, but 3 columns of numbers\n");
    check_bad("t,x\n0,nonsense\n", "x.csv:2:3: expected a number\n");
    check_bad("t,x\n0,1e999\n", "x.csv:2:3: the number is too large for a double\n");
    test_log_close(&csv_log);
}

// ---- parts

static void check_part(const CdSelection *s, uint64_t rows, double first, double last) {
    TestLog log;
    test_log_open(&log);
    CdTable *part;
    double *values;
    CHECK_OK(cdi_table_select(counting(log.ctx, two, 2, 300000), s, &part));
    CHECK_INT(part->rows, rows);
    values = cdi_alloc_array(log.ctx, rows + 1, ((size_t)part->n + 1) * sizeof *values);
    CHECK_OK(part->read(part, 0, part->rows, values));
    if (rows > 0) {
        CHECK_BITS(values[0], first);
        CHECK_BITS(values[(rows - 1) * ((uint64_t)part->n + 1)], last);
        CHECK_BITS(values[rows * ((uint64_t)part->n + 1) - 1], last + 2);
    }
    for (uint64_t i = 0; i < rows; i++) {
        const double t = values[i * ((uint64_t)part->n + 1)];
        if (!CHECK(t == first + 1000.0 * s->every * (double)i)) break;
    }
    cdi_free(log.ctx, values);
    cdi_table_free(part);
    test_log_close(&log);
}

TEST(parts_in_time) {
    CdSelection s = CD_SELECT_ALL;
    check_part(&s, 300000, 0, 299999e3);
    s.every = 7; // blocks do not end with a row that is taken
    check_part(&s, 42858, 0, 299999e3);
    s.every = 100000;
    check_part(&s, 3, 0, 200000e3);
    s.every = 2;
    s.from = 2000; // both ends are taken
    s.to = 8000;
    check_part(&s, 4, 2000, 8000);
    s.from = 1999.5;
    s.to = 7999.5;
    check_part(&s, 3, 2000, 6000);
    s.from = 9000;
    check_part(&s, 0, 0, 0);
}

TEST(parts_by_name) {
    TestLog log;
    test_log_open(&log);
    const CdChannel channels[] = {{"@link.x", "m", false},
                                  {"tip.x", "m", false},
                                  {"tip.y", "m", false},
                                  {"@link.y", "m", false}};
    const char *const patterns[] = {"*.y"};
    CdTable *part;
    double row[3];
    CdSelection s = CD_SELECT_ALL;
    CHECK_OK(cdi_table_select(counting(log.ctx, channels, 4, 5), &s, &part));
    CHECK_INT(part->n, 2);
    cdi_table_free(part);
    s.patterns = patterns;
    s.npatterns = 1;
    s.scene = true;
    CHECK_OK(cdi_table_select(counting(log.ctx, channels, 4, 5), &s, &part));
    CHECK_INT(part->n, 2);
    CHECK_TEXT(part->channels[0].name, "tip.y");
    CHECK_TEXT(part->channels[1].name, "@link.y");
    CHECK_OK(part->read(part, 2, 1, row));
    CHECK(row[0] == 2000 && row[1] == 2003 && row[2] == 2004);
    cdi_table_free(part);
    s.patterns = (const char *const[]){"@link.x", "top.x"};
    s.npatterns = 2;
    s.scene = false;
    CHECK_INT(cdi_table_select(counting(log.ctx, channels, 4, 5), &s, &part), CD_NOTFOUND);
    CHECK(part == NULL);
    CHECK_TEXT(log.text, "no channel matches '@link.x'; there are 2, the first is 'tip.x'\n"
                         "no channel matches 'top.x'; did you mean 'tip.x'?\n");
    test_log_close(&log);
}

// ---- names of files

TEST(formats_are_found) {
    TestLog log;
    test_log_open(&log);
    const CdExportClass *cls;
    for (const CdExportClass *const *c = cd_exports; *c; c++) {
        char name[64];
        snprintf(name, sizeof name, "dir.x/run%s", (*c)->extension);
        CHECK_OK(cdi_export_class(log.ctx, NULL, name, &cls));
        CHECK(cls == *c);
        CHECK_OK(cdi_export_class(log.ctx, (*c)->name, "-", &cls));
        CHECK(cls == *c && (!cls->rows) != (!cls->column) && cls->doc);
    }
    CHECK_OK(cdi_export_class(log.ctx, NULL, "run.hdf5", &cls));
    CHECK_TEXT(cls->name, "hdf5");
    CHECK_INT(cdi_export_class(log.ctx, "matt", "run.csv", &cls), CD_NOTFOUND);
    CHECK_INT(cdi_export_class(log.ctx, "zzzzzz", "run.csv", &cls), CD_NOTFOUND);
    CHECK_INT(cdi_export_class(log.ctx, NULL, "-", &cls), CD_NOTFOUND);
    CHECK_INT(cdi_export_class(log.ctx, NULL, ".csv", &cls), CD_NOTFOUND);
    CHECK_TEXT(
        log.text,
        "there is no format 'matt'; did you mean 'mat'?\n"
        "there is no format 'zzzzzz'; there are csv, npz, hdf5, mat\n"
        "the name '-' tells no format; end it with one of .csv, .npz, .h5, .mat, or name it\n"
        "the name '.csv' tells no format; end it with one of .csv, .npz, .h5, .mat, or name "
        "it\n");
    test_log_close(&log);
}

// ---- names of variables

static bool word_letter(char c, bool first) {
    return (c >= 'a' && c <= 'z') || (!first && (c == '_' || (c >= '0' && c <= '9')));
}

static bool any_letter(char c, bool first) {
    (void)first;
    return c != '/';
}

static const char **keys_of(CdExport *e, CdKeyLetter *allowed, size_t max) {
    const char **keys = NULL;
    CHECK_OK(cdi_export_keys(e, allowed, max, (const char *const[]){"end", NULL}, &keys));
    return keys;
}

TEST(names_are_made_valid_and_different) {
    TestLog log;
    test_log_open(&log);
    const CdChannel channels[] = {{"tip.x", "", false},      {"tip_x", "", false},
                                  {"t", "", false},          {"7", "", false},
                                  {"", "", false},           {"end", "", false},
                                  {"\xc3\xa4/b", "", false}, {"abcdefgh", "", false},
                                  {"abcdefgi", "", false},   {"abcdefg\xc3\xa4", "", false},
                                  {"\xff", "", false}};
    CdTable *t = counting(log.ctx, channels, 11, 0);
    CdExport e = {.ctx = log.ctx, .table = t};
    cdi_arena_init(&e.arena, log.ctx, 0);
    const char **keys = keys_of(&e, word_letter, 8);
    const char *words[] = {"t",     "tip_x", "tip_x_2", "t_2",     "x7",      "x",
                           "end_2", "x_b",   "abcdefg", "abcde_2", "abcde_3", "x_2"};
    for (int k = 0; k < 12; k++) CHECK_TEXT(keys[k], words[k]);
    // letters of other languages stay whole
    keys = keys_of(&e, any_letter, 9);
    CHECK_TEXT(keys[1], "tip.x");
    CHECK_TEXT(keys[7], "\xc3\xa4_b");
    CHECK_TEXT(keys[10], "abcdefg");
    CHECK_TEXT(keys[11], "__2");
    cdi_arena_clear(&e.arena);
    cdi_table_free(t);
    test_log_close(&log);
}

// ---- large files

// what a format writes around numbers that are not there: the file has holes in their place
static CdStatus write_frame(CdContext *ctx, CdTable *t, const char *name) {
    const CdExportClass *cls = format(ctx, name);
    CdExport e = {.ctx = ctx, .table = t, .path = path};
    cdi_arena_init(&e.arena, ctx, 0);
    cdi_text_init(&e.bytes, ctx);
    CdStatus status = cdi_out_open(ctx, path, &e.out);
    if (status == CD_OK) status = cls->open(&e);
    if (status == CD_OK && cls->close) status = cls->close(&e);
    if (status == CD_OK) status = cdi_out_keep(e.out);
    cdi_text_free(&e.bytes);
    cdi_arena_clear(&e.arena);
    cdi_out_free(e.out);
    return status;
}

static uint64_t number(const unsigned char *p, int bytes) {
    uint64_t x = 0;
    for (int i = bytes; i-- > 0;) x = x << 8 | p[i];
    return x;
}

static void read_at(uint64_t offset, unsigned char *to, size_t n) {
    FILE *f = fopen(path, "rb");
    memset(to, 0, n);
    if (CHECK(f && fseek(f, (long)offset, SEEK_SET) == 0)) CHECK_INT(fread(to, 1, n, f), n);
    if (f) fclose(f);
}

static uint64_t file_size(void) {
    FILE *f = fopen(path, "rb");
    const long n = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
    if (f) fclose(f);
    return (uint64_t)n;
}

TEST(archives_beyond_4_gigabytes) {
    TestLog log;
    test_log_open(&log);
    const uint64_t rows = 600000000; // 4.8 GB per column
    CdTable *t = counting(log.ctx, two, 1, rows);
    CHECK_OK(write_frame(log.ctx, t, "npz"));
    const uint64_t size = file_size(), member = 128 + 8 * rows;
    unsigned char end[22 + 20 + 56], entry[46 + 9 + 28];
    read_at(size - sizeof end, end, sizeof end);
    CHECK(memcmp(end, "PK\6\6", 4) == 0 && memcmp(end + 56, "PK\6\7", 4) == 0);
    CHECK(memcmp(end + 76, "PK\5\6", 4) == 0);
    CHECK_INT(number(end + 64, 8), size - sizeof end); // where the end of zip64 is
    CHECK_INT(number(end + 24, 8), 4);                 // members
    CHECK_INT(number(end + 40, 8), size - sizeof end - number(end + 48, 8));
    CHECK_INT(number(end + 84, 2), 4);
    CHECK_INT(number(end + 92, 4), 0xffffffff);

    // the second entry: large, and far from the begin
    const uint64_t directory = number(end + 48, 8), head = 30 + 5 + 20;
    read_at(directory + 46 + 5 + 20, entry, sizeof entry);
    CHECK(memcmp(entry, "PK\1\2", 4) == 0 && memcmp(entry + 46, "tip.x.npy", 9) == 0);
    CHECK(number(entry + 20, 4) == 0xffffffff && number(entry + 24, 4) == 0xffffffff);
    CHECK(number(entry + 42, 4) == 0xffffffff && number(entry + 30, 2) == 28);
    CHECK_INT(number(entry + 57, 2), 24);
    CHECK_INT(number(entry + 59, 8), member);
    CHECK_INT(number(entry + 67, 8), member);
    CHECK_INT(number(entry + 75, 8), head + member);

    // and its local header
    unsigned char local[30 + 9 + 20 + 10];
    read_at(head + member, local, sizeof local);
    CHECK(memcmp(local, "PK\3\4", 4) == 0 && number(local + 28, 2) == 20);
    CHECK_INT(number(local + 30 + 9 + 4, 8), member);
    CHECK(memcmp(local + 59, "\x93NUMPY", 6) == 0);
    cdi_table_free(t);
    remove(path);
    test_log_close(&log);
}

TEST(hdf5_beyond_4_gigabytes) {
    TestLog log;
    test_log_open(&log);
    CdTable *t = counting(log.ctx, two, 2, 600000000);
    CHECK_OK(write_frame(log.ctx, t, "hdf5"));
    unsigned char block[48];
    read_at(0, block, sizeof block);
    const uint64_t end = number(block + 28, 8), data = file_size();
    CHECK_INT(end, data + 3 * 8 * 600000000ull);
    CHECK_INT(data % 8, 0);
    cdi_table_free(t);
    remove(path);
    test_log_close(&log);
}

TEST(limits_are_told) {
    TestLog log;
    test_log_open(&log);
    const CdExportClass *mat = format(log.ctx, "mat");
    CdTable *t = counting(log.ctx, two, 2, (1 << 28) - 24);
    CHECK_OK(write_frame(log.ctx, t, "mat"));
    remove(path);
    t->rows++;
    CHECK_INT(cdi_export(t, mat, path, NULL, NULL), CD_LIMIT);
    t->rows = UINT64_MAX / 2;
    CHECK_INT(cdi_export(t, format(log.ctx, "npz"), path, NULL, NULL), CD_LIMIT);
    static char name[CD_EXPORT_NAME_MAX + 2];
    memset(name, 'n', sizeof name - 1);
    const CdChannel long_name[] = {{name, "m", false}};
    t->channels = long_name;
    t->n = 1;
    t->rows = 1;
    CHECK_INT(cdi_export(t, mat, path, NULL, NULL), CD_LIMIT);
    CHECK_TEXT(log.text,
               "test_export.tmp: every channel needs 2 GiB or more, which MAT files of version 5 "
               "cannot hold; take fewer samples or channels, or another format\n"
               "too many numbers for one file\n"
               "channel 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...': its "
               "name or unit is longer than 4096 bytes\n");
    CHECK(fopen(path, "rb") == NULL);
    cdi_table_free(t);
    test_log_close(&log);
}

// ---- failures

static CdStatus breaks(CdTable *t, uint64_t first, uint64_t n, double *rows) {
    if (first > 0) return cdi_fail(t->ctx, CD_IO, "the source breaks");
    return count(t, first, n, rows);
}

static bool stop(void *user) {
    int *left = user;
    return (*left)-- == 0;
}

TEST(nothing_is_left_of_what_failed) {
    for (const CdExportClass *const *c = cd_exports; *c; c++) {
        TestLog log;
        test_log_open(&log);
        CdTable *t = counting(log.ctx, two, 2, 100000);
        int blocks = 1;
        CHECK_INT(cdi_export(t, *c, path, stop, &blocks), CD_CANCELLED);
        CHECK_TEXT(log.text, "test_export.tmp: cancelled, nothing was written\n");
        test_log_clear(&log);
        t->read = breaks;
        CHECK_INT(cdi_export(t, *c, path, NULL, NULL), CD_IO);
        CHECK_TEXT(log.text, "the source breaks\n");
        test_log_clear(&log);
        t->read = count;
        CHECK_INT(cdi_export(t, *c, "/dev/full", NULL, NULL), CD_IO);
        CHECK_TEXT(log.text, "/dev/full: cannot write: No space left on device\n");
        CHECK(fopen(path, "rb") == NULL);
        test_log_clear(&log);
        if ((*c)->column) {
            CHECK_INT(cdi_export(t, *c, "-", NULL, NULL), CD_INVALID);
            CHECK(strstr(log.text, " is written out of order; give the name of a file\n"));
        }
        cdi_table_free(t);
        test_log_close(&log);
    }
}

static size_t peak_of(const CdExportClass *cls, uint64_t rows) {
    TestLog log;
    test_log_open(&log);
    CdTable *t = counting(log.ctx, two, 2, rows), *part = NULL;
    CdSelection s = CD_SELECT_ALL;
    s.every = 2;
    CHECK_OK(cdi_table_select(t, &s, &part));
    CHECK_OK(cdi_export(part, cls, path, NULL, NULL));
    const size_t peak = cd_context_memory(log.ctx).peak_bytes;
    cdi_table_free(part);
    test_log_close(&log);
    return peak;
}

TEST(memory_does_not_grow_with_rows) {
    for (const CdExportClass *const *c = cd_exports; *c; c++) {
        const size_t few = peak_of(*c, 10), many = peak_of(*c, 1000000);
        CHECK(many <= few + 64); // numbers in text have more digits
    }
    remove(path);
}

static CdStatus write_part(CdContext *ctx, void *user) {
    static const char text[] = "# time in s; x in m\nt,x,\"y\",@z\n0,1,2,3\n1,2,3,4\n";
    CdTable *t, *part;
    CdSelection s = CD_SELECT_ALL;
    s.every = 2;
    s.from = 0.5;
    CD_TRY(cdi_table_of_csv(ctx, "x.csv", text, strlen(text), &t));
    CD_TRY(cdi_table_select(t, &s, &part));
    const CdStatus status = cdi_export(part, user, path, NULL, NULL);
    cdi_table_free(part);
    return status;
}

TEST(lack_of_memory_is_survived) {
    for (const CdExportClass *const *c = cd_exports; *c; c++) {
        CdExportClass copy = **c;
        CHECK_OOM(write_part, &copy);
        remove(path);
    }
}

int main(void) {
    RUN(text_is_as_it_was_sampled);
    RUN(tables_from_text);
    RUN(parts_in_time);
    RUN(parts_by_name);
    RUN(formats_are_found);
    RUN(names_are_made_valid_and_different);
    RUN(archives_beyond_4_gigabytes);
    RUN(hdf5_beyond_4_gigabytes);
    RUN(limits_are_told);
    RUN(nothing_is_left_of_what_failed);
    RUN(memory_does_not_grow_with_rows);
    RUN(lack_of_memory_is_survived);
    return test_end();
}
