"""slider_crank.py - crank, rod and piston, run up from rest: the motion and the torque that it takes

    python slider_crank.py [FOLDER]         writes slider_crank.png (needs matplotlib) and .npz
"""
import math
import pathlib
import sys

import numpy as np

import cardan as cd

CRANK, ROD = 0.1, 0.3      # m
RUN_UP = 100.0             # rad/s^2


def build() -> cd.Model:
    m = cd.Model()
    # the crank stands upright at the start, the rod slopes down to the piston
    slope = -math.asin(CRANK / ROD)
    reach = ROD * math.cos(slope)
    crank = m.add(cd.RigidBody("crank", shape=cd.Cuboid([.02, CRANK, .02], density=7800),
                               position=[0, CRANK / 2, 0]))
    rod = m.add(cd.RigidBody("rod", shape=cd.Cuboid([ROD, .02, .02], density=7800),
                             position=[reach / 2, CRANK / 2, 0],
                             orientation=[math.cos(slope / 2), 0, 0, math.sin(slope / 2)]))
    piston = m.add(cd.RigidBody("piston", shape=cd.Cuboid([.06, .05, .05], density=2700),
                                position=[reach, 0, 0]))
    bearing = m.add(cd.RevoluteJoint("bearing", m.ground, crank, at=[0, 0, 0], axis=[0, 0, 1]))
    # parallel hinges say some things twice: m.check() tells, and the motion is found all the same
    m.add(cd.RevoluteJoint("pin", crank, rod, at=[0, CRANK, 0], axis=[0, 0, 1]))
    m.add(cd.RevoluteJoint("wrist", rod, piston, at=[reach, 0, 0], axis=[0, 0, 1]))
    m.add(cd.PrismaticJoint("cylinder", m.ground, piston, at=[reach, 0, 0], axis=[1, 0, 0]))
    m.add(cd.JointMotion("drive", bearing, motion=cd.law(lambda t: RUN_UP * t**2 / 2)))
    m.add(cd.Sensor("piston_at", piston, quantity="position"))
    m.add(cd.JointSensor("drive_torque", bearing, quantity="moment"))
    return m


def main() -> None:
    r = build().simulate(0.4, step=1e-4, interval=1e-3)
    phi = math.pi / 2 + RUN_UP * r.t**2 / 2
    exact = CRANK * np.cos(phi) + np.sqrt(ROD**2 - (CRANK * np.sin(phi))**2)
    print(r)
    print(f"largest error of the stroke: {np.max(np.abs(r['piston_at.x'] - exact)):.1e} m")
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    r.save(folder / "slider_crank.npz")
    try:
        axes = r.plot("piston_at.x")
    except ImportError:
        print("matplotlib is not installed: no plot")
        return
    axes.figure.savefig(folder / "slider_crank.png")


if __name__ == "__main__":
    main()
