"""profile_cost.py - instructions of a run by function, and the source file that every function comes from.

Callgrind counts them for every address; symbols of the program tell which function that is. A static function is known by the
source that precedes it in the table of symbols, a global one by the object that defines it. So two functions of one name
are kept apart, which callgrind alone cannot do. What the C library does counts for the function that called it.
"""
import bisect
import collections
import os
import re
import subprocess

# who a function works for: by the folder of its source, or by its library
KINDS = {
    "kernels": ["items", "system", "math", "geom", "ad"],
    "solver": ["linalg", "problem", "libklu", "libbtf", "libamd", "libcolamd", "liblapack", "libblas", "libgfortran"],
    "integrator": ["integrators", "libsundials_cvode", "libsundials_ida", "libsundials_nvecserial"],
}
OTHER = "other"
# objects that are compiled from what adc writes
GENERATED = "cardan_adc"
# libraries without a kind of their own: they work for whoever calls them
SERVANTS = ["libc", "libm"]
# large blocks are cleared and copied by loops, for callgrind takes every byte of "rep stosb" for an instruction
LOOPS = "glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000"


def kind_of(place):
    folder = re.split("[/:]", place)[0]
    return next((kind for kind, folders in KINDS.items() if folder in folders), OTHER)


def lines_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


# ---- which source a symbol comes from

def place_of_object(path):
    """CMakeFiles/cardan.dir/src/system/place.c.o is system/place.c"""
    parts = path.split(os.sep)
    folder = "items" if parts[-2] == GENERATED else "cli" if "cli" in parts else parts[-2]
    return f"{folder}/{parts[-1].removesuffix('.o')}"


def defined(paths):
    """(name, path) of every function in objects or archives"""
    for line in lines_of("nm", "-A", "--defined-only", *paths):
        words = line.split()
        if len(words) == 3 and words[1] in "tTwWi":
            yield words[2], words[0].split(":")[0]


def ours(build):
    """place of every function: by its name if it is global, by source and name if it is not"""
    objects = [os.path.join(folder, file) for top in ("CMakeFiles", "cli") for folder, _, files in
               os.walk(os.path.join(build, top)) for file in files if file.endswith(".o")]
    places = {}
    for name, path in defined(objects):
        place = place_of_object(os.path.relpath(path, build))
        places.setdefault((os.path.basename(place), name), place)
        places.setdefault(name, place)
    return places


def archives(build):
    """the libraries that are linked into the program, and those of the C compiler"""
    with open(os.path.join(build, "build.ninja"), encoding="utf-8") as file:
        text = file.read()
    linked = re.search(r"^build cli/cardan: .*?LINK_LIBRARIES = ([^\n]*)", text, re.S | re.M)[1].split()
    own = [line.strip() for name in ("libm.a", "libmvec.a") for line in lines_of("cc", f"-print-file-name={name}")]
    found = [word for word in linked if word.endswith(".a") and os.path.isabs(word)]
    for path in own:
        # of libm.a: a text that names the archive
        with open(path, "rb") as file:
            head = file.read(4096)
        found += [path] if head.startswith(b"!<arch>") else re.findall(r"\S+libm\S*\.a", head.decode())
    return found


def library_of(path):
    return re.match(r"lib[a-z_]+|[^.]*", os.path.basename(path))[0].rstrip("_")


class Symbols:
    """functions of the program by address"""

    def __init__(self, program, build):
        places = ours(build)
        for name, path in defined(archives(build)):
            places.setdefault(name, library_of(path))
        self.at, self.functions, source = [], [], ""
        found = {}
        for line in lines_of("readelf", "-sW", program):
            words = line.split()
            if len(words) < 8 or not words[0].rstrip(":").isdigit():
                continue
            if words[3] == "FILE":
                source = words[7]
            elif words[3] in ("FUNC", "IFUNC") and words[6] != "UND":
                local = words[4] == "LOCAL"
                place = places.get((source, words[7]) if local else words[7], "libc")
                found.setdefault(int(words[1], 16), (place, words[7]))
        for address in sorted(found):
            self.at.append(address)
            self.functions.append(found[address])

    def function(self, address):
        i = bisect.bisect_right(self.at, address) - 1
        return self.functions[i] if i >= 0 else ("?", "?")


# ---- counting

def costs(output):
    """(address, address that is called or None, instructions) of every line; those of a call with all that it calls"""
    called = None
    with open(output, encoding="utf-8") as file:
        for line in file:
            if line.startswith("0x"):
                words = line.split()
                yield int(words[0], 16), called, int(words[2])
                called = None
            elif line.startswith("calls="):
                called = int(line.split()[1], 16)


def run(command, output):
    """a command under callgrind"""
    tool = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no",
            f"--callgrind-out-file={output}"]
    done = subprocess.run(tool + command, capture_output=True, text=True, env={**os.environ, "GLIBC_TUNABLES": LOOPS})
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")


def counted(command, symbols, output):
    """instructions of every (place, function) of a command"""
    run(command, output)
    sums = collections.Counter()
    for address, called, cost in costs(output):
        place, name = symbols.function(address)
        if place in SERVANTS:
            continue
        servant = symbols.function(called) if called is not None else None
        if servant is None:
            sums[(place, name)] += cost
        elif servant[0] in SERVANTS:
            sums[(place, f"{name}>{servant[1]}")] += cost
    return sums


# ---- calls through pointers

def sites(program):
    """addresses of the calls of a program whose target is not written in it"""
    found = (re.match(r"\s*([0-9a-f]+):\s+(?:bnd |notrack )*(?:call|jmp)\w*\s+\*", line)
             for line in lines_of("objdump", "-d", "--no-show-raw-insn", program))
    return {int(match[1], 16) for match in found if match}


def called(command, symbols, indirect, output):
    """how often a command called functions through pointers, by caller and callee"""
    run(command, output)
    counts, times, target = collections.Counter(), 0, 0
    with open(output, encoding="utf-8") as file:
        for line in file:
            if line.startswith("calls="):
                words = line.split()
                times, target = int(words[0].removeprefix("calls=")), int(words[1], 16)
            elif line.startswith("0x") and times:
                address = int(line.split()[0], 16)
                if address in indirect:
                    counts[" > ".join(":".join(symbols.function(at)) for at in (address, target))] += times
                times = 0
    return counts
