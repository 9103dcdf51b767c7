#!/usr/bin/env python3
"""tool.py - adc as a program: messages, determinism, re-application to its own output

usage: tool.py messages ADC CASES WORKDIR     wrong kernels give exactly the documented messages
       tool.py output ADC KERNELS WORKDIR     two runs write the same bytes; --help; missing files
       tool.py again ADC CC KERNELS WORKDIR   what adc writes is a kernel: derive it once more
"""
import os
import subprocess
import sys


def run(command, cwd=None):
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=120)


def read_cases(path):
    """== name, source, -- messages, lines"""
    for block in open(path).read().split("== ")[1:]:
        name, rest = block.split("\n", 1)
        source, messages = rest.split("-- messages\n")
        yield name, source, [line for line in messages.splitlines() if line]


def messages(adc, cases, work):
    failed = count = 0
    for name, source, want in read_cases(cases):
        with open(os.path.join(work, name + ".c"), "w") as f:
            f.write(source)
        done = run([adc, "-o", name + ".adc.h", name + ".c"], work)
        got = [line for line in done.stderr.splitlines() if line.startswith(name + ".c:")]
        count += 1
        # file:line:col, a caret below every message, no output and exit code 1
        carets = sum(line.strip() == "^" for line in done.stderr.splitlines())
        fine = got == want and want and done.returncode == 1
        fine = fine and (carets == len(got) or name == "no_directive")
        fine = fine and not os.path.exists(os.path.join(work, name + ".adc.h"))
        if not fine:
            failed += 1
            print(f"{name}: exit code {done.returncode}, got\n{done.stderr}expected")
            print("\n".join(want))
    print(f"{count} wrong kernels, {failed} failed")
    return failed


def output(adc, kernels, work):
    failed = 0
    names = sorted(n for n in os.listdir(kernels) if n.endswith(".c"))
    for name in names:
        texts = []
        for turn in range(2):
            out = os.path.join(work, f"{turn}.h")
            done = run([adc, "-o", out, "-MF", out + ".d", os.path.join(kernels, name)])
            if done.returncode:
                print(done.stderr)
                return 1
            texts.append(open(out, "rb").read())
        if texts[0] != texts[1]:
            failed += 1
            print(f"{name}: two runs differ")
        if name not in open(out + ".d").read():
            failed += 1
            print(f"{name}: not in its depfile")
    help_text = run([adc, "--help"])
    failed += help_text.returncode != 0 or "usage: adc" not in help_text.stdout
    for wrong in ([adc], [adc, "nothing.c"], [adc, "--wrong"], [adc, "-o"], [adc, "a.c", "b.c"],
                  [adc, "-o", "/nowhere/x.h", os.path.join(kernels, names[0])]):
        done = run(wrong)
        if done.returncode != 2 or not done.stderr.startswith("adc: "):
            failed += 1
            print(f"{wrong}: exit code {done.returncode}, {done.stderr}")
    print(f"{len(names)} kernels, {failed} failed")
    return failed


AGAIN = """#include <stdio.h>
#include <stdlib.h>
#include "revolute.c"
// kernel
// adc: jac = jacobian(w; pa, ta, pb, tb)
static void again(const Revolute *p, const double pa[3], const double qa[4], const double ta[3],
                  const double pb[3], const double qb[4], const double tb[3], const double l[5],
                  double w[12]) {
    double c[5], G[60];
    revolute_jac(p, pa, qa, ta, pb, qb, tb, c, G);
    for (int j = 0; j < 12; j++) {
        w[j] = 0;
        for (int i = 0; i < 5; i++) w[j] += G[12*i + j]*l[i];
    }
}
// end kernel
#include "again.adc.h"

int main(void) {
    double x[40], w1[12], w2[12], k1[144], k2[144], worst = 0;
    for (int n = 0; n < 200; n++) {
        const double size = n % 3 ? 1 : 0.01;
        for (int i = 0; i < 40; i++) x[i] = 2*size*rand()/RAND_MAX - size;
        const Revolute p = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]},
                            {x[9], x[10], x[11]}, {x[12], x[13], x[14]}};
        again_jac(&p, x + 15, x + 18, x + 22, x + 25, x + 28, x + 32, x + 35, w1, k1);
        revolute_react_jac(&p, x + 15, x + 18, x + 22, x + 25, x + 28, x + 32, x + 35, w2, k2);
        for (int i = 0; i < 12; i++) worst = fmax(worst, fabs(w1[i] - w2[i]));
        for (int i = 0; i < 144; i++) worst = fmax(worst, fabs(k1[i] - k2[i]));
    }
    printf("derivative of the generated Jacobian: differs by %.1e\\n", worst);
    return !(worst < 1e-13);
}
"""


ODD = """#include <math.h>
#include <stdio.h>
#include <string.h>
typedef struct Curve Curve; // its members are elsewhere
typedef struct Part {
    double size;
    const Curve *curve[2];
} Part;
typedef struct Whole {
    Part part[2];
} Whole;
struct Curve {
    double bend;
};
extern double w_1(const Curve *c, double t);
extern double slope(const Curve *c, double t);
double w_1(const Curve *c, double t) { return c->bend*t*t; }
double slope(const Curve *c, double t) { return 2*c->bend*t; }

// kernel
// adc: partials(slope)
extern double w_1(const Curve *c, double t);
extern double slope(const Curve *c, double t);

static double bent(const Part *q, int i, double t) {
    return q->size*w_1(q->curve[i], t);
}

// adc: jac = jacobian(y; h, k, l)
// adc: lanes(jac)
static void odd(const Whole *p, double h, double k, const double l[3], double y[2]) {
    double w = bent(&p->part[1], 0, k*l[1]);
    for (int i = 0; i < 3; i++) {
        if (i > 0 && l[i - 1] > 0) w += l[i - 1]*sin(h*w);
    }
    y[0] = w*w;
    y[1] = w + 1e220*(3.8725919148493183e-121*(1e-300*(1e200*h))); // 2^-400: not one constant
    DEEP
}
// end kernel
#include "odd.adc.h"

int main(void) {
    const Curve a = {0.5}, b = {-0.7};
    const Whole p = {{{2, {&a, &b}}, {3, {&b, &a}}}};
    double x[5] = {0.3, 0.8, 0.4, -0.6, 0.9}, y[2], z[2], jac[10], worst = 0;
    odd(&p, x[0], x[1], x + 2, y);
    odd_jac(&p, x[0], x[1], x + 2, z, jac);
    if (memcmp(y, z, sizeof y) != 0) worst = 1;
    for (int i = 0; i < 5; i++) {
        const double at = x[i], step = 1e-5;
        x[i] = at + step;
        odd(&p, x[0], x[1], x + 2, y);
        x[i] = at - step;
        odd(&p, x[0], x[1], x + 2, z);
        x[i] = at;
        for (int j = 0; j < 2; j++) {
            worst = fmax(worst, fabs((y[j] - z[j])/(2*step) - jac[5*j + i]));
        }
    }
    printf("odd names, pointers and 60 nested branches: differs by %.1e\\n", worst);
    return !(worst < 1e-8);
}
"""
DEEP = ("".join(f"if (h > 0.001*{i}) {{ y[1] += k*l[2];\n" for i in range(60)) +
        "".join("} else {\n y[1] *= h; }\n" for i in range(60)))


def again(adc, cc, kernels, work):
    with open(os.path.join(work, "odd.c"), "w") as f:
        f.write(ODD.replace("DEEP", DEEP))
    odd, src = os.path.join(work, "odd"), os.path.join(kernels, "../../../src")
    with open(os.path.join(work, "again.c"), "w") as f:
        f.write(AGAIN)
    search = ["-I", kernels, "-I", work]
    source = os.path.join(kernels, "revolute.c")
    for command in ([adc, "-o", os.path.join(work, "revolute.adc.h"), source],
                    # the generated header is read as any kernel header
                    [adc, *search, "-o", os.path.join(work, "again.adc.h"),
                     os.path.join(work, "again.c")],
                    [cc, "-std=c17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror",
                     "-Wno-unused-function", *search, os.path.join(work, "again.c"), "-o",
                     os.path.join(work, "again"), "-lm"],
                    [os.path.join(work, "again")],
                    [adc, "-o", odd + ".adc.h", odd + ".c"],
                    [cc, "-std=c17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic",
                     "-Wshadow", "-Werror", odd + ".c", "-o", odd, "-lm"],
                    [odd],
                    [cc, "-std=c17", "-O1", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-DCD_LANES",
                     "-Wno-unused-function", "-Wno-psabi", "-I", src, "-c", odd + ".c", "-o",
                     odd + ".o"]):
        done = run(command)
        print(done.stdout + done.stderr, end="")
        if done.returncode:
            return 1
    return 0


def main():
    verb, args = sys.argv[1], sys.argv[2:]
    os.makedirs(args[-1], exist_ok=True)
    sys.exit({"messages": messages, "output": output, "again": again}[verb](*args) != 0)


if __name__ == "__main__":
    main()
