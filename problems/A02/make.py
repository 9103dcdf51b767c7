#!/usr/bin/env python3
"""make.py - writes the models of A02: N windows of a ladder of 2 N + 1 rods, n1.json, n2.json, ...

    make.py          writes the files
    make.py --check  says whether they are up to date

Rods are uniform, 1 m, 1 kg. The frame of a crank is at its bearing A_i with x along the rod; that
of a coupler is at B_i. All B_i start with 1 m/s to the right.
"""
import pathlib
import sys

WINDOWS = (1, 2, 40)
HEAD = """{
  "cardan": 1,
  "items": [
    {"class": "Gravity", "name": "gravity", "acceleration": [0, -9.81, 0]},
"""
CRANK = """
    {{"class": "RigidBody2D", "name": "crank{i}", "position": [{i}, 0, 0], "angle": "pi/2",
     "mass": 1, "com": [0.5, 0, 0], "inertia": "1/12", "angular_velocity": -1}},
    {{"class": "PlanarRevoluteJoint", "name": "A{i}", "body_b": "crank{i}", "at": [{i}, 0, 0]}},
"""
COUPLER = """
    {{"class": "RigidBody2D", "name": "coupler{i}", "position": [{i}, 1, 0], "mass": 1,
     "com": [0.5, 0, 0], "inertia": "1/12", "velocity": [1, 0, 0]}},
    {{"class": "PlanarRevoluteJoint", "name": "left{i}", "body_a": "crank{i}",
     "body_b": "coupler{i}", "at": [{i}, 1, 0]}},
    {{"class": "PlanarRevoluteJoint", "name": "right{i}", "body_a": "crank{j}",
     "body_b": "coupler{i}", "at": [{j}, 1, 0]}},
"""
TAIL = """
    {"class": "Sensor", "name": "B0", "body": "crank0", "point": [1, 0, 0]},
    {"class": "Sensor", "name": "V0", "body": "crank0", "point": [1, 0, 0],
     "quantity": "velocity"},
    {"class": "SystemSensor", "name": "system", "quantity": "energy"}
  ],
  "runs": [{"duration": 10, "step": 0.001, "interval": 0.1}]
}
"""


def model(n):
    cranks = "".join(CRANK.format(i=i) for i in range(n + 1))
    couplers = "".join(COUPLER.format(i=i, j=i + 1) for i in range(n))
    return HEAD + cranks + couplers + TAIL


def main():
    here = pathlib.Path(__file__).parent
    stale = []
    for n in WINDOWS:
        path = here / f"n{n}.json"
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != model(n):
                stale.append(path.name)
        else:
            path.write_text(model(n))
    if stale:
        sys.exit(f"out of date: {', '.join(stale)}; run problems/A02/make.py")


if __name__ == "__main__":
    main()
