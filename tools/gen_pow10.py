#!/usr/bin/env python3
# gen_pow10.py - writes src/base/pow10.inc, the powers of ten that number.c multiplies with
"""usage: gen_pow10.py [--check]

A row holds the leading 128 bits of 10^k, cut off: floor(10^k * 2^-r) with r such that the top bit is
set. With --check nothing is written and the exit code says whether the committed file is current.
"""

import pathlib
import sys

K_MIN = -342  # below it even 2^64 * 10^k is less than half the smallest double
K_MAX = 324  # the largest power that printing the smallest double needs
ROW_POWERS = 2
TARGET = pathlib.Path(__file__).resolve().parent.parent / "src" / "base" / "pow10.inc"


def leading_bits(k):
    """the first 128 bits of 10^k as an integer"""
    if k >= 0:
        power = 10**k
        shift = power.bit_length() - 128
        return power >> shift if shift >= 0 else power << -shift
    power = 10**-k
    # 2^(bits+127) / 10^-k has 128 bits because 10^-k is no power of two
    return (1 << (power.bit_length() + 127)) // power


def entry(k):
    bits = leading_bits(k)
    assert bits >> 127 == 1
    return "{0x%016xu, 0x%016xu}" % (bits >> 64, bits & (2**64 - 1))


def table():
    lines = [
        "// pow10.inc - leading 128 bits of 10^k for k = %d..%d, high half first" % (K_MIN, K_MAX),
        "// written by tools/gen_pow10.py",
    ]
    for k in range(K_MIN, K_MAX + 1, ROW_POWERS):
        row = [entry(i) for i in range(k, min(k + ROW_POWERS, K_MAX + 1))]
        lines.append(", ".join(row) + ",")
    return "\n".join(lines) + "\n"


def main():
    text = table()
    if sys.argv[1:] == ["--check"]:
        current = TARGET.exists() and TARGET.read_text() == text
        if not current:
            print("src/base/pow10.inc is stale; run python3 tools/gen_pow10.py", file=sys.stderr)
        return 0 if current else 1
    if sys.argv[1:]:
        print(__doc__.strip().splitlines()[0], file=sys.stderr)
        return 2
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
