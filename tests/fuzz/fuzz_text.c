// fuzz_text.c - the small languages: expressions, units, intervals, tables of numbers, suggestions
#include <stdlib.h>
#include <string.h>

#include "ad/expr.h"
#include "base/csv.h"
#include "base/text.h"
#include "desc/interval.h"
#include "desc/unit.h"
#include "results/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void demand(bool ok) {
    if (!ok) abort();
}

static const char *const variables[] = {"t", "x"};
static const char *const constants[] = {"k"};
static const double values[] = {2};

// names of others, when they may be used, all have one value
static void foreign_names(const CdExpr *expr) {
    static const int pick[CD_EXPR_OPS_MAX] = {0};
    size_t n;
    const CdExprName *names = cdi_expr_names(expr, &n);
    for (size_t k = 0; k < n; k++) {
        demand(names[k].text[0] && names[k].col > 0);
        const CdJet along = cdi_expr_jet_with(expr, 0.5, values, pick, (int)k);
        const CdJet still = cdi_expr_jet_with(expr, 0.5, values, pick, -1);
        demand(along.v == still.v || along.v != along.v);
    }
}

static void expression(CdContext *ctx, const char *text, bool open) {
    CdExprScope scope = {variables, 2, constants, values, 1, open};
    CdExpr *expr;
    CdExprError error = {0, ""};
    CdStatus status = cdi_expr_compile(ctx, text, &scope, &expr, &error);
    if (status == CD_OK && open) {
        foreign_names(expr);
        cdi_expr_free(ctx, expr);
    } else if (status == CD_OK) {
        CdJet jet = cdi_expr_jet(expr, (CdJet[]){{0.5, 1, 0}, {1, 0, 0}});
        double value = cdi_expr_value(expr, (double[]){0.5, 1});
        demand(jet.v == value || jet.v != jet.v);
        cdi_expr_free(ctx, expr);
    } else {
        demand(error.col > 0 && error.text[0]);
    }
}

static void unit(const char *text) {
    CdUnit u;
    const char *bad = NULL;
    size_t nbad = 0, n = strlen(text);
    if (cdi_unit_parse(text, n, &u, &bad, &nbad)) {
        demand(cdi_unit_fits(&u, &u));
    } else {
        demand(bad >= text && bad + nbad <= text + n);
    }
}

static void interval(const char *text) {
    CdInterval i;
    char rule[CD_INTERVAL_TEXT];
    if (cdi_interval_parse(text, &i)) cdi_interval_rule(&i, rule);
}

static void table(CdContext *ctx, const char *text, size_t n) {
    size_t rows, cols;
    double *v;
    if (cdi_csv_read(ctx, "fuzz", text, n, &rows, &cols, &v) == CD_OK) {
        demand(rows > 0 && cols > 0 && v[rows * cols - 1] == v[rows * cols - 1]);
        cdi_free(ctx, v);
    }
    CdTable *results;
    if (cdi_table_of_csv(ctx, "fuzz", text, n, &results) == CD_OK) {
        for (int k = 0; k < results->n; k++) {
            demand(results->channels[k].name && results->channels[k].unit);
        }
        cdi_table_free(results);
    }
}

// the first byte says which language
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    if (n == 0) return 0;
    CdContext *ctx = cd_context_new(NULL);
    char *text = cdi_strndup(ctx, (const char *)data + 1, n - 1);
    switch (data[0] % 5) {
    case 0:
        expression(ctx, text, false);
        expression(ctx, text, true);
        break;
    case 1: unit(text); break;
    case 2: interval(text); break;
    case 3: table(ctx, (const char *)data + 1, n - 1); break;
    default: cdi_suggest(text, variables, 2); break;
    }
    cdi_free(ctx, text);
    demand(cd_context_memory(ctx).live_blocks == 0);
    cd_context_free(ctx);
    return 0;
}
