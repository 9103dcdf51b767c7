#!/usr/bin/env python3
"""figures.py - pictures of problems, examples and classes, drawn by `cardan draw`

    figures.py CARDAN           draws all of them; CARDAN is the program of that name
    figures.py CARDAN --check   says which are out of date

tools/figures.json says how: of "problems" and "examples" by their names, {"model": "double.json",
"view": "iso", "names": true, "at": [0, 0.5], "step": 0.001}; with times the model is run until the
last of them. Examples that it does not name are drawn at their start. Every class that acts between
two markers is drawn between two bars, every shape on a body: docs/items/CLASS.svg.

Numbers may differ by a unit, a tenth of a pixel: the last bits of functions are not the same everywhere.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "tools" / "figures.json"
EXAMPLES = ROOT / "examples" / "mechanisms"
PICTURES = ROOT / "docs" / "pictures"
ITEMS = ROOT / "docs" / "items"
PAIR = {"marker_a", "marker_b", "body_a", "body_b", "at", "axis", "across"}
INERTIA = [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]
NUMBER = re.compile(r"-?\d+")


def draw(program, model, figure, folder):
    """the picture of a model as text"""
    source, words = model, []
    times = figure.get("at", [])
    if times:
        source = folder / "run.log"
        step = ["--step", str(figure["step"])] if "step" in figure else []
        run(program, "run", model, "-o", source, "--duration", times[-1], "--interval", times[-1] / 240, *step)
    for t in times:
        words += ["--at", t]
    for key in ("view", "size", "symbols"):
        if key in figure:
            words += [f"--{key}", figure[key]]
    for key in ("names", "frames", "forces"):
        if figure.get(key):
            words.append(f"--{key}")
    return run(program, "draw", source, "--title", figure.get("title", model.stem), *words)


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"cardan {' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout


def figures(settings):
    """(picture, model, how it is drawn)"""
    for name, figure in settings["problems"].items():
        folder = ROOT / "problems" / name
        yield folder / "figure.svg", folder / figure["model"], dict(figure, title=name)
    for path in sorted(EXAMPLES.glob("*.json")):
        figure = settings["examples"].get(path.stem, {})
        if figure is not None:  # a part of another model
            yield PICTURES / f"{path.stem}.svg", path, figure


def bar(name, inner, outer):
    """a body between two points, with a marker at its inner end"""
    middle = [(a + b) / 2 for a, b in zip(inner, outer)]
    yield {"class": "RigidBody", "name": name, "position": middle, "mass": 1, "inertia": INERTIA}
    for end, point in (("in", inner), ("out", outer)):
        yield {"class": "Marker", "name": f"{name}_{end}", "body": name,
               "position": [a - b for a, b in zip(point, middle)]}


def between(table, item, settings):
    """an item between two bars, that meet in a point or are apart"""
    gap = settings["apart"] if table["class"] in settings["far"] else 0
    pair = {"marker_a": "a_in", "marker_b": "b_in"}
    if not gap:
        pair = {"body_a": "a", "body_b": "b", "axis": item.get("axis", [0, 0, 1])}
    own = {k: v for k, v in item.items() if k not in PAIR}
    if "length" in own:
        own["length"] = gap
    return [*bar("a", [-gap / 2, 0, 0], [-gap / 2 - 0.4, -0.2, 0]),
            *bar("b", [gap / 2, 0, 0], [gap / 2 + 0.4, -0.2, 0]), {**own, "name": "it", **pair}]


def classes(program, folder, settings):
    """(picture, model, how it is drawn) of classes that look like something"""
    for c in json.loads(run(program, "help", "--json"))["classes"]:
        table = json.loads(run(program, "help", c["name"], "--json"))["table"]
        names, item = {f["name"] for f in table["fields"]}, table.get("example")
        if c["group"] == "shape":
            items = [{"class": "RigidBody", "name": "body", "shape": item}]
        elif "body_a" in names:
            items = between(table, item, settings)
        else:
            continue
        model = folder / f"{c['name']}.json"
        model.write_text(json.dumps({"cardan": 1, "items": items}))
        yield ITEMS / f"{c['name']}.svg", model, {k: settings[k] for k in ("view", "size", "symbols")}


def same(a, b):
    """but for a tenth of a pixel"""
    if NUMBER.sub("", a) != NUMBER.sub("", b):
        return False
    return all(abs(int(x) - int(y)) <= 1 for x, y in zip(NUMBER.findall(a), NUMBER.findall(b)))


def main():
    program, check = str(pathlib.Path(sys.argv[1]).resolve()), "--check" in sys.argv[2:]
    old = []
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        settings = json.loads(SETTINGS.read_text())
        for picture, model, figure in [*figures(settings), *classes(program, folder, settings["classes"])]:
            text = draw(program, model, figure, folder)
            if check and not (picture.exists() and same(picture.read_text(), text)):
                old.append(str(picture.relative_to(ROOT)))
            elif not check:
                picture.write_text(text)
    if old:
        sys.exit("out of date, run ./do figures: " + ", ".join(old))


main()
