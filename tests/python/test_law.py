"""test_law.py - laws of one's own: traced ones run in C, called ones in Python, in any thread"""
import concurrent.futures
import copy
import gc
import json
import math
import pickle
import re
import sys
import threading
import unittest
import weakref

import numpy as np

import cardan as cd
from cardan import _cardan
from cardan._results import without_functions


def oscillator(force, **options):
    """mass 1 on a line, with a force and sensors of its place and speed"""
    m = cd.Model()
    b = m.add(cd.MassPoint1D("b", mass=1, axis=[1, 0, 0], coordinate=1))
    m.add(cd.CoordinateMarker("x", b, coordinate="s"))
    m.add(cd.Sensor("at", b, quantity="position"))
    m.add(cd.Sensor("speed", b, quantity="velocity"))
    m.add(cd.CoordinateLoad("law", marker="x", force=force), **options)
    return m


def run(m, **options):
    return m.simulate(3, method="dop853(rtol=1e-10, atol=1e-12)", **options)


class Laws(unittest.TestCase):
    def test_a_traced_law_is_an_expression_of_the_model(self):
        @cd.law(x="at.x")
        def spring(t, x):
            """a spring"""
            return -4 * x

        self.assertEqual(spring.text, "((-4.0) * at.x)")
        self.assertEqual((spring(0, 2), spring.__doc__), (-8, "a spring"))
        r = run(oscillator(spring))
        np.testing.assert_allclose(r["at.x"], np.cos(2 * r.t), atol=1e-7)
        self.assertIn("at.x", oscillator(spring).to_json())

    def test_traced_and_called_laws_agree(self):
        def law(t, x, v):
            return cd.where(x > 0, -4 * x, -9 * x) - 0.1 * v + np.sin(t) * np.exp(-abs(x))

        traced = run(oscillator(cd.law(law, x="at.x", v="speed.vx")))
        called = run(oscillator(cd.call(law, x="at.x", v="speed.vx")))
        np.testing.assert_allclose(called["at.x"], traced["at.x"], atol=1e-8)

    def test_what_a_law_uses_twice_is_computed_once(self):
        @cd.law(x="at.x")
        def law(t, x):
            d = x - 1
            return d * d + d * t

        self.assertEqual(law.text, "_1 = (at.x - 1.0); ((_1 * _1) + (_1 * t))")
        m = oscillator(cd.law(lambda t, _1: (_1 + t) * (_1 + t), _1="_1"))
        self.assertIn("((_1 + t) * (_1 + t))", m.to_json())
        shared = cd.law(lambda t, _1: [(_1 + t) * s for s in (_1 + t,)][0] + cd.where((a := _1 * 2) > 0, a, -a))
        self.assertTrue(shared.text.startswith("__1 = (_1 * 2.0); "), shared.text)

    def test_laws_may_be_long(self):
        for steps in (100, 1000):
            def law(t, x):
                y = x
                for _ in range(steps):  # 4 operations each; as one formula it would be 4 times as long each time
                    y = y - y * y * y / 1000
                return -4 * x + 0.1 * y

            traced, called = run(oscillator(cd.law(law, x="at.x"))), run(oscillator(cd.call(law, x="at.x")))
            np.testing.assert_allclose(called["at.x"], traced["at.x"], atol=1e-8)

    def test_laws_may_be_deep_in_every_way(self):
        forms = (lambda y: 1 + y / 2, lambda y: y / 2 + 1, lambda y: -y, lambda y: ~(y > 0),
                 lambda y: cd.where(y > 0, y, 1), lambda y: cd.where(y > 0, 1, y / 2), lambda y: np.sin(y),
                 lambda y: cd.fn.max(0, y), lambda y: 0.5**y)
        for form in forms:
            def law(t):
                y = t
                for _ in range(400):
                    y = form(y)
                return y

            self.assertTrue(np.isfinite(oscillator(cd.law(law)).simulate(0.1)["at.x"]).all())

    def test_laws_that_are_too_long_are_told(self):
        def law(t):
            return sum(np.sin(k * t) for k in range(1, 4000))

        with self.assertRaisesRegex(cd.Error, "the expression is too long"):
            oscillator(cd.law(law)).simulate(0.1)

    def test_arguments_with_defaults_keep_them(self):
        def law(t, k=4, x=0, *, c=0):
            return -k * x - c

        for make in (cd.law, cd.call):
            r = run(oscillator(make(law, x="at.x")))
            np.testing.assert_allclose(r["at.x"], np.cos(2 * r.t), atol=1e-7)

    def test_all_functions_and_operators_can_be_traced(self):
        @cd.law
        def law(t):
            return (cd.where((t >= 0) & ~(t > 9) | (t == 1), +t**2 / 2, 2**t) + np.square(t) - 1 / (1 + t)
                    + np.maximum(t, 0.5) + np.arctan2(t, 1.0) + cd.fn.clamp(t, 0, 1) + abs(-t))

        r = oscillator(law).simulate(0.1)
        self.assertTrue(np.isfinite(r["at.x"]).all())

    def test_functions_of_numpy_mean_the_same_in_a_law_and_in_a_function(self):
        ways = [lambda x: np.abs(x) + np.fabs(x), lambda x: x % 0.3 + 2 % (x + 3), lambda x: np.mod(x, -0.3),
                lambda x: x // 0.3 + 2 // (x + 3) + np.floor_divide(x, 0.7), lambda x: np.clip(x, -0.2, 0.4),
                lambda x: np.where(x > 0.1, x, 2 * x), lambda x: cd.where(np.logical_not(x > 0), x, 3),
                lambda x: np.reciprocal(x + 2) + np.positive(x), lambda x: (np.array([1, 2, 3]) * x).sum(),
                lambda x: np.stack([x, 2 * x]) @ [1, 3], lambda x: cd.fn.clamp(x, -0.2, 0.4) + cd.fn.sin(x)]
        for way in ways:
            law = cd.law(way)
            self.assertRegex(law.text, r"\bx\b")
            for x in (-0.75, -0.1, 0.2, 0.6):
                self.assertAlmostEqual(_cardan.value(re.sub(r"\bx\b", f"({x})", law.text)), float(way(x)), 12, law.text)

    def test_what_cannot_be_traced_is_told(self):
        for wrong, kind, text in ((lambda t: 1 if t > 0 else 2, TypeError, "cardan.where"),
                                  (lambda t: math.sin(t), TypeError, "functions of cardan or numpy"),
                                  (lambda t: t * float("nan"), ValueError, "must not contain nan"),
                                  (lambda t: np.logaddexp(t, 2), TypeError, "laws have no function")):
            with self.assertRaisesRegex(kind, text):
                cd.law(wrong)
        with self.assertRaisesRegex(TypeError, "has no argument 'y'"):
            cd.law(lambda t: t, y="at.x")
        with self.assertRaisesRegex(TypeError, "must name its arguments"):
            cd.call(lambda *args: 0)
        with self.assertRaisesRegex(TypeError, "the arguments of max are not known"):
            cd.call(max)
        with self.assertRaisesRegex(AttributeError, "laws have no function 'sine'"):
            cd.fn.sine(1)
        with self.assertRaisesRegex(TypeError, "takes 1 arguments, not 2"):
            cd.fn.sin(1, 2)

    def test_parameters_in_laws(self):
        m = cd.Model()
        k = m.parameter("k", 4)
        b = m.add(cd.MassPoint1D("b", mass=1, axis=[1, 0, 0], coordinate=1))
        m.add(cd.CoordinateMarker("x", b, coordinate="s"))
        m.add(cd.Sensor("at", b, quantity="position"))
        m.add(cd.CoordinateLoad("law", marker="x", force=cd.law(lambda t, x: -k * x, x="at.x")))
        for value in (4, 9):
            r = run(m, parameters={"k": value})
            np.testing.assert_allclose(r["at.x"], np.cos(math.sqrt(value) * r.t), atol=1e-7)

    def test_exceptions_of_called_laws_come_through_with_what_was_computed(self):
        def law(t):
            if t > 1:
                raise LookupError("too late")
            return 1.0

        for threads in (1, 2):
            m = oscillator(law)
            with self.assertRaisesRegex(LookupError, "too late") as caught:
                m.simulate(3, step=0.01, threads=threads)
            self.assertGreater(len(caught.exception.result), 5)
            m = oscillator(law)
            sim = m.start(f"integrator=rk4(step=0.01) threads={threads}")
            with self.assertRaisesRegex(LookupError, "too late"):
                sim.run(3)
            self.assertAlmostEqual(sim.t, 1, delta=0.05)
        for wrong in ("text", None, [1.0], 1j):
            with self.assertRaises(TypeError):
                oscillator(lambda t, w=wrong: w).simulate(0.1)
        with self.assertRaises(SystemExit):
            oscillator(lambda t: exit()).simulate(0.1)

    def test_a_run_that_raises_leaves_the_others_alone(self):
        def law(t, c):
            if c < 0 and t > 0.05:
                raise LookupError("negative")
            return c

        m = oscillator(0)
        m.parameter("c", 1)
        m.define("law", law)
        m["law"].force = "law(t, c)"

        def end(c):
            try:
                return m.simulate(0.2, method="rk4(step=0.001)", parameters={"c": c})["speed.vx"][-1]
            except LookupError as error:
                return str(error)

        # threads take turns often, so that runs do meet what others raise
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-5)
        given = [1, -1, 2, -1, 3, 4, -1, 5] * 25
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for c, v in zip(given, pool.map(end, given)):
                self.assertEqual(v, "negative") if c < 0 else self.assertAlmostEqual(v, 0.2 * c, delta=1e-9)
        with self.assertRaises(cd.Error) as caught:
            m.define("1", law)
        self.assertEqual(len(caught.exception.messages), 1)  # none of runs that raised something else

    def test_functions_that_are_not_called_are_no_part_of_the_model(self):
        m = oscillator(lambda t: 1)
        self.assertRaises(cd.Error, m.write, "never.json")
        m["law"].force = 2
        with self.assertRaises(cd.Error):
            m.add(cd.CoordinateLoad("wrong", marker="x", force=lambda t: 1, coordinate=3))
        self.assertEqual(run(copy.copy(m))["at.x"][-1], run(m)["at.x"][-1])
        m.define("s", lambda t: 1)
        self.assertRaises(TypeError, copy.copy, m)  # it would be lost
        m["law"].force = "cos(t) + s (t)"
        model = m.to_json()
        self.assertEqual(without_functions(model, ["os"]), json.dumps(json.loads(model)))
        self.assertNotIn("cos", without_functions(model, ["s"]))

    def test_what_is_raised_can_be_pickled_with_its_result(self):
        def late(t):
            if t > 0.5:
                raise LookupError("late")
            return 0.0

        for use in (lambda: oscillator(late).simulate(1, step=0.01), lambda: oscillator(late).start().record(1),
                    lambda: cd.solve_ode(lambda t, y: late(t), [0], (0, 1))):
            with self.assertRaises(LookupError) as caught:
                use()
            again = pickle.loads(pickle.dumps(caught.exception))
            self.assertLess(again.result.t[-1], 0.6)

    def test_laws_can_be_pickled(self):
        load = cd.CoordinateLoad("law", marker="x", force=cd.law(lambda t: 2 * t))
        again = pickle.loads(pickle.dumps(load)).force
        self.assertEqual((again.text, repr(again)), ("(2.0 * t)", repr(load.force)))
        self.assertRaisesRegex(TypeError, "was not pickled, only its expression", again, 1)
        self.assertEqual((copy.copy(load).force(3), copy.deepcopy(load).force(3)), (6, 6))

    def test_laws_of_sensors_with_any_name(self):
        m = oscillator(0)
        m.add(cd.Sensor("at höhe-1", m["b"], quantity="position"))
        for make in (cd.law, cd.call):
            m["law"].force = make(lambda t, x: -4 * x, x="at höhe-1.x")
            r = run(m)
            np.testing.assert_allclose(r["at höhe-1.x"], np.cos(2 * r.t), atol=1e-7)

    def test_called_laws_with_threads(self):
        def build(n, make):
            m = cd.Model()
            for i in range(n):
                b = m.add(cd.MassPoint1D(f"b{i}", mass=1, axis=[1, 0, 0], coordinate=1 + i))
                m.add(cd.CoordinateMarker(f"x{i}", b, coordinate="s"))
                m.add(cd.Sensor(f"at{i}", b, quantity="position"))
                m.add(cd.CoordinateLoad(f"law{i}", marker=f"x{i}", force=make(i)))
            return m

        called = build(20, lambda i: cd.call(lambda t, x: -x, x=f"at{i}.x"))
        one = called.simulate(0.5, method="rk4(step=0.01)", threads=1)
        two = called.simulate(0.5, method="rk4(step=0.01)", threads=2)
        self.assertEqual(one.stats["state"], two.stats["state"])
        np.testing.assert_allclose(one["at3.x"], 4 * np.cos(one.t), atol=1e-6)

    def test_models_and_their_functions_are_collected(self):
        class Token:
            pass

        def make():
            token = Token()
            m = oscillator(lambda t: 0.0 * len([token, m_of_closure]))
            m_of_closure = m
            sim = m.start()
            sim.step()
            token.sim = sim
            return weakref.ref(token)

        ref = make()
        gc.collect()
        self.assertIsNone(ref())

    def test_functions_may_use_other_models(self):
        inner = oscillator("-at.x")
        values = []

        def law(t):
            if not values:
                values.append(inner.simulate(0.1, method="rk4(step=0.01)")["at.x"][-1])
            return values[0]

        r = oscillator(law).simulate(0.1, method="rk4(step=0.01)")
        self.assertEqual(len(values), 1)
        self.assertTrue(np.isfinite(r["at.x"]).all())

    def test_a_function_that_changes_its_model_is_refused(self):
        m = oscillator(lambda t: setattr(m["b"], "mass", 2) or 0.0)
        with self.assertRaisesRegex(cd.Error, "the model is in use by another thread"):
            m.simulate(0.1)

    def test_two_threads_with_functions(self):
        results = []

        def work():
            results.append(run(oscillator(cd.call(lambda t, x: -x, x="at.x")))["at.x"][-1])

        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(set(results)), 1)


if __name__ == "__main__":
    unittest.main()
