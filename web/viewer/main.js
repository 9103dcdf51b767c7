// main.js - puts the page together: data, scene, plots, buttons, keys
import { pose, newPose, readData } from "./data.js";
import { bodyColour, Mechanism } from "./scene.js";
import { View } from "./view.js";
import { Clock } from "./clock.js";
import { format, Plots } from "./plots.js";

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10];
const PLAY = 4; // s that a run is shown for at least, at first
const PICTURES = 50; // steps of the arrow keys in the whole, with shift
const NARROW = 760; // px: below it plots stand under the scene

const $ = (id) => document.getElementById(id);

function list(dl, rows) {
  dl.replaceChildren(
    ...rows.flatMap(([term, text]) => {
      const [dt, dd] = ["dt", "dd"].map((name) => document.createElement(name));
      dt.textContent = term;
      dd.textContent = text;
      return [dt, dd];
    }),
  );
}

const vector = (x, unit, scale) => `${x.map((y) => format(y, scale)).join("  ")} ${unit}`;

class Page {
  constructor(data) {
    this.data = data;
    this.clock = new Clock(data.t0, data.t1);
    this.mechanism = new Mechanism(data);
    this.view = new View($("view"), this.mechanism);
    this.view.wake = () => this.wake();
    this.plots = new Plots(data, this.clock, {
      plots: $("plots"), channels: $("channels"), filter: $("filter"), chosen: $("chosen"),
    });
    this.selected = null;
    this.words();
    this.makeMenu();
    this.makeBar();
    this.makeTools();
    this.makeKeys();
    this.setTheme(this.startTheme());
    this.view.setGizmo($("gizmo"));
    this.clock.listen(() => this.timeChanged());
    this.openPlots(data.channels.length > 0 && window.innerWidth >= NARROW);
    new ResizeObserver(() => this.view.resize()).observe($("stage"));
    this.view.resize();
    this.view.look("free");
    this.begin();
  }

  // #t=1.5 opens at that time; otherwise it plays, unless the reader asked for less motion
  begin() {
    const at = /[#&]t=([-+.\deE]+)/.exec(location.hash);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.clock.seek(at ? Number(at[1]) : this.data.t0);
    if (!at && !calm) this.clock.play(true);
    this.wake();
  }

  words() {
    const { data } = this;
    const frames = data.frames.time.length;
    document.title = `${data.title} – Cardan`;
    $("name").textContent = data.title;
    $("about").textContent = [data.method, data.complete ? "" : "the run was not finished"]
      .filter(Boolean)
      .join(" · ");
    list($("facts"), [
      ["model", `${data.file || data.title}, ${data.bodies.length - 1} bodies`],
      ["model hash", data.hash],
      ["method", data.method],
      ["time", `${format(data.t0)} to ${format(data.t1)} s`],
      ["frames", `${frames} of ${data.rows} rows of the log`],
      ["accuracy", `positions within ${data.error.position.toPrecision(2)} m`],
      ["written by", data.generator],
    ]);
  }

  // ---- pictures: one is drawn when something changed

  wake() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      this.clock.tick(now);
      this.view.render();
      if (this.clock.playing || this.view.dirty) this.wake();
    });
  }

  timeChanged() {
    const { clock } = this;
    this.mechanism.setTime(clock.time);
    this.view.moved();
    $("now").textContent = clock.time.toFixed(this.digits);
    $("scrub").value = clock.time;
    $("scrub").setAttribute("aria-valuetext", `${clock.time.toFixed(this.digits)} s`);
    const part = (clock.time - clock.t0) / (clock.t1 - clock.t0 || 1);
    $("scrub").style.setProperty("--part", `${(100 * part).toFixed(2)}%`);
    if ($("play").classList.toggle("on", clock.playing) !== this.wasPlaying) this.playLook();
    this.showCard();
    this.wake();
  }

  playLook() {
    const on = (this.wasPlaying = this.clock.playing);
    $("play").setAttribute("aria-label", on ? "Pause" : "Play");
    $("play-shape").setAttribute("d", on ? "M6 4h4v16H6ZM14 4h4v16h-4Z" : "M7 4v16l13-8Z");
  }

  // ---- the bar below

  makeBar() {
    const { clock } = this;
    const span = clock.t1 - clock.t0;
    this.digits = span >= 100 ? 2 : span >= 1 ? 3 : Math.min(9, 3 + Math.ceil(-Math.log10(span || 1)));
    $("end").textContent = ` / ${clock.t1.toFixed(this.digits)} s`;
    $("now").style.minWidth = `${clock.t1.toFixed(this.digits).length}ch`;
    Object.assign($("scrub"), { min: clock.t0, max: clock.t1 });
    $("scrub").addEventListener("input", (e) => {
      clock.play(false);
      clock.seek(Number(e.target.value));
    });
    $("play").addEventListener("click", () => this.playPause());
    this.makeSpeeds(span);
    $("speed").addEventListener("change", (e) => this.setSpeed(Number(e.target.value)));
    $("loop").addEventListener("click", () => this.setLoop(!clock.loop));
  }

  // short runs are shown slowly
  makeSpeeds(span) {
    this.speeds = [...SPEEDS];
    for (let power = 0.1; span > 0 && this.speeds[0] > span / PLAY && power > 1e-9; ) {
      power /= 10;
      this.speeds.unshift(...[1, 2, 5].map((m) => Number((m * power).toPrecision(1))));
    }
    for (const speed of this.speeds) $("speed").append(new Option(`${speed}×`, speed));
    const fits = this.speeds.filter((speed) => speed <= 1 && span / speed >= PLAY);
    this.setSpeed(fits.length ? fits[fits.length - 1] : 1);
  }

  playPause() {
    this.clock.play(!this.clock.playing);
    this.wake();
  }

  setSpeed(speed) {
    this.clock.speed = speed;
    $("speed").value = speed;
  }

  changeSpeed(step) {
    const i = this.speeds.indexOf(this.clock.speed) + step;
    this.setSpeed(this.speeds[Math.min(Math.max(i, 0), this.speeds.length - 1)]);
  }

  setLoop(on) {
    this.clock.loop = on;
    $("loop").setAttribute("aria-pressed", on);
  }

  // to the frame before or after, or further
  step(sign, far) {
    const { time } = this.data.frames;
    this.clock.play(false);
    if (far) {
      this.clock.seek(this.clock.time + (sign * (this.clock.t1 - this.clock.t0)) / PICTURES);
      return;
    }
    const row = this.data.frames.row(this.clock.time);
    const back = sign < 0 && time[row] < this.clock.time ? 0 : sign;
    this.clock.seek(time[Math.min(Math.max(row + back, 0), time.length - 1)]);
  }

  // ---- what is shown

  makeMenu() {
    const { mechanism } = this;
    const layer = (name) => (on) => mechanism.show(name, on);
    const rows = [
      ["grid", "Floor and grid", true, "G", layer("grid")],
      ["joints", "Joints", true, "J", layer("joint")],
      ["connectors", "Springs and connectors", true, "C", layer("connector")],
      ["supports", "Supports", true, "", layer("support")],
      ["markers", "Markers", false, "M", layer("marker")],
      ["frames", "Body frames", false, "B", layer("frame")],
      ["names", "Names", false, "N", () => this.showNames()],
      ["forces", "Forces", false, "V", () => this.showForces()],
      ["loads", "Loads", true, "", () => this.showForces()],
      ["moments", "Moments", false, "", () => this.showForces()],
    ];
    this.shown = {};
    this.toggles = {};
    for (const [key, text, on, letter, act] of rows) {
      const label = document.createElement("label");
      const box = document.createElement("input");
      const hint = document.createElement("kbd");
      Object.assign(box, { type: "checkbox", checked: on, id: `show-${key}` });
      hint.textContent = letter;
      label.append(box, text, ...(letter ? [hint] : []));
      $("menu").append(label);
      this.toggles[key] = (value = !this.shown[key]) => {
        this.shown[key] = box.checked = value;
        act(value);
        this.view.changed();
      };
      box.addEventListener("change", () => this.toggles[key](box.checked));
      this.shown[key] = on;
    }
    rows.forEach(([key, , on]) => this.toggles[key](on));
    this.makeScale();
  }

  makeScale() {
    const label = document.createElement("label");
    const slider = document.createElement("input");
    const value = document.createElement("output");
    Object.assign(slider, { type: "range", min: -1, max: 1, step: 0.01, value: 0, id: "scale" });
    slider.setAttribute("aria-label", "Length of force arrows");
    label.className = "wide-row";
    label.append("Arrow length", slider, value);
    $("menu").append(label);
    const set = () => {
      const { arrows } = this.mechanism;
      arrows.scale = 10 ** Number(slider.value);
      value.textContent = `${arrows.scale.toPrecision(2)}×`;
      arrows.setTime(this.clock.time, this.mechanism.poses);
      this.view.changed();
    };
    slider.addEventListener("input", set);
    set();
  }

  showForces() {
    const { arrows } = this.mechanism;
    const { forces, loads, moments } = this.shown;
    arrows.shown = { joint: forces, connector: forces, load: loads };
    arrows.show(forces || loads, moments);
    arrows.setTime(this.clock.time, this.mechanism.poses);
  }

  showNames() {
    const all = this.data.bodies.map((_, i) => i).slice(1);
    const one = this.selected && this.selected.body > 0 ? [this.selected.body] : [];
    this.view.setNames($("labels"), this.shown.names ? all : one);
  }

  // ---- the buttons above

  makeTools() {
    const press = (id, f) => $(id).addEventListener("click", f);
    press("fit", () => this.view.fit());
    press("view-front", () => this.view.look("front"));
    press("view-side", () => this.view.look("side"));
    press("view-top", () => this.view.look("top"));
    press("show", () => this.openMenu($("menu").hidden));
    press("plots-toggle", () => this.openPlots($("panel").hidden));
    press("theme", () => this.setTheme(!this.dark, true));
    press("ask", () => $("help").showModal());
    press("choose", () => this.openChooser($("chooser").hidden));
    press("card-close", () => this.select(null));
    press("follow", () => this.setFollow(this.view.followed < 0));
    press("trail", () => this.setTrail(!this.mechanism.trail));
    this.view.onPick = (hit) => this.select(hit);
    document.addEventListener("pointerdown", (e) => {
      if (!$("menu").contains(e.target) && !$("show").contains(e.target)) this.openMenu(false);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (e) =>
      this.setTheme(e.matches),
    );
  }

  openMenu(on) {
    $("menu").hidden = !on;
    $("show").setAttribute("aria-expanded", on);
  }

  openPlots(on) {
    $("panel").hidden = !on;
    $("app").classList.toggle("plots", on);
    $("plots-toggle").setAttribute("aria-pressed", on);
    this.plots.resize();
  }

  openChooser(on) {
    $("chooser").hidden = !on;
    $("choose").setAttribute("aria-expanded", on);
    if (on) $("filter").focus();
  }

  startTheme() {
    let kept = null;
    try {
      kept = localStorage.getItem("cardan-theme");
    } catch {
      // a page from a file may not be allowed to remember
    }
    return kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  setTheme(dark, keep = false) {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.mechanism.setTheme(dark);
    this.plots.setTheme(dark);
    this.view.changed();
    if (!keep) return;
    try {
      localStorage.setItem("cardan-theme", dark ? "dark" : "light");
    } catch {
      // as above
    }
  }

  // ---- what is selected

  select(hit) {
    this.selected = hit;
    const body = hit ? hit.body : -1;
    this.mechanism.select(body);
    if (this.view.followed >= 0) this.setFollow(false);
    this.setTrail(false);
    this.showNames();
    $("card").hidden = !hit;
    if (hit) {
      const about = body >= 0 ? this.data.bodies[body] : hit.item;
      $("card-name").textContent = about.name;
      $("card-class").textContent = about.class;
      $("card-dot").style.background = body > 0 ? bodyColour(body) : "var(--faint)";
      $("follow").hidden = $("trail").hidden = body < 1;
      this.showCard();
    }
    this.view.changed();
  }

  showCard() {
    if (!this.selected) return;
    const { item, body } = this.selected;
    const rows = [];
    if (body >= 0) {
      const { p, v, turning } = this.mechanism.poses[body];
      const { size, t0, t1 } = this.data;
      rows.push(["position", vector(p, "m", size)]);
      rows.push(["velocity", vector(v, "m/s", size / (t1 - t0 || 1))]);
      rows.push(["speed", `${format(Math.hypot(...v))} m/s`], ["turning", `${format(turning)} rad/s`]);
    } else {
      const i = this.data.forces.findIndex((f) => f.name === item.name);
      if (i >= 0) {
        const six = this.mechanism.arrows.values(i, this.clock.time);
        const { forces, moments } = this.mechanism.arrows;
        rows.push(["force", vector(six.slice(0, 3), "N", forces.largest)]);
        rows.push(["moment", vector(six.slice(3), "N m", moments.largest)]);
      }
    }
    list($("card-data"), rows);
  }

  setFollow(on) {
    this.view.follow(on && this.selected ? this.selected.body : -1);
    $("follow").setAttribute("aria-pressed", on);
  }

  setTrail(on) {
    this.mechanism.setTrail(on && this.selected ? this.selected.body : -1);
    $("trail").setAttribute("aria-pressed", on);
    this.view.changed();
  }

  // ---- keys

  makeKeys() {
    const step = (sign) => (e) => this.step(sign, e.shiftKey);
    const toggle = (key) => () => this.toggles[key]();
    const keys = [
      ["Space", "play or pause", " ", () => this.playPause()],
      ["←  →", "one frame back or on; with Shift further", "ArrowLeft", step(-1)],
      [null, "", "ArrowRight", step(1)],
      ["Home  End", "start and end", "Home", () => this.clock.seek(this.data.t0)],
      [null, "", "End", () => this.clock.seek(this.data.t1)],
      ["↓  ↑", "slower, faster", "ArrowDown", () => this.changeSpeed(-1)],
      [null, "", "ArrowUp", () => this.changeSpeed(1)],
      ["L", "loop", "l", () => this.setLoop(!this.clock.loop)],
      ["F", "fit view", "f", () => this.view.fit()],
      ["1  2  3  0", "front, side, top, free view", "1", () => this.view.look("front")],
      [null, "", "2", () => this.view.look("side")],
      [null, "", "3", () => this.view.look("top")],
      [null, "", "0", () => this.view.look("free")],
      ["V", "forces", "v", toggle("forces")],
      ["J  C  M  B", "joints, connectors, markers, body frames", "j", toggle("joints")],
      [null, "", "c", toggle("connectors")],
      [null, "", "m", toggle("markers")],
      [null, "", "b", toggle("frames")],
      ["N  G", "names, grid", "n", toggle("names")],
      [null, "", "g", toggle("grid")],
      ["P  T", "plots, dark or light", "p", () => this.openPlots($("panel").hidden)],
      [null, "", "t", () => this.setTheme(!this.dark, true)],
      ["Esc", "deselect", "Escape", () => this.escape()],
      ["?", "this help", "?", () => $("help").showModal()],
    ];
    list($("keys"), [
      ...keys.filter(([shown]) => shown).map(([shown, text]) => [shown, text]),
      ["drag", "turn; right button or two fingers: move; scroll or pinch: zoom"],
      ["click, tap", "name a body; in a plot: go to that time"],
    ]);
    const actions = new Map(keys.map(([, , key, act]) => [key, act]));
    document.addEventListener("keydown", (e) => this.key(e, actions));
  }

  key(e, actions) {
    if (e.ctrlKey || e.metaKey || e.altKey || $("help").open) return;
    const { tagName, type } = e.target;
    const typing = tagName === "SELECT" || (tagName === "INPUT" && type === "search");
    // space presses the button or box that has the focus
    const pressed = e.key === " " && (tagName === "BUTTON" || type === "checkbox" || tagName === "SUMMARY");
    const slides = type === "range" && e.target.id !== "scrub" && e.key.startsWith("Arrow");
    const act = actions.get(e.key.length === 1 ? e.key.toLowerCase() : e.key);
    if (!act || slides || pressed || (typing && e.key !== "Escape")) return;
    e.preventDefault();
    act(e);
  }

  escape() {
    if (!$("menu").hidden) this.openMenu(false);
    else if (!$("chooser").hidden) this.openChooser(false);
    else this.select(null);
  }
}

// for tests and for the console: window.cardan
function api(page) {
  const { data } = page;
  const number = (name) => data.bodies.findIndex((b) => b.name === name);
  return {
    ready: true,
    data,
    bodies: data.bodies.map((b) => b.name),
    get time() {
      return page.clock.time;
    },
    get playing() {
      return page.clock.playing;
    },
    get selected() {
      const hit = page.selected;
      return hit && (hit.body >= 0 ? data.bodies[hit.body].name : hit.item.name);
    },
    seek: (t) => page.clock.seek(t),
    play: (on = true) => {
      page.clock.play(on);
      page.wake();
    },
    position: (name) => [...pose(data, number(name), page.clock.time, newPose()).p],
    orientation: (name) => [...pose(data, number(name), page.clock.time, newPose()).q],
    channel: (name) =>
      data.series.value(data.channels.findIndex((c) => c.name === name), page.clock.time),
    choose: (names) => page.plots.choose(names),
    pixel: (name) => page.view.pixel(page.mechanism.middle(number(name))),
    select: (name) => {
      const body = number(name);
      page.select(body < 0 ? null : { item: data.bodies[body], body });
    },
    show: (what, on = true) => page.toggles[what](on),
  };
}

function complain(text) {
  $("hint").textContent = text;
  $("hint").hidden = false;
}

try {
  window.cardan = api(new Page(readData($("data").textContent)));
} catch (error) {
  const gl = /WebGL/i.test(String(error));
  complain(gl ? "This browser shows no WebGL, which the 3D view needs." : String(error));
  throw error;
}
