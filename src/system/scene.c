// scene.c - what is needed to show a moment of a run: poses of bodies, forces of links
//
//   joints        w = J_c^T lambda stands in r = M v' - f + w:   F = -w_F,  m = -R_b w_m
//   forces, loads w along the directions of the last frame:      F = w_F,   m = R w_m
#include "system/scene.h"

#include <string.h>

#include "system/link.h"
#include "system/sense.h"
#include "system/signals.h"

const char *const cdi_pose_names[CD_POSE_NUMBERS] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
static const char *const pose_units[CD_POSE_NUMBERS] = {"m", "m", "m", "1", "1", "1", "1"};
const char *const cdi_force_names[CD_FORCE_NUMBERS] = {"fx", "fy", "fz", "mx", "my", "mz"};
static const char *const force_units[CD_FORCE_NUMBERS] = {"N", "N", "N", "N*m", "N*m", "N*m"};

// ---- names

bool cdi_scene_is(const char *channel) {
    return channel[0] == CD_SCENE_MARK[0];
}

bool cdi_scene_is_of(const char *channel, const char *item, const char *part) {
    const size_t n = strlen(item);
    return cdi_scene_is(channel) && strncmp(channel + 1, item, n) == 0 && channel[n + 1] == '.' &&
           strcmp(channel + n + 2, part) == 0;
}

static CdStatus name_channel(CdArena *arena, const char *item, const char *part, const char *unit,
                             CdChannel *channel) {
    const size_t n = strlen(item), m = strlen(part);
    char *text = cdi_arena_alloc(arena, n + m + 3, 1);
    if (!text) return CD_NOMEM;
    text[0] = CD_SCENE_MARK[0];
    memcpy(text + 1, item, n);
    text[1 + n] = '.';
    memcpy(text + 2 + n, part, m + 1);
    *channel = (CdChannel){.name = text, .unit = unit};
    return CD_OK;
}

static CdStatus name_item(CdArena *arena, const CdItem *item, int n, const char *const *names,
                          const char *const *units, CdChannel *channels) {
    for (int i = 0; i < n; i++) {
        CD_TRY(name_channel(arena, cdi_item_name(item), names[i], units[i], &channels[i]));
    }
    return CD_OK;
}

static CdStatus name_all(const CdSystem *s, CdArena *arena, const CdSceneNumbers *numbers,
                         CdChannel *channels) {
    for (int i = 0; i < numbers->nbodies; i++, channels += CD_POSE_NUMBERS) {
        const CdItem *body = s->bodies[i + 1].item; // the first is the ground
        CD_TRY(name_item(arena, body, CD_POSE_NUMBERS, cdi_pose_names, pose_units, channels));
    }
    for (int i = 0; i < numbers->nforces; i++, channels += CD_FORCE_NUMBERS) {
        CD_TRY(name_item(arena, numbers->forces[i], CD_FORCE_NUMBERS, cdi_force_names, force_units,
                         channels));
    }
    return CD_OK;
}

CdStatus cdi_scene_numbers(const CdSystem *s, CdArena *arena, CdSceneNumbers *numbers) {
    const int nbodies = s->nbodies - 1, nforces = s->njoints + s->nforces;
    const int n = CD_POSE_NUMBERS * nbodies + CD_FORCE_NUMBERS * nforces;
    const CdItem **forces = CD_TAKE(arena, const CdItem *, (size_t)nforces);
    CdChannel *channels = CD_TAKE(arena, CdChannel, (size_t)n);
    if (!forces || !channels) return CD_NOMEM;
    for (int i = 0; i < s->njoints; i++) forces[i] = s->joints[i].item;
    for (int i = 0; i < s->nforces; i++) forces[s->njoints + i] = s->forces[i].item;
    *numbers = (CdSceneNumbers){
        .nbodies = nbodies, .nforces = nforces, .forces = forces, .n = n, .channels = channels};
    return name_all(s, arena, numbers, channels);
}

// ---- values

static void pose(const CdSystemWork *w, int body, double out[CD_POSE_NUMBERS]) {
    CdFrame f;
    cdi_sense_body(w, body, &f);
    copy3(f.p, out);
    quat_from_mat(f.R, out + 3);
}

static void reaction(const CdSystemWork *w, const CdSystemLink *l, const CdPoint *at,
                     double out[CD_FORCE_NUMBERS]) {
    double all[CD_JOINT_NC_MAX] = {0}, wrench[12];
    for (int i = 0; i < l->nc; i++) all[l->rows[i]] = at->lambda[l->row0 + i];
    l->item->cls->joint->react(l->item->data, at->t, &w->frame[l->a], &w->frame[l->b], all, wrench);
    for (int i = 6; i < 12; i++) wrench[i] = -wrench[i];
    copy3(wrench + 6, out);
    mul3v(w->frame[l->b].R, wrench + 9, out + 3);
}

static void applied(const CdSystemWork *w, const CdSystemLink *l, double t,
                    double out[CD_FORCE_NUMBERS]) {
    double v[12], wrench[12];
    const CdForceInput in = cdi_force_input(w, l, t, v);
    const CdFrame *last = in.b ? in.b : in.a;
    const double *part = in.b ? wrench + 6 : wrench;
    l->item->cls->force->value(w->force_data[l - w->system->forces], &in, wrench);
    copy3(part, out);
    mul3v(last->R, part + 3, out + 3);
}

void cdi_scene_eval(const CdSceneNumbers *numbers, CdSystemWork *w, const CdPoint *at,
                    double *values) {
    const CdSystem *s = w->system;
    cdi_system_place(w, at->q, at->v);
    cdi_signals_force(w, at);
    for (int i = 0; i < numbers->nbodies; i++, values += CD_POSE_NUMBERS) pose(w, i + 1, values);
    for (int i = 0; i < s->njoints; i++, values += CD_FORCE_NUMBERS) {
        reaction(w, &s->joints[i], at, values);
    }
    for (int i = 0; i < s->nforces; i++, values += CD_FORCE_NUMBERS) {
        applied(w, &s->forces[i], at->t, values);
    }
}
