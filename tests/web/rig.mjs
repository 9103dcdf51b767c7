// rig.mjs - what the tests of the page share: packages, Chromium, a run, checks
//
//   node TEST.mjs CARDAN SOURCE WORK
//
// Without the packages of web/package-lock.json or without Chromium a test is skipped (77) and says
// what is missing. WebGL is drawn by software, so no graphics card is needed.
import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, resolve } from "node:path";

const SKIPPED = 77;
const [cardan, source, work] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(work, { recursive: true });

export const root = source;
export const file = (name) => join(work, name);
export const text = (name) => readFileSync(file(name), "utf8");

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(SKIPPED);
}

export function need(name) {
  try {
    return createRequire(join(source, "web", "package.json"))(name);
  } catch {
    return skip(`${name} is missing; ./do web installs it (npm)`);
  }
}

function chromiumPath() {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const folders = process.env.PATH.split(delimiter);
  for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // look further
    }
  }
  return skip("Chromium is missing; install the package chromium");
}

export async function launch() {
  const { chromium } = need("playwright-core");
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [
      "--no-sandbox",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
    ],
  });
}

// ---- runs

export const run = (...args) => execFileSync(cardan, args, { cwd: work, encoding: "utf8" });

// names that would end the script, or be tags, if they were not escaped
export const BAR = "bar</script><img src=x onerror=alert(1)>";
export const BALL = "ball & <b>co</b>";
const marker = (name, body, position) => ({ class: "Marker", name, body, position });
export const model = {
  cardan: 1,
  items: [
    { class: "Gravity", name: "g", acceleration: [0, -9.81, 0] },
    {
      class: "RigidBody",
      name: BAR,
      position: [0.5, 0, 0],
      shape: { class: "Cuboid", size: [1, 0.12, 0.12], density: 2000 },
    },
    {
      class: "RigidBody",
      name: BALL,
      position: [1.5, 0, 0],
      angular_velocity: [0, 1, 3],
      shape: { class: "Sphere", radius: 0.15, density: 3000 },
    },
    { class: "RevoluteJoint", name: "hinge", body_b: BAR, at: [0, 0, 0], axis: [0, 0, 1] },
    marker("end", BAR, [0.5, 0, 0]),
    marker("centre", BALL, [0, 0, 0]),
    {
      class: "SpringDamper",
      name: "spring",
      marker_a: "end",
      marker_b: "centre",
      length: 0.5,
      stiffness: 2000,
      damping: 20,
    },
    { class: "Force", name: "wind", body: BALL, z: "20*sin(2*t)" },
    { class: "Sensor", name: "tip", marker: "end", quantity: "position" },
    { class: "ConnectorSensor", name: "pull", connector: "spring" },
  ],
  runs: [{ duration: 4, step: 0.002, interval: 0.02 }],
};

export function makeRun(name) {
  writeFileSync(file(`${name}.json`), JSON.stringify(model));
  run("run", `${name}.json`, "-o", `${name}.log`);
}

// rows of a CSV file as objects
export function table(name) {
  const [head, ...lines] = text(name).trim().split("\n").filter((line) => !line.startsWith("#"));
  const keys = cells(head);
  return lines.map((line) => {
    const row = {};
    cells(line).forEach((cell, i) => (row[keys[i]] = Number(cell)));
    return row;
  });
}

function cells(line) {
  const found = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...found].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
}

// ---- checks

let failed = 0;
export function check(ok, what) {
  if (ok) return;
  failed++;
  console.log(`failed: ${what}`);
}
export const same = (got, expected, what) =>
  check(got === expected, `${what} is ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`);
export const near = (got, expected, tolerance, what) =>
  check(
    Math.abs(got - expected) <= tolerance,
    `${what} is ${got}, expected ${expected} within ${tolerance}`,
  );

export async function test(name, body) {
  const before = failed;
  try {
    await body();
  } catch (error) {
    check(false, error.stack);
  }
  console.log(`${failed === before ? "ok  " : "FAIL"} ${name}`);
}

export function finish() {
  console.log(failed ? `${failed} failed` : "all passed");
  process.exit(failed ? 1 : 0);
}
