# check_run.py - bench/run prints what it promises: JSON and nothing else, a table, help, suggestions
import json
import pathlib
import subprocess
import sys
import tempfile


def run(*args):
    done = subprocess.run([sys.argv[1], *args], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def check(ok, what, seen):
    if not ok:
        sys.exit(f"{what}\n{seen}")


# one array of records with exactly the three keys
code, out, err = run("threads", "--json", "--quick")
check(code == 0, "threads fails", err)
records = json.loads(out)
for record in records:
    check(list(record) == ["mechanism", "median_us", "p99_us"], "wrong keys", record)
    check(0 < record["median_us"] <= record["p99_us"], "no times", record)
names = {record["mechanism"] for record in records}
without = {"openmp"} if "without OpenMP" in err else set()
check(names | without == {"pool", "openmp", "condvar"}, "wrong mechanisms", names)

# the same as a table: a line that explains, a header, one line per record
code, out, err = run("threads", "--quick")
check(code == 0 and len(out.splitlines()) == 2 + len(records), "no table", out)

# of linear solvers: ours solve everything well, and are in every contest
code, out, err = run("linsol", "--json", "--quick")
check(code == 0, "linsol fails", err)
keys = ["matrix", "n", "fill", "solver", "threads", "factor_solve_us", "residual"]
for record in json.loads(out):
    check(list(record) == keys, "wrong keys", record)
    if record["solver"].startswith("native"):
        check(record["factor_solve_us"] > 0 and record["residual"] <= 1e-10, "no solution", record)

# a table of them goes into a document
with tempfile.TemporaryDirectory() as folder:
    results, readme = pathlib.Path(folder, "linsol.json"), pathlib.Path(folder, "README.md")
    records = json.loads(out)
    fast = min(r["factor_solve_us"] for r in records if r["matrix"] == "fourbar_6" and r["threads"] == 1 and not r["solver"].startswith("native"))
    for r in records:
        r["n"] = 1000 if r["matrix"] == "fourbar_6" else r["n"]
    records[-1]["factor_solve_us"] = None
    results.write_text(json.dumps(records))
    readme.write_text("before\n<!-- linsol -->\nold\n<!-- end linsol -->\nafter\n")
    table = pathlib.Path(sys.argv[1]).parent / "tables.py"
    done = subprocess.run([sys.executable, table, readme, results], capture_output=True, text=True)
    text = readme.read_text()
    check(done.returncode == 0 and text.startswith("before\n") and text.endswith("\nafter\n"), "no table", done.stderr)
    row = next(line for line in text.splitlines() if line.startswith("| fourbar_6 | 1000 |")).split(" | ")
    check("\nold\n" not in text and abs(float(row[5]) - fast) <= 0.01 * fast, "the fastest of others", (row, fast))
    check(f"{records[-1]['solver']} `{records[-1]['matrix']}`" in text, "what has no time is named", text)

# and of what other suites found, here of those that are committed; wrong files are named
with tempfile.TemporaryDirectory() as folder:
    here, readme = pathlib.Path(sys.argv[1]).parent, pathlib.Path(folder, "README.md")
    for name, row in [("exudyn", "| `governor` | "), ("growth", "| chain | 100000 | "), ("parallel", "| `chain_500` | "), ("profile", "| A05 | 10s | ")]:
        readme.write_text(f"before\n<!-- {name} -->\nold\n<!-- end {name} -->\nafter\n")
        results = sorted(here.glob(f"results/*/{name}.json"))[-1]
        done = subprocess.run([sys.executable, here / "tables.py", readme, results], capture_output=True, text=True)
        text = readme.read_text()
        check(done.returncode == 0 and f"\n{row}" in text and "\nold\n" not in text and text.endswith("\nafter\n"), f"no table of {name}", done.stderr + text)
    # few sizes have no slope, no peers no ratio
    few = {"growth": [{"shape": "chain", "bodies": 10, "step_us": 1.0, "iterations": 1.0, "jacobians": 0.0, "assemble_s": 0.1, "rss_kb": 1024}],
           "linsol": [{"matrix": "fourbar_6", "n": 1000, "threads": 1, "solver": name, "factor_solve_us": 1.0, "residual": 0.0} for name in ("native", "native_lu")]}
    for name, records in few.items():
        readme.write_text(f"<!-- {name} -->\n<!-- end {name} -->\n")
        pathlib.Path(folder, f"{name}.json").write_text(json.dumps(records))
        done = subprocess.run([sys.executable, here / "tables.py", readme, pathlib.Path(folder, f"{name}.json")], capture_output=True, text=True)
        check(done.returncode == 0 and "–" in readme.read_text(), f"no table of {name}", done.stderr)
    committed, bad = sorted(here.glob("results/*/growth.json"))[-1], pathlib.Path(folder, "profile.json")
    bad.write_text('[{"problem": 1}]')
    pathlib.Path(folder, "parallel.json").write_text("{")
    pathlib.Path(folder, "linsol.json").write_text("[]")
    pathlib.Path(folder, "growth.json").write_text(json.dumps([{**few["growth"][0], "bodies": 0}]))
    for wrong, answer in [(here / "README.md", "is not named after a suite"), (pathlib.Path(folder, "exudyn.json"), "No such file"),
                          (bad, "must hold results of bench/run profile"), (pathlib.Path(folder, "parallel.json"), "must hold results of bench/run parallel"),
                          (pathlib.Path(folder, "linsol.json"), "must hold results of bench/run linsol"),
                          (pathlib.Path(folder, "growth.json"), "must hold results of bench/run growth"),
                          (committed, "must hold the lines")]:
        readme.write_text("no place for a table")
        done = subprocess.run([sys.executable, here / "tables.py", readme, wrong], capture_output=True, text=True)
        check(done.returncode == 1 and answer in done.stderr and "Traceback" not in done.stderr, "no reason", done.stderr)

# of the suite linsol, matrices can be chosen, by the beginning of their names or by number
for only, matrices in [("kkt_chain", {"kkt_chain_10"}), ("fourbar_band_20_100", {"fourbar_band_20"}), ("kkt_chain_1", None)]:
    code, out, err = run("linsol", "--json", "--quick", f"--only={only}")
    check(code == (0 if matrices else 2), "wrong choice", err)
    check({record["matrix"] for record in json.loads(out)} == (matrices or set()), "wrong choice", out)
    check(matrices or ("no matrix begins with 'kkt_chain_1'" in err and " kkt_chain_10 " in err), "no reason", err)

# help lists every suite
for args in ([], ["--help"]):
    code, out, err = run(*args)
    check(code == 0 and "\n  threads " in out, "no list of suites", out)

# mistakes are answered on standard error with code 2
for args, answer in [
    (["thread"], "did you mean 'threads'?"),
    (["unheard_of"], "there are: "),
    (["threads", "--jsn"], "unknown option '--jsn'"),
    (["threads", "again"], "one suite at a time"),
    ([".*"], "no suite '.*'"),
    (["linsol", "--only"], "--only=TEXT wants"),
    (["linsol", "--only="], "--only=TEXT wants"),
]:
    code, out, err = run(*args)
    check(code == 2 and out == "" and answer in err, f"wrong answer to {args}", err)
