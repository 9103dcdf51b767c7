#!/usr/bin/env python3
"""gen_items.py - pages of docs/items, one per class, from the tables of the registry and the
comment at the head of each class's source file

    gen_items.py CARDAN          writes the pages; CARDAN is the program of that name
    gen_items.py CARDAN --check  says which are out of date
"""
import json
import pathlib
import re
import subprocess
import sys

from pages import update

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "items"
SOURCES = ("src/items/*_*.c", "src/geom/shape_*.c", "src/desc/function_*.c", "src/model/include.c", "src/model/run.c")
PLURALS = {"body": "Bodies", "marker": "Markers", "joint": "Joints", "connector": "Connectors",
           "load": "Loads", "sensor": "Sensors", "shape": "Shapes", "function": "Functions",
           "model": "Parts of a model beside its items"}
INTRODUCTION = """# Items

Everything a model is made of, one page per class. The pages are written by `tools/gen_items.py` from
the tables that the program itself reads (`cardan help CLASS` shows the same) and from the head of the
source file, where the equations stand. Every item also has a `name`; other items refer to it by that.

Notation: `p_AB_C` is the position of B seen from A in axes of C, `R_AB` turns axes of B into those of
A, `w` is an angular velocity; W is the world, `x'` is the rate of x. A joint or connector acts between
marker a and marker b: residuals and coordinates are those of b relative to a, in axes of a, and forces
are those on b. Numbers may be given with a unit ("30 deg", "5 mm") or as an expression of parameters;
a function field takes a number, an expression of its argument, or a table.
"""


def cardan(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def categories(program):
    """(category, [(class, doc)]) in the order of the registry"""
    groups = {}
    for c in json.loads(cardan(program, "help", "--json"))["classes"]:
        groups.setdefault(c["group"], []).append((c["name"], c["doc"]))
    return [(group, classes) for group, classes in groups.items() if group in PLURALS]


def sources():
    """class -> its source file"""
    found = {}
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            for name in re.findall(r'\.name = "([A-Z]\w*)"', path.read_text()):
                found[name] = path
    return found


def head(path):
    """the comment that a file begins with, without the name of the file"""
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[3:])
    lines[0] = lines[0].split(" - ", 1)[1]
    return "\n".join(lines).strip("\n")


def interval(r):
    if not r:
        return ""
    low = "(" if r.get("min_open", True) else "["
    high = ")" if r.get("max_open", True) else "]"
    return f"{low}{r.get('min', '-inf')}, {r.get('max', 'inf')}{high}"


def kind(f):
    words = f["type"]
    if f.get("target"):
        words = f"name of a {f['target']}"
    if f.get("names"):
        words = " \\| ".join(f"`{n}`" for n in f["names"])
    if f["type"] == "variant":
        words = "object: " + ", ".join(f["classes"])
    if f["type"] == "function" and f.get("arg"):
        words = f"function of {f['arg']}" + (" and of sensors" if f.get("sensors") else "")
    return f"list of {words}" if f["list"] else words


def default(f):
    return "required" if f["required"] else f"`{json.dumps(f.get('default'))}`"


def row(f):
    unit = "" if f["unit"] in ("", "1") else f["unit"].replace("$", "")
    notes = ", not zero" if f.get("nonzero") else ""
    limits = interval(f.get("range"))
    more = f" In {limits}." if limits else ""
    return f"| `{f['name']}` | {kind(f)}{notes} | {unit} | {default(f)} | {f['doc']}.{more} |"


def parts(text):
    """an object in JSON cut behind the commas between its members"""
    depth, start = 0, 0
    for i, c in enumerate(text):
        depth += (c in "{[") - (c in "}]")
        if c == "," and depth == 1:
            yield text[start:i + 1]
            start = i + 2
    yield text[start:]


def example(text):
    """the example as it stands in the source, in lines of moderate length"""
    lines, line = [], ""
    for part in parts(text):
        if line and len(line) + len(part) > 95:
            lines.append(line)
            line = " "
        line += ("" if line in ("", " ") else " ") + part
    return "\n".join([*lines, line])


def page(name, category, path, table, raw):
    text = f"# {name}\n\n{table['doc']}. Category: {category}.\n"
    if (PAGES / f"{name}.svg").exists():  # drawn by tools/figures.py
        text += f"\n![{name}]({name}.svg)\n"
    text += f"\n```text\n{head(path)}\n```\n"
    if table["fields"]:
        text += "\n## Fields\n\n| field | type | unit | default | meaning |\n|---|---|---|---|---|\n"
        text += "\n".join(row(f) for f in table["fields"]) + "\n"
    if table.get("example"):
        text += f"\n## Example\n\n```json\n{example(raw)}\n```\n"
    return text + f"\nSource: `{path.relative_to(ROOT)}`\n"


def pages(program):
    where = sources()
    index = INTRODUCTION
    result = {}
    for category, classes in categories(program):
        index += f"\n## {PLURALS[category]}\n\n| class | |\n|---|---|\n"
        for name, doc in classes:
            answer = cardan(program, "help", name, "--json")
            raw = re.search(r'^    "example": (.*?),?$', answer, re.M)
            result[f"{name}.md"] = page(name, category, where[name], json.loads(answer)["table"],
                                        raw.group(1) if raw else "")
            index += f"| [{name}]({name}.md) | {doc} |\n"
    result["README.md"] = index
    return result


if __name__ == "__main__":
    update(PAGES, pages(sys.argv[1]), "--check" in sys.argv)
