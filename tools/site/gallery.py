"""gallery.py - a page with every example and every problem: picture, what comes out, how long it takes

The numbers are not written down anywhere: each model is drawn and run when the site is built.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIME_LIMIT = 120  # s, for one model

INTRODUCTION = """# Gallery

Every example and every problem of the collection, drawn and run while these pages were built. A problem is also compared with
its reference solution; the error is that of [the collection](../problems/README.md).
"""


def call(cardan, *words):
    done = subprocess.run([str(cardan), *map(str, words)], capture_output=True, text=True,
                          timeout=TIME_LIMIT, check=False, cwd=ROOT)
    if done.returncode != 0:
        sys.exit(f"cardan {' '.join(map(str, words))} ends with {done.returncode}:\n{done.stderr}")
    return done.stdout


def comment(path):
    """what the comment at the head of a model says"""
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    return " ".join(lines)


def heading(readme):
    found = re.search(r"^# (?:\w+: )?(.+)$", readme.read_text(), re.M)
    return found.group(1)


def draw(cardan, model, figure, place):
    """the figure that ./do figures made, or the model at its start"""
    place.parent.mkdir(parents=True, exist_ok=True)
    if figure.exists():
        shutil.copy(figure, place)
    else:
        call(cardan, "draw", model, "-o", place)


def numbers(cardan, model):
    """what a run tells, as rows of a list"""
    s = json.loads(call(cardan, "run", model, "-o", "none", "--json"))["runs"][-1]
    return [("freedom", f"{s['dof']}" + (", redundant constraints" if s["redundant"] else "")),
            ("time", f"{s['t_end']:g} s in {s['steps']} steps"),
            ("energy", f"{s['energy_end']:.6g} J (start {s['energy_start']:.6g} J)"),
            ("residual", f"{s['residual_position']:.1e}"),
            ("run time", f"{1e3 * s['wall_time']:.3g} ms")]


def scores(cardan, code):
    """the quick variants of a problem against their references"""
    rows = []
    answer = json.loads(call(cardan, "bench", "run", code, "--quick", "--json"))
    for one in answer["scores"]:
        rows.append((one["variant"], f"error {one['error']:.1e} ≤ {one['limit']:.0e}, "
                                     f"{one['steps']} steps, {1e3 * one['cpu_time']:.3g} ms"))
    return rows


def card(title, link, picture, text, rows):
    """one entry, as HTML in one block without empty lines"""
    items = "".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd>" for k, v in rows)
    return (f'<div class="card"><a href="{link}"><img src="{picture}" alt="{html.escape(title)}"></a>'
            f'<div><h3><a href="{link}">{html.escape(title)}</a></h3>{html.escape(text)}'
            f"<dl>{items}</dl></div></div>")


def examples(cardan, pictures):
    cards = []
    for model in sorted((ROOT / "examples" / "mechanisms").glob("*.json")):
        if '"runs"' not in model.read_text():
            continue  # a sub-model for others
        place = pictures / f"{model.stem}.svg"
        draw(cardan, model, ROOT / "docs" / "pictures" / f"{model.stem}.svg", place)
        cards.append(card(model.stem.replace("_", " "), f"../examples/mechanisms/{model.name}",
                          f"gallery/{place.name}", comment(model), numbers(cardan, model)))
    return cards


def problems(cardan, pictures):
    cards = []
    for check in sorted((ROOT / "problems").glob("*/check.json")):
        folder = check.parent
        model = sorted(folder.glob("*.json"), key=lambda p: (p.name == "check.json", p.name))
        model = folder / "model.json" if (folder / "model.json").exists() else model[0]
        place = pictures / f"{folder.name}.svg"
        draw(cardan, model, folder / "figure.svg", place)
        cards.append(card(folder.name, f"../problems/{folder.name}/README.md",
                          f"gallery/{place.name}", heading(folder / "README.md"),
                          scores(cardan, folder.name)))
    return cards


def page(cardan, pictures):
    """the page in Markdown; pictures is the folder that drawings are put into"""
    text = INTRODUCTION
    for title, cards in (("Examples", examples(cardan, pictures)),
                         ("Problems", problems(cardan, pictures))):
        text += f'\n## {title}\n\n<div class="cards">\n' + "\n".join(cards) + "\n</div>\n"
    return text
