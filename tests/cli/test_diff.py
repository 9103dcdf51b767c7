"""test_diff.py - are two results the same? Answers in text and JSON, and exit codes."""
from program import FAILED, INPUT, OK, PENDULUM_FILE, USAGE, WORK, ask, check, run, write

a, b = WORK / "a.log", WORK / "b.log"
check(run("run", PENDULUM_FILE, "-o", a)[0] == OK and run("run", PENDULUM_FILE, "-o", b)[0] == OK, "two runs")

# ---- the same run twice, and as CSV
code, out, err = run("diff", a, b)
check((code, out, err) == (OK, "same: 0 of 7 channels differ in 101 samples; largest difference 0 of the size\n", ""), "twice the same", (code, out, err))
check(run("diff", a, b, "--scene")[0] == OK, "numbers of pictures")
text = run("export", a)[1]
check(run("diff", a, "-", stdin=text)[0] == OK, "a log and its CSV", run("diff", a, "-", stdin=text))
code, answer = ask("diff", a, b)
check(code == OK and answer["same"] and answer["compared"] == 101 and len(answer["channels"]) == 7, "JSON", answer)
check(all(c["largest"] == 0 and c["t_first"] is None and not c["differs"] for c in answer["channels"]), "JSON", answer)

# ---- another method: not the same bits, but the same motion
other = WORK / "other.log"
check(run("run", PENDULUM_FILE, "-o", other, "--method", "dop853(rtol=1e-10)", "--step", "0", "--interval", "0.01")[0] == OK, "another method")
code, answer = ask("diff", a, other)
check(code == FAILED and not answer["same"] and answer["same_times"] and answer["differ"] > 0, "another method", answer)
worst = max(c["relative"] for c in answer["channels"])
check(0 < worst < 1e-2, "the same motion", worst)
check(run("diff", a, other, "--rtol", worst * 1.001)[0] == OK, "within tolerance", worst)
check(run("diff", a, other, "--rtol", worst * 0.999)[0] == FAILED, "beyond tolerance", worst)
code, out, err = run("diff", a, other, "--rtol", worst * 0.999, "--channels", "link.*")
check(code == FAILED and "link." in out and " of its size, at " in out and "different: 1 of 7 channels differ" in out, "text", out)

# ---- other times: told, or interpolated
coarse = WORK / "coarse.log"
check(run("run", PENDULUM_FILE, "-o", coarse, "--interval", "0.02")[0] == OK, "fewer samples")
code, out, err = run("diff", coarse, a)
check(code == FAILED and "times differ after 1 sample:" in out and "--interpolate" in out, "other times", out)
check(run("diff", coarse, a, "--interpolate")[0] == OK, "all samples of the coarse one are among the fine ones", run("diff", coarse, a, "--interpolate"))
code, answer = ask("diff", a, coarse, "--interpolate", "--rtol", "1e-2")
check(code == OK and 0 < answer["channels"][1]["largest"] < 1e-2, "chords are near", answer)

# ---- other channels
x, y = write("x.csv", "t,p,q\n0,1,2\n1,1,nan\n"), write("y.csv", "t,q,r\n0,2,2\n1,3,3\n")
code, out, err = run("diff", x, y)
check(code == FAILED and out.splitlines() == [
    "q: up to inf at 1 s; from 1 s on", f"only in {x}: p", f"only in {y}: r", "different: 1 of 1 channel differ in 2 samples"], "text", out)
code, answer = ask("diff", x, y)
check((answer["only_a"], answer["only_b"]) == (["p"], ["r"]) and answer["channels"][0]["largest"] is None, "JSON", answer)
check(run("diff", x, x)[0] == OK, "NaN equals NaN")
check(run("diff", x, y, "--interpolate", "--channels", "q")[0] == FAILED, "NaN is no number")
late = write("late.csv", "t,p,q\n5,1,2\n6,1,2\n")
code, out, err = run("diff", x, late, "--interpolate")
check(code == FAILED and "do not overlap" in out, "times apart", out)

# ---- mistakes: not to be taken for a difference
for args, expected, words in [
    ([a], USAGE, "B is missing"),
    (["-", "-"], USAGE, "standard input can be read once"),
    ([a, WORK / "none.log"], INPUT, "none.log: error: cannot open"),
    ([WORK / "none.log", a], INPUT, "none.log: error: cannot open"),
    ([a, PENDULUM_FILE], INPUT, "expected a number"),
    ([x, y, "--channels", "p"], USAGE, f"so it is in '{y}'"),
    ([a, b, "--rtol", "-1"], USAGE, "rtol"),
]:
    code, out, err = run("diff", *args)
    check(code == expected and words in err and out == "", f"wrong answer to {args}", (code, out, err))

print("what differs is told")
