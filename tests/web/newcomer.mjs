// newcomer.mjs - the first half hour with Cardan, as the README tells it
//
//   node newcomer.mjs CARDAN SOURCE WORK
//
// ./do demo; the page that it names, in a browser; an example, copied, with a mistake in it; what
// the program says; the mistake mended; the result. SOURCE is a clone, CARDAN the program that the
// demo builds there.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, file, finish, launch, root, same, test } from "./rig.mjs";

const program = join(root, "build", "release", "cli", "cardan");
const cardan = (...args) => spawnSync(program, args, { cwd: file("."), encoding: "utf8" });
let page;
for (const name of ["mine.log", "mine.svg", "mine.html"]) rmSync(file(name), { force: true });

await test("the demo names a page", async () => {
  const said = execFileSync(join(root, "do"), ["demo"], {
    cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"],
  });
  page = said.match(/file:\/\/\S+?\.html/)?.[0];
  check(page && existsSync(new URL(page)), `the demo names ${page}`);
  for (const code of ["A03", "A04", "puma560"]) {
    check(new RegExp(`^${code} .* passed$`, "m").test(said), `${code} is compared with its reference`);
  }
});

await test("the page plays", async () => {
  const browser = await launch();
  const tab = await browser.newPage();
  const noise = [];
  tab.on("pageerror", (error) => noise.push(String(error)));
  await tab.goto(page);
  await tab.waitForFunction(() => window.cardan?.ready);
  const places = [];
  for (const t of [0, 1, 2]) {
    await tab.evaluate((x) => window.cardan.seek(x), t);
    places.push(await tab.evaluate(() => JSON.stringify(window.cardan.bodies.map(window.cardan.position))));
  }
  same(new Set(places).size, places.length, "different places of the bodies");
  same(noise.join("\n"), "", "what the page complains about");
  await browser.close();
});

const example = readFileSync(join(root, "examples", "mechanisms", "pendulum.json"), "utf8");

await test("a wrong key is explained", async () => {
  writeFileSync(file("mine.json"), example.replace('"shape"', '"shap"'));
  const { status, stderr } = cardan("run", "mine.json");
  same(status, 3, "exit code");
  check(/^mine\.json:\d+:\d+: .*did you mean 'shape'\?/m.test(stderr), `it says: ${stderr}`);
  check(!existsSync(file("mine.log")), "there is no result");
});

await test("the mended model runs", async () => {
  writeFileSync(file("mine.json"), example);
  same(cardan("run", "mine.json").status, 0, "exit code of run");
  same(cardan("plot", "mine.log", "-o", "mine.svg").status, 0, "exit code of plot");
  same(cardan("export", "mine.log", "-o", "mine.html").status, 0, "exit code of export");
  for (const name of ["mine.log", "mine.svg", "mine.html"]) {
    check(existsSync(file(name)), `there is no ${name}`);
  }
});

finish();
