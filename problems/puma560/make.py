#!/usr/bin/env python3
"""make.py - writes model.json of the PUMA 560 from its Denavit-Hartenberg table

    make.py          writes the file
    make.py --check  says whether it is up to date

The frame of link i is that of the standard convention, T_i = T_i-1 Rz(q) Tz(d) Tx(a) Rx(alpha),
at the start q = (0, pi/4, pi, 0, pi/4, 0). Joint i is between the frame of link i-1 and the frame
"link i before Tz(d) Tx(a) Rx(alpha)", so that its angle is q_i.
"""
import math
import pathlib
import sys

PI = math.pi
START = (0, PI / 4, PI, 0, PI / 4, 0)
#        d       a      alpha
TABLE = ((0.672, 0, PI / 2), (0, 0.4318, 0), (0.15005, 0.0203, -PI / 2),
         (0.4318, 0, PI / 2), (0, 0, -PI / 2), (0, 0, 0))
# Link 1 has no mass in the data and turns about a fixed axis, with 0.35 kg m^2. Its mass is on that
# axis and its other moments never move, so any will do. Link 3 has moments that no body has
# (0.066 + 0.0125 < 0.086). Links 2 and 3 share the components of angular velocity perpendicular to
# their joint (z of link 2, y of link 3), so SHIFT (1 - axis axis^T) may go from one to the other.
SHIFT = 0.004
LINKS = ((1, (0, 0, 0), (0.35, 0.35, 0.35)),
         (17.4, (-0.3638, 0.006, 0.2275), (0.13 - SHIFT, 0.524 - SHIFT, 0.539)),
         (4.8, (-0.0203, -0.0141, 0.07), (0.066 + SHIFT, 0.086, 0.0125 + SHIFT)),
         (0.82, (0, 0.019, 0), (1.8e-3, 1.3e-3, 1.8e-3)),
         (0.34, (0, 0, 0), (0.3e-3, 0.4e-3, 0.3e-3)),
         (0.09, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)))
MOTORS = ((200e-6, -62.6111), (200e-6, 107.815), (200e-6, -53.7063),
          (33e-6, 76.0364), (33e-6, 71.923), (33e-6, 76.686))


def turn(axis, angle):
    q = [math.cos(angle / 2), 0, 0, 0]
    q[1 + axis] = math.sin(angle / 2)
    return q


def mul(p, q):
    a, b, c, d = p
    e, f, g, h = q
    return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e]


def rotate(q, v):
    conjugate = [q[0], -q[1], -q[2], -q[3]]
    return mul(mul(q, [0, *v]), conjugate)[1:]


def numbers(v):
    return "[" + ", ".join(f"{0.0 if abs(x) < 1e-15 else x:.16g}" for x in v) + "]"


def link(i, position, orientation):
    mass, com, (x, y, z) = LINKS[i]
    return f"""
    {{"class": "RigidBody", "name": "link{i + 1}", "position": {numbers(position)},
     "orientation": {numbers(orientation)},
     "mass": {mass}, "com": {numbers(com)},
     "inertia": [[{x:.9g}, 0, 0], [0, {y:.9g}, 0], [0, 0, {z:.9g}]]}},
"""


def joint(i):
    d, a, alpha = TABLE[i]
    back = turn(0, -alpha)
    foot = [-x for x in rotate(back, (a, 0, d))]
    below = f"link{i}" if i else "ground"
    inertia, ratio = MOTORS[i]
    return f"""    {{"class": "Marker", "name": "a{i + 1}", "body": "{below}"}},
    {{"class": "Marker", "name": "b{i + 1}", "body": "link{i + 1}",
     "position": {numbers(foot)}, "orientation": {numbers(back)}}},
    {{"class": "RevoluteJoint", "name": "joint{i + 1}", "marker_a": "a{i + 1}",
     "marker_b": "b{i + 1}"}},
    {{"class": "GearedRotor", "name": "motor{i + 1}", "marker_a": "a{i + 1}",
     "marker_b": "b{i + 1}", "inertia": {inertia}, "ratio": {ratio}}},
    {{"class": "JointSensor", "name": "q{i + 1}", "joint": "joint{i + 1}"}},
    {{"class": "JointSensor", "name": "qd{i + 1}", "joint": "joint{i + 1}",
     "quantity": "rates"}},
"""


def model():
    text = """{
  "cardan": 1,
  "items": [
    {"class": "Gravity", "name": "gravity", "acceleration": [0, 0, -9.81]},
"""
    position, orientation = [0, 0, 0], [1, 0, 0, 0]
    for i, (d, a, alpha) in enumerate(TABLE):
        orientation = mul(orientation, turn(2, START[i]))
        step = rotate(orientation, (a, 0, d))
        position = [x + y for x, y in zip(position, step)]
        orientation = mul(orientation, turn(0, alpha))
        text += link(i, position, orientation) + joint(i)
    return text + """
    {"class": "SystemSensor", "name": "system", "quantity": "energy"}
  ],
  "runs": [{"duration": 2, "step": 0.001, "interval": 0.02}]
}
"""


def main():
    path = pathlib.Path(__file__).parent / "model.json"
    if "--check" not in sys.argv:
        path.write_text(model())
    elif not path.exists() or path.read_text() != model():
        sys.exit(f"out of date: {path.name}; run problems/puma560/make.py")


if __name__ == "__main__":
    main()
