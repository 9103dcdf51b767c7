#!/usr/bin/env python3
"""figures.py - pictures of problems, examples and classes, drawn by `cardan draw`

    figures.py CARDAN           draws all of them; CARDAN is the program of that name
    figures.py CARDAN --check   says which are out of date

tools/figures.json says how: of "problems" and "examples" by their names, {"model": "double.json",
"view": "iso", "names": true, "at": [0, 0.5], "step": 0.001}; with times the model is run until the
last of them. Examples that it does not name are drawn at their start.

Numbers may differ by a unit, a tenth of a pixel: the last bits of functions are not the same everywhere.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples" / "mechanisms"
PICTURES = ROOT / "docs" / "pictures"
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
    for key in ("view", "size"):
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


def figures():
    """(picture, model, how it is drawn)"""
    settings = json.loads((ROOT / "tools" / "figures.json").read_text())
    for name, figure in settings["problems"].items():
        folder = ROOT / "problems" / name
        yield folder / "figure.svg", folder / figure["model"], dict(figure, title=name)
    for path in sorted(EXAMPLES.glob("*.json")):
        figure = settings["examples"].get(path.stem, {})
        if figure is not None:  # a part of another model
            yield PICTURES / f"{path.stem}.svg", path, figure


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
        for picture, model, figure in figures():
            text = draw(program, model, figure, pathlib.Path(folder))
            if check and not (picture.exists() and same(picture.read_text(), text)):
                old.append(str(picture.relative_to(ROOT)))
            elif not check:
                picture.write_text(text)
    if old:
        sys.exit("out of date, run tools/figures.py CARDAN: " + ", ".join(old))


main()
