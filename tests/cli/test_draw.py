"""test_draw.py - cardan draw: pictures are XML, bodies are where the model and the log say."""
import json
import math
import xml.etree.ElementTree as tree

from program import INPUT, OK, OUTPUT, PENDULUM, PENDULUM_FILE as model, USAGE, WORK, ask, check, run, write

SVG = "{http://www.w3.org/2000/svg}"


def picture(path):
    root = tree.parse(path).getroot()
    check(root.tag == SVG + "svg" and root.get("viewBox"), "an SVG document", root.tag)
    return root


def place(answer, name):
    return next((b["x"], b["y"]) for b in answer["bodies"] if b["name"] == name)


# ---- a model at its start
code, answer = ask("draw", model, "-o", "start.svg", "--view", "front", "--names")
check(code == OK, "draw", answer)
root = picture(WORK / "start.svg")
check(root.get("width") == str(answer["width"]), "width", answer)
check({t.text for t in root.iter(SVG + "text")} >= {"link", "hinge", "x", "y", "g"}, "names", root)
check("http" not in (WORK / "start.svg").read_text().replace(SVG[1:-1], ""), "nothing from the network")
check("prefers-color-scheme:dark" in (WORK / "start.svg").read_text(), "dark surroundings")
code, out, err = run("draw", model, "--view", "front", "--names")
check(code == OK and out == (WORK / "start.svg").read_text() and err == "", "standard output", err)

# two bodies a metre apart
pair = dict(PENDULUM, items=PENDULUM["items"] + [
    {"class": "MassPoint3D", "name": "a <&> b", "mass": 1, "position": [1.5, 1, 0]}])
code, answer = ask("draw", write("pair.json", pair), "-o", "pair.svg", "--view", "front", "--names")
(x0, y0), (x1, y1) = place(answer, "link"), place(answer, "a <&> b")
scale = answer["pixels_per_metre"]
check(math.isclose((x1 - x0) / scale, 1) and math.isclose((y0 - y1) / scale, 1), "places in the picture", answer)
check("a <&> b" in {t.text for t in picture(WORK / "pair.svg").iter(SVG + "text")}, "escaped names")
# a label stands near its body
words = {t.text: t for t in picture(WORK / "pair.svg").iter(SVG + "text")}
away = math.hypot(float(words["a <&> b"].get("x")) / 10 - x1, float(words["a <&> b"].get("y")) / 10 - y1)
check(away < 90, "a label near its body", away)

# ---- moments of a run
check(run("run", model, "-o", "run.log")[0] == OK, "run")
code, out, err = run("run", model, "-o", "run.csv", "--interval", "0.1")
rows = [line.split(",") for line in (WORK / "run.csv").read_text().splitlines() if line and line[0] != "#"]
x = rows[0].index("link.x")
check(len(rows) == 12, "rows of the run", rows)
for row in rows[1:]:
    t = float(row[0])
    code, answer = ask("draw", "run.log", "--at", t, "-o", "at.svg", "--view", "front")
    code0, start = ask("draw", "run.log", "--at", 0, "--at", t, "-o", "both.svg", "--view", "front", "--forces")
    check(code == OK and code0 == OK, f"draw at {t}", (answer, start))
    origin = place(ask("draw", "run.log", "--at", t, "--at", 0, "-o", "turn.svg", "--view", "front")[1], "link")
    here, scale = place(start, "link"), start["pixels_per_metre"]
    check(math.isclose((here[0] - origin[0]) / scale, float(row[x]) - 0.5, abs_tol=1e-6), f"x at {t}", (here, row))
    check(math.isclose((origin[1] - here[1]) / scale, float(row[x + 1]), abs_tol=1e-6), f"y at {t}", (here, row))
check(len(list(picture(WORK / "both.svg").iter(SVG + "g"))) == 1, "an earlier moment is faint")
check('class="f"' in (WORK / "both.svg").read_text(), "forces of joints")
(WORK / "run.results").write_bytes((WORK / "run.log").read_bytes())
check(run("draw", "run.results", "--at", "0.5", "-o", "end.svg")[0] == OK, "a log by its content")
code, answer = ask("draw", "run.log", "-o", "end.svg")
check(code == OK and place(answer, "link") is not None, "the end of a log", answer)

# ---- what goes wrong
for words, text in [
        (("run.log", "--at", 7), "the log has no time 7 s; it goes from 0 s to 1 s"),
        (("missing.json",), "missing.json"),
        (("missing.log",), "missing.log"),
        ((write("not.log", "nothing"),), "not.log")]:
    code, out, err = run("draw", *words, "-o", "no.svg")
    check(code == INPUT and text in err and not (WORK / "no.svg").exists(), f"draw {words}", (code, err))
for words, text in [
        ((model, "--size", "12x9999"), "'12x9999' is no size; give --size WIDTHxHEIGHT in pixels, 100 to 10000 each"),
        ((model, "--view", "frnt"), "there is no view 'frnt'"),
        ((model, "--view", "0 0 0"), "there is no view '0 0 0'"),
        ((model, "--at", 1), "--at and --forces are about a run"),
        (("run.log", "--set", "L=1"), "a log has its parameters; leave out --set"),
        ((model, "--symbols", "99"), "--symbols"),
        ((model, "--forces"), "--at and --forces are about a run"),
        ((model, "--json"), "with --json the picture goes to a file; give -o FILE")]:
    code, out, err = run("draw", *words)
    check(code == USAGE and text in (err or out), f"draw {words}", (code, out, err))
check(run("draw", model, "-o", "no/such/folder.svg")[0] == OUTPUT, "a folder that is not there")
far = json.loads(json.dumps(PENDULUM))
far["items"][1]["position"] = [1e200, 0, 0]
code, out, err = run("draw", write("far.json", far))
check(code == INPUT and "body 'link' cannot be drawn" in err, "far away", err)
print("pictures show what they should")
