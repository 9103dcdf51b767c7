// picture.h - files that show a run moving; one file per format, one line in pictures.def
#ifndef CARDAN_VIEW_PICTURE_H
#define CARDAN_VIEW_PICTURE_H

#include "base/outfile.h"
#include "view/motion.h"

typedef CdStatus CdPictureWrite(const CdMotion *motion, CdOutFile *out);

typedef struct CdPictureClass {
    const char *name;      // as the user calls it
    const char *extension; // ".html"
    CdPictureWrite *write;
} CdPictureClass;

extern const CdPictureClass cd_pictures[]; // in the order of pictures.def, ends with a NULL name

CdStatus cdi_picture(const CdMotion *motion, const CdPictureClass *cls, const char *path);

// ---- for formats

// 0xRRGGBB; bodies have them in turn
#define CD_BODY_COLOURS 8
extern const unsigned cdi_body_colours[CD_BODY_COLOURS];
// what the run is called: the file of its model without folder and ending
CdStatus cdi_picture_title(const CdMotion *motion, CdText *title);

#endif
