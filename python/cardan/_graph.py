"""_graph.py - items of a model and what they refer to, as SVG

Layers from left to right: what an item refers to stands left of it. References that pass over layers
take a free place in each of them. Places within layers follow from the means of neighbours, sweep by
sweep (Sugiyama, Tagawa & Toda, IEEE Trans. SMC 11 (1981) 109).
"""
from __future__ import annotations

from html import escape
from typing import Iterable

WIDTH, HEIGHT = 168, 40      # of a box
ACROSS, DOWN = 96, 14        # between boxes
PASS = 10                    # room of a line that passes
MARGIN = 14
LETTERS = 22                 # of a name in a box
SWEEPS = 12
# colours by category, light and dark; others are grey
COLOURS = {"body": ("#dbe9f8", "#24435f"), "marker": ("#ececec", "#3a3a3a"),
           "joint": ("#fde3c8", "#5f4122"), "connector": ("#dcf0d8", "#2c4f2a"),
           "load": ("#f8d9dc", "#5c2a30"), "sensor": ("#e8def5", "#43325c")}
OTHER = ("#eeeeee", "#444444")

Item = tuple[str, str, str]       # category, class, name
Reference = tuple[str, str, str]  # name, field, name
Node = tuple[str, int]            # name of an item, or of a line that passes its layer


def _layers(names: list[str], uses: dict[str, list[str]]) -> dict[str, int]:
    """longest way to an item that refers to nothing; circles are cut"""
    depth: dict[str, int] = {}
    for root in names:
        stack = [root]
        while stack:
            name = stack[-1]
            depth.setdefault(name, -1)
            waiting = [u for u in uses[name] if u not in depth]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            depth[name] = max((depth[u] + 1 for u in uses[name] if depth[u] >= 0), default=0)
    return depth


class _Layout:
    """nodes by layer with their places"""

    def __init__(self, names: list[str], edges: list[tuple[str, str]]) -> None:
        uses: dict[str, list[str]] = {name: [] for name in names}
        for a, b in edges:
            uses[a].append(b)
        self.layer = _layers(names, uses)
        self.rows: list[list[Node]] = [[] for _ in range(1 + max(self.layer.values(), default=0))]
        self.near: dict[Node, list[Node]] = {}
        self.y: dict[Node, float] = {}
        for name in names:
            self._put((name, self.layer[name]))
        self.ways = [self._way(k, a, b) for k, (a, b) in enumerate(edges)]
        self._arrange()

    def _put(self, node: Node) -> None:
        self.rows[node[1]].append(node)
        self.near[node] = []

    def _way(self, number: int, a: str, b: str) -> list[Node]:
        """from the item that is referred to, through the layers between"""
        low, high = self.layer[b], self.layer[a]
        way: list[Node] = [(b, low)]
        for layer in range(low + 1, high):
            way.append((f"\0{number}", layer))
            self._put(way[-1])
        way.append((a, high))
        for one, other in zip(way, way[1:]):
            self.near[one].append(other)
            self.near[other].append(one)
        return way

    def _arrange(self) -> None:
        for row in self.rows:
            self._stack(row)
        for sweep in range(SWEEPS):
            rows = self.rows if sweep % 2 == 0 else self.rows[::-1]
            for row in rows:
                wish = {n: self._mean(n) for n in row}
                row.sort(key=lambda n: wish[n])
                self._stack(row, wish)
        top = min(self.y.values(), default=0.0)
        for node in self.y:
            self.y[node] += MARGIN - top

    def _mean(self, node: Node) -> float:
        ys = [self.y[n] for n in self.near[node]]
        return sum(ys) / len(ys) if ys else self.y[node]

    def _stack(self, row: list[Node], wish: dict[Node, float] | None = None) -> None:
        """one below the other, as near to the wishes as their order allows"""
        at = 0.0
        shift = []
        for node in row:
            self.y[node] = at
            shift.append((wish[node] if wish else at) - at)
            at += _height(node) + DOWN
        for node, move in zip(row, _rising(shift)):
            self.y[node] += move

    def size(self) -> tuple[int, int]:
        columns = len(self.rows)
        bottom = max((y + _height(n) for n, y in self.y.items()), default=0.0)
        return 2 * MARGIN + columns * WIDTH + (columns - 1) * ACROSS, int(bottom) + MARGIN


def _rising(values: list[float]) -> list[float]:
    """the nearest sequence that does not fall: means of neighbours that would cross"""
    blocks: list[list[float]] = []
    for value in values:
        blocks.append([value, 1.0])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, n = blocks.pop()
            blocks[-1] = [(blocks[-1][0] * blocks[-1][1] + mean * n) / (blocks[-1][1] + n),
                          blocks[-1][1] + n]
    return [mean for mean, n in blocks for _ in range(int(n))]


def _height(node: Node) -> int:
    return PASS if node[0].startswith("\0") else HEIGHT


def _x(layer: int) -> int:
    return MARGIN + layer * (WIDTH + ACROSS)


def _short(text: str) -> str:
    return text if len(text) <= LETTERS else text[:LETTERS - 1] + "…"


def _path(layout: _Layout, way: list[Node]) -> str:
    """from the item that refers, back to what it refers to"""
    parts: list[str] = []
    for right, left in zip(way[::-1], way[-2::-1]):
        y1, y0 = (layout.y[n] + _height(n) / 2 for n in (right, left))
        x1, x0 = _x(right[1]), _x(left[1]) + WIDTH
        if not parts:
            parts.append(f"M{x1} {y1:.1f}")
        elif right[0].startswith("\0"):
            parts.append(f"H{x1}")
        parts.append(f"C{x1 - ACROSS / 2:.0f} {y1:.1f} {x0 + ACROSS / 2:.0f} {y0:.1f} {x0} {y0:.1f}")
    return " ".join(parts)


def _box(item: Item, x: int, y: float) -> str:
    category, cls, name = item
    kind = category if category in COLOURS else "other"
    return (f'<g class="{kind}"><title>{escape(cls)} {escape(name)}</title>'
            f'<rect x="{x}" y="{y:.1f}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
            f'<text x="{x + 10}" y="{y + 17:.1f}">{escape(_short(name))}</text>'
            f'<text class="k" x="{x + 10}" y="{y + 32:.1f}">{escape(_short(cls))}</text></g>')


def _style() -> str:
    def rules(dark: int) -> str:
        fills = "".join(f".{kind} rect{{fill:{pair[dark]}}}"
                        for kind, pair in {**COLOURS, "other": OTHER}.items())
        ink, line = (("#222", "#888"), ("#eee", "#999"))[dark]
        return f"text{{fill:{ink}}}rect{{stroke:{line}}}path{{stroke:{line}}}.a{{fill:{line}}}{fills}"

    return ("<style>text{font:13px system-ui,sans-serif}.k{font-size:11px;opacity:.7}"
            "path{fill:none;stroke-width:1.2}.a{stroke:none}"
            f"{rules(0)}@media(prefers-color-scheme:dark){{{rules(1)}}}</style>")


def graph(items: Iterable[Item], references: Iterable[Reference]) -> str:
    """the picture; references to what is no item are left out"""
    known = {item[2]: item for item in items}
    edges: dict[tuple[str, str], list[str]] = {}
    for name, field, other in references:
        if name in known and other in known and name != other:
            edges.setdefault((name, other), []).append(field)
    layout = _Layout(list(known), list(edges))
    width, height = layout.size()
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" role="img"><title>items and references</title>',
             _style(),
             '<defs><marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
             'markerHeight="7" orient="auto"><path class="a" d="M0 0L8 4L0 8Z"/></marker></defs>']
    for way, fields in zip(layout.ways, edges.values()):
        parts.append(f'<path d="{_path(layout, way)}" marker-end="url(#to)">'
                     f"<title>{escape(', '.join(fields))}</title></path>")
    parts += [_box(item, _x(layout.layer[name]), layout.y[(name, layout.layer[name])])
              for name, item in known.items()]
    return "".join(parts) + "</svg>\n"
