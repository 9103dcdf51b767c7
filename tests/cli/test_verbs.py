"""test_verbs.py - cardan new, info, convert, doctor."""
import json
import math
import os
import pathlib

from program import (INPUT, OK, OUTPUT, PENDULUM, PENDULUM_FILE as model, SOURCE, USAGE, WORK, ask, check, run, write)

# ---- new: every starter is complete, commented, right and runs
code, answer = ask("new")
KINDS = [k["name"] for k in answer["kinds"]]
check(code == OK and {"pendulum", "slider-crank", "four-bar"} <= set(KINDS), "kinds", answer)
check(all(k["doc"] for k in answer["kinds"]) and all(k in run("new")[1] for k in KINDS), "list of kinds", answer)
for kind in KINDS:
    path = WORK / f"{kind}.json"
    path.unlink(missing_ok=True)
    code, out, err = run("new", kind, cwd=WORK)
    check(code == OK and out == "" and f"cardan run {kind}.json" in err, f"new {kind}", (code, out, err))
    text = path.read_text()
    check(text.startswith(f"// {kind}: ") and text.count("//") > 4, f"{kind} is commented", text)
    check(run("new", kind, "-o", "-")[1] == text, f"new {kind} -o -")
    code, answer = ask("check", path)
    check(code == OK and answer["errors"] + answer["warnings"] == 0, f"{kind} has findings", answer)
    code, answer = ask("run", path, "-o", WORK / f"{kind}.csv")
    check(code == OK and answer["messages"] == [], f"{kind} does not run", answer)


def columns(path):
    lines = path.read_text().splitlines()
    rows = [[float(x) for x in line.split(",")] for line in lines[2:]]
    return {name: [row[i] for row in rows] for i, name in enumerate(lines[1].split(","))}


# what is known of them: energies that stay, rest under gravity, the precession of a fast top
for path in ("double-pendulum-quiet.csv", "double-pendulum-wild.csv", "spinning-top.csv"):
    seen = columns(WORK / path)
    energy, kinetic = seen["energy.total"], seen["energy.kinetic"]
    check(max(energy) - min(energy) < 1e-3 * max(kinetic), f"energy of {path}", energy)
height = columns(WORK / "quarter-car.csv")["body_height.z"]
rest = 0.37 - 340 * 9.81 / 200e3 + 0.65 - 300 * 9.81 / 20e3
check(abs(height[-1] - rest) < 2e-3, "quarter-car at rest", (height[-1], rest))
top = columns(WORK / "spinning-top.csv")
x, y, z = (top[f"axis_end.{axis}"] for axis in "xyz")
check(max(z) - min(z) < 0.03 and 0.14 < min(z), "a fast top only nods", (min(z), max(z)))
turned = sum(math.asin((a * d - b * c) / math.hypot(a, b) / math.hypot(c, d)) for a, b, c, d in zip(x, y, x[1:], y[1:]))
# between m g h/(Jz w), that of an infinitely fast top, and steady precession: m g h = Jz w W - J W^2 cos(30 deg)
mgh, spin, across = 9.81 * 0.1, 1e-3 * 300, 0.012 * math.cos(math.pi / 6)
steady = (spin - math.sqrt(spin**2 - 4 * across * mgh)) / (2 * across)
check(mgh / spin < turned / 2 < steady, "precession of a fast top in rad/s", (mgh / spin, turned / 2, steady))

code, out, err = run("new", "pendulum", cwd=WORK)
check(code == OUTPUT and "there already" in err, "a file that is there is kept", (code, err))
(WORK / "pendulum.json").write_text("old")
check(run("new", "pendulum", "--force", cwd=WORK)[0] == OK, "--force")
check((WORK / "pendulum.json").read_text() != "old", "--force replaces")
model.write_text(json.dumps(PENDULUM))
check("did you mean 'pendulum'?" in run("new", "pendlum")[2] and run("new", "pendlum")[0] == USAGE, "new pendlum")
check("there are double-pendulum" in run("new", "zeppelin")[2], "kinds are listed")
check(ask("new", "four-bar", "-o", WORK / "no" / "x.json")[0] == OUTPUT, "new into no folder")
if os.geteuid() != 0:
    sealed = WORK / "sealed"
    sealed.mkdir(exist_ok=True)
    sealed.chmod(0o555)
    check(run("new", "four-bar", cwd=sealed)[0] == OUTPUT, "new into a folder that is read-only")
    check(run("run", model, "-o", sealed / "x.csv")[0] == OUTPUT, "run into a folder that is read-only")
    for name in "kept.csv", "kept.log":
        kept = WORK / name
        kept.write_text("mine")
        kept.chmod(0o444)
        code, out, err = run("run", model, "-o", kept)
        check(code == OUTPUT and "cannot write: Permission denied" in err, f"{name} is read-only", (code, err))
        check(kept.read_text() == "mine", f"{name} is kept")
        kept.unlink()

# ---- convert: the same model, bit for bit, and the same text again
for path in sorted(pathlib.Path(SOURCE).glob("examples/mechanisms/*.json")):
    numbers, again = WORK / "numbers.json", WORK / "again.json"
    check(run("convert", path, "-o", numbers)[0] == OK, f"convert {path}")
    check(run("convert", numbers, "-o", again)[0] == OK, f"convert {path} again")
    check(numbers.read_text() == again.read_text(), f"{path} changes when it is converted again")
    items = json.loads(numbers.read_text())["items"]
    check(all(i["class"] != "Include" for i in items), f"{path}: sub-models are spread", items)
    if not json.loads(numbers.read_text()).get("runs"):
        continue
    states = [ask("run", p, "--run", "1", "--duration", "0.01", "--step", "0.001")[1]["runs"][0]["state"]
              for p in (path, numbers)]
    check(states[0] == states[1], f"{path} moves otherwise when it is converted", states)
given = write("given.json", '{"cardan": 1, "parameters": {"L": "500 mm"},\n "items": [ // a comment\n'
              '{"mass": "2 kg", "name": "b", "class": "MassPoint3D", "position": ["L", 0, 0]}]}')
code, out, err = run("convert", given)
check(json.loads(out) == {"cardan": 1, "parameters": {"L": 0.5}, "items": [
    {"class": "MassPoint3D", "name": "b", "position": [0.5, 0, 0], "mass": 2}]}, "numbers", out)
code, out, err = run("convert", given, "--form", "as-given")
check(json.loads(out)["items"][0]["mass"] == "2 kg" and json.loads(out)["parameters"]["L"] == "500 mm", "as given", out)
check(ask("convert", given)[1]["model"]["items"][0]["mass"] == 2, "convert --json")
check(ask("convert", given, "-o", WORK / "x.json")[1]["output"] == str(WORK / "x.json"), "convert -o --json")
check(run("convert", "-", stdin=given.read_text())[0] == OK, "convert of standard input")
check(run("convert", given, "--form", "numbrs")[0] == USAGE, "convert --form numbrs")
check(run("convert", WORK / "none.json")[0] == INPUT, "convert of nothing")
check(run("convert", given, "-o", WORK / "no" / "x.json")[0] == OUTPUT, "convert into no folder")
wrong = write("wrong.json", '{"cardan": 1, "items": [{"class": "X"}]}')
kept = write("kept.json", "kept")
check(run("convert", wrong, "-o", kept)[0] == INPUT and kept.read_text() == "kept", "nothing is written of a wrong model")

# ---- info
code, answer = ask("info", model)
check(code == OK and answer["kind"] == "model" and answer["dof"] == 1, "info --json", answer)
check(answer["items"] == {"RigidBody": 1, "RevoluteJoint": 1, "Gravity": 1}, "items by class", answer)
check(answer["runs"] == [{"number": 1, "name": None, "duration": 1, "step": 0.01, "method": "auto", "begin": "start"}],
      "runs of a model", answer)
code, out, err = run("info", WORK / "double-pendulum.json")
check("2 RigidBody" in out and "2 degrees in 1 island" in out and "L = 0.5" in out and "2 wild" in out, "info", out)
check(run("info", "-", stdin=model.read_text())[0] == OK, "info of standard input")
check(run("info", wrong)[0] == INPUT and run("info", WORK / "none.json")[0] == INPUT, "info of nothing")
check(run("info")[0] == USAGE, "info without a file")

# a log, and one that was cut off
log = WORK / "info.log"
check(run("run", model, "-o", log)[0] == OK, "a run with a log")
code, answer = ask("info", log)
check(code == OK and (answer["kind"], answer["complete"]) == ("log", True), "info of a log", answer)
check((answer["samples"], answer["t_start"], answer["t_end"]) == (101, 0, 1), "rows of a log", answer)
check({"name": "link.x", "unit": "m"} in answer["channels"] and answer["summary"]["t_end"] == 1, "channels", answer)
code, out, err = run("info", log)
check("101 from t = 0 s to 1 s" in out and "link.x in m" in out and str(model) in out, "info of a log as text", out)
(WORK / "cut.log").write_bytes(log.read_bytes()[:-200])
code, answer = ask("info", WORK / "cut.log")
check(code == OK and not answer["complete"] and answer["messages"], "info of a log that was cut off", answer)
(WORK / "short.log").write_bytes(log.read_bytes()[:20])
check(run("info", WORK / "short.log")[0] == INPUT, "info of a log without a head")

# ---- doctor
code, answer = ask("doctor")
check(code == OK and answer["cardan"] == ask("version")[1]["cardan"], "doctor --json", answer)
check({"gen-alpha", "rk4"} <= set(answer["integrators"]) and "klu" in answer["linsols"], "what is built in", answer)
check([lib["name"] for lib in answer["libraries"]] == ["LAPACK", "SuiteSparse", "SUNDIALS"], "libraries", answer)
check(all(t["package"] and t["purpose"] for t in answer["tools"]), "tools", answer)
check(any(t["found"] for t in answer["tools"]), "tools that are there", answer)
code, answer = ask("doctor", env={"PATH": "/nonexistent"})
check(not any(t["found"] for t in answer["tools"]), "no tools without PATH", answer)
code, out, err = run("doctor", env={"PATH": ""})
check(code == OK and "cmake, for building; install cmake" in out, "what is missing", out)
check("missing" in run("doctor")[1] and run("doctor", "x")[0] == USAGE, "doctor")
print("new, info, convert and doctor do what they say")
