"""test_model.py - models in Python: items, fields, messages, files"""
import ast
import json
import pathlib
import tempfile
import unittest

import numpy as np

import cardan as cd

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
G = 9.81


def pendulum():
    """a bar on a hinge, with a sensor at its end"""
    m = cd.Model(gravity=[0, -G, 0])
    link = m.add(cd.RigidBody("link", shape=cd.Cuboid([1, .1, .1], density=5000), position=[.5, 0, 0]))
    m.add(cd.RevoluteJoint("hinge", m.ground, link, at=[0, 0, 0], axis=[0, 0, 1]))
    m.add(cd.Sensor("tip", link, point=[.5, 0, 0], quantity="position"))
    return m, link


class Models(unittest.TestCase):
    def refused(self, text, call, *args, **kwargs):
        with self.assertRaises(cd.Error) as caught:
            call(*args, **kwargs)
        self.assertEqual(str(caught.exception), text)
        return caught.exception

    def test_the_example_of_the_readme(self):
        m, link = pendulum()
        r = m.simulate(1, step=1e-3)
        self.assertEqual(r.channels, ["tip.x", "tip.y", "tip.z"])
        self.assertEqual(r.units["tip.x"], "m")
        np.testing.assert_allclose(np.hypot(r["tip.x"], r["tip.y"]), 1, rtol=1e-9)
        self.assertAlmostEqual(link.mass, 50)
        self.assertEqual(m.check().dof, 1)

    def test_sizes_are_those_of_the_assembled_model(self):
        m, link = pendulum()
        self.assertEqual(m._c.assemble(), (7, 6, 5))
        m.add(cd.RevoluteJoint("wrong", link, at=[0, 0, 0], axis=[0, 0, 1], body_b="nobody"))
        self.assertRaises(cd.Error, m._c.assemble)

    def test_inertia_takes_rows_of_any_kind(self):
        m = cd.Model()
        rows = [[1, 0, 0], [0, 2.5, 0], [0, 0, 3]]
        for name, inertia in (("a", rows), ("b", tuple(map(tuple, rows))), ("c", np.array(rows)),
                              ("d", [["1 kg*m^2", 0, 0], [0, 2.5, 0], [0, 0, 3]])):
            self.assertEqual(m.add(cd.RigidBody(name, mass=1, inertia=inertia)).inertia, rows)
        with self.assertRaises(cd.Error) as caught:
            m.add(cd.RigidBody("e", mass=1, inertia=[[1, 0], [0, 1]]))
        self.assertIn("must have 3 rows, not 2", str(caught.exception))

    def test_fields_take_numbers_arrays_units_and_expressions(self):
        m = cd.Model()
        for name, position in (("a", np.array([1, 2, 3.0])), ("b", (1, "200 cm", 3)),
                               ("c", np.array([1, 2, 3], dtype=np.float32))):
            item = m.add(cd.MassPoint3D(name, mass=np.float64(2), position=position))
            self.assertEqual(item.position, [1, 2, 3])
            self.assertEqual(item.mass, 2)

    def test_items_are_set_and_read_after_they_were_added(self):
        m, link = pendulum()
        link.position = [0.5, 0, 0.25]
        self.assertEqual(m["link"].position, [0.5, 0, 0.25])
        self.refused("RigidBody 'link': field 'mass': must be at least 0 kg, not -1",
                     setattr, link, "mass", -1)
        self.assertIs(m["link"], link)
        self.assertEqual([i.name for i in m.items], ["ground", "gravity", "link", "hinge", "tip"])

    def test_all_mistakes_of_an_item_are_told_at_once(self):
        m = cd.Model()
        e = self.refused("RigidBody 'x': field 'mass': must be at least 0 kg, not -2\n"
                         "RigidBody 'x': field 'com': must have 3 numbers, not 2",
                         m.add, cd.RigidBody("x", mass=-2, com=[1, 2]))
        self.assertEqual((e.code, e.item, e.field), ("INVALID", "x", "mass"))
        m.add(cd.RigidBody("x", mass=2))  # nothing is left of the first

    def test_wrong_names_are_found(self):
        e = self.refused("RigidBody has no field 'mas'; did you mean 'mass'?", cd.RigidBody, "b", mas=1)
        self.assertEqual(e.field, "mas")
        m, _ = pendulum()
        with self.assertRaises(KeyError):
            m.simulate(0.1)["tip.q"]
        with self.assertRaisesRegex(KeyError, "there is no item 'lnik'; did you mean 'link'"):
            m["lnik"]
        m.parameter("length", 1)
        with self.assertRaisesRegex(KeyError, "there is no parameter 'lenght'; did you mean 'length'"):
            m.parameters["lenght"]
        self.refused("RigidBody 'link': the name is taken", m.add, cd.RigidBody("link"))
        with self.assertRaisesRegex(AttributeError, "the name of RigidBody 'link' cannot be changed"):
            m["link"].name = "rod"
        with self.assertRaisesRegex(TypeError, "channels are read by name, a str, not int"):
            m.simulate(0.1)[0]

    def test_wrong_values(self):
        m = cd.Model()
        self.refused("MassPoint3D 'x': field 'mass': must be finite, not nan",
                     m.add, cd.MassPoint3D("x", mass=float("nan")))
        self.refused("MassPoint3D 'x': field 'position': must be a finite number",
                     m.add, cd.MassPoint3D("x", mass=1, position=np.array([0, np.inf, 0])))
        self.refused("MassPoint3D 'x': field 'position': must have 3 numbers, not 4",
                     m.add, cd.MassPoint3D("x", mass=1, position=np.zeros(4)))
        with self.assertRaisesRegex(TypeError, "^MassPoint3D 'x': field 'mass': a value of .* cannot be given"):
            m.add(cd.MassPoint3D("x", mass=object()))
        with self.assertRaisesRegex(TypeError, "is its name, a str"):
            cd.MassPoint3D(1)
        loop = []
        loop.append(loop)
        with self.assertRaisesRegex(ValueError, "nested too deeply"):
            m.add(cd.MassPoint3D("x", mass=1, position=loop))

    def test_items_belong_to_one_model(self):
        m, link = pendulum()
        other = cd.Model()
        self.refused("RigidBody 'link': is part of another model already; make a new item",
                     other.add, link)
        self.refused("RevoluteJoint 'j': field 'body_b': 'link' is not part of this model; add it first",
                     other.add, cd.RevoluteJoint("j", other.ground, link))
        self.refused("RigidBody 'link': is part of this model already; make a new item", m.add, link)

    def test_a_model_does_not_change_under_a_simulation(self):
        m, link = pendulum()
        sim = m.start("rk4(step=0.01)")
        with self.assertRaisesRegex(cd.Error, "a simulation of the model exists"):
            link.mass = 2
        with self.assertRaisesRegex(cd.Error, "a simulation of the model exists"):
            m.add(cd.MassPoint3D("late", mass=1))
        del sim
        link.mass = 2

    def test_files_and_python_give_the_same_model(self):
        path = ROOT / "examples" / "mechanisms" / "slider_crank.json"
        m = cd.Model.read(path)
        again = cd.Model.from_json(m.to_json())
        self.assertEqual(m.simulate(0.1, step=1e-3).stats["state"],
                         again.simulate(0.1, step=1e-3).stats["state"])
        with tempfile.TemporaryDirectory() as folder:
            m.write(pathlib.Path(folder) / "model.json", numbers=True)
            read = json.loads((pathlib.Path(folder) / "model.json").read_text())
        self.assertEqual(read["cardan"], 1)
        self.refused("nowhere.json: cannot open: No such file or directory", cd.Model.read,
                     "nowhere.json")

    def test_models_take_what_files_hold(self):
        m = cd.Model()
        ball = m.add({"class": "MassPoint3D", "name": "ball", "mass": 2, "position": np.ones(3)})
        self.assertEqual((ball.name, ball.mass, m["ball"] is ball), ("ball", 2, True))
        m.add(cd.Marker("eye", ball))
        m.runs = [cd.Run(0.2, step=1e-2), {"name": "long", "duration": 0.5, "step": 1e-2}]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.json"
            m.write(path)
            again = cd.Model.read(path)
            self.assertEqual(again.runs, m.runs)
            whole = cd.Model()
            came = whole.add(cd.Include(str(path), prefix="left."))
            self.assertEqual([i.name for i in came], ["left.ball", "left.eye"])
            self.assertEqual(whole["left.ball"].mass, 2)
        self.assertEqual((again.simulate().t[-1], again.simulate(run="long").t[-1]), (0.2, 0.5))
        self.refused("the name 'ball' is taken", m.add, {"class": "MassPoint3D", "name": "ball", "mass": 1})
        with self.assertRaises(cd.Error):
            m.add({"class": "MassPoint3D", "name": "other", "mass": -1})
        m.add({"class": "MassPoint3D", "name": "other", "mass": 1})
        m.check()
        m.runs = []
        self.assertEqual(m.runs, [])
        with self.assertRaisesRegex(cd.Error, "field 'duratoin': Run has no such field; did you mean"):
            m.runs = [{"duratoin": 1}]
        self.refused("a run is no item; it stands among the runs", m.add, cd.Run(1))
        with self.assertRaisesRegex(TypeError, "only items can be added to a model, not Cuboid"):
            m.add(cd.Cuboid([1, 1, 1]))

    def test_nothing_of_the_tables_is_named_in_the_package(self):
        named = {entry["table"]["class"] for entry in cd._items.tables} - {"Table"}  # of numbers, here
        for path in pathlib.Path(cd.__file__).parent.glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                words = {getattr(node, key, None) for key in ("id", "attr", "arg", "value", "name")}
                found = {w for w in words if isinstance(w, str)} & named
                self.assertEqual(found, set(), path.name)

    def test_no_option_is_named_in_the_package(self):
        asked = {"ask", "to_file", "made", "drawn", "draw", "show", "simulate"}
        runs = {f["name"] for e in cd._items.tables if e["table"]["class"] == "Run"
                for f in e["table"]["fields"] if f["required"]}
        self.assertEqual(runs, {"duration"})
        for path in pathlib.Path(cd.__file__).parent.glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                call = getattr(node, "func", None)
                name = getattr(call, "attr", getattr(call, "id", ""))
                if isinstance(node, ast.Call) and name in asked:
                    self.assertEqual([k.arg for k in node.keywords if k.arg], [], f"{path.name}: {name}")
                words = {getattr(node, key, None) for key in ("id", "attr", "arg", "value")}
                self.assertEqual({w for w in words if isinstance(w, str)} & runs, set(), path.name)

    def test_values_by_position_are_those_that_must_be_given(self):
        m, _ = pendulum()
        self.assertEqual(len(m.simulate(0.1, step=0.01)), len(m.simulate(duration=0.1, step=0.01)))
        with self.assertRaisesRegex(TypeError, "Run takes 1 values by position, not 2; give the others by"):
            m.simulate(0.1, 0.01)
        with self.assertRaisesRegex(TypeError, "Run: 'duration' is given twice, by position and by name"):
            m.simulate(0.1, duration=0.2)
        with self.assertRaisesRegex(TypeError, "the model has no runs; give a duration"):
            m.simulate(step=0.01)

    def test_a_model_is_a_collection_of_items(self):
        m, link = pendulum()
        self.assertTrue("link" in m and link in m and m.ground in m)
        self.assertFalse("lync" in m or cd.RigidBody("link") in m or 0 in m)
        self.assertEqual([len(m), list(m)], [len(m.items), m.items])

    def test_checks_tell_what_is_redundant(self):
        m, link = pendulum()
        m.add(cd.RevoluteJoint("second", m.ground, link, at=[0, 0, 0.2], axis=[0, 0, 1]))
        found = m.check()
        self.assertTrue(found.ok)
        self.assertIn("redundant", [f["code"] for f in found.findings])
        self.assertRegex(repr(found), "^1 degree of freedom\nwarning: 5 constraints of joints .*; .*")
        m.add(cd.SpringDamper("short", m.ground, link, at=[1, 0, 0], length=1, stiffness=1))
        self.assertIn("\nerror: 'short' has no length at the start, so its force has no direction; move one of "
                      "its ends", repr(m.check()))
        self.assertIn("<td>&#x27;short&#x27; has no length at", m.check()._repr_html_())

    def test_a_model_without_items_can_be_looked_at(self):
        m = cd.Model()
        self.assertEqual((repr(m), repr(m.check())), ("<Model: empty>", "0 degrees of freedom"))
        self.refused("nothing in the model can move; add a body ('cardan help' lists them)", m.simulate, 1)

    def test_everything_can_be_shown(self):
        m, link = pendulum()
        self.assertEqual(repr(m), "<Model: 1 load, 1 body, 1 joint, 1 sensor>")
        self.assertIn("link", m._repr_html_())
        self.assertTrue(repr(link).startswith("RigidBody('link', shape=Cuboid(size="))
        self.assertIn("mass", cd.RigidBody.__doc__)


if __name__ == "__main__":
    unittest.main()
