// gltf.h - a run as animated glTF 2.0: nodes of bodies with their parts, and one animation
//
//   root (up becomes y) - body - part
//                       - span, stretched between its ends
//
// JSON and one binary buffer, which a .gltf file holds as base64 and a .glb file as it is. Times
// begin at 0. Khronos, glTF 2.0, ISO/IEC 12113.
#ifndef CARDAN_VIEW_GLTF_H
#define CARDAN_VIEW_GLTF_H

#include "base/text.h"
#include "view/motion.h"

typedef struct CdGltf {
    CdText json; // whole, but for "buffers" where `binary` stands elsewhere
    CdText binary;
} CdGltf;

// inline_buffer: the buffer stands in the JSON
CdStatus cdi_gltf(const CdMotion *motion, bool inline_buffer, CdGltf *gltf);
void cdi_gltf_free(CdGltf *gltf);

#endif
