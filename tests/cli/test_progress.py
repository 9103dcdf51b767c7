"""test_progress.py - cardan run while it lasts: progress on a terminal and elsewhere, Ctrl-C."""
import os
import pty
import re
import signal
import subprocess
import time

from program import CARDAN, INTERRUPTED, OK, PENDULUM_FILE as model, WORK, ask, await_file, check, environment, write

LONG = ["run", str(model), "--duration", "1e6", "--interval", "0.01"]
# from the signal to the end, in s; sanitizers, for which libraries are shared, look for leaks before they end
LIMIT = 0.1 if ask("doctor")[1]["static"] else 0.5
# s that a machine may take which has other things to do
BUSY = 5
TRIES = 5


def start(*args, stderr=subprocess.PIPE):
    return subprocess.Popen([CARDAN, *args], stdout=subprocess.PIPE, stderr=stderr, text=True, env=environment(None))


def interrupt(process, after):
    """(exit code, standard error, seconds it took to end)"""
    time.sleep(after)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(20)
    took = time.monotonic() - begin
    return process.returncode, process.stderr.read() if process.stderr else "", took


# a line every ten seconds; looked at when the rest is done
begun = time.monotonic()
lines = start(*LONG)

# ---- Ctrl-C: ends within 0.1 s, with everything so far in the file
times = []
for attempt in range(TRIES):
    csv = WORK / "long.csv"
    csv.unlink(missing_ok=True)
    process = start(*LONG, "-o", str(csv))
    await_file(csv)
    code, err, took = interrupt(process, 0.5)
    check(code == INTERRUPTED and "cancelled at t" in err, "Ctrl-C", (code, err))
    rows = csv.read_text().splitlines()
    check(len(rows) > 3 and csv.read_text().endswith("\n"), "samples are lost", rows[-2:])
    check(all(r.count(",") == rows[1].count(",") for r in rows[2:]), "rows are not whole", rows[-2:])
    at = float(re.search(r"cancelled at t = ([0-9.e+]+)", err)[1])
    check(abs(float(rows[-1].split(",")[0]) - at) <= 0.0201, "the last rows are missing", (rows[-1], at))
    times.append(took)
print(f"Ctrl-C during a run: {1e3 * min(times):.1f} to {1e3 * max(times):.1f} ms")
check(min(times) < LIMIT and sorted(times)[TRIES // 2] < BUSY, "Ctrl-C takes too long", times)

# with nothing to keep, a program that reads or assembles ends at once
bodies = 6000
items = [{"class": "RigidBody", "name": f"b{k}", "position": [k + 0.5, 0, 0], "mass": 1,
          "shape": {"class": "Cuboid", "size": [1, 0.1, 0.1]}} for k in range(bodies)]
items += [{"class": "SphericalJoint", "name": f"j{k}", "body_a": f"b{k - 1}" if k else "ground", "body_b": f"b{k}",
           "at": [k, 0, 0]} for k in range(bodies)]
large = write("large.json", {"cardan": 1, "items": items, "runs": [{"duration": 1e3, "step": 1e-3}]})
times = []
for verb, delay in [("check", 0.02), ("check", 0.06), ("run", 0.05), ("run", 0.2), ("run", 0.5), ("run", 1.5)]:
    code, err, took = interrupt(start(verb, str(large)), delay)
    check(code in (INTERRUPTED, -signal.SIGINT), f"Ctrl-C {delay} s after {verb} began", (code, err))
    times.append(took)
print(f"Ctrl-C of {bodies} bodies: " + ", ".join(f"{1e3 * t:.0f}" for t in times) + " ms")
check(min(times) < LIMIT and sorted(times)[2] < BUSY, "Ctrl-C of a large model takes too long", times)

# ---- progress: nothing for a program that is quiet or answers in JSON, a bar on a terminal


def on_terminal(*args, seconds):
    ours, theirs = pty.openpty()
    process = start(*args, stderr=theirs)
    os.close(theirs)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    process.wait(20)
    seen = b""
    try:
        while chunk := os.read(ours, 65536):
            seen += chunk
    except OSError:
        pass
    os.close(ours)
    return seen.decode()


seen = on_terminal(*LONG, seconds=1.2)
frames = re.findall(r"\rrun  \[[#.]{20}\]  +\d+%  t = [0-9.e+]+ s  [^\r]* left", seen)
check(1 <= len(frames) <= 13, "a bar is drawn, at most ten times a second", seen)
check(max(len(f) for f in frames) <= 80, "a bar fits on a line", frames[-1])
check(re.search(r"\r +\r.*cancelled at t", seen), "the bar is taken away before a message", seen)
for word in ("--quiet", "--json"):
    seen = on_terminal(*LONG, word, seconds=0.5)
    check("%" not in seen and "left" not in seen, f"no bar with {word}", seen)
code, err, took = interrupt(start(*LONG), 0.5)
check(err.count("\n") == 1, "no line within ten seconds", err)
code, err, took = interrupt(lines, max(0, begun + 10.5 - time.monotonic()))
check(re.match(r"run  +\d+%  t = \S+ s  .* left\n", err) and err.count(" left\n") in (1, 2), "a line every ten seconds", err)

# the second Ctrl-C does not wait for the end of a step
twice = start("run", str(large), "-o", str(WORK / "large.log"))
time.sleep(2)
twice.send_signal(signal.SIGINT)
code, err, took = interrupt(twice, 0)
check(code in (INTERRUPTED, -signal.SIGINT) and took < BUSY, "Ctrl-C twice", (code, took))
done = subprocess.run([CARDAN, "run", str(model)], capture_output=True, text=True, check=False)
check(done.returncode == OK and done.stderr == "", "nothing of a short run", done.stderr)
print("progress and Ctrl-C do what they should")
