#!/usr/bin/env python3
"""build_models.py - how long it takes to build a chain of bodies and joints, here and in Exudyn

    build_models.py [BODIES [TURNS [NAME...]]]   both packages must be importable; the best of five
                                                 turns; names: cardan, create, items
"""
import sys
import time

try:
    import numpy as np

    import cardan as cd
except ImportError as missing:
    sys.exit(f"build_models.py: {missing}; see bench/README.md, Python")

TURNS = 5


def cardan_chain(n):
    m = cd.Model(gravity=[0, -9.81, 0])
    before = m.ground
    for i in range(n):
        body = m.add(cd.RigidBody(f"body{i}", mass=1.0, inertia=[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                                  position=[i + 0.5, 0, 0]))
        m.add(cd.RevoluteJoint(f"joint{i}", before, body, at=[i, 0, 0], axis=[0, 0, 1]))
        before = body
    return m


def exudyn_chain(n):
    import exudyn as exu
    import exudyn.utilities as eu
    mbs = exu.SystemContainer().AddSystem()
    before = mbs.CreateGround()
    inertia = eu.RigidBodyInertia(mass=1.0, inertiaTensor=np.eye(3))
    for i in range(n):
        body = mbs.CreateRigidBody(name=f"body{i}", inertia=inertia, referencePosition=[i + 0.5, 0, 0],
                                   gravity=[0, -9.81, 0])
        mbs.CreateRevoluteJoint(name=f"joint{i}", itemNumbers=[before, body], position=[i, 0, 0],
                                axis=[0, 0, 1])
        before = body
    return mbs


def exudyn_items(n):
    """the same with items and markers by hand, the quickest way that it has"""
    import exudyn as exu
    import exudyn.itemInterface as ei
    mbs = exu.SystemContainer().AddSystem()
    before = mbs.AddObject(ei.ObjectGround())
    for i in range(n):
        node = mbs.AddNode(ei.NodeRigidBodyEP(referenceCoordinates=[i + 0.5, 0, 0, 1, 0, 0, 0]))
        body = mbs.AddObject(ei.ObjectRigidBody(name=f"body{i}", nodeNumber=node, mass=1.0,
                                                inertia=[1, 1, 1, 0, 0, 0]))
        mass = mbs.AddMarker(ei.MarkerBodyMass(bodyNumber=body))
        mbs.AddLoad(ei.LoadMassProportional(markerNumber=mass, loadVector=[0, -9.81, 0]))
        a = mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=before, localPosition=[0.5 if i else 0, 0, 0]))
        b = mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=body, localPosition=[-0.5, 0, 0]))
        mbs.AddObject(ei.ObjectJointRevoluteZ(name=f"joint{i}", markerNumbers=[a, b]))
        before = body
    return mbs


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else TURNS
    builders = {"cardan": cardan_chain, "create": exudyn_chain, "items": exudyn_items}
    builders = {name: builders[name] for name in sys.argv[3:] or builders}
    best = dict.fromkeys(builders, float("inf"))
    for _ in range(turns):
        for name, build in builders.items():
            start = time.perf_counter()
            try:
                build(n)
            except ImportError:
                del best[name]
                continue
            best[name] = min(best[name], time.perf_counter() - start)
        builders = {name: builders[name] for name in best}
    for name, seconds in best.items():
        print(f"{name:16s} {seconds:8.3f} s   {seconds / best['cardan']:5.2f} x cardan")


if __name__ == "__main__":
    main()
