// verb_draw.c - cardan draw MODEL: a picture of a mechanism as SVG
#include "base/file.h"
#include "cli.h"
#include "view/svg.h"

typedef struct DrawOptions {
    char *view, *size;
    bool names, frames;
} DrawOptions;

static const CdField fields[] = {
    CD_FIELD(DrawOptions, view, STRING, "", "\"auto\"", "",
             "from where: auto, front, top, side, iso, or a direction towards the eye, \"1 -2 1\""),
    CD_FIELD(DrawOptions, size, STRING, "", "\"720x540\"", "",
             "room in pixels; the picture is as large as fits"),
    CD_FIELD(DrawOptions, names, BOOL, "", "false", "", "write names of bodies and joints"),
    CD_FIELD(DrawOptions, frames, BOOL, "", "false", "", "draw frames of bodies and markers"),
};

static const CdDesc options = {
    .name = "draw", .doc = "how to draw", .size = sizeof(DrawOptions), CD_FIELDS(fields)};

#define SIDE_MIN 100
#define SIDE_MAX 10000

static bool read_size(Cli *cli, const char *text, int *width, int *height) {
    char rest;
    if (sscanf(text, "%5dx%5d%c", width, height, &rest) == 2 && *width >= SIDE_MIN &&
        *height >= SIDE_MIN && *width <= SIDE_MAX && *height <= SIDE_MAX) {
        return true;
    }
    cli_complain(cli,
                 "option '--size': '%s' is no size; give width and height in pixels, %d to "
                 "%d each, such as 720x540",
                 text, SIDE_MIN, SIDE_MAX);
    return false;
}

static void answer(Cli *cli, const CdScene *scene, const CdMoment *at, const CdDrawn *drawn) {
    CdJsonWriter *w = &cli->w;
    cli_key_integer(w, "width", drawn->width);
    cli_key_integer(w, "height", drawn->height);
    cli_key_integer(w, "faces", drawn->nfaces);
    cli_key_number(w, "pixels_per_metre", drawn->camera.scale);
    cdi_json_key(w, "bodies");
    cdi_json_begin_array(w, false);
    for (int i = 1; i < scene->nbodies; i++) {
        double x[3];
        cdi_camera_see(&drawn->camera, at->pose[i].p, x);
        cdi_json_begin_object(w);
        cli_key_text(w, "name", cdi_item_name(scene->model->of[CD_BODY].v[i]));
        cli_key_number(w, "x", x[0]);
        cli_key_number(w, "y", drawn->height - x[1]);
        cdi_json_end_object(w);
    }
    cdi_json_end_array(w);
}

static int draw(Cli *cli, const CdScene *scene, const CdDrawing *drawing) {
    const CdMoment at = {.pose = scene->start};
    CdText text;
    CdDrawn drawn;
    cdi_text_init(&text, cli->ctx);
    CdStatus status = cdi_svg_draw(scene, drawing, &at, 1, &text, &drawn);
    int code = status == CD_OK ? CLI_OK : CLI_INPUT;
    if (status == CD_OK) {
        status = cdi_file_write(cli->ctx, cli->output ? cli->output : "-", text.v, text.n);
        code = cli_code(status);
    }
    if (status == CD_OK && cli->json) answer(cli, scene, &at, &drawn);
    cdi_text_free(&text);
    return code;
}

static int run(Cli *cli) {
    const DrawOptions *o = cli->options;
    CdDrawing drawing = {
        .title = cli->args[0], .view = o->view, .names = o->names, .frames = o->frames};
    CdModel *model;
    CdScene *scene;
    int code = CLI_INPUT;
    if (!read_size(cli, o->size, &drawing.width, &drawing.height)) return CLI_USAGE;
    if (cdi_model_read_file(cli->ctx, cli->args[0], &model) != CD_OK) return CLI_INPUT;
    if (cdi_view_scene(model, &scene) == CD_OK) {
        code = draw(cli, scene, &drawing);
        cdi_view_scene_free(scene);
    }
    cdi_model_free(model);
    return code;
}

static const CliArg args[] = {{"MODEL", "a model; -: standard input", CLI_FILE, .suffix = ".json"},
                              {0}};

const CliVerb cli_draw = {.name = "draw",
                          .doc = "draw a mechanism as SVG",
                          .args = args,
                          .options = &options,
                          .output = "the picture",
                          .examples = "  cardan draw model.json -o model.svg --names",
                          .run = run};
