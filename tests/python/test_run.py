"""test_run.py - runs in Python: the same bits as the program, views, threads, failures, memory"""
import concurrent.futures
import copy
import json
import pathlib
import pickle
import resource
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import cardan as cd
from test_model import ROOT, pendulum


def command(*words):
    return subprocess.run([sys.executable, "-m", "cardan", *map(str, words)], capture_output=True,
                          text=True, check=False)


class Runs(unittest.TestCase):
    def test_results_equal_those_of_the_program_bit_for_bit(self):
        for name in ("slider_crank", "double_pendulum", "heavy_top", "governor"):
            path = ROOT / "examples" / "mechanisms" / f"{name}.json"
            with tempfile.TemporaryDirectory() as folder:
                csv = pathlib.Path(folder) / "out.csv"
                done = command("run", path, "-o", csv, "--json", "--duration", 0.2, "--step", 0.001)
                summary = json.loads(done.stdout)["runs"][0]
                lines = csv.read_text().splitlines()
            options = json.loads("\n".join(line for line in path.read_text().splitlines()
                                           if not line.startswith("//")))["runs"][0]
            options.update(duration=0.2, step=0.001)
            r = cd.Model.read(path).simulate(**options)
            self.assertEqual(r.stats["state"], summary["state"], name)
            self.assertEqual(lines[1].split(","), ["t", *r.channels])
            np.testing.assert_array_equal(np.array([[float(x) for x in line.split(",")]
                                                    for line in lines[2:]])[:, 1:],
                                          np.column_stack([r[c] for c in r.channels]))

    def test_channels_are_views(self):
        m, _ = pendulum()
        r = m.simulate(0.1)
        x, y = r["tip.x"], r["tip.y"]
        self.assertTrue(np.shares_memory(x, r["tip.x"]))
        self.assertFalse(x.flags.owndata)
        self.assertFalse(x.flags.writeable)
        self.assertEqual(y.__array_interface__["data"][0] - x.__array_interface__["data"][0], 8)
        self.assertEqual(r["tip.*"].shape, (len(r), 3))
        del r, m
        self.assertEqual(x[0], 1)  # the table lives as long as its views

    def test_step_by_step(self):
        m, _ = pendulum()
        sim = m.start("gen-alpha(step=0.001, adaptive=false)")
        self.assertEqual(sim.t, 0)
        self.assertEqual(sim.step(), 0.001)
        sim.run(0.5)
        state, y = sim.state(), sim["tip.y"]
        sim.run(1)
        end = sim["tip.y"]
        sim.set_state(state)
        self.assertEqual(sim["tip.y"], y)
        sim.run(1)
        self.assertEqual(sim["tip.y"], end)
        with self.assertRaisesRegex(cd.Error, "there is no channel 'tip.w'"):
            sim["tip.w"]
        with self.assertRaisesRegex(cd.Error, "a saved state has"):
            sim.set_state(state[1:])
        sim.restart()
        self.assertEqual(sim.t, 0)

    def test_a_simulation_goes_to_a_list_of_times(self):
        sim = pendulum()[0].start()
        self.assertEqual([sim.run(t) for t in (0.0, 0.1, 0.1, 0.2)], [0.0, 0.1, 0.1, 0.2])
        with self.assertRaisesRegex(cd.Error, "after the time of the simulation, 0.2 s, not at 0.1") as error:
            sim.run(0.1)
        self.assertIsNone(error.exception.hint)
        with self.assertRaisesRegex(TypeError, "channels are read by name, a str, not <class 'int'>"):
            sim[0]
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, r"cannot be copied or pickled; state\(\) holds"):
                copied(sim)

    def test_failures_keep_what_was_computed(self):
        m = cd.Model()
        b = m.add(cd.MassPoint1D("b", mass=1, coordinate=1))
        m.add(cd.CoordinateMarker("x", b, coordinate="s"))
        m.add(cd.CoordinateLoad("wall", marker="x", force="t < 0.5 ? 1 : log(0.5 - t)"))
        with self.assertRaises(cd.Error) as caught:
            m.simulate(1, step=0.01, interval=0.01)
        self.assertGreater(len(caught.exception.result), 40)
        self.assertLess(caught.exception.result.t[-1], 0.52)
        # also in other processes, whose exceptions are pickled
        for again in (pickle.loads(pickle.dumps(caught.exception)), copy.copy(caught.exception)):
            self.assertEqual((str(again), again.code, again.hint, again.messages),
                             (str(caught.exception), caught.exception.code, caught.exception.hint,
                              caught.exception.messages))
            np.testing.assert_array_equal(again.result.t, caught.exception.result.t)

    def test_other_threads_go_on(self):
        m, _ = pendulum()
        counted = []
        done = threading.Event()

        def count():
            while not done.is_set():
                counted.append(1)
                done.wait(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        m.simulate(20, step=1e-3)
        done.set()
        thread.join()
        self.assertGreater(len(counted), 10)

    def test_a_model_cannot_be_changed_while_it_runs(self):
        m, link = pendulum()
        told = []
        thread = threading.Thread(target=lambda: m.simulate(30, step=1e-3))
        thread.start()
        while thread.is_alive() and not told:
            try:
                link.mass = 2
            except cd.Error as error:
                told.append(str(error))
        thread.join()
        self.assertEqual(told, ["the model is in use by another thread"])

    def test_runs_of_one_model_go_on_in_several_threads(self):
        m, _ = pendulum()
        L = m.parameter("L", 1)
        m.add(cd.MassPoint3D("ball", mass=L, position=[0, L, 0]))
        lengths = [1, 2, 3, 4]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            runs = list(pool.map(lambda x: m.simulate(0.5, step=1e-3, parameters={"L": x}), lengths))
        for x, r in zip(lengths, runs):
            m.parameters["L"] = x
            self.assertEqual(r.stats["state"], m.simulate(0.5, step=1e-3).stats["state"])

    def test_each_thread_gets_its_own_messages(self):
        m = cd.Model()
        k = m.parameter("k", 1)
        b = m.add(cd.MassPoint1D("b", mass=1, coordinate=1))
        m.add(cd.CoordinateMarker("x", b, coordinate="s"))
        m.add(cd.CoordinateLoad("wall", marker="x", force=f"t < {k.text} ? 1 : log({k.text} - t)"))

        def fail(x):
            with self.assertRaises(cd.Error) as caught:
                m.simulate(5, step=0.01, parameters={"k": x})
            return caught.exception

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for x, error in zip((1, 2, 3, 4), pool.map(fail, (1, 2, 3, 4))):
                self.assertAlmostEqual(error.result.t[-1], x, delta=0.1)
                self.assertGreaterEqual(len(error.messages), 1)

    def test_interrupts_end_runs_with_their_results(self):
        # a shell may have told its background jobs to ignore the signal
        code = ("import _thread, signal, threading, sys; sys.path[:0] = %r\n"
                "from test_model import pendulum\n"
                "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                "m, _ = pendulum()\n"
                "threading.Timer(0.5, _thread.interrupt_main).start()\n"
                "try:\n    m.simulate(1e6, step=1e-3, interval=1)\n"
                "except KeyboardInterrupt as e:\n    print(len(e.result) > 0)\n"
                "sim = m.start('rk4(step=1e-4)')\n"
                "threading.Timer(0.5, _thread.interrupt_main).start()\n"
                "try:\n    sim.record(1e6, 1e-2)\n"
                "except KeyboardInterrupt as e:\n    print(e.result['tip.x'][0] == 1)\n") % sys.path
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              cwd=pathlib.Path(__file__).parent, timeout=60, check=False)
        self.assertEqual(done.stdout, "True\nTrue\n", done.stderr)

    def test_memory_stays_flat(self):
        def cycles(n):
            for _ in range(n):
                m, _ = pendulum()
                m.simulate(0.01, step=1e-3)["tip.x"][-1]
                sim = m.start("rk4(step=0.01)")
                sim.step()
                try:
                    m.simulate(-1)
                except cd.Error:
                    pass
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        before = cycles(500)
        after = cycles(9500)
        self.assertLess(after - before, 1000)  # kB

    def test_the_command_line_is_the_program(self):
        done = command("version")
        self.assertEqual((done.returncode, done.stdout), (0, f"cardan {cd.__version__}\n"))
        self.assertEqual(command("rnu").returncode, 2)


if __name__ == "__main__":
    unittest.main()
