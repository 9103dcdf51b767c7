"""test_export.py - results for other programs: every format read again, bit for bit; failures leave nothing."""
import csv
import math
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import zipfile

from program import CARDAN, INPUT, OK, OUTPUT, PENDULUM_FILE, USAGE, WORK, ask, check, run, write

NAMES = ["tip.x", "a, b", "a;b", "\u00e4/\u00f6", "end", "7up", "x" * 300, "names", "t", "tip_x", "@link.x", "e \U0001f600"]
random.seed(6)


def number():
    pick = random.random()
    return random.choice([math.nan, math.inf, -math.inf, -0.0, 5e-324]) if pick < 0.05 else random.uniform(-1, 1)


def table(name, names, rows):
    """A CSV file, and its columns."""
    columns = [[0.01 * i for i in range(rows)]] + [[number() for _ in range(rows)] for _ in names]
    lines = ["# time in s" + "".join(f"; {n} in m/s" for n in names), ",".join(["t"] + [f'"{n}"' for n in names])]
    lines += [",".join(map(repr, row)) for row in zip(*columns)]
    return write(name, "\n".join(lines) + "\n"), columns


def same(got, expected):
    return list(map(struct.Struct("<d").pack, got)) == list(map(struct.Struct("<d").pack, expected))


# ---- readers of a few lines

def doubles(data):
    return struct.unpack(f"<{len(data) // 8}d", data)


def read_npz(path):
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, "checksums of the archive", path)
        for entry in archive.infolist():
            data = archive.read(entry)
            check(data[:8] == b"\x93NUMPY\x01\x00" and data[127:128] == b"\n", "head of an array", data[:128])
            head = eval(data[10:127])  # pylint: disable=eval-used # a dict of our own making
            count, = head["shape"]
            if head["descr"] == "<f8":
                value = doubles(data[128:])
                check(len(value) == count, "length of an array", head)
            else:
                width = 4 * int(head["descr"][2:])
                value = [data[128 + width * i:128 + width * (i + 1)].decode("utf-32-le").rstrip("\0") for i in range(count)]
                check(len(data) == 128 + width * count, "length of texts", head)
            arrays[entry.filename.removesuffix(".npy")] = value
    return arrays


def elements(data):
    """(type, content) of the elements of a MAT file."""
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if kind >> 16:  # up to four bytes stay in the tag
            yield kind & 0xffff, data[at + 4:at + 4 + (kind >> 16)]
            at += 8
        else:
            yield kind, data[at + 8:at + 8 + size]
            at += 8 + (size + 7) // 8 * 8


def read_matrix(content):
    (_, flags), (_, sizes), (_, name), *rest = elements(content)
    kind, (rows, cols) = flags[0], struct.unpack("<ii", sizes)
    if kind == 1:
        cells = [read_matrix(c)[1] for _, c in rest]
        return name.decode(), [[cells[i + rows * j] for j in range(cols)] for i in range(rows)]
    if kind == 4:
        text = rest[0][1].decode()
        check(len(text) == rows * cols, "length of a text", text)
        return name.decode(), text
    check((kind, cols) == (6, 1), "a column of doubles", (kind, rows, cols))
    return name.decode(), doubles(rest[0][1])


def read_mat(path):
    data = path.read_bytes()
    check(data.startswith(b"MATLAB 5.0 MAT-file") and data[124:128] == b"\0\1IM", "head of the file", data[:128])
    variables = [read_matrix(content) for kind, content in elements(data[128:]) if kind == 14]
    check(len({name for name, _ in variables}) == len(variables), "names are different", variables)
    return dict(variables)


def messages(data, at):
    """(type, content) of an object header of HDF5."""
    check(data[at:at + 6] == b"OHDR\2\2", "an object header", data[at:at + 16])
    size, = struct.unpack_from("<I", data, at + 6)
    at, end = at + 10, at + 10 + size
    while at < end:
        kind, n = struct.unpack_from("<BH", data, at)
        yield kind, data[at + 4:at + 4 + n]
        at += 4 + n


def attribute(content):
    size, = struct.unpack_from("<H", content, 2)
    return content[9:9 + size - 1].decode(), content[9 + size + 12:].decode().rstrip("\0")


def read_hdf5(path):
    """(values, attributes) of every dataset."""
    data, found = path.read_bytes(), {}
    end, root = struct.unpack_from("<QQ", data, 28)
    check(data[:9] == b"\x89HDF\r\n\x1a\n\2" and end == len(data), "superblock", (end, len(data)))
    for kind, link in messages(data, root):
        if kind != 6:
            continue
        size, = struct.unpack_from("<H", link, 3)
        address, = struct.unpack_from("<Q", link, 5 + size)
        parts = list(messages(data, address))
        layout = dict(parts)[8]
        begin, length = struct.unpack_from("<QQ", layout, 2)
        found[link[5:5 + size].decode()] = (doubles(data[begin:begin + length]) if length else (),
                                            dict(attribute(c) for k, c in parts if k == 0x0c))
    return found


# ---- round trips

def round_trip(name, names, rows):
    source, columns = table(name, names, rows)
    files = {kind: WORK / f"{name}.{kind}" for kind in ("csv", "npz", "mat", "h5")}
    for kind, path in files.items():
        code, answer = ask("export", source, "--scene", "-o", path)
        check(code == OK and answer["samples"] == rows and answer["channels"] == len(names), f"{name} as {kind}", answer)

    lines = files["csv"].read_text().splitlines()
    check(next(csv.reader([lines[1]])) == ["t"] + names, "names in CSV", lines[1])
    check(all(same(map(float, line.split(",")), row) for line, row in zip(lines[2:], zip(*columns))), "CSV")

    npz = read_npz(files["npz"])
    check(list(npz["names"]) == ["t"] + names and list(npz["units"]) == ["s"] + ["m/s"] * len(names), "names in NPZ", npz["names"])
    keys = [key for key in npz if key not in ("names", "units")]
    check(len(keys) == len(columns) and all(same(npz[k], c) for k, c in zip(keys, columns)), "NPZ", keys)

    mat = read_mat(files["mat"])
    check([[c, u] for _, c, u in mat["channels"]] == [["t", "s"]] + [[n.replace("\U0001f600", "?"), "m/s"] for n in names], "channels in MAT", mat["channels"])
    variables = [v for v, _, _ in mat["channels"]]
    check(all(v.isidentifier() and v.isascii() and len(v) <= 63 for v in variables), "names of variables", variables)
    check(all(same(mat[v], c) for v, c in zip(variables, columns)), "MAT", variables)

    hdf = read_hdf5(files["h5"])
    check(len(hdf) == len(columns) and same(hdf["t"][0], columns[0]), "HDF5", list(hdf))
    for key, (value, attributes) in hdf.items():
        if key != "t":
            column = columns[1 + names.index(attributes.get("channel", key))]
            check(same(value, column) and attributes["unit"] == "m/s", f"HDF5 {key}", attributes)
    return files, columns


def by_libraries(files, columns):
    """The same by those who made the formats, if they are there."""
    try:
        import numpy  # pylint: disable=import-outside-toplevel
        arrays = numpy.load(files["npz"])
        keys = [k for k in arrays.files if k not in ("names", "units")]
        check(all(same(arrays[k], c) for k, c in zip(keys, columns)), "numpy.load", keys)
        print("numpy agrees")
        import scipy.io  # pylint: disable=import-outside-toplevel
        mat = scipy.io.loadmat(files["mat"])
        keys = [row[0].item() for row in mat["channels"]]
        check(all(same(mat[k][:, 0], c) for k, c in zip(keys, columns)), "scipy.io.loadmat", keys)
        print("scipy agrees")
    except ImportError as missing:
        print(f"not tried: {missing.name}")
    try:
        import h5py  # pylint: disable=import-outside-toplevel
        with h5py.File(files["h5"]) as hdf:
            check(same(hdf["t"][:], columns[0]) and same(hdf["tip.x"][:], columns[1]), "h5py")
            check(len(hdf) == len(columns) and hdf["tip.x"].attrs["unit"] == b"m/s", "h5py", list(hdf))
        print("h5py agrees")
    except ImportError as missing:
        print(f"not tried: {missing.name}")


by_libraries(*round_trip("odd", NAMES, 2000))
round_trip("none", NAMES, 0)
round_trip("one", ["x"], 1)
round_trip("bare", [], 3)
round_trip("wide", [f"body{i}.x" for i in range(3000)], 7)

# ---- from a log: channels, times, every n-th; scenes only when asked for
log, whole = WORK / "run.log", WORK / "whole.csv"
check(run("run", PENDULUM_FILE, "-o", log)[0] == OK, "a run")
code, out, err = run("export", log)
rows = out.splitlines()
check(code == OK and err == "" and rows[1].startswith("t,link.x,") and "@" not in rows[1] and len(rows) == 2 + 101, "CSV on standard output", rows[:3])
code, part, err = run("export", log, "link.y", "*.x", "--from", "0.2", "--to", "300 ms", "--every", "4")
lines = part.splitlines()
check(lines[1] == "t,link.x,link.y", "channels in the order of the log", lines[1])
picked = [row.split(",")[:3] for row in rows[2:] if 0.2 <= float(row.split(",")[0]) <= 0.3][::4]
check([line.split(",") for line in lines[2:]] == picked and picked, "a part of a log", (lines, picked))
scene = run("export", log, "--scene")[1].splitlines()
check("@link.qw" in scene[1] and "@hinge.fx" in scene[1], "numbers of pictures", scene[1])
code, out, err = run("export", log, "-o", WORK / "run.npz")
check(code == OK and out == "" and err == f"101 samples of 7 channels in {WORK / 'run.npz'}\n", "talk", (out, err))
check(same(read_npz(WORK / "run.npz")["link.x"], [float(r.split(",")[1]) for r in rows[2:]]), "a log as NPZ")
check(run("export", log, "--format", "hdf5", "-q", "-o", WORK / "run.data") == (OK, "", ""), "--format")
check(len(read_hdf5(WORK / "run.data")["t"][0]) == 101, "HDF5 of a log")
check(run("export", "-", stdin="t,x\n0,1\n")[1] == "# time in s; x in \nt,x\n0,1\n", "CSV from standard input")

# what a killed run left
cut = WORK / "cut.log"
cut.write_bytes(log.read_bytes()[:-300])
code, out, err = run("export", cut)
check(code == OK and "cut.log" in err and rows[:3] == out.splitlines()[:3], "a log that was cut", err)

# ---- mistakes
for args, expected, answer in [
    ([], USAGE, "RESULTS is missing"),
    ([WORK / "none.log"], INPUT, "none.log: error: cannot open"),
    ([PENDULUM_FILE], INPUT, "expected a number"),
    ([log, "-o", WORK / "run.xls"], USAGE, "end it with one of .csv, .npz, .h5, .mat"),
    ([log, "--format", "mta", "-o", "x"], USAGE, "did you mean 'mat'?"),
    ([log, "--format", "npz"], USAGE, "npz needs a file; give it with -o"),
    ([log, "link.w"], USAGE, "no channel matches 'link.w'"),
    ([log, "--every", "0"], USAGE, "every"),
    ([log, "-o", WORK / "no" / "run.csv"], OUTPUT, "run.csv: error: cannot create"),
    ([log, "-o", "/dev/full", "--format", "csv"], OUTPUT, "No space left on device"),
    ([log, "-o", "/dev/full", "--format", "mat"], OUTPUT, "No space left on device"),
]:
    code, out, err = run("export", *args)
    check(code == expected and answer in err and out == "", f"wrong answer to {args}", (code, out, err))
check(ask("export", log)[0] == USAGE, "--json and CSV on standard output")

# ---- a disk that is full: the old file stays, and nothing beside it
def little_room():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


folder = WORK / "full"
folder.mkdir(exist_ok=True)
for kind in ("csv", "npz", "h5", "mat"):
    target = folder / f"run.{kind}"
    target.write_text("old")
    done = subprocess.run([CARDAN, "export", str(log), "-o", str(target)], preexec_fn=little_room, capture_output=True, text=True, check=False)
    check(done.returncode == OUTPUT and "File too large" in done.stderr, f"{kind} on a full disk", done)
    check(target.read_text() == "old", f"{kind} is damaged", target)
check(sorted(p.name for p in folder.iterdir()) == ["run.csv", "run.h5", "run.mat", "run.npz"], "rubbish", os.listdir(folder))

# a reader that has seen enough is no mistake of ours, nor a crash
head = subprocess.run(f"'{CARDAN}' export '{WORK / 'odd.csv'}' | head -1", shell=True, capture_output=True, text=True, check=False)
check(head.stdout.startswith("# time in s") and head.returncode == 0, "head", head)
print("results go where they should")
sys.exit(0)
