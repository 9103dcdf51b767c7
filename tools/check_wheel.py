#!/usr/bin/env python3
"""check_wheel.py - one wheel for every CPython: built by pip, its tag, its tests in each that is here

    check_wheel.py FOLDER    builds in FOLDER, which is made anew; needs the package index of pip
"""
import glob
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TAG = "cp311-abi3"
LEAST = (3, 11)
PLACES = ("~/.pyenv/versions/*/bin/python", "/usr/bin/python3.??", "/usr/local/bin/python3.??")
# those that take long are run once, by ./do check
TESTS = ("model", "parameters", "solve", "law", "files")
VERSION = "import sys; print(sys.implementation.name, *sys.version_info[:2], sys.hexversion)"


def call(*words, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"'{' '.join(map(str, words))}' ends with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def pythons():
    """one of each version of CPython"""
    found = {}
    names = [sys.executable, *(p for place in PLACES for p in sorted(glob.glob(os.path.expanduser(place))))]
    for name in names:
        done = subprocess.run([name, "-c", VERSION], capture_output=True, text=True, check=False)
        words = done.stdout.split()
        if done.returncode == 0 and words[0] == "cpython" and (int(words[1]), int(words[2])) >= LEAST:
            found.setdefault((int(words[1]), int(words[2])), name)
    return found


def build(folder):
    venv = folder / "make"
    call(sys.executable, "-m", "venv", venv)
    call(venv / "bin" / "pip", "install", "-q", "scikit-build-core>=0.10", "ninja", "cmake")
    call(venv / "bin" / "pip", "wheel", "-q", ROOT, "--no-deps", "--no-build-isolation", "-w", folder / "dist",
         env={**os.environ, "PATH": f"{venv / 'bin'}:{os.environ['PATH']}"})
    wheels = list((folder / "dist").glob("*.whl"))
    if len(wheels) != 1 or TAG not in wheels[0].name:
        sys.exit(f"there must be one wheel with the tag {TAG}, not {[w.name for w in wheels]}")
    return wheels[0]


def check(version, python, wheel, folder):
    venv = folder / "python{}.{}".format(*version)
    call(python, "-m", "venv", venv)
    call(venv / "bin" / "pip", "install", "-q", wheel)
    here = {"cwd": folder, "env": {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}}
    call(venv / "bin" / "python", "-m", "cardan", "version", **here)
    call(venv / "bin" / "cardan", "version", **here)
    call(venv / "bin" / "python", ROOT / "examples" / "python" / "first_mechanism.py", folder, **here)
    for name in TESTS:
        call(venv / "bin" / "python", ROOT / "tests" / "python" / f"test_{name}.py", **here)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wheel = build(folder)
    print(wheel.name)
    for version, python in sorted(pythons().items()):
        check(version, python, wheel, folder)
        print("{}.{}: passed ({})".format(*version, python), flush=True)


if __name__ == "__main__":
    main()
