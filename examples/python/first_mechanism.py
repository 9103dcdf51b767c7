"""first_mechanism.py - a bar on a hinge: build, check, simulate, look

    python first_mechanism.py [FOLDER]      writes swing.html, to be opened in a browser
"""
import pathlib
import sys

import numpy as np

import cardan as cd


def build() -> cd.Model:
    m = cd.Model(gravity=[0, -9.81, 0])
    link = m.add(cd.RigidBody("link", shape=cd.Cuboid([1, .1, .1], density=5000), position=[.5, 0, 0]))
    m.add(cd.RevoluteJoint("hinge", m.ground, link, at=[0, 0, 0], axis=[0, 0, 1]))
    m.add(cd.Sensor("tip", link, point=[.5, 0, 0], quantity="position"))
    return m


def main() -> None:
    m = build()
    print(m.check())
    r = m.simulate(4, step=1e-3)
    print(r)
    print(f"lowest point of the tip: {np.min(r['tip.y']):.4f} m")
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    r.save(folder / "swing.html")
    m.draw(names=True).save(folder / "swing.svg")


if __name__ == "__main__":
    main()
