#!/usr/bin/env python3
"""check_wheel.py - one wheel for every CPython: built by pip, its tag, its tests in each that is here

    check_wheel.py FOLDER          builds in FOLDER, which is made anew; needs the package index of pip
    check_wheel.py FOLDER --quick  without optimisation and without libraries of others, as on a fresh
                                   machine; tried in another CPython, if there is one
"""
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TAG = "cp311-abi3"
LEAST = (3, 11)
PLACES = ("~/.pyenv/versions/*/bin/python", "/usr/bin/python3.??", "/usr/local/bin/python3.??")
# those that take long are run once, by ./do check
TESTS = ("model", "parameters", "solve", "law", "files")
# in one of them also what takes packages that the package itself does without
EXTRAS, EXTRA_TESTS = ("matplotlib", "pandas", "mypy"), ("examples",)
# as on a machine that has a compiler and Python only
BARE = ("--config-settings=cmake.define.CARDAN_WITHOUT=lapack;suitesparse;sundials",
        "--config-settings=cmake.build-type=Debug")
# all that such a wheel may ask of the machine that it is taken to
PLAIN = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
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


def build(folder, *options):
    venv = folder / "make"
    call(sys.executable, "-m", "venv", venv)
    call(venv / "bin" / "pip", "wheel", "-q", ROOT, "--no-deps", "-w", folder / "dist", *options)
    wheels = list((folder / "dist").glob("*.whl"))
    if len(wheels) != 1 or TAG not in wheels[0].name:
        sys.exit(f"there must be one wheel with the tag {TAG}, not {[w.name for w in wheels]}")
    return wheels[0]


def asks(folder, wheel):
    """shared libraries that the extension needs"""
    with zipfile.ZipFile(wheel) as packed:
        name = next(n for n in packed.namelist() if n.endswith(".so"))
        packed.extract(name, folder)
    return set(re.findall(r"NEEDED.*\[(.*)\]", call("readelf", "-d", folder / name)))


def check(version, python, wheel, folder, extras=False):
    venv = folder / "python{}.{}".format(*version)
    call(python, "-m", "venv", venv)
    call(venv / "bin" / "pip", "install", "-q", wheel, *(EXTRAS if extras else ()))
    here = {"cwd": folder, "env": {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}}
    call(venv / "bin" / "python", "-m", "cardan", "version", **here)
    call(venv / "bin" / "cardan", "version", **here)
    call(venv / "bin" / "python", ROOT / "examples" / "python" / "first_mechanism.py", folder, **here)
    for name in TESTS + (EXTRA_TESTS if extras else ()):
        call(venv / "bin" / "python", ROOT / "tests" / "python" / f"test_{name}.py", **here)


def main():
    folder, quick = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] == ["--quick"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wheel = build(folder, *(BARE if quick else ()))
    print(wheel.name)
    if quick and not asks(folder, wheel) <= PLAIN:
        sys.exit(f"the wheel needs {asks(folder, wheel) - PLAIN}, which a plain machine may lack")
    found = sorted(pythons().items(), key=lambda each: (each[0] == sys.version_info[:2], each[0]))
    if quick:
        found = found[:-1][-1:] or found
    for version, python in found:
        check(version, python, wheel, folder, extras=not quick and version == sys.version_info[:2])
        print("{}.{}: passed ({})".format(*version, python), flush=True)


if __name__ == "__main__":
    main()
