#!/usr/bin/env python3
"""growth_plot.py - results of the suite 'growth' as a picture: time per step, time before it, memory over bodies

usage: growth_plot.py growth.json > growth.svg     lines that are parallel to the grey ones grow linearly;
                                                   above: slopes of a step over all sizes and over the large ones
"""
import json
import math
import sys

# panel: title, key, factor to its unit
PANELS = [("one step, µs", "step_us", 1.0), ("reading, assembling, starting, s", "assemble_s", 1.0),
          ("peak of memory, MB", "rss_kb", 1e-3)]
COLOURS = {"chain": "#1f6fb4", "ladder": "#c8501e", "tree": "#2b8a4b", "folded": "#8a6fb0"}
MARKS = {"chain": '<circle r="4"/>', "ladder": '<rect x="-4" y="-4" width="8" height="8"/>',
         "tree": '<path d="M0-5 5 4H-5Z"/>', "folded": '<path d="M0-5 5 0 0 5-5 0Z"/>'}
WIDTH, HEIGHT, LEFT, TOP, GAP = 250, 250, 60, 60, 75
# so that the line of slope one is seen beside the others
BELOW = 0.4
# sizes from which on caches do not hold a model; a ladder has a few bodies less than its size says
LARGE, LARGE_LEAST = "10³", 900


def decades(values):
    return math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)


def power(k):
    return f'10<tspan dy="-5" font-size="9">{str(k).replace("-", "−")}</tspan>' if k not in (0, 1) else str(10 ** k)


class Panel:
    def __init__(self, records, left, key, factor):
        self.left, self.key, self.factor = left, key, factor
        self.points = {shape: [(r["bodies"], r[key] * factor) for r in records if r["shape"] == shape and r[key] > 0]
                       for shape in COLOURS if any(r["shape"] == shape for r in records)}
        both = [p for points in self.points.values() for p in points]
        self.x, self.y = decades([10.0 ** round(math.log10(p[0])) for p in both]), decades([p[1] for p in both])

    def at(self, x, y):
        u = (math.log10(x) - self.x[0]) / (self.x[1] - self.x[0])
        v = (math.log10(y) - self.y[0]) / (self.y[1] - self.y[0])
        return f"{self.left + u * WIDTH:.1f},{TOP + (1 - v) * HEIGHT:.1f}"

    def grid(self):
        bottom = TOP + HEIGHT
        for k in range(self.x[0], self.x[1] + 1):
            x = self.left + WIDTH * (k - self.x[0]) / (self.x[1] - self.x[0])
            yield f'<path class="grid" d="M{x:.1f} {TOP}V{bottom}"/>'
            yield f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{power(k)}</text>'
        for k in range(self.y[0], self.y[1] + 1):
            y = bottom - HEIGHT * (k - self.y[0]) / (self.y[1] - self.y[0])
            yield f'<path class="grid" d="M{self.left} {y:.1f}h{WIDTH}"/>'
            yield f'<text x="{self.left - 8}" y="{y + 4:.1f}" text-anchor="end">{power(k)}</text>'

    def slope(self):
        """a line of slope one below the last point of the first shape, as far as it stays inside"""
        n, y = next(iter(self.points.values()))[-1]
        y *= BELOW
        least = max(10.0 ** self.x[0], n / y * 10.0 ** self.y[0])
        return f'<path class="slope" d="M{self.at(least, y * least / n)} {self.at(n, y)}"/>'

    def lines(self):
        for shape, points in self.points.items():
            path = " ".join(self.at(*p) for p in points)
            marks = "".join(f'<g transform="translate({self.at(*p)})">{MARKS[shape]}</g>' for p in points)
            yield f'<g fill="{COLOURS[shape]}"><path fill="none" stroke="{COLOURS[shape]}" d="M{path}"/>{marks}</g>'

    def svg(self, title):
        head = f'<text x="{self.left}" y="{TOP - 14}" font-weight="bold">{title}</text>'
        below = f'<text x="{self.left + WIDTH / 2}" y="{TOP + HEIGHT + 40}" text-anchor="middle">bodies</text>'
        return "\n".join([head, *self.grid(), self.slope(), *self.lines(), below])


def exponent(records, shape, least=0):
    """of a step over bodies, by least squares, from so many bodies on; 1 is linear. None: one size has no slope"""
    points = [(math.log(r["bodies"]), math.log(r["step_us"])) for r in records
              if r["shape"] == shape and r["step_us"] > 0 and r["bodies"] >= least]
    if len(points) < 2:
        return None
    x, y = (sum(values) / len(points) for values in zip(*points))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def slopes(records, shape):
    """of a step over all sizes, and over those that leave the caches"""
    words = f"{shape}: n"
    for value in (exponent(records, shape), exponent(records, shape, LARGE_LEAST)):
        if value is not None:
            yield f'{words}<tspan dy="-5" font-size="9">{value:.2f}</tspan>'
        words = f'<tspan dy="5">, ≥ {LARGE} n</tspan>'


def legend(records):
    shapes = [shape for shape in COLOURS if any(r["shape"] == shape for r in records)]
    for i, shape in enumerate(shapes):
        x = LEFT + 200 * i
        yield (f'<g transform="translate({x} 20)" fill="{COLOURS[shape]}">{MARKS[shape]}</g>'
               f'<text x="{x + 12}" y="24">{"".join(slopes(records, shape))}</text>')
    x = LEFT + 200 * len(shapes)
    yield f'<path class="slope" d="M{x - 8} 24l24-8"/><text x="{x + 24}" y="24">linear</text>'


def read(path):
    """records of a file; says what is wrong with one that has none, or too few"""
    again = "bench/run growth --json writes them"
    try:
        with open(path, encoding="utf-8") as file:
            records = json.load(file)
        sizes = [(r["shape"], r["bodies"]) for r in records if all(r[key] >= 0 for _, key, _ in PANELS)]
    except OSError as missing:
        sys.exit(f"growth_plot.py: {path}: {missing.strerror}")
    except (ValueError, KeyError, TypeError):
        sys.exit(f"growth_plot.py: {path} does not hold results of the suite; {again}")
    if not sizes or not {shape for shape, _ in sizes} <= set(COLOURS):
        sys.exit(f"growth_plot.py: {path} holds other shapes than {', '.join(COLOURS)}, or none; {again}")
    for shape in {shape for shape, _ in sizes}:
        if len({size for size in sizes if size[0] == shape}) < 2:
            sys.exit(f"growth_plot.py: {path} has one size of {shape}, a line needs two; run the suite without a size in --only")
    return records


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: growth_plot.py growth.json > growth.svg")
    records = read(sys.argv[1])
    width, height = LEFT + len(PANELS) * (WIDTH + GAP) - GAP + 20, TOP + HEIGHT + 55
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
          ' font-family="sans-serif" font-size="13">')
    print("<title>Cost of chains, ladders and trees over the number of bodies</title>")
    print('<style>.grid{stroke:#ddd}.slope{stroke:#888;stroke-dasharray:5 4;fill:none}</style>')
    print(f'<rect width="{width}" height="{height}" fill="#fff"/>')
    print("\n".join(legend(records)))
    for i, (title, key, factor) in enumerate(PANELS):
        print(Panel(records, LEFT + i * (WIDTH + GAP), key, factor).svg(title))
    print("</svg>")


if __name__ == "__main__":
    main()
