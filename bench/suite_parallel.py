"""suite_parallel.py - what a second thread gains, on an idle machine and on one that others use as well

targets: cardan_cli

Wall time of a run with one thread over that with so many, the best of some, in turns; both end with the same bits. Runs of
about 0.1 s, of which the first 5 ms are there to find out whether threads pay.
'pairs': the median of the ratios of two runs that follow each other. 'busy': that many programs that do nothing but
compute run beside it, where the best says little: medians.
"""
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import race_cardan as cardan
import race_models as race

COLUMNS = ["case", "threads", "load", "wall_s", "speedup", "pairs", "step_us"]
CHAIN = "gen-alpha(step=1e-3,adaptive=false)"
ROBOTS = "gen-alpha(rho=0.8,step=1e-3,adaptive=false,form=index3)"
PENDULUMS = "gen-alpha(step=1e-3,adaptive=false,form=index3)"
GOVERNOR = "trapezoidal(step=5e-4,adaptive=false,form=index2)"
BUSY = "while True: pass"
REPEAT, QUICK = 9, 1e-2  # runs; part of the time that is simulated


def chain(n, seconds):
    return lambda: race.chain(n), CHAIN, seconds


def robots(n):
    return lambda: race.robots(range(n)), ROBOTS, 1.0


def pendulums(n):
    return lambda: race.pendulums(n), PENDULUMS, 20.0


def bodies(shape, n, seconds):
    return lambda: race.MOVING[shape](n), cardan.STEP, seconds


# model, method, duration
CASES = {
    "governor": (None, GOVERNOR, 10.0),
    "robots_1": robots(1), "robots_10": robots(10), "robots_20": robots(20), "robots_30": robots(30), "robots_50": robots(50),
    "pendulums_8": pendulums(8), "pendulums_16": pendulums(16), "pendulums_24": pendulums(24), "pendulums_32": pendulums(32),
    "pendulums_64": pendulums(64),
    "chain_10": chain(10, 200.0), "chain_100": chain(100, 100.0), "chain_200": chain(200, 80.0), "chain_300": chain(300, 60.0),
    "chain_500": chain(500, 40.0), "chain_600": chain(600, 40.0), "chain_800": chain(800, 30.0), "chain_1000": chain(1000, 20.0),
    "chain_2000": chain(2000, 10.0), "chain_5000": chain(5000, 5.0), "chain_10000": chain(10000, 3.0),
    **{f"bodies_{shape}_{n}": bodies(shape, n, seconds)
       for shape in race.MOVING for n, seconds in ((100, 0.5), (1000, 0.3), (10000, 0.1))},
}
# threads and busy programs; the second part only for what gains
IDLE, CROWDED = [("2", 0), ("auto", 0)], [("2", 2), ("4", 0), ("4", 4)]
LARGE = ["robots_50", "chain_10000"]


def problem(case, folder):
    make = CASES[case][0]
    if make is None:
        return os.path.join(cardan.ROOT, "problems", "A05", "model.json")
    path = os.path.join(folder, case + ".json")
    race.write(path, make())
    return path


def pair(model, case, threads, busy, options):
    """times of one thread and of more, in turns"""
    _, method, duration = CASES[case]
    duration *= QUICK if options.quick else 1
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(busy)]
    try:
        runs = [[cardan.simulate(model, f"threads={n} integrator={method}", duration) for n in ("1", threads)]
                for _ in range(1 if options.quick else REPEAT)]
    finally:
        for other in others:
            other.kill()
            other.wait()
    if len({run["state"] for both in runs for run in both}) != 1:
        sys.exit(f"{case}: {threads} threads end with other bits than one")
    of = statistics.median if busy > 0 else min
    times = [[run["wall_time"] for run in both] for both in runs]
    return [of(time[i] for time in times) for i in (0, 1)], statistics.median(a / b for a, b in times), runs[0][0]["steps"]


def records(case, options):
    with tempfile.TemporaryDirectory() as folder:
        model = problem(case, folder)
        for threads, busy in IDLE + (CROWDED if case in LARGE else []):
            (one, more), pairs, steps = pair(model, case, threads, busy, options)
            yield {"case": case, "threads": threads, "load": busy, "wall_s": more, "speedup": one / more, "pairs": pairs,
                   "step_us": one / steps * 1e6}


def main():
    options = cardan.options(__doc__, list(CASES))
    found = [record for case in options.cases for record in records(case, options)]
    cardan.show("Wall time (s) of some threads, over which that of one is the speedup; one thread takes step_us (µs) per step",
                COLUMNS, found, options.json)


if __name__ == "__main__":
    main()
