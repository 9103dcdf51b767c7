// number.c - doubles to text and back: exact, shortest, and the same in every locale
//
// Writing is Schubfach: of all decimals in the rounding interval of x, scaled by 10^-k so that the
// interval is between 1 and 10 wide, either a multiple of ten or one of two neighbours is the
// shortest and closest. R. Giulietti, "The Schubfach way to render doubles", 2020.
//
// Reading multiplies up to 19 digits by a 128-bit power of ten and rounds when the error bound
// allows: W. D. Clinger, "How to read floating point numbers accurately", 1990; D. Lemire, "Number
// parsing at a gigabyte per second", 2021. What is left is compared with the midpoint of two
// doubles in integers.
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "the exact products below need plain doubles");
_Static_assert(sizeof(double) == 8 && DBL_MANT_DIG == 53, "IEEE 754 binary64 is assumed");

__extension__ typedef unsigned __int128 Wide;

// 10^k = (hi 2^64 + lo + fraction) 2^r, top bit of hi set; fraction = 0 for exact rows
typedef struct Power {
    uint64_t hi, lo;
} Power;

#define POW10_MIN (-342)
#define POW10_MAX 324
#define POW10_EXACT_MAX 55 // 5^55 < 2^128

static const Power pow10_table[] = {
#include "base/pow10.inc"
};
_Static_assert(sizeof pow10_table / sizeof *pow10_table == POW10_MAX - POW10_MIN + 1, "all powers");

#define FRACTION_BITS 52
#define FRACTION_MASK (((uint64_t)1 << FRACTION_BITS) - 1)
#define EXPONENT_MASK 0x7ff
#define UNIT_MIN (-1074) // exponent of the smallest double
#define EXPONENT_MAX 1023

static bool power_is_exact(int k) {
    return k >= 0 && k <= POW10_EXACT_MAX;
}

// floor(log2(10^k)), right for |k| < 1233
static int log2_pow10(int k) {
    return (k * 1741647) >> 19;
}

// floor(log10(2^e)), or of 3/4 2^e; right for |e| < 1500
static int log10_pow2(int e, bool three_quarters) {
    return (e * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

// a positive decimal digits 10^exponent
typedef struct Decimal {
    uint64_t digits;
    int exponent;
} Decimal;

// floor(g c / 2^128) with the last bit set if anything was cut off: keeps comparisons right
static uint64_t scale_to_odd(Power g, uint64_t c) {
    Wide low = (Wide)g.lo * c;
    Wide high = (Wide)g.hi * c + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

// 10^k rounded up
static Power power_above(int k) {
    Power g = pow10_table[k - POW10_MIN];
    if (!power_is_exact(k) && ++g.lo == 0) g.hi++;
    return g;
}

// shortest decimal in the rounding interval of c 2^q; lower_near: the double below is half as far
static Decimal shortest(uint64_t c, int q, bool lower_near) {
    int k = log10_pow2(q, lower_near);
    int h = q + log2_pow10(-k) + 1;
    Power g = power_above(-k);

    // four times the value and the ends of its interval, in units of 10^k
    uint64_t odd = c & 1; // ties go to even: the ends belong to an even c only
    uint64_t lower = scale_to_odd(g, (4 * c - 2 + lower_near) << h) + odd;
    uint64_t value = scale_to_odd(g, (4 * c) << h);
    uint64_t upper = scale_to_odd(g, (4 * c + 2) << h) - odd;

    // one digit less: at most one multiple of ten lies inside
    uint64_t s = value / 4, tens = s / 10;
    if (tens > 0) {
        bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
        if (below != above) return (Decimal){tens + above, k + 1};
    }

    // the neighbour that is inside, or the closer one of two
    bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    bool closer_above = value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1));
    return (Decimal){s + (below != above ? above : closer_above), k};
}

static Decimal to_decimal(uint64_t bits) {
    uint64_t fraction = bits & FRACTION_MASK;
    int biased = (int)(bits >> FRACTION_BITS) & EXPONENT_MASK;
    uint64_t c = biased ? fraction | (FRACTION_MASK + 1) : fraction;
    int q = UNIT_MIN + (biased ? biased - 1 : 0);

    // integers below 2^53 are their own shortest decimal
    bool integer = q <= 0 && q > -DBL_MANT_DIG && (c & (((uint64_t)1 << -q) - 1)) == 0;
    Decimal d = integer ? (Decimal){c >> -q, 0} : shortest(c, q, fraction == 0 && biased > 1);
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

#define DIGITS 20 // of any 64-bit integer

// digits of x > 0, two by two from the end
static int print_digits(uint64_t x, char buf[DIGITS]) {
    char digits[DIGITS];
    int at = DIGITS;
    for (; x >= 10; x /= 100) {
        unsigned pair = (unsigned)(x % 100);
        digits[--at] = (char)('0' + pair % 10);
        digits[--at] = (char)('0' + pair / 10);
    }
    if (x > 0) digits[--at] = (char)('0' + x);
    memcpy(buf, digits + at, (size_t)(DIGITS - at));
    return DIGITS - at;
}

static char *put(char *out, const char *s, int n) {
    memcpy(out, s, (size_t)n);
    return out + n;
}

static char *put_zeros(char *out, int n) {
    memset(out, '0', (size_t)n);
    return out + n;
}

// decimal notation for 1e-5 <= x < 1e17, else d.ddde+-x
#define POINT_MIN (-4)
#define POINT_MAX 17

static char *put_plain(char *out, const char *digits, int n, int point) {
    if (point <= 0) {
        out = put(out, "0.", 2);
        out = put_zeros(out, -point);
        return put(out, digits, n);
    }
    if (point >= n) {
        out = put(out, digits, n);
        return put_zeros(out, point - n);
    }
    out = put(out, digits, point);
    *out++ = '.';
    return put(out, digits + point, n - point);
}

static char *put_scientific(char *out, const char *digits, int n, int point) {
    *out++ = digits[0];
    if (n > 1) *out++ = '.';
    out = put(out, digits + 1, n - 1);
    *out++ = 'e';
    int exponent = point - 1;
    if (exponent < 0) *out++ = '-';
    char text[DIGITS];
    return put(out, text, print_digits((uint64_t)(exponent < 0 ? -exponent : exponent), text));
}

size_t cdi_number_write(double x, char buf[CD_NUMBER_MAX]) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    char *out = buf;
    if (isnan(x)) {
        out = put(out, "nan", 3);
    } else {
        if (signbit(x)) *out++ = '-';
        if (isinf(x)) {
            out = put(out, "inf", 3);
        } else if (x == 0) {
            out = signbit(x) ? put(out, "0.0", 3) : put(out, "0", 1);
        } else {
            Decimal d = to_decimal(bits);
            char digits[DIGITS];
            int n = print_digits(d.digits, digits), point = n + d.exponent;
            bool plain = point >= POINT_MIN && point <= POINT_MAX;
            out = (plain ? put_plain : put_scientific)(out, digits, n, point);
        }
    }
    *out = '\0';
    return (size_t)(out - buf);
}

// a number as it stands in the text: head 10^exponent, plus what was cut off after 19 digits
typedef struct Literal {
    bool negative, cut;
    uint64_t head;
    int64_t exponent;
    const char *digits, *digits_end; // digits and perhaps a point
} Literal;

#define HEAD_DIGITS 19
#define EXPONENT_CAP ((int64_t)1 << 50) // beyond any length of digits

static bool is_digit(const char *p, const char *end) {
    return p < end && *p >= '0' && *p <= '9';
}

// add the digits at p to the head; those that find no room there count in the exponent only
static const char *take_digits(Literal *l, int *count, const char *p, const char *end,
                               bool fraction) {
    const char *begin = p;
    for (; *count < HEAD_DIGITS && is_digit(p, end); p++) {
        l->head = 10 * l->head + (uint64_t)(*p - '0');
        *count += l->head != 0;
    }
    if (fraction) l->exponent -= p - begin;
    begin = p;
    for (; is_digit(p, end); p++) l->cut |= *p != '0';
    if (!fraction) l->exponent += p - begin;
    return p;
}

// e[+-]digits; p itself if it is not complete
static const char *take_exponent(Literal *l, const char *p, const char *end) {
    if (p == end || (*p != 'e' && *p != 'E')) return p;
    const char *q = p + 1;
    bool negative = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+')) q++;
    if (!is_digit(q, end)) return p;
    int64_t e = 0;
    for (; is_digit(q, end); q++) {
        if (e < EXPONENT_CAP) e = 10 * e + (*q - '0');
    }
    l->exponent += negative ? -e : e;
    return q;
}

// end of the number at p; p itself if there is none
static const char *scan(Literal *l, const char *p, const char *end) {
    const char *begin = p;
    int count = 0;
    l->negative = p < end && *p == '-';
    if (l->negative) p++;
    if (!is_digit(p, end)) return begin;
    l->digits = p;
    p = *p == '0' ? p + 1 : take_digits(l, &count, p, end, false);
    if (p < end && *p == '.' && is_digit(p + 1, end)) p = take_digits(l, &count, p + 1, end, true);
    l->digits_end = p;
    return take_exponent(l, p, end);
}

// big natural numbers, least limb first
#define LIMBS 48
typedef struct Big {
    uint64_t v[LIMBS];
    int n;
} Big;

static void big_multiply_add(Big *b, uint64_t factor, uint64_t add) {
    Wide carry = add;
    for (int i = 0; i < b->n; i++) {
        carry += (Wide)b->v[i] * factor;
        b->v[i] = (uint64_t)carry;
        carry >>= 64;
    }
    if (carry) b->v[b->n++] = (uint64_t)carry;
}

static void big_multiply_pow5(Big *b, int64_t k) {
    const uint64_t five27 = 7450580596923828125u; // the largest power of five in a limb
    for (; k >= 27; k -= 27) big_multiply_add(b, five27, 0);
    for (; k > 0; k--) big_multiply_add(b, 5, 0);
}

static void big_shift(Big *b, int64_t k) {
    for (; k >= 32; k -= 32) big_multiply_add(b, (uint64_t)1 << 32, 0);
    big_multiply_add(b, (uint64_t)1 << k, 0);
}

static int big_compare(const Big *a, const Big *b) {
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--) {
        if (a->v[i] != b->v[i]) return a->v[i] < b->v[i] ? -1 : 1;
    }
    return 0;
}

// no midpoint of two doubles has more significant digits
#define DIGITS_MAX 768

// all digits of the number, then a 1 for the rest that is cut off; returns how many were taken
static int64_t big_from_digits(Big *b, const Literal *l) {
    int64_t taken = 0;
    bool rest = false;
    for (const char *p = l->digits; p < l->digits_end; p++) {
        if (*p == '.' || (taken == 0 && *p == '0')) continue;
        if (taken < DIGITS_MAX) {
            big_multiply_add(b, 10, (uint64_t)(*p - '0'));
            taken++;
        } else {
            rest |= *p != '0';
        }
    }
    if (!rest) return taken;
    big_multiply_add(b, 10, 1);
    return taken + 1;
}

// sign of the number minus the midpoint (2 m + 1) 2^(unit - 1)
static int compare_midpoint(const Literal *l, uint64_t m, int unit) {
    Big number = {.n = 0}, midpoint = {.v = {2 * m + 1}, .n = 1};
    int64_t taken = big_from_digits(&number, l);
    int64_t head_digits = 0;
    for (uint64_t x = l->head; x > 0; x /= 10) head_digits++;

    // number 10^e against midpoint 2^(unit - 1): move the powers to the side where they multiply
    int64_t e = l->exponent + head_digits - taken;
    int64_t shift = e - (unit - 1);
    big_multiply_pow5(e > 0 ? &number : &midpoint, e > 0 ? e : -e);
    big_shift(shift > 0 ? &number : &midpoint, shift > 0 ? shift : -shift);
    return big_compare(&number, &midpoint);
}

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// does |x| round up from m 2^unit? It lies in m 2^unit + [rest, rest + error) units of 2^-shift
static bool rounds_up(const Literal *l, uint64_t m, int unit, Wide rest, Wide error, Wide half) {
    if (rest > half) return true;
    if (rest + error <= half) return false;
    int order = compare_midpoint(l, m, unit);
    return order > 0 || (order == 0 && (m & 1));
}

// |x| from a nonzero head by a product of 64 and 128 bits
static double from_product(const Literal *l) {
    if (l->exponent < POW10_MIN) return 0;
    if (l->exponent > DBL_MAX_10_EXP) return INFINITY;
    int k = (int)l->exponent, lead = __builtin_clzll(l->head);
    Power g = pow10_table[k - POW10_MIN];
    uint64_t w = l->head << lead;
    Wide low = (Wide)w * g.lo;
    Wide product = (Wide)w * g.hi + (uint64_t)(low >> 64);

    // x in 2^base [product, product + error): cut off products, powers and digits
    int base = log2_pow10(k) - 63 - lead;
    Wide error = power_is_exact(k) ? 1 : 2;
    if (l->cut) error += (((Wide)g.hi + 1) << lead) + 1;

    // keep 53 bits, or less near zero
    int exponent = base + ((product >> 127) ? 127 : 126);
    if (exponent > EXPONENT_MAX) return INFINITY;
    int unit = exponent - FRACTION_BITS > UNIT_MIN ? exponent - FRACTION_BITS : UNIT_MIN;
    int shift = unit - base;
    if (shift > 128) return 0;
    uint64_t m = shift < 128 ? (uint64_t)(product >> shift) : 0;
    Wide half = (Wide)1 << (shift - 1), rest = product & (2 * half - 1);

    // a carry out of the mantissa goes into the exponent, as it should
    bool up = rounds_up(l, m, unit, rest, error, half);
    return from_bits(((uint64_t)(unit - UNIT_MIN) << FRACTION_BITS) + m + up);
}

static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
#define EXACT_POWER_MAX 22
#define EXACT_HEAD_MAX ((uint64_t)1 << DBL_MANT_DIG)

static double magnitude(const Literal *l) {
    if (l->head == 0) return 0;
    bool exact = l->head <= EXACT_HEAD_MAX && !l->cut;
    if (exact && l->exponent >= 0 && l->exponent <= EXACT_POWER_MAX)
        return (double)l->head * exact_powers[l->exponent];
    if (exact && l->exponent < 0 && l->exponent >= -EXACT_POWER_MAX)
        return (double)l->head / exact_powers[-l->exponent];
    return from_product(l);
}

size_t cdi_number_read(const char *text, size_t n, double *x) {
    Literal l = {0};
    const char *end = scan(&l, text, text + n);
    if (end == text) return 0;
    double size = magnitude(&l);
    *x = l.negative ? -size : size;
    return (size_t)(end - text);
}
