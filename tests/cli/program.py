"""program.py - what the tests of the command line share: the program, a folder to work in, a model.

A test is a file test_NAME.py, called as test_NAME.py CARDAN SOURCE_DIR WORK_DIR.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

CARDAN = str(pathlib.Path(sys.argv[1]).resolve())
SOURCE, WORK = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
WORK.mkdir(parents=True, exist_ok=True)

PENDULUM = {
    "cardan": 1,
    "items": [
        {"class": "Gravity", "name": "g", "acceleration": [0, -9.81, 0]},
        {"class": "RigidBody", "name": "link", "position": [0.5, 0, 0],
         "shape": {"class": "Cuboid", "size": [1, 0.1, 0.1]}},
        {"class": "RevoluteJoint", "name": "hinge", "body_b": "link"},
    ],
    "runs": [{"duration": 1, "step": 0.01}],
}

# the exit codes as they are documented
OK, FAILED, USAGE, INPUT, OUTPUT, INTERRUPTED = 0, 1, 2, 3, 4, 130


def write(name, content):
    """A file in the folder of the test: text, or an object as JSON."""
    path = WORK / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def environment(changes):
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "LANG", "LC_ALL")}
    return dict(kept, **(changes or {}))


def run(*args, stdin=None, env=None, cwd=None, stdout=subprocess.PIPE):
    """(exit code, standard output, standard error)"""
    words = [a if isinstance(a, bytes) else str(a) for a in args]
    done = subprocess.run([CARDAN, *words], stdout=stdout, stderr=subprocess.PIPE, input=stdin, timeout=120,
                          env=environment(env), cwd=cwd or WORK, text=True, errors="surrogateescape", check=False)
    return done.returncode, done.stdout, done.stderr


def await_file(path, seconds=20):
    """Waits for the results of a run, which sanitizers and other programs may delay."""
    limit = time.monotonic() + seconds
    while not path.exists() and time.monotonic() < limit:
        time.sleep(0.01)


def once(pairs):
    """An object whose keys are all different."""
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), keys
    return dict(pairs)


def ask(*args, **options):
    """The answer to --json, with what all answers have in common checked."""
    code, out, err = run(*args, "--json", **options)
    check(err == "", f"{args} --json talks on standard error", err)
    answer = json.loads(out.encode("utf-8", "surrogateescape").decode("utf-8"), object_pairs_hook=once)
    for key in ("version", "verb", "status", "exit_code", "messages"):
        check(key in answer, f"{args}: '{key}' is missing", answer)
    check(answer["version"] == 1 and answer["exit_code"] == code, f"{args}: frame of the answer", answer)
    check((answer["status"] == "OK") == (code == 0), f"{args}: status {answer['status']} with code {code}", answer)
    for message in answer["messages"]:
        check(message["level"] in ("error", "warning", "info") and message["text"], f"{args}: message", message)
    return code, answer


def check(ok, what, seen=""):
    if not ok:
        sys.exit(f"{what}\n{seen}")


PENDULUM_FILE = write("pendulum.json", PENDULUM)
