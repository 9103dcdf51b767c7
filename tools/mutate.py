#!/usr/bin/env python3
"""mutate.py - breaks the source in known ways and expects the tests to notice

usage: mutate.py LIST.json WORKDIR [--only TEXT] [-j N] [--cmake ARG]...

LIST.json is a list of {"file", "find", "replace", "test", "target"}: in FILE the text FIND, which
must occur exactly once (or at occurrence "nth", counted from 1), becomes REPLACE; then the ctest
TEST must fail. TARGET is what to build for it (default: all). One copy of the tree is kept in
WORKDIR and rebuilt by the increment. A mutation that does not even build counts as found: nothing
wrong could be shipped.

Prints one line per mutation and ends with 0 when all were found.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time


def run(command, cwd=None):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)


def copy_tree(root, to):
    """the files that git knows or could know, with their times"""
    listed = run(["git", "ls-files", "-co", "--exclude-standard"], root).stdout.splitlines()
    for name in listed:
        source, target = os.path.join(root, name), os.path.join(to, name)
        if not os.path.isfile(source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(source, "rb").read() != open(target, "rb").read():
            shutil.copy2(source, target)


def build(work, target, jobs):
    tree = os.path.join(work, "build")
    return run(["cmake", "--build", tree, "-j", str(jobs), "--target", target])


def passes(work, test):
    tree = os.path.join(work, "build")
    done = run(["ctest", "--test-dir", tree, "-R", f"^{test}$", "--timeout", "300"])
    if "No tests were found" in done.stdout:
        sys.exit(f"mutate: there is no test '{test}'")
    return done.returncode == 0


def mutated(text, m):
    nth = m.get("nth", 1)
    if text.count(m["find"]) < nth or ("nth" not in m and text.count(m["find"]) != 1):
        sys.exit(f"mutate: {m['file']}: '{m['find']}' occurs {text.count(m['find'])} times")
    at = -1
    for _ in range(nth):
        at = text.index(m["find"], at + 1)
    return text[:at] + m["replace"] + text[at + len(m["find"]):]


def one(m, source, work, jobs):
    """'found', 'found (build)' or 'MISSED'"""
    path = os.path.join(source, m["file"])
    text = open(path).read()
    with open(path, "w") as f:
        f.write(mutated(text, m))
    try:
        if build(work, m.get("target", "all"), jobs).returncode:
            return "found (build)"
        return "MISSED" if passes(work, m["test"]) else "found"
    finally:
        with open(path, "w") as f:
            f.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("list")
    parser.add_argument("work")
    parser.add_argument("--only", default="")
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--cmake", action="append", default=[])
    args = parser.parse_args()
    folder = os.path.dirname(os.path.abspath(args.list))
    root = run(["git", "rev-parse", "--show-toplevel"], folder).stdout.strip()
    source = os.path.join(os.path.abspath(args.work), "source")
    work = os.path.abspath(args.work)
    mutations = [m for m in json.load(open(args.list)) if args.only in json.dumps(m)]
    for m in mutations:
        mutated(open(os.path.join(root, m["file"])).read(), m)
    copy_tree(root, source)
    done = run(["cmake", "-S", source, "-B", os.path.join(work, "build"), "-G", "Ninja",
                "-DCARDAN_BENCH=OFF", "-DCMAKE_BUILD_TYPE=Debug", *args.cmake])
    if done.returncode:
        sys.exit(done.stdout)
    for target in sorted({m.get("target", "all") for m in mutations}):
        done = build(work, target, args.j)
        if done.returncode:
            sys.exit(done.stdout[-3000:])
    for test in sorted({m["test"] for m in mutations}):
        if not passes(work, test):
            sys.exit(f"mutate: {test} fails without any mutation")
    missed = 0
    for m in mutations:
        start = time.time()
        result = one(m, source, work, args.j)
        missed += result == "MISSED"
        print(f"{result:14}{m['test']:20}{m['file']}: {m['find']}  ->  {m['replace']}  "
              f"({time.time() - start:.0f} s)", flush=True)
    print(f"{len(mutations)} mutations, {missed} missed")
    sys.exit(missed != 0)


if __name__ == "__main__":
    main()
