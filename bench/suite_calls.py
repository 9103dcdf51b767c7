"""suite_calls.py - calls through pointers in a step, and by how many they grow with every item

targets: cardan_cli

Callgrind counts calls, the program itself says which of them go through pointers. Two runs of different length give those of a
step, two models those that one item more takes. Items stand in tiles of eight: a call per item and evaluation would be 8 in
'per_tile', a call per tile 1. Functions that a model gives to its items are each their own, and are called one by one: 'functions'
counts these, per item of their class and evaluation, and 'most' leaves them out.
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

COLUMNS = ["model", "items", "calls", "more_items", "more_calls", "per_item", "functions", "per_tile", "most"]
STEPS, STEP, TILE = (20, 60), 1e-3, 8
FUNCTIONS = " > desc/function_"  # called


def flat(n):
    """pendulum of n links in the plane, with a spring at each"""
    yield race.WEIGHT
    for i in range(n):
        yield {"class": "RigidBody2D", "name": f"b{i}", "mass": 1, "inertia": 1, "position": [0.5, 0, 0]}
        ends = {"body_b": f"b{i}", "at": [i % 2, 0, 0], **({"body_a": f"b{i - 1}"} if i else {})}
        yield {"class": "PlanarRevoluteJoint", "name": f"j{i}", **ends}
        yield {"class": "TorsionalSpringDamper", "name": f"s{i}", **ends, "axis": [0, 0, 1], "stiffness": 10, "damping": 1}


# ---- one class after the other: n bodies, each with what it turns or slides on, and with an item. {} is the body's number

ENDS = {"body_b": "b{}", "at": [0, 0, 0], "axis": [0, 0, 1]}
CUBE = {"class": "RigidBody", "name": "b{}", "mass": 1, "inertia": race.diagonal((1, 1, 1)), "position": [0.5, 0, 0]}
POINT = {"class": "MassPoint1D", "name": "b{}", "mass": 1}
HINGE = {"class": "RevoluteJoint", "name": "h{}", **ENDS}
RAIL = {"class": "PrismaticJoint", "name": "h{}", **ENDS}
PLACE = {"class": "CoordinateMarker", "name": "m{}", "body": "b{}", "coordinate": "s"}
DRIVE = {"target": "0.1*sin(t)", "gain": 10, "rate_gain": 1}

# name of the case: items of one body
SINGLE = {
    "MassPoint1D": [POINT, {"class": "Force", "name": "i{}", "body": "b{}", "x": 1}],
    "MassPoint2D": [{**POINT, "class": "MassPoint2D"}, {"class": "Force", "name": "i{}", "body": "b{}", "x": 1}],
    "MassPoint3D": [{**POINT, "class": "MassPoint3D"}, {"class": "Force", "name": "i{}", "body": "b{}", "x": 1}],
    "Rotor": [{"class": "Rotor", "name": "b{}", "inertia": 1}, {"class": "Torque", "name": "i{}", "body": "b{}", "z": 1}],
    "Force": [CUBE, HINGE, {"class": "Force", "name": "i{}", "body": "b{}", "y": 3, "axes": "own"}],
    "Force(t)": [CUBE, HINGE, {"class": "Force", "name": "i{}", "body": "b{}", "y": "3*sin(t)"}],
    "Torque": [CUBE, HINGE, {"class": "Torque", "name": "i{}", "body": "b{}", "z": 3}],
    "Torque(t)": [CUBE, HINGE, {"class": "Torque", "name": "i{}", "body": "b{}", "z": "3*sin(t)", "axes": "own"}],
    "GearedRotor": [CUBE, HINGE, {"class": "GearedRotor", "name": "i{}", **ENDS, "inertia": 1e-3, "damping": 1e-3, "ratio": 10}],
    "TorsionalActuator": [CUBE, HINGE, {"class": "TorsionalActuator", "name": "i{}", **ENDS, **DRIVE}],
    "LinearActuator": [CUBE, RAIL, {"class": "LinearActuator", "name": "i{}", **ENDS, **DRIVE}],
    "JointMotion": [CUBE, HINGE, {"class": "JointMotion", "name": "i{}", "joint": "h{}", "motion": "0.1*t^2"}],
    "SpringDamper(x)": [CUBE, HINGE, {"class": "Marker", "name": "m{}", "body": "ground", "position": [1, 1, 0]},
                        {"class": "Marker", "name": "n{}", "body": "b{}"},
                        {"class": "SpringDamper", "name": "i{}", "marker_a": "m{}", "marker_b": "n{}", "length": 0.5, "elastic": "x^3"}],
    "TorsionalSpringDamper(x)": [CUBE, HINGE, {"class": "TorsionalSpringDamper", "name": "i{}", **ENDS, "elastic": "x^3"}],
    "CartesianSpringDamper(x)": [CUBE, HINGE, {"class": "CartesianSpringDamper", "name": "i{}", **ENDS, "elastic_x": "x^3"}],
    "Bushing(x)": [CUBE, HINGE, {"class": "Bushing", "name": "i{}", **ENDS, "elastic_rz": "x^3"}],
    "CoordinateCoupling": [POINT, PLACE, {**POINT, "name": "c{}"}, {**PLACE, "name": "n{}", "body": "c{}"},
                           {"class": "CoordinateCoupling", "name": "i{}", "markers": ["m{}", "n{}"], "factors": [1, 2]}],
    "CoordinateSpringDamper(x)": [POINT, PLACE, {"class": "CoordinateSpringDamper", "name": "i{}", "marker_a": "m{}",
                                                 "elastic": "x^3"}],
    "CoordinateLoad(t)": [POINT, PLACE, {"class": "CoordinateLoad", "name": "i{}", "marker": "m{}", "force": "3*sin(t)"}],
}


def numbered(value, i):
    if isinstance(value, list):
        return [numbered(x, i) for x in value]
    return value.replace("{}", str(i)) if isinstance(value, str) else value


def single(case):
    def make(n):
        yield race.WEIGHT
        for i in range(n):
            for item in SINGLE[case]:
                yield {key: numbered(value, i) for key, value in item.items()}
    return make


# items and method: bodies, joints and forces of so many links, or robots
SMALL, LARGE = 48, 240
MODELS = {
    **{shape: (make, cardan.STEP, SMALL, LARGE) for shape, make in race.SHAPES.items()},
    "flat": (flat, cardan.STEP, SMALL, LARGE),
    "robots": (lambda n: race.robots(range(n)), exudyn.ROBOTS, 8, 40),
    **{case: (single(case), cardan.STEP, SMALL, LARGE) for case in SINGLE},
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
        # those that are evaluated in a step
        lists = [[item for item in make(n) if not item["class"].endswith(("Gravity", "Marker", "Sensor"))] for n in (small, large)]
        (few, _), (many, evaluations) = (self.calls(make(n), method) for n in (small, large))
        items, more_items = map(len, lists)
        grown = {key: (n - few.get(key, 0)) / (more_items - items) for key, n in many.items()}
        given = {key for key in grown if FUNCTIONS in key}
        most = max(grown.keys() - given, key=grown.get)
        kinds = len({item["class"] for item in lists[0]})
        return {"model": name, "items": items, "calls": sum(few.values()), "more_items": more_items,
                "more_calls": sum(many.values()), "per_item": sum(grown.values()),
                # of the items of one class, as all classes have about as many
                "functions": kinds * sum(grown[key] for key in given) / evaluations,
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
