// sense.c - what sensors read: accelerations of markers, reactions of joints, sums over bodies
//
//   twist' = X J_b v' + bias
//   w = J_c^T lambda stands in r = M v' - f + w, so a joint exerts -w; on b and in axes of a:
//     F = -R_A^T w_F,   m = -R_A^T R_B w_m
//   momentum of a body: h = J M v, at its reference frame, as the columns of J are unit directions
//     P = sum h_F,   L = sum p x h_F + R h_m
#include "system/sense.h"

#include <string.h>

#include "system/link.h"

void cdi_sense_marker(const CdSystemWork *w, int marker, const double *vdot, CdSensorInput *in) {
    in->frame = &w->frame[marker];
    in->twist = w->twist[marker];
    memset(in->accel, 0, sizeof in->accel);
    if (!vdot) return;
    const CdSystemBody *b = cdi_marker_body(w, marker);
    const int nv = b->law->nv;
    double X[6 * CD_BODY_NV_MAX];
    cdi_marker_jacobian(w, marker, X);
    for (int i = 0; i < 6; i++) {
        in->accel[i] = w->bias[marker][i];
        for (int j = 0; j < nv; j++) in->accel[i] += X[i * nv + j] * vdot[b->v0 + j];
    }
}

static void reaction(const CdSystemLink *l, double t, const CdFrame *a, const CdFrame *b,
                     const double *lambda, double out[6]) {
    double all[CD_JOINT_NC_MAX] = {0}, w[12], m[3];
    for (int i = 0; i < l->nc; i++) all[l->rows[i]] = lambda[l->row0 + i];
    l->item->cls->joint->react(l->item->data, t, a, b, all, w);
    for (int i = 0; i < 12; i++) w[i] = -w[i];
    tmul3v(a->R, w + 6, out);
    mul3v(b->R, w + 9, m);
    tmul3v(a->R, m, out + 3);
}

void cdi_sense_joint(const CdSystemWork *w, const CdSystemLink *l, const CdPoint *at, bool complete,
                     CdSensorInput *in) {
    const CdJointLaw *law = l->item->cls->joint;
    const CdFrame *a = &w->frame[l->a], *b = &w->frame[l->b];
    double v[12];
    memcpy(v, w->twist[l->a], 6 * sizeof *v);
    memcpy(v + 6, w->twist[l->b], 6 * sizeof *v);
    if (law->coordinates) law->coordinates(l->item->data, a, b, in->coordinates);
    if (law->rates) law->rates(l->item->data, a, b, v, in->rates);
    if (!complete) return;
    reaction(l, at->t, a, b, at->lambda, in->wrench);
    cdi_link_residuals(w, l, at, in->residual);
}

// J^T lambda stands in r, so the force along the sum is -lambda
void cdi_sense_coupling(const CdSystemCoordinates *c, const CdPoint *at, bool complete,
                        CdSensorInput *in) {
    if (!complete) return;
    in->wrench[0] = -at->lambda[c->row];
    cdi_coordinates_residuals(c, at, in->residual);
}

void cdi_sense_connector(const CdSystemWork *w, const CdSystemLink *l, double *outputs,
                         CdSensorInput *in) {
    double v[12];
    const CdForceInput force = cdi_force_input(w, l, in->t, v);
    l->item->cls->force->outputs(w->force_data[l - w->system->forces], &force, outputs);
    in->outputs = outputs;
}

static void add_momentum(const CdSystemBody *b, const CdFrame *f, const double *v, double sum[6]) {
    const int nv = b->law->nv;
    double M[CD_BODY_NV_MAX * CD_BODY_NV_MAX], h[6] = {0}, turn[3], spin[3];
    b->law->mass(b->p, M);
    for (int i = 0; i < nv; i++) {
        double Mv = 0;
        for (int j = 0; j < nv; j++) Mv += M[i * nv + j] * v[b->v0 + j];
        for (int k = 0; k < 6; k++) h[k] += b->J[k * nv + i] * Mv;
    }
    cross3(f->p, h, turn);
    mul3v(f->R, h + 3, spin);
    for (int i = 0; i < 3; i++) {
        sum[i] += h[i];
        sum[3 + i] += turn[i] + spin[i];
    }
}

void cdi_sense_system(CdSystemWork *w, const CdPoint *at, CdSensorInput *in) {
    const CdSystem *s = w->system;
    const CdEnergy e = cdi_system_energy(w, at->t, at->q, at->v);
    const double energy[] = {e.kinetic, e.gravity, e.elastic};
    copy3(energy, in->energy);
    memset(in->momentum, 0, sizeof in->momentum);
    for (int i = 0; i < s->nbodies; i++) {
        add_momentum(&s->bodies[i], &w->body[i], at->v, in->momentum);
    }
    cdi_system_residuals(w, at, in->residual);
}

void cdi_sense_body(const CdSystemWork *w, int body, CdFrame *frame) {
    const CdSystemBody *b = &w->system->bodies[body];
    CdFrame user;
    double d[3];
    b->law->user_frame(b->p, &user);
    mul3v(w->body[body].R, user.p, d);
    add3(w->body[body].p, d, frame->p);
    mul33(w->body[body].R, user.R, frame->R);
}
