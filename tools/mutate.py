"""mutate.py - break the code on purpose and see that a test notices.

usage: mutate.py [--only TEXT] [--sample N] [--check] [LIST.json ...]

A list holds {"file", "find", "replace", "test"}: find occurs once in file, or "nth" says which one is meant; with it
replaced, the program still compiles and the ctest named by test (a regular expression) fails. "target" says what to
build for it (default: the programs of these tests, or all if they have none). Lists: tests/mutations.json and tests/*/mutations.json.
Works on a copy of the tree in build/mutate, so that only what a mutation touches is built again.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "mutate"
COPY = WORK / "src"
BUILD = WORK / "build"


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def copy_tree():
    """The tree as it is now; files that did not change keep their time stamp."""
    names = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT,
                                    text=True).splitlines()
    wanted = {COPY / name for name in names if (ROOT / name).is_file()}
    for name in names:
        source, target = ROOT / name, COPY / name
        if not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
    for old in COPY.rglob("*"):
        if old.is_file() and old not in wanted:
            old.unlink()


def configure():
    done = run("cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
               "-DCARDAN_BENCH=OFF", "-DCARDAN_WERROR=OFF", f"-DCARDAN_PYTHON={sys.executable}")
    if done.returncode:
        sys.exit(done.stdout)


def targets(mutation):
    """What must be built to run its tests: tests/a/test_b.c is the program a_b and the test a.b."""
    if "target" in mutation:
        return [mutation["target"]]
    names = [test.split(".", 1) for test in mutation["test"].split("|")]
    if all(len(name) == 2 and (ROOT / "tests" / name[0] / f"test_{name[1]}.c").is_file() for name in names):
        return ["_".join(name) for name in names]
    return ["all"]


def build(names):
    return run("cmake", "--build", BUILD, "--target", *names)


def passes(test):
    return run("ctest", "--test-dir", BUILD, "--no-tests=error", "-R", f"^({test})$").returncode == 0


def mutated(mutation, text):
    """The text with the mutation, None if it does not apply."""
    parts = text.split(mutation["find"])
    nth = mutation.get("nth", 1)
    if len(parts) <= nth or ("nth" not in mutation and len(parts) != 2):
        return None
    return mutation["find"].join(parts[:nth]) + mutation["replace"] + mutation["find"].join(parts[nth:])


def check(mutations):
    """Do all of them still apply to the tree?"""
    bad = [m for m in mutations if mutated(m, (ROOT / m["file"]).read_text()) is None]
    for m in bad:
        print(f"{m['file']}: {m['find']!r} does not occur, or more than once")
    sys.exit(bool(bad))


def verdict(mutation):
    """Apply one mutation, build, test, restore."""
    path = COPY / mutation["file"]
    text = path.read_text()
    wrong = mutated(mutation, text)
    if wrong is None:
        return "WRONG: does not occur, or more than once"
    path.write_text(wrong)
    try:
        done = build(targets(mutation))
        if done.returncode:
            return "WRONG: does not compile\n" + done.stdout[-2000:]
        return "SURVIVED" if passes(mutation["test"]) else "caught"
    finally:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="mutations whose file or text contains this")
    parser.add_argument("--check", action="store_true", help="only see whether they still apply")
    parser.add_argument("--sample", type=int, help="N of them, chosen by the commit")
    parser.add_argument("lists", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    lists = options.lists or [ROOT / "tests" / "mutations.json",
                              *sorted((ROOT / "tests").glob("*/mutations.json"))]
    mutations = [m for path in lists for m in json.loads(path.read_text())]
    mutations = [m for m in mutations if options.only in m["file"] + m["find"]]
    if not mutations:
        sys.exit("no mutation to try")
    if options.check:
        check(mutations)
    if options.sample and options.sample < len(mutations):
        commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True)
        mutations = random.Random(commit).sample(mutations, options.sample)

    copy_tree()
    configure()
    done = build(sorted({name for m in mutations for name in targets(m)}))
    if done.returncode:
        sys.exit(done.stdout)
    for test in sorted({m["test"] for m in mutations}):
        if not passes(test):
            sys.exit(f"{test} fails already, or is not there")

    bad = 0
    for m in mutations:
        start = time.monotonic()
        result = verdict(m)
        bad += result != "caught"
        print(f"{result}: {m['file']}: {m['find']!r} -> {m['replace']!r} by {m['test']} "
              f"({time.monotonic() - start:.1f} s)", flush=True)
    print(f"{len(mutations) - bad} passed, {bad} failed")
    sys.exit(bad != 0)


main()
