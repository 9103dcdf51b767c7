"""test_attack.py - misuse of all kinds ends in an exception, never in a crash"""
import ctypes
import gc
import importlib.util
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import cardan as cd
from cardan import _cardan
from test_model import pendulum

ODD = [None, True, -1, 0, 2**70, -2**70, 1e400, float("nan"), "", "\0", "é\ud800", "x" * 5000, b"bytes", [], [[]],
       {}, {"class": 1}, {1: 2}, object(), int, lambda: 0, np.zeros((2, 2)), np.array(["a"]), np.array(None),
       np.zeros(3, dtype=complex), range(3), iter([]), Exception("x"), 1j, bytearray(8), memoryview(b"12345678")]


class Attacks(unittest.TestCase):
    def setUp(self):
        # some of the functions write files
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def tried(self, call, *args, **kwargs):
        """whatever it does, it does not crash"""
        try:
            call(*args, **kwargs)
        except (cd.Error, TypeError, ValueError, KeyError, AttributeError, OverflowError, MemoryError,
                RecursionError, BufferError, OSError):
            pass

    def test_odd_values_in_every_field_of_every_class(self):
        m = cd.Model()
        for name, cls in cd._items.classes.items():
            named = issubclass(cls, cd.Item)
            for field in cls._fields:
                for k, odd in enumerate(ODD):
                    try:
                        part = cls(f"{name}{field}{k}", **{field: odd}) if named else cls(**{field: odd})
                    except (cd.Error, TypeError):
                        continue
                    self.tried(m.add, part if named else cd.RigidBody(f"{name}{field}{k}", shape=part))
        self.tried(m.check)
        self.tried(m.simulate, 0.1)
        m.graph()

    def test_odd_arguments_of_every_function(self):
        m, link = pendulum()
        sim = m.start("rk4(step=0.01)")
        table = m.simulate(0.1)._table
        calls = [m.add, m.simulate, m.start, m.define, m.write, m.draw, sim.step, sim.run, sim.record,
                 sim.set_state, sim.restart, sim.__getitem__, cd.read, cd.solve_ode, cd.solve_dae, cd.law,
                 cd.call, cd.Model.from_json, cd.Model.read, m.__getitem__, cd.cli.check, cd.cli.diff]
        calls += [getattr(_cardan, name) for name in dir(_cardan)
                  if callable(getattr(_cardan, name)) and name != "command" and name[0] != "_"]
        calls += [getattr(o, name) for o in (m._c, sim._c, table) for name in dir(o)
                  if callable(getattr(o, name)) and name[0] != "_"]
        # these would do what they are asked for, and take their time
        long = {"simulate", "run", "record", "step"}
        for call in calls:
            for odd in ODD:
                if isinstance(odd, (int, float)) and getattr(call, "__name__", "") in long and odd > 1:
                    continue
                self.tried(call, odd)
                self.tried(call, odd, odd)
                self.tried(call, "name", odd, 1)
                self.tried(call, "name", "field", odd)
        self.assertEqual(pendulum()[0].simulate(0.1).stats["reason"], "OK")

    def test_odd_problems(self):
        for key in ("ny", "nv", "nq", "ng", "nz", "nx", "nn"):
            for odd in (*ODD, 10**7 + 1, 2**31, 2**63):
                self.tried(_cardan.solve, {"ny": 1, "rate": lambda *a: None, key: odd}, "rk4", 0.0, 1.0,
                           {"y": [1]})
        for key in ("rate", "leading", "index", "events"):
            for odd in ODD:
                self.tried(_cardan.solve, {"ny": 2, "nz": 1, "rate": lambda *a: None, key: odd}, "radau5", 0.0,
                           1.0, {"y": [1, 1]})
        self.tried(cd.solve_ode, lambda t, y: y, np.zeros(0), (0, 1))
        self.tried(cd.solve_ode, lambda t, y: y, [float("nan")], (0, 1))
        self.tried(cd.solve_ode, lambda t, y: y, [1], (0, float("inf")))
        self.tried(cd.solve_mechanical, lambda t, q, v: q, [1, 2], [1], (0, 1))

    def test_states_that_are_none(self):
        m, _ = pendulum()
        sim = m.start("gen-alpha(step=0.001, adaptive=false)")
        state = sim.state()
        rng = np.random.default_rng(1)
        for _ in range(200):
            bad = bytearray(state)
            for at in rng.integers(0, len(bad), 8):
                bad[at] = rng.integers(0, 256)
            self.tried(sim.set_state, bytes(bad))
            self.tried(sim.step)
        sim.restart()
        sim.run(0.1)

    def test_values_whose_methods_take_them_apart(self):
        given = {"class": "Cuboid", "density": 1.0}

        class Evil:
            def __cardan__(self):
                given.clear()
                gc.collect()
                return 1.0

        class Number(int):
            def __float__(self):
                place.clear()
                return 1.0

        given["size"] = [Evil() for _ in range(3)]
        self.tried(cd.Model().add, cd.RigidBody("b", shape=given))
        place = [Number(1), 2, 3]
        self.tried(cd.Model().add, cd.RigidBody("b", position=place))

        body = cd.RigidBody("b", mass=1)

        class Other:
            def __cardan__(self):
                body.inertia = None
                gc.collect()
                return 1.0

        body.inertia = [[Other(), Other(), Other()] for _ in range(3)]
        self.tried(cd.Model().add, body)

        class Long:
            def __len__(self):
                return 2**61

            def __getitem__(self, i):
                return 1.0

        self.tried(_cardan.solve, {"ny": 1, "rate": lambda *a: None}, "rk4", 0.0, 1.0, {"y": Long()})

    def test_what_a_traceback_keeps_can_be_looked_at(self):
        def f(t, y):
            return [1.0] * 3 if t > 0.5 else -y

        try:
            cd.solve_ode(f, np.ones(2), (0, 1), "rk4", step=0.1)
        except ValueError as error:
            self.assertEqual(str(error), "a function returned 3 numbers where 2 are needed")
            trace, frames = error.__traceback__, []
            while trace:
                frames.append(trace.tb_frame.f_locals)
                trace = trace.tb_next
        gc.collect()
        self.assertEqual(frames[-2]["out"].tolist(), [0, 0])

    @unittest.skipUnless(importlib.util.find_spec("_xxsubinterpreters") or importlib.util.find_spec("_interpreters"),
                         "interpreters within the interpreter")
    def test_other_interpreters_are_refused(self):
        code = ("import sys, cardan._cardan as c\n"
                "try:\n    import _interpreters as i\nexcept ImportError:\n    import _xxsubinterpreters as i\n"
                "found = i.run_string(i.create(), 'import sys; sys.path[:0] = %r\\nimport importlib.util\\n"
                "s = importlib.util.spec_from_file_location(\"cardan._cardan\", %r)\\n"
                "try:\\n    importlib.util.module_from_spec(s)\\n    s.loader.exec_module(importlib.util.module_from_spec(s))\\n"
                "except ImportError as e:\\n    print(e, flush=True)' % (sys.path, c.__file__))\n"
                "print(found)\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("interpreter", done.stdout)

    def test_arrays_that_functions_keep(self):
        kept = []

        def f(t, y):
            kept.append(y)
            return -y

        cd.solve_ode(f, [1.0, 2.0], (0, 1))
        gc.collect()
        self.assertEqual(kept[0].tolist(), [1, 2])
        self.assertTrue(all(np.isfinite(y).all() for y in kept))

        def write(t, y):
            y[0] = 5
            return -y

        with self.assertRaisesRegex(ValueError, "read-only"):
            cd.solve_ode(write, [1.0], (0, 1))

    def test_objects_die_in_any_order(self):
        for order in range(6):
            m, link = pendulum()
            sim = m.start("rk4(step=0.01)")
            r = m.simulate(0.1)
            view = r["tip.x"]
            mine = [m, sim, r]
            del m, sim, r, link
            for k in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))[order]:
                mine[k] = None
                gc.collect()
            self.assertEqual(view[0], 1)

    def test_types_cannot_be_made_by_hand(self):
        with self.assertRaises(TypeError):
            _cardan.Table()
        with self.assertRaises(TypeError):
            _cardan.Simulation()
        with self.assertRaises(TypeError):
            _cardan.Simulation(cd.Model(), "rk4")
        for cls in (_cardan.Model, _cardan.Simulation):
            self.tried(cls.__new__, cls)
        made = _cardan.Model.__new__(_cardan.Model)
        self.assertEqual(made.items()[0][2], "ground")

    def test_subclasses(self):
        class Bar(cd.RigidBody):
            """a body with a shape of its own"""

            def __init__(self, name, length):
                super().__init__(name, shape=cd.Cuboid([length, 0.1, 0.1], density=1000))
                self._length = length

        m = cd.Model()
        self.assertAlmostEqual(m.add(Bar("bar", 2)).mass, 20)
        for cls in (_cardan.Model, _cardan.Simulation, _cardan.Table):
            with self.assertRaises(TypeError):
                type("Own", (cls,), {})

    def test_buffers(self):
        m, _ = pendulum()
        table = m.simulate(0.1)._table
        with self.assertRaisesRegex(TypeError, "not writable"):
            ctypes.c_char.from_buffer(table)
        view = memoryview(table)
        self.assertEqual((view.ndim, view.format, view.readonly), (2, "d", True))
        with self.assertRaises(ValueError):
            np.asarray(table)[0, 0] = 1
        self.assertEqual(_cardan.table(b"", 3) and memoryview(_cardan.table(b"", 3)).shape, (0, 3))

    @unittest.skipUnless(hasattr(os, "fork"), "fork")
    def test_processes(self):
        m, _ = pendulum()
        before = m.simulate(0.1, threads=2).stats["state"]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            states = pool.map(_state_of, [m, m])
        self.assertEqual(states, [before, before])

    def test_exceptions_in_odd_places(self):
        def bad(*args):
            raise RuntimeError("bad")

        class Evil:
            def __float__(self):
                raise RuntimeError("float")

            def __cardan__(self):
                raise RuntimeError("cardan")

        with self.assertRaisesRegex(RuntimeError, "cardan"):
            cd.Model().add(cd.RigidBody("b", mass=Evil()))
        with self.assertRaisesRegex(RuntimeError, "float"):
            cd.Model().parameters["x"] = Evil()
        event = lambda t, y: y[0] - 0.5  # noqa: E731
        event.handle = bad
        with self.assertRaisesRegex(RuntimeError, "bad"):
            cd.solve_ode(lambda t, y: -y, [1.0], (0, 2), events=event)
        with self.assertRaisesRegex(RuntimeError, "bad"):
            cd.solve_ode(lambda t, y: -y, [1.0], (0, 2), "radau5", jac=bad)
        with self.assertRaisesRegex(RuntimeError, "bad") as caught:
            cd.solve_ode(lambda t, y: -y if t < 1 else bad(), [1.0], (0, 2), "rk4", step=0.1)
        self.assertGreater(len(caught.exception.result.t), 5)

    def test_logging_that_fails_does_not_stop_a_run(self):
        code = ("import logging, cardan as cd\n"
                "class H(logging.Handler):\n    def emit(self, r):\n        raise RuntimeError('log')\n"
                "logging.getLogger('cardan').addHandler(H())\n"
                "m = cd.Model()\nb = m.add(cd.RigidBody('b', mass=1, inertia=[[1,0,0],[0,1,0],[0,0,1]]))\n"
                "m.add(cd.RevoluteJoint('j', m.ground, b))\n"
                "m.add(cd.RevoluteJoint('k', m.ground, b))\nprint(len(m.simulate(0.1)) > 0)\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, "True\n"), done.stderr)

    def test_threads_at_one_simulation(self):
        m, _ = pendulum()
        sim = m.start("rk4(step=0.0001)")
        told = []
        thread = threading.Thread(target=lambda: sim.run(20))
        thread.start()
        while thread.is_alive() and not told:
            try:
                _ = sim["tip.x"]
            except cd.Error as error:
                told.append(str(error))
        thread.join()
        self.assertEqual(told, ["the simulation is in use by another thread"])

    def test_models_of_files_that_lie(self):
        here = pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "corpus"
        for path in sorted(here.glob("*model*/*"))[:200]:
            self.tried(lambda p: cd.Model.read(p).check(), path)


def _state_of(m):
    return m.simulate(0.1, threads=2).stats["state"]


if __name__ == "__main__":
    unittest.main()
