// verb_diff.c - cardan diff A B: are two results the same, and if not, where do they differ
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli.h"
#include "results/diff.h"

typedef struct DiffVerb {
    double rtol, atol;
    CdList channels;
    bool interpolate, scene;
} DiffVerb;

static const char *plural(uint64_t n) {
    return n == 1 ? "" : "s";
}

static double relative(const CdChannelDiff *c) {
    return c->largest > 0 ? c->largest / c->scale : 0;
}

// ---- text

static void print_channel(const CdChannelDiff *c) {
    printf("%s: up to %.3g%s%s", c->name, c->largest, c->unit[0] ? " " : "", c->unit);
    if (isfinite(relative(c))) printf(", %.3g of its size,", relative(c));
    printf(" at %.9g s; from %.9g s on\n", c->t_largest, c->t_first);
}

static void print_only(const char *path, const char *const *names, int n) {
    if (n == 0) return;
    printf("only in %s:", path);
    for (int i = 0; i < n; i++) printf("%s %s", i ? "," : "", names[i]);
    putchar('\n');
}

static void print_end(const char *path, double t) {
    if (isnan(t)) {
        printf(" and %s has ended", path);
    } else {
        printf(" %s goes on at %.9g s", path, t);
    }
}

static void print_times(const Cli *cli, const CdDiff *d, bool interpolated) {
    if (interpolated) {
        printf("the times of %s and %s do not overlap\n", cli->args[0], cli->args[1]);
        return;
    }
    printf("times differ after %" PRIu64 " sample%s:", d->compared, plural(d->compared));
    print_end(cli->args[0], d->t_a);
    fputs(",", stdout);
    print_end(cli->args[1], d->t_b);
    puts("; --interpolate compares at the times of the first");
}

static void print_text(const Cli *cli, const CdDiff *d, bool interpolated) {
    double most = 0;
    for (int k = 0; k < d->n; k++) {
        if (d->channels[k].differs) print_channel(&d->channels[k]);
        most = fmax(most, relative(&d->channels[k]));
    }
    print_only(cli->args[0], d->only_a, d->nonly_a);
    print_only(cli->args[1], d->only_b, d->nonly_b);
    if (!d->same_times) print_times(cli, d, interpolated);
    printf("%s: %d of %d channel%s differ in %" PRIu64 " sample%s", d->same ? "same" : "different",
           d->ndiffer, d->n, plural((uint64_t)d->n), d->compared, plural(d->compared));
    if (d->ndiffer == 0) printf("; largest difference %.3g of the size", most);
    putchar('\n');
}

// ---- JSON

static void write_names(CdJsonWriter *w, const char *key, const char *const *names, int n) {
    cdi_json_key(w, key);
    cdi_json_begin_array(w, true);
    for (int i = 0; i < n; i++) cdi_json_string(w, names[i]);
    cdi_json_end_array(w);
}

static void write_channels(CdJsonWriter *w, const CdDiff *d) {
    cdi_json_key(w, "channels");
    cdi_json_begin_array(w, false);
    for (int k = 0; k < d->n; k++) {
        const CdChannelDiff *c = &d->channels[k];
        cdi_json_begin_object(w);
        cdi_json_key_text(w, "name", c->name);
        cdi_json_key_text(w, "unit", c->unit);
        cdi_json_key_bool(w, "differs", c->differs);
        cdi_json_key_number(w, "largest", c->largest);
        cdi_json_key_number(w, "relative", relative(c));
        cdi_json_key_number(w, "t_first", c->t_first);
        cdi_json_key_number(w, "t_largest", c->t_largest);
        cdi_json_end_object(w);
    }
    cdi_json_end_array(w);
}

static void write_json(CdJsonWriter *w, const CdDiff *d) {
    cdi_json_key_bool(w, "same", d->same);
    cdi_json_key_integer(w, "samples_a", (int64_t)d->rows_a);
    cdi_json_key_integer(w, "samples_b", (int64_t)d->rows_b);
    cdi_json_key_integer(w, "compared", (int64_t)d->compared);
    cdi_json_key_bool(w, "same_times", d->same_times);
    cdi_json_key_number(w, "t_a", d->t_a);
    cdi_json_key_number(w, "t_b", d->t_b);
    cdi_json_key_integer(w, "differ", d->ndiffer);
    write_names(w, "only_a", d->only_a, d->nonly_a);
    write_names(w, "only_b", d->only_b, d->nonly_b);
    write_channels(w, d);
}

// ---- the verb

// an exit code; *table is NULL unless it is CLI_OK
static int open_part(Cli *cli, const char *path, CdTable **table) {
    const DiffVerb *o = cli->options;
    CdTable *all;
    CdSelection s = CD_SELECT_ALL;
    *table = NULL;
    s.patterns = o->channels.v;
    s.npatterns = o->channels.n;
    s.scene = o->scene;
    if (cdi_table_open(cli->ctx, path, &all) != CD_OK) return CLI_INPUT;
    const CdStatus status = cdi_table_select(all, &s, table);
    if (status == CD_OK) return CLI_OK;
    if (status == CD_NOTFOUND) cli_complain(cli, "diff: so it is in '%s'", path);
    return status == CD_NOTFOUND ? CLI_USAGE : CLI_INPUT;
}

static int compare(Cli *cli, CdTable *a, CdTable *b) {
    const DiffVerb *o = cli->options;
    const CdDiffOptions options = {o->rtol, o->atol, o->interpolate};
    CdDiff *diff;
    if (cdi_diff(a, b, &options, &diff) != CD_OK) return CLI_INPUT;
    if (cli->json) {
        write_json(&cli->w, diff);
    } else {
        print_text(cli, diff, o->interpolate);
    }
    const int code = diff->same ? CLI_OK : CLI_FAILED;
    cdi_diff_free(diff);
    return code;
}

static int run(Cli *cli) {
    CdTable *a, *b = NULL;
    if (strcmp(cli->args[0], "-") == 0 && strcmp(cli->args[1], "-") == 0) {
        cli_complain(cli, "diff: standard input can be read once; give a file");
        return CLI_USAGE;
    }
    int code = open_part(cli, cli->args[0], &a);
    if (code == CLI_OK) code = open_part(cli, cli->args[1], &b);
    if (code == CLI_OK) code = compare(cli, a, b);
    cdi_table_free(a);
    cdi_table_free(b);
    return code;
}

#define FIELD(...) CD_FIELD(DiffVerb, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(rtol, REAL, "1", "0", "[0, inf)",
          "difference that is no difference, as a part of the largest value of the channel"),
    FIELD(atol, REAL, "*", "0", "[0, inf)", "the same in the unit of the channel; both add up"),
    FIELD(channels, STRING, "", "[]", "", "patterns of what is compared; none: all", .list = true),
    FIELD(interpolate, BOOL, "", "false", "", "compare B, interpolated, at the times of A"),
    FIELD(scene, BOOL, "", "false", "", "also the numbers that pictures are made of: @NAME.x"),
};
static const CdDesc options = {.name = "DiffVerb",
                               .doc = "How results are compared",
                               .size = sizeof(DiffVerb),
                               CD_FIELDS(fields)};

static const CliArg args[] = {
    {"A", "a log or a CSV file; -: CSV from standard input", .kind = CLI_FILE},
    {"B", "another", .kind = CLI_FILE},
    {0}};

const CliVerb cli_diff = {
    .name = "diff",
    .doc = "compare two results, channel by channel",
    .text = "Without tolerances every number must be the same; NaN equals NaN. A channel differs "
            "if its\nlargest difference is above atol + rtol times its largest value. Exit code 0: "
            "the same, 1: they\ndiffer in values, channels or times.",
    .args = args,
    .options = &options,
    .examples = "  cardan diff before.log after.log\n"
                "  cardan diff run.log reference.csv --rtol 1e-6 --interpolate",
    .run = run};
