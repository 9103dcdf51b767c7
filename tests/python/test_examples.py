"""test_examples.py - every example and every notebook runs; types hold where mypy is installed"""
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stdout

import cardan as cd

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# what a program with types may look like
USER = """import cardan as cd
@cd.law(y="at.y")
def both(t: cd.Symbol, y: cd.Symbol) -> cd.Symbol:
    return t % 2 * y
@cd.law
def one(t: cd.Symbol) -> cd.Symbol:
    return t // 2
m = cd.Model()
names: list[str] = [item.name for item in m if item in m]
print(both.text, one.text, len(m))
"""
EXAMPLES = ROOT / "examples"
SHOWN = ("_repr_html_", "_repr_svg_", "__repr__")


def show(value):
    """as a notebook would"""
    for method in SHOWN:
        if hasattr(value, method):
            return getattr(value, method)()
    return repr(value)


def run_cell(text, names):
    """a cell; the value of its last line, if it is an expression, is shown"""
    import ast
    tree = ast.parse(text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
        if value is not None:
            show(value)


class Examples(unittest.TestCase):
    def test_programs(self):
        programs = sorted((EXAMPLES / "python").glob("*.py"))
        self.assertGreaterEqual(len(programs), 6)
        for program in programs:
            with self.subTest(program.name), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, str(program), folder], cwd=folder, check=False,
                                      env={**os.environ, "MPLBACKEND": "Agg"}, capture_output=True,
                                      text=True, timeout=120)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotEqual(done.stdout, "")

    def test_notebooks(self):
        books = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))
        self.assertEqual(len(books), 3)
        os.environ.setdefault("MPLBACKEND", "Agg")
        for path in books:
            book = json.loads(path.read_text())
            self.assertEqual((book["nbformat"], book["nbformat_minor"]), (4, 5))
            names = {"__name__": "__main__"}
            for cell in book["cells"]:
                self.assertTrue(cell["id"] and cell["source"])
                if cell["cell_type"] != "code":
                    continue
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), path.name)
                with self.subTest(path.name, cell=cell["id"]), redirect_stdout(io.StringIO()):
                    run_cell("".join(cell["source"]), names)

    def test_the_accuracy_that_examples_promise(self):
        sys.path.insert(0, str(EXAMPLES / "python"))
        self.addCleanup(sys.path.remove, str(EXAMPLES / "python"))
        import math

        import numpy as np
        import slider_crank as example
        r = example.build().simulate(0.2, step=1e-4, interval=1e-3)
        phi = math.pi / 2 + example.RUN_UP * r.t**2 / 2
        exact = example.CRANK * np.cos(phi) + np.sqrt(example.ROD**2 - (example.CRANK * np.sin(phi))**2)
        np.testing.assert_allclose(r["piston_at.x"], exact, atol=1e-6)

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_types(self):
        # the package as it is installed, and all examples against its stubs
        package = pathlib.Path(cd.__file__).parent
        with tempfile.TemporaryDirectory() as cache:
            user = pathlib.Path(cache) / "user.py"
            user.write_text(USER)
            for folder, what in ((cache, ["-p", "cardan"]), (cache, [user]),
                                 (EXAMPLES / "python", sorted((EXAMPLES / "python").glob("*.py")))):
                done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache,
                                       *map(str, what)], cwd=folder, capture_output=True, text=True,
                                      env={**os.environ, "MYPYPATH": str(package.parent)}
                                      if "site-packages" not in str(package) else None, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Plots(unittest.TestCase):
    def test_plots_have_units_and_legends(self):
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        from test_model import pendulum
        m, link = pendulum()
        m.add(cd.Sensor("speed", link, quantity="velocity"))
        r = m.simulate(0.1)
        axes = r.plot("tip.*", "speed.vx")
        self.assertEqual([a.get_ylabel() for a in axes], ["m", "speed.vx in m/s"])
        self.assertEqual([t.get_text() for t in axes[0].get_legend().get_texts()], ["tip.x", "tip.y", "tip.z"])
        self.assertEqual(axes[1].get_xlabel(), "t in s")
        one = r.plot("tip.y", x="tip.x")
        self.assertEqual((one.get_xlabel(), one.get_ylabel()), ("tip.x in m", "tip.y in m"))
        self.assertIs(r.plot("tip.x", ax=one), one)
        _, one = plt.subplots()
        self.assertIs(r.plot("tip.x", "speed.vx", ax=one), one)
        self.assertEqual((one.get_ylabel(), len(one.get_lines())), ("m, m/s", 2))
        _, two = plt.subplots(2)
        self.assertEqual(r.plot("tip.*", "speed.vx", ax=two), list(two))
        self.assertEqual([a.get_ylabel() for a in two], ["m", "speed.vx in m/s"])
        with self.assertRaisesRegex(KeyError, "x must be one channel, not 'tip.x' and 2 more"):
            r.plot("tip.y", x="tip.*")
        with self.assertRaisesRegex(KeyError, "no channel matches 'tap.x'; did you mean 'tip.x'"):
            r.plot("tap.x")
        plt.close("all")

    def test_matplotlib_is_loaded_when_it_is_needed(self):
        code = "import sys, cardan; print('matplotlib' in sys.modules, 'pandas' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "False False\n")


@unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
class Frames(unittest.TestCase):
    def test_a_frame_has_the_channels(self):
        from test_model import pendulum
        r = pendulum()[0].simulate(0.1)
        frame = r.to_pandas()
        self.assertEqual((list(frame.columns), frame.index.name, len(frame)), (r.channels, "t", len(r)))


if __name__ == "__main__":
    unittest.main()
