# guard.py - counts the instructions of every line of guard.txt and compares them with its limit
#
#   guard.py [--write] guard.txt GUARD CARDAN
#
# --write puts what was counted into the table.
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import race_models

ROOM = 1.1
SKIPPED = 77  # what ctest takes for "skipped"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


# instructions of a command; None if it failed
def count(command, toggle):
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    if toggle:
        tool += [f"--toggle-collect={toggle}"]
    done = subprocess.run(tool + command, capture_output=True, text=True, timeout=300)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        print(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        return None
    return int(found[1])


def check(line, programs, write):
    name, limit, *command = line.split()
    words = [word.format(**programs) for word in command]
    seen = count(words, "guard_measured" if command[0] == "{guard}" else None)
    if seen is None:
        return line, False
    ratio = seen / int(limit)
    ok = ratio <= ROOM or write
    note = "" if 1 / ROOM <= ratio <= ROOM or write else "  too many" if not ok else "  fewer: lower the limit"
    print(f"{name:30} {seen:12,} of {int(limit):12,}{note}")
    return re.sub(r"^(\S+\s+)\d+", rf"\g<1>{seen}", line), ok


# models of the race that are no files
def write_models(folder):
    for n in (1, 100):
        race_models.write(os.path.join(folder, f"chain_{n}.json"), race_models.chain(n))
    race_models.write(os.path.join(folder, "robots_1.json"), race_models.robots([0]))
    return folder


def main():
    args = [a for a in sys.argv[1:] if a != "--write"]
    write = "--write" in sys.argv
    table, guard, cardan = args
    if not shutil.which("valgrind"):
        skip("valgrind is not installed (Debian: valgrind)")
    # callgrind knows no AVX-512: what is compiled for AVX2 is counted
    isa = subprocess.run(["valgrind", "--tool=none", "-q", guard, "--isa"], capture_output=True, text=True)
    if isa.stdout.strip() != "avx2":
        skip(f"limits are for avx2, not for '{isa.stdout.strip()}'")
    programs = {"guard": guard, "cardan": cardan, "root": os.path.dirname(os.path.dirname(os.path.abspath(table)))}
    lines, good = [], True
    with open(table) as file, tempfile.TemporaryDirectory() as folder:
        programs["models"] = write_models(folder)
        for line in file:
            if line.strip() and not line.startswith("#"):
                line, ok = check(line, programs, write)
                good &= ok
            lines.append(line)
    if write:
        with open(table, "w") as file:
            file.writelines(lines)
    sys.exit(0 if good else 1)


main()
