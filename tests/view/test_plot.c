// test_plot.c - axes of round numbers, and lines: extremes, gaps, no data, panels by unit
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "view/plot.h"

// ---- axes

static void check_axis(double low, double high, int most) {
    CdAxis a;
    cdi_axis_make(low, high, most, true, &a);
    bool ok = CHECK(a.n >= 2 && a.n <= CD_TICKS_MAX);
    ok = CHECK(a.low <= low + 1e-9 * fabs(low)) && ok;
    ok = CHECK(a.high >= high - 1e-9 * fabs(high)) && ok;
    const double step = a.ticks[1] - a.ticks[0];
    for (int i = 0; i < a.n; i++) {
        // the text says what the tick is
        char text[CD_TICK_TEXT], *minus;
        memcpy(text, a.text[i], sizeof text);
        if ((minus = strstr(text, "\xe2\x88\x92"))) memmove(minus, "-  ", 3);
        char *digits = text[0] == '-' ? text + 3 : text;
        const double said = (text[0] == '-' ? -1 : 1) * strtod(digits, NULL) * pow(10, a.exponent);
        ok = CHECK_NEAR(said, a.ticks[i], 1e-4 * step) && ok;
        if (i > 0) ok = CHECK_NEAR((a.ticks[i] - a.ticks[i - 1]) / step, 1, 1e-6) && ok;
    }
    const double m = step / pow(10, a.power);
    ok = CHECK(fabs(m - 1) < 1e-6 || fabs(m - 2) < 1e-6 || fabs(m - 5) < 1e-6) && ok;
    if (!ok) printf("  for %g to %g\n", low, high);
}

TEST(ticks_are_round_numbers) {
    const double ranges[][2] = {{0, 1},          {-1, 1},     {0, 7},           {-0.3, 12.7},
                                {1e-9, 3e-9},    {-4e7, 2e8}, {99999, 99999.1}, {5, 5 + 1e-10},
                                {-1e300, 1e300}, {0, 1e-280}, {1e5, 2e5},       {-1e-5, -1e-6}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        for (int most = 3; most <= 9; most++) check_axis(ranges[i][0], ranges[i][1], most);
    }
    TestRandom random = {3};
    for (int i = 0; i < 1000; i++) {
        const double size = pow(10, test_random(&random, -12, 12));
        const double a = size * test_random(&random, -1, 1), b = size * test_random(&random, -1, 1);
        check_axis(fmin(a, b), fmax(a, b), 6);
    }
}

TEST(ticks_read_as_people_write) {
    CdAxis a;
    cdi_axis_make(0, 1, 6, true, &a);
    CHECK_INT(a.n, 6);
    CHECK_TEXT(a.text[1], "0.2");
    CHECK_TEXT(a.text[5], "1.0");
    cdi_axis_make(-20, 20, 6, true, &a);
    CHECK_TEXT(a.text[0], "\xe2\x88\x92"
                          "20");
    CHECK_TEXT(a.text[2], "0");
    cdi_axis_make(0, 20000, 6, true, &a);
    CHECK_INT(a.exponent, 0);
    CHECK_TEXT(a.text[1], "5000");
    cdi_axis_make(0, 2.5e6, 6, true, &a);
    CHECK_INT(a.exponent, 6);
    CHECK_TEXT(a.text[1], "0.5");
    cdi_axis_make(0, 1.95, 9, false, &a);
    CHECK_NEAR(a.high, 1.95, 0);
    CHECK_TEXT(a.text[a.n - 1], "1.5");
}

TEST(an_axis_of_one_value_or_none_has_room) {
    const double values[] = {0, 3, -3, 1e-310, 1e300, -1e-200};
    CdAxis a;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        cdi_axis_make(values[i], values[i], 6, true, &a);
        CHECK(a.low < a.high && a.low <= values[i] && a.high >= values[i] && a.n >= 2);
    }
    cdi_axis_make(NAN, NAN, 6, true, &a);
    CHECK(a.low < a.high && a.n >= 2);
}

// ---- plots

typedef struct Made {
    TestLog log;
    CdTable *table;
    CdArena arena;
    CdText text;
    CdPlotted out;
} Made;

static CdStatus plot(CdContext *ctx, const char *csv, int x, const int *y, int ny, Made *m) {
    const CdPlot p = {.title = "a <b>", .width = 600, .height = 300, .x = x, .y = y, .ny = ny};
    cdi_arena_init(&m->arena, ctx, 4096);
    cdi_text_init(&m->text, ctx);
    CdStatus status = cdi_table_of_csv(ctx, "x.csv", csv, strlen(csv), &m->table);
    if (status == CD_OK) {
        status = cdi_svg_plot(m->table, &p, &m->arena, &m->text, &m->out);
        cdi_table_free(m->table);
    }
    return status;
}

static void open_plot(Made *m, const char *csv, int x, const int *y, int ny) {
    test_log_open(&m->log);
    CHECK_OK(plot(m->log.ctx, csv, x, y, ny, m));
    CHECK_TEXT(m->log.text, "");
}

static void close_plot(Made *m) {
    cdi_text_free(&m->text);
    cdi_arena_clear(&m->arena);
    test_log_close(&m->log);
}

static bool has(const Made *m, const char *part) {
    return m->text.v && strstr(m->text.v, part);
}

// the path of the first line
static char *first_path(const Made *m) {
    char *at = m->text.v ? strstr(m->text.v, "class=\"c0\" d=\"") : NULL;
    return at ? at + strlen("class=\"c0\" d=\"") : NULL;
}

#define HEAD "# time in s; a.x in m; a.y in m; b in N\nt,a.x,a.y,b\n"
static const int all[] = {0, 1, 2};

TEST(channels_of_one_unit_share_a_panel) {
    Made m;
    open_plot(&m, HEAD "0,1,2,30\n1,2,3,-40\n", -1, all, 3);
    CHECK_INT(m.out.npanels, 2);
    CHECK_INT(m.out.lines[1].panel, 0);
    CHECK_INT(m.out.lines[2].panel, 1);
    CHECK_NEAR(m.out.lines[2].low, -40, 0);
    CHECK_NEAR(m.out.lines[2].high, 30, 0);
    CHECK(has(&m, ">[m]</text>") && has(&m, ">[N]</text>") && has(&m, ">time [s]</text>"));
    CHECK(has(&m, ">a.x</text>") && has(&m, "<title>a &lt;b&gt;</title>"));
    close_plot(&m);
}

TEST(a_line_goes_through_its_samples) {
    Made m;
    open_plot(&m, HEAD "0,0,0,0\n1,1,0,0\n2,0,0,0\n", -1, all, 1);
    char *path = first_path(&m);
    long x0, y0, dx[2], dy[2];
    CHECK(path &&
          sscanf(path, "M%ld %ldl%ld%ld%ld%ld", &x0, &y0, &dx[0], &dy[0], &dx[1], &dy[1]) == 6);
    // half the way each, up and down by the whole height
    CHECK(labs(dx[0] - dx[1]) <= 1 && dx[0] > 1000);
    CHECK_INT(dy[0], -dy[1]);
    CHECK(dy[0] < -2000);
    close_plot(&m);
}

TEST(a_phase_plot_is_over_another_channel) {
    Made m;
    const int y[] = {1};
    open_plot(&m, HEAD "0,0,5,0\n1,8,6,0\n2,0,7,0\n", 0, y, 1);
    char *path = first_path(&m);
    long x0, y0, dx[2], dy[2];
    CHECK(path &&
          sscanf(path, "M%ld %ldl%ld%ld%ld%ld", &x0, &y0, &dx[0], &dy[0], &dx[1], &dy[1]) == 6);
    CHECK_INT(dx[0], -dx[1]);
    CHECK(has(&m, ">a.x [m]</text>"));
    CHECK_NEAR(m.out.x.high, 8, 1e-12);
    close_plot(&m);
}

TEST(values_that_are_no_numbers_break_a_line) {
    Made m;
    open_plot(&m, HEAD "0,0,0,0\n1,1,0,0\n2,nan,0,0\n3,1,0,0\n4,inf,0,0\n5,1,0,0\n6,0,0,0\n", -1,
              all, 1);
    char *path = first_path(&m), *end = path ? strchr(path, '"') : NULL;
    int strokes = 0;
    for (char *s = path; s && s < end; s++) strokes += *s == 'M';
    CHECK_INT(strokes, 3);
    // the one in the middle is alone: a dot
    if (end) *end = '\0';
    CHECK(path && strstr(path, "l0 0M"));
    CHECK_INT(m.out.lines[0].gaps, 2);
    CHECK_NEAR(m.out.lines[0].high, 1, 0);
    close_plot(&m);
}

TEST(no_data_is_said) {
    Made m;
    open_plot(&m, HEAD, -1, all, 3);
    CHECK(has(&m, ">no data</text>"));
    CHECK(isnan(m.out.lines[0].low));
    close_plot(&m);
    open_plot(&m, HEAD "0,nan,1,1\n", -1, all, 1);
    CHECK(has(&m, ">no data</text>"));
    close_plot(&m);
}

TEST(long_lines_keep_their_extremes) {
    Made m;
    CdText csv;
    test_log_open(&m.log);
    cdi_text_init(&csv, m.log.ctx);
    cdi_text_add(&csv, "t,a\n");
    const int n = 20000, peak = 12345;
    for (int i = 0; i < n; i++) cdi_text_addf(&csv, "%d,%d\n", i, i == peak ? 100 : i % 2);
    const int y[] = {0};
    CHECK_OK(plot(m.log.ctx, csv.v, -1, y, 1, &m));
    char *path = first_path(&m);
    // the peak is at the top of the panel, where its axis ends
    long x = 0, py = 0, dx, dy, top = 1L << 30, at = 0;
    int taken = 0;
    CHECK(path && sscanf(path, "M%ld %ldl%n", &x, &py, &taken) == 2);
    for (path += taken; sscanf(path, "%ld%ld%n", &dx, &dy, &taken) == 2; path += taken) {
        x += dx;
        py += dy;
        if (py < top) top = py, at = x;
    }
    CHECK_INT(top, 300);
    CHECK(m.text.n < 40000);
    CHECK(at > 2000);
    cdi_text_free(&csv);
    close_plot(&m);
}

static CdStatus plot_once(CdContext *ctx, void *user) {
    Made m;
    const CdStatus status = plot(ctx, user, -1, all, 3, &m);
    cdi_text_free(&m.text);
    cdi_arena_clear(&m.arena);
    return status;
}

TEST(memory_may_end) {
    char csv[] = HEAD "0,1,2,30\n1,2,3,-40\n";
    CHECK_OOM(plot_once, csv);
}

int main(void) {
    RUN(ticks_are_round_numbers);
    RUN(ticks_read_as_people_write);
    RUN(an_axis_of_one_value_or_none_has_room);
    RUN(channels_of_one_unit_share_a_panel);
    RUN(a_line_goes_through_its_samples);
    RUN(a_phase_plot_is_over_another_channel);
    RUN(values_that_are_no_numbers_break_a_line);
    RUN(no_data_is_said);
    RUN(long_lines_keep_their_extremes);
    RUN(memory_may_end);
    return test_end();
}
