#!/usr/bin/env python3
"""random_programs.py - kernels made at random: what adc derives from them agrees with dual numbers

A generator builds programs in the subset (helpers, loops, branches, structs, tables, all
operators and functions). Each is written as C and given to adc and the compiler; and it is
evaluated here, by an interpreter of its tree over dual numbers that shares nothing with adc.
Jacobians, J^T lambda and the derivative of J^T lambda are compared, at points on both sides of
branches, and the Jacobian once more with central differences of the compiled kernel.

usage: random_programs.py ADC CC COUNT SEED WORKDIR [FLAGS...]
"""
import math
import multiprocessing
import os
import random
import subprocess
import sys

NX, NY, POINTS, BATCH = 4, 3, 3, 50
QUIET = ("-Wpragmas", "-Wunknown-warning-option", "-Wunused-variable", "-Wunused-but-set-variable",
         "-Wabsolute-value", "-Wunused-parameter", "-Wtautological-compare", "-Wself-assign",
         "-Wlogical-not-parentheses", "-Wparentheses-equality", "-Wtautological-constant-compare",
         "-Wlogical-op-parentheses", "-Wparentheses")


class Dual:
    """value and derivatives; both may be duals themselves"""

    __slots__ = ("v", "d")

    def __init__(self, v, d):
        self.v, self.d = v, d


def real(x):
    while isinstance(x, Dual):
        x = x.v
    return x


def lift(f, slopes, *args):
    """f of the values, with the given partial derivatives"""
    if not any(isinstance(a, Dual) for a in args):
        return f(*args)
    n = max(len(a.d) for a in args if isinstance(a, Dual))
    values = [a.v if isinstance(a, Dual) else a for a in args]
    out = [0.0] * n
    for a, slope in zip(args, slopes):
        if isinstance(a, Dual):
            s = slope(*values)
            out = [add(o, mul(s, e)) for o, e in zip(out, a.d)]
    return Dual(apply_real(f, values), out)


def apply_real(f, values):
    nested = any(isinstance(v, Dual) for v in values)
    return FUNCTIONS[f.__name__](*values) if nested else f(*values)


def raw_add(a, b):
    return a + b


def raw_mul(a, b):
    return a * b


def raw_div(a, b):
    return a / b


def add(a, b):
    return lift(raw_add, (lambda x, y: 1.0, lambda x, y: 1.0), a, b)


def neg(a):
    return mul(-1.0, a)


def sub(a, b):
    return add(a, neg(b))


def mul(a, b):
    return lift(raw_mul, (lambda x, y: y, lambda x, y: x), a, b)


def div(a, b):
    return lift(raw_div, (lambda x, y: div(1.0, y), lambda x, y: neg(div(x, mul(y, y)))), a, b)


def unary(f, slope):
    return lambda a: lift(f, (slope,), a)


sin = unary(math.sin, lambda x: cos(x))
cos = unary(math.cos, lambda x: neg(sin(x)))
tan = unary(math.tan, lambda x: div(1.0, mul(cos(x), cos(x))))
exp = unary(math.exp, lambda x: exp(x))
log = unary(math.log, lambda x: div(1.0, x))
sqrt = unary(math.sqrt, lambda x: div(0.5, sqrt(x)))
asin = unary(math.asin, lambda x: div(1.0, sqrt(sub(1.0, mul(x, x)))))
acos = unary(math.acos, lambda x: neg(div(1.0, sqrt(sub(1.0, mul(x, x))))))
atan = unary(math.atan, lambda x: div(1.0, add(1.0, mul(x, x))))
sinh = unary(math.sinh, lambda x: cosh(x))
cosh = unary(math.cosh, lambda x: sinh(x))
tanh = unary(math.tanh, lambda x: div(1.0, mul(cosh(x), cosh(x))))


def atan2(y, x):
    r = lambda a, b: add(mul(a, a), mul(b, b))
    return lift(math.atan2, (lambda a, b: div(b, r(a, b)), lambda a, b: neg(div(a, r(a, b)))), y, x)


def power(a, b):
    return lift(
        math.pow,
        (lambda x, y: mul(y, power(x, sub(y, 1.0))), lambda x, y: mul(log(x), power(x, y))),
        a,
        b,
    )


def hypot(a, b):
    return sqrt(add(mul(a, a), mul(b, b)))


FUNCTIONS = {
    "raw_add": add, "raw_mul": mul, "raw_div": div, "sin": sin, "cos": cos, "tan": tan, "exp": exp,
    "log": log, "sqrt": sqrt, "asin": asin, "acos": acos, "atan": atan, "sinh": sinh, "cosh": cosh,
    "tanh": tanh, "atan2": atan2, "pow": power,
}


class Close(Exception):
    """a comparison is nearly a tie: no point for a derivative"""


def less(a, b):
    x, y = real(a), real(b)
    if abs(x - y) < 1e-3 * (1 + abs(x) + abs(y)):
        raise Close()
    return x < y


def key(e, name):
    """z[i] means z[2] while the counter i is 2"""
    return f"z[{e[name[2:-1]]}]" if name.startswith("z[i") else name


def num(r):
    return r.choice(["0.5", "2.0", "1.25", "-0.75", "3.0", "0.1", "1e-1", "-2.0", "1.0/3", "7.0"])


def num_value(t):
    return 1.0 / 3 if t == "1.0/3" else float(t)


class Maker:
    """builds one program: lists of (C text, how to run it)"""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.count = 0

    # an expression is (text, function of the environment)
    def leaf(self, names):
        r = self.r
        if r.random() < 0.2:
            t = num(r)
            return "(" + t + ")", lambda e, v=num_value(t): v
        n = r.choice(names)
        return n, lambda e, n=n: e[key(e, n)]

    def expr(self, names, depth):
        r = self.r
        if depth == 0 or r.random() < 0.15:
            return self.leaf(names)
        a, fa = self.expr(names, depth - 1)
        kind = r.randrange(22)
        if kind < 8:
            b, fb = self.expr(names, depth - 1)
            if kind < 3:
                return f"({a} + {b})", lambda e: add(fa(e), fb(e))
            if kind < 5:
                return f"({a} - {b})", lambda e: sub(fa(e), fb(e))
            if kind < 7:
                return f"sin({a})*{b}", lambda e: mul(sin(fa(e)), fb(e))
            return f"{a}/(1.5 + {b}*{b})", lambda e: div(fa(e), add(1.5, mul(fb(e), fb(e))))
        if kind == 8:
            return f"(-{a})", lambda e: neg(fa(e))
        if kind == 9:
            return f"sqrt(1 + {a}*{a})", lambda e: sqrt(add(1.0, mul(fa(e), fa(e))))
        if kind == 10:
            f, g = r.choice([("sin", sin), ("cos", cos), ("tanh", tanh), ("atan", atan)])
            return f"{f}({a})", lambda e: g(fa(e))
        if kind == 11:
            f, g = r.choice([("asin", asin), ("acos", acos), ("tan", tan), ("exp", exp),
                             ("sinh", sinh), ("cosh", cosh)])
            return f"{f}(0.7*sin({a}))", lambda e: g(mul(0.7, sin(fa(e))))
        if kind == 12:
            return f"log(2 + cos({a}))", lambda e: log(add(2.0, cos(fa(e))))
        b, fb = self.expr(names, depth - 1)
        if kind == 13:
            return f"pow(2 + sin({a}), cos({b}))", lambda e: power(add(2.0, sin(fa(e))), cos(fb(e)))
        if kind == 14:
            k = r.choice([2, 3, 4])
            return f"pow(sin({a}), {k})", lambda e: self.integer_power(sin(fa(e)), k)
        if kind == 15:
            return f"atan2({a}, 2 + cos({b}))", lambda e: atan2(fa(e), add(2.0, cos(fb(e))))
        if kind == 16:
            return f"hypot(1 + {a}*{a}, {b})", lambda e: hypot(add(1.0, mul(fa(e), fa(e))), fb(e))
        if kind == 17:
            return f"fabs({a})", lambda e: neg(fa(e)) if less(fa(e), 0.0) else fa(e)
        if kind == 18:
            f, swap = r.choice([("fmin", False), ("fmax", True)])
            return f"{f}({a}, {b})", lambda e: fa(e) if less(fa(e), fb(e)) != swap else fb(e)
        c, fc = self.condition(names)
        if kind == 19:
            return f"({c} ? {a} : {b})", lambda e: fa(e) if fc(e) else fb(e)
        name, call = r.choice(self.helpers) if self.helpers else (None, None)
        if name:
            return f"{name}({a}, {b})", lambda e: call(fa(e), fb(e))
        return f"({a})*({b})", lambda e: mul(fa(e), fb(e))

    @staticmethod
    def integer_power(x, k):
        y = x
        for _ in range(k - 1):
            y = mul(y, x)
        return y

    def condition(self, names):
        r = self.r
        a, fa = self.leaf(names)
        b, fb = self.leaf(names)
        op = r.choice(["<", ">", "<=", ">="])
        turn = op[0] == ">"
        one = f"{a} {op} {b}", lambda e: less(fb(e), fa(e)) if turn else less(fa(e), fb(e))
        roll = r.random()
        if roll < 0.7:
            return one
        c, fc = self.condition(names)
        if roll < 0.8:
            return f"!({c})", lambda e: not fc(e)
        if roll < 0.9:
            return f"({one[0]}) && ({c})", lambda e: one[1](e) and fc(e)
        return f"({one[0]}) || ({c})", lambda e: one[1](e) or fc(e)

    def assign(self, names, writable, indent):
        r = self.r
        n = r.choice(writable)
        t, f = self.expr(names, r.choice([1, 2, 2, 3]))
        op = r.choice(["=", "=", "+=", "-=", "*=", "/="])
        if op == "=":
            return f"{indent}{n} = {t};", lambda e: e.__setitem__(key(e, n), f(e))
        if op == "+=":
            return f"{indent}{n} += {t};", lambda e: \
                e.__setitem__(key(e, n), add(e[key(e, n)], f(e)))
        if op == "-=":
            return f"{indent}{n} -= {t};", lambda e: \
                e.__setitem__(key(e, n), sub(e[key(e, n)], f(e)))
        if op == "*=":
            return (f"{indent}{n} *= sin({t});",
                    lambda e: e.__setitem__(key(e, n), mul(e[key(e, n)], sin(f(e)))))
        return (f"{indent}{n} /= 2 + cos({t});",
                lambda e: e.__setitem__(key(e, n), div(e[key(e, n)], add(2.0, cos(f(e))))))

    def statement(self, names, writable, depth, indent):
        r = self.r
        kind = r.random()
        if depth == 0 or kind < 0.55:
            return self.assign(names, writable, indent)
        inner = indent + "    "
        if kind < 0.8:
            c, fc = self.condition(names)
            then, other = ([self.statement(names, writable, depth - 1, inner) for _ in range(n)]
                           for n in (r.randint(1, 2), r.randint(0, 2)))
            text = f"{indent}if ({c}) {{\n" + "\n".join(t for t, _ in then) + f"\n{indent}}}"
            if other:
                text += " else {\n" + "\n".join(t for t, _ in other) + f"\n{indent}}}"

            def branch(e):
                for _, f in then if fc(e) else other:
                    f(e)

            return text, branch
        self.count += 1
        i, lo, hi = f"i{self.count}", r.randint(0, 1), r.randint(1, 3)
        body = [self.statement(names + [f"z[{i}]"], writable + [f"z[{i}]"], 0, inner)
                for _ in range(r.randint(1, 2))]
        text = f"{indent}for (int {i} = {lo}; {i} < {hi}; {i}++) {{\n"
        text += "\n".join(t for t, _ in body) + f"\n{indent}}}"

        def loop(e):
            for k in range(lo, hi):
                e[i] = k
                for _, f in body:
                    f(e)

        return text, loop

    def helper(self, name):
        names = ["a", "b", "t", "z[0]", "z[1]", "z[2]"]
        body = [self.statement(names, ["t", "z[1]"], 1, "    ")
                for _ in range(self.r.randint(1, 3))]
        text = f"static double {name}(double a, double b) {{\n"
        text += "    double t = a, z[3] = {a, b, 1};\n"
        text += "\n".join(t for t, _ in body) + "\n    return t;\n}\n"

        def call(a, b):
            e = {"a": a, "b": b, "t": a, "z[0]": a, "z[1]": b, "z[2]": 1.0}
            for _, f in body:
                f(e)
            return e["t"]

        return text, call

    def program(self, name):
        r = self.r
        self.helpers = []
        text = f"typedef struct P{name} {{\n    double a, b[2];\n}} P{name};\n\n"
        for k in range(r.randint(0, 2)):
            t, call = self.helper(f"h{k}_{name}")
            self.helpers.append((f"h{k}_{name}", call))
            text += t + "\n"
        names = [f"x[{i}]" for i in range(NX)]
        names += ["p->a", "p->b[0]", "p->b[1]", "u", "w", "z[0]", "z[1]", "z[2]"]
        writable = ["u", "w", "z[0]", "z[1]", "z[2]"]
        body = [self.statement(names, writable, 2, "    ") for _ in range(r.randint(3, 8))]
        outs = [self.expr(names, 2) for _ in range(NY)]
        text += f"// adc: jac = jacobian(y; x)\n// adc: grad = transpose(y; x)\n"
        text += f"// adc: hess = jacobian(grad; x)\n// adc: par = jacobian(y; p->b)\n"
        text += f"// adc: vel = along(y; x)\n// adc: acc = along(vel; x)\n"
        text += f"static void k{name}(const P{name} *p, const double x[{NX}], double y[{NY}]) {{\n"
        text += "    double u = x[0], w = 0.5, z[3] = {x[1], x[2]*x[3], 1};\n"
        text += "\n".join(t for t, _ in body) + "\n"
        for i, (t, _) in enumerate(outs):
            text += f"    y[{i}] = {t};\n"
        text += "}\n"

        def run(x, p):
            e = {f"x[{i}]": x[i] for i in range(NX)}
            e.update({"p->a": p[0], "p->b[0]": p[1], "p->b[1]": p[2], "u": x[0], "w": 0.5,
                      "z[0]": x[1], "z[1]": mul(x[2], x[3]), "z[2]": 1.0})
            for _, f in body:
                f(e)
            return [f(e) for _, f in outs]

        return text, run


def partial(y, j):
    return y.d[j] if isinstance(y, Dual) else 0.0


def unit(j, n):
    return [1.0 if i == j else 0.0 for i in range(n)]


def value(y):
    return y.v if isinstance(y, Dual) else y


def expected(run, x, p, lam, v):
    """jac, grad, hess, par, vel, acc by dual numbers"""
    y = run([Dual(x[i], unit(i, NX)) for i in range(NX)], p)
    jac = [partial(y[k], j) for k in range(NY) for j in range(NX)]
    grad = [sum(lam[k] * partial(y[k], j) for k in range(NY)) for j in range(NX)]
    hess = [0.0] * (NX * NX)
    for j in range(NX):
        inner = [Dual(Dual(x[i], unit(i, NX)), [1.0 if i == j else 0.0]) for i in range(NX)]
        z = run(inner, p)
        for i in range(NX):
            # z = f + eps_j f_j, both with derivatives in all directions
            total = 0.0
            for k in range(NY):
                second = partial(z[k], 0)
                total += lam[k] * (partial(second, i) if isinstance(second, Dual) else 0.0)
            hess[i * NX + j] = total
    q = [p[0], Dual(p[1], [1.0, 0.0]), Dual(p[2], [0.0, 1.0])]
    s = run(x, q)
    par = [partial(s[k], j) for k in range(NY) for j in range(2)]
    vel = [sum(jac[k * NX + j] * v[j] for j in range(NX)) for k in range(NY)]
    twice = run([Dual(Dual(x[i], [v[i]]), [v[i]]) for i in range(NX)], p)
    acc = []
    for k in range(NY):
        second = partial(twice[k], 0)
        acc.append(partial(second, 0) if isinstance(second, Dual) else 0.0)
    return jac, grad, hess, par, vel, acc


def flat(values):
    return "{" + ", ".join(float(real(v)).hex() for v in values) + "}"


def find_points(run, r):
    points = []
    for _ in range(60):
        x = [r.uniform(-1.5, 1.5) for _ in range(NX)]
        p = [r.uniform(-1, 1) for _ in range(3)]
        lam = [r.uniform(-1, 1) for _ in range(NY)]
        v = [r.uniform(-1, 1) for _ in range(NX)]
        try:
            run(x, p)  # cheap: is it a good point?
            want = expected(run, x, p, lam, v)
        except (Close, OverflowError, ZeroDivisionError, ValueError):
            continue
        if max(abs(e) for part in want for e in part) < 1e6:
            points.append((x, p, lam, v, want))
        if len(points) == POINTS:
            break
    return points


CHECK = """
static int bad;
static void compare(const char *name, const char *what, const double *got, const double *want,
                    int n, double tol) {
    double scale = 1;
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
    for (int i = 0; i < n; i++) {
        if (fabs(got[i] - want[i]) <= tol*scale) continue;
        if (bad++ < 5) {
            printf("%s.%s[%d]: got %.17g, expected %.17g\\n", name, what, i, got[i], want[i]);
        }
        return;
    }
}
"""


def test_function(name, points):
    t = f"static void test{name}(void) {{\n"
    for x, p, lam, v, want in points:
        jac, grad, hess, par, vel, acc = want
        t += "    {\n"
        t += f"        const P{name} p = {{{p[0].hex()}, {{{p[1].hex()}, {p[2].hex()}}}}};\n"
        t += f"        double x[{NX}] = {flat(x)}, y[{NY}], g[{NX}], lo[{NY}], hi[{NY}];\n"
        t += f"        const double l[{NY}] = {flat(lam)}, v[{NX}] = {flat(v)};\n"
        t += f"        double out[{NX * NX + NY * NX}], differ[{NY * NX}];\n"
        for what, call, values, tol in (
            ("jac", f"k{name}_jac(&p, x, y, out)", jac, 1e-10),
            ("grad", f"k{name}_grad(&p, x, l, out)", grad, 1e-10),
            ("hess", f"k{name}_hess(&p, x, l, g, out)", hess, 1e-8),
            ("par", f"k{name}_par(&p, x, y, out)", par, 1e-10),
            ("vel", f"k{name}_vel(&p, x, v, out)", vel, 1e-10),
            ("acc", f"k{name}_acc(&p, x, v, out)", acc, 1e-8),
        ):
            t += f"        {call};\n"
            t += (f"        compare(\"k{name}\", \"{what}\", out, (const double[]){flat(values)}, "
                  f"{len(values)}, {tol});\n")
        t += f"        k{name}_jac(&p, x, y, out);\n"
        t += f"        for (int j = 0; j < {NX}; j++) {{\n"
        t += f"            const double at = x[j], h = 1e-6;\n"
        t += f"            x[j] = at + h;\n            k{name}(&p, x, hi);\n"
        t += f"            x[j] = at - h;\n            k{name}(&p, x, lo);\n"
        t += f"            x[j] = at;\n            for (int k = 0; k < {NY}; k++) {{\n"
        t += f"                differ[{NX}*k + j] = (hi[k] - lo[k])/(2*h);\n            }}\n"
        t += "        }\n"
        t += f"        compare(\"k{name}\", \"differences\", out, differ, {NX * NY}, 1e-5);\n"
        t += "    }\n"
    return t + "}\n"


def batch(adc, cc, first, count, seed, work, flags):
    """one C file with many programs; returns the number of points compared, or stops the test"""
    stem = os.path.join(work, f"batch{first}")
    kernels, tests, calls, npoints = "", "", "", 0
    for k in range(first, first + count):
        text, run = Maker(seed * 1000003 + k).program(str(k))
        points = find_points(run, random.Random(seed * 7919 + k))
        kernels += text + "\n"
        tests += test_function(str(k), points)
        calls += f"    test{k}();\n"
        npoints += len(points)
    with open(stem + ".c", "w") as f:
        f.write("#include <math.h>\n#include <stdio.h>\n#pragma GCC diagnostic push\n")
        for warning in QUIET:  # programs made at random need not be tidy; what adc makes must be
            f.write(f'#pragma GCC diagnostic ignored "{warning}"\n')
        f.write("// kernel\n" + kernels + "// end kernel\n#pragma GCC diagnostic pop\n")
        f.write(f'#include "batch{first}.adc.h"\n' + CHECK + tests)
        f.write("int main(void) {\n" + calls + "    return bad != 0;\n}\n")
    for command in ([adc, "-o", stem + ".adc.h", stem + ".c"],
                    [cc, "-std=c17", *flags, "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
                     "-Werror", "-Wno-unused-function", "-ffp-contract=off", stem + ".c", "-o", stem,
                     "-lm"],
                    [stem]):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}"[:3000])
    for suffix in (".c", ".adc.h", ""):
        os.remove(stem + suffix)
    return npoints


def main():
    adc, cc, work = sys.argv[1], sys.argv[2], sys.argv[5]
    count, seed = int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(work, exist_ok=True)
    jobs = [(adc, cc, first, min(BATCH, count - first), seed, work, sys.argv[6:] or ["-O0"])
            for first in range(0, count, BATCH)]
    with multiprocessing.Pool(2) as pool:
        total = sum(pool.starmap(batch, jobs, chunksize=1))
    print(f"{count} programs, {total} points, 6 derivatives each: all agree")
    if total < count:
        sys.exit("too few points")


if __name__ == "__main__":
    main()
