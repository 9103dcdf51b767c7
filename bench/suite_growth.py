"""suite_growth.py - what a step, a start and a body cost as chains, ladders and trees of bodies grow

targets: cardan_cli

Time of the processor per step is that of a run less that of its first steps, so that the start does not count; the best of some
of each. All sizes run over the same time of motion. Iterations and Jacobians are those of Newton's method per step. What comes before
the run is reading, assembling and starting. Memory is the peak of the whole process. Bodies of 'chain', 'ladder' and 'tree' turn as
fast in large models as in small ones; the first hinges of 'folded' have to drag more the more bodies there are.
"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True

import race_cardan as cardan
import race_models as race

COLUMNS = ["shape", "bodies", "step_us", "iterations", "jacobians", "assemble_s", "rss_kb"]
SHAPES = {**race.MOVING, "folded": race.bodies_chain}
SIZES, QUICK_SIZES = [10, 100, 1000, 10000, 100000], [10, 100]
STEP, FIRST, STEPS = 1e-3, 20, 100
# runs of models up to so many bodies: small ones are run more often, their times are short
RUNS = [(1000, 9), (10000, 5), (100000, 2)]


def grow(options, folder, shape, n):
    model = os.path.join(folder, "model.json")
    race.write(model, SHAPES[shape](n))
    times, steps = (1, FIRST) if options.quick else (next(runs for most, runs in RUNS if n <= most), STEPS)
    short, long = [], []
    for _ in range(times):
        short.append(cardan.simulate(model, cardan.STEP, FIRST * STEP))
        long.append(cardan.simulate(model, cardan.STEP, (FIRST + steps) * STEP))
    least = [min(run["cpu_time"] for run in runs) for runs in (short, long)]

    def per_step(key):
        return (long[0][key] - short[0][key]) / steps

    return {"shape": shape, "bodies": n - n % 3 if shape == "ladder" else n,
            "step_us": max(least[1] - least[0], 0.0) / steps * 1e6,
            "iterations": per_step("iterations"), "jacobians": per_step("jacobians"),
            "assemble_s": min(run["process_s"] - run["cpu_time"] for run in short + long),
            "rss_kb": min(run["peak_kb"] for run in short + long)}


def main():
    options = cardan.options(__doc__, [f"{shape}_{n}" for shape in SHAPES for n in SIZES])
    records = []
    with tempfile.TemporaryDirectory() as folder:
        for shape, n in (case.split("_") for case in options.cases):
            if not options.quick or int(n) in QUICK_SIZES:
                records.append(grow(options, folder, shape, int(n)))
    cardan.show("Cost per step (µs), before the first step (s) and of memory (kB) over the number of bodies", COLUMNS,
                records, options.json)


if __name__ == "__main__":
    main()
