// picture_gltf.c - a run as animated glTF 2.0 in one file of text, its numbers as base64
#include "view/gltf.h"
#include "view/picture.h"

static CdStatus write(const CdMotion *m, CdOutFile *out) {
    CdGltf gltf;
    CdStatus status = cdi_gltf(m, true, &gltf);
    if (status == CD_OK) status = cdi_out_add(out, gltf.json.v, gltf.json.n);
    cdi_gltf_free(&gltf);
    return status;
}

const CdPictureClass cd_picture_gltf = {
    .name = "gltf",
    .extension = ".gltf",
    .doc = "animated glTF 2.0, one file of text for Blender, three.js and others",
    .write = write,
};
