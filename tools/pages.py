"""pages.py - a folder of pages that are written by a program: brought up to date, or compared"""
import sys


def update(folder, wanted, check):
    """wanted: name -> text of all pages there should be; check: only say which are out of date"""
    present = {p.name for p in folder.glob("*.md")}
    stale = sorted(present - set(wanted))
    stale += [n for n, t in wanted.items() if n not in present or (folder / n).read_text() != t]
    if check:
        if stale:
            sys.exit(f"{folder.parent.name}/{folder.name} is out of date: {', '.join(stale)}; run ./do docs")
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in present - set(wanted):
        (folder / name).unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text)
