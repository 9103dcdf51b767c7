#!/usr/bin/env python3
"""gen_stubs.py - types of the classes that the Python package makes from the tables

    gen_stubs.py          writes python/cardan/__init__.pyi; the package must be in PYTHONPATH
    gen_stubs.py --check  says if it is out of date
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / "python" / "cardan" / "__init__.pyi"
HEAD = '''# __init__.pyi - written by tools/gen_stubs.py from the tables; do not edit
from collections.abc import Mapping, Sequence
from typing import Any

from . import _cardan as _cardan
from ._cli import cli as cli
from ._ivp import Solution as Solution
from ._ivp import solve_dae as solve_dae
from ._ivp import solve_mechanical as solve_mechanical
from ._ivp import solve_ode as solve_ode
from ._items import Item as Item
from ._items import Part as Part
from ._items import input as input
from ._law import Symbol as Symbol
from ._law import call as call
from ._law import fn as fn
from ._law import law as law
from ._law import where as where
from ._model import Check as Check
from ._model import Model as Model
from ._model import Simulation as Simulation
from ._results import Result as Result
from ._results import read as read
from ._show import Page as Page
from ._show import Svg as Svg
from ._talk import Error as Error

Real = float | str | Symbol
Vector = Sequence[Real] | Any
Function = float | str | Part | Mapping[str, Any] | Any

__version__: str
'''
# what a field of a type takes; arrays of numpy have no common type that needs no numpy
TYPES = {"bool": "bool", "int": "int | str", "real": "Real", "string": "str", "vec3": "Vector",
         "mat3": "Sequence[Sequence[Real]] | Any", "quaternion": "Vector", "function": "Function",
         "ref": "Item | str | None", "matrix": "Sequence[Sequence[Real]] | Any",
         "table": "Sequence[Sequence[Real]] | Any", "path": "str",
         "values": "Mapping[str, Real]", "variant": "Part | Mapping[str, Any] | None",
         "object": "Part | Mapping[str, Any]"}


def kind(field):
    words = TYPES[field["type"]] if field["type"] != "enum" else "str"
    return f"Sequence[{words}]" if field["list"] else words


def arguments(cls, named):
    """of the constructor: items may come by position, required fields of parts too"""
    fields = cls._fields.values()
    if named:
        first = ["self", "name: str", "*others: Item"]
    else:
        first = ["self", *(f"{f['name']}: {kind(f)}" for f in fields if f["required"])]
        if len(first) < len(fields) + 1:
            first.append("*")
    rest = [f"{f['name']}: {kind(f)} = ..." for f in fields if named or not f["required"]]
    return first + rest


def wrap(words, indent):
    lines, line = [], ""
    for word in words:
        if line and len(indent) + len(line) + len(word) > 96:
            lines.append(line.rstrip())
            line = ""
        line += word + ", "
    lines.append(line.rstrip(", "))
    return ("\n" + indent).join(lines)


def declaration(cls, named):
    text = f"\nclass {cls.__name__}({'Item' if named else 'Part'}):\n"
    text += f"    \"\"\"{cls._table['doc']}.\"\"\"\n"
    for f in cls._fields.values():
        text += f"    {f['name']}: {kind(f)}\n"
    head = "    def __init__("
    text += f"{head}{wrap(arguments(cls, named), ' ' * len(head))}) -> None: ...\n"
    return text


def main():
    import cardan
    text = HEAD + "".join(declaration(c, issubclass(c, cardan._items.Item))
                          for c in cardan._items.classes.values())
    if "--check" not in sys.argv:
        PLACE.write_text(text)
    elif not PLACE.exists() or PLACE.read_text() != text:
        sys.exit(f"{PLACE} is out of date; run ./do docs")


if __name__ == "__main__":
    main()
