"""score.py - a problem of problems/ against its reference: every quick variant passes, order is 2

    score.py CARDAN PROBLEMS CODE

A variant with "order": {"steps": [...]} is run with each of these steps; from one to the next the
error must fall with the power 2 of the step, up to SLACK.
"""
import json
import math
import pathlib
import subprocess
import sys

ORDER = 2
SLACK = 0.15


def bench(cardan, problems, code, *options):
    command = [cardan, "bench", "run", code, "--problems", problems, "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        answer = json.loads(done.stdout)
        return answer["scores"], "; ".join(m["text"] for m in answer["messages"])
    except (ValueError, KeyError):
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")


def check_limits(cardan, problems, code, expected):
    scores, said = bench(cardan, problems, code, "--quick")
    failures = []
    for s in scores:
        print(f"{code} {s['variant']}: error {s['error']}, limit {s['limit']}, {s['steps']} steps, "
              f"{s['cpu_time']:.3f} s")
        if not s["passed"]:
            failures.append(f"{s['variant']}: error {s['error']} is above {s['limit']} {said}")
    if [s["variant"] for s in scores] != expected:
        failures.append(f"variants that ran are not {expected}")
    return failures


def check_order(cardan, problems, code, variant):
    steps = variant["order"]["steps"]
    errors = []
    for step in steps:
        scores, said = bench(cardan, problems, code, "--variant", variant["name"], "--step",
                             str(step))
        if len(scores) != 1 or scores[0]["error"] is None:
            return [f"{variant['name']}: no error with step {step}: {said}"]
        errors.append(scores[0]["error"])
    failures = []
    for k in range(1, len(steps)):
        order = math.log(errors[k - 1] / errors[k]) / math.log(steps[k - 1] / steps[k])
        print(f"{code} {variant['name']}: step {steps[k]}, error {errors[k]:.3e}, order {order:.3f}")
        if abs(order - ORDER) > SLACK:
            failures.append(f"{variant['name']}: order {order:.3f} at step {steps[k]}")
    return failures


def main():
    cardan, problems, code = sys.argv[1:]
    check = json.loads((pathlib.Path(problems) / code / "check.json").read_text())
    quick = [v for v in check["variants"] if not v.get("fine")]
    failures = check_limits(cardan, problems, code, [v["name"] for v in quick])
    for variant in quick:
        if "order" in variant:
            failures += check_order(cardan, problems, code, variant)
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
