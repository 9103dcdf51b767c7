"""_model.py - models: items are added, checked, simulated"""
from __future__ import annotations

import html
import json
import os
import pathlib
import re
from collections.abc import MutableMapping
from typing import Any, Callable, Iterator, Sequence, TypeVar, overload

from . import _cardan
from ._graph import graph
from ._items import Input, Item, Part, classes, nearest, put
from ._law import Call, Symbol, arguments
from ._results import Result, calls_one, without_functions
from ._show import Svg, drawn
from ._talk import Error, keep_result

Added = TypeVar("Added", bound=Item)
# the class of what a model does, whose values that must be given come by position
_RUN = classes[_cardan.run_class()]


class Model:
    """Named items: bodies, markers, joints, connectors, loads, sensors.

    ``Model(gravity=[0, -9.81, 0])`` begins with a field of gravity; ``Model.read(path)`` reads a file.
    """

    def __init__(self, gravity: Any = None) -> None:
        self._functions: list[str] = []
        # an item of another file that was changed here
        self._inside = ""
        self._inputs: dict[str, str] = {}
        self._own(_cardan.Model())
        if gravity is not None:
            kind: Any = classes[_cardan.gravity_class()]
            self.add(kind("gravity", **{next(iter(kind._fields)): gravity}))

    def _own(self, c: _cardan.Model) -> None:
        self._c = c
        # by name; the class of those that nobody asked for yet
        self._items: dict[str, Item | str] = {name: cls for _, cls, name in c.items()}

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Model:
        """from a model file"""
        model = cls()
        model._own(_cardan.Model(path=os.fspath(path)))
        return model

    @classmethod
    def from_json(cls, text: str) -> Model:
        """from the text of a model file"""
        model = cls()
        model._own(_cardan.Model(text=text))
        return model

    @property
    def ground(self) -> Item:
        """the world, a body that every model has"""
        return self["ground"]

    @overload
    def add(self, item: Added) -> Added: ...

    @overload
    def add(self, item: dict[str, Any] | str | Part) -> Any: ...

    def add(self, item: Any) -> Any:
        """an item, which is returned; a dict or JSON text is taken as it stands in a model file. What
        brings several items, from another file, returns a list of them."""
        if not isinstance(item, Item):
            return self._add_json(item)
        if item._model is not None:
            own = "this" if item._model is self else "another"
            raise _error(item, f"is part of {own} model already; make a new item")
        name = item._name
        if name in self._items:
            raise _error(item, "the name is taken")
        self._c.add(item._table["class"], name, self._fields(item))
        put(item, "_model", self)
        self._items[name] = item
        return item

    def _add_json(self, item: Any) -> Any:
        if not isinstance(item, (dict, str)) and getattr(item, "_group", "") != "model":
            raise TypeError(f"only items can be added to a model, not {type(item).__name__}")
        if isinstance(item, dict) and str(item.get("name")) in self._items:
            text = f"the name '{item['name']}' is taken"
            raise Error("INVALID", [{"level": "error", "text": text, "whole": text}])
        came = self._c.add_json(item)
        self._items.update({name: cls for _, cls, name in came if name not in self._items})
        items = [self[name] for _, _, name in came]
        return items[0] if len(items) == 1 else items

    # ---- parameters

    def parameter(self, name: str, value: Any) -> Symbol:
        """a number that fields may use, returned for formulas: ``L = m.parameter("L", "500 mm")``,
        then ``position=[L/2, 0, 0]``"""
        self.parameters[name] = value
        return Symbol(name)

    @property
    def parameters(self) -> Parameters:
        """values in SI units by name; fields that use one follow when it is set"""
        return Parameters(self)

    def _settings(self, values: dict[str, Any] | None) -> dict[str, Any]:
        return {self._inputs.get(k, k): v.text if isinstance(v, Symbol) else v
                for k, v in (values or {}).items()}

    # ---- functions

    def define(self, name: str, function: Callable[..., float], nargs: int | None = None) -> None:
        """a function that expressions of this model call by its name, "push(t, tip.x)"; it is run by
        the interpreter, with derivatives by differences"""
        if nargs is None:
            nargs = len(arguments(function, {}))
        self._c.define(name, function, nargs)
        self._functions.append(name)

    def _fields(self, item: Item) -> dict[str, Any]:
        """as the library takes them: items by name, functions of Python as expressions that call
        them, inputs as parameters"""
        given: dict[str, Any] = item._given
        fields = given
        for field, value in given.items():
            kind = type(value)
            if kind in _PLAIN or kind in _LISTS and _ELEMENTS.issuperset(map(type, value)):
                continue
            if fields is given:
                fields = given.copy()
            fields[field] = self._value(item, field, value)
        return fields

    def _value(self, item: Item, field: str, value: Any) -> Any:
        if isinstance(value, Item):
            if value._model is not self:
                raise _error(item, f"field '{field}': '{value.name}' is not part of this model; "
                                   "add it first", field)
            return value._name
        if isinstance(value, (list, tuple)):
            return [v if type(v) in _PLAIN or isinstance(v, (list, tuple))
                    else self._input(item, f"{field}[{k}]", v) if isinstance(v, Input)
                    else self._value(item, field, v) for k, v in enumerate(value)]
        if isinstance(value, Input):
            return self._input(item, field, value)
        if _is_function(value):
            value = Call(value, {})
        if not isinstance(value, Call):
            return value
        name = f"{_UNNAMED}{len(self._functions)}"
        self.define(name, value.function, len(value.args))
        return f"{name}({', '.join(value.args)})"

    def _input(self, item: Item, field: str, value: Input) -> str:
        name = re.sub(r"\W", "_", f"{item.name}_{field}", flags=re.ASCII)
        name = name if name[0].isalpha() else f"input_{name}"
        key = f"{item.name}.{field}"
        while name in self.parameters and self._inputs.get(key) != name:
            name += "_"
        self.parameters[name] = value.value
        self._inputs[key] = name
        return name

    def _get(self, item: Item, field: str) -> Any:
        return self._c.get(item.name, field)

    def _set(self, item: Item, field: str, value: Any) -> None:
        given = self._value(item, field, value)
        if self._c.set(item.name, field, given):
            self._inside = item.name
        # inputs that the field had
        used = [v for v in (given if isinstance(given, list) else [given]) if isinstance(v, str)]
        key = f"{item.name}.{field}"
        self._inputs = {k: name for k, name in self._inputs.items()
                        if name in used or (k != key and not k.startswith(f"{key}["))}

    # ---- items

    def __getitem__(self, name: str) -> Item:
        """an item by its name"""
        found = self._items.get(name)
        if found is None:
            raise KeyError(f"there is no item '{name}'{nearest(str(name), self._items)}")
        if isinstance(found, str):
            kind: Any = classes[found]
            found = kind(name)
            object.__setattr__(found, "_model", self)
            self._items[name] = found
        return found

    def __contains__(self, item: object) -> bool:
        """an item, or one of that name"""
        return item._model is self if isinstance(item, Item) else item in self._items

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self._items)

    @property
    def items(self) -> list[Item]:
        """all of them, in their order"""
        return [self[name] for _, _, name in self._c.items()]

    # ---- runs

    @property
    def runs(self) -> list[dict[str, Any]]:
        """those of the model file: their options; may be set to a list of dicts and ``cardan.Run``"""
        return list(json.loads(self.to_json()).get("runs", []))

    @runs.setter
    def runs(self, runs: Sequence[dict[str, Any] | Part]) -> None:
        self._c.set_runs(list(runs))

    def simulate(self, *values: Any, run: int | str | None = None,
                 parameters: dict[str, Any] | None = None, **options: Any) -> Result:
        """run for a duration, s: ``m.simulate(4, step=1e-3)``. Options are those of a run: step,
        interval, method, channels, threads ... (``help(cardan.Run)``). Without a duration the run is
        the first one of the model file, or that of the given number or name, with these options in
        place of its own. ``parameters`` hold for this run only; runs of one model may go on in
        several threads."""
        options = _RUN._named(values, options)
        if run is not None or not options.keys() >= set(_RUN._required):
            options = {**self._run(run), **options}
        try:
            found = self._c.simulate(options, self._settings(parameters))
        except BaseException as error:
            keep_result(error, self._result)
            raise
        return self._result(*found)

    def _result(self, table: Any, channels: Any, stats: Any, about: dict[str, Any]) -> Result:
        about["functions"] = list(self._functions)
        return Result(table, channels, stats, about)

    def _run(self, which: int | str | None) -> dict[str, Any]:
        runs = self.runs
        for k, run in enumerate(runs):
            if which in (k, run.get("name")) or (which is None and k == 0):
                return {key: value for key, value in run.items() if key not in ("class", "name")}
        if not runs:
            raise TypeError("the model has no runs; give a duration: m.simulate(4)")
        raise KeyError(f"the model has no run {which!r}")

    def start(self, method: str = "auto") -> Simulation:
        """a simulation to be taken step by step, at its start"""
        return Simulation(self, method)

    def check(self) -> Check:
        """degrees of freedom, redundant constraints, mistakes"""
        return Check(self._c.check())

    def methods(self) -> list[tuple[str, str, bool, str]]:
        """(integrator, formulation, fits, why not)"""
        return self._c.methods()

    # ---- pictures

    def draw(self, **options: Any) -> Svg:
        """the mechanism at its start; options are those of ``cardan draw``: view, names, frames,
        size"""
        return drawn(_Pictured(self), **options)

    def graph(self) -> Svg:
        """items and what they refer to"""
        return Svg(graph(self._c.items(), self._references()))

    def _references(self) -> list[tuple[str, str, str]]:
        """(item, field, item that the field names)"""
        found = []
        for _, cls, name in self._c.items():
            for field in _references_of(cls):
                value = self._c.get(name, field)
                for other in value if isinstance(value, list) else [value]:
                    if other:
                        found.append((name, field, str(other)))
        told = {(name, other) for name, _, other in found}
        bodies = {name for category, _, name in self._c.items() if category == "body"}
        # items that look at other items hold on to no body themselves
        lookers = {name for name, _, other in found if other not in bodies}
        try:
            found += [(name, "", body) for name, body in self._c.links()
                      if name not in lookers and (name, body) not in told]
        except Error:  # it is not finished: what is given is shown
            pass
        return found

    def _to_file(self, folder: pathlib.Path, name: str) -> pathlib.Path:
        path = folder / f"{name}.json"
        self.write(path, numbers=True)
        return path

    # ---- files

    def to_json(self, numbers: bool = False) -> str:
        """as a model file; with numbers: in SI units, sub-models spread"""
        return str(self._c.write(numbers))

    def write(self, path: str | os.PathLike[str], numbers: bool = False) -> None:
        """into a model file; files that it names are named as they are seen from there"""
        model = self.to_json(numbers)
        text = ""
        if calls_one(model, self._functions):
            text = "files cannot hold functions of Python; laws (cardan.law) are part of the model"
        elif self._inside and not numbers:
            text = f"'{self._inside}' was changed, but stands in another file; write with numbers=True"
        if text:
            raise Error("INVALID", [{"level": "error", "text": text, "whole": text}])
        model = _moved(model, os.path.dirname(self._c.file() or ""), os.path.dirname(path))
        pathlib.Path(path).write_text(model + "\n", encoding="utf-8")

    def __repr__(self) -> str:
        counts: dict[str, int] = {}
        for group, _, name in self._c.items():
            if name != "ground":
                counts[group] = counts.get(group, 0) + 1
        words = ", ".join(f"{n} {group if n == 1 else _plural(group)}" for group, n in counts.items())
        return f"<Model: {words or 'empty'}>"

    def __reduce__(self) -> Any:
        text = self.to_json()
        if calls_one(text, self._functions) or not all(map(_is_unnamed, self._functions)):
            raise TypeError("a model with functions of Python cannot be copied or pickled; laws "
                            "(cardan.law) can")
        if self._inside:
            raise TypeError(f"'{self._inside}' was changed, but stands in another file; copy "
                            "Model.from_json(m.to_json(numbers=True))")
        file = self._c.file()
        return Model._again, (text, self._inputs, os.path.abspath(file) if file else None)

    @classmethod
    def _again(cls, text: str, inputs: dict[str, str], file: str | None = None) -> Model:
        model = cls()
        model._own(_cardan.Model(path=file, text=text))
        model._inputs = dict(inputs)
        return model

    def _picture(self) -> str:
        try:
            return self.draw()._repr_html_()
        except Error as error:  # it is not finished
            return f"<pre>{html.escape(str(error))}</pre>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(g)}</td><td>{html.escape(c)}</td>"
                       f"<td>{html.escape(n)}</td></tr>" for g, c, n in self._c.items())
        return (f"<p><b>{html.escape(repr(self))}</b></p>{self._picture()}<details>"
                f"<summary>items</summary><table><tr><th></th><th>class</th><th>name</th></tr>"
                f"{rows}</table></details>")


def _moved(model: str, old: str, new: str) -> str:
    """the text of a model file with the files that it names as they are seen from another folder"""
    if os.path.abspath(old) == os.path.abspath(new):
        return model
    changed = False

    def walk(value: Any) -> Any:
        nonlocal changed
        if isinstance(value, list):
            return [walk(v) for v in value]
        if not isinstance(value, dict):
            return value
        fields = classes[value["class"]]._fields if value.get("class") in classes else {}
        given = {k: walk(v) for k, v in value.items()}
        for name, field in fields.items():
            file = given.get(name)
            if field["type"] in ("path", "table") and isinstance(file, str) and not os.path.isabs(file):
                given[name] = os.path.relpath(os.path.join(old, file), new or ".")
                changed = True
        return given

    data = walk(json.loads(model))
    return json.dumps(data, indent=2, ensure_ascii=False) if changed else model


# values that fields take as they are
_PLAIN = frozenset({float, int, bool, str, type(None)})
_LISTS = frozenset({list, tuple})
_ELEMENTS = _PLAIN | _LISTS


class _Pictured:
    """a model as the file that pictures are made of: functions of Python are no part of these"""

    def __init__(self, model: Model) -> None:
        self.model = model

    def _to_file(self, folder: pathlib.Path, name: str) -> pathlib.Path:
        path = folder / f"{name}.json"
        text = without_functions(self.model.to_json(numbers=True), self.model._functions)
        path.write_text(text, encoding="utf-8")
        return path


def _plural(word: str) -> str:
    return word[:-1] + "ies" if word.endswith("y") else word + "s"


def _references_of(cls: str) -> list[str]:
    return [f["name"] for f in classes[cls]._fields.values() if f["type"] == "ref"]


class Parameters(MutableMapping[str, Any]):
    """Parameters of a model: numbers, or text with units or formulas, ``"2*L"``."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __getitem__(self, name: str) -> float:
        known = self._model._c.parameters()
        name = self._model._inputs.get(name, name)
        if name not in known:
            raise KeyError(f"there is no parameter '{name}'{nearest(str(name), known)}")
        return float(known[name])

    def __setitem__(self, name: str, value: Any) -> None:
        self._model._c.set_parameters(self._model._settings({name: value}))

    def __delitem__(self, name: str) -> None:
        raise TypeError("parameters cannot be removed from a model")

    def update(self, *args: Any, **values: Any) -> None:
        """all of them at once: none of those between is checked"""
        self._model._c.set_parameters(self._model._settings(dict(*args, **values)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._model._c.parameters())

    def __len__(self) -> int:
        return len(self._model._c.parameters())

    def __repr__(self) -> str:
        return repr(self._model._c.parameters())


# names of functions that were given none begin like this
_UNNAMED = "python_"


def _is_unnamed(name: str) -> bool:
    return name.startswith(_UNNAMED)


def _is_function(value: Any) -> bool:
    return callable(value) and not hasattr(value, "__cardan__")


def _error(item: Item, text: str, field: str | None = None) -> Error:
    whole = f"{type(item).__name__} '{item.name}': {text}"
    message = {"level": "error", "text": text, "item": item.name,
               "item_class": type(item).__name__, "whole": whole}
    if field:
        message["field"] = field
    return Error("INVALID", [message])


def _told(finding: dict[str, Any]) -> str:
    item = f"'{finding['item']}' " if finding.get("item") else ""
    return f"{item}{finding['text']}"


class Check:
    """What ``cardan check`` finds; ``ok`` is False if there are errors."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.data = found
        self.dof: int = found["dof"]
        self.findings: list[dict[str, Any]] = found["findings"]

    @property
    def ok(self) -> bool:
        """no errors"""
        return not any(f["severity"] == "error" for f in self.findings)

    def __repr__(self) -> str:
        lines = [f"{self.dof} degree{'' if self.dof == 1 else 's'} of freedom"]
        lines += [f"{f['severity']}: {_told(f)}; {f['hint']}" for f in self.findings]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(f['severity'])}</td><td>{html.escape(_told(f))}"
                       f"<br><i>{html.escape(f['hint'])}</i></td></tr>"
                       for f in self.findings)
        return f"<p><b>{html.escape(repr(self).splitlines()[0])}</b></p><table>{rows}</table>"


class Simulation:
    """A model in time, step by step: ``sim.step()``, ``sim["tip.x"]``, ``sim["k"] = 2``."""

    def __init__(self, model: Model, method: str = "auto") -> None:
        self._model = model
        self._c = _cardan.Simulation(model._c, method)
        self._names = frozenset(self._c.parameters())
        self.restart()

    def restart(self, parameters: dict[str, float] | None = None, **more: float) -> None:
        """to the start values, with the parameters of now or with others: ``sim.restart(L=0.6)``.
        Nothing is assembled again."""
        self._c.start(self._model._settings({**(parameters or {}), **more}))

    @property
    def t(self) -> float:
        """time of the last accepted step, s"""
        return float(self._c.time)

    def step(self, limit: float = 1e100) -> float:
        """one accepted step, not beyond the limit; returns the new time"""
        self._c.step(limit)
        return self.t

    def run(self, until: float) -> float:
        """steps until a time, which is met exactly; none if it is that time already"""
        self._c.step(until, True)
        return self.t

    def record(self, until: float, interval: float = 0.0) -> Result:
        """steps until a time, with all channels at every interval (0: after every step)"""
        try:
            found = self._c.record(until, interval)
        except BaseException as error:
            keep_result(error, Result)
            raise
        return Result(*found)

    def __getitem__(self, name: str) -> float:
        """a channel, or a parameter in force"""
        name = self._model._inputs.get(name, name)
        return float(self._c.parameters()[name] if name in self._names else self._c.get(name))

    def __setitem__(self, name: str, value: float) -> None:
        """a parameter or an input of this simulation; the motion goes on from here"""
        self._c.set(self._model._inputs.get(name, name), float(value))

    @property
    def channels(self) -> list[str]:
        """names that can be read"""
        return [name for name, _, _ in self._c.channels()]

    @property
    def parameters(self) -> dict[str, float]:
        """those in force"""
        return dict(self._c.parameters())

    def state(self) -> bytes:
        """all that the simulation goes on from; set_state continues bit for bit"""
        return bytes(self._c.save())

    def set_state(self, state: bytes) -> None:
        """back, or on, to what state() gave"""
        self._c.load(state)

    def __reduce__(self) -> Any:
        raise TypeError("a simulation cannot be copied or pickled; state() holds what another one of "
                        "the same model goes on from")

    def __repr__(self) -> str:
        try:
            return f"<Simulation at t = {self.t:g} s>"
        except Error:
            return "<Simulation at work in another thread>"


__all__ = ["Check", "Model", "Parameters", "Part", "Simulation"]
