"""step_by_step.py - a controller in Python: an arm is driven to an angle, sample by sample"""
import math

import cardan as cd

TARGET = math.pi / 4     # rad
SAMPLE = 0.01            # s
GAIN, RATE_GAIN = 60.0, 12.0


def build() -> cd.Model:
    m = cd.Model(gravity=[0, -9.81, 0])
    arm = m.add(cd.RigidBody("arm", shape=cd.Cuboid([1, .05, .05], density=1000), position=[.5, 0, 0]))
    hinge = m.add(cd.RevoluteJoint("hinge", m.ground, arm, at=[0, 0, 0], axis=[0, 0, 1]))
    m.add(cd.TorsionalActuator("motor", m.ground, arm, at=[0, 0, 0], axis=[0, 0, 1],
                               torque=cd.input(0.0)))
    m.add(cd.JointSensor("angle", hinge, quantity="coordinates"))
    m.add(cd.JointSensor("rate", hinge, quantity="rates"))
    return m


def main() -> None:
    sim = build().start()
    phi, rate = (name for name in sim.channels)
    while sim.t < 2:
        weight = 2.5 * 9.81 * 0.5 * math.cos(sim[phi])
        sim["motor.torque"] = GAIN * (TARGET - sim[phi]) - RATE_GAIN * sim[rate] + weight
        sim.run(sim.t + SAMPLE)
    print(f"after {sim.t:g} s the arm stands at {math.degrees(sim[phi]):.4f} degrees")

    # back to a state that was kept: the motion goes on bit for bit
    state = sim.state()
    sim["motor.torque"] = 0.0
    sim.run(3)
    print(f"without torque it falls: {math.degrees(sim[phi]):.1f} degrees at {sim.t:g} s")
    sim.set_state(state)
    print(f"and back: {math.degrees(sim[phi]):.4f} degrees at {sim.t:g} s")


if __name__ == "__main__":
    main()
