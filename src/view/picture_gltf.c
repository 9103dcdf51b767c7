// picture_gltf.c - a run as animated glTF 2.0: text with its numbers as base64, or binary
//
//   .glb = "glTF", u32 2, u32 length; u32 length, "JSON", text; u32 length, "BIN", 0, buffer
//
// Chunks are filled up to multiples of 4 bytes, with blanks and zeros.
#include "view/gltf.h"
#include "view/picture.h"

#define HEADER_BYTES 12
#define CHUNK_BYTES 8

CdPictureWrite cdi_picture_gltf, cdi_picture_glb;

CdStatus cdi_picture_gltf(const CdMotion *m, CdOutFile *out) {
    CdGltf gltf;
    CdStatus status = cdi_gltf(m, true, &gltf);
    if (status == CD_OK) status = cdi_out_add(out, gltf.json.v, gltf.json.n);
    cdi_gltf_free(&gltf);
    return status;
}

static void fill(CdText *text, char with) {
    while (text->n % 4 != 0 && text->status == CD_OK) cdi_text_addn(text, &with, 1);
}

static CdStatus put32(CdOutFile *out, size_t x) {
    const unsigned char bytes[4] = {x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24 & 255};
    return cdi_out_add(out, bytes, sizeof bytes);
}

static CdStatus put_chunk(CdOutFile *out, const char kind[4], const CdText *text) {
    CD_TRY(put32(out, text->n));
    CD_TRY(cdi_out_add(out, kind, 4));
    return cdi_out_add(out, text->v, text->n);
}

static CdStatus put(CdOutFile *out, CdGltf *gltf) {
    fill(&gltf->json, ' ');
    fill(&gltf->binary, 0);
    CD_TRY(gltf->json.status);
    CD_TRY(gltf->binary.status);
    CD_TRY(cdi_out_add(out, "glTF", 4));
    CD_TRY(put32(out, 2));
    CD_TRY(put32(out, HEADER_BYTES + 2 * CHUNK_BYTES + gltf->json.n + gltf->binary.n));
    CD_TRY(put_chunk(out, "JSON", &gltf->json));
    return put_chunk(out, "BIN", &gltf->binary);
}

CdStatus cdi_picture_glb(const CdMotion *m, CdOutFile *out) {
    CdGltf gltf;
    CdStatus status = cdi_gltf(m, false, &gltf);
    if (status == CD_OK) status = put(out, &gltf);
    cdi_gltf_free(&gltf);
    return status;
}
