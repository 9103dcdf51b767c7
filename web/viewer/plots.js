// plots.js - channels over time: one plot per unit, with a line at the time of the scene
//
// Press and drag in a plot to move through time; scroll to zoom, double-click to see all again.
import uPlot from "uplot";

const COLOURS = {
  light: ["#1f6feb", "#d9480f", "#2b8a3e", "#a61e8c", "#0b7285", "#b08900", "#6741d9", "#c92a2a"],
  dark: ["#6cb0ff", "#ff9f5a", "#69db7c", "#f28bdc", "#4dd4e6", "#ffd43b", "#b197fc", "#ff8787"],
};
const FIRST_UNITS = 3; // that are shown at the start
const FIRST_CHOICE = 3; // channels of each
const NOTHING = 1e-9; // part of the largest number with the same unit
const HEIGHT = [170, 300];
const CAPTION = 44; // px that a plot needs beside its picture
const GAP = 8;

// few digits, as long as they tell the value; what is nothing beside `scale` is 0
export function format(x, scale = 0) {
  if (!Number.isFinite(x)) return "–";
  if (Math.abs(x) < NOTHING * scale) x = 0;
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return x.toExponential(3).replace("-", "−");
  return x.toFixed(size >= 1000 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : 4).replace("-", "−");
}

// "tip.*" and "tip" find what they say; * stands for anything
function matcher(words) {
  const tests = words.trim().toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const pattern = word.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(word.includes("*") ? `^${pattern}$` : pattern);
  });
  return (name) => tests.length === 0 || tests.some((test) => test.test(name.toLowerCase()));
}

export class Plots {
  constructor(data, clock, elements) {
    Object.assign(this, { data, clock, elements, plots: [], dark: false });
    this.measure();
    this.chosen = new Set(this.firstChoice());
    this.listChannels();
    elements.filter.addEventListener("input", () => this.filter());
    clock.listen(() => this.setTime());
    new ResizeObserver(() => this.resize()).observe(elements.plots);
  }

  // ---- which channels

  // the largest number of every channel and of every unit
  measure() {
    const { channels, series } = this.data;
    this.units = new Map();
    this.largest = series.columns.map((x) =>
      x.reduce((most, y) => (Math.abs(y) > most ? Math.abs(y) : most), 0),
    );
    channels.forEach(({ unit }, i) => {
      this.units.set(unit, Math.max(this.units.get(unit) ?? 0, this.largest[i]));
    });
  }

  // a few channels of the first units, those that are not zero all the time before others
  firstChoice() {
    const units = [...new Set(this.data.channels.map((c) => c.unit))].slice(0, FIRST_UNITS);
    return units.flatMap((unit) => {
      const same = this.data.channels.flatMap((c, i) => (c.unit === unit ? [i] : []));
      const alive = same.filter((i) => this.largest[i] > NOTHING * this.units.get(unit));
      return (alive.length ? alive : same).slice(0, FIRST_CHOICE);
    });
  }

  listChannels() {
    this.boxes = this.data.channels.map((channel, i) => {
      const label = document.createElement("label");
      const box = document.createElement("input");
      const name = document.createElement("span");
      const unit = document.createElement("small");
      box.type = "checkbox";
      box.checked = this.chosen.has(i);
      name.textContent = channel.name;
      unit.textContent = channel.unit;
      label.append(box, name, unit);
      box.addEventListener("change", () => {
        if (box.checked) this.chosen.add(i);
        else this.chosen.delete(i);
        this.draw();
      });
      return { label, box };
    });
    this.elements.channels.append(...this.boxes.map(({ label }) => label));
  }

  filter() {
    const test = matcher(this.elements.filter.value);
    this.data.channels.forEach((channel, i) => {
      this.boxes[i].label.hidden = !test(channel.name);
    });
  }

  choose(names) {
    this.chosen = new Set(names.map((n) => this.data.channels.findIndex((c) => c.name === n)));
    this.chosen.delete(-1);
    this.boxes.forEach(({ box }, i) => (box.checked = this.chosen.has(i)));
    this.draw();
  }

  // ---- pictures

  setTheme(dark) {
    this.dark = dark;
    this.draw();
  }

  groups() {
    const groups = new Map();
    for (const i of [...this.chosen].sort((a, b) => a - b)) {
      const { unit } = this.data.channels[i];
      groups.set(unit, [...(groups.get(unit) ?? []), i]);
    }
    return groups;
  }

  draw() {
    const { plots, chosen } = this.elements;
    const n = this.data.channels.length;
    for (const { plot } of this.plots) plot.destroy();
    plots.replaceChildren();
    chosen.textContent = n ? `${this.chosen.size} of ${n}` : "";
    this.plots = [...this.groups()].map(([unit, channels]) => this.make(unit, channels));
    if (this.plots.length === 0) {
      const empty = document.createElement("p");
      empty.className = "empty";
      empty.textContent = n ? "Choose channels to see their plots." : "The log has no channels.";
      plots.append(empty);
    }
    this.setTime();
  }

  colour(channels, i) {
    const colours = COLOURS[this.dark ? "dark" : "light"];
    return colours[channels.indexOf(i) % colours.length];
  }

  make(unit, channels) {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const values = channels.map((i) => {
      const item = document.createElement("span");
      const dot = document.createElement("i");
      const value = document.createElement("b");
      dot.style.background = this.colour(channels, i);
      item.append(dot, this.data.channels[i].name, " ", value);
      caption.append(item);
      return { i, value };
    });
    const units = document.createElement("small");
    units.textContent = unit === "" || unit === "1" ? "" : `[${unit}]`;
    caption.prepend(units);
    figure.append(caption);
    this.elements.plots.append(figure);
    const plot = this.chart(figure, channels);
    const line = document.createElement("div");
    line.className = "now";
    plot.over.append(line);
    this.steer(plot);
    return { plot, line, values, figure };
  }

  chart(figure, channels) {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--faint").trim();
    const grid = { stroke: style.getPropertyValue("--line").trim(), width: 1 };
    const axis = {
      stroke: ink, grid, ticks: { ...grid, size: 4 }, font: "11px system-ui, sans-serif", gap: 3,
    };
    const { series } = this.data;
    return new uPlot(
      {
        width: Math.max(figure.clientWidth, 120),
        height: this.height(),
        pxAlign: 0,
        padding: [GAP, 2 * GAP, 0, 0],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false, points: { size: 6 } },
        scales: { x: { time: false } },
        axes: [{ ...axis, size: 26, space: 60 }, { ...axis, size: 58, space: 28 }],
        series: [
          {},
          ...channels.map((i) => ({
            stroke: this.colour(channels, i),
            width: 1.5,
            points: { show: false },
          })),
        ],
        hooks: { setScale: [(_, key) => key === "x" && this.setTime()] },
      },
      [series.time, ...channels.map((i) => series.columns[i])],
      figure,
    );
  }

  // plots share the room
  height() {
    const room = this.elements.plots.clientHeight / (this.groups().size || 1) - CAPTION;
    return Math.round(Math.min(Math.max(room, HEIGHT[0]), HEIGHT[1]));
  }

  resize() {
    const height = this.height();
    for (const { plot, figure } of this.plots) {
      const width = Math.max(figure.clientWidth, 120);
      if (width !== plot.width || height !== plot.height) plot.setSize({ width, height });
    }
    this.setTime();
  }

  // ---- time

  steer(plot) {
    const { over } = plot;
    const seek = (e) => {
      const x = e.clientX - over.getBoundingClientRect().left;
      this.clock.play(false);
      this.clock.seek(plot.posToVal(x, "x"));
    };
    over.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      over.setPointerCapture(e.pointerId);
      seek(e);
    });
    over.addEventListener("pointermove", (e) => {
      if (over.hasPointerCapture(e.pointerId)) seek(e);
    });
    over.addEventListener("wheel", (e) => this.zoom(plot, e), { passive: false });
    over.addEventListener("dblclick", () => this.range(this.clock.t0, this.clock.t1));
  }

  zoom(plot, e) {
    e.preventDefault();
    const at = plot.posToVal(e.clientX - plot.over.getBoundingClientRect().left, "x");
    const factor = 1.0015 ** e.deltaY;
    const { min, max } = plot.scales.x;
    const from = Math.max(at - (at - min) * factor, this.clock.t0);
    const to = Math.min(at + (max - at) * factor, this.clock.t1);
    if (to - from > 1e-4 * (this.clock.t1 - this.clock.t0)) this.range(from, to);
  }

  range(min, max) {
    for (const { plot } of this.plots) plot.setScale("x", { min, max });
  }

  setTime() {
    const t = this.clock.time;
    for (const { plot, line, values } of this.plots) {
      const x = plot.valToPos(t, "x");
      line.hidden = !(x >= -1 && x <= plot.over.clientWidth + 1);
      line.style.transform = `translateX(${x.toFixed(2)}px)`;
      for (const { i, value } of values) {
        const scale = this.units.get(this.data.channels[i].unit);
        value.textContent = format(this.data.series.value(i, t), scale);
      }
    }
  }
}
