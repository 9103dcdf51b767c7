// svg.c - the frame of an SVG document: head, rules of style, texts, paths
#include "view/svg.h"

#include <string.h>

#include "base/utf8.h"

// bytes of the next character if XML allows it, else 0: no control characters, no U+FFFE, U+FFFF
static size_t allowed(const char *s, const char *end) {
    const size_t n = cdi_utf8_size(s, end);
    if (n == 1 && (unsigned char)*s < ' ') return 0;
    if (n == 3 && (memcmp(s, "\xef\xbf\xbe", 3) == 0 || memcmp(s, "\xef\xbf\xbf", 3) == 0))
        return 0;
    return n;
}

void cdi_svg_escape(CdText *out, const char *text) {
    const char *end = text + strlen(text);
    while (text < end) {
        const size_t n = allowed(text, end);
        switch (n > 0 ? *text : '\0') {
        case '<': cdi_text_add(out, "&lt;"); break;
        case '>': cdi_text_add(out, "&gt;"); break;
        case '&': cdi_text_add(out, "&amp;"); break;
        case '"': cdi_text_add(out, "&quot;"); break;
        case '\0': cdi_text_add(out, "?"); break;
        default: cdi_text_addn(out, text, n);
        }
        text += n > 0 ? n : 1;
    }
}

void cdi_svg_open(CdText *out, int width, int height, const char *title) {
    cdi_text_addf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%d\" "
                  "height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
                  width, height, width * CD_SVG_TENTH, height * CD_SVG_TENTH);
    cdi_svg_escape(out, title);
    cdi_text_add(out, "</title>\n");
}

void cdi_svg_close(CdText *out) {
    cdi_text_add(out, "</svg>\n");
}

void cdi_svg_rules(CdText *out, const CdSvgRule *rules, int n) {
    cdi_text_add(out, "<style>\n");
    for (int i = 0; i < n; i++) {
        cdi_text_addf(out, "%s{%s}\n", rules[i].selector, rules[i].light);
    }
    cdi_text_add(out, "@media(prefers-color-scheme:dark){\n");
    for (int i = 0; i < n; i++) {
        if (rules[i].dark) cdi_text_addf(out, "%s{%s}\n", rules[i].selector, rules[i].dark);
    }
    cdi_text_add(out, "}\n</style>\n");
}

long cdi_svg_unit(double pixels) {
    return lround(pixels * CD_SVG_TENTH);
}

void cdi_svg_point(CdText *out, int i, const long d[2]) {
    const char *before = i == 0 ? "M" : i == 1 ? "l" : d[0] < 0 ? "" : " ";
    // a minus is a separator too
    cdi_text_addf(out, "%s%ld%s%ld", before, d[0], d[1] < 0 ? "" : " ", d[1]);
}

void cdi_svg_path(CdText *out, const double (*points)[2], int n, bool closed) {
    long at[2] = {0, 0};
    for (int i = 0; i < n; i++) {
        const long to[2] = {cdi_svg_unit(points[i][0]), cdi_svg_unit(points[i][1])};
        cdi_svg_point(out, i, (const long[2]){to[0] - at[0], to[1] - at[1]});
        memcpy(at, to, sizeof at);
    }
    if (closed) cdi_text_add(out, "z");
}
