// session.c - a model made ready for simulation: assemble, find a start, make the integrator
#include "simulate/session.h"

#include "integrators/driver.h"

static CdStatus assemble(CdSession *s, const CdModel *model, int threads, const CdList *channels) {
    CD_TRY(cdi_system_new(model, &s->system));
    if (threads > 1) CD_TRY(cd_pool_new(s->ctx, threads, &s->pool));
    CD_TRY(cdi_system_work_new(s->system, s->pool, &s->work));
    CD_TRY(cdi_channels_new(s->system, channels ? channels->v : NULL, channels ? channels->n : 0,
                            &s->channels));
    s->values = CD_TAKE(&s->arena, double, (size_t)s->channels->n);
    return s->values ? CD_OK : CD_NOMEM;
}

// what the method allows constraints to be violated by at the start
static CdStatus start_tolerance(CdContext *ctx, const char *integrator, double *tol) {
    const CdIntegratorClass *cls;
    CdObject *options = NULL;
    CD_TRY(cdi_method_read(ctx, integrator, &cls, &options));
    const CdCommonOptions *common = cdi_object_data(options);
    *tol = common->start_tolerance;
    cdi_object_free(options);
    return CD_OK;
}

CdStatus cdi_session_open(CdSession *s, const CdModel *model, const char *integrator, int threads,
                          const CdList *channels) {
    double tol;
    *s = (CdSession){.ctx = model->ctx};
    cdi_arena_init(&s->arena, s->ctx, 0);
    CD_TRY(start_tolerance(s->ctx, integrator, &tol));
    CD_TRY(assemble(s, model, threads, channels));
    CD_TRY(cdi_start_make(s->work, &s->arena, tol, &s->start));
    return cd_integrator_new(s->ctx, &s->start.problem, integrator, &s->it);
}

CdStatus cdi_session_start(CdSession *s) {
    cdi_channels_restart(s->channels);
    cdi_system_restart(s->work);
    return cd_integrator_start(s->it, &(CdPoint){.q = s->start.q, .v = s->start.v});
}

void cdi_session_close(CdSession *s) {
    cd_integrator_free(s->it);
    cdi_channels_free(s->channels);
    cdi_system_work_free(s->work);
    cd_pool_free(s->pool);
    cdi_system_free(s->system);
    cdi_arena_clear(&s->arena);
}
