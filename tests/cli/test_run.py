"""test_run.py - cardan run: results, messages, Ctrl-C."""
import signal
import subprocess
import time

from program import (CARDAN, INPUT, INTERRUPTED, OK, OUTPUT, PENDULUM_FILE as model, WORK, ask, check, run, write)

csv = WORK / "out.csv"
code, out, err = run("run", model, "-o", csv)
lines = csv.read_text().splitlines()
check(code == OK and "1 s simulated" in out and err == "", "run", (code, out, err))
check(lines[0].startswith("# time in s") and lines[1].startswith("t,link.x") and len(lines) == 2 + 101, "CSV", lines[:3])
check(float(lines[-1].split(",")[0]) == 1, "the last sample is at the end", lines[-1])
code, summary = ask("run", model, "--duration", "0.5", "--method", "dopri5(rtol=1e-8)", "--step=0")
check(code == OK and summary["t_end"] == 0.5 and summary["messages"] == [], "run --json", summary)
check(summary["path"] == "mechanical, index 1 -> ode", "the path is named", summary)
code, out, err = run("run", model, "-o", "-")
check(code == OK and out.splitlines()[1].startswith("t,link.x") and "simulated" in err, "CSV on standard output", err)
code, out, err = run("run", "-", stdin=model.read_text())
check(code == OK and "simulated" in out, "a model from standard input", err)
code, out, err = run("run", model, "--channels", "link.x", "--channels", "link.q*", "-o", "-", "-q")
check(out.splitlines()[1] == "t,link.x,link.qw,link.qx,link.qy,link.qz" and err == "", "options that repeat", (out, err))
check(run("run", model, "--quiet")[1:] == ("", ""), "--quiet")

# ---- mistakes
for args, expected, answer in [
    (["--method", "gen-alfa"], INPUT, "did you mean 'gen-alpha'?"),
    (["--method", "formulation=ggl formulation=index3"], INPUT, "give it once"),
    (["--channels", "lnik.x"], INPUT, "did you mean 'link.x'?"),
    (["--step", "2"], INPUT, "longer than the duration"),
    (["-o", WORK / "no" / "folder.csv"], OUTPUT, "folder.csv"),
    (["-o", WORK], OUTPUT, str(WORK)),
    (["-o", "/dev/full"], OUTPUT, "/dev/full"),
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

# ---- Ctrl-C: ends soon, with everything so far in the file
long = subprocess.Popen([CARDAN, "run", str(model), "--duration", "1e6", "--interval", "0.01", "-o", str(csv)],
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
time.sleep(1)
long.send_signal(signal.SIGINT)
begin = time.monotonic()
out, err = long.communicate(timeout=20)
check(long.returncode == INTERRUPTED and "cancelled at t" in err, "Ctrl-C", (long.returncode, err))
check(time.monotonic() - begin < 5, "Ctrl-C takes too long", time.monotonic() - begin)
rows = csv.read_text().splitlines()
check(len(rows) > 20 and rows[-1].count(",") == rows[1].count(","), "samples are lost", rows[-2:])
print("cardan run does what it says")
