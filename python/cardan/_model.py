"""_model.py - models: items are added, checked, simulated"""
from __future__ import annotations

import inspect
import json
import os
from typing import Any, Callable

from . import _cardan
from ._items import Item, Part, classes
from ._law import Call
from ._results import Result
from ._talk import Error


class Model:
    """Named items: bodies, markers, joints, connectors, loads, sensors.

    ``Model(gravity=[0, -9.81, 0])`` begins with a field of gravity; ``Model.read(path)`` reads a file.
    """

    def __init__(self, gravity: Any = None) -> None:
        self._c = _cardan.Model()
        self._items: dict[str, Item] = {}
        self._called: list[Call] = []
        if gravity is not None:
            self.add(classes[_cardan.gravity_class()]("gravity", acceleration=gravity))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Model:
        """from a model file"""
        model = cls()
        model._c = _cardan.Model(path=os.fspath(path))
        return model

    @classmethod
    def from_json(cls, text: str) -> Model:
        """from the text of a model file"""
        model = cls()
        model._c = _cardan.Model(text=text)
        return model

    @property
    def ground(self) -> Item:
        """the world, a body that every model has"""
        return self["ground"]

    def add(self, item: Any) -> Any:
        """an item, which is returned; a dict or JSON text is taken as it stands in a model file"""
        if isinstance(item, (dict, str)):
            self._c.add_json(item if isinstance(item, str) else json.dumps(item))
            return None
        if not isinstance(item, Item):
            raise TypeError(f"only items can be added to a model, not {type(item).__name__}")
        if item._model is not None:
            own = "this" if item._model is self else "another"
            raise _error(item, f"is part of {own} model already; make a new item")
        for field, value in item._given.items():
            if isinstance(value, Item) and value._model is not self:
                raise _error(item, f"field '{field}': '{value.name}' is not part of this model; "
                                   "add it first", field)
        self._c.add(item._table["class"], item.name, self._fields(item._given))
        object.__setattr__(item, "_model", self)
        self._items[item.name] = item
        return item

    def define(self, name: str, function: Callable[..., float], nargs: int | None = None) -> None:
        """a function that expressions of this model call by its name, "push(t, tip.x)"; it is run by
        the interpreter, with derivatives by differences"""
        if nargs is None:
            nargs = len(inspect.signature(function).parameters)
        self._c.define(name, function, nargs)

    def _fields(self, fields: dict[str, Any]) -> dict[str, Any]:
        """functions of Python become expressions that call them"""
        if not any(isinstance(v, Call) or _is_function(v) for v in fields.values()):
            return fields
        return {name: self._value(value) for name, value in fields.items()}

    def _value(self, value: Any) -> Any:
        if _is_function(value):
            value = Call(value, {})
        if not isinstance(value, Call):
            return value
        name = f"python_{len(self._called)}"
        self._called.append(value)
        self.define(name, value.function, len(value.args))
        return f"{name}({', '.join(value.args)})"

    def _get(self, item: Item, field: str) -> Any:
        return self._c.get(item.name, field)

    def _set(self, item: Item, field: str, value: Any) -> None:
        self._c.set(item.name, field, self._value(value))

    def __getitem__(self, name: str) -> Item:
        """an item by its name"""
        if name in self._items:
            return self._items[name]
        for _, cls, known in self._c.items():
            if known == name:
                kind: Any = classes[cls]
                item: Item = kind(name)
                object.__setattr__(item, "_model", self)
                self._items[name] = item
                return item
        raise KeyError(name)

    @property
    def items(self) -> list[Item]:
        """all of them, in their order"""
        return [self[name] for _, _, name in self._c.items()]

    def simulate(self, duration: float, **options: Any) -> Result:
        """run for a duration, s; options are those of a run: step, interval, method, channels,
        threads ... (``help(cardan.Run)``)"""
        try:
            table, channels, stats = self._c.simulate({"duration": duration, **options})
        except (Error, KeyboardInterrupt) as error:
            partial = getattr(error, "partial", None)
            if partial is not None:
                setattr(error, "result", Result(partial[0], partial[1], partial[2], self))
            raise
        return Result(table, channels, stats, self)

    def start(self, method: str = "auto") -> Simulation:
        """a simulation to be taken step by step, at its start"""
        return Simulation(self, method)

    def check(self) -> Check:
        """degrees of freedom, redundant constraints, mistakes"""
        return Check(self._c.check())

    def methods(self) -> list[tuple[str, str, bool, str]]:
        """(integrator, formulation, fits, why not)"""
        return self._c.methods()

    def to_json(self, numbers: bool = False) -> str:
        """as a model file; with numbers: in SI units, sub-models spread"""
        return str(self._c.write(numbers))

    def write(self, path: str | os.PathLike[str], numbers: bool = False) -> None:
        """into a model file"""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json(numbers) + "\n")

    def __repr__(self) -> str:
        counts: dict[str, int] = {}
        for group, _, name in self._c.items():
            if name != "ground":
                counts[group] = counts.get(group, 0) + 1
        words = ", ".join(f"{n} {group}{'' if n == 1 else 'ies'[0:3] if group == 'body' else 's'}"
                          .replace("bodyies", "bodies") for group, n in counts.items())
        return f"<Model: {words or 'empty'}>"

    def _repr_html_(self) -> str:
        import html
        rows = "".join(f"<tr><td>{html.escape(g)}</td><td>{html.escape(c)}</td>"
                       f"<td>{html.escape(n)}</td></tr>" for g, c, n in self._c.items())
        return (f"<p><b>{html.escape(repr(self))}</b></p><details><table><tr><th></th><th>class</th>"
                f"<th>name</th></tr>{rows}</table></details>")


def _is_function(value: Any) -> bool:
    return callable(value) and not hasattr(value, "__cardan__")


def _error(item: Item, text: str, field: str | None = None) -> Error:
    whole = f"{type(item).__name__} '{item.name}': {text}"
    message = {"level": "error", "text": text, "item": item.name,
               "item_class": type(item).__name__, "whole": whole}
    if field:
        message["field"] = field
    return Error("INVALID", [message])


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
        lines += [f"{f['severity']}: {f['text']}" + (f" ({f['hint']})" if f.get("hint") else "")
                  for f in self.findings]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        import html
        return f"<pre>{html.escape(repr(self))}</pre>"


class Simulation:
    """A model in time, step by step: ``sim.step()``, ``sim["tip.x"]``, ``sim["k"] = 2``."""

    def __init__(self, model: Model, method: str = "auto") -> None:
        self._c = _cardan.Simulation(model._c, method)
        self.restart()

    def restart(self) -> None:
        """to the start values, with the parameters of now"""
        self._c.start()

    @property
    def t(self) -> float:
        """time of the last accepted step, s"""
        return float(self._c.time)

    def step(self, limit: float = 1e100) -> float:
        """one accepted step, not beyond the limit; returns the new time"""
        self._c.step(limit)
        return self.t

    def run(self, until: float) -> float:
        """steps until a time, which is met exactly"""
        self._c.step(until, True)
        return self.t

    def __getitem__(self, channel: str) -> float:
        return float(self._c.get(channel))

    def __setitem__(self, name: str, value: float) -> None:
        """a parameter or an input"""
        self._c.set(name, float(value))

    @property
    def channels(self) -> list[str]:
        """names that can be read"""
        return [name for name, _ in self._c.channels()]

    def state(self) -> bytes:
        """all that the simulation goes on from; set_state continues bit for bit"""
        return bytes(self._c.save())

    def set_state(self, state: bytes) -> None:
        """back, or on, to what state() gave"""
        self._c.load(state)


__all__ = ["Check", "Model", "Part", "Simulation"]
