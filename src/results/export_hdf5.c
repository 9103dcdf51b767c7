// export_hdf5.c - results in HDF5: a dataset per column, with its unit, in the root group
//
//   file          = superblock (48 bytes), header of the root group, headers of datasets, numbers
//   object header = "OHDR", version, flags, u32 bytes, messages, checksum
//   message       = type u8, bytes u16, flags u8, content
//
// Written by hand, for only a little of the format is needed: superblock of version 2, object
// headers of version 2, links kept in the header of their group, datasets in one piece. So it is
// always there, and needs no library that would be loaded at every start. A dataset has the
// attributes `unit`, and `channel` if its name had to be changed. HDF5 File Format Specification,
// version 3.0; checksums are Jenkins' lookup3.
#include <string.h>

#include "results/bytes.h"
#include "results/export.h"

#define KEY_MAX 255
#define NOWHERE UINT64_MAX
#define SUPERBLOCK_BYTES 48

// messages
enum {
    DATASPACE = 0x01,
    LINK_INFO = 0x02,
    DATATYPE = 0x03,
    FILL_VALUE = 0x05,
    LINK = 0x06,
    LAYOUT = 0x08,
    GROUP_INFO = 0x0a,
    ATTRIBUTE = 0x0c
};

typedef struct Hdf {
    const char **keys;
    uint64_t *headers; // of datasets
    uint64_t data;     // where numbers begin
} Hdf;

// ---- checksum

static uint32_t turn(uint32_t x, int k) {
    return x << k | x >> (32 - k);
}

static void mix(uint32_t s[3]) {
    static const int turns[6] = {4, 6, 8, 16, 19, 4};
    for (int i = 0; i < 6; i++) {
        // a, b, c take their turns: a -= c; a ^= turn(c); c += b
        uint32_t *a = &s[i % 3], *b = &s[(i + 1) % 3], *c = &s[(i + 2) % 3];
        *a -= *c;
        *a ^= turn(*c, turns[i]);
        *c += *b;
    }
}

static void finish(uint32_t s[3]) {
    static const int turns[7] = {14, 11, 25, 16, 4, 14, 24};
    for (int i = 0; i < 7; i++) {
        // c ^= b; c -= turn(b); then a from c, b from a, c from b again
        uint32_t *to = &s[(i + 2) % 3];
        const uint32_t from = s[(i + 1) % 3];
        *to ^= from;
        *to -= turn(from, turns[i]);
    }
}

static uint32_t lookup3(const char *text, size_t n) {
    const uint32_t begin = 0xdeadbeefu + (uint32_t)n;
    uint32_t s[3] = {begin, begin, begin};
    for (size_t i = 0; i < n; i += 12) {
        const size_t left = n - i < 12 ? n - i : 12;
        for (size_t k = 0; k < left; k++) {
            s[k / 4] += (uint32_t)(unsigned char)text[i + k] << 8 * (k % 4);
        }
        if (n - i > 12) mix(s);
    }
    if (n > 0) finish(s);
    return s[2];
}

// ---- messages

static void put_message(CdText *to, unsigned type, size_t bytes) {
    put8(to, type);
    put16(to, (unsigned)bytes);
    put8(to, 0);
}

static void put_dataspace(CdText *to, bool scalar, uint64_t rows) {
    put8(to, 2); // version
    put8(to, scalar ? 0 : 1);
    put8(to, 0); // no largest size
    put8(to, scalar ? 0 : 1);
    if (!scalar) put64(to, rows);
}
enum { SCALAR_BYTES = 4, SIMPLE_BYTES = 12 };

// IEEE double, least byte first
static void put_double_type(CdText *to) {
    put8(to, 0x11);             // version 1, floating point
    put_bytes(to, 0x003f20, 3); // implied leading bit, sign is bit 63
    put32(to, sizeof(double));
    put16(to, 0);  // first bit
    put16(to, 64); // bits
    put8(to, 52);  // exponent: where, how many bits
    put8(to, 11);
    put8(to, 0); // mantissa
    put8(to, 52);
    put32(to, 1023); // bias
}
enum { DOUBLE_TYPE_BYTES = 20 };

static void put_text_type(CdText *to, size_t n) {
    put8(to, 0x13);             // version 1, text
    put_bytes(to, 0x000011, 3); // padded with zeros, UTF-8
    put32(to, (uint32_t)n);
}
enum { TEXT_TYPE_BYTES = 8 };

static void put_attribute(CdText *to, const char *name, const char *text) {
    const size_t nname = strlen(name) + 1, n = text[0] ? strlen(text) : 1;
    put_message(to, ATTRIBUTE, 9 + nname + TEXT_TYPE_BYTES + SCALAR_BYTES + n);
    put8(to, 3); // version
    put8(to, 0);
    put16(to, (unsigned)nname);
    put16(to, TEXT_TYPE_BYTES);
    put16(to, SCALAR_BYTES);
    put8(to, 0); // the name is ASCII
    cdi_text_addn(to, name, nname);
    put_text_type(to, n);
    put_dataspace(to, true, 0);
    cdi_text_addn(to, text, n);
}

// a header around the messages that `fill` writes
typedef void Fill(const CdExport *e, CdText *to, int k);

static void put_header(CdExport *e, Fill *fill, int k) {
    CdText *to = &e->bytes;
    const size_t begin = to->n;
    cdi_text_add(to, "OHDR");
    put8(to, 2); // version
    put8(to, 2); // the size has four bytes
    put32(to, 0);
    const size_t messages = to->n;
    fill(e, to, k);
    const uint32_t bytes = (uint32_t)(to->n - messages);
    for (int i = 0; to->status == CD_OK && i < 4; i++) {
        to->v[messages - 4 + (size_t)i] = (char)(bytes >> 8 * i & 0xff);
    }
    if (to->status == CD_OK) put32(to, lookup3(to->v + begin, to->n - begin));
}

static void fill_group(const CdExport *e, CdText *to, int unused) {
    (void)unused;
    const Hdf *h = e->work;
    put_message(to, LINK_INFO, 18);
    put16(to, 0); // version, no order of creation
    put64(to, NOWHERE);
    put64(to, NOWHERE);
    put_message(to, GROUP_INFO, 2);
    put16(to, 0);
    put_attribute(to, "created_by", "cardan " CD_VERSION);
    for (int k = 0; k <= e->table->n; k++) {
        const size_t n = strlen(h->keys[k]);
        put_message(to, LINK, 5 + n + 8);
        put8(to, 1);    // version
        put8(to, 0x11); // two bytes tell the length of the name; its letters
        put8(to, 1);    // are UTF-8
        put16(to, (unsigned)n);
        cdi_text_addn(to, h->keys[k], n);
        put64(to, h->headers[k]);
    }
}

static uint64_t column_bytes(const CdExport *e) {
    return e->table->rows * sizeof(double);
}

static void fill_dataset(const CdExport *e, CdText *to, int k) {
    const Hdf *h = e->work;
    const uint64_t bytes = column_bytes(e);
    put_message(to, DATASPACE, SIMPLE_BYTES);
    put_dataspace(to, false, e->table->rows);
    put_message(to, DATATYPE, DOUBLE_TYPE_BYTES);
    put_double_type(to);
    put_message(to, FILL_VALUE, 2);
    put8(to, 3);    // version
    put8(to, 0x0a); // allocated late, filled only where a value is set: none is
    put_message(to, LAYOUT, 18);
    put8(to, 3); // version
    put8(to, 1); // in one piece
    put64(to, bytes > 0 ? h->data + (uint64_t)k * bytes : NOWHERE);
    put64(to, bytes);
    put_attribute(to, "unit", cdi_export_unit(e, k));
    if (strcmp(h->keys[k], cdi_export_name(e, k)) != 0) {
        put_attribute(to, "channel", cdi_export_name(e, k));
    }
}

// ---- the format

static bool allowed(char c, bool first) {
    return (unsigned char)c >= ' ' && c != '/' && c != 0x7f && !(first && c == '.');
}

// every header is made once to learn its size, and again when all places are known
static CdStatus place_headers(CdExport *e) {
    Hdf *h = e->work;
    put_header(e, fill_group, 0);
    uint64_t at = SUPERBLOCK_BYTES + e->bytes.n;
    for (int k = 0; k <= e->table->n; k++) {
        CD_TRY(e->bytes.status);
        cdi_text_clear(&e->bytes);
        put_header(e, fill_dataset, k);
        h->headers[k] = at;
        at += e->bytes.n;
    }
    CD_TRY(e->bytes.status);
    cdi_text_clear(&e->bytes);
    h->data = at / 8 * 8 + 8;
    return CD_OK;
}

static CdStatus put_superblock(CdExport *e) {
    const Hdf *h = e->work;
    cdi_text_addn(&e->bytes, "\x89HDF\r\n\x1a\n", 8);
    put8(&e->bytes, 2); // version
    put8(&e->bytes, 8); // bytes of places and sizes
    put8(&e->bytes, 8);
    put8(&e->bytes, 0);
    put64(&e->bytes, 0); // places count from here
    put64(&e->bytes, NOWHERE);
    put64(&e->bytes, h->data + ((uint64_t)e->table->n + 1) * column_bytes(e));
    put64(&e->bytes, SUPERBLOCK_BYTES);
    if (e->bytes.status == CD_OK) put32(&e->bytes, lookup3(e->bytes.v, e->bytes.n));
    put_header(e, fill_group, 0);
    return cdi_export_put(e, 0);
}

static CdStatus open(CdExport *e) {
    static const char *const reserved[] = {NULL};
    const int n = e->table->n + 1;
    Hdf *h = e->work = CD_TAKE(&e->arena, Hdf, 1);
    if (!h) return CD_NOMEM;
    h->headers = CD_TAKE(&e->arena, uint64_t, (size_t)n);
    if (!h->headers) return CD_NOMEM;
    CD_TRY(cdi_export_keys(e, allowed, KEY_MAX, reserved, &h->keys));
    CD_TRY(place_headers(e));
    CD_TRY(put_superblock(e));
    for (int k = 0; k < n; k++) {
        put_header(e, fill_dataset, k);
        CD_TRY(cdi_export_put(e, h->headers[k]));
    }
    // without numbers the file ends before them, too
    put8(&e->bytes, 0);
    return cdi_export_put(e, h->data - 1);
}

static CdStatus column(CdExport *e, int k, uint64_t first, uint64_t n, const double *values) {
    const Hdf *h = e->work;
    const uint64_t offset = h->data + (uint64_t)k * column_bytes(e) + first * sizeof *values;
    return cdi_out_at(e->out, offset, values, (size_t)n * sizeof *values);
}

const CdExportClass cd_export_hdf5 = {
    .name = "hdf5",
    .extension = ".h5",
    .doc = "HDF5, one dataset per channel with its unit as attribute",
    .open = open,
    .column = column,
};
