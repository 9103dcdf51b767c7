"""cli.py - the command line as a user meets it: output, exit codes, mistakes, Ctrl-C.

usage: cli.py CARDAN SOURCE_DIR WORK_DIR
"""
import json
import pathlib
import signal
import subprocess
import sys
import time

CARDAN, SOURCE, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
WORK.mkdir(parents=True, exist_ok=True)
MODEL = {
    "cardan": 1,
    "items": [
        {"class": "Gravity", "name": "g", "acceleration": [0, -9.81, 0]},
        {"class": "RigidBody", "name": "link", "position": [0.5, 0, 0],
         "shape": {"class": "Cuboid", "size": [1, 0.1, 0.1]}},
        {"class": "RevoluteJoint", "name": "hinge", "body_b": "link"},
    ],
    "runs": [{"duration": 1, "step": 0.01}],
}
model = WORK / "pendulum.json"
model.write_text(json.dumps(MODEL))


def run(*args, stdin=None):
    done = subprocess.run([CARDAN, *map(str, args)], capture_output=True, text=True, input=stdin, timeout=60)
    return done.returncode, done.stdout, done.stderr


def check(ok, what, seen):
    if not ok:
        sys.exit(f"{what}\n{seen}")


# ---- what there is
code, out, err = run("version")
check(code == 0 and out.startswith("cardan ") and err == "", "version", (code, out, err))
check(json.loads(run("version", "--json")[1])["cardan"] == out.split()[1], "version --json", out)
check(run("--version")[1] == out, "--version", out)
code, out, err = run("--help")
check(code == 0 and "\n  run " in out, "--help", out)
check(run()[0] == 2 and run()[1] == "", "no verb is wrong usage", run())
code, out, err = run("help")
check(code == 0 and "RevoluteJoint" in out and "Cuboid" in out, "help lists classes", out)
code, out, err = run("help", "RevoluteJoint")
check(code == 0 and "marker_a" in out, "help of a class", out)
check("fields" in json.loads(run("help", "RigidBody", "--json")[1]), "help --json", out)
code, out, err = run("methods", model, "--json")
fits = {(m["integrator"], m["formulation"]): m["fits"] for m in json.loads(out)}
check(fits["gen-alpha", "ggl"] and not fits["verlet", "ggl"], "methods that fit", out)
check("gen-alpha" in json.loads(run("methods", "--json")[1])["integrator"], "methods --json", out)
check(json.loads(run("schema", "RigidBody")[1])["type"] == "object", "schema of a class", out)

# ---- runs
csv = WORK / "out.csv"
code, out, err = run("run", model, "-o", csv)
lines = csv.read_text().splitlines()
check(code == 0 and "1 s simulated" in out and err == "", "run", (code, out, err))
check(lines[0].startswith("# time in s") and lines[1].startswith("t,link.x") and len(lines) == 2 + 101, "CSV", lines[:3])
check(float(lines[-1].split(",")[0]) == 1, "the last sample is at the end", lines[-1])
code, out, err = run("run", model, "--json", "--duration", "0.5", "--method", "dopri5(rtol=1e-8)", "--step=0")
summary = json.loads(out)
check(code == 0 and summary["status"] == "OK" and summary["t_end"] == 0.5 and summary["messages"] == [], "run --json", out)
check(summary["path"] == "mechanical, index 1 -> ode", "the path is named", summary)
ends = []
for method in "radau5(digits=6)", "dopri5( digits = 8 )", "dop853(digits=10)":
    code, out, err = run("run", model, "-o", csv, "--method", method)
    ends.append([float(x) for x in csv.read_text().splitlines()[-1].split(",")])
    check(code == 0 and err == "", "digits ask for step control", (method, code, out, err))
for digits, end in (6, ends[0]), (8, ends[1]):
    worst = max(abs(a - b) / (1 + abs(b)) for a, b in zip(end, ends[2]))
    check(worst < 10 ** (1 - digits), "digits are there in the end", (digits, worst))
for method in "rk4(max_step=0.5)", "gen-alpha(min_step=0)":
    steps = json.loads(run("run", model, "--json", "--method", method)[1])["steps"]
    check(steps == 100, "other options leave the step of the run as it is", (method, steps))
code, out, err = run("run", model, "-o", "-")
check(code == 0 and out.splitlines()[1].startswith("t,link.x") and "simulated" in err, "CSV on standard output", err)
code, out, err = run("run", "-", stdin=model.read_text())
check(code == 0 and "simulated" in out, "a model from standard input", err)

# ---- mistakes: text on standard error, codes 2 for usage and 1 for the rest
for args, expected, answer in [
    (["rnu"], 2, "did you mean 'run'?"),
    (["run"], 2, "give one model"),
    (["run", model, "--durtion", "2"], 2, "did you mean '--duration'?"),
    (["run", model, "--duration"], 2, "needs a value"),
    (["run", model, "more"], 2, "too many arguments"),
    (["run", WORK / "none.json"], 1, "none.json"),
    (["run", model, "--duration", "0"], 2, "must be above 0 s"),
    (["run", model, "--method", "gen-alfa"], 1, "did you mean 'gen-alpha'?"),
    (["run", model, "--method", "formulation=ggl formulation=index3"], 1, "give it once"),
    (["run", model, "-o", WORK / "no" / "folder.csv"], 1, "folder.csv"),
    (["help", "RevolutJoint"], 2, "did you mean 'RevoluteJoint'?"),
    (["bench", "run", "A99"], 1, "A99"),
    (["bench"], 2, "usage"),
]:
    code, out, err = run(*args)
    check(code == expected and answer in err, f"wrong answer to {args}", (code, out, err))
    check(out == "", f"{args} talks on standard output", out)

# all mistakes of a file at once, in their lines
wrong = WORK / "wrong.json"
wrong.write_text('{"cardan": 1, "items": [\n{"class": "RigidBodi", "name": "a"},\n'
                 '{"class": "RigidBody", "name": "b", "mass": -1},\n{"class": "FixedJoint", "name": "c", "body_b": "d"}]}')
code, out, err = run("run", wrong, "--duration", "1")
check(code == 1 and all(f"wrong.json:{k}:" in err for k in (2, 3, 4)), "three mistakes in three lines", err)
answer = json.loads(run("run", wrong, "--duration", "1", "--json")[1])
check(answer["status"] != "OK" and {m["line"] for m in answer["messages"]} == {2, 3, 4}, "mistakes as JSON", answer)

# ---- Ctrl-C: ends soon, with code 1 and everything so far in the file
long = subprocess.Popen([CARDAN, "run", str(model), "--duration", "1e6", "--interval", "0.01", "-o", str(csv)],
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
time.sleep(1)
long.send_signal(signal.SIGINT)
begin = time.monotonic()
out, err = long.communicate(timeout=20)
check(long.returncode == 1 and "cancelled at t" in err, "Ctrl-C", (long.returncode, err))
check(time.monotonic() - begin < 5, "Ctrl-C takes too long", time.monotonic() - begin)
rows = csv.read_text().splitlines()
check(len(rows) > 20 and rows[-1].count(",") == rows[1].count(","), "samples are lost", rows[-2:])
print("the command line does what it says")
