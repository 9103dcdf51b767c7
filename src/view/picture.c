// picture.c - what all moving pictures share: finding the format, opening and keeping the file
#include "view/picture.h"

#include <string.h>

#define PICTURE(name, doc) extern CdPictureWrite cdi_picture_##name;
#include "view/pictures.def"
#undef PICTURE

const CdPictureClass cd_pictures[] = {
#define PICTURE(name, doc) {#name, "." #name, cdi_picture_##name},
#include "view/pictures.def"
#undef PICTURE
    {0}};

const unsigned cdi_body_colours[CD_BODY_COLOURS] = {0x4f86c6, 0xe09f3e, 0x5aa469, 0xc8553d,
                                                    0x8e7cc3, 0x3a9ea5, 0xd080a8, 0x9c8356};

CdStatus cdi_picture_title(const CdMotion *m, CdText *title) {
    const char *file = cdi_log_header(m->log)->file, *name = file ? strrchr(file, '/') : NULL;
    name = name ? name + 1 : file ? file : "run";
    const char *end = strrchr(name, '.');
    // every problem has its model.json: its folder tells more
    if (file && name > file + 1 && strncmp(name, "model.", 6) == 0) {
        end = name - 1;
        for (name = end; name > file && name[-1] != '/';) name--;
    }
    cdi_text_addn(title, name, end && end > name ? (size_t)(end - name) : strlen(name));
    return title->status;
}

CdStatus cdi_picture(const CdMotion *m, const CdPictureClass *cls, const char *path) {
    CdOutFile *out;
    CD_TRY(cdi_out_open(m->ctx, path, &out));
    CdStatus status = cls->write(m, out);
    if (status == CD_OK) status = cdi_out_keep(out);
    cdi_out_free(out);
    return status;
}
