"""suite_calls.py - calls through pointers in a step, and by how many they grow with every item

targets: cardan_cli

Callgrind counts calls, the program itself says which of them go through pointers. Two runs of different length give those of a
step, two models those that one item more takes. Items stand in tiles of eight: a call per item and evaluation would be 8 in
'per_tile', a call per tile 1.
"""
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True

import profile_cost as profile
import race_cardan as cardan
import race_models as race
import suite_exudyn as exudyn

COLUMNS = ["model", "items", "calls", "more_items", "more_calls", "per_item", "per_tile", "most"]
STEPS, STEP, TILE = (20, 60), 1e-3, 8


def flat(n):
    """pendulum of n links in the plane, with a spring at each"""
    yield race.WEIGHT
    for i in range(n):
        yield {"class": "RigidBody2D", "name": f"b{i}", "mass": 1, "inertia": 1, "position": [0.5, 0, 0]}
        ends = {"body_b": f"b{i}", "at": [i % 2, 0, 0], **({"body_a": f"b{i - 1}"} if i else {})}
        yield {"class": "PlanarRevoluteJoint", "name": f"j{i}", **ends}
        yield {"class": "TorsionalSpringDamper", "name": f"s{i}", **ends, "axis": [0, 0, 1], "stiffness": 10, "damping": 1}


# items and method: bodies, joints and forces of so many links, or robots
SMALL, LARGE = 48, 240
MODELS = {
    **{shape: (make, cardan.STEP, SMALL, LARGE) for shape, make in race.SHAPES.items()},
    "flat": (flat, cardan.STEP, SMALL, LARGE),
    "robots": (lambda n: race.robots(range(n)), exudyn.ROBOTS, 8, 40),
}


class Counter:
    def __init__(self, folder):
        self.folder = folder
        self.program = cardan.built_program("cli", "cardan")
        self.symbols = profile.Symbols(self.program, cardan.build_folder())
        self.indirect = profile.sites(self.program)

    def calls(self, items, method):
        """(how many items, calls of a step, evaluations of a step)"""
        model = os.path.join(self.folder, "model.json")
        race.write(model, items)
        counts, evaluations = [], []
        for steps in STEPS:
            counts.append(profile.called([self.program, "run", model, "-q", "--no-scene", "--output=none", "--interval=1000",
                                          f"--duration={steps * STEP!r}", f"--method={method}"],
                                         self.symbols, self.indirect, os.path.join(self.folder, "callgrind.out")))
            evaluations.append(cardan.simulate(model, method, steps * STEP)["evaluations"])
        more = STEPS[1] - STEPS[0]
        return {name: (n - counts[0][name]) / more for name, n in counts[1].items()}, (evaluations[1] - evaluations[0]) / more

    def record(self, name):
        make, method, small, large = MODELS[name]
        lists = [[item for item in make(n) if item["class"] != "Gravity" and "Sensor" not in item["class"]] for n in (small, large)]
        (few, _), (many, evaluations) = (self.calls(make(n), method) for n in (small, large))
        items, more_items = map(len, lists)
        grown = {key: (n - few.get(key, 0)) / (more_items - items) for key, n in many.items()}
        most = max(grown, key=grown.get)
        kinds = len({item["class"] for item in lists[0]})
        return {"model": name, "items": items, "calls": sum(few.values()), "more_items": more_items,
                "more_calls": sum(many.values()), "per_item": sum(grown.values()),
                # of the items of one class, as all classes have about as many
                "per_tile": TILE * kinds * grown[most] / evaluations, "most": most.replace(" ", "")}


def main():
    for tool in ("valgrind", "objdump"):
        if not shutil.which(tool):
            sys.exit(f"suite calls: {tool} is not installed (Debian: valgrind, binutils)")
    options = cardan.options(__doc__, list(MODELS))
    with tempfile.TemporaryDirectory() as folder:
        counter = Counter(folder)
        records = [counter.record(name) for name in options.cases]
    cardan.show("Calls through pointers of a step, for few items and many; per item, and per tile and evaluation by the most frequent one",
                COLUMNS, records, options.json)


if __name__ == "__main__":
    main()
