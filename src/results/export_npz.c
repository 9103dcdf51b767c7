// export_npz.c - results for NumPy: a zip archive with one array per column, stored as it is
//
//   member     = local header, name, more; npy header; numbers
//   npy header = "\x93NUMPY", 1, 0, u16 length, "{'descr': '<f8', ...}", blanks, newline: 128 bytes
//   archive    = members, directory (one entry per member), end of directory
//
// Members: one per column under the name of its channel, "t" for time, and "names" and "units" of
// them all in this order. Sizes and places of 4 GiB and more, and more than 65534 members, are told
// in the fields of zip64. The checksum of a member comes before its numbers, so headers are written
// last. PKWARE, APPNOTE.TXT 6.3; NumPy, NEP 1.
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "results/bytes.h"
#include "results/export.h"

#define NPY_BYTES 128
#define KEY_MAX 255
#define LOCAL_BYTES 30
#define MORE_BYTES 20     // zip64 in a local header: two sizes
#define LOW32 0xffffffffu // "see zip64"
#define LOW16 0xffffu
#define UTF8_NAMES 0x0800 // flag: names are UTF-8
#define DATE 0x0021       // 1 January 1980: the same results give the same file
#define LETTER_BYTES 4    // of texts in arrays
enum { ZIP_PLAIN = 20, ZIP_64 = 45 };

typedef struct Member {
    const char *name;
    char npy[NPY_BYTES];
    uint64_t size;   // with the npy header
    uint64_t offset; // of the local header
    uint32_t crc;
} Member;

typedef struct Npz {
    int n; // columns, then names and units
    Member *members;
    uint64_t end;
    uint32_t crc[256]; // of single bytes
} Npz;

// ---- checksum: CRC-32 of the reversed polynomial

static void crc_table(uint32_t table[256]) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc_more(const uint32_t table[256], uint32_t crc, const void *data, size_t n) {
    const unsigned char *p = data;
    crc = ~crc;
    for (size_t i = 0; i < n; i++) crc = table[(crc ^ p[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

// ---- layout

static bool is_large(const Member *m) {
    return m->size >= LOW32;
}

static size_t head_bytes(const Member *m) {
    return LOCAL_BYTES + strlen(m->name) + strlen(".npy") + (is_large(m) ? MORE_BYTES : 0);
}

static uint64_t data_offset(const Member *m) {
    return m->offset + head_bytes(m) + NPY_BYTES;
}

static void add_member(Npz *z, const char *name, const char *descr, uint64_t count,
                       uint64_t bytes) {
    Member *m = &z->members[z->n++];
    *m = (Member){.name = name, .size = NPY_BYTES + bytes, .offset = z->end};
    // magic, version 1.0, length of the rest
    static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, NPY_BYTES - 10, 0};
    memset(m->npy, ' ', NPY_BYTES);
    memcpy(m->npy, magic, sizeof magic);
    const int n = snprintf(m->npy + sizeof magic, NPY_BYTES - sizeof magic,
                           "{'descr': '%s', 'fortran_order': False, 'shape': (%llu,), }", descr,
                           (unsigned long long)count);
    m->npy[sizeof magic + (size_t)n] = ' ';
    m->npy[NPY_BYTES - 1] = '\n';
    m->crc = crc_more(z->crc, 0, m->npy, NPY_BYTES);
    z->end = data_offset(m) + bytes;
}

static bool allowed(char c, bool first) {
    (void)first;
    return (unsigned char)c >= ' ' && c != '/' && c != '\\' && c != 0x7f;
}

static size_t letters(const char *text) {
    const char *end = text + strlen(text);
    size_t n = 0;
    for (const char *c = text; c < end; n++) {
        const size_t size = cdi_utf8_size(c, end);
        c += size > 0 ? size : 1;
    }
    return n;
}

// an array of texts that are as long as the longest of them
static size_t width(const CdExport *e, const char *(*text)(const CdExport *, int)) {
    size_t most = 1;
    for (int k = 0; k <= e->table->n; k++) {
        const size_t n = letters(text(e, k));
        if (n > most) most = n;
    }
    return most;
}

static void add_texts(const CdExport *e, const char *name,
                      const char *(*text)(const CdExport *, int)) {
    const size_t w = width(e, text), n = (size_t)e->table->n + 1;
    char descr[32];
    snprintf(descr, sizeof descr, "<U%zu", w);
    add_member(e->work, name, descr, n, (uint64_t)w * n * LETTER_BYTES);
}

// ---- texts: UTF-32

static uint32_t letter(const char **c, const char *end) {
    const unsigned char *p = (const unsigned char *)*c;
    const size_t n = cdi_utf8_size(*c, end);
    *c += n > 0 ? n : 1;
    if (n == 0) return '?';
    uint32_t x = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) x = x << 6 | (p[i] & 0x3fu);
    return x;
}

static CdStatus put_texts(CdExport *e, int member, const char *(*text)(const CdExport *, int)) {
    Npz *z = e->work;
    Member *m = &z->members[member];
    const size_t w = width(e, text);
    uint64_t offset = data_offset(m);
    for (int k = 0; k <= e->table->n; k++, offset += w * LETTER_BYTES) {
        const char *c = text(e, k), *end = c + strlen(c);
        size_t n = 0;
        for (; c < end; n++) put32(&e->bytes, letter(&c, end));
        put_zeros(&e->bytes, (w - n) * LETTER_BYTES);
        CD_TRY(e->bytes.status);
        m->crc = crc_more(z->crc, m->crc, e->bytes.v, e->bytes.n);
        CD_TRY(cdi_export_put(e, offset));
    }
    return CD_OK;
}

// ---- headers

static uint32_t low32(uint64_t x) {
    return x < LOW32 ? (uint32_t)x : LOW32;
}

// what local header and directory have in common: from the version to the sizes and the name
static void put_common(CdText *to, const Member *m, size_t more, bool zip64) {
    const bool large = is_large(m);
    put16(to, zip64 ? ZIP_64 : ZIP_PLAIN);
    put16(to, UTF8_NAMES);
    put16(to, 0); // stored
    put16(to, 0); // midnight
    put16(to, DATE);
    put32(to, m->crc);
    put32(to, large ? LOW32 : (uint32_t)m->size);
    put32(to, large ? LOW32 : (uint32_t)m->size);
    put16(to, (unsigned)(strlen(m->name) + strlen(".npy")));
    put16(to, (unsigned)more);
}

static void put_name(CdText *to, const Member *m) {
    cdi_text_add(to, m->name);
    cdi_text_add(to, ".npy");
}

static void put_sizes(CdText *to, const Member *m, bool offset) {
    const bool large = is_large(m);
    put16(to, 1); // zip64
    put16(to, (large ? 16u : 0u) + (offset ? 8u : 0u));
    if (large) put64(to, m->size);
    if (large) put64(to, m->size);
    if (offset) put64(to, m->offset);
}

static CdStatus put_local(CdExport *e, const Member *m) {
    cdi_text_addn(&e->bytes, "PK\3\4", 4);
    put_common(&e->bytes, m, is_large(m) ? MORE_BYTES : 0, is_large(m));
    put_name(&e->bytes, m);
    if (is_large(m)) put_sizes(&e->bytes, m, false);
    cdi_text_addn(&e->bytes, m->npy, NPY_BYTES);
    return cdi_export_put(e, m->offset);
}

static void put_entry(CdText *to, const Member *m) {
    const bool far = m->offset >= LOW32, zip64 = far || is_large(m);
    const size_t more = zip64 ? 4u + (is_large(m) ? 16u : 0u) + (far ? 8u : 0u) : 0;
    cdi_text_addn(to, "PK\1\2", 4);
    put16(to, ZIP_64); // made by
    put_common(to, m, more, zip64);
    put16(to, 0); // comment
    put16(to, 0); // disk
    put16(to, 0); // a text?
    put32(to, 0); // rights
    put32(to, low32(m->offset));
    put_name(to, m);
    if (zip64) put_sizes(to, m, far);
}

static void put_end64(CdText *to, uint64_t n, uint64_t size, uint64_t offset) {
    cdi_text_addn(to, "PK\6\6", 4);
    put64(to, 44); // of what follows
    put16(to, ZIP_64);
    put16(to, ZIP_64);
    put32(to, 0); // disks
    put32(to, 0);
    put64(to, n);
    put64(to, n);
    put64(to, size);
    put64(to, offset);
    // where to find it
    cdi_text_addn(to, "PK\6\7", 4);
    put32(to, 0);
    put64(to, offset + size);
    put32(to, 1);
}

static void put_end(CdText *to, uint64_t n, uint64_t size, uint64_t offset) {
    if (n >= LOW16 || size >= LOW32 || offset >= LOW32) put_end64(to, n, size, offset);
    const unsigned members = n < LOW16 ? (unsigned)n : LOW16;
    cdi_text_addn(to, "PK\5\6", 4);
    put32(to, 0); // disks
    put16(to, members);
    put16(to, members);
    put32(to, low32(size));
    put32(to, low32(offset));
    put16(to, 0); // comment
}

// ---- the format

static CdStatus open(CdExport *e) {
    static const char *const reserved[] = {"names", "units", NULL};
    const int n = e->table->n + 1;
    const char **keys;
    Npz *z = e->work = CD_TAKE(&e->arena, Npz, 1);
    if (!z) return CD_NOMEM;
    z->members = CD_TAKE(&e->arena, Member, (size_t)n + 2);
    if (!z->members) return CD_NOMEM;
    CD_TRY(cdi_export_keys(e, allowed, KEY_MAX, reserved, &keys));
    crc_table(z->crc);
    for (int k = 0; k < n; k++) {
        add_member(z, keys[k], "<f8", e->table->rows, e->table->rows * sizeof(double));
    }
    add_texts(e, "names", cdi_export_name);
    add_texts(e, "units", cdi_export_unit);
    return CD_OK;
}

static CdStatus column(CdExport *e, int k, uint64_t first, uint64_t n, const double *values) {
    Npz *z = e->work;
    Member *m = &z->members[k];
    const size_t bytes = (size_t)n * sizeof *values;
    m->crc = crc_more(z->crc, m->crc, values, bytes);
    return cdi_out_at(e->out, data_offset(m) + first * sizeof *values, values, bytes);
}

static CdStatus close(CdExport *e) {
    Npz *z = e->work;
    uint64_t at = z->end;
    CD_TRY(put_texts(e, z->n - 2, cdi_export_name));
    CD_TRY(put_texts(e, z->n - 1, cdi_export_unit));
    for (int k = 0; k < z->n; k++) CD_TRY(put_local(e, &z->members[k]));
    for (int k = 0; k < z->n; k++) {
        put_entry(&e->bytes, &z->members[k]);
        const size_t n = e->bytes.n;
        CD_TRY(cdi_export_put(e, at));
        at += n;
    }
    put_end(&e->bytes, (uint64_t)z->n, at - z->end, z->end);
    return cdi_export_put(e, at);
}

const CdExportClass cd_export_npz = {
    .name = "npz",
    .extension = ".npz",
    .doc = "arrays of NumPy, one per channel under its name; numpy.load opens it",
    .open = open,
    .column = column,
    .close = close,
};
