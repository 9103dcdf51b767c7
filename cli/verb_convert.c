// verb_convert.c - cardan convert MODEL: write it again, as numbers in SI or as it was given
#include "base/file.h"
#include "cli.h"
#include "model/model.h"

typedef struct ConvertVerb {
    int form;
} ConvertVerb;

enum { FORM_NUMBERS, FORM_AS_GIVEN };
static const char *const forms[] = {"numbers", "as-given", NULL};

static const CdField fields[] = {
    CD_FIELD(ConvertVerb, form, ENUM, "", "\"numbers\"", "",
             "numbers: in SI, sub-models spread; as-given: with units, expressions and sub-models",
             .names = forms),
};
static const CdDesc options_class = {
    .name = "ConvertVerb", .doc = "Form", .size = sizeof(ConvertVerb), CD_FIELDS(fields)};

static CdWriteForm form_of(const Cli *cli) {
    const ConvertVerb *o = cli->options;
    return o->form == FORM_AS_GIVEN ? CD_AS_GIVEN : CD_NUMBERS;
}

static CdStatus write(Cli *cli, const CdModel *model) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, cli->ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_model_write(model, &w, form_of(cli));
    cdi_text_add(&text, "\n");
    CdStatus status = text.status;
    if (status == CD_OK) {
        status = cdi_file_write(cli->ctx, cli->output ? cli->output : "-", text.v, text.n);
    } else {
        cdi_fail(cli->ctx, status, "%s", cd_status_text(status));
    }
    cdi_text_free(&text);
    return status;
}

static int run(Cli *cli) {
    CdModel *model;
    CdStatus status = CD_OK;
    if (cdi_model_read_file(cli->ctx, cli->args[0], &model) != CD_OK) return CLI_INPUT;
    if (cli->json) cdi_json_key_text(&cli->w, "output", cli->output);
    if (cli->json && !cli->output) {
        cdi_json_key(&cli->w, "model");
        cdi_model_write(model, &cli->w, form_of(cli));
    } else {
        status = write(cli, model);
    }
    cdi_model_free(model);
    return cli_code(status);
}

static const CliArg args[] = {{"MODEL", "a model; -: standard input", CLI_FILE, .suffix = ".json"},
                              {0}};

const CliVerb cli_convert = {
    .name = "convert",
    .doc = "write a model again: in one file, as numbers in SI",
    .text = "Keys stand in the order of the tables, comments are left out. What a model leaves to\n"
            "defaults stays left out. Nothing is written if the model has mistakes.",
    .args = args,
    .options = &options_class,
    .in_place = true,
    .output = "the model; without it, and for -, standard output",
    .examples = "  cardan convert model.json -o numbers.json\n"
                "  cardan convert model.json --form as-given | less",
    .run = run};
