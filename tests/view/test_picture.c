// test_picture.c - logs ready for pictures, pages and glTF: frames, plots, hostile names, sizes
#include "view/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "system/scene.h"
#include "view/page_template.h"

#include "test.h"

// in the build folder, where ctest runs
static const char path[] = "test_picture.tmp", picture[] = "test_picture.out";

#define BYTES_MAX ((size_t)1 << 26)
#define COLUMNS_MAX 400

// a bar on a hinge, a ball on a spring, a push; names that end scripts
static const char crank[] =
    "{\"cardan\": 1, \"items\": ["
    "{\"class\": \"RigidBody\", \"name\": \"bar</script><b>\", \"shape\": {\"class\": \"Cuboid\","
    " \"size\": [1, 0.1, 0.1]}, \"position\": [0.5, 0, 0]},"
    "{\"class\": \"MassPoint3D\", \"name\": \"ball\", \"mass\": 2, \"position\": [2, 0, 0]},"
    "{\"class\": \"RevoluteJoint\", \"name\": \"hinge\", \"body_b\": \"bar</script><b>\","
    " \"at\": [0, 0, 0], \"axis\": [0, 0, 1]},"
    "{\"class\": \"Marker\", \"name\": \"m1\", \"body\": \"bar</script><b>\","
    " \"position\": [0.5, 0, 0]},"
    "{\"class\": \"Marker\", \"name\": \"m2\", \"body\": \"ball\"},"
    "{\"class\": \"SpringDamper\", \"name\": \"spring\", \"marker_a\": \"m1\","
    " \"marker_b\": \"m2\", \"length\": 1, \"stiffness\": 10},"
    "{\"class\": \"Force\", \"name\": \"push\", \"body\": \"bar</script><b>\", \"y\": 1},"
    "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, 0, -9.81]}]}";

// ---- logs of made-up motion

typedef struct Maker {
    CdModel *model;
    CdSystem *system;
    CdArena arena;
    CdSceneNumbers numbers;
    CdChannel channels[COLUMNS_MAX];
    CdLogHeader header;
} Maker;

// channels: two of its own, one with the name of a number of the scene
static CdStatus maker_open(CdContext *ctx, const char *text, Maker *m) {
    *m = (Maker){0};
    cdi_arena_init(&m->arena, ctx, 4096);
    CD_TRY(cdi_model_read_text(ctx, text, strlen(text), "x.json", &m->model));
    CD_TRY(cdi_system_new(m->model, &m->system));
    CD_TRY(cdi_scene_numbers(m->system, &m->arena, &m->numbers));
    m->channels[0] = (CdChannel){.name = "wave", .unit = "m"};
    m->channels[1] = (CdChannel){.name = "spike", .unit = "N"};
    m->channels[2] = (CdChannel){.name = m->numbers.channels[0].name + 1, .unit = "m"};
    for (int i = 0; i < m->numbers.n; i++) m->channels[3 + i] = m->numbers.channels[i];
    m->header = (CdLogHeader){.file = "models/a <b>.json",
                              .model = text,
                              .run = "{}",
                              .method = "made up",
                              .n = 3 + m->numbers.n,
                              .nscene = m->numbers.n,
                              .channels = m->channels};
    return CD_OK;
}

static void maker_close(Maker *m) {
    cdi_system_free(m->system);
    cdi_model_free(m->model);
    cdi_arena_clear(&m->arena);
}

// smooth, different for every column; quaternions of changing sign
static double number(int column, double t, uint64_t row, int nposes) {
    const int k = column % CD_POSE_NUMBERS;
    const double angle = 0.3 * t + column / CD_POSE_NUMBERS, sign = row % 2 ? -1 : 1;
    if (column >= nposes) return 10 * sin(t + column);
    if (k < 3) return sin((0.5 + 0.1 * k) * t + column);
    return sign * (k == 3 ? cos(angle / 2) : k == 6 ? sin(angle / 2) : 0);
}

static CdStatus write_log(CdContext *ctx, const Maker *m, uint64_t rows, double dt) {
    CdLogWriter *log;
    CdStatus status = CD_OK;
    double x[COLUMNS_MAX];
    const int nposes = CD_POSE_NUMBERS * m->numbers.nbodies;
    CD_TRY(cdi_log_create(ctx, path, &m->header, &log));
    for (uint64_t i = 0; i < rows && status == CD_OK; i++) {
        const double t = dt * (double)i;
        for (int c = 0; c < m->numbers.n; c++) x[3 + c] = number(c, t, i, nposes);
        x[0] = cos(t);
        x[1] = i == rows / 3 + 5 ? 1000 : i == rows / 3 + 6 ? -500 : sin(t);
        x[2] = x[3];
        status = cdi_log_row(log, t, x);
    }
    const CdStatus closed = cdi_log_close(log, "{}");
    return status == CD_OK ? closed : status;
}

static CdMotion *open_motion(TestLog *log, Maker *m, uint64_t rows, double dt, double rate) {
    CdMotion *motion = NULL;
    test_log_open(log);
    if (!CHECK_OK(maker_open(log->ctx, crank, m))) return NULL;
    CHECK_OK(write_log(log->ctx, m, rows, dt));
    CHECK_OK(cdi_motion_open(log->ctx, path, &CD_SELECT_ALL, rate, &motion));
    return motion;
}

static void close_motion(TestLog *log, Maker *m, CdMotion *motion) {
    cdi_motion_free(motion);
    maker_close(m);
    test_log_close(log);
}

// ---- frames

TEST(frames_are_rows_of_the_log) {
    TestLog log;
    Maker m;
    CdMotion *motion = open_motion(&log, &m, 101, 0.01, 0);
    if (!motion) return;
    CHECK_INT(motion->nbodies, 3);
    CHECK_INT(motion->nforces, 3);
    CHECK_INT(motion->nframes, 101);
    for (size_t k = 0; k < motion->nframes; k += 25) {
        double p[3], q[4];
        const double t = 0.01 * (double)k;
        CHECK_BITS(motion->time[k], t);
        cdi_motion_pose(motion, 2, k, p, q);
        for (int i = 0; i < 3; i++) CHECK_NEAR(p[i], number(7 + i, t, k, 14), 1e-15);
        CHECK_NEAR(fabs(q[0]), fabs(number(10, t, k, 14)), 1e-12);
    }
    cdi_motion_pose(motion, 0, 3, (double[3]){0}, (double[4]){0});
    close_motion(&log, &m, motion);
}

TEST(rotations_do_not_jump) {
    TestLog log;
    Maker m;
    CdMotion *motion = open_motion(&log, &m, 200, 0.01, 0);
    if (!motion) return;
    for (size_t k = 1; k < motion->nframes; k++) {
        double p[3], q[4], was[4], dot = 0;
        cdi_motion_pose(motion, 1, k - 1, p, was);
        cdi_motion_pose(motion, 1, k, p, q);
        for (int i = 0; i < 4; i++) dot += q[i] * was[i];
        CHECK(dot > 0.99);
    }
    close_motion(&log, &m, motion);
}

TEST(forces_act_at_the_last_marker) {
    TestLog log;
    Maker m;
    CdMotion *motion = open_motion(&log, &m, 3, 0.01, 0);
    if (!motion) return;
    const CdMotionForce *f = motion->forces;
    CHECK_TEXT(cdi_item_name(f[0].item), "hinge");
    CHECK_INT(f[0].body, 1);
    CHECK_NEAR(f[0].point[0], -0.5, 1e-15);
    CHECK_TEXT(cdi_item_name(f[1].item), "spring");
    CHECK_INT(f[1].body, 2);
    CHECK_NEAR(f[1].point[0], 0, 1e-15);
    CHECK_TEXT(cdi_item_name(f[2].item), "push");
    CHECK_INT(f[2].body, 1);
    double up[3];
    cdi_motion_up(motion, up);
    CHECK_NEAR(up[2], 1, 1e-15);
    close_motion(&log, &m, motion);
}

// 1000 rows a second: 50 frames are enough, but not less than 2000 in all
TEST(long_logs_are_thinned) {
    TestLog log;
    Maker m;
    CdMotion *motion = open_motion(&log, &m, 60001, 0.001, 0);
    if (!motion) return;
    CHECK_INT(motion->nframes, 3001);
    CHECK_BITS(motion->time[1], 0.02);
    CHECK_BITS(motion->time[3000], 60);
    close_motion(&log, &m, motion);
    motion = open_motion(&log, &m, 5001, 0.001, 0);
    CHECK_INT(motion->nframes, 2501);
    close_motion(&log, &m, motion);
    motion = open_motion(&log, &m, 5001, 0.001, 10);
    CHECK_INT(motion->nframes, 51);
    close_motion(&log, &m, motion);
}

TEST(a_part_can_be_shown) {
    TestLog log;
    Maker m;
    const char *const patterns[] = {"spi*"};
    const CdSelection part = {
        .patterns = patterns, .npatterns = 1, .from = 0.2, .to = 0.5, .every = 2};
    CdMotion *motion = open_motion(&log, &m, 101, 0.01, 0);
    cdi_motion_free(motion);
    CHECK_OK(cdi_motion_open(log.ctx, path, &part, 0, &motion));
    CHECK_INT(motion->nframes, 16);
    CHECK_BITS(motion->time[0], 0.2);
    CHECK_INT(motion->nchannels, 1);
    CHECK_TEXT(motion->table->channels[0].name, "spike");
    close_motion(&log, &m, motion);
}

// ---- plots

TEST(spikes_survive_thinning) {
    TestLog log;
    Maker m;
    CdMotion *motion = open_motion(&log, &m, 60001, 0.001, 0);
    if (!motion) return;
    double least = 0, most = 0;
    CHECK(motion->npoints <= 3000);
    for (size_t i = 0; i < motion->npoints; i++) {
        const double x = motion->plots[motion->npoints + i], t = motion->plot_time[i];
        if (x > most) CHECK(x < 2 || fabs(t - 20) < 0.05);
        if (x < least) CHECK(x > -2 || fabs(t - 20) < 0.05);
        most = fmax(most, x);
        least = fmin(least, x);
        if (i > 0) CHECK(t > motion->plot_time[i - 1]);
        CHECK_NEAR(motion->plots[i], cos(t), 0.05);
    }
    CHECK_BITS(most, 1000);
    CHECK_BITS(least, -500);
    close_motion(&log, &m, motion);
}

TEST(short_logs_are_plotted_as_they_are) {
    TestLog log;
    Maker m;
    CdMotion *motion = open_motion(&log, &m, 50, 0.1, 0);
    if (!motion) return;
    CHECK_INT(motion->npoints, 50);
    for (size_t i = 0; i < 50; i++) CHECK_BITS(motion->plots[i], cos(0.1 * (double)i));
    CHECK_INT(motion->twin[0], -1);
    CHECK_INT(motion->twin[1], -1);
    CHECK_INT(motion->twin[2], 0);
    close_motion(&log, &m, motion);
}

// ---- files

static size_t count(const char *text, const char *word) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++) n++;
    return n;
}

static char *make(TestLog *log, const CdMotion *motion, int cls, size_t *n) {
    char *data = NULL;
    CHECK_OK(cdi_picture(motion, &cd_pictures[cls], picture));
    CHECK_OK(cdi_file_read(log->ctx, picture, BYTES_MAX, &data, n));
    remove(picture);
    return data;
}

TEST(no_name_leaves_the_data_of_the_page) {
    TestLog log;
    Maker m;
    size_t n;
    CdMotion *motion = open_motion(&log, &m, 20, 0.1, 0);
    char *page = make(&log, motion, 0, &n);
    if (!page) return;
    CHECK_TEXT(cd_pictures[0].extension, ".html");
    CHECK_INT(count(page, "</script"), count(cdi_page_template, "</script"));
    CHECK_INT(count(page, "<b>"), count(cdi_page_template, "<b>"));
    CHECK_INT(count(page, "bar\\u003c/script>\\u003cb>"), 3); // body, part, channel
    CHECK_INT(count(page, CD_PAGE_MARK), 0);
    CHECK(strstr(page, "\"title\": \"a \\u003cb>\"") != NULL);
    cdi_free(log.ctx, page);
    close_motion(&log, &m, motion);
}

// twenty bodies in space for 60 s, 100 samples a second: less than 3 MB
TEST(pages_are_small) {
    TestLog log;
    Maker m;
    CdText text;
    CdMotion *motion;
    size_t n;
    test_log_open(&log);
    cdi_text_init(&text, log.ctx);
    cdi_text_add(&text, "{\"cardan\": 1, \"items\": [");
    for (int i = 1; i <= 20; i++) {
        cdi_text_addf(&text,
                      "%s{\"class\": \"RigidBody\", \"name\": \"b%d\", \"position\": [%d, 0, 0],"
                      " \"shape\": {\"class\": \"Cylinder\", \"radius\": 0.1, \"length\": 1}},"
                      "{\"class\": \"SphericalJoint\", \"name\": \"j%d\", \"body_b\": \"b%d\","
                      " \"at\": [%d, 0, 0]}",
                      i > 1 ? "," : "", i, i, i, i, i);
    }
    cdi_text_add(&text, "]}");
    CHECK_OK(maker_open(log.ctx, text.v, &m));
    CHECK_OK(write_log(log.ctx, &m, 6001, 0.01));
    CHECK_OK(cdi_motion_open(log.ctx, path, &CD_SELECT_ALL, 0, &motion));
    cdi_free(log.ctx, make(&log, motion, 0, &n));
    CHECK(n < 3000000);
    cdi_free(log.ctx, make(&log, motion, 2, &n));
    CHECK(n < 4000000);
    cdi_text_free(&text);
    close_motion(&log, &m, motion);
}

TEST(gltf_has_its_parts) {
    TestLog log;
    Maker m;
    size_t n;
    CdJsonDoc *doc;
    CdMotion *motion = open_motion(&log, &m, 20, 0.1, 0);
    char *gltf = make(&log, motion, 1, &n);
    CHECK_OK(cdi_json_read(log.ctx, NULL, gltf, n, CD_JSON_LIMITS, &doc));
    const CdJson *root = cdi_json_root(doc), *nodes = cdi_json_get(root, "nodes");
    CHECK_TEXT(cdi_json_get(&nodes->items[2], "name")->text, "bar</script><b>");
    const CdJson *run = &cdi_json_get(root, "animations")->items[0];
    // two bodies with two paths, a span with three
    CHECK_INT(cdi_json_get(run, "channels")->n, 7);
    cdi_json_free(doc);
    cdi_free(log.ctx, gltf);
    char *glb = make(&log, motion, 2, &n);
    CHECK(memcmp(glb, "glTF\2\0\0\0", 8) == 0);
    CHECK_INT((unsigned char)glb[8] + 256 * (unsigned char)glb[9] + 65536 * (unsigned char)glb[10],
              n);
    cdi_free(log.ctx, glb);
    close_motion(&log, &m, motion);
}

// ---- what is wrong

static void refused(const CdLogHeader *header, const CdSelection *part, const char *message) {
    TestLog log;
    CdLogWriter *writer;
    CdMotion *motion;
    const double x[COLUMNS_MAX] = {0};
    test_log_open(&log);
    CHECK_OK(cdi_log_create(log.ctx, path, header, &writer));
    CHECK_OK(cdi_log_row(writer, 0, x));
    CHECK_OK(cdi_log_close(writer, NULL));
    CHECK(cdi_motion_open(log.ctx, path, part, 0, &motion) != CD_OK);
    CHECK(motion == NULL);
    CHECK(strstr(log.text, message) != NULL);
    if (!strstr(log.text, message)) puts(log.text);
    test_log_close(&log);
}

TEST(logs_that_do_not_fit_are_refused) {
    TestLog log;
    Maker m;
    test_log_open(&log);
    CHECK_OK(maker_open(log.ctx, crank, &m));
    const CdSelection all = CD_SELECT_ALL, late = {.from = 5, .to = 6, .every = 1};
    CdLogHeader h = m.header;
    refused(&h, &late, "there is no row");
    h.n = 3;
    h.nscene = 0;
    refused(&h, &all, "the log holds no poses");
    h = m.header;
    h.n -= 1;
    h.nscene -= 1;
    refused(&h, &all, "the log does not fit its model");
    h = m.header;
    h.model = "{\"cardan\": 1, \"items\": [{\"class\": \"Include\", \"file\": \"/etc/passwd\"}]}";
    refused(&h, &all, "Include");
    CdChannel other[COLUMNS_MAX];
    memcpy(other, m.channels, sizeof other);
    h = m.header;
    h.channels = other;
    other[5].name = "@ball.zz";
    refused(&h, &all, "poses of bodies are missing");
    other[5] = m.channels[5];
    other[3 + 14 + 2].name = "@spring.fz";
    refused(&h, &all, "forces that do not belong to its model");
    for (int i = 0; i < 6; i++) other[3 + 14 + i].name = "@g.fx";
    refused(&h, &all, "forces that do not belong to its model");
    maker_close(&m);
    test_log_close(&log);
}

static CdStatus all_of_it(CdContext *ctx, void *user) {
    CdMotion *motion;
    (void)user;
    CdStatus status = cdi_motion_open(ctx, path, &CD_SELECT_ALL, 0, &motion);
    for (int i = 0; cd_pictures[i].name && status == CD_OK; i++) {
        status = cdi_picture(motion, &cd_pictures[i], picture);
    }
    cdi_motion_free(motion);
    return status;
}

TEST(memory_may_end) {
    TestLog log;
    Maker m;
    CdMotion *motion = open_motion(&log, &m, 3, 0.1, 0);
    close_motion(&log, &m, motion);
    CHECK_OOM(all_of_it, NULL);
}

int main(void) {
    RUN(frames_are_rows_of_the_log);
    RUN(rotations_do_not_jump);
    RUN(forces_act_at_the_last_marker);
    RUN(long_logs_are_thinned);
    RUN(a_part_can_be_shown);
    RUN(spikes_survive_thinning);
    RUN(short_logs_are_plotted_as_they_are);
    RUN(no_name_leaves_the_data_of_the_page);
    RUN(pages_are_small);
    RUN(gltf_has_its_parts);
    RUN(logs_that_do_not_fit_are_refused);
    RUN(memory_may_end);
    remove(path);
    remove(picture);
    return test_end();
}
