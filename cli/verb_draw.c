// verb_draw.c - cardan draw MODEL or LOG: a picture of a mechanism as SVG
#include <string.h>

#include "base/file.h"
#include "models.h"
#include "picture.h"
#include "results/table.h"
#include "simulate/check.h"
#include "view/replay.h"

typedef struct DrawOptions {
    char *view, *size, *title;
    CdList at;  // of double
    CdList set; // of char *
    double symbols;
    bool names, frames, forces;
} DrawOptions;

static const CdField fields[] = {
    CD_FIELD(DrawOptions, view, STRING, "", "\"auto\"", "",
             "from where: auto, front, top, side, iso, or a direction towards the eye, \"1 -2 1\"",
             .word = "VIEW"),
    CD_FIELD(DrawOptions, at, REAL, "s", "[]", "",
             "time of a log to draw; several: all but the last are faint; none: its end",
             .list = true, .word = "TIME"),
    CD_FIELD(DrawOptions, size, STRING, "", "\"720x540\"", "",
             "room in pixels; the picture is as large as fits", .word = "WIDTHxHEIGHT"),
    CD_FIELD(DrawOptions, title, STRING, "", "null", "",
             "of the picture; the name of the file without its ending"),
    CD_FIELD(DrawOptions, symbols, REAL, "1", "1", "[0.1, 10]",
             "how many times larger symbols are drawn than usual"),
    CLI_SET_ROW(DrawOptions),
    CD_FIELD(DrawOptions, names, BOOL, "", "false", "", "write names of bodies and joints"),
    CD_FIELD(DrawOptions, frames, BOOL, "", "false", "", "draw frames of bodies and markers"),
    CD_FIELD(DrawOptions, forces, BOOL, "", "false", "",
             "draw forces of joints and connectors, of a log"),
};
static const CdDesc options_class = {
    .name = "DrawVerb", .doc = "How to draw", .size = sizeof(DrawOptions), CD_FIELDS(fields)};

#define BLOCK 65536

typedef struct Draw {
    Cli *cli;
    const DrawOptions *o;
    CdDrawing drawing;
    CdLog *log; // NULL: a model alone
    CdModel *model;
    CdScene *scene;
    CdArena arena;
    CdMoment *moments;
    int n;
} Draw;

// ---- what is drawn

static bool is_log(const char *path) {
    const char *dot = strrchr(path, '.');
    return cdi_log_is(path) || (dot && strcmp(dot, ".log") == 0);
}

static int refuse(Draw *d, const char *text) {
    cli_complain(d->cli, "draw: %s", text);
    return CLI_USAGE;
}

// a log tells its model
static int open_log(Draw *d, const char *path) {
    if (d->o->set.n > 0) return refuse(d, "a log has its parameters; leave out --set");
    if (cdi_log_open(d->cli->ctx, path, &d->log) != CD_OK) return CLI_INPUT;
    const char *text = cdi_log_header(d->log)->model;
    if (!text) {
        cli_complain(d->cli, "%s: the log holds no model; it cannot be drawn", path);
        return CLI_INPUT;
    }
    const CdStatus status = cdi_model_read_kept(d->cli->ctx, text, strlen(text), &d->model);
    return status == CD_OK ? CLI_OK : CLI_INPUT;
}

// an exit code
static int open_input(Draw *d) {
    const char *path = d->cli->args[0];
    if (is_log(path)) return open_log(d, path);
    if (d->o->at.n > 0 || d->o->forces) {
        return refuse(d, "--at and --forces are about a run; give its log in place of a model, or "
                         "leave them out");
    }
    return cli_read_model(d->cli, path, &d->o->set, &d->model);
}

// positions that joints agree with, as a run would begin
static CdStatus place_start(Draw *d, CdFrame *poses) {
    CdSystem *system;
    CdSystemWork *work;
    CdStart start;
    CD_TRY(cdi_system_new(d->model, &system));
    CdStatus status = cdi_system_work_new(system, NULL, &work);
    if (status == CD_OK) {
        status = cdi_start_find(work, &d->arena, &start);
        if (status == CD_OK) cdi_view_poses(system, start.q, poses);
        cdi_system_work_free(work);
    }
    cdi_system_free(system);
    return status;
}

static CdStatus draw_start(Draw *d) {
    CdFrame *poses = CD_TAKE(&d->arena, CdFrame, (size_t)d->scene->nbodies);
    d->moments = CD_TAKE(&d->arena, CdMoment, 1);
    if (!poses || !d->moments) return CD_NOMEM;
    d->n = 1;
    d->moments[0] = (CdMoment){poses, (int)d->scene->arrows.n, d->scene->arrows.v};
    return place_start(d, poses);
}

static CdStatus draw_log(Draw *d) {
    const double *at = d->o->at.v;
    CdReplay replay;
    CD_TRY(cdi_replay_open(d->log, d->scene, &d->arena, &replay));
    d->n = d->o->at.n > 0 ? (int)d->o->at.n : 1;
    d->moments = CD_TAKE(&d->arena, CdMoment, (size_t)d->n);
    if (!d->moments) return CD_NOMEM;
    for (int i = 0; i < d->n; i++) {
        const double t = d->o->at.n > 0 ? at[i] : replay.last;
        CD_TRY(cdi_replay_moment(&replay, t, d->o->forces, &d->moments[i]));
    }
    return CD_OK;
}

static CdStatus prepare(Draw *d) {
    CD_TRY(cdi_view_scene_sized(d->model, d->o->symbols, &d->scene));
    return d->log ? draw_log(d) : draw_start(d);
}

// ---- what came out

static void answer(const Draw *d, const CdDrawn *drawn) {
    CdJsonWriter *w = &d->cli->w;
    const CdMoment *at = &d->moments[d->n - 1];
    cdi_json_key_integer(w, "width", drawn->width);
    cdi_json_key_integer(w, "height", drawn->height);
    cdi_json_key_integer(w, "faces", drawn->nfaces);
    cdi_json_key_number(w, "pixels_per_metre", drawn->camera.scale);
    cdi_json_key(w, "bodies");
    cdi_json_begin_array(w, false);
    for (int i = 1; i < d->scene->nbodies; i++) {
        double x[3];
        cdi_camera_see(&drawn->camera, at->pose[i].p, x);
        cdi_json_begin_object(w);
        cdi_json_key_text(w, "name", cdi_item_name(d->model->of[CD_BODY].v[i]));
        cdi_json_key_number(w, "x", x[0]);
        cdi_json_key_number(w, "y", drawn->height - x[1]);
        cdi_json_end_object(w);
    }
    cdi_json_end_array(w);
}

static CdStatus entitle(Draw *d) {
    size_t n;
    const char *name = cdi_path_stem(d->cli->args[0], &n);
    d->drawing.title = d->o->title ? d->o->title : cdi_arena_strndup(&d->arena, name, n);
    return d->drawing.title ? CD_OK : CD_NOMEM;
}

static int write_picture(const Draw *d) {
    CdText text;
    CdDrawn drawn;
    int code = CLI_INPUT;
    cdi_text_init(&text, d->cli->ctx);
    if (cdi_svg_draw(d->scene, &d->drawing, d->moments, d->n, &text, &drawn) == CD_OK) {
        code = cli_picture_write(d->cli, &text);
        if (code == CLI_OK && d->cli->json) answer(d, &drawn);
    }
    cdi_text_free(&text);
    return code;
}

static int run(Cli *cli) {
    Draw d = {.cli = cli, .o = cli->options};
    d.drawing = (CdDrawing){.view = d.o->view, .names = d.o->names, .frames = d.o->frames};
    const bool size = cli_picture_size(cli, d.o->size, &d.drawing.width, &d.drawing.height);
    const bool view = cdi_camera_check(cli->ctx, d.o->view) == CD_OK;
    if (!cli_picture_output(cli) || !size || !view) return CLI_USAGE;
    cdi_arena_init(&d.arena, cli->ctx, BLOCK);
    int code = entitle(&d) == CD_OK ? open_input(&d) : CLI_INPUT;
    if (code == CLI_OK && prepare(&d) != CD_OK) code = CLI_INPUT;
    if (code == CLI_OK) code = write_picture(&d);
    cdi_arena_clear(&d.arena);
    cdi_view_scene_free(d.scene);
    cdi_model_free(d.model);
    cdi_log_free(d.log);
    return code;
}

static const CliArg args[] = {{"MECHANISM",
                               "a model, or the log of a run; -: a model on standard input",
                               CLI_FILE, .suffix = NULL},
                              {0}};

const CliVerb cli_draw = {
    .name = "draw",
    .doc = "draw a mechanism as SVG, at its start or at times of a run",
    .text = "Bodies have their shape, or bars and plates through their markers; joints,\n"
            "connectors and loads have their symbols. The picture is legible on light and on\n"
            "dark pages.",
    .args = args,
    .options = &options_class,
    .output = "the picture",
    .examples = "  cardan draw model.json -o model.svg --names\n"
                "  cardan run model.json -o run.log\n"
                "  cardan draw run.log --at 0 --at 0.2 --at 0.4 -o motion.svg",
    .run = run};
