"""test_frame.py - the frame of the command line: help, usage, options, exit codes, messages, JSON."""
import pathlib
import pty
import os
import subprocess

from program import (CARDAN, FAILED, INPUT, OK, OUTPUT, PENDULUM_FILE as model, USAGE, WORK, ask, check, environment,
                     run, write)

# ---- what there is
code, out, err = run("version")
check(code == OK and out.startswith("cardan ") and err == "", "version", (code, out, err))
check(ask("version")[1]["cardan"] == out.split()[1], "version --json", out)
check(run("--version")[1] == out and run("-V")[1] == out, "--version", out)
code, out, err = run("--help")
check(code == OK and "\n  run " in out and run("-h")[1] == out, "--help", out)
check(run()[0] == USAGE and run()[1] == "", "no verb is wrong usage", run())

VERBS = [v["name"] for v in ask("help")[1]["verbs"]]
check({"run", "check", "help", "version"} <= set(VERBS), "verbs", VERBS)
TABLES = {}
for verb in VERBS:
    code, out, err = run(verb, "--help")
    check(code == OK and err == "" and out.startswith(f"usage: cardan {verb} "), f"{verb} --help", (code, out, err))
    check(run("help", verb)[1] == out and run(verb, "-h")[1] == out, f"help {verb} is {verb} --help", out)
    check(max(map(len, out.splitlines())) <= 100, f"{verb} --help has long lines", out)
    code, answer = ask("help", verb)
    TABLES[verb] = [f for t in answer["tables"] for f in t["fields"]]
    names = [f["name"] for f in TABLES[verb]]
    check(code == OK and {"json", "quiet", "color", "help"} <= set(names), f"help {verb} --json", names)
    check(len(names) == len(set(names)), f"{verb} has two options of one name", names)
    code, answer = ask(verb, "--nonsense")
    check(code == USAGE and answer["verb"] == verb, f"{verb} with an unknown option", answer)
    check(any("unknown option '--nonsense'" in m["text"] for m in answer["messages"]), f"{verb} --nonsense", answer)

code, out, err = run("help")
check(code == OK and "RevoluteJoint" in out and "Cuboid" in out, "help lists classes", out)
code, out, err = run("help", "RevoluteJoint")
check(code == OK and "marker_a" in out, "help of a class", out)
check("fields" in ask("help", "RigidBody")[1]["table"], "help --json", out)
code, out, err = run("help", "exit-codes")
codes = {c["name"]: c["code"] for c in ask("help", "exit-codes")[1]["exit_codes"]}
check(codes == {"OK": 0, "FAILED": 1, "USAGE": 2, "INPUT": 3, "OUTPUT": 4, "INTERRUPTED": 130}, "exit codes", codes)
check(all(f"{c}  {n}" in out for n, c in codes.items()), "help exit-codes", out)
fits = {(m["integrator"], m["formulation"]): m["fits"] for m in ask("methods", model)[1]["methods"]}
check(fits["gen-alpha", "ggl"] and not fits["verlet", "ggl"], "methods that fit", fits)
check("gen-alpha" in ask("methods")[1]["integrator"], "methods --json")
check("gen-alpha" in run("methods")[1] and "fits" in run("methods", model)[1], "methods")
check(ask("schema", "RigidBody")[1]["schema"]["type"] == "object", "schema of a class")
check("RigidBody" in run("schema")[1], "schema")

# ---- check
code, out, err = run("check", model)
check(code == OK and "1 degree of freedom" in out and err == "", "check", (code, out, err))
code, answer = ask("check", model)
check(code == OK and answer["dof"] == 1 and answer["errors"] == 0, "check --json", answer)
code, out, err = run("check", "-", stdin=model.read_text())
check(code == OK and "1 degree of freedom" in out, "check of standard input", err)
loose = write("loose.json", {"cardan": 1, "items": [
    {"class": "RigidBody", "name": "a", "mass": 1, "position": [1, 0, 0], "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
    {"class": "Marker", "name": "m", "body": "a"}, {"class": "Marker", "name": "n", "body": "ground"},
    {"class": "SphericalJoint", "name": "j", "marker_a": "m", "marker_b": "n"},
    {"class": "SphericalJoint", "name": "k", "body_b": "a", "at": [1, 0, 0]}]})
code, answer = ask("check", loose)
check((code, answer["status"]) == (FAILED, "FAILED") and answer["errors"] == 2, "errors of a check", answer)

# ---- mistakes: told on standard error, in the words of the user, all at once
for args, expected, answer in [
    (["rnu"], USAGE, "did you mean 'run'?"),
    (["frobnicate"], USAGE, "'cardan --help' lists them"),
    (["run"], USAGE, "MODEL is missing"),
    (["check"], USAGE, "MODEL is missing"),
    (["run", model, "--durtion", "2"], USAGE, "did you mean '--duration'?"),
    (["run", model, "--zzz"], USAGE, "'cardan run --help' lists them"),
    (["run", model, "-z"], USAGE, "unknown option '-z'"),
    (["run", model, "--duration"], USAGE, "'--duration' needs a value"),
    (["run", model, "--duration", "--quiet"], USAGE, "'--duration' needs a value"),
    (["run", model, "-o"], USAGE, "'--output' needs a value"),
    (["run", model, "more"], USAGE, "too many arguments: 'more'"),
    (["run", model, "--duration", "0"], USAGE, "option '--duration': must be above 0 s"),
    (["run", model, "--duration", "five"], USAGE, "option '--duration': "),
    (["run", model, "--threads", "two"], USAGE, "option '--threads': "),
    (["run", model, "--threads", "99999999999999999999"], USAGE, "option '--threads': "),
    (["run", model, "--color", "sometimes"], USAGE, "option '--color': must be"),
    (["run", model, "--json=maybe"], USAGE, "option '--json'"),
    (["run", model, "--no-duration"], USAGE, "unknown option '--no-duration'"),
    (["version", "-o", "x"], USAGE, "unknown option '-o'"),
    (["run", WORK / "none.json"], INPUT, "none.json"),
    (["check", WORK / "none.json"], INPUT, "none.json"),
    (["methods", WORK / "none.json"], INPUT, "none.json"),
    (["run", WORK], INPUT, str(WORK)),
    (["run", ""], INPUT, ""),
    (["help", "RevolutJoint"], USAGE, "did you mean 'RevoluteJoint'?"),
    (["help", "exit-code"], USAGE, "did you mean 'exit-codes'?"),
    (["schema", "RevolutJoint"], USAGE, "did you mean 'RevoluteJoint'?"),
    (["bench", "run", "A99"], INPUT, "A99"),
    (["bench"], USAGE, "PROBLEM is missing"),
    (["bench", "rnu", "A01"], USAGE, "did you mean 'run'?"),
]:
    code, out, err = run(*args)
    check(code == expected and answer in err and "error: " in err,
          f"wrong answer to {args}", (code, out, err))
    check(out == "", f"{args} talks on standard output", out)
    if "--json=maybe" not in args:
        check(ask(*args)[0] == expected, f"{args} --json", out)
code, out, err = run("run", model, "--durtion", "2", "--stp", "1", "--threads", "x")
check(all(w in err for w in ("--durtion", "--stp", "--threads")), "all mistakes at once", err)

# every verb that reads files, with files that are none: told, with the code for it, as text and as JSON
wrong = [WORK / "none.json", WORK, write("empty.json", ""), write("garbage.json", "\x01\x02{]" * 1000),
         write("cut.json", model.read_text()[:60]), write("cut.log", "CdLgHEAD\x00\x00"), write("list.json", "[1, 2]"),
         "/dev/null", "x" * 300, "no/such/folder/x.log"]
for verb in VERBS:
    arguments = ask("help", verb)[1]["arguments"]
    needed = [a for a in arguments if not a["optional"]]
    if needed:
        code, answer = ask(verb)
        check(code == USAGE and f"{needed[0]['name']} is missing" in answer["messages"][0]["text"], f"{verb} alone", answer)
    if not arguments or arguments[0]["kind"] != "file":
        continue
    files = sum(a["kind"] == "file" for a in needed) or 1
    output = ["-o", WORK / "made.csv"] if "output" in [f["name"] for f in TABLES[verb]] else []
    for path in wrong:
        code, answer = ask(verb, *[path] * files, *output)
        check(code == INPUT and answer["messages"], f"{verb} {path}", answer)
        code, out, err = run(verb, *[path] * files, *output)
        check(code == INPUT and "error: " in err and out == "", f"{verb} {path}", (code, out, err))

# values: attached or not, repeated, negated, after --
check(ask("run", model, "--duration=0.5", "--duration", "0.25")[1]["runs"][0]["t_end"] == 0.25, "the last value counts")
check("simulated" in run("run", model, "--quiet", "--no-quiet")[1], "--no-quiet")
check(run("run", "--", model)[0] == OK, "after -- come arguments")
check(run("run", "--", "-o")[0] == INPUT, "after -- come no options")
csv = WORK / "attached.csv"
check(run("run", model, f"-o{csv}")[0] == OK and csv.exists(), "-oFILE")
check(run("run", model, "-qo", csv)[1] == "", "-q with -o")
check(ask("run", model, "--step", "5 ms")[1]["runs"][0]["steps"] == 200, "values have units")

# odd words
for word in ["", " ", "-", "--", "\x1b[31mred", "x" * 100000, "é" * 5000, "%s%n", "--" + "y" * 100000, b"\xff\xfe", "'"]:
    for place in ([word], ["run", word], ["help", word], ["run", model, word], ["run", model, "--method", word]):
        code, out, err = run(*place, stdin="")
        check(code in (OK, FAILED, USAGE, INPUT), f"{place}"[:200], (code, err[:2000]))
        check("\x1b" not in err, "a word steers the terminal", err[:200])
        code, answer = ask(*place, stdin="") if word != "--" else (0, None)

# ---- colour: on a terminal only, never with NO_COLOR
def on_terminal(*args, env=None):
    ours, theirs = pty.openpty()
    done = subprocess.run([CARDAN, *args], stderr=theirs, stdout=subprocess.DEVNULL, env=environment(env), check=False)
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 4096):
            seen += chunk
    except OSError:
        pass
    os.close(ours)
    return done.returncode, seen.decode()


check("\x1b[1;31merror: \x1b[0m" in on_terminal("rnu")[1], "colour on a terminal", on_terminal("rnu"))
check("\x1b" not in on_terminal("rnu", env={"NO_COLOR": "1"})[1], "NO_COLOR")
check("\x1b" in on_terminal("rnu", env={"NO_COLOR": ""})[1], "NO_COLOR counts if it is not empty")
check("\x1b" not in on_terminal("run", "--zzz", "--color", "never")[1].split("MODEL")[-1], "--color never")
check("\x1b" not in run("rnu")[2], "no colour without a terminal")

# ---- standard output that cannot be written
with open("/dev/full", "w", encoding="utf-8") as full:
    for args in (["version"], ["help"], ["schema"], ["version", "--json"], ["run", model]):
        code, out, err = run(*args, stdout=full)
        check(code == OUTPUT and "cannot write to standard output" in err, f"{args} to a full disk", (code, err))
done = subprocess.run(["sh", "-c", 'exec "$0" version >&-', CARDAN], capture_output=True, text=True, check=False)
check(done.returncode == OUTPUT and "standard output" in done.stderr, "closed standard output", done)
check(run("run", model, "--json", "-o", "-")[0] == USAGE, "--json and -o - want the same place")
check(pathlib.Path("/dev/full").exists(), "no full disk to test with")
print("the frame of the command line does what it says")
