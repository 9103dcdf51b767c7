"""test_log.py - logs of cardan run: the format as documented, kill -9 at any time, full disks, --resume.

Logs are read with the Python of docs/results.md, which knows nothing of our C.
"""
import concurrent.futures
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import time

from program import (CARDAN, INPUT, INTERRUPTED, OK, OUTPUT, PENDULUM, SOURCE, WORK, await_file, check, run, write)

exec(re.search(r"^```python\n(.*?)^```$", (SOURCE / "docs" / "results.md").read_text(), re.M | re.S)[1])
random.seed(6)

SPIN = json.loads(json.dumps(PENDULUM))
SPIN["items"] += [
    {"class": "TorsionalSpringDamper", "name": "spring", "body_b": "link", "stiffness": 3, "damping": 0.01},
    {"class": "JointSensor", "name": "turn", "joint": "hinge"},
    {"class": "JointSensor", "name": "force", "joint": "hinge", "quantity": "force"},
]
SPIN["items"][1].update(velocity=[0, 10, 0], angular_velocity=[0, 0, 20])
SPIN["runs"] = [{"duration": 1, "step": 0.001, "interval": 0.01}]
model = write("spin.json", SPIN)


def bits(row):
    return struct.pack(f"{len(row)}d", *row)


# ---- the format is what the page says
check(run("run", model, "-o", "a.log")[0] == OK, "a run")
head, rows, others = read_log(WORK / "a.log")
names = [c["name"] for c in head["channels"]]
check(head["format"] == "cardan log" and head["version"] == 2 and head["units"].startswith("SI"), "header", head)
check(head["model"]["file"].endswith("spin.json") and len(head["model"]["hash"]) == 16, "model", head["model"])
check(head["run"]["duration"] == 1 and "gen-alpha" in head["method"] and head["build"]["cardan"], "run", head)
check(names[:4] == ["turn.angle", "force.fx", "force.fy", "force.fz"], "channels", names)
check(names[4] == "@link.x" and names[-1] == "@spring.mz" and head["scene"] == len(names) - 4, "scene", names)
check(len(rows) == 101 and rows[0][0] == 0 and rows[-1][0] == 1 and abs(rows[50][0] - 0.5) < 1e-12, "rows", len(rows))
check(max(r[1] for r in rows) > 7, "angles go on after a turn", max(r[1] for r in rows))
# the reaction in axes of the ground is the one for pictures
fx = names.index("@hinge.fx") + 1
check(all(abs(r[2] - r[fx]) <= 1e-9 * (1 + abs(r[fx])) for r in rows), "reactions", (rows[3][2], rows[3][fx]))
done = json.loads(others["DONE"][0])
check(done["reason"] == "OK" and done["samples"] == 101 and len(done["state"]) == 16, "summary", done)
again = write("again.json", others["MODL"][0].decode())
check(run("run", again, "-o", "b.log")[0] == OK, "the model of a log can be run")
check([bits(r) for r in read_log(WORK / "b.log")[1]] == [bits(r) for r in rows], "and gives the same rows")

# ---- what is sampled
check(run("run", model, "-o", "c.log", "--channels", "force.f*", "--no-scene", "--interval", "0", "--decimation", "100")[0] == OK, "sampling")
head, rows, others = read_log(WORK / "c.log")
check([c["name"] for c in head["channels"]] == ["force.fx", "force.fy", "force.fz"], "patterns", head["channels"])
check(len(rows) == 11 and len(rows[0]) == 4 and abs(rows[1][0] - 0.1) < 1e-12, "every 100th step", rows[1][0])
code, out, err = run("run", model, "-o", "c.log", "--decimation", "100")
check(code == INPUT and "give one of them" in err, "interval and decimation", err)

# ---- kill -9 at 200 random times: whatever has the name of the log can be read, at most 2 s are lost
long = ["--duration", "1e5", "--interval", "0.05", "--step", "0.005", "--channels", "turn.*", "--no-scene"]
check(run("run", model, *long, "--duration", "60", "-o", "reference.log")[0] == OK, "reference")
reference = [bits(r) for r in read_log(WORK / "reference.log")[1][:-1]]


def kill_one(k):
    folder = WORK / f"kill{k}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    wait = random.uniform(*[(2.2, 3), (0, 0.1), (0, 0.1), (0, 1), (0, 0.3)][k % 5])
    # checkpoints would help those that last
    more = ["--checkpoint", "0"] if k % 5 == 0 else []
    with subprocess.Popen([CARDAN, "run", str(model), *long, *more, "-o", "x.log"], cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(wait)
        process.kill()
        end = time.time()
    file = folder / "x.log"
    lost = end - file.stat().st_mtime if file.exists() else wait
    got = read_log(file) if file.exists() else None
    shutil.rmtree(folder)
    return lost, got


kills = total = partial = 0
with concurrent.futures.ThreadPoolExecutor(12) as pool:
    for lost, got in pool.map(kill_one, range(200)):
        kills += 1
        check(lost < 2, "results of more than 2 s are lost", lost)
        if not got:
            continue
        check(got[0] is not None, "a log cannot be read")
        n = min(len(got[1]), len(reference))
        check([bits(r) for r in got[1][:n]] == reference[:n], "rows of a killed run differ")
        total += len(got[1])
        partial += len(got[1]) > 0
check(partial > 30, "logs with rows are missing", partial)
print(f"{kills} kills, {partial} logs with rows, {total} rows")

# ---- resume: killed several times, at last the same file as without
def resume(name, options, kills):
    command = [CARDAN, "run", str(model), "-o", f"{name}.log", "--checkpoint", "0.02", *options]
    check(run("run", model, "-o", f"{name}-whole.log", *options)[0] == OK, "a whole run")
    (WORK / f"{name}.log").unlink(missing_ok=True)
    for _ in range(kills):
        with subprocess.Popen(command + ["--resume"], cwd=WORK, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            time.sleep(random.uniform(0.1, 0.3))
            process.kill()
    code, out, err = run(*command[1:], "--resume")
    check(code == OK, f"{name}: --resume", err)
    head, rows, others = read_log(WORK / f"{name}.log")
    whole = read_log(WORK / f"{name}-whole.log")
    check([bits(r) for r in rows] == [bits(r) for r in whole[1]], f"{name}: rows differ", (len(rows), len(whole[1])))
    one, two = json.loads(others["DONE"][0]), json.loads(whole[2]["DONE"][0])
    for key in ("state", "steps", "samples", "iterations", "energy_start", "energy_end"):
        check(one[key] == two[key], f"{name}: {key}", (one[key], two[key]))
    return len(others.get("CHKP", []))


SMALL = ["--channels", "turn.*", "--no-scene"]
made = resume("fixed", ["--duration", "12", *SMALL], 4)
made += resume("adaptive", ["--duration", "30", "--step", "0", "--method", "dop853(rtol=1e-10)", *SMALL], 3)
made += resume("steps", ["--duration", "12", "--interval", "0", "--decimation", "7", *SMALL], 2)
check(made > 5, "checkpoints are missing", made)

# a chain: what is complete stays, the rest goes on
RUNS = [{"name": "up", "duration": 1, "step": 0.001}, {"name": "on", "duration": 4, "step": 0.001}]
chain = write("chain.json", dict(SPIN, runs=RUNS))
check(run("run", chain, "-o", "whole.log", *SMALL)[0] == OK, "a chain")
(WORK / "part-on.log").unlink(missing_ok=True)
shutil.copy(WORK / "whole-up.log", WORK / "part-up.log")
with subprocess.Popen([CARDAN, "run", str(chain), "-o", "part.log", *SMALL, "--resume", "--checkpoint", "0.02"], cwd=WORK,
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
    time.sleep(0.6)
    process.kill()
code, out, err = run("run", chain, "-o", "part.log", *SMALL, "--resume")
check(code == OK and "part-up.log: nothing to resume" in err, "a chain is resumed", err)
check((WORK / "part-up.log").read_bytes() == (WORK / "whole-up.log").read_bytes(), "a complete log is touched")
one, two = read_log(WORK / "part-on.log"), read_log(WORK / "whole-on.log")
check([bits(r) for r in one[1]] == [bits(r) for r in two[1]] and one[1][0][0] == 1, "rows of a chain", len(one[1]))
check(json.loads(one[2]["DONE"][0])["state"] == json.loads(two[2]["DONE"][0])["state"], "state of a chain")
first, last = json.loads(run("run", chain, "-o", "part.log", *SMALL, "--resume", "--json")[1])["runs"]
done = json.loads(read_log(WORK / "part-up.log")[2]["DONE"][0])
check(first["reason"] == "OK" and first["state"] == done["state"], "a complete run that is made again for its end has numbers", first)
check(last["reason"] == "COMPLETE" and "state" not in last, "the last one is left as it is", last)

# Ctrl-C leaves a checkpoint, as does what a batch system or a closed terminal sends
options = ["--duration", "3000", *SMALL, "-o", "stopped.log", "--checkpoint", "100"]
for number in signal.SIGTERM, signal.SIGHUP, signal.SIGINT:
    (WORK / "stopped.log").unlink(missing_ok=True)
    with subprocess.Popen([CARDAN, "run", str(model), *options], cwd=WORK, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        await_file(WORK / "stopped.log")
        time.sleep(0.5)
        process.send_signal(number)
    check(process.returncode == INTERRUPTED, f"{number.name} ends a run", process.returncode)
    head, rows, others = read_log(WORK / "stopped.log")
    t, count = struct.unpack_from("<dQ", others["CHKP"][-1])
    check(count == len(rows) and "DONE" not in others and rows[-1][0] <= t, "the checkpoint is at the end", (count, len(rows)))

# a log that is being written belongs to one program
options[options.index("stopped.log")] = "taken.log"
shutil.copy(WORK / "stopped.log", WORK / "taken.log")
with subprocess.Popen([CARDAN, "run", str(model), *options, "--resume"], cwd=WORK, stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL) as process:
    time.sleep(0.5)
    code, out, err = run("run", model, *options, "--resume")
    process.send_signal(signal.SIGINT)
check(code == OUTPUT and "another program is writing it" in err, "two programs and one log", (code, err))
check(process.returncode == INTERRUPTED and len(read_log(WORK / "taken.log")[1]) > len(rows), "the first one is not disturbed")

# ---- what cannot be resumed
for options, expected, answer in [
    (["-o", "a.log"], OK, "nothing to resume"),
    (["-o", "stopped.log"], INPUT, "option 'duration' is 1, in the log it is 30"),
    (["-o", "stopped.log", "--duration", "30", "--method", "radau5"], INPUT, "option 'method' is \"radau5\""),
    (["-o", "out.csv"], INPUT, "only logs can be resumed"),
    (["-o", "none"], INPUT, "-o none keeps nothing to resume from"),
]:
    code, out, err = run("run", model, *options, "--resume")
    check(code == expected and answer in err, f"resume {options}", (code, err))
complete = json.loads(run("run", model, "-o", "a.log", "--resume", "--json")[1])["runs"][0]
check(complete["reason"] == "COMPLETE" and "state" not in complete, "no numbers of a run that was not made", complete)
SPIN["items"][3]["stiffness"] = 4
code, out, err = run("run", write("other.json", SPIN), "-o", "stopped.log", "--resume", "--duration", "30", *SMALL)
check(code == INPUT and "the model differs from that of the log" in err, "another model", err)
with subprocess.Popen([CARDAN, "run", str(model), "--method", "ida", "--step", "0", "--duration", "1e5", "-o", "ida.log"], cwd=WORK,
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
    time.sleep(0.4)
    process.kill()
code, out, err = run("run", model, "--method", "ida", "--step", "0", "--duration", "1e5", "-o", "ida.log", "--resume")
check(code == INPUT and "the method cannot be saved" in err, "ida cannot be resumed", err)
(WORK / "new.log").unlink(missing_ok=True)
code, out, err = run("run", model, "-o", "new.log", "--resume")
check(code == OK and "the run begins" in err, "resume of nothing", err)

# ---- disks
def limited(n):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n, n))


for limit in (1000, 10000, 40000):
    (WORK / "full.log").unlink(missing_ok=True)
    done = subprocess.run([CARDAN, "run", str(model), "-o", "full.log", "--interval", "0.001"], cwd=WORK, text=True, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limited(limit))
    check(done.returncode == OUTPUT and "full.log: error: cannot write: File too large" in done.stderr, f"limit {limit}", done)
    check(done.stderr.count("error") == 1, "told once", done.stderr)
    if limit < 10000:
        check(not (WORK / "full.log").exists() and not list(WORK.glob("full.log.*")), "nothing is left")
    else:
        head, rows, others = read_log(WORK / "full.log")
        check(head is not None and "DONE" not in others, "a full disk leaves a log", others.keys())
if os.getuid() != 0:
    closed = WORK / "closed"
    closed.mkdir(exist_ok=True)
    closed.chmod(0o555)
    code, out, err = run("run", model, "-o", closed / "x.log", "--duration", "1e6")
    check(code == OUTPUT and "Permission denied" in err, "a folder that cannot be written", err)
code, out, err = run("run", model, "-o", "/proc/x.log", "--duration", "1e6")
check(code == OUTPUT and "/proc/x.log: error: cannot create" in err, "a file system that cannot be written", err)
pipe = WORK / "pipe.log"
if not pipe.exists():
    os.mkfifo(pipe)
with subprocess.Popen(["head", "-c", "10", str(pipe)], stdout=subprocess.DEVNULL):
    code, out, err = run("run", model, "-o", pipe, "--interval", "0.0001", "--duration", "3")
check(code == OUTPUT and "Broken pipe" in err, "a broken pipe", (code, err))

# ---- a run takes the same memory however long it is
def memory(duration):
    """kB of the smaller of two runs, and what they write"""
    peaks = []
    for _ in range(2):
        done = subprocess.Popen([CARDAN, "run", str(model), "--duration", str(duration), "--interval", "0.001", "-o", "m.log"],
                                cwd=WORK, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(done.pid, 0)
        check(status == 0, "a run for its memory", status)
        peaks.append(usage.ru_maxrss)
    return min(peaks), (WORK / "m.log").stat().st_size // 1000


(short, small), (lasting, large) = memory(0.5), memory(40)
# sanitizers make it vary by some megabytes
check(large - small > 3000 and lasting - short < (large - small) / 2, "memory grows with the run",
      (short, lasting, small, large))
print("logs survive what happens to runs")
