"""guide.py - the commands of a guide, tried: its files are written, its lines for the shell are run

    guide.py CARDAN GUIDE.md...

A block that begins with ```json file=NAME is written to NAME, the lines of a block ```sh are run
one by one in the same folder, with the folder of CARDAN in front of PATH. All must end with 0.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\S+)(?: file=(\S+))?\n(.*?)^```$", re.M | re.S)


def run(lines, folder, env):
    for line in lines:
        done = subprocess.run(["sh", "-c", line], cwd=folder, env=env, capture_output=True, text=True,
                              check=False)
        print(f"$ {line}\n{done.stdout}{done.stderr}", end="")
        if done.returncode != 0:
            sys.exit(f"'{line}' ends with {done.returncode}")


def main():
    cardan = pathlib.Path(sys.argv[1]).resolve()
    env = dict(os.environ, PATH=f"{cardan.parent}:{os.environ['PATH']}")
    commands = 0
    for guide in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            for kind, name, text in BLOCK.findall(pathlib.Path(guide).read_text()):
                if name:
                    (pathlib.Path(folder) / name).write_text(text)
                elif kind == "sh":
                    run(text.splitlines(), folder, env)
                    commands += len(text.splitlines())
    if commands == 0:
        sys.exit("no commands found")


if __name__ == "__main__":
    main()
