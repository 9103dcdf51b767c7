// lanes_math.h - the elementary functions of lanes.h, which includes it
#ifndef CARDAN_AD_LANES_MATH_H
#define CARDAN_AD_LANES_MATH_H

// nearest integer, |x| < 2^51
static inline CdLane lane_round(CdLane x) {
    const CdLane big = lane_set(0x1.8p52);
    return (x + big) - big;
}

// the integer that lane_round gave, as an integer
static inline CdLaneMask lane_integer(CdLane n) {
    return lane_bits(n + lane_set(0x1.8p52)) - lane_bits(lane_set(0x1.8p52));
}

// 2^k, -1022 <= k <= 1023
static inline CdLane lane_power(CdLaneMask k) {
    return lane_from_bits(lane_shift(k + 1023, 52));
}

// x 2^k in two steps, so that results below 2^-1022 and above 2^1023 come out right
static inline CdLane lane_scale(CdLane x, CdLaneMask k) {
    const CdLaneMask half = k >> 1;
    return x * lane_power(half) * lane_power(k - half);
}

static inline CdLane lane_high(CdLane x) { // the upper 21 bits of the mantissa
    return lane_from_bits(lane_bits(x) & (int64_t)0xffffffff00000000u);
}

// a number as the sum of two
typedef struct CdLanePair {
    CdLane hi, lo;
} CdLanePair;

static inline CdLanePair lane_two_sum(CdLane a, CdLane b) {
    const CdLane s = a + b, t = s - a;
    return (CdLanePair){s, (a - (s - t)) + (b - t)};
}

static inline CdLanePair lane_two_product(CdLane a, CdLane b) { // Dekker
    const CdLane split = lane_set(134217729.0), p = a * b;
    const CdLane ca = split * a, ah = ca - (ca - a), al = a - ah;
    const CdLane cb = split * b, bh = cb - (cb - b), bl = b - bh;
    return (CdLanePair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

// sin, cos, tan: x = n pi/2 + y.hi + y.lo

enum { CD_TWO_OVER_PI_WORDS = 44 };

// one number of any size: the needed part of the product with 2/pi (Payne & Hanek)
static inline int64_t lane_reduce_large(double x, double *hi, double *lo) {
    static const uint32_t two_over_pi[CD_TWO_OVER_PI_WORDS] = {
        0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
        0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
        0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
        0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
        0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
        0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du, 0xa9e39161u, 0x5ee61b08u,
        0x6599855fu, 0x14a06840u,
    };
    int exponent;
    const double fraction = frexp(fabs(x), &exponent);
    const uint64_t m = (uint64_t)ldexp(fraction, 53);
    const int e = exponent - 53;
    const int first = e > 3 ? (e - 3) / 32 : 0; // words before it give multiples of 8
    uint32_t p[9] = {0};                        // m times 7 words, the highest first
    for (int half = 0; half < 2; half++) {
        const uint64_t digit = half ? m >> 32 : m & 0xffffffffu;
        uint64_t carry = 0;
        for (int k = 6; k >= 0; k--) {
            const uint64_t t = digit * two_over_pi[first + k] + p[k + 2 - half] + carry;
            p[k + 2 - half] = (uint32_t)t;
            carry = t >> 32;
        }
        p[1 - half] += (uint32_t)carry;
    }
    // the binary point stands s bits above the lowest: move it to 3 bits below the highest
    const int s = 32 * (first + 7) - e, left = 9 * 32 - 3 - s;
    uint32_t q[5];
    for (int i = 0; i < 5; i++) {
        const int at = i + left / 32, shift = left % 32;
        const uint64_t both = ((uint64_t)(at < 9 ? p[at] : 0) << 32) | (at + 1 < 9 ? p[at + 1] : 0);
        q[i] = (uint32_t)(both << shift >> 32);
    }
    int64_t n = q[0] >> 29;
    uint64_t f0 = ((uint64_t)q[0] << 35) | ((uint64_t)q[1] << 3) | (q[2] >> 29);
    uint64_t f1 = ((uint64_t)q[2] << 35) | ((uint64_t)q[3] << 3) | (q[4] >> 29);
    const int up = (int)(f0 >> 63);
    if (up) { // to the nearest: the fraction becomes negative
        n++;
        f1 = ~f1 + 1;
        f0 = ~f0 + (f1 == 0);
    }
    int zeros = 0;
    while (zeros < 64 && !(f0 >> 63)) {
        f0 = (f0 << 1) | (f1 >> 63);
        f1 <<= 1;
        zeros++;
    }
    const double sign = (up != 0) == (x < 0) ? 1 : -1;
    const double top = ldexp((double)(f0 >> 11), -53 - zeros);
    const double low = ldexp((double)(((f0 & 0x7ff) << 42) | (f1 >> 22)), -106 - zeros);
    const double pio2 = 1.57079632679489655800e+00, pio2_low = 6.12323399573676603587e-17;
    const double split = 134217729.0, c = split * top, th = c - (c - top), tl = top - th;
    const double d = split * pio2, ph = d - (d - pio2), pl = pio2 - ph;
    const double a = top * pio2, b = ((th * ph - a) + th * pl + tl * ph) + tl * pl;
    const double rest = b + (top * pio2_low + low * pio2);
    *hi = sign * (a + rest);
    *lo = sign * ((a - (a + rest)) + rest);
    return x < 0 ? -n : n;
}

static inline CdLanePair lane_reduce(CdLane x, CdLaneMask *quadrant) {
    const CdLane n = lane_round(x * lane_set(6.36619772367581382433e-01));
    const CdLane a = x - n * lane_set(1.57079632673412561417e+00); // 33 bits of pi/2: exact
    const CdLanePair b = lane_two_sum(a, -(n * lane_set(6.07710050630396597660e-11)));
    const CdLane low = b.lo - n * lane_set(2.02226624879595063154e-21);
    CdLanePair y = {b.hi + low, b.lo};
    y.lo = (b.hi - y.hi) + low;
    *quadrant = lane_integer(n);
    if (!lane_any(lane_fabs(x) > lane_set(1e6))) return y;
    for (int i = 0; i < CD_LANE_WIDTH; i++) {
        if (!(fabs(x[i]) > 1e6)) continue;
        double hi = x[i] - x[i], lo = 0; // no number, for infinity
        const int64_t q = hi == 0 ? lane_reduce_large(x[i], &hi, &lo) : 0;
        y.hi[i] = hi;
        y.lo[i] = lo;
        (*quadrant)[i] = q;
    }
    return y;
}

static inline CdLane lane_sin_near(CdLanePair y) {
    const CdLane x = y.hi, z = x * x, v = z * x;
    const CdLane r = 8.33333333332248946124e-03 +
                     z * (-1.98412698298579493134e-04 +
                          z * (2.75573137070700676789e-06 +
                               z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    return x - ((z * (0.5 * y.lo - v * r) - y.lo) - v * -1.66666666666666324348e-01);
}

static inline CdLane lane_cos_near(CdLanePair y) {
    const CdLane x = y.hi, z = x * x, w = z * z;
    const CdLane r = z * (4.16666666666666019037e-02 +
                          z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
                     w * w *
                         (-2.75573143513906633035e-07 +
                          z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
    const CdLane hz = 0.5 * z, one = 1.0 - hz;
    return one + (((1.0 - one) - hz) + (z * r - x * y.lo));
}

static inline CdLane lane_sincos(CdLane x, int64_t shift) {
    CdLaneMask q;
    const CdLanePair y = lane_reduce(x, &q);
    q += shift;
    const CdLane v = lane_sel((q & 1) != 0, lane_cos_near(y), lane_sin_near(y));
    return lane_from_bits(lane_bits(v) ^ lane_shift(q & 2, 62));
}

static inline CdLane lane_sin(CdLane x) {
    return lane_sel(x == 0, x, lane_sincos(x, 0));
}

static inline CdLane lane_cos(CdLane x) {
    return lane_sincos(x, 1);
}

static inline CdLane lane_tan(CdLane x0) {
    CdLaneMask q;
    const CdLanePair near = lane_reduce(x0, &q);
    const CdLaneMask odd = (q & 1) != 0, big = lane_fabs(near.hi) >= 0.67434;
    const CdLane sign = lane_copysign(lane_set(1.0), near.hi);
    const CdLane mx = 7.85398163397448278999e-01 - sign * near.hi;
    const CdLane x = lane_sel(big, mx + (3.06161699786838301793e-17 - sign * near.lo), near.hi);
    const CdLane y = lane_sel(big, lane_set(0.0), near.lo), z = x * x, w = z * z;
    const CdLane p =
        1.33333333333201242699e-01 +
        w * (2.18694882948595424599e-02 +
             w * (3.59207910759131235356e-03 +
                  w * (5.88041240820264096874e-04 +
                       w * (7.81794442939557092300e-05 + w * -1.85586374855275456654e-05))));
    const CdLane v =
        z * (5.39682539762260521377e-02 +
             w * (8.86323982359930005737e-03 +
                  w * (1.45620945432529025516e-03 +
                       w * (2.46463134818469906812e-04 +
                            w * (7.14072491382608190305e-05 + w * 2.59073051863633712884e-05)))));
    const CdLane s = z * x;
    const CdLane r = y + z * (s * (p + v) + y) + 3.33333333333334091986e-01 * s, t = x + r;
    // far from zero: tan(pi/4 - x); at odd quadrants -1/t with the digits of t kept
    const CdLane one = lane_sel(odd, lane_set(-1.0), lane_set(1.0));
    const CdLane far = sign * (one - 2.0 * (x - (t * t / (t + one) - r)));
    const CdLane th = lane_high(t), tl = r - (th - x), a = -1.0 / t, ah = lane_high(a);
    const CdLane inverse = ah + a * (1.0 + ah * th + ah * tl);
    const CdLane value = lane_sel(big, far, lane_sel(odd, inverse, t));
    return lane_sel(x0 == 0, x0, value);
}

// exp, expm1, log

static inline CdLane lane_exp(CdLane x) {
    const CdLane n = lane_round(lane_fmin(lane_fmax(x, lane_set(-800)), lane_set(800)) *
                                lane_set(1.44269504088896338700e+00));
    const CdLane hi = x - n * 6.93147180369123816490e-01, lo = n * 1.90821492927058770002e-10;
    const CdLane r = hi - lo, t = r * r;
    const CdLane c =
        r - t * (1.66666666666666019037e-01 +
                 t * (-2.77777777770155933842e-03 +
                      t * (6.61375632143793436117e-05 +
                           t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    const CdLane y = 1.0 - ((lo - (r * c) / (2.0 - c)) - hi);
    const CdLane v = lane_scale(y, lane_integer(n));
    const CdLane small = lane_sel(x < -746.0, lane_set(0.0), v);
    return lane_sel(x != x, x, lane_sel(x > 710.0, lane_set(INFINITY), small));
}

// exp(x) - 1 for |x| < 60
static inline CdLane lane_expm1(CdLane x0) {
    const CdLane n = lane_round(x0 * lane_set(1.44269504088896338700e+00));
    const CdLaneMask k = lane_integer(n);
    const CdLane hi = x0 - n * 6.93147180369123816490e-01, lo = n * 1.90821492927058770002e-10;
    const CdLane x = hi - lo, c = (hi - x) - lo, hfx = 0.5 * x, hxs = x * hfx;
    const CdLane r1 = 1.0 + hxs * (-3.33333333333331316428e-02 +
                                   hxs * (1.58730158725481460165e-03 +
                                          hxs * (-7.93650757867487942473e-05 +
                                                 hxs * (4.00821782732936239552e-06 +
                                                        hxs * -2.01099218183624371326e-07))));
    const CdLane t = 3.0 - r1 * hfx, e0 = hxs * ((r1 - t) / (6.0 - x * t));
    const CdLane e = (x * (e0 - c) - c) - hxs, power = lane_power(k), inverse = lane_power(-k);
    const CdLane at0 = x - (x * e0 - hxs);
    const CdLane plus1 = lane_sel(x < -0.25, -2.0 * (e - (x + 0.5)), 1.0 + 2.0 * (x - e));
    const CdLane middle = ((1.0 - inverse) - (e - x)) * power;
    const CdLane high = ((x - (e + inverse)) + 1.0) * power;
    const CdLane low = (1.0 - (e - x)) * power - 1.0;
    CdLane v = lane_sel(k < 20, middle, high);
    v = lane_sel((k <= -2) | (k > 56), low, v);
    v = lane_sel(k == 1, plus1, v);
    v = lane_sel(k == -1, 0.5 * (x - e) - 0.5, v);
    return lane_sel(k == 0, at0, v);
}

// x = 2^k m with sqrt(1/2) <= m < sqrt(2)
static inline CdLane lane_split(CdLane x, CdLane *k) {
    const CdLaneMask tiny = x < 0x1p-1022;
    const CdLane y = lane_sel(tiny, x * 0x1p54, x);
    const CdLaneMask e = ((lane_bits(y) & INT64_MAX) - 0x3fe6a09e667f3bcd) >> 52;
    *k = lane_from_bits(e + lane_bits(lane_set(0x1.8p52))) - 0x1.8p52;
    *k -= lane_sel(tiny, lane_set(54.0), lane_set(0.0));
    return lane_from_bits((lane_bits(y) & INT64_MAX) - lane_shift(e, 52));
}

static inline CdLane lane_log(CdLane x) {
    CdLane k;
    const CdLane m = lane_split(x, &k), f = m - 1.0, s = f / (2.0 + f), z = s * s, w = z * z;
    const CdLane t1 = w * (3.999999999940941908e-01 +
                           w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    const CdLane t2 = z * (6.666666666666735130e-01 +
                           w * (2.857142874366239149e-01 +
                                w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    const CdLane hfsq = 0.5 * f * f;
    const CdLane v = k * 6.93147180369123816490e-01 -
                     ((hfsq - (s * (hfsq + t1 + t2) + k * 1.90821492927058770002e-10)) - f);
    CdLane y = lane_sel(x == INFINITY, x, v);
    y = lane_sel(x == 0, lane_set(-INFINITY), y);
    return lane_sel((x < 0) | (x != x), lane_set(NAN), y);
}

// atan, atan2, asin, acos

static inline CdLane lane_atan_positive(CdLane x) {
    const CdLaneMask a = x < 0.4375, b = x < 0.6875, c = x < 1.1875, d = x < 2.4375;
    const CdLane one = lane_set(1.0);
    const CdLane top = lane_sel(
        a, x, lane_sel(b, 2.0 * x - 1.0, lane_sel(c, x - 1.0, lane_sel(d, x - 1.5, -one))));
    const CdLane bottom =
        lane_sel(a, one, lane_sel(b, 2.0 + x, lane_sel(c, x + 1.0, lane_sel(d, 1.0 + 1.5 * x, x))));
    const CdLane hi = lane_sel(b, lane_set(4.63647609000806093515e-01),
                               lane_sel(c, lane_set(7.85398163397448278999e-01),
                                        lane_sel(d, lane_set(9.82793723247329054082e-01),
                                                 lane_set(1.57079632679489655800e+00))));
    const CdLane lo = lane_sel(b, lane_set(2.26987774529616870924e-17),
                               lane_sel(c, lane_set(3.06161699786838301793e-17),
                                        lane_sel(d, lane_set(1.39033110312309984516e-17),
                                                 lane_set(6.12323399573676603587e-17))));
    const CdLane t = top / bottom, z = t * t, w = z * z;
    const CdLane s1 =
        z * (3.33333333333329318027e-01 +
             w * (1.42857142725034663711e-01 +
                  w * (9.09088713343650656196e-02 +
                       w * (6.66107313738753120669e-02 +
                            w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
    const CdLane s2 =
        w * (-1.99999999998764832476e-01 +
             w * (-1.11111104054623557880e-01 +
                  w * (-7.69187620504482999495e-02 +
                       w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
    return lane_sel(a, t - t * (s1 + s2), hi - ((t * (s1 + s2) - lo) - t));
}

static inline CdLane lane_atan(CdLane x) {
    return lane_copysign(lane_atan_positive(lane_fabs(x)), x);
}

static inline CdLane lane_atan2(CdLane y, CdLane x) {
    const CdLane ay = lane_fabs(y), ax = lane_fabs(x);
    CdLane q = ay / ax;
    q = lane_sel((ay == 0) & (ax == 0), lane_set(0.0), q);
    q = lane_sel((ay == INFINITY) & (ax == INFINITY), lane_set(1.0), q);
    const CdLane z = lane_atan_positive(q);
    const CdLane left = 3.14159265358979311600e+00 - (z - 1.22464679914735317720e-16);
    const CdLane v = lane_copysign(lane_sel(lane_bits(x) < 0, left, z), y);
    return lane_sel((x != x) | (y != y), lane_set(NAN), v);
}

static inline CdLane lane_asin_rest(CdLane z) {
    const CdLane p =
        z * (1.66666666666666657415e-01 +
             z * (-3.25565818622400915405e-01 +
                  z * (2.01212532134862925881e-01 +
                       z * (-4.00555345006794114027e-02 +
                            z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)))));
    const CdLane q =
        1.0 + z * (-2.40339491173441421878e+00 +
                   z * (2.02094576023350569471e+00 +
                        z * (-6.88283971605453293030e-01 + z * 7.70381505559019352791e-02)));
    return p / q;
}

static inline CdLane lane_asin(CdLane x) {
    const CdLane a = lane_fabs(x), pio2 = lane_set(1.57079632679489655800e+00);
    const CdLaneMask inner = a < 0.5;
    const CdLane z = lane_sel(inner, x * x, (1.0 - a) * 0.5), r = lane_asin_rest(z);
    const CdLane s = lane_sqrt(z), f = lane_high(s), c = (z - f * f) / (s + f);
    const CdLane p = 2.0 * s * r - (6.12323399573676603587e-17 - 2.0 * c);
    const CdLane q = 0.5 * pio2 - 2.0 * f;
    const CdLane outer = lane_sel(a == 1.0, pio2, 0.5 * pio2 - (p - q));
    return lane_sel(inner, x + x * r, lane_copysign(outer, x));
}

static inline CdLane lane_acos(CdLane x) {
    const CdLane a = lane_fabs(x), pio2 = lane_set(1.57079632679489655800e+00);
    const CdLaneMask inner = a < 0.5;
    const CdLane z = lane_sel(inner, x * x, (1.0 - a) * 0.5), r = lane_asin_rest(z);
    const CdLane s = lane_sqrt(z), f = lane_high(s);
    const CdLane c = lane_sel(s == 0, lane_set(0.0), (z - f * f) / (s + f));
    const CdLane right = 2.0 * (f + (r * s + c));
    const CdLane left = 2.0 * (pio2 - (s + (r * s - 6.12323399573676603587e-17)));
    const CdLane middle = pio2 - (x - (6.12323399573676603587e-17 - x * r));
    return lane_sel(inner, middle, lane_sel(x < 0, left, right));
}

// sinh, cosh, tanh

static inline CdLane lane_sinh(CdLane x) {
    const CdLane a = lane_fabs(x), t = lane_expm1(lane_fmin(a, lane_set(30.0)));
    const CdLane near = lane_sel(a < 1.0, 2.0 * t - t * t / (t + 1.0), t + t / (t + 1.0));
    const CdLane half = lane_exp(0.5 * a), far = 0.5 * half * half;
    const CdLane v = lane_sel(a < 22.0, 0.5 * near, lane_sel(a < 700.0, 0.5 * lane_exp(a), far));
    return lane_copysign(v, x);
}

static inline CdLane lane_cosh(CdLane x) {
    const CdLane a = lane_fabs(x), t = lane_expm1(lane_fmin(a, lane_set(1.0))), e = lane_exp(a);
    const CdLane near = 1.0 + t * t / (2.0 * (1.0 + t)), middle = 0.5 * e + 0.5 / e;
    const CdLane half = lane_exp(0.5 * a), far = 0.5 * half * half;
    return lane_sel(a < 0.34, near, lane_sel(a < 22.0, middle, lane_sel(a < 700.0, 0.5 * e, far)));
}

static inline CdLane lane_tanh(CdLane x) {
    const CdLane a = lane_fmin(lane_fabs(x), lane_set(22.0));
    const CdLane t = lane_expm1(2.0 * a);
    const CdLanePair d = lane_two_sum(t, lane_set(2.0)); // t/(t + 2), rounded once
    const CdLane q = t / d.hi;
    const CdLanePair back = lane_two_product(q, d.hi);
    const CdLane near = q + (((t - back.hi) - back.lo) - q * d.lo) / d.hi;
    const CdLane v = lane_sel(a < 1.0, near, 1.0 - 2.0 / (t + 2.0));
    return lane_sel(x != x, x, lane_copysign(v, x));
}

// pow, hypot

// log of a positive number to about 100 bits: 2 (s + s^3/3 + ...), s = (m - 1)/(m + 1)
static inline CdLanePair lane_log_pair(CdLane x) {
    CdLane k;
    const CdLane m = lane_split(x, &k), f = m - 1.0;
    const CdLanePair g = lane_two_sum(m, lane_set(1.0));
    const CdLane s = f / g.hi;
    const CdLanePair back = lane_two_product(s, g.hi);
    const CdLane sl = (((f - back.hi) - back.lo) - s * g.lo) / g.hi;
    CdLanePair z = lane_two_product(s, s);
    z.lo += 2.0 * s * sl;
    const CdLane w = z.hi;
    const CdLane p =
        0.4 + w * (2.857142857142857e-01 +
                   w * (2.222222222222222e-01 +
                        w * (1.818181818181818e-01 +
                             w * (1.538461538461538e-01 +
                                  w * (1.333333333333333e-01 +
                                       w * (1.176470588235294e-01 +
                                            w * (1.052631578947368e-01 +
                                                 w * (9.523809523809523e-02 +
                                                      w * (8.695652173913043e-02 +
                                                           w * (0.08 +
                                                                w * 7.407407407407407e-02))))))))));
    // 2/3 + z p, then 2 + z (...), then times s
    CdLanePair c = lane_two_product(z.hi, p);
    c.lo += z.lo * p;
    CdLanePair d = lane_two_sum(lane_set(6.66666666666666629659e-01), c.hi);
    d.lo += c.lo + 3.70074341541718826e-17;
    CdLanePair e = lane_two_product(z.hi, d.hi);
    e.lo += z.hi * d.lo + z.lo * d.hi;
    CdLanePair h = lane_two_sum(lane_set(2.0), e.hi);
    h.lo += e.lo;
    CdLanePair v = lane_two_product(s, h.hi);
    v.lo += s * h.lo + sl * h.hi;
    const CdLanePair big = lane_two_sum(k * 6.93147180369123816490e-01, v.hi);
    const CdLane low = k * 1.90821492927058770002e-10;
    const CdLanePair all = lane_two_sum(big.hi, low);
    return (CdLanePair){all.hi, all.lo + (big.lo + v.lo)};
}

static inline CdLane lane_pow(CdLane x, CdLane y) {
    const CdLane a = lane_fabs(x), cut = lane_fmin(lane_fmax(y, lane_set(-1e300)), lane_set(1e300));
    const CdLanePair l = lane_log_pair(
        lane_fmin(lane_fmax(a, lane_set(0x1p-1074)), lane_set(0x1.fffffffffffffp1023)));
    CdLanePair p = lane_two_product(l.hi, cut);
    p.lo += l.lo * cut;
    const CdLane hi = p.hi + p.lo, lo = (p.hi - hi) + p.lo;
    CdLane v = lane_exp(hi);
    v = lane_sel(lane_fabs(hi) < 709.0, v + v * lo, v);
    // an integer exponent of a negative number; zero
    const CdLaneMask small = lane_fabs(y) < 0x1p51;
    const CdLane n = lane_sel(small, lane_round(y), y);
    const CdLaneMask odd = small & ((lane_integer(lane_sel(small, n, lane_set(0.0))) & 1) != 0);
    v = lane_sel(a == 0, lane_sel(y < 0, lane_set(INFINITY), lane_set(0.0)), v);
    v = lane_sel(a == INFINITY, lane_sel(y < 0, lane_set(0.0), lane_set(INFINITY)), v);
    v = lane_sel((lane_bits(x) < 0) & odd & (n == y), -v, v);
    v = lane_sel((x < 0) & (n != y) & (a != INFINITY), lane_set(NAN), v);
    v = lane_sel((x != x) | (y != y), lane_set(NAN), v);
    return lane_sel((y == 0) | (x == 1.0), lane_set(1.0), v);
}

static inline CdLane lane_hypot(CdLane x, CdLane y) {
    const CdLane a = lane_fmax(lane_fabs(x), lane_fabs(y)),
                 b = lane_fmin(lane_fabs(x), lane_fabs(y));
    const CdLane up = lane_sel(a < 0x1p-500, lane_set(0x1p600), lane_set(1.0));
    const CdLane scale = lane_sel(a > 0x1p500, lane_set(0x1p-600), up);
    const CdLane u = a * scale, w = b * scale;
    const CdLane v = lane_sqrt(u * u + w * w) / scale;
    const CdLane number = lane_sel((x != x) | (y != y), lane_set(NAN), v);
    return lane_sel(a == INFINITY, a, number);
}

#endif
