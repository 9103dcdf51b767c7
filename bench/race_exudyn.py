"""race_exudyn.py - one run of Exudyn for the suite 'exudyn', on one thread, without files.

usage: race_exudyn.py version
       race_exudyn.py chain|robots|governor SIZE STEPS STEP SAMPLES    SAMPLES 0: timed, nothing is kept
       race_exudyn.py build|ready SIZE     a chain of bodies, assembled or ready to step

The last line on standard output is JSON: the time of the processor within the solver in seconds and
the samples, or the time of building and the memory that it took.
"""
import json
import resource
import sys
import time

sys.exudynFast = True  # the module without checks of ranges

try:
    import exudyn as exu
    import exudyn.itemInterface as items
    from exudyn.utilities import RigidBodyInertia, RotationMatrixY
    import numpy as np
except ImportError as missing:
    sys.exit(f"race_exudyn.py: {missing}; pip install exudyn brings it")

import race_models as race

# from here on a sparse solver is faster
SPARSE = 20


def system():
    return exu.SystemContainer().AddSystem()


def chain(mbs, n):
    marker = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(items.NodePointGround()), coordinate=0))
    for i in range(n):
        node = mbs.AddNode(items.Node1D(referenceCoordinates=[i + 1.0]))
        mbs.AddObject(items.Mass1D(mass=race.MASS, nodeNumber=node))
        before, marker = marker, mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
        mbs.AddObject(items.CoordinateSpringDamper(markerNumbers=[before, marker],
                                                   stiffness=race.STIFFNESS, damping=race.DAMPING))
    mbs.AddLoad(items.LoadCoordinate(markerNumber=marker, load=race.FORCE))
    return [items.SensorNode(nodeNumber=node, storeInternal=True, writeToFile=False,
                             outputVariableType=exu.OutputVariableType.Coordinates)]


def robots(mbs, n):
    for r in range(n):
        place, rotation = np.array(race.robot_base(r)), np.eye(3)
        before = mbs.CreateGround(referencePosition=place)
        servos = []
        for i, link in enumerate(race.LINKS):
            turn, step = np.array(race.link_frame(link)[0]), np.array(race.link_frame(link)[1])
            place, rotation = place + rotation @ step, rotation @ turn
            inertia = RigidBodyInertia(mass=link[3], inertiaTensor=np.diag(link[4])).Translated(link[5])
            body = mbs.CreateRigidBody(inertia=inertia, referencePosition=place, referenceRotationMatrix=rotation,
                                       gravity=[0, 0, -race.GRAVITY], nodeType=exu.NodeType.RotationEulerParameters)
            ends = [mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=before)),
                    mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localHT=exu.HT(
                        rotation=turn.T, translation=-turn.T @ step)))]
            mbs.AddObject(items.ObjectJointRevoluteZ(markerNumbers=ends))
            servos.append(mbs.AddObject(items.TorsionalSpringDamper(
                markerNumbers=ends, offset=race.servo_angle(r, i),
                stiffness=race.SERVO_STIFFNESS[i], damping=race.SERVO_DAMPING[i])))
            before = body
    return [items.SensorObject(objectNumber=servo, storeInternal=True, writeToFile=False,
                               outputVariableType=exu.OutputVariableType.Rotation) for servo in servos]


def governor(mbs, _):
    """the flyball governor of problems/A05: bodies at their centres, all turning about the shaft"""
    spin, pivot_x, pivot_z, start, tilt = 2 * np.pi, 0.05, 1.0, 0.5, np.pi / 6
    rod, ball = 0.3, 5.0

    def cuboid(mass, a, b, c):
        return mass / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])

    def body(mass, inertia, place, rotation=np.eye(3)):
        return mbs.CreateRigidBody(inertia=RigidBodyInertia(mass=mass, inertiaTensor=inertia),
                                   referencePosition=place, referenceRotationMatrix=rotation,
                                   initialVelocity=np.cross([0, 0, spin], place),
                                   initialAngularVelocity=[0, 0, spin], gravity=[0, 0, -race.GRAVITY],
                                   nodeType=exu.NodeType.RotationEulerParameters)

    ground = mbs.CreateGround()
    shaft = body(0.3, cuboid(0.3, 0.01, 0.01, 1), [0, 0, 0.5])
    slider = body(3.0, cuboid(3.0, 0.1, 0.1, 0.1), [0, 0, start])
    mbs.CreateRevoluteJoint(itemNumbers=[ground, shaft], position=[0, 0, 0], axis=[0, 0, 1])
    mbs.CreatePrismaticJoint(itemNumbers=[shaft, slider], position=[0, 0, start], axis=[0, 0, 1])
    centre = (rod * 0.5 + ball) / (rod + ball)
    off_axis = rod * (centre - 0.5) ** 2 + ball * (1 - centre) ** 2
    inertia = cuboid(rod, 1, 0.01, 0.01) + np.diag([0, off_axis, off_axis])
    for side in (1, -1):
        pivot, rotation = np.array([side * pivot_x, 0, pivot_z]), RotationMatrixY(side * tilt)
        arm = body(rod + ball, inertia, pivot + rotation @ [side * centre, 0, 0], rotation)
        mbs.CreateRevoluteJoint(itemNumbers=[shaft, arm], position=pivot, axis=[0, 1, 0])
        mbs.CreateSpringDamper(itemNumbers=[slider, arm], localPosition0=[side * pivot_x, 0, 0],
                               localPosition1=[side * (0.5 - centre), 0, 0],
                               referenceLength=0.5, stiffness=8e5, damping=4e4)
    return [items.SensorBody(bodyNumber=slider, storeInternal=True, writeToFile=False,
                             outputVariableType=exu.OutputVariableType.Position)]


def settings_of(case, n, steps, step):
    s = exu.SimulationSettings()
    s.solution.file.write = False
    s.solution.sensors.active = False
    s.parallel.numberOfThreads = 1
    s.timeIntegration.endTime = steps * step
    s.timeIntegration.numberOfSteps = steps
    s.timeIntegration.verboseMode = 0
    s.timeIntegration.newton.useModifiedNewton = True
    solver = exu.LinearSolverType.EigenSparse
    if case == "robots":
        s.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    if case == "chain" and n < SPARSE:
        solver = exu.LinearSolverType.EXUdense
    if case == "governor":
        solver = exu.LinearSolverType.EXUdense
        s.timeIntegration.newton.relativeTolerance = 1e-6
        s.timeIntegration.newton.maxModifiedNewtonIterations = 3
    s.linearSolver.solverType = solver
    return s


def solve(case, n, steps, step, samples):
    mbs = system()
    make = {"chain": chain, "robots": robots, "governor": governor}[case](mbs, n)
    sensors = [mbs.AddSensor(sensor) for sensor in make] if samples else []
    mbs.Assemble()
    s = settings_of(case, n, steps, step)
    if samples:
        s.solution.sensors.active = True
        s.solution.sensors.writePeriod = steps * step / samples
    kind = exu.DynamicSolverType.TrapezoidalIndex2 if case == "governor" else exu.DynamicSolverType.GeneralizedAlpha
    begin = time.process_time()
    mbs.SolveDynamic(s, solverType=kind)
    seconds = time.process_time() - begin
    columns = [mbs.GetSensorStoredData(sensor)[:, -1].tolist() for sensor in sensors]
    return {"seconds": seconds, "samples": [list(row) for row in zip(*columns)],
            "iterations": mbs.sys["dynamicSolver"].it.newtonStepsCount}


def peak_kb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def build(case, n):
    """a chain of bodies and hinges with the items by hand, the quickest way that there is"""
    before_kb, begin = peak_kb(), time.process_time()
    mbs = system()
    before = mbs.AddObject(items.ObjectGround())
    for i in range(n):
        node = mbs.AddNode(items.NodeRigidBodyEP(referenceCoordinates=[i + 0.5, 0, 0, 1, 0, 0, 0]))
        body = mbs.AddObject(items.ObjectRigidBody(name=f"b{i}", nodeNumber=node, mass=1.0,
                                                   inertia=[1, 1, 1, 0, 0, 0]))
        mass = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=mass, loadVector=[0, -race.GRAVITY, 0]))
        a = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=before, localPosition=[0.5 if i else 0, 0, 0]))
        b = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[-0.5, 0, 0]))
        mbs.AddObject(items.ObjectJointRevoluteZ(name=f"j{i}", markerNumbers=[a, b]))
        before = body
    mbs.Assemble()
    if case == "ready":
        # start values and accelerations; Newton's matrix gets its pattern with the first step
        settings, solver = settings_of(case, n, 1, 1e-3), exu.MainSolverImplicitSecondOrder()
        if not solver.InitializeSolver(mbs, settings):
            sys.exit("race_exudyn.py: the solver cannot be initialised")
    return {"seconds": time.process_time() - begin, "kb": peak_kb() - before_kb}


def main(case, *numbers):
    if case == "version":
        return {"version": exu.__version__}
    if case in ("build", "ready"):
        return build(case, int(numbers[0]))
    n, steps, step, samples = numbers
    return solve(case, int(n), int(steps), float(step), int(samples))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
