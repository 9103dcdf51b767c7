"""The JSON Schema made from a table accepts what the reader accepts and refuses what it refuses.

usage: schema.py TABLES_PROGRAM      exit code 77: jsonschema is not installed
"""
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
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "tables"


def load(name):
    text = (EXAMPLES / name).read_text()
    return json.loads(re.sub(r"(^|\s)//[^\n]*", "", text))


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(subprocess.check_output([PROGRAM, "--schema"]))
        cls.validator = jsonschema.Draft202012Validator(cls.schema)

    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_good_items_pass(self):
        for item in load("wheels.json")["items"]:
            self.assertEqual([e.message for e in self.validator.iter_errors(item)], [])

    def test_wrong_items_fail(self):
        # what only the reader can know: units, names in expressions, files, rules between fields
        beyond = {"broken tables", "fields that contradict each other"}
        for item in load("mistakes.json")["items"]:
            errors = list(self.validator.iter_errors(item))
            self.assertEqual(bool(errors), item["name"] not in beyond | {"wrong units"}, item["name"])

    def reads(self, item):
        with tempfile.NamedTemporaryFile("w", suffix=".json", dir=EXAMPLES) as file:
            json.dump({"items": [item]}, file)
            file.flush()
            done = subprocess.run([PROGRAM, "--check", file.name], stderr=subprocess.DEVNULL)
            return done.returncode == 0

    def test_bounds_and_required_fields(self):
        good = {"hub": "a", "radius": 1, "mass": 1}
        self.assertTrue(self.validator.is_valid(good))
        for change in ({"radius": 0}, {"radius": None}, {"friction_coefficient": 2.1},
                       {"friction": "wet"}, {"axis": [1, 2]}, {"colour": "red"}, {"class": "Rod"},
                       {"shape": {"width": 1}}, {"torque": []}, {"spokes": [7]}, {"name": ""},
                       {"spokes": [0] * 65}, {"road": [[1, 2, 3]]}, {"road": []}, {"hub": ""},
                       {"axis": [0, 0, 0]}):
            self.assertFalse(self.validator.is_valid(good | change), change)
            self.assertFalse(self.reads(good | change), change)
        for change in ({"radius": "3 mm"}, {"friction_coefficient": 2}, {"road": None},
                       {"road": [[1, 2]]}, {"torque": 3}, {"class": "Wheel"},
                       {"torque": {"class": "Constant", "value": 1}}):
            self.assertTrue(self.validator.is_valid(good | change), change)
            self.assertTrue(self.reads(good | change), change)
        for key in good:
            self.assertFalse(self.validator.is_valid({k: v for k, v in good.items() if k != key}))


if __name__ == "__main__":
    unittest.main()
