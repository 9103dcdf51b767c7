#!/usr/bin/env python3
"""gen_verbs.py - pages of docs/verbs, one per verb of the command line, from the tables of the program

    gen_verbs.py CARDAN          writes the pages; CARDAN is the program of that name
    gen_verbs.py CARDAN --check  says which are out of date
"""
import json
import pathlib
import subprocess
import sys

PAGES = pathlib.Path(__file__).resolve().parent.parent / "docs" / "verbs"


def help_of(program, *words):
    return subprocess.run([program, "help", *words], capture_output=True, text=True, check=True).stdout


def pages(program):
    verbs = [verb["name"] for verb in json.loads(help_of(program, "--json"))["verbs"]]
    result = {f"{verb}.md": help_of(program, verb, "--form", "markdown") for verb in verbs}
    result["README.md"] = help_of(program, "--form", "markdown")
    return result


def main():
    wanted = pages(sys.argv[1])
    present = {p.name for p in PAGES.glob("*.md")}
    stale = sorted(present - set(wanted))
    stale += [n for n, t in wanted.items() if n not in present or (PAGES / n).read_text() != t]
    if "--check" in sys.argv:
        if stale:
            sys.exit(f"docs/verbs is out of date: {', '.join(stale)}; run ./do docs")
        return
    PAGES.mkdir(parents=True, exist_ok=True)
    for name in present - set(wanted):
        (PAGES / name).unlink()
    for name, text in wanted.items():
        (PAGES / name).write_text(text)


if __name__ == "__main__":
    main()
