// verb_export.c - cardan export RESULTS: a log or CSV file into files of other programs, a
// log also into moving pictures
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli.h"
#include "results/export.h"
#include "view/picture.h"

typedef struct ExportVerb {
    int format;
    double from, to, rate;
    int every;
    bool scene;
#define PICTURE(name, doc) bool name;
#include "view/pictures.def"
#undef PICTURE
} ExportVerb;

static const char *const formats[] = {"auto",
#define EXPORT(name) #name,
#include "results/exports.def"
#undef EXPORT
#define PICTURE(name, doc) #name,
#include "view/pictures.def"
#undef PICTURE
                                      NULL};

// NULL: as the file ends
static const char *format_name(const ExportVerb *o) {
    return o->format > 0 ? formats[o->format] : NULL;
}

// ---- pictures: made of a whole log and not of its table of numbers

// the first that is asked for; NULL: none is
static const char *asked_picture(const ExportVerb *o) {
    const struct {
        const char *name;
        bool on;
    } asked[] = {
#define PICTURE(what, doc) {#what, o->what},
#include "view/pictures.def"
#undef PICTURE
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        if (asked[i].on) return asked[i].name;
    }
    return NULL;
}

// by option, by the name of the format, or by the end of the file's name; NULL: none
static const CdPictureClass *find_picture(const Cli *cli, const ExportVerb *o) {
    const char *name = asked_picture(o);
    // glTF into a file called .glb is binary, as its name says
    if (name && strcmp(name, "gltf") == 0 && cdi_ends_with(cli->output, ".glb")) name = "glb";
    if (!name) name = format_name(o);
    for (const CdPictureClass *p = cd_pictures; p->name; p++) {
        if (name ? strcmp(name, p->name) == 0 : cdi_ends_with(cli->output, p->extension)) return p;
    }
    return NULL;
}

static void tell_picture(Cli *cli, const CdMotion *m, const CdPictureClass *cls, const char *path) {
    if (cli->json) {
        cdi_json_key_text(&cli->w, "format", cls->name);
        cdi_json_key_text(&cli->w, "file", path);
        cdi_json_key_integer(&cli->w, "samples", (int64_t)m->table->rows);
        cdi_json_key_integer(&cli->w, "frames", (int64_t)m->nframes);
    } else if (!cli->quiet && strcmp(path, "-") != 0) {
        fprintf(stderr, "%zu frame%s of %d bod%s in %s\n", m->nframes, m->nframes == 1 ? "" : "s",
                m->nbodies - 1, m->nbodies == 2 ? "y" : "ies", path);
    }
}

static int export_picture(Cli *cli, const CdSelection *s, const CdPictureClass *cls,
                          const char *path) {
    const ExportVerb *o = cli->options;
    CdMotion *motion;
    CdStatus status = cdi_motion_open(cli->ctx, cli->args[0], s, o->rate, &motion);
    if (status != CD_OK) return status == CD_NOTFOUND ? CLI_USAGE : CLI_INPUT;
    status = cdi_picture(motion, cls, path);
    if (status == CD_OK) tell_picture(cli, motion, cls, path);
    cdi_motion_free(motion);
    return status == CD_OK ? CLI_OK : CLI_OUTPUT;
}

// ---- tables

static bool cancelled(void *user) {
    (void)user;
    return cli_interrupted();
}

static void tell(Cli *cli, const CdTable *t, const CdExportClass *cls, const char *path) {
    if (cli->json) {
        cdi_json_key_text(&cli->w, "format", cls->name);
        cdi_json_key_text(&cli->w, "file", path);
        cdi_json_key_integer(&cli->w, "samples", (int64_t)t->rows);
        cdi_json_key_integer(&cli->w, "channels", t->n);
    } else if (!cli->quiet && strcmp(path, "-") != 0) {
        fprintf(stderr, "%" PRIu64 " sample%s of %d channel%s in %s\n", t->rows,
                t->rows == 1 ? "" : "s", t->n, t->n == 1 ? "" : "s", path);
    }
}

static int export_table(Cli *cli, const CdSelection *s, const CdExportClass *cls,
                        const char *path) {
    CdTable *table, *part;
    if (cdi_table_open(cli->ctx, cli->args[0], &table) != CD_OK) return CLI_INPUT;
    CdStatus status = cdi_table_select(table, s, &part);
    if (status != CD_OK) return status == CD_NOTFOUND ? CLI_USAGE : CLI_INPUT;
    cli_catch_interrupt();
    status = cdi_export(part, cls, path, cancelled, NULL);
    if (status == CD_OK) tell(cli, part, cls, path);
    cdi_table_free(part);
    return status == CD_OK || status == CD_CANCELLED ? cli_code(status) : CLI_OUTPUT;
}

static int run(Cli *cli) {
    const ExportVerb *o = cli->options;
    const char *path = cli->output ? cli->output : "-";
    const CdSelection part = {.patterns = cli->args + 1,
                              .npatterns = cli->nargs - 1,
                              .scene = o->scene,
                              .from = o->from,
                              .to = o->to,
                              .every = o->every};
    const CdExportClass *cls;
    const CdPictureClass *picture = find_picture(cli, o);
    if (cli->json && strcmp(path, "-") == 0) {
        cli_complain(cli, "export: with --json results need a file; give it with -o");
        return CLI_USAGE;
    }
    if (picture) return export_picture(cli, &part, picture, path);
    // without any word about it: text for the next program
    const char *name = format_name(o);
    if (!name && strcmp(path, "-") == 0) name = "csv";
    if (cdi_export_class(cli->ctx, name, path, &cls) != CD_OK) return CLI_USAGE;
    if (cls->column && strcmp(path, "-") == 0) {
        cli_complain(cli, "export: %s needs a file; give it with -o", cls->name);
        return CLI_USAGE;
    }
    return export_table(cli, &part, cls, path);
}

#define FIELD(...) CD_FIELD(ExportVerb, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(format, ENUM, "", "\"auto\"", "", "what is written; auto: as the file ends",
          .names = formats),
    FIELD(from, REAL, "s", "-1e300", "", "leave out samples before this time"),
    FIELD(to, REAL, "s", "1e300", "", "leave out samples after this time"),
    FIELD(every, INT, "1", "1", "[1, inf)", "take the first of so many samples"),
    FIELD(scene, BOOL, "", "false", "", "also the numbers that pictures are made of: @NAME.x"),
    FIELD(rate, REAL, "1/s", "0", "[0, inf)",
          "frames per second of the run in moving pictures; 0: as many as the eye needs"),
#define PICTURE(name, doc) FIELD(name, BOOL, "", "false", "", doc),
#include "view/pictures.def"
#undef PICTURE
};
static const CdDesc options = {
    .name = "ExportVerb", .doc = "What is exported", .size = sizeof(ExportVerb), CD_FIELDS(fields)};

static const CliArg args[] = {
    {"RESULTS", "a log or a CSV file; -: CSV from standard input", .kind = CLI_FILE},
    {"CHANNEL", "names of channels, * stands for anything; all if none is given", .optional = true,
     .many = true},
    {0}};

const CliVerb cli_export = {
    .name = "export",
    .doc = "results for other programs (CSV, NumPy, HDF5, MATLAB) and as moving pictures",
    .text =
        "The name of the file that -o gives chooses the format by its end. Without -o CSV goes "
        "to\nstandard output. A file takes its name when it is complete; nothing is left of one "
        "that\nfailed. Moving pictures are made of logs; --from, --to and CHANNEL choose what "
        "they show.",
    .args = args,
    .options = &options,
    .output = "the exported file",
    .examples = "  cardan export run.log -o run.npz\n"
                "  cardan export run.log 'tip.*' --from 1 --to 2 --every 10 -o part.csv\n"
                "  cardan export --html run.log -o run.html\n"
                "  cardan export run.log | head",
    .run = run};
