"""snippets.py - what the pages show is tried: files written, commands and programs run, C compiled

    snippets.py CARDAN CC PAGE.md...

In the blocks of a page, one folder per page:

    ```json file=NAME     is written to NAME; also `text file=NAME` and `c file=NAME`
    ```json               a model is checked by cardan; of an item class and fields must exist
    ```sh                 every line is run, with CARDAN's folder in PATH; lines of ./do are for CI
    ```python             is run, after those before it on the page
    ```c                  compiles as it stands, or as the body of a function that has `ctx`
    ```text, ```console   and blocks without a kind are pictures and answers: not run
    ```c from=PATH        every line stands in that file; ... is anything
    ```json part          members of an object: must be JSON
    ```c output           is what a tool wrote: not compiled
"""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```([\w+-]*)(?: +(\S+))?\n(.*?)^```$", re.M | re.S)
HEADERS = "".join(f"#include <{name}.h>\n" for name in ("math", "stdio", "stdlib", "string")) + \
    "".join(f'#include "cardan/{path.name}"\n' for path in
            sorted((ROOT / "include" / "cardan").glob("*.h")))
HAS_PACKAGE = importlib.util.find_spec("cardan") is not None
TIME_LIMIT = 120  # s, for one command


class Page:
    """the blocks of one page and the folder that they are tried in"""

    def __init__(self, path, cardan, compiler, folder):
        self.path, self.cardan, self.compiler, self.folder = path, cardan, compiler, folder
        self.env = dict(os.environ, PATH=f"{cardan.parent}:{os.environ['PATH']}")
        self.tried = 0
        self.programs = ""

    def call(self, words, text=None):
        done = subprocess.run(words, cwd=self.folder, env=self.env, input=text, check=False,
                              capture_output=True, text=True, timeout=TIME_LIMIT)
        return done.returncode, done.stdout + done.stderr

    def fail(self, line, what):
        sys.exit(f"{self.path}:{line}: {what}")

    def must(self, line, words, text=None):
        code, said = self.call(words, text)
        if code != 0:
            self.fail(line, f"'{' '.join(map(str, words))}' ends with {code}:\n{said}")

    def sh(self, line, text):
        for command in text.splitlines():
            if command.startswith("./do"):
                continue
            self.must(line, ["sh", "-c", command])

    def python(self, line, text):
        """after the blocks before it on the page"""
        self.programs += f"\nexec(compile({text!r}, {f'{self.path}:{line}'!r}, 'exec'))\n"

    def finish(self):
        # pages of the package where it is built
        if self.programs and (HAS_PACKAGE or "import cardan" not in self.programs):
            self.must(1, [sys.executable, "-c", self.programs])

    def json(self, line, text):
        try:
            data = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M))
        except ValueError as error:
            self.fail(line, f"is not JSON: {error}")
        if "cardan" in data:
            (pathlib.Path(self.folder) / "shown.json").write_text(text)
            self.must(line, [str(self.cardan), "check", "shown.json"])
        elif "class" in data:
            self.fields(line, data)

    def fields(self, line, data):
        code, said = self.call([str(self.cardan), "help", data["class"], "--json"])
        known = {f["name"] for f in json.loads(said)["table"]["fields"]} if code == 0 else set()
        wrong = set(data) - known - {"class", "name", "comment"}
        if code != 0 or wrong:
            self.fail(line, f"{data['class']}: there is no field {', '.join(sorted(wrong))}")

    def c(self, line, text):
        bodies = (text, f"void shown(CdContext *ctx);\nvoid shown(CdContext *ctx) {{\n{text}\n}}\n")
        answers = []
        for body in bodies:
            code, said = self.call([self.compiler, "-std=c17", "-fsyntax-only", "-x", "c",
                                    f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", "-"],
                                   HEADERS + body)
            if code == 0:
                return
            answers.append(said)
        self.fail(line, "does not compile:\n" + "\n".join(answers))

    def excerpt(self, line, path, text):
        """lines may be laid out anew: blanks do not count"""
        whole = re.sub(r"\s+", "", (ROOT / path).read_text())
        for shown in re.split(r"\n|\.\.\.", text):
            if re.sub(r"\s+", "", shown) not in whole:
                self.fail(line, f"{path} has no line '{shown}'")

    def run(self):
        text = self.path.read_text()
        for match in BLOCK.finditer(text):
            kind, word, body = match.groups()
            line = text.count("\n", 0, match.start()) + 1
            if word and word.startswith("file="):
                (pathlib.Path(self.folder) / word[5:]).write_text(body)
            elif word and word.startswith("from="):
                self.excerpt(line, word[5:], body)
            elif (kind, word) == ("json", "part"):
                self.json(line, "{" + body + "}")
            elif word is None and kind in ("sh", "python", "json", "c"):
                getattr(self, kind)(line, body)
            else:
                continue
            self.tried += 1
        self.finish()


def main():
    cardan, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    tried = 0
    for name in sys.argv[3:]:
        with tempfile.TemporaryDirectory() as folder:
            page = Page(pathlib.Path(name), cardan, compiler, folder)
            page.run()
            tried += page.tried
    print(f"{tried} snippets of {len(sys.argv) - 3} pages")
    if tried == 0:
        sys.exit("no snippets found")


if __name__ == "__main__":
    main()
