"""_items.py - classes for everything that the tables of the library describe; none is named here"""
from __future__ import annotations

import copy
import difflib
from typing import Any, Iterable

from . import _cardan
from ._talk import Error

_KINDS = {"bool": "bool", "int": "int", "real": "float", "string": "str", "enum": "str",
          "vec3": "3 numbers", "mat3": "3 x 3 numbers", "quaternion": "4 numbers, w first",
          "function": "number, expression or function object", "ref": "item or its name",
          "matrix": "rows of numbers", "table": "rows of numbers", "path": "path",
          "values": "dict of numbers", "variant": "object", "object": "object"}


def nearest(name: str, known: Iterable[str]) -> str:
    """what may have been meant, for the end of a message"""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean '{near[0]}'?" if near else ""


# attributes of our own, past what sets fields; without a dict for each item
put = object.__setattr__


class Part:
    """Something with a class and fields: a shape, a function of time. Values given by position are
    those of the fields that must be given."""

    _table: dict[str, Any] = {}
    _fields: dict[str, dict[str, Any]] = {}
    _required: list[str] = []
    _given: dict[str, Any]

    def __init__(self, *values: Any, **fields: Any) -> None:
        self._give(self._named(values, fields) if values else fields)

    @classmethod
    def _named(cls, values: tuple[Any, ...], fields: dict[str, Any]) -> dict[str, Any]:
        """fields with those that were given by position"""
        if len(values) > len(cls._required):
            raise TypeError(f"{cls.__name__} takes {len(cls._required)} values by position, "
                            f"not {len(values)}; give the others by name")
        for name in fields.keys() & set(cls._required[:len(values)]):
            raise TypeError(f"{cls.__name__}: '{name}' is given twice, by position and by name")
        return {**dict(zip(cls._required, values)), **fields}

    def _give(self, fields: dict[str, Any]) -> None:
        if not fields.keys() <= self._fields.keys():
            for name in fields:
                self._check(name)
        put(self, "_given", fields)

    def _check(self, field: str) -> None:
        if field not in self._fields:
            cls = type(self).__name__
            text = f"{cls} has no field '{field}'{nearest(field, self._fields)}"
            raise Error("NOTFOUND", [{"level": "error", "text": text, "field": field,
                                      "item_class": cls, "whole": text}])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._fields:
            raise AttributeError(f"{type(self).__name__} has no field '{name}'"
                                 f"{nearest(name, self._fields)}")
        return self._given.get(name, self._fields[name].get("default"))

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
            return
        self._check(name)
        self._given[name] = value

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self._fields]

    def __cardan__(self) -> Any:
        return {"class": self._table["class"], **self._given}

    def _fresh(self) -> Any:
        """another one with the same fields, part of no model"""
        again = type(self).__new__(type(self))
        object.__setattr__(again, "_given", dict(self._given))
        return again

    def __copy__(self) -> Any:
        return self._fresh()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        again = self._fresh()
        memo[id(self)] = again
        for name, value in again._given.items():
            # other items stay what they are: names in a model
            again._given[name] = value if isinstance(value, Item) else copy.deepcopy(value, memo)
        return again

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), None, self._given)

    def _words(self) -> list[str]:
        return [f"{k}={_shown(v)}" for k, v in self._given.items()]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._words())})"


def _rebuilt(cls: type[Part], name: str | None, given: dict[str, Any]) -> Part:
    kind: Any = cls
    item: Part = kind.__new__(kind)
    object.__setattr__(item, "_given", given)
    if name is not None:
        object.__setattr__(item, "_name", name)
        object.__setattr__(item, "_model", None)
    return item


class Input:
    """A number that is set from outside while a simulation runs: ``sim["motor.torque"] = 1``."""

    def __init__(self, value: Any = 0.0) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"input({self.value!r})"


def input(value: Any = 0.0) -> Input:
    """as the value of a field: simulations set it by the name of the item and of the field"""
    return Input(value)


def _shown(value: Any) -> str:
    return repr(value.name) if isinstance(value, Item) else repr(value)


class Item(Part):
    """A named part of a model. Further items may be given by position: each takes the first free
    field for something of its kind, so ``Joint("hinge", a, b)`` joins a and b."""

    _group = ""
    # names of fields that take one item, by its group
    _places: dict[str, list[str]] = {}

    def __init__(self, name: str, *others: Any, **fields: Any) -> None:
        put(self, "_name", name)
        put(self, "_model", None)
        if not isinstance(name, str):
            raise TypeError(f"the first argument of {type(self).__name__} is its name, a str, not "
                            f"{type(name).__name__}")
        self._give(fields)
        for other in others:
            fields[self._place_for(other, fields)] = other

    def _place_for(self, other: Any, given: dict[str, Any]) -> str:
        if not isinstance(other, Item):
            raise TypeError(f"only items may be given by position; {other!r} needs its field's name")
        for name in self._places.get(other._group, ()):
            if name not in given:
                return name
        raise TypeError(f"{type(self).__name__} has no free field for a {other._group}")

    @property
    def name(self) -> str:
        """by which other items and channels refer to it"""
        return str(object.__getattribute__(self, "_name"))

    def __getattr__(self, name: str) -> Any:
        model = object.__getattribute__(self, "_model")
        if model is None or name.startswith("_") or name not in self._fields:
            return super().__getattr__(name)
        return model._get(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        model = object.__getattribute__(self, "_model")
        if name == "name":
            raise AttributeError(f"the name of {type(self).__name__} '{self.name}' cannot be changed; "
                                 "make a new item")
        if model is not None and not name.startswith("_"):
            self._check(name)
            model._set(self, name, value)
        super().__setattr__(name, value)

    def __cardan__(self) -> Any:
        return self.name

    def _fresh(self) -> Any:
        again = super()._fresh()
        object.__setattr__(again, "_name", self.name)
        object.__setattr__(again, "_model", None)
        return again

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self.name,
                          {k: v.name if isinstance(v, Item) else v for k, v in self._given.items()})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([repr(self.name), *self._words()])})"


def _field_doc(field: dict[str, Any]) -> str:
    kind = _KINDS.get(field["type"], field["type"])
    if field.get("names"):
        kind = " | ".join(repr(n) for n in field["names"])
    if field["list"]:
        kind = f"list of {kind}"
    unit = f" [{field['unit']}]" if field["unit"] not in ("", "1", "*") else ""
    default = "required" if field["required"] else f"default {field.get('default')!r}"
    return f"    {field['name']}: {kind}{unit}, {default}\n        {field['doc']}\n"


def _make(group: str, named: bool, table: dict[str, Any]) -> type[Part]:
    fields = {f["name"]: f for f in table["fields"]}
    doc = table["doc"] + ".\n\n" + "".join(_field_doc(f) for f in fields.values())
    if table.get("example"):
        doc += f"\n    In a model file: {table['example']}\n"
    places: dict[str, list[str]] = {}
    for name, field in fields.items():
        if field.get("target") and not field["list"]:
            places.setdefault(field["target"], []).append(name)
    return type(table["class"], (Item if named else Part,),
                {"__doc__": doc, "_table": table, "_fields": fields, "_group": group,
                 "_required": [name for name, field in fields.items() if field["required"]],
                 "_places": places, "__module__": "cardan"})


tables: list[dict[str, Any]] = _cardan.tables()
classes: dict[str, type[Part]] = {}
for _entry in tables:
    if _entry["group"] not in ("integrator", "linsol"):
        classes[_entry["table"]["class"]] = _make(_entry["group"], _entry["named"], _entry["table"])
