"""tables.py - writes what suites found into bench/README.md

usage: bench/tables.py README.md RESULTS.json ...

Results are files of bench/run SUITE --json, named after their suites. The lines between "<!-- SUITE -->" and
"<!-- end SUITE -->" are made anew.
"""
import json
import math
import pathlib
import sys

sys.dont_write_bytecode = True

import suite_profile
import table_linsol

GOALS = {"chain_1": 5, "chain_10": 5, "chain_100": 10, "chain_1000": 10, "chain_10000": 10, "robots_1": 15, "robots_10": 15,
         "robots_50": 15, "governor": 15, "build_10000": 5, "load_10000": 5}
SLOPES = [("all sizes", 0), ("from 1000 bodies on", 900), ("from 10,000 on", 9000)]


def digits(x):
    return "–" if x is None else f"{x:.3g}"


def rows(head, body):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in body)]


# ---- suites: lines from records and the name of their folder

def exudyn(records, folder):
    body = [[f"`{r['case']}`", digits(r["exudyn_s"]), digits(r["cardan_s"]), digits(r["ratio"]), str(GOALS.get(r["case"], "–")),
             digits(r.get("exudyn_error")), digits(r.get("cardan_error"))] for r in records]
    return [f"Results of {folder}:", "", *rows(["case", "Exudyn, s", "Cardan, s", "ratio", "goal", "error, Exudyn", "error, Cardan"], body)]


def slope(points):
    """of log(step) over log(bodies), by least squares; – if there are not two sizes with a time"""
    points = [p for p in points if p["step_us"] > 0]
    if len({p["bodies"] for p in points}) < 2:
        return "–"
    x, y = ([math.log(p[key]) for p in points] for key in ("bodies", "step_us"))
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return f"{sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x):.2f}"


def growth(records, folder):
    body = [[r["shape"], str(r["bodies"]), digits(r["step_us"]), f"{r['step_us'] / r['bodies']:.2f}", f"{r['iterations']:.2f}",
             f"{1000 * r['step_us'] / r['bodies'] / r['iterations']:.0f}", f"{r['jacobians']:.2f}", digits(r["assemble_s"]),
             f"{r['rss_kb'] / 1024:.0f}"] for r in records]
    shapes = list(dict.fromkeys(r["shape"] for r in records))
    slopes = [[shape] + [slope([r for r in records if r["shape"] == shape and r["bodies"] >= least]) for _, least in SLOPES]
              for shape in shapes]
    return [f"Results of {folder}; powers of the number of bodies with which the time of a step grows, by least squares:", "",
            *rows(["shape", *(name for name, _ in SLOPES)], slopes), "",
            *rows(["shape", "bodies", "step, µs", "per body, µs", "iterations", "per body and iteration, ns", "Jacobians per step",
                   "before the first step, s", "peak, MB"], body)]


def profile(records, folder):
    body = [[r["problem"], r["variant"], *(f"{100 * r[key]:.1f}" for key in ("kernels", "solver", "integrator")), f"{100 * r['other']:.2f}",
             suite_profile.strangers(r["top"])] for r in records]
    return [f"Results of {folder}:", "", *rows(["problem", "variant", "kernels, %", "solver, %", "integrator, %", "rest, %", "of the rest, in the top"], body)]


def parallel(records, folder):
    idle, crowded = {}, []
    for r in records:
        if r["load"] == 0 and r["threads"] in ("2", "auto"):
            idle.setdefault(r["case"], {})[r["threads"]] = r
        else:
            crowded.append([f"`{r['case']}`", r["threads"], str(r["load"]), f"{r['speedup']:.2f}", f"{r['pairs']:.2f}"])
    body = [[f"`{case}`", digits(of["2"]["step_us"]), *(f"{of[threads][key]:.2f}" for threads in ("2", "auto") for key in ("speedup", "pairs"))]
            for case, of in idle.items()]
    return [f"Results of {folder}:", "", *rows(["case", "step of one thread, µs", "2 threads, best", "pairs", "`auto`, best", "pairs"], body), "",
            *rows(["case", "threads", "busy programs", "best, or medians", "pairs"], crowded)]


SUITES = {"exudyn": exudyn, "growth": growth, "linsol": table_linsol.lines, "parallel": parallel, "profile": profile}


def fail(reason):
    sys.exit(f"tables.py: {reason}")


def read(name):
    """records of a suite, and its name"""
    path = pathlib.Path(name).resolve()
    if path.stem not in SUITES:
        fail(f"{name} is not named after a suite with a table: {' '.join(SUITES)}")
    try:
        return path, json.loads(path.read_text())
    except OSError as missing:
        fail(f"{name}: {missing.strerror}")
    except (ValueError, RecursionError):
        fail(f"{name} must hold results of bench/run {path.stem} --json")


def table(name):
    """suite, and its lines"""
    path, records = read(name)
    try:
        if not records:
            raise TypeError("no records")
        return path.stem, SUITES[path.stem](records, path.parent.name)
    except (KeyError, TypeError, AttributeError, ValueError, ArithmeticError):
        fail(f"{name} must hold results of bench/run {path.stem} --json")


def replace(text, suite, lines, readme):
    begin, end = f"<!-- {suite} -->\n", f"<!-- end {suite} -->"
    if begin not in text or end not in text.split(begin, 1)[1]:
        fail(f"{readme} must hold the lines {begin.strip()} and {end}")
    before, rest = text.split(begin, 1)
    return before + begin + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1]


def main(readme, *results):
    try:
        text = pathlib.Path(readme).read_text()
    except (OSError, ValueError) as wrong:
        fail(f"{readme}: {getattr(wrong, 'strerror', None) or 'is not text'}")
    for name in results:
        text = replace(text, *table(name), readme)
    pathlib.Path(readme).write_text(text)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
