"""check_layers.py - every #include in src/ obeys src/layers.txt, and POSIX stays in src/base.

usage: check_layers.py [SRC]     prints file:line: what is wrong; exit code 1 if anything is
"""
import pathlib
import re
import sys

C17_HEADERS = {f"{name}.h" for name in (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign "
    "stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time "
    "uchar wchar wctype").split()} - {"signal.h", "locale.h", "setjmp.h", "threads.h"}
C17_HEADERS |= {"immintrin.h"}  # of the compiler, for vector registers
LIBRARIES = {  # headers of libraries, and the one folder that may include them
    "suitesparse/klu.h": "linalg",
    "suitesparse/amd.h": "linalg",
    "cvode/cvode.h": "integrators",
    "ida/ida.h": "integrators",
    "nvector/nvector_serial.h": "integrators",
    "sundials/sundials_linearsolver.h": "integrators",
    "sundials/sundials_matrix.h": "integrators",
    "sunnonlinsol/sunnonlinsol_fixedpoint.h": "integrators",
}
POSIX_MACROS = re.compile(r"\s*#\s*define\s+(_POSIX_C_SOURCE|_XOPEN_SOURCE|_GNU_SOURCE|_DEFAULT_SOURCE)")
INCLUDE = re.compile(r'\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')


def read_layers(path):
    """Folder -> folders it may include, itself among them."""
    allowed = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        folder, _, names = line.partition(":")
        for name in names.split():
            if name not in allowed:
                sys.exit(f"{path}:{number}: {folder} names {name}, which is not above it")
        allowed[folder] = {folder, *names.split()}
    return allowed


def check_file(path, folder, allowed):
    """Messages for one source file."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if folder != "base" and POSIX_MACROS.match(line):
            yield f"{path}:{number}: {folder} asks for POSIX; such calls live in base"
        include = INCLUDE.match(line)
        if not include:
            continue
        own, system = include.groups()
        if system and system.split("/")[0] in allowed:
            own, system = system, None
        if system and folder not in ("base", LIBRARIES.get(system)) and system not in C17_HEADERS:
            yield f"{path}:{number}: {folder} includes <{system}>; what is not C17 lives in base"
        if own and own.startswith("."):
            yield f"{path}:{number}: include \"{own}\" from the root of src, as \"folder/file.h\""
        elif own and "/" in own:
            layer = own.split("/")[0]
            if layer not in allowed[folder] and layer != "cardan":
                yield f"{path}:{number}: {folder} must not include {layer}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "src")
    allowed = read_layers(root / "layers.txt")
    messages = []
    for path in sorted(root.rglob("*")):
        if path.suffix not in (".c", ".h", ".def", ".inc"):
            continue
        folder = path.relative_to(root).parts[0]
        if folder in allowed:
            messages += check_file(path, folder, allowed)
        else:
            messages.append(f"{path}:1: the folder {folder} is not in {root}/layers.txt")
    print("\n".join(messages), end="\n" if messages else "")
    sys.exit(bool(messages))


main()
