"""test_run.py - cardan run: results, messages, chains of runs."""
import json
import time

from program import (FAILED, INPUT, OK, OUTPUT, PENDULUM, PENDULUM_FILE as model, SOURCE, USAGE, WORK, ask, check, run, write)

csv = WORK / "out.csv"
code, out, err = run("run", model, "-o", csv)
lines = csv.read_text().splitlines()
check(code == OK and "1 s simulated" in out and err == "", "run", (code, out, err))
check(lines[0].startswith("# time in s") and lines[1].startswith("t,link.x") and len(lines) == 2 + 101, "CSV", lines[:3])
check(float(lines[-1].split(",")[0]) == 1, "the last sample is at the end", lines[-1])
code, summary = ask("run", model, "--duration", "0.5", "--method", "dopri5(rtol=1e-8)", "--step=0")
check(code == OK and summary["messages"] == [], "run --json", summary)
summary = summary["runs"][0]
check(summary["reason"] == "OK" and summary["t_end"] == 0.5, "run --json", summary)
check(summary["path"] == "mechanical, index 1 -> ode", "the path is named", summary)
check(summary["inertia"]["expected"] is True, "signs of pivots are told", summary)
# the start of many bodies has clocks of its own
bodies = [{"class": "RigidBody", "name": f"b{i}", "mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "position": [i + 0.5, 0, 0]} for i in range(300)]
hinges = [{"class": "RevoluteJoint", "name": f"h{i}", "body_a": f"b{i - 1}" if i else None, "body_b": f"b{i}", "at": [i, 0, 0]} for i in range(300)]
many = write("many.json", json.dumps({"cardan": 1, "items": bodies + hinges}))
begin = time.monotonic()
summary = ask("run", many, "--duration", "1e-3", "--step", "1e-3", "-o", "none")[1]["runs"][0]
elapsed = time.monotonic() - begin
clocks = [summary[f"{of}{clock}_time"] for of in ("", "start_") for clock in ("wall", "cpu")]
check(min(clocks) > 1e-4 and clocks[0] + clocks[2] < elapsed, "clocks", (elapsed, clocks))
ends = []
for method in "radau5(digits=6)", "dopri5( digits = 8 )", "dop853(digits=10)":
    code, out, err = run("run", model, "-o", csv, "--method", method)
    ends.append([float(x) for x in csv.read_text().splitlines()[-1].split(",")])
    check(code == OK and err == "", "digits ask for step control", (method, code, out, err))
for digits, end in (6, ends[0]), (8, ends[1]):
    worst = max(abs(a - b) / (1 + abs(b)) for a, b in zip(end, ends[2]))
    check(worst < 10 ** (1 - digits), "digits are there in the end", (digits, worst))
for method in "rk4(max_step=0.5)", "gen-alpha(min_step=0)":
    steps = ask("run", model, "--method", method)[1]["runs"][0]["steps"]
    check(steps == 100, "other options leave the step of the run as it is", (method, steps))
code, out, err = run("run", model, "-o", "-")
check(code == OK and out.splitlines()[1].startswith("t,link.x") and "simulated" in err, "CSV on standard output", err)
code, out, err = run("run", "-", stdin=model.read_text())
check(code == OK and "simulated" in out, "a model from standard input", err)
code, out, err = run("run", model, "--channels", "link.x", "--channels", "link.q*", "-o", "-", "-q")
check(out.splitlines()[1] == "t,link.x,link.qw,link.qx,link.qy,link.qz" and err == "", "options that repeat", (out, err))
check(run("run", model, "--quiet")[1:] == ("", ""), "--quiet")

# ---- without -o: a log named like the model, here
check((WORK / "pendulum.log").stat().st_size > 1000 and (WORK / "model.log").exists(), "default logs")
(WORK / "pendulum.log").unlink()
code, out, err = run("run", model, "-o", "none")
check(code == OK and "samples" not in out and not (WORK / "pendulum.log").exists(), "-o none", out)

# ---- mistakes
for args, expected, answer in [
    (["--method", "gen-alfa"], INPUT, "did you mean 'gen-alpha'?"),
    (["--method", "formulation=ggl formulation=index3"], INPUT, "give it once"),
    (["--method", "gen-alpha(rho=0.85"], INPUT, "method: 'gen-alpha(rho=0.85' must end with ')'"),
    (["--method", "gen-alpha(rho=0.8)5"], INPUT, "must end with ')'"),
    (["--channels", "lnik.x"], INPUT, "did you mean 'link.x'?"),
    (["--step", "2"], INPUT, "longer than the duration"),
    (["-o", WORK / "no" / "folder.csv"], OUTPUT, "folder.csv"),
    (["-o", WORK], OUTPUT, str(WORK)),
    (["-o", "/dev/full"], OUTPUT, "/dev/full"),
    (["-o", WORK / "no" / "folder.log"], OUTPUT, "folder.log"),
]:
    code, out, err = run("run", model, *args)
    check(code == expected and answer in err, f"wrong answer to {args}", (code, out, err))
    check(ask("run", model, *args)[0] == expected, f"{args} --json", out)

# all mistakes of a file at once, in their lines
wrong = write("wrong.json", '{"cardan": 1, "items": [\n{"class": "RigidBodi", "name": "a"},\n'
              '{"class": "RigidBody", "name": "b", "mass": -1},\n{"class": "FixedJoint", "name": "c", "body_b": "d"}]}')
code, out, err = run("run", wrong, "--duration", "1")
check(code == INPUT and all(f"wrong.json:{k}:" in err for k in (2, 3, 4)), "three mistakes in three lines", err)
check("error: RigidBody 'b': field 'mass': " in err, "form of a message", err)
code, answer = ask("run", wrong, "--duration", "1")
check(answer["status"] == "INPUT" and {m["line"] for m in answer["messages"]} == {2, 3, 4}, "mistakes as JSON", answer)

# ---- parameters of the command line: as if the file said so
def with_length(given):
    text = (MECHANISMS / "pendulum.json").read_text()
    return write("length.json", text.replace('"L": 1', f'"L": {given}'))


MECHANISMS = SOURCE / "examples/mechanisms"
rod = MECHANISMS / "pendulum.json"
once = ask("run", rod, "-o", "none", "--set", "L=0.6")[1]["runs"][0]
check(once["state"] == ask("run", with_length(0.6), "-o", "none")[1]["runs"][0]["state"], "--set", once)
check(once["state"] != ask("run", rod, "-o", "none")[1]["runs"][0]["state"], "--set changes the motion", once)
twice = ask("run", rod, "-o", "none", "--set", "L=2*thickness", "--set=thickness=300mm")[1]["runs"][0]
check(twice["state"] == ask("run", rod, "-o", "none", "--set", "thickness=0.3", "--set", "L=0.6")[1]["runs"][0]["state"],
      "parameters by each other, with units", twice)
for verb in "run", "check", "methods":
    for value, expected, answer in [("l=1", USAGE, "there is no parameter 'l'; did you mean 'L'?"), ("L", USAGE, "--set L=0.6"),
                                    ("=3", USAGE, "give a name and a value"), ("L=", USAGE, "give a name and a value"),
                                    ("L=-1", INPUT, "pendulum.json:8:15: error: RigidBody 'link': field 'shape.size[0]'"),
                                    ("L=1+", INPUT, "parameters: field 'L'"), ("L=thick", INPUT, "thick")]:
        code, out, err = run(verb, rod, "--set", value)
        check(code == expected and answer in err, f"{verb} --set {value}", (code, out, err))

# ---- reactions that are not unique are marked
second = {"class": "RevoluteJoint", "name": "upper", "body_b": "link", "at": [0, 0, 1]}
sensors = [{"class": "JointSensor", "name": "s", "joint": "hinge"},
           {"class": "JointSensor", "name": "f", "joint": "hinge", "quantity": "force"}]
door = write("door.json", dict(PENDULUM, items=PENDULUM["items"] + [second] + sensors))
code, out, err = run("run", door, "-o", csv)
check("reactions  not unique, the smallest are told: 'hinge' 'upper'\n" in out and "1 island\n" in out, "joints named", out)
check(csv.read_text().startswith("# time in s; s.angle in rad; f.fx in N (not unique); f.fy in N (not unique);"), "marks in CSV")
answer = ask("run", door)[1]["runs"][0]
check(answer["not_unique"] == ["hinge", "upper"] and answer["islands"] == 1, "joints in JSON", answer)
check(answer["not_unique_channels"] == ["f.fx", "f.fy", "f.fz"], "channels in JSON", answer)
answer = ask("run", model)[1]["runs"][0]
check(answer["not_unique"] == answer["not_unique_channels"] == [], "nothing to be marked", answer)

# ---- chains: one run after the other
MOTION = {"duration": 1, "step": 0.01, "method": "rk4"}
chain = write("chain.json", dict(PENDULUM, runs=[dict(MOTION, name="fall"), MOTION, dict(MOTION, begin="start")]))
whole = write("whole.json", dict(PENDULUM, runs=[dict(MOTION, duration=2)]))


def last(path):
    return [float(x) for x in path.read_text().splitlines()[-1].split(",")]


code, answer = ask("run", chain, "-o", WORK / "chain.csv")
runs = answer["runs"]
check(code == OK and [r["name"] for r in runs] == ["fall", "2", "3"], "names of runs", answer)
check([(r["t_start"], r["t_end"]) for r in runs] == [(0, 1), (1, 2), (0, 1)], "times of runs", runs)
check([r["output"] for r in runs] == [str(WORK / f"chain-{n}.csv") for n in ("fall", 2, 3)], "files of runs", runs)
check(run("run", whole, "-o", WORK / "whole.csv")[0] == OK, "one run")
check(all(abs(a - b) < 1e-9 for a, b in zip(last(WORK / "chain-2.csv"), last(WORK / "whole.csv"))),
      "two halves are one whole", (last(WORK / "chain-2.csv"), last(WORK / "whole.csv")))
check((WORK / "chain-3.csv").read_text() == (WORK / "chain-fall.csv").read_text(), "from the start", runs)

# what was before is remembered: turns of springs and of angles, sensors that see the last step
SPINNER = {"cardan": 1, "items": [
    {"class": "RigidBody", "name": "wheel", "mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 2]], "angular_velocity": [0, 0, 20]},
    {"class": "RevoluteJoint", "name": "axle", "body_b": "wheel"},
    {"class": "TorsionalSpringDamper", "name": "spring", "body_b": "wheel", "stiffness": 1.5},
    {"class": "JointSensor", "name": "turn", "joint": "axle"},
    {"class": "Sensor", "name": "pose", "body": "wheel", "quantity": "quaternion"},
    {"class": "ConnectorSensor", "name": "wound", "connector": "spring"},
    {"class": "ExpressionSensor", "name": "late", "value": "turn.angle", "delay": True, "start": 5},
    {"class": "Torque", "name": "brake", "body": "wheel", "z": "-0.1*late"}]}
SPIN = {"duration": 0.5, "step": 0.01, "method": "rk4", "decimation": 1}
spins = write("spins.json", dict(SPINNER, runs=[SPIN, SPIN, dict(SPIN, begin="start")]))
spin = write("spin.json", dict(SPINNER, runs=[dict(SPIN, duration=1)]))
check(run("run", spins, "-o", WORK / "spins.csv")[0] == OK and run("run", spin, "-o", WORK / "spin.csv")[0] == OK, "spinners")
check(last(WORK / "spin.csv")[1] > 14, "several turns", last(WORK / "spin.csv"))
# a run that goes on takes its first slope with what late tells now, one in the middle as it was: 7e-6; without history it is 1e-3
check(all(abs(a - b) < 2e-5 for a, b in zip(last(WORK / "spins-2.csv"), last(WORK / "spin.csv"))),
      "history goes on from run to run", (last(WORK / "spins-2.csv"), last(WORK / "spin.csv")))
check((WORK / "spins-3.csv").read_text() == (WORK / "spins-1.csv").read_text(), "history ends at a start")
code, out, err = run("run", chain)
check(code == OK and "fall, 1 of 3" in out and "from t = 1 s" in out, "chain as text", out)
check([r["name"] for r in ask("run", chain, "--run", "fall")[1]["runs"]] == ["fall"], "--run NAME")
code, answer = ask("run", chain, "--run", "2", "--duration", "0.5")
check([(r["t_start"], r["t_end"]) for r in answer["runs"]] == [(0, 0.5)], "--run NUMBER", answer)
check("did you mean 'fall'?" in run("run", chain, "--run", "fell")[2], "--run of a wrong name")
check("the model has 3" in run("run", chain, "--run", "4")[2] and run("run", chain, "--run", "4")[0] == USAGE, "--run 4")
check(run("run", chain, "-o", "-")[0] == USAGE, "three runs and one standard output")
check(run("run", chain, "-o", "-", "--run", "1")[0] == OK, "one of three to standard output")
twice = write("twice.json", dict(PENDULUM, runs=[dict(MOTION, name="a"), dict(MOTION, name="a")]))
code, out, err = run("run", twice)
check(code == INPUT and "there are two runs 'a'" in err, "two runs of one name", err)
odd = write("odd.json", dict(PENDULUM, runs=[dict(MOTION, name="../a b/c"), dict(MOTION, name="..")]))
files = [r["output"] for r in ask("run", odd, "-o", WORK / "odd.csv")[1]["runs"]]
check(files == [str(WORK / "odd-_._a_b_c.csv"), str(WORK / "odd-_..csv")], "names of files", files)
stops = write("stops.json", dict(PENDULUM, runs=[dict(MOTION, method="dopri5(max_steps=2)", step=0), MOTION]))
code, answer = ask("run", stops)
check(code == FAILED and len(answer["runs"]) == 1 and answer["runs"][0]["reason"] == "LIMIT", "a chain that fails", answer)
# ---- nothing is lost in the place of something else
for names in (["a/b", "a b"], ["2", None], ["x" * 100 + "a", "x" * 100 + "b"]):
    clash = write("clash.json", dict(PENDULUM, runs=[dict(MOTION, name=n) if n else MOTION for n in names]))
    code, answer = ask("run", clash, "-o", WORK / "clash.csv")
    check(code == INPUT and "would be written to the same file" in answer["messages"][0]["text"], "files of two runs", answer)
    check(ask("run", clash, "-o", "none")[0] == OK, "no files, no clash", names)
same = write("same.json", PENDULUM)
(WORK / "other.json").unlink(missing_ok=True)
(WORK / "other.json").symlink_to(same)
for name in "same.json", "./same.json", WORK / "other.json":
    for args in (["run", same], ["draw", same]):
        code, out, err = run(*args, "-o", name)
        check(code == USAGE and "-o would replace" in err and same.read_text()[0] == "{", "results in the place of the model", (code, err))
check(run("convert", same, "-o", same)[0] == OK, "a model may be converted in its place")
hidden = write("model.log", PENDULUM)
code, out, err = run("run", hidden)
check(code == INPUT and "would replace the model" in err and hidden.read_text()[0] == "{", "a model that is called .log", (code, err))
hidden.unlink()
check(run("run", model, "-o", "rows.log")[0] == OK, "a log")
code, out, err = run("export", "rows.log", "--format", "csv", "-o", WORK / "rows.log")
check(code == USAGE and (WORK / "rows.log").read_bytes()[:4] == b"CdLg", "a table in the place of its log", (code, err))
empty = write("empty.json", {"cardan": 1, "items": [], "runs": [MOTION]})
code, out, err = run("run", empty, "-o", "none")
check(code == INPUT and "nothing in the model can move; add a body" in err, "a model without bodies", (code, err))

print("cardan run does what it says")
