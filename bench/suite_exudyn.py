"""suite_exudyn.py - the race with Exudyn at equal steps: chains, robots, a governor, building a model

targets: cardan_cli race_load cardan_package

Exudyn runs in a Python that has it: CARDAN_EXUDYN_PYTHON, this one, or build/bench-venv, which is made where
none has it and the network allows. Both run in turns, each in a process of its own on one thread; times are those
of the processor from the assembled system to the last step, the best of some turns: neighbours only add to them, and to
programs that keep a processor busy more than to others. Errors are the largest at a hundred equal times.
"""
import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import race_cardan as cardan
import race_models as race

COLUMNS = ["case", "exudyn_s", "cardan_s", "ratio", "exudyn_error", "cardan_error"]
SAMPLES, BODIES = 100, 10000
# turns; more where one takes less time than that
TURNS, TURNS_SHORT, SHORT_S = 5, 15, 1.0
# what --quick leaves of steps, samples and bodies
QUICK = 10

CHAIN = "gen-alpha(rho=1,step=1e-3,adaptive=false)"
ROBOTS = "gen-alpha(rho=0.8,step=1e-3,adaptive=false,form=index3)"
GOVERNOR = "trapezoidal(step=5e-4,adaptive=false,form=index2)"
FINE = "formulation=index1 integrator=dop853(rtol=1e-12,atol=1e-13)"


# ---- the opponent

def venv_python():
    return os.path.join(cardan.ROOT, "build", "bench-venv", "bin", "python")


def has_exudyn(python):
    try:
        return subprocess.run([python, "-c", "import exudyn"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_venv():
    """an environment of our own with the newest Exudyn; False: not possible here"""
    folder = os.path.dirname(os.path.dirname(venv_python()))
    print(f"no Python here has Exudyn; trying to install it in {folder}", file=sys.stderr)
    pip = [venv_python(), "-m", "pip", "install", "-q", "exudyn", "numpy"]
    try:
        for command in ([sys.executable, "-m", "venv", folder], pip):
            subprocess.run(command, stdout=sys.stderr, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return has_exudyn(venv_python())


def find_opponent():
    named = os.environ.get("CARDAN_EXUDYN_PYTHON")
    for python in [named] if named else [sys.executable, venv_python()]:
        if has_exudyn(python):
            return python
    if not named and make_venv():
        return venv_python()
    where = f"{named} has no package exudyn" if named else "no Python here has the package exudyn, nor can it be installed"
    sys.exit(f"suite exudyn: {where};\n"
             "make one that has: python3 -m venv V && V/bin/pip install exudyn numpy\n"
             "and name it: CARDAN_EXUDYN_PYTHON=V/bin/python bench/run exudyn")


def exudyn(python, *arguments):
    script = os.path.join(cardan.HERE, "race_exudyn.py")
    text, _ = cardan.start([python, script, *map(str, arguments)])
    return json.loads(text.splitlines()[-1])


# ---- cases that are simulated

def chain_fine(n, duration, samples, _):
    return [[race.chain_tip(n, duration * i / samples)] for i in range(samples + 1)]


def robots_fine(n, duration, samples, folder):
    """the last arm alone: the others do not touch it"""
    model, csv = os.path.join(folder, "fine.json"), os.path.join(folder, "fine.csv")
    race.write(model, race.robots([n - 1]))
    cardan.simulate(model, FINE, duration, csv, samples, "q*")
    return cardan.table(csv)


def governor_fine(_n, _duration, samples, _folder):
    """the reference of the problem: a reduction to three degrees of freedom, good to 5e-13 m"""
    rows = cardan.table(os.path.join(cardan.ROOT, "problems", "A05", "reference.csv"))
    return [row[:1] for row in rows[:samples + 1]]


def written(items, n, folder):
    path = os.path.join(folder, "model.json")
    race.write(path, items(n))
    return path


class Kind:
    def __init__(self, step, method, channels, model, fine):
        self.step, self.method, self.channels, self.model, self.fine = step, method, channels, model, fine


KINDS = {
    "chain": Kind(1e-3, CHAIN, "tip.x", functools.partial(written, race.chain), chain_fine),
    "robots": Kind(1e-3, ROBOTS, "q*", functools.partial(written, lambda n: race.robots(range(n))), robots_fine),
    "governor": Kind(5e-4, GOVERNOR, "slide.z",
                     lambda n, folder: os.path.join(cardan.ROOT, "problems", "A05", "model.json"), governor_fine),
}


def largest_error(rows, wanted):
    if len(rows) != len(wanted):
        sys.exit(f"{len(rows)} samples where {len(wanted)} are wanted")
    return max(abs(a - b) for row, want in zip(rows, wanted) for a, b in zip(row, want))


def race_once(python, options, folder, name, kind, n, steps):
    k = KINDS[kind]
    samples = SAMPLES // QUICK if options.quick else SAMPLES
    steps = steps // QUICK if options.quick else steps
    duration = steps * k.step
    model, csv = k.model(n, folder), os.path.join(folder, "samples.csv")
    wanted = k.fine(n, duration, samples, folder)
    theirs = exudyn(python, kind, n, steps, k.step, samples)["samples"]
    cardan.simulate(model, k.method, duration, csv, samples, k.channels)
    turns = []
    while len(turns) < turns_of(turns, options):
        run = exudyn(python, kind, n, steps, k.step, 0), cardan.simulate(model, k.method, duration)
        turns.append((run[0]["seconds"], run[1]["start_cpu_time"] + run[1]["cpu_time"]))
    return record(name, turns, largest_error(theirs, wanted), largest_error(cardan.table(csv), wanted))


def turns_of(turns, options):
    """how many, by what the first took"""
    if options.quick or not turns:
        return 1
    return TURNS_SHORT if turns[0][0] < SHORT_S else TURNS


def record(name, turns, exudyn_error=None, cardan_error=None):
    """turns: pairs of times, theirs and ours"""
    theirs, ours = zip(*turns)
    exudyn_s, cardan_s = min(theirs), min(ours)
    medians = statistics.median(theirs) / statistics.median(ours)
    print(f"{name}: {exudyn_s / cardan_s:.1f} times, by the medians {medians:.1f}", file=sys.stderr)
    return dict(zip(COLUMNS, (name, exudyn_s, cardan_s, exudyn_s / cardan_s, exudyn_error, cardan_error)))


# ---- building, loading and assembling

def race_building(python, options, folder, name, kind, n, _steps):
    """assembled, ready to step, or assembled from a file by the program; ours else by the Python package"""
    n = n // QUICK if options.quick else n
    model = written(race.SHAPES["chain"], n, folder)
    turns = []
    for _ in range(1 if options.quick else TURNS):
        theirs = exudyn(python, "build" if kind == "load" else kind, n)
        mine = cardan.loaded(model) if kind == "load" else cardan.built(kind, n)
        if mine is None:
            print(f"{name} is left out: no package cardan in {cardan.package()}", file=sys.stderr)
            return None
        turns.append((theirs["seconds"], mine["seconds"]))
    print(f"{name}: peak of memory per body with joint: exudyn {theirs['kb'] / n:.2f} kB, cardan {mine['kb'] / n:.2f} kB",
          file=sys.stderr)
    return record(name, turns)


# name, what, size, steps, least ratio that is wanted; None: any
CASES = [
    ("chain_1", race_once, "chain", 1, 100000, 5),
    ("chain_10", race_once, "chain", 10, 100000, 5),
    ("chain_100", race_once, "chain", 100, 100000, 10),
    ("chain_1000", race_once, "chain", 1000, 10000, 10),
    ("chain_10000", race_once, "chain", 10000, 1000, 10),
    ("robots_1", race_once, "robots", 1, 1000, 15),
    ("robots_10", race_once, "robots", 10, 1000, 15),
    ("robots_50", race_once, "robots", 50, 1000, 15),
    ("governor", race_once, "governor", 1, 20000, 15),
    ("build_10000", race_building, "build", BODIES, 0, 5),
    ("ready_10000", race_building, "ready", BODIES, 0, None),
    ("load_10000", race_building, "load", BODIES, 0, 5),
]


def main():
    options = cardan.options(__doc__, [case[0] for case in CASES])
    python = find_opponent()
    version = exudyn(python, "version")["version"]
    records = []
    with tempfile.TemporaryDirectory() as folder:
        for name, run, kind, n, steps, goal in CASES:
            if name not in options.cases:
                continue
            result = run(python, options, folder, name, kind, n, steps)
            if result:
                records.append({**result, "goal": goal})
    about = f"Exudyn {version} against cardan: seconds of the processor, and errors; a ratio of the goal or more is wanted"
    cardan.show(about, COLUMNS if options.json else [*COLUMNS, "goal"], records, options.json)


if __name__ == "__main__":
    main()
