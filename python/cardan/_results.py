"""_results.py - what a run gives: time series by name, counters, plots, pictures, files"""
from __future__ import annotations

import fnmatch
import html
import json
import os
import pathlib
import re
from typing import TYPE_CHECKING, Any, Iterator

from . import _cardan
from ._items import nearest
from ._cli import to_file
from ._show import Page, Svg, drawn, made
from ._talk import Error

if TYPE_CHECKING:
    from ._model import Model

Channel = tuple[str, str, bool]


class Result:
    """Channels over time. ``r.t`` and ``r["tip.y"]`` are views of one table; ``r.stats`` is a dict."""

    def __init__(self, table: Any, channels: list[Channel], stats: dict[str, Any] | None = None,
                 about: dict[str, Any] | None = None) -> None:
        self._table = table
        self._all = channels
        columns = {name: k + 1 for k, (name, _, _) in enumerate(channels)}
        # numbers for pictures, poses and forces, are kept apart
        self._columns = {name: k for name, k in columns.items() if not name.startswith("@")}
        self.units = {name: unit for name, unit, _ in channels if name in self._columns}
        self.not_unique = [name for name, _, many in channels if many and name in self._columns]
        self.stats: dict[str, Any] = stats or {}
        self._about = about

    @property
    def _array(self) -> Any:
        import numpy
        return numpy.asarray(self._table)

    @property
    def t(self) -> Any:
        """times, s"""
        return self._array[:, 0]

    @property
    def channels(self) -> list[str]:
        """names of all channels"""
        return list(self._columns)

    @property
    def model(self) -> Model:
        """that was run, as it was then"""
        from ._model import Model
        return Model.from_json(self._known()["model"])

    def _known(self) -> dict[str, Any]:
        if self._about is None:
            text = "the result does not know its model; those of simulate() and of logs do"
            raise Error("INVALID", [{"level": "error", "text": text, "whole": text}])
        return self._about

    def __getitem__(self, name: str) -> Any:
        """a channel by name; a pattern such as "tip.*" gives an array with one column each"""
        if isinstance(name, str) and name in self._columns:
            return self._array[:, self._columns[name]]
        found = self._match(name)
        return self._array[:, [self._columns[n] for n in found]]

    def _match(self, *patterns: str) -> list[str]:
        found: list[str] = []
        for pattern in patterns:
            if not isinstance(pattern, str):
                raise TypeError(f"channels are read by name, a str, not {type(pattern).__name__}")
            some = [pattern] if pattern in self._columns else fnmatch.filter(self._columns, pattern)
            if not some:
                raise KeyError(f"no channel matches '{pattern}'"
                               f"{nearest(pattern, self.channels)}")
            found += [n for n in some if n not in found]
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return int(self._array.shape[0])

    def __repr__(self) -> str:
        words = f"<Result: {len(self)} samples of {len(self._columns)} channels"
        if len(self):
            words += f", {self.t[-1]:g} s"
        if "steps" in self.stats:
            words += f", {self.stats['steps']} steps in {self.stats['wall_time']:.3g} s"
        return words + ">"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(k)}</td><td>{html.escape(str(v))}</td></tr>"
                       for k, v in self.stats.items())
        text = f"<p><b>{html.escape(repr(self))}</b></p>"
        if self._has_scene():
            text += self.show()._repr_html_()
        return text + f"<details><summary>the run</summary><table>{rows}</table></details>"

    # ---- pictures

    def _has_scene(self) -> bool:
        return self._about is not None and self._about["nscene"] > 0 and len(self) > 0

    def show(self, height: int = 480, **options: Any) -> Page:
        """the run in 3D with plots, as a page that notebooks show; options are those of
        ``cardan export``"""
        return Page(made("export", ".html", _Pictured(self), **options), height)

    def draw(self, **options: Any) -> Svg:
        """the mechanism at its end, or at times of the run; options are those of ``cardan draw``:
        at, view, names, frames, forces, size"""
        return drawn(_Pictured(self), **options)

    def plot(self, *patterns: str, ax: Any = None, x: str | None = None) -> Any:
        """lines over time (or over the channel x), one axes per unit; returns the axes. ``ax`` are
        axes to draw into, one for all or one per unit."""
        import matplotlib.pyplot as plt
        import numpy
        groups: dict[str, list[str]] = {}
        for name in self._match(*(patterns or ("*",))):
            groups.setdefault(self.units[name], []).append(name)
        if ax is None:
            axes = list(plt.subplots(len(groups), 1, sharex=True, squeeze=False)[1][:, 0])
        else:
            axes = list(numpy.ravel(ax))
        if len(axes) == 1:
            groups = {", ".join(groups): [name for some in groups.values() for name in some]}
        if len(axes) < len(groups):
            raise ValueError(f"the channels have {len(groups)} units: give as many axes, or one for all")
        if x is not None:
            x, *more = self._match(x)
            if more:
                raise KeyError(f"x must be one channel, not '{x}' and {len(more)} more")
        along = self.t if x is None else self[x]
        for a, (unit, some) in zip(axes, groups.items()):
            for name in some:
                a.plot(along, self[name], label=name)
            a.set_ylabel(_label(some[0] if len(some) == 1 else "", unit))
            a.legend()
            a.grid(True, alpha=0.3)
        axes[len(groups) - 1].set_xlabel("t in s" if x is None else _label(x, self.units[x]))
        return axes[0] if len(axes) == 1 else axes[:len(groups)]

    # ---- elsewhere

    def to_pandas(self) -> Any:
        """a DataFrame with the time as its index"""
        import pandas  # type: ignore[import-untyped, unused-ignore]
        return pandas.DataFrame({n: self[n] for n in self}, index=pandas.Index(self.t, name="t"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """into a file, by its ending: .log (all of it, for ``cardan.read`` and the command line), a
        format of ``cardan export`` (.npz, .csv, .mat, .h5) or a moving picture (.html, .glb)"""
        name = os.fspath(path)
        if name.endswith(".log"):
            self._write_log(name, self._known()["model"])
        elif pathlib.Path(name).suffix in _cardan.pictures:
            to_file("export", name, _Pictured(self))
        else:
            _cardan.export(name, self._table, self._all)

    def _write_log(self, path: str, model: str) -> None:
        about = self._known()
        _cardan.log(path, self._table, self._all, about["file"], model, about["run"], about["hash"],
                    about["method"], about["nscene"], json.dumps(self.stats) if self.stats else None)

    def _to_file(self, folder: pathlib.Path, name: str) -> pathlib.Path:
        path = folder / f"{name}.log"
        self.save(path)
        return path

    def __reduce__(self) -> Any:
        return _again, (self._array.tobytes(), self._array.shape[1], self._all, self.stats, self._about)


class _Pictured:
    """a result as the log that pictures are made of: functions of Python are no part of these"""

    def __init__(self, result: Result) -> None:
        self.result = result

    def _to_file(self, folder: pathlib.Path, name: str) -> pathlib.Path:
        about = self.result._known()
        path = folder / f"{name}.log"
        self.result._write_log(str(path), without_functions(about["model"], about["functions"]))
        return path


def calls_one(text: str, names: list[str]) -> bool:
    """does it call one of these functions?"""
    return not set(names).isdisjoint(re.findall(r"[A-Za-z]\w*(?=\s*\()", text))


def without_functions(model: str, names: list[str]) -> str:
    """the text of a model whose expressions call none of these functions; such fields become 0"""
    if not names:
        return model

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: walk(v) for k, v in value.items()}
        if isinstance(value, list):
            return [walk(v) for v in value]
        return "0" if isinstance(value, str) and calls_one(value, names) else value

    return json.dumps(walk(json.loads(model)))


def _label(name: str, unit: str) -> str:
    words = unit if unit not in ("", "1") else ""
    return f"{name} in {words}" if name and words else name or words


def _again(numbers: bytes, columns: int, channels: list[Channel], stats: dict[str, Any],
           about: dict[str, Any] | None) -> Result:
    return Result(_cardan.table(numbers, columns), channels, stats, about)


def read(path: str | os.PathLike[str]) -> Result:
    """a result from a log or a CSV file; a log that was not closed is read as far as it is whole"""
    table, channels, stats, about = _cardan.read(os.fspath(path))
    if about is not None:
        about["functions"] = []
    return Result(table, channels, stats, about)
