#!/usr/bin/env python3
"""alignment.py - no aligned vector access of generated code on a stack address that is not aligned

gcc 12.2 -O3 -fno-tree-slp-vectorize for AVX-512 with generic tuning (that is -march=native on a
processor it does not know by name) crashed on the prototype's beam: a loop over rows of 12
doubles was cut into one 512-bit access, correctly unaligned, and a 256-bit rest whose load it
took for aligned although the array begins 16 bytes beside a multiple of 32. The error is the
compiler's; the processor here may lack AVX-512, so the assembly is read instead: stack addresses
are followed through lea, mov and add.

usage: alignment.py CC SOURCE FLAGS...     compile and check
       alignment.py --self-test            the crash as it was must be found
"""
import re
import subprocess
import sys

WIDTH = {"y": 32, "z": 64}
# the end of the loop of beam_e (prototype), as gcc 12.2 wrote it
CRASH = """beam_e:
	leaq	8(%rsp), %r10
	andq	$-64, %rsp
	pushq	-8(%r10)
	pushq	%rbp
	movq	%rsp, %rbp
	leaq	-27808(%rbp), %rsi
.L41:
	addq	$96, %rsi
	vmovupd	-96(%rsi), %zmm5
	vmovapd	-32(%rsi), %ymm5
"""


class State:
    """what is known of the registers: value modulo the alignment of the frame"""

    def __init__(self):
        self.align, self.reg = 16, {"rsp": 8}

    def line(self, text):
        """an error, or None"""
        m = re.match(r"\s+(vmovap[sd]|vmovdqa\d*|vmovntp[sd])\s+(.*)$", text)
        if m:
            a = re.search(r"(-?\d*)\(%(r\w+)\)", m.group(2))
            v = re.search(r"%([yz])mm", m.group(2))
            if a and v and a.group(2) in self.reg:
                at = self.reg[a.group(2)] + int(a.group(1) or 0)
                width = WIDTH[v.group(1)]
                if at % min(width, self.align) or (self.align < width):
                    return f"{text.strip()}: {at % width} bytes beside a multiple of {width}"
            return None
        self.move(text.strip())
        return None

    def move(self, t):
        known = self.reg
        if m := re.match(r"andq\s+\$-(\d+), %rsp$", t):
            self.align = int(m.group(1))
            known.clear()
            known["rsp"] = 0
        elif re.match(r"pushq\s", t):
            self.shift("rsp", -8)
        elif m := re.match(r"popq\s+%(\w+)$", t):
            self.shift("rsp", 8)
            known.pop(m.group(1), None)
        elif m := re.match(r"(add|sub)q\s+\$(-?\d+), %(\w+)$", t):
            self.shift(m.group(3), int(m.group(2)) * (1 if m.group(1) == "add" else -1))
        elif m := re.match(r"leaq\s+(-?\d*)\(%(\w+)\), %(\w+)$", t):
            self.set(m.group(3), m.group(2), int(m.group(1) or 0))
        elif m := re.match(r"movq\s+%(\w+), %(\w+)$", t):
            self.set(m.group(2), m.group(1), 0)
        elif m := re.search(r"%(r\w+)$", t):
            if not re.match(r"(cmp|test|j|push|call)", t):
                known.pop(m.group(1), None)

    def shift(self, reg, by):
        if reg in self.reg:
            self.reg[reg] += by

    def set(self, to, source, offset):
        if source in self.reg:
            self.reg[to] = self.reg[source] + offset
        else:
            self.reg.pop(to, None)


def check(assembly):
    errors, accesses, name, state = [], 0, "", State()
    for text in assembly.splitlines():
        if m := re.match(r"([A-Za-z_][\w.]*):", text):
            name, state = m.group(1), State()
        accesses += bool(re.search(r"vmov[au]p.*%[yz]mm", text))
        error = state.line(text)
        if error:
            errors.append(f"{name}: {error}")
    return errors, accesses


def main():
    if sys.argv[1] == "--self-test":
        errors, _ = check(CRASH)
        print("\n".join(errors))
        sys.exit(len(errors) != 1)
    cc, source, flags = sys.argv[1], sys.argv[2], sys.argv[3:]
    done = subprocess.run([cc, "-std=c17", "-S", "-o", "-", *flags, source], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(done.stderr)
    errors, accesses = check(done.stdout)
    print("\n".join(errors[:20]))
    print(f"{' '.join(f for f in flags if not f.startswith('-I'))}: {accesses} vector accesses, "
          f"{len(errors)} not aligned")
    sys.exit(bool(errors) or accesses == 0)


if __name__ == "__main__":
    main()
