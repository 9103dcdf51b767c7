"""_results.py - what a run gives: time series by name, counters, plots, files"""
from __future__ import annotations

import fnmatch
from typing import Any, Iterator

from ._items import _nearest


class Result:
    """Channels over time. ``r.t`` and ``r["tip.y"]`` are views of one table; ``r.stats`` is a dict."""

    def __init__(self, table: Any, channels: list[tuple[str, str]], stats: dict[str, Any],
                 model: Any = None) -> None:
        self._table = table
        columns = {name: k + 1 for k, (name, _) in enumerate(channels)}
        # numbers for pictures, poses and forces, are kept apart
        self._scene = {name: k for name, k in columns.items() if name.startswith("@")}
        self._columns = {name: k for name, k in columns.items() if name not in self._scene}
        self.units = {name: unit for name, unit in channels if name in self._columns}
        self.stats = stats
        self._model = model

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

    def __getitem__(self, name: str) -> Any:
        """a channel by name; a pattern such as "tip.*" gives an array with one column each"""
        if name in self._columns:
            return self._array[:, self._columns[name]]
        found = self._match(name)
        return self._array[:, [self._columns[n] for n in found]]

    def _match(self, *patterns: str) -> list[str]:
        found = []
        for pattern in patterns:
            some = fnmatch.filter(self._columns, pattern)
            if not some:
                raise KeyError(f"no channel matches '{pattern}'"
                               f"{_nearest(pattern, self.channels)}")
            found += [n for n in some if n not in found]
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return int(self._array.shape[0])

    def __repr__(self) -> str:
        s = self.stats
        return (f"<Result: {len(self)} samples of {len(self._columns)} channels, {s['t_end']:g} s, "
                f"{s['steps']} steps in {s['wall_time']:.3g} s>")

    def _repr_html_(self) -> str:
        import html
        rows = "".join(f"<tr><td>{html.escape(k)}</td><td>{html.escape(str(v))}</td></tr>"
                       for k, v in self.stats.items())
        return f"<p><b>{html.escape(repr(self))}</b></p><details><table>{rows}</table></details>"

    def plot(self, *patterns: str, ax: Any = None, x: str | None = None) -> Any:
        """lines over time (or over the channel x), one axes per unit; returns the axes"""
        import matplotlib.pyplot as plt
        names = self._match(*(patterns or ("*",)))
        groups: dict[str, list[str]] = {}
        for name in names:
            groups.setdefault(self.units[name], []).append(name)
        if ax is None:
            axes = list(plt.subplots(len(groups), 1, sharex=True, squeeze=False)[1][:, 0])
        else:
            axes = [ax] * len(groups)
        along = self.t if x is None else self[x]
        for a, (unit, some) in zip(axes, groups.items()):
            for name in some:
                a.plot(along, self[name], label=name)
            a.set_ylabel(unit)
            a.legend()
            a.grid(True, alpha=0.3)
        axes[-1].set_xlabel("t in s" if x is None else f"{x} in {self.units[x]}")
        return axes[0] if len(axes) == 1 else axes

    def to_pandas(self) -> Any:
        """a DataFrame with the time as its index"""
        import pandas
        return pandas.DataFrame({n: self[n] for n in self}, index=pandas.Index(self.t, name="t"))

    def save(self, path: str) -> None:
        """as .npz (numpy) or .csv, by the ending of the path"""
        import numpy
        if str(path).endswith(".csv"):
            head = ",".join(["t", *self._columns])
            numpy.savetxt(path, self._array, delimiter=",", header=head, comments="", fmt="%.17g")
        elif str(path).endswith(".npz"):
            numpy.savez(path, t=self.t, units=numpy.array(list(self.units.values())),
                        **{n: self[n] for n in self})
        else:
            raise ValueError(f"'{path}' must end with .npz or .csv")
