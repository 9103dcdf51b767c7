"""suite_profile.py - what the time of a step goes to, for every shipped problem: kernels, solver, integrator, the rest

targets: cardan_cli

Instructions (callgrind) of a run less those of a shorter one, so that what comes before the first step does not count.
Problems run as `cardan bench` and their files say, results are written to a log; models of the race as they race.
'top' holds the functions that make nine tenths of the whole; none of them should be among the rest.
"""
import json
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True

import profile_cost as profile
import race_cardan as cardan
import race_models as race
import suite_exudyn as exudyn

COLUMNS = ["problem", "variant", "kernels", "solver", "integrator", "other", "top"]
TOP = 0.9
# steps before and while counting; parts of the duration where the integrator chooses its steps
STEPS, PARTS = (300, 900), (0.03, 0.09)
# what --quick leaves of them
QUICK = 0.1


def problems(results):
    """(problem, variant, model, options of a run, time step, duration)"""
    folder = os.path.join(cardan.ROOT, "problems")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name, "check.json")
        if not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8") as file:
            variants = json.load(file)["variants"]
        for variant in variants:
            model = os.path.join(folder, name, variant["model"])
            with open(model, encoding="utf-8") as file:
                interval = json.load(file)["runs"][0]["interval"]
            run = variant["run"]
            words = [f"--step={run.get('step', 0)}", f"--method={run.get('method', 'auto')}", f"--interval={interval}",
                     f"--output={os.path.join(results, 'run.log')}"]
            yield name, variant["name"], model, words, run.get("step"), run["duration"]


def races(folder):
    """models of the race and of growth, without results"""
    models = [(f"chain_{n}", race.chain(n), exudyn.CHAIN) for n in (1, 10, 100, 1000)]
    models += [(f"robots_{n}", race.robots(range(n)), exudyn.ROBOTS) for n in (1, 10, 50)]
    models += [(f"bodies_{shape}_100", make(100), cardan.STEP) for shape, make in race.SHAPES.items()]
    for name, items, method in models:
        path = os.path.join(folder, f"{name}.json")
        race.write(path, items)
        yield "race", name, path, [f"--method={method}", "--interval=1000", "--output=none"], 1e-3, None
    governor = os.path.join(cardan.ROOT, "problems", "A05", "model.json")
    yield "race", "governor", governor, [f"--method={exudyn.GOVERNOR}", "--interval=1000", "--output=none"], 5e-4, None


def case_name(problem, variant):
    return re.sub(r"\W", "_", f"{problem}_{variant}")


class Profiler:
    def __init__(self, folder, quick):
        self.folder, self.part = folder, QUICK if quick else 1.0
        self.program = cardan.built_program("cli", "cardan")
        self.symbols = profile.Symbols(self.program, cardan.build_folder())

    def cost(self, model, words, duration):
        command = [self.program, "run", model, "-q", "--checkpoint=0", f"--duration={duration!r}", *words]
        return profile.counted(command, self.symbols, os.path.join(self.folder, "callgrind.out"))

    def record(self, problem, variant, model, words, step, duration):
        ends = [self.part * (n * step if step else n * duration) for n in (STEPS if step else PARTS)]
        short, long = (self.cost(model, words, end) for end in ends)
        cost = {key: n - short[key] for key, n in long.items() if n > short[key]}
        whole, kinds, top, sum_of_top = sum(cost.values()), {}, {}, 0
        for (place, function), n in sorted(cost.items(), key=lambda entry: -entry[1]):
            kind = profile.kind_of(place)
            kinds[kind] = kinds.get(kind, 0.0) + n / whole
            if sum_of_top < TOP * whole:
                top[f"{place}:{function}"] = round(n / whole, 4)
            sum_of_top += n
        return {"problem": problem, "variant": variant, **{kind: kinds.get(kind, 0.0) for kind in COLUMNS[2:6]}, "top": top}


def strangers(top):
    """of the top what is neither kernel nor solver, as words of a table"""
    return " ".join(f"{name}={share}" for name, share in top.items() if profile.kind_of(name) == profile.OTHER) or "-"


def main():
    if not shutil.which("valgrind"):
        sys.exit("suite profile: valgrind is not installed (Debian: valgrind)")
    with tempfile.TemporaryDirectory() as folder:
        cases = {case_name(*case[:2]): case for case in [*problems(folder), *races(folder)]}
        options = cardan.options(__doc__, list(cases))
        profiler = Profiler(folder, options.quick)
        records = [profiler.record(*cases[name]) for name in options.cases]
    if not options.json:
        for record in records:
            record["top"] = strangers(record["top"])
    cardan.show("Parts of the instructions of a step; the last column: what of the top 90 % is neither kernel nor solver",
                COLUMNS, records, options.json)


if __name__ == "__main__":
    main()
