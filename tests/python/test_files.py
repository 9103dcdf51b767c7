"""test_files.py - logs, exports, pictures, graphs and the verbs of the command line as functions"""
import copy
import json
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import numpy as np

import cardan as cd
from test_model import ROOT, pendulum

MECHANISMS = ROOT / "examples" / "mechanisms"


def command(*words):
    return subprocess.run([sys.executable, "-m", "cardan", *map(str, words)], capture_output=True,
                          text=True, check=False)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.m, self.link = pendulum()
        self.r = self.m.simulate(0.5, step=1e-3)

    def refused(self, text, call, *args, **kwargs):
        with self.assertRaises(cd.Error) as caught:
            call(*args, **kwargs)
        self.assertEqual(str(caught.exception), text)

    def test_a_log_brings_everything_back(self):
        path = self.folder / "run.log"
        self.r.save(path)
        back = cd.read(path)
        np.testing.assert_array_equal(back._array, self.r._array)
        self.assertEqual((back.units, back.stats["state"]), (self.r.units, self.r.stats["state"]))
        self.assertEqual(back.model.to_json(), self.r.model.to_json())
        again = back.model.simulate()
        np.testing.assert_array_equal(again["tip.y"], self.r["tip.y"])

    def test_logs_are_those_of_the_program_bit_for_bit(self):
        for name in ("slider_crank", "governor", "heavy_top"):
            path, log = MECHANISMS / f"{name}.json", self.folder / f"{name}.log"
            command("run", path, "-o", log, "--duration", 0.1)
            m = cd.Model.read(path)
            mine, theirs = m.simulate(run=0, duration=0.1), cd.read(log)
            np.testing.assert_array_equal(mine._array, theirs._array)
            self.assertTrue(cd.cli.diff(mine, log, scene=True)["same"])
            self.assertEqual(mine._about["hash"], theirs._about["hash"])

    def test_a_log_that_was_cut_is_read_as_far_as_it_is_whole(self):
        path = self.folder / "run.log"
        self.r.save(path)
        whole = path.read_bytes()
        path.write_bytes(whole[:-200])
        with self.assertLogs("cardan", "WARNING"):
            part = cd.read(path)
        self.assertEqual(part.stats, {})
        self.assertLessEqual(len(part), len(self.r))
        self.assertIn("channels", repr(part))
        path.write_bytes(whole[:50])
        with self.assertRaises(cd.Error):
            cd.read(path)
        self.refused(f"{self.folder}/none.log: cannot open: No such file or directory", cd.read,
                     self.folder / "none.log")

    def test_formats_of_other_programs(self):
        self.r.save(self.folder / "x.npz")
        with np.load(self.folder / "x.npz") as z:
            np.testing.assert_array_equal(z["tip.y"], self.r["tip.y"])
        self.r.save(self.folder / "x.csv")
        csv = cd.read(self.folder / "x.csv")
        np.testing.assert_array_equal(csv["tip.*"], self.r["tip.*"])
        self.assertEqual(csv.units, self.r.units)
        self.r.save(self.folder / "x.mat")
        self.assertGreater((self.folder / "x.mat").stat().st_size, 8 * len(self.r))
        self.refused(f"the name '{self.folder}/x.xls' tells no format; end it with one of .csv, .npz, "
                     ".h5, .mat, or name it", self.r.save, self.folder / "x.xls")
        self.refused("the result does not know its model; those of simulate() and of logs do",
                     csv.save, self.folder / "y.log")
        with self.assertRaises(cd.Error):
            self.r.save("/nowhere/x.csv")

    def test_only_logs_and_text_are_read(self):
        m = self.m
        m.add(cd.Sensor("a[1]*", m["link"], quantity="velocity"))
        r = m.simulate(0.1)
        self.assertEqual(r._match("a[1]*.vx", "tip.x"), ["a[1]*.vx", "tip.x"])
        for ending in ("npz", "mat", "h5", "glb"):
            path = self.folder / f"run.{ending}"
            r.save(path)
            self.refused(f"{path}: is no log, and no text; results are read from logs and CSV files", cd.read, path)

    def test_models_find_their_files_again(self):
        (self.folder / "parts").mkdir()
        (self.folder / "parts" / "force.csv").write_text("0, 1\n1, 2\n")
        part, ball = cd.Model(), cd.MassPoint3D("ball", mass=2)
        part.add(ball)
        part.write(self.folder / "parts" / "ball.json")
        text = json.dumps({"cardan": 1, "items": [
            {"class": "Include", "file": "ball.json"},
            {"class": "Force", "name": "push", "body": "ball", "x": {"class": "Table", "points": "force.csv"}}]})
        (self.folder / "parts" / "whole.json").write_text(text)
        m = cd.Model.read(self.folder / "parts" / "whole.json")
        m.write(self.folder / "moved.json")
        m.write(self.folder / "parts" / "again.json")
        end = m.simulate(0.1).stats["state"]
        for other in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m)),
                      cd.Model.read(self.folder / "moved.json"), cd.Model.read(self.folder / "parts" / "again.json")):
            self.assertEqual(other.simulate(0.1).stats["state"], end)
        m["ball"].mass = 3
        self.assertNotEqual(m.simulate(0.1).stats["state"], end)
        self.refused("'ball' was changed, but stands in another file; write with numbers=True", m.write, "x.json")
        with self.assertRaisesRegex(TypeError, "'ball' was changed, but stands in another file; copy"):
            copy.copy(m)
        m.write(self.folder / "numbers.json", numbers=True)
        self.assertEqual(cd.Model.read(self.folder / "numbers.json")["ball"].mass, 3)

    def test_moving_pictures(self):
        self.r.save(self.folder / "x.html")
        self.assertIn("<canvas", (self.folder / "x.html").read_text())
        self.r.save(self.folder / "x.glb")
        self.assertEqual((self.folder / "x.glb").read_bytes()[:4], b"glTF")
        page = self.r.show(height=300)
        self.assertIn("height:300px", page._repr_html_())
        self.assertEqual(page._repr_html_().count("<iframe"), 1)
        self.assertIn("<iframe", self.r._repr_html_())
        page.save(self.folder / "y.html")
        self.assertEqual((self.folder / "y.html").read_text(), str(page))

    def test_drawings_of_models_and_runs(self):
        for picture in (self.m.draw(names=True), self.r.draw(at=[0, 0.25, 0.5], forces=True)):
            xml.fromstring(picture.text)
            self.assertEqual(picture._repr_svg_(), str(picture))
        self.assertIn("link", self.m.draw(names=True).text)
        self.assertIn("<title>mechanism</title>", self.m.draw().text)
        self.assertIn("<title>swing</title>", self.m.draw(title="swing").text)
        self.assertIn("data:image/svg+xml;base64,", self.m._repr_html_())
        self.refused("draw: unknown option '--viev=top'; did you mean '--view'?", self.m.draw,
                     viev="top")
        self.assertEqual(self.r.draw(at=self.r.t[:3]).text, self.r.draw(at=list(self.r.t[:3])).text)
        with self.assertRaisesRegex(cd.Error, "the log has no time 9 s"):
            self.r.draw(at=9)
        unfinished = cd.Model()
        unfinished.add(cd.RevoluteJoint("hinge"))
        self.assertIn("<pre>", unfinished._repr_html_())

    def test_pictures_of_models_with_functions_of_python(self):
        self.m.add(cd.Force("push", self.link, x=lambda t: 1.0))
        self.m.define("wind", lambda t: 2 * t)
        self.m.add(cd.Force("blow", self.link, y="1 + wind(t)"))
        self.m.draw()
        r = self.m.simulate(0.1)
        r.draw()
        r.show()
        # but nothing is computed without them
        for use in (cd.cli.run, cd.cli.check, lambda m: m.write(self.folder / "m.json")):
            self.refused("files cannot hold functions of Python; laws (cardan.law) are part of the model",
                         use, self.m)

    def test_graphs(self):
        m = cd.Model.read(MECHANISMS / "slider_crank.json")
        tree = xml.fromstring(m.graph().text)
        boxes = [e for e in tree.iter() if e.tag.endswith("rect")]
        self.assertEqual(len(boxes), len(m.items))
        # joints hold on to two bodies each, the ground too
        names = re.findall(r"<title>(\S+) (\S+)</title><rect", m.graph().text)
        self.assertIn(("RevoluteJoint", "main_bearing"), names)
        lines = [e for e in tree.iter() if e.tag.endswith("path") and e.get("marker-end")]
        self.assertGreaterEqual(len(lines), 2 * sum(c.endswith("Joint") for c, _ in names))
        odd = cd.Model()
        odd.add(cd.MassPoint3D("<&\"'é>" + "x" * 60, mass=1))
        xml.fromstring(odd.graph().text)
        xml.fromstring(cd.Model().graph().text)

    def test_boxes_of_a_graph_do_not_overlap(self):
        m = cd.Model()
        for i in range(40):
            m.add(cd.MassPoint3D(f"p{i}", mass=1))
            m.add(cd.Marker(f"k{i}", body=f"p{(7 * i) % (i + 1)}"))
        for i in range(30):
            m.add(cd.SpringDamper(f"s{i}", marker_a=f"k{i}", marker_b=f"k{i + 5}"))
        tree = xml.fromstring(m.graph().text)
        places = [(float(e.get("x")), float(e.get("y"))) for e in tree.iter() if e.tag.endswith("rect")]
        height = float(tree.get("height"))
        for x in {x for x, _ in places}:
            column = sorted(y for at, y in places if at == x)
            self.assertTrue(all(b - a >= 40 for a, b in zip(column, column[1:])))
            self.assertLessEqual(column[-1] + 40, height)

    def test_every_verb_is_a_function(self):
        self.assertEqual(cd.cli.version()["cardan"], cd.__version__)
        self.assertIn("slider-crank", [k["name"] for k in cd.cli.new()["kinds"]])
        path = self.folder / "engine.json"
        cd.cli.new("slider-crank", output=path)
        self.assertGreater(len(cd.Model.read(path).items), 3)
        self.assertEqual(cd.cli.check(path)["dof"], cd.Model.read(path).check().dof)
        self.assertEqual(cd.cli.schema("RigidBody")["schema"]["title"], "RigidBody")
        score = cd.cli.bench("run", "A01", quick=True, problems=ROOT / "problems")["scores"][0]
        self.assertTrue(score["passed"])
        run = cd.cli.run(self.m, duration=0.1, output=self.folder / "x.log")
        self.assertEqual(run["runs"][0]["reason"] if "reason" in run["runs"][0] else "OK", "OK")
        self.assertIn("rtol", cd.cli.diff.__doc__)
        self.assertIn("diff", dir(cd.cli))
        with self.assertRaisesRegex(AttributeError, "there is no verb 'rnu'"):
            cd.cli.rnu()
        self.assertFalse(cd.cli.diff(self.r, self.m.simulate(0.5, step=2e-3))["same"])
        with self.assertRaises(cd.Error) as caught:
            cd.cli.check(self.folder / "none.json")
        self.assertEqual(caught.exception.code, "INPUT")
        self.assertEqual(json.loads(json.dumps(score))["problem"], "A01")
        part = cd.cli.export(self.r, output=self.folder / "part.csv", from_=0.1, to=np.float64(0.3))
        self.assertLess(part["samples"], len(self.r))
        with self.assertRaisesRegex(TypeError, "a verb takes models, results, paths and words, not list"):
            cd.cli.check([])

    def test_every_option_of_the_program_is_taken(self):
        for verb in cd._cardan.verbs():
            call = getattr(cd.cli, verb["name"])
            for field in (f for t in verb["tables"] for f in t["fields"]):
                self.assertIn(f"    {field['name']}: ", call.__doc__)
                try:
                    call(**{field["name"]: {"a": 1} if field["type"] == "values" else "no such thing"})
                except cd.Error as error:
                    self.assertNotIn("unknown option", str(error))

    def test_signals_are_those_of_python_afterwards(self):
        before = {s: signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        code = ("import os, signal, sys; sys.path[:0] = %r; import cardan as cd; from test_model import pendulum\n"
                "m = pendulum()[0]; cd.cli.run(m, duration=0.1, output='none')\n"
                "os.kill(os.getpid(), getattr(signal, sys.argv[1])); print('alive')\n") % sys.path
        for s in before:
            done = subprocess.run([sys.executable, "-c", code, s.name], capture_output=True, text=True, check=False,
                                  cwd=pathlib.Path(__file__).parent,
                                  preexec_fn=lambda s=s: signal.signal(s, signal.SIG_DFL))
            self.assertEqual((done.returncode == -s, done.stdout), (True, ""), s.name)

    def test_all_of_the_program_is_there(self):
        self.assertEqual(command("version").stdout, f"cardan {cd.__version__}\n")
        self.assertEqual(command("rnu").returncode, 2)
        self.assertIn("usage", command("--help").stdout.lower())


if __name__ == "__main__":
    unittest.main()
