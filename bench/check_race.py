# check_race.py - the suites exudyn, growth, parallel and profile as they promise; with an opponent of straw
#
# usage: check_race.py bench/run     CARDAN_BENCH_BIN names a folder with programs that are built
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import race_cardan
import race_models

KEYS = ["case", "exudyn_s", "cardan_s", "ratio", "exudyn_error", "cardan_error"]
# says that nothing ever moves
STRAW = f"""#!{sys.executable}
import json, sys
words = sys.argv[2:]
if sys.argv[1] == "-c": sys.exit(0)
print("Imported, as the real one says")
if words[0] == "version": print(json.dumps({{"version": "0 of straw"}}))
elif words[0] in ("build", "ready"): print(json.dumps({{"seconds": 7.0, "kb": 5000}}))
else:
    columns = 6 if words[0] == "robots" else 1
    print(json.dumps({{"seconds": 7.0, "samples": [[0.0] * columns] * (int(words[4]) + 1)}}))
"""
# error of ours that a tenth of the race leaves, and how far things move in it
EXPECTED = {"chain_1": (1e-7, 1.6e-3, 1.8e-3), "robots_1": (1e-4, 0.1, 0.4), "governor": (1e-5, 0.7, 0.8)}
# iterations of a model of 3000 bodies over those of 100: at most 1.03 as they are, 1.12 of a folded chain
LARGER = 1.08


def check(ok, what, seen):
    if not ok:
        sys.exit(f"{what}\n{seen}")


def run(*args, opponent=None):
    env = dict(os.environ)
    if opponent:
        env["CARDAN_EXUDYN_PYTHON"] = opponent
    done = subprocess.run([sys.argv[1], *args], capture_output=True, text=True, env=env)
    return done.returncode, done.stdout, done.stderr


def check_records(straw):
    for case, (error, least, most) in EXPECTED.items():
        code, out, err = run("exudyn", "--json", "--quick", f"--only={case}", opponent=straw)
        check(code == 0, f"{case} fails", err)
        [record] = json.loads(out)
        check(list(record) == KEYS and record["case"] == case, "wrong keys", record)
        check(0 < record["cardan_error"] < error, "wrong error of ours", record)
        check(least < record["exudyn_error"] < most, "what stands still has the wrong error", record)
        check(abs(record["ratio"] * record["cardan_s"] / 7.0 - 1) < 1e-4, "wrong ratio", record)


def check_table(straw):
    code, out, err = run("exudyn", "--quick", "--only=load_10000", opponent=straw)
    check(code == 0 and "kB" in err, "load_10000 fails", err)
    lines = out.splitlines()
    check(len(lines) == 3 and "0 of straw" in lines[0], "no table", out)
    check(lines[1].split() == [*KEYS, "goal"] and lines[2].split()[-3:] == ["-", "-", "5"], "wrong table", out)


def check_building(straw):
    """assembled costs less than ready to step; both are left out where there is no package"""
    seconds = []
    for case in ("build_10000", "ready_10000"):
        code, out, err = run("exudyn", "--json", "--quick", f"--only={case}", opponent=straw)
        check(code == 0, f"{case} fails", err)
        records = json.loads(out)
        check(records or "left out" in err, f"no {case}, and nothing said", err)
        seconds += [record["cardan_s"] for record in records]
    check(len(seconds) in (0, 2) and seconds == sorted(seconds) and 0 not in seconds, "wrong times", seconds)


def check_messages(folder):
    nothing = os.path.join(folder, "missing")
    code, out, err = run("exudyn", "--json", opponent=nothing)
    check(code == 1 and out == "" and f"{nothing} has no package exudyn" in err and "pip install" in err, "no remedy", err)
    code, out, err = run("exudyn", "--only=robot_1")
    check(code == 2 and out == "" and "there are: chain_1 " in err, "no list of cases", err)
    code, out, err = run("exudyn", "--only=a;b")
    check(code == 2 and out == "" and "no case has such a name" in err, "strange names pass", err)


def check_picture(records, folder):
    """every shape must be there, as one line with its marks"""
    path = os.path.join(folder, "growth.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump([{**record, "step_us": 0.3 * record["bodies"], "shape": shape}
                   for record in records for shape in race_models.SHAPES], file)
    done = subprocess.run([sys.executable, os.path.join(HERE, "growth_plot.py"), path], capture_output=True, text=True)
    check(done.returncode == 0, "no picture", done.stderr)
    marks = xml.etree.ElementTree.fromstring(done.stdout).findall(".//{*}g[@transform]/{*}circle")
    check(len(marks) == 1 + 3 * len(records), "chains are not in the picture", done.stdout)
    check(done.stdout.count(">1.00<") == len(race_models.SHAPES), "what is linear has another slope", done.stdout)


def check_parallel():
    code, out, err = run("parallel", "--json", "--quick", "--only=robots_10")
    check(code == 0, "parallel fails", err)
    records = json.loads(out)
    check([record["threads"] for record in records] == ["2", "auto"], "wrong threads", records)
    for record in records:
        check(list(record) == ["case", "threads", "load", "wall_s", "speedup", "pairs", "step_us"], "wrong keys", record)
        check(record["wall_s"] > 0 and record["speedup"] > 0 and record["pairs"] > 0 and record["step_us"] > 0, "no times", record)


def simulate(folder, items, duration):
    model = os.path.join(folder, "shape.json")
    race_models.write(model, items)
    return race_cardan.simulate(model, race_cardan.STEP, duration)


def check_growth(folder):
    code, out, err = run("growth", "--json", "--quick", "--only=tree")
    check(code == 0, "growth fails", err)
    records = json.loads(out)
    check([list(r) for r in records] == [["shape", "bodies", "step_us", "iterations", "jacobians", "assemble_s", "rss_kb"]] * 2, "wrong keys", out)
    check([r["bodies"] for r in records] == [10, 100], "wrong sizes", out)
    check_picture(records, folder)
    for shape, dof in (("chain", 30), ("tree", 30), ("ladder", 10)):
        for shapes in (race_models.SHAPES, race_models.MOVING):
            summary = simulate(folder, shapes[shape](30), 1e-3)
            check(summary["dof"] == dof and not summary["redundant"], f"wrong {shape}", summary)
    for shape, make in race_models.MOVING.items():
        few, many = (simulate(folder, make(n), 0.1)["iterations"] for n in (100, 3000))
        check(many < LARGER * few, f"a larger {shape} is harder: {few} and {many} iterations", "")


def check_profile():
    """every function has a kind, so that shares add up; a pendulum is mostly its kernels"""
    if not shutil.which("valgrind"):
        code, out, err = run("profile", "--json")
        check(code == 1 and out == "" and "valgrind is not installed" in err, "no remedy", err)
        return
    code, out, err = run("profile", "--json", "--quick", "--only=A01_simple")
    check(code == 0, "profile fails", err)
    [record] = json.loads(out)
    kinds = ["kernels", "solver", "integrator", "other"]
    check(list(record) == ["problem", "variant", *kinds, "top"], "wrong keys", record)
    check(abs(sum(record[kind] for kind in kinds) - 1) < 1e-4, "shares do not add up", record)
    check(record["kernels"] > 0.3 and record["other"] < 0.2, "wrong kinds", record)
    rounded = 5e-5 * len(record["top"])
    check(0.9 - rounded <= sum(record["top"].values()) < 0.95, "wrong top", record)
    check(any(name.startswith("system/place.c:") for name in record["top"]), "functions do not find their files", record)


with tempfile.TemporaryDirectory() as place:
    path = os.path.join(place, "straw")
    with open(path, "w", encoding="utf-8") as file:
        file.write(STRAW)
    os.chmod(path, stat.S_IRWXU)
    check_records(path)
    check_table(path)
    check_building(path)
    check_messages(place)
    check_growth(place)
    check_parallel()
    check_profile()
