"""test_parameters.py - parameters of models and simulations, inputs, runs of files"""
import copy
import math
import pickle
import unittest

import numpy as np

import cardan as cd
from test_model import G, ROOT, pendulum


def swing(length=1.0):
    """a point on a rod: its period follows from the parameter L"""
    m = cd.Model(gravity=[0, -G, 0])
    L = m.parameter("L", length)
    ball = m.add(cd.MassPoint3D("ball", mass=1, position=[L * cd.fn.sin(0.01), -L * cd.fn.cos(0.01), 0]))
    m.add(cd.Marker("pin", m.ground))
    m.add(cd.Marker("bob", ball))
    m.add(cd.DistanceJoint("rod", marker_a="pin", marker_b="bob", length=L))
    m.add(cd.Sensor("ball_at", ball, quantity="position"))
    return m


def period(r):
    """of the first whole swing, from the zero crossings of x"""
    x, t = r["ball_at.x"], r.t
    k = np.nonzero(x[:-1] * x[1:] < 0)[0][:3]
    at = t[k] - x[k] * (t[k + 1] - t[k]) / (x[k + 1] - x[k])
    return at[2] - at[0]


class Parameters(unittest.TestCase):
    def refused(self, text, call, *args, **kwargs):
        with self.assertRaises(cd.Error) as caught:
            call(*args, **kwargs)
        self.assertEqual(str(caught.exception), text)

    def test_fields_follow_parameters(self):
        m = cd.Model()
        L = m.parameter("L", "500 mm")
        m.parameters["rho"] = 2
        b = m.add(cd.MassPoint3D("b", mass="rho*L", position=[L, 2 * L - 1, -(L**2)]))
        self.assertEqual((b.mass, b.position), (1, [0.5, 0, -0.25]))
        m.parameters["L"] = 1
        self.assertEqual((b.mass, b.position), (2, [1, 1, -1]))
        m.parameters.update(L="2 m", rho="L/2")
        self.assertEqual((b.mass, dict(m.parameters)), (2, {"L": 2, "rho": 1}))
        self.assertEqual(repr(m.parameters), "{'L': 2.0, 'rho': 1.0}")
        self.assertEqual((len(m.parameters), "L" in m.parameters), (2, True))

    def test_a_value_that_a_field_refuses_changes_nothing(self):
        m = cd.Model()
        m.parameter("m", 1)
        b = m.add(cd.MassPoint3D("b", mass="m"))
        with self.assertRaisesRegex(cd.Error, "must be above 0 kg, not -1"):
            m.parameters["m"] = -1
        self.assertEqual((m.parameters["m"], b.mass), (1, 1))
        for wrong, kind in ((float("nan"), ValueError), (float("inf"), ValueError), ([1], TypeError),
                            (None, TypeError)):
            with self.assertRaises(kind):
                m.parameters["m"] = wrong
        with self.assertRaises(cd.Error):
            m.parameters["not a name"] = 1
        with self.assertRaises(TypeError):
            m.parameters[1.5] = 1
        with self.assertRaises(TypeError):
            del m.parameters["m"]
        with self.assertRaises(KeyError):
            m.parameters["k"]

    def test_runs_with_other_parameters(self):
        m = swing()
        for length in (0.5, 2):
            r = m.simulate(2 * math.tau * math.sqrt(length / G), step=1e-3, interval=1e-3,
                           parameters={"L": length})
            # amplitude 0.01: the period is longer by a^2/16
            self.assertAlmostEqual(period(r), math.tau * math.sqrt(length / G) * (1 + 0.01**2 / 16),
                                   delta=1e-5)
        self.assertEqual(m.parameters["L"], 1)
        self.refused("there is no parameter 'l'; did you mean 'L'?", m.simulate, 1, parameters={"l": 1})

    def test_a_simulation_is_run_again_without_being_assembled(self):
        m = swing()
        sim = m.start("gen-alpha(step=0.001, adaptive=false)")
        for length in (2.0, 0.5):
            sim.restart(L=length)
            self.assertEqual((sim.t, sim["L"], sim.parameters), (0, length, {"L": length}))
            r = sim.record(2 * math.tau * math.sqrt(length / G), 1e-3)
            self.assertAlmostEqual(period(r), math.tau * math.sqrt(length / G), delta=1e-4)
        self.assertEqual(m.parameters["L"], 1)
        self.refused("there is no parameter 'k'", sim.__setitem__, "k", 1)
        with self.assertRaisesRegex(cd.Error, "the state violates the joint with the new parameters"):
            sim["L"] = 0.8
        with self.assertRaisesRegex(cd.Error, "must be above 0 m, not -1"):
            sim.restart({"L": -1})
        self.assertEqual((sim.t, sim["L"]), (0, 0.5))
        with self.assertRaisesRegex(TypeError, "parameter 'L' of a simulation must be a number"):
            sim.restart({"L": "2 m"})
        self.refused("a simulation of the model exists; set parameters of the simulation, or delete it",
                     m.parameters.__setitem__, "L", 3)

    def test_a_parameter_changes_while_the_motion_goes_on(self):
        m = cd.Model()
        m.parameter("F", 1)
        b = m.add(cd.MassPoint1D("b", mass=1, axis=[1, 0, 0]))
        m.add(cd.CoordinateMarker("x", b, coordinate="s"))
        m.add(cd.CoordinateLoad("push", marker="x", force="F"))
        m.add(cd.Sensor("at", b, quantity="position"))
        sim = m.start("dopri5")
        sim.run(1)
        state = sim.state()
        sim["F"] = -1
        sim.run(2)
        self.assertAlmostEqual(sim["at.x"], 0.5 + 1 - 0.5, delta=1e-12)
        sim.set_state(state)
        self.assertEqual((sim.t, sim["F"]), (1, 1))
        sim.run(2)
        self.assertAlmostEqual(sim["at.x"], 2, delta=1e-12)

    def test_inputs_are_set_by_the_names_of_item_and_field(self):
        m = cd.Model()
        rotor = m.add(cd.Rotor("rotor", inertia=2, axis=[0, 0, 1]))
        m.add(cd.TorsionalActuator("motor", m.ground, rotor, axis=[0, 0, 1], torque=cd.input()))
        m.add(cd.Sensor("spin", rotor, quantity="angular_velocity"))
        sim = m.start()
        sim.run(1)
        self.assertEqual(sim["spin.wz"], 0)
        sim["motor.torque"] = 1.0
        self.assertEqual(sim["motor.torque"], 1)
        s = sim.state()
        sim.run(3)
        self.assertAlmostEqual(sim["spin.wz"], 1, delta=1e-9)
        sim.set_state(s)
        self.assertEqual(sim.t, 1)
        r = m.simulate(2, parameters={"motor.torque": 3})
        self.assertAlmostEqual(r["spin.wz"][-1], 3, delta=1e-9)
        again = pickle.loads(pickle.dumps(m)).start()
        again["motor.torque"] = 2
        again.run(1)
        self.assertAlmostEqual(again["spin.wz"], 1, delta=1e-9)
        with self.assertRaisesRegex(cd.Error, "there is no parameter 'motor.speed'"):
            sim["motor.speed"] = 1

    def test_types_that_no_parameter_has(self):
        m = cd.Model()
        for value in ([1], None, np.array([1.0, 2.0]), 1j):
            with self.assertRaisesRegex(TypeError, "parameter 'L' must be a number or text, not <class "):
                m.parameter("L", value)

    def test_inputs_follow_their_field(self):
        m = cd.Model()
        ball = m.add(cd.RigidBody("ball", shape=cd.Sphere(0.1, density=1000)))
        with self.assertRaises(cd.Error):
            m.add(cd.Force("push", ball, x=cd.input(1), y=[1, 2]))
        push = m.add(cd.Force("push", ball, x=cd.input(2), point=[cd.input(3), 0, cd.input(4)]))
        self.assertEqual(dict(m.parameters), {"push_x": 2, "push_point_0_": 3, "push_point_2_": 4})
        self.assertEqual((m.parameters["push.x"], m.parameters["push.point[2]"]), (2, 4))
        push.x = cd.input(5)
        self.assertEqual((m.parameters["push_x"], push.point), (5, [3, 0, 4]))
        sim = m.start()
        sim["push.point[0]"] = 6
        self.assertEqual(sim.parameters["push_point_0_"], 6)
        del sim
        push.x = 7
        with self.assertRaisesRegex(cd.Error, "there is no parameter 'push.x'"):
            m.start()["push.x"] = 1

    def test_runs_of_a_file(self):
        path = ROOT / "examples" / "mechanisms" / "slider_crank.json"
        m = cd.Model.read(path)
        options = m.runs[0]
        r = m.simulate(duration=0.05)
        self.assertAlmostEqual(r.t[-1], 0.05)
        first = m.simulate(run=0, duration=0.05)
        direct = m.simulate(**{**options, "duration": 0.05})
        self.assertEqual(first.stats["state"], direct.stats["state"])
        with self.assertRaisesRegex(KeyError, "no run 7"):
            m.simulate(run=7)
        with self.assertRaisesRegex(TypeError, "the model has no runs; give a duration"):
            pendulum()[0].simulate()

    def test_copies_and_pickles(self):
        m, link = pendulum()
        r = m.simulate(0.1, step=1e-3)
        for again in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
            self.assertEqual(again.simulate(0.1, step=1e-3).stats["state"], r.stats["state"])
        back = pickle.loads(pickle.dumps(r))
        np.testing.assert_array_equal(back["tip.*"], r["tip.*"])
        self.assertEqual((back.stats, back.units), (r.stats, r.units))
        twin = copy.deepcopy(link)
        twin.mass = 3
        self.assertAlmostEqual(link.mass, 50)
        other = cd.Model()
        self.assertEqual(other.add(twin).mass, 3)
        self.assertEqual(pickle.loads(pickle.dumps(link)).name, "link")
        m.define("f", lambda t: 0.0)
        with self.assertRaisesRegex(TypeError, "functions of Python cannot be copied or pickled"):
            pickle.dumps(m)


if __name__ == "__main__":
    unittest.main()
