"""race_cardan.py - what the suites 'exudyn' and 'growth' share: options, runs of the program cardan, tables.

usage: race_cardan.py build|ready BODIES     a chain by the Python package, assembled or ready to step;
                                             JSON of its time and memory
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
STEP = "gen-alpha(step=1e-3,adaptive=false,form=index3)"
# NumPy's linear algebra starts threads that wait by spinning, which counts as time of the processor
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def options(about, cases):
    parser = argparse.ArgumentParser(description=about.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="one JSON array on standard output and nothing else")
    parser.add_argument("--quick", action="store_true", help="as little as possible; the figures mean nothing")
    parser.add_argument("--only", default="", metavar="TEXT", help="the case of this name, or those that begin so")
    given = parser.parse_args()
    given.cases = [given.only] if given.only in cases else [case for case in cases if case.startswith(given.only)]
    if not given.cases:
        parser.error(f"no case begins with '{given.only}'; there are: {' '.join(cases)}")
    return given


# ---- the program, and the package beside it

def build_folder():
    folder = os.environ.get("CARDAN_BENCH_BIN", os.path.join(ROOT, "build", "release", "bench"))
    return os.path.dirname(os.path.abspath(folder))


def built_program(folder, name):
    path = os.path.join(build_folder(), folder, name)
    if not os.access(path, os.X_OK):
        sys.exit(f"no program {path}; ./do build release makes it")
    return path


def package():
    return os.path.join(build_folder(), "python", "package")


def start(arguments, **more):
    """standard output of a program with these variables, and what the system counted: time of the processor, peak of memory"""
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, env={**os.environ, **ONE_THREAD, **more}) as child:
        text = child.stdout.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"exit code {child.returncode}: {' '.join(arguments)}\n{text}")
    return text, usage


def simulate(model, method, duration, csv=None, samples=1, channels=None):
    """summary of a run, and beside it the time of the processor and the memory of the whole process"""
    chosen = ["--channels", channels] if channels else []
    text, usage = start([built_program("cli", "cardan"), "run", model, "--json", "--no-scene", "-o", csv or "none", "--duration",
                         repr(duration), "--interval", repr(duration / samples), "--method", method, *chosen])
    run = json.loads(text)["runs"][0]
    return {**run, "process_s": usage.ru_utime + usage.ru_stime, "peak_kb": usage.ru_maxrss}


def table(path):
    """rows of numbers without their time"""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith(("#", "t,"))]
    return [[float(word) for word in line.split(",")[1:]] for line in lines]


# ---- building

def loaded(model):
    """reading and assembling"""
    return json.loads(start([built_program("bench", "race_load"), model])[0])


def built(case, n):
    """by the Python package; None: there is none"""
    if not os.path.isdir(package()):
        return None
    words = [sys.executable, os.path.abspath(__file__), case, str(n)]
    return json.loads(start(words, PYTHONPATH=package())[0])


def peak_kb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def build(case, n):
    import cardan as cd
    before_kb, begin = peak_kb(), time.process_time()
    m = cd.Model(gravity=[0, -9.81, 0])
    before = m.ground
    for i in range(n):
        body = m.add(cd.RigidBody(f"b{i}", mass=1.0, inertia=[[1, 0, 0], [0, 1, 0], [0, 0, 1]], position=[i + 0.5, 0, 0]))
        m.add(cd.RevoluteJoint(f"j{i}", before, body, at=[i, 0, 0], axis=[0, 0, 1]))
        before = body
    kept = m.start(STEP) if case == "ready" else m._c.assemble()
    seconds = time.process_time() - begin
    del kept
    return {"seconds": seconds, "kb": peak_kb() - before_kb}


# ---- tables

def show(about, columns, records, as_json):
    """one JSON array, or a table under a line that explains"""
    if as_json:
        rows = ",\n".join("  " + json.dumps({name: rounded(record[name]) for name in columns}) for record in records)
        print(f"[\n{rows}\n]")
        return
    print(about)
    cells = [columns] + [[shown(record[name]) for name in columns] for record in records]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    for row in cells:
        words = [cell.rjust(width) for cell, width in zip(row, widths)]
        print("  ".join([row[0].ljust(widths[0]), *words[1:]]))


def rounded(value):
    return float(f"{value:.6g}") if isinstance(value, float) else value


def shown(value):
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("build", "ready") or not sys.argv[2].isdigit():
        sys.exit(__doc__)
    print(json.dumps(build(sys.argv[1], int(sys.argv[2]))))
