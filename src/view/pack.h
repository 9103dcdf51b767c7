// pack.h - columns of numbers in few bytes: multiples of a step, predicted, in Rice's code
//
//   x = lo + n step, n = -1: not a number, or one of 1e300 and more
//
// Blocks of 128 numbers, most significant bit first:
//   2 bits   order of the prediction: 0, n1, 2 n1 - n2, 3 n1 - 3 n2 + n3 of the numbers before
//   5 bits   k; 31: every prediction is right, and nothing follows
//   a code per number: r = n - prediction, u = 2 r or -2 r - 1; u >> k ones, a zero, k bits of u;
//            twenty ones are followed by 32 bits of u instead
// Motion is smooth, so predictions are good. Rice, JPL 79-22; Robinson, CUED/F-INFENG/TR.156.
// web/viewer/data.js reads it.
#ifndef CARDAN_VIEW_PACK_H
#define CARDAN_VIEW_PACK_H

#include "base/text.h"

#define CD_PACK_BITS_MAX 24

// how a column is rounded: errors are at most step/2; step 0: all of it is lo
typedef struct CdPackScale {
    double lo, step;
} CdPackScale;

// of the finite numbers among x, with 2^bits values
CdPackScale cdi_pack_scale(const double *x, size_t n, int bits);

typedef struct CdPack {
    CdText bytes; // holds any bytes
    unsigned held, nheld;
} CdPack;

void cdi_pack_init(CdPack *pack, CdContext *ctx);
void cdi_pack_free(CdPack *pack);
void cdi_pack_column(CdPack *pack, const CdPackScale *scale, const double *x, size_t n);
void cdi_pack_end(CdPack *pack); // the last byte is filled up

// bytes as text: RFC 4648
void cdi_base64(CdText *to, const void *bytes, size_t n);

#endif
