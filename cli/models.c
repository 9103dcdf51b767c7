// models.c - models that verbs read, with parameters of the command line
#include "models.h"

#include <string.h>

#include "base/utf8.h"

static const CdField fields[] = {CLI_SET_ROW(CliModelOptions)};
const CdDesc cli_model_options = {.name = "CliModelOptions",
                                  .doc = "What is changed in a model",
                                  .size = sizeof(CliModelOptions),
                                  CD_FIELDS(fields)};

// "L=0.6": the text behind the name is a number, an expression, or has a unit; name is ended
static bool split(Cli *cli, char *text, CdSetting *setting) {
    char *equals = strchr(text, '='), shown[CD_SHOWN_MAX];
    if (!equals || equals == text || !equals[1]) {
        cli_complain(cli, "%s: --set %s: give a name and a value, such as --set L=0.6",
                     cli->verb->name, cdi_shown(text, shown));
        return false;
    }
    *equals = 0;
    *setting = cdi_setting_text(text, equals + 1);
    return true;
}

static int set_all(Cli *cli, CdModel *model, char **texts, CdSetting *settings, int n) {
    for (int i = 0; i < n; i++) {
        if (!split(cli, texts[i], &settings[i])) return CLI_USAGE;
    }
    CdStatus status = cdi_model_set(model, settings, n, false);
    if (status == CD_OK) status = cdi_model_resolve(model);
    if (status == CD_OK) return CLI_OK;
    return status == CD_NOTFOUND ? CLI_USAGE : CLI_INPUT;
}

static int set(Cli *cli, CdModel *model, const CdList *given) {
    const size_t n = (size_t)given->n;
    CdSetting *settings = cdi_alloc_array(cli->ctx, n, sizeof *settings);
    char **texts = cdi_alloc_array(cli->ctx, n, sizeof *texts);
    bool ok = settings && texts;
    for (size_t i = 0; ok && i < n; i++) {
        texts[i] = cdi_strdup(cli->ctx, ((char **)given->v)[i]);
        ok = texts[i] != NULL;
    }
    const int code = ok ? set_all(cli, model, texts, settings, given->n) : cli_code(CD_NOMEM);
    for (size_t i = 0; texts && i < n; i++) cdi_free(cli->ctx, texts[i]);
    cdi_free(cli->ctx, texts);
    cdi_free(cli->ctx, settings);
    return code;
}

int cli_read_model(Cli *cli, const char *path, const CdList *given, CdModel **model) {
    if (cdi_model_read_file(cli->ctx, path, model) != CD_OK) return CLI_INPUT;
    const int code = given->n > 0 ? set(cli, *model, given) : CLI_OK;
    if (code == CLI_OK) return CLI_OK;
    cdi_model_free(*model);
    *model = NULL;
    return code;
}
