#!/usr/bin/env python3
"""gen_verbs.py - pages of docs/verbs, one per verb of the command line, from the tables of the program

    gen_verbs.py CARDAN          writes the pages; CARDAN is the program of that name
    gen_verbs.py CARDAN --check  says which are out of date
"""
import json
import pathlib
import subprocess
import sys

from pages import update

PAGES = pathlib.Path(__file__).resolve().parent.parent / "docs" / "verbs"


def help_of(program, *words):
    return subprocess.run([program, "help", *words], capture_output=True, text=True, check=True).stdout


def pages(program):
    verbs = [verb["name"] for verb in json.loads(help_of(program, "--json"))["verbs"]]
    result = {f"{verb}.md": help_of(program, verb, "--form", "markdown") for verb in verbs}
    result["README.md"] = help_of(program, "--form", "markdown")
    return result


if __name__ == "__main__":
    update(PAGES, pages(sys.argv[1]), "--check" in sys.argv)
