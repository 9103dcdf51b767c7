"""The layer checker passes our own tree and finds planted violations with file and line."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKER = ROOT / "tools" / "check_layers.py"


def run(src):
    done = subprocess.run([sys.executable, CHECKER, src], capture_output=True, text=True)
    return done.returncode, done.stdout.replace(str(src), "src"), done.stderr.replace(str(src), "src")


class Layers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.src = pathlib.Path(self.folder.name)
        self.plant("layers.txt", "base:\nmath: base\ndesc: base math\n")

    def tearDown(self):
        self.folder.cleanup()

    def plant(self, name, text):
        path = self.src / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def test_our_own_tree_obeys(self):
        self.assertEqual(run(ROOT / "src"), (0, "", ""))

    def test_downward_includes_pass(self):
        self.plant("desc/a.c", '#include <math.h>\n#include "math/v.h"\n#include "cardan/base.h"\n')
        self.plant("base/b.c", "#define _POSIX_C_SOURCE 200809L\n#include <unistd.h>\n")
        self.assertEqual(run(self.src), (0, "", ""))

    def test_upward_include_is_reported(self):
        self.plant("math/v.h", '// v.h - vectors\n\n  #  include "desc/desc.h"\n')
        self.assertEqual(run(self.src), (1, "src/math/v.h:3: math must not include desc\n", ""))

    def test_angle_brackets_do_not_hide_it(self):
        self.plant("base/b.c", "#include <desc/desc.h>\n")
        self.assertEqual(run(self.src), (1, "src/base/b.c:1: base must not include desc\n", ""))

    def test_posix_outside_base_is_reported(self):
        self.plant("desc/a.c", "#define _GNU_SOURCE\n#include <unistd.h>\n#include <sys/stat.h>\n")
        self.assertEqual(run(self.src), (1,
            "src/desc/a.c:1: desc asks for POSIX; such calls live in base\n"
            "src/desc/a.c:2: desc includes <unistd.h>; what is not C17 lives in base\n"
            "src/desc/a.c:3: desc includes <sys/stat.h>; what is not C17 lives in base\n", ""))

    def test_unknown_folder_is_reported(self):
        self.plant("extra/a.c", "int a;\n")
        self.assertEqual(run(self.src),
                         (1, "src/extra/a.c:1: the folder extra is not in src/layers.txt\n", ""))

    def test_relative_include_is_reported(self):
        self.plant("math/v.c", '#include "../desc/desc.h"\n')
        self.assertEqual(run(self.src), (1, 'src/math/v.c:1: include "../desc/desc.h" from the root '
                                            'of src, as "folder/file.h"\n', ""))

    def test_layers_in_wrong_order_are_reported(self):
        self.plant("layers.txt", "base: math\nmath:\n")
        code, _, err = run(self.src)
        self.assertEqual((code, err), (1, "src/layers.txt:1: base names math, which is not above it\n"))


if __name__ == "__main__":
    unittest.main()
