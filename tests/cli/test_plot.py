"""test_plot.py - cardan plot: lines of logs and CSV files, their ranges, what cannot be plotted."""
import math
import xml.etree.ElementTree as tree

from program import INPUT, OK, OUTPUT, PENDULUM_FILE as model, USAGE, WORK, ask, check, run, write

SVG = "{http://www.w3.org/2000/svg}"


def texts(path):
    return [t.text for t in tree.parse(WORK / path).getroot().iter(SVG + "text")]


check(run("run", model, "-o", "run.log", "--interval", "0.01")[0] == OK, "run")
code, answer = ask("plot", "run.log", "link.x", "link.y", "-o", "way.svg")
check(code == OK and answer["panels"] == 1 and answer["samples"] == 101, "plot", answer)
lines = {l["name"]: l for l in answer["lines"]}
# the link swings on a circle of half a metre, from the right to the left
check(math.isclose(lines["link.x"]["max"], 0.5) and math.isclose(lines["link.y"]["min"], -0.5, rel_tol=1e-3),
      "extremes", lines)
check({"link.x", "link.y", "[m]", "time [s]", "−0.4"} <= set(texts("way.svg")), "words", texts("way.svg"))
check("prefers-color-scheme:dark" in (WORK / "way.svg").read_text(), "dark surroundings")
code, out, err = run("plot", "run.log", "link.x", "link.y")
check(code == OK and out.replace(">run.log<", "") == (WORK / "way.svg").read_text().replace(">run.log<", ""),
      "standard output", err)
check(run("plot", "run.log", "-o", "all.svg")[0] == OK, "all channels")
check(not any("@" in (t or "") for t in texts("all.svg")), "numbers of pictures are left out", texts("all.svg"))
check(run("plot", "run.log", "@link.x", "-o", "scene.svg")[0] == OK, "unless asked for")
code, answer = ask("plot", "run.log", "link.y", "--x", "link.x", "-o", "phase.svg")
check(code == OK and [l["name"] for l in answer["lines"]] == ["link.y"], "over a channel", answer)
check("link.x [m]" in texts("phase.svg"), "its name", texts("phase.svg"))
code, answer = ask("plot", "run.log", "link.x", "--from", 0.2, "--to", 0.4, "-o", "part.svg")
check(answer["samples"] == 21, "a part of the time", answer)

# ---- CSV files
check(run("export", "run.log", "-o", "run.csv")[0] == OK, "export")
code, answer = ask("plot", "run.csv", "link.x", "-o", "csv.svg")
check(code == OK and "[m]" in texts("csv.svg"), "units of a CSV file", answer)
code, out, err = run("plot", "-", stdin="t,a\n0,1\n1,nan\n2,3\n")
check(code == OK and out.count("<path") > 3, "standard input", err)
code, answer = ask("plot", write("none.csv", "t,a\n"), "-o", "none.svg")
check(code == OK and answer["lines"][0]["min"] is None and "no data" in texts("none.svg"), "no rows", answer)

# ---- what goes wrong
for words, text in [(("run.log", "--x", "link.q", "link.x"), "link.q"),
                    (("run.log", "lnk.x"), "lnk.x"),
                    (("run.log", "link.x", "--x", "link.x", "-o", "same.svg"), ""),
                    (("run.log", "--size", "big"), "'big' is no size"),
                    (("run.log", "--json"), "with --json the picture goes to a file")]:
    code, out, err = run("plot", *words)
    check(code == USAGE and text in err + out, f"plot {words}", (code, out, err))
many = write("many.csv", "t," + ",".join(f"c{i}" for i in range(70)) + "\n" + ",".join("0" for i in range(71)) + "\n")
code, out, err = run("plot", many)
check(code == USAGE and "70 channels are too many; choose at most 64, such as 'tip.*'" in err, "too many", err)
for words in [("missing.log",), (write("no.csv", "a,b\nx,1\n"),)]:
    check(run("plot", *words)[0] == INPUT, f"plot {words}", run("plot", *words))
check(run("plot", "run.log", "-o", "no/such/folder.svg")[0] == OUTPUT, "a folder that is not there")
print("plots show what they should")
