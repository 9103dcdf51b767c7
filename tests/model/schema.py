"""The JSON Schema of whole models accepts every example and problem, and refuses what is wrong.

usage: schema.py CARDAN_PROGRAM      exit code 77: jsonschema is not installed
"""
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    print("jsonschema is not installed; pip install jsonschema")
    sys.exit(77)

PROGRAM = sys.argv.pop()
ROOT = pathlib.Path(__file__).resolve().parents[2]


def once(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), keys
    return dict(pairs)


def load(path):
    return json.loads(re.sub(r"(^|\s)//[^\n]*", "", path.read_text()))


def models():
    """All files that are models by their key "cardan"."""
    paths = [*ROOT.glob("examples/mechanisms/*.json"), *ROOT.glob("problems/*/*.json"),
             *ROOT.glob("tests/model/files/*.json")]
    return {path: json for path in sorted(paths) if "cardan" in (json := load(path))}


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        text = subprocess.check_output([PROGRAM, "schema"])
        cls.schema = json.loads(text, object_pairs_hook=once)
        cls.validator = jsonschema.Draft202012Validator(cls.schema)

    def errors(self, model):
        return [error.message for error in self.validator.iter_errors(model)]

    def reads(self, model):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(model, file)
            file.flush()
            done = subprocess.run([PROGRAM, "run", file.name, "--duration", "1e-6", "--step", "1e-6"],
                                  capture_output=True, text=True)
            return done.returncode == 0, done.stderr

    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_all_models_pass(self):
        found = models()
        self.assertGreater(len(found), 15)
        for path, model in found.items():
            if path.name == "wrong.json":
                self.assertNotEqual(self.errors(model), [])
                continue
            self.assertEqual(self.errors(model), [], path)

    def test_every_class_by_its_example(self):
        page = subprocess.check_output([PROGRAM, "help"], text=True)
        classes = set(self.schema["properties"]["items"]["items"]["properties"]["class"]["enum"])
        listed = {line.split()[0] for line in page.splitlines() if line.startswith("  ")}
        self.assertLessEqual(classes - {"Include"}, listed)
        for name in classes - {"Include"}:
            text = json.loads(subprocess.check_output([PROGRAM, "help", name, "--json"]))["table"]
            example = text.get("example") or text["classes"][0]["example"]
            example = json.loads(example) if isinstance(example, str) else example
            self.assertEqual(self.errors({"cardan": 1, "items": [example]}), [], name)

    def test_wrong_models_fail(self):
        good = load(ROOT / "examples/mechanisms/pendulum.json")
        self.assertTrue(self.reads(good)[0], self.reads(good)[1])
        changes = {
            "no version": lambda m: m.pop("cardan"),
            "version": lambda m: m.update(cardan=2),
            "key": lambda m: m.update(colour=1),
            "items": lambda m: m.update(items={}),
            "no object": lambda m: m["items"].append(3),
            "no class": lambda m: m["items"][1].pop("class"),
            "class": lambda m: m["items"][1].update({"class": "RigidBdy"}),
            "field": lambda m: m["items"][1].update(mas=1),
            "negative mass": lambda m: m["items"][1].update(mass=-1),
            "vector": lambda m: m["items"][1].update(position=[1, 2]),
            "zero axis": lambda m: m["items"][2].update(axis=[0, 0, 0]),
            "no name": lambda m: m["items"][1].pop("name"),
            "empty name": lambda m: m["items"][1].update(name=""),
            "shape": lambda m: m["items"][1]["shape"].update({"class": "Cube"}),
            "word": lambda m: m["items"][3].update(quantity="postion"),
            "parameter": lambda m: m.update(parameters={"1x": 1}),
            "duration": lambda m: m.update(runs=[{"duration": 0}]),
            "step": lambda m: m.update(runs=[{"duration": 1, "step": -1}]),
            "include": lambda m: m["items"].append({"class": "Include"}),
        }
        for what, change in changes.items():
            model = copy.deepcopy(good)
            change(model)
            self.assertNotEqual(self.errors(model), [], what)
            self.assertFalse(self.reads(model)[0], what)


if __name__ == "__main__":
    unittest.main()
