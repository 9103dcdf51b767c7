// picture.h - files that show a run moving; one file per format, one line in pictures.def
#ifndef CARDAN_VIEW_PICTURE_H
#define CARDAN_VIEW_PICTURE_H

#include "base/outfile.h"
#include "view/motion.h"

typedef struct CdPictureClass {
    const char *name;      // as the user calls it
    const char *extension; // ".html"
    const char *doc;       // one line
    CdStatus (*write)(const CdMotion *motion, CdOutFile *out);
} CdPictureClass;

extern const CdPictureClass *const cd_pictures[]; // NULL-terminated

const CdPictureClass *cdi_picture_class(const char *name); // NULL: there is none
const CdPictureClass *cdi_picture_class_of(const char *path);

// rate: frames per second of the run; 0: see motion.h
CdStatus cdi_picture(CdContext *ctx, const char *log, const CdPictureClass *cls, double rate,
                     const char *path);

// ---- for formats

// "#4f86c6" as three numbers in [0, 1]: bodies have colours in turn
#define CD_BODY_COLOURS 8
extern const unsigned cdi_body_colours[CD_BODY_COLOURS];
// what the run is called: the file of its model without folder and ending
CdStatus cdi_picture_title(const CdMotion *motion, CdText *title);

#endif
