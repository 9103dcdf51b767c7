// methods.c - which integrators and forms of constraints take a model
#include <stdio.h>
#include <string.h>

#include "integrators/integrator.h"
#include "simulate/simulate.h"

// the last message of a trial, in place of the user's sink
typedef struct Refusal {
    char text[512];
} Refusal;

static void keep(void *user, const CdMessage *message) {
    Refusal *r = user;
    if (message->level == CD_ERROR) snprintf(r->text, sizeof r->text, "%s", message->text);
}

// "problem 'x', method 'y': why" without what the caller knows
static const char *reason(const char *text) {
    const char *method = strstr(text, "method '"), *colon = method ? strstr(method, "': ") : NULL;
    return colon ? colon + 3 : text;
}

static CdStatus try_one(CdContext *ctx, const CdProblem *problem, const CdIntegratorClass *cls,
                        const char *form, CdMethodFit *fit) {
    char text[CD_METHOD_MAX];
    CdIntegrator *it;
    Refusal refusal = {""};
    void *user;
    CdSink *sink = cdi_context_sink(ctx, &user);
    cd_context_set_sink(ctx, keep, &refusal);
    snprintf(text, sizeof text, "%s(form=%s%s)", cls->desc.name, form,
             cls->fixed_only ? ", step=0.001" : "");
    const CdStatus status = cd_integrator_new(ctx, problem, text, &it);
    cd_integrator_free(it);
    cd_context_set_sink(ctx, sink, user);
    if (status == CD_NOMEM) return status;
    *fit = (CdMethodFit){.integrator = cls->desc.name, .form = form, .fits = status == CD_OK};
    snprintf(fit->why, sizeof fit->why, "%s", status == CD_OK ? "" : reason(refusal.text));
    return CD_OK;
}

static CdStatus try_all(CdContext *ctx, const CdProblem *problem, void *user,
                        CdStatus (*each)(void *user, const CdMethodFit *fit)) {
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls; cls++) {
        // without constraints all forms are the same
        const char *const *form =
            problem->ng + problem->nn > 0 ? cdi_form_names + 1 : cdi_form_names;
        for (; *form; form++) {
            CdMethodFit fit;
            CD_TRY(try_one(ctx, problem, *cls, *form, &fit));
            CD_TRY(each(user, &fit));
            if (problem->ng + problem->nn == 0) break;
        }
    }
    return CD_OK;
}

CdStatus cdi_simulate_methods(const CdModel *model, void *user,
                              CdStatus (*each)(void *user, const CdMethodFit *fit)) {
    CdSystem *system;
    CdSystemWork *work = NULL;
    CdProblem problem;
    CD_TRY(cdi_system_new(model, &system));
    CdStatus status = cdi_system_work_new(system, NULL, &work);
    if (status == CD_OK) {
        cdi_system_problem(work, &problem);
        status = try_all(model->ctx, &problem, user, each);
    }
    cdi_system_work_free(work);
    cdi_system_free(system);
    return status;
}
