// camera.c - named views, and the one that suits a mechanism
#include "view/camera.h"

#include <string.h>

#include "base/number.h"
#include "base/text.h"

// a mechanism is flat if it is thinner than this part of its length
#define FLAT 0.15
// directions this near to up have it neither above nor below
#define UPRIGHT 1e-6

static const char *const names[] = {"auto", "front", "top", "side", "iso"};
enum { AUTO, FRONT, TOP, SIDE, ISO, NVIEWS };

// towards the eye for iso: right, up, front
static const double iso[3] = {0.62, 0.5, 1};

void cdi_camera_see(const CdCamera *c, const double p[3], double out[3]) {
    mul3v(c->R, p, out);
    for (int i = 0; i < 3; i++) out[i] *= c->scale;
    for (int i = 0; i < 2; i++) out[i] += c->shift[i];
}

void cdi_camera_turn(const CdCamera *c, const double d[3], double out[3]) {
    mul3v(c->R, d, out);
}

// right, up and front of the world
static void world_axes(const CdModel *m, double axes[3][3]) {
    int k = 1;
    for (int i = 0; i < 3; i++) {
        if (fabs(m->gravity[i]) > fabs(m->gravity[k])) k = i;
        zero3(axes[i]);
    }
    axes[1][k] = m->gravity[k] > 0 ? -1 : 1;
    axes[0][k == 0 ? 1 : 0] = 1;
    cross3(axes[0], axes[1], axes[2]);
}

// looking from `eye` with `up` upward
static void look(const double eye[3], const double up[3], CdCamera *c) {
    double x[3], y[3], z[3];
    unit3(eye, z);
    cross3(up, z, x);
    unit3(x, c->R);
    cross3(z, c->R, y);
    copy3(y, c->R + 3);
    copy3(z, c->R + 6);
}

// ---- which one suits

// axes of hinges and sliders together: how much they are along each axis of the world
static void joint_axes(const CdScene *scene, double along[3]) {
    const CdModel *m = scene->model;
    zero3(along);
    for (size_t i = 0; i < m->of[CD_JOINT].n; i++) {
        const CdItem *item = m->of[CD_JOINT].v[i];
        CdFrame own, x;
        double z[3];
        const CdJointLaw *law = item->cls->joint;
        if (!law || law->nrel != 1 || !law->relative) continue;
        cdi_view_marker(m, item->marker[0], &own);
        frame_compose(&scene->start[m->markers.v[item->marker[0]].body], &own, &x);
        frame_axis(&x, 2, z);
        for (int k = 0; k < 3; k++) along[k] += fabs(z[k]);
    }
}

static int suitable(const CdScene *scene, const double axes[3][3]) {
    static const int views[3] = {SIDE, TOP, FRONT}; // that look along right, up, front
    double along[3], d[3], best = -1;
    int view = ISO;
    sub3(scene->upper, scene->lower, d);
    const double longest = fmax(d[0], fmax(d[1], d[2]));
    joint_axes(scene, along);
    // of equal ones the front is the best
    for (int k = 2; k >= 0; k--) {
        double thick = 0, joints = 0;
        for (int i = 0; i < 3; i++) {
            thick += fabs(axes[k][i]) * d[i];
            joints += fabs(axes[k][i]) * along[i];
        }
        if (thick > FLAT * longest || joints <= best) continue;
        best = joints;
        view = views[k];
    }
    return view;
}

// ---- by words

static bool read_direction(const char *text, double d[3]) {
    size_t n = strlen(text);
    for (int i = 0; i < 3; i++) {
        while (*text == ' ' || *text == ',') text++, n--;
        const size_t taken = cdi_number_read(text, n, &d[i]);
        if (taken == 0) return false;
        text += taken;
        n -= taken;
    }
    while (*text == ' ') text++;
    return *text == '\0' && isfinite(norm3(d)) && norm3(d) > 0;
}

static void look_along(const double d[3], const double axes[3][3], CdCamera *c) {
    double across[3], u[3];
    unit3(d, u);
    cross3(axes[1], u, across);
    if (norm3(across) > UPRIGHT) {
        look(u, axes[1], c);
        return;
    }
    // from above: what is behind in front view is up
    double back[3];
    scale3(-dot3(u, axes[1]), axes[2], back);
    look(u, back, c);
}

// NVIEWS: none of them, a direction
static int named_view(const char *view) {
    int k = 0;
    while (k < NVIEWS && strcmp(view, names[k]) != 0) k++;
    return k;
}

CdStatus cdi_camera_check(CdContext *ctx, const char *view) {
    double d[3];
    if (named_view(view) < NVIEWS || read_direction(view, d)) return CD_OK;
    return cdi_fail(ctx, CD_INVALID,
                    "there is no view '%s'; give auto, front, top, side, iso, or a direction "
                    "towards the eye such as \"1 -2 1\"",
                    view);
}

CdStatus cdi_camera_view(const CdScene *scene, const char *view, CdCamera *c) {
    double axes[3][3], d[3];
    CD_TRY(cdi_camera_check(scene->model->ctx, view));
    int k = named_view(view);
    *c = (CdCamera){.scale = 1};
    world_axes(scene->model, axes);
    if (k == AUTO) k = suitable(scene, (const double(*)[3])axes);
    switch (k) {
    case FRONT: copy3(axes[2], d); break;
    case TOP: copy3(axes[1], d); break;
    case SIDE: copy3(axes[0], d); break;
    case ISO:
        for (int i = 0; i < 3; i++) {
            d[i] = iso[0] * axes[0][i] + iso[1] * axes[1][i] + iso[2] * axes[2][i];
        }
        break;
    default: read_direction(view, d);
    }
    look_along(d, (const double(*)[3])axes, c);
    return CD_OK;
}
