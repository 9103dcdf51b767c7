// viewer.mjs - the page in a browser: what it shows, what it says, how it is steered
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
  BALL, BAR, check, file, finish, launch, makeRun, near, run, same, table, test,
} from "./rig.mjs";

const SIZE = { width: 1000, height: 620 };
const PHONE = { width: 360, height: 740 };

const browser = await launch();
makeRun("run");
run("export", "--html", "run.log", "-o", "run.html");
run("export", "run.log", "--scene", "-o", "run.csv");
run("export", "--html", "--every", "2", "run.log", "-o", "half.html");
const rows = table("run.csv");
const blank = await browser.newPage(); // where pictures are looked at

// a page at a time, and everything that it complained about or asked for
async function open(name, options = {}, hash = "#t=0") {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: "light", ...options });
  page.noise = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && page.noise.push(m.text()));
  page.on("pageerror", (error) => page.noise.push(String(error)));
  page.on("request", (r) => /^(file|data):/.test(r.url()) || page.noise.push(`asks ${r.url()}`));
  page.on("dialog", (dialog) => page.noise.push(`dialog ${dialog.message()}`) && dialog.dismiss());
  await page.goto(pathToFileURL(file(name)) + hash);
  await page.waitForFunction(() => window.cardan?.ready);
  return page;
}

// drivers of software are slow: what they say about speed is no fault of the page
const quiet = (noise) => noise.filter((text) => !/GPU stall|GL Driver Message/.test(text));

async function close(page) {
  same(quiet(page.noise).join("\n"), "", "what the page complains about");
  await page.close();
}

const time = (page) => page.evaluate(() => window.cardan.time);
const position = (page, name) => page.evaluate((n) => window.cardan.position(n), name);
const seek = (page, t) => page.evaluate((x) => window.cardan.seek(x), t);
const settle = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// colours of a picture: how many, their mean, and one at a place
async function look(page, at = null) {
  await settle(page);
  const shot = (await page.screenshot({ type: "png" })).toString("base64");
  return blank.evaluate(
    async ([data, place]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data: bytes, width } = context.getImageData(0, 0, image.width, image.height);
      const colours = new Map();
      let sum = 0;
      for (let i = 0; i < bytes.length; i += 4) {
        const colour = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
        colours.set(colour, (colours.get(colour) ?? 0) + 1);
        sum += bytes[i] + bytes[i + 1] + bytes[i + 2];
      }
      const pixel = place && 4 * (Math.round(place.y) * width + Math.round(place.x));
      return {
        colours: colours.size,
        mean: sum / (0.75 * bytes.length),
        pixel: place && [...bytes.slice(pixel, pixel + 3)],
        sum,
      };
    },
    [shot, at],
  );
}

await test("positions and rotations are those of the log", async () => {
  const page = await open("run.html");
  const error = await page.evaluate(() => window.cardan.data.error.position);
  check(error < 2e-6, `positions are rounded to ${error} m`);
  for (const row of [rows[0], rows[67], rows[200]]) {
    await seek(page, row.t);
    for (const name of [BAR, BALL]) {
      const p = await position(page, name);
      const q = await page.evaluate((n) => window.cardan.orientation(n), name);
      ["x", "y", "z"].forEach((axis, i) => {
        near(p[i], row[`@${name}.${axis}`], error + 1e-12, `${name}.${axis} at ${row.t}`);
      });
      const dot = ["qw", "qx", "qy", "qz"].reduce((s, k, i) => s + q[i] * row[`@${name}.${k}`], 0);
      near(Math.abs(dot), 1, 1e-9, `rotation of ${name} at ${row.t}`);
    }
    for (const name of ["tip.x", "pull.force"]) {
      const x = await page.evaluate((n) => window.cardan.channel(n), name);
      const range = Math.max(...rows.map((r) => Math.abs(r[name])));
      near(x, row[name], 2e-5 * range, `${name} at ${row.t}`);
    }
  }
  await close(page);
});

// a page of every other row is asked for the rows between
await test("motion between frames is smooth", async () => {
  const page = await open("half.html");
  for (const row of [rows[51], rows[101], rows[149]]) {
    await seek(page, row.t);
    const p = await position(page, BALL);
    ["x", "y", "z"].forEach((axis, i) => near(p[i], row[`@${BALL}.${axis}`], 2e-3, `${axis} at ${row.t}`));
  }
  await close(page);
});

await test("there is something to see, in the light and in the dark", async () => {
  const seen = {};
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("run.html", { colorScheme }, "#t=0.3");
    const place = await page.evaluate((n) => window.cardan.pixel(n), BAR);
    seen[colorScheme] = await look(page, place);
    const [r, , b] = seen[colorScheme].pixel;
    check(seen[colorScheme].colours > 500, `${seen[colorScheme].colours} colours`);
    check(b > r + 30, `the bar is blue, not ${seen[colorScheme].pixel}`);
    same(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme, "theme");
    await close(page);
  }
  check(seen.light.mean > 180 && seen.dark.mean < 90, `means ${seen.light.mean}, ${seen.dark.mean}`);
});

await test("a click in a plot moves the scene, dragging too", async () => {
  const page = await open("run.html");
  const area = await page.locator(".u-over").first().boundingBox();
  const before = await position(page, BALL);
  await page.mouse.click(area.x + area.width / 4, area.y + area.height / 2);
  near(await time(page), 1, 0.03, "time after a click at a quarter");
  const after = await position(page, BALL);
  check(Math.hypot(...after.map((x, i) => x - before[i])) > 0.1, "the ball has moved");
  const row = rows[Math.round((await time(page)) / 0.02)];
  near(after[1], row[`@${BALL}.y`], 0.1, "the ball is where the log has it");
  await page.mouse.down();
  await page.mouse.move(area.x + area.width * 0.75, area.y + 5, { steps: 5 });
  await page.mouse.up();
  near(await time(page), 3, 0.03, "time after dragging to three quarters");
  await close(page);
});

await test("playing moves the cursor of the plots", async () => {
  const page = await open("run.html");
  const cursor = () => page.locator(".now").first().evaluate((e) => e.style.transform);
  const before = await cursor();
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.cardan.time > 0.2);
  check((await cursor()) !== before, "the cursor moves");
  await page.getByRole("button", { name: "Pause" }).click();
  const t = await time(page);
  await settle(page);
  same(await time(page), t, "time in a pause");
  await close(page);
});

await test("keys", async () => {
  const page = await open("run.html");
  const press = (key) => page.keyboard.press(key);
  await press("End");
  same(await time(page), 4, "time at the end");
  await press("Home");
  same(await time(page), 0, "time at the start");
  await press("ArrowRight");
  await press("ArrowRight");
  await press("ArrowLeft");
  near(await time(page), 0.02, 1e-9, "time after three steps");
  await press("Space");
  same(await page.evaluate(() => window.cardan.playing), true, "playing");
  await press("Space");
  same(await page.evaluate(() => window.cardan.playing), false, "playing");
  const gizmo = () => page.locator("#gizmo").innerHTML();
  await settle(page);
  const free = await gizmo();
  await press("1");
  await settle(page);
  check((await gizmo()) !== free, "1 changes the view");
  await press("t");
  same(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "theme");
  await press("?");
  same(await page.locator("#help").evaluate((e) => e.open), true, "help");
  await press("Escape");
  same(await page.locator("#help").evaluate((e) => e.open), false, "help");
  await close(page);
});

await test("a click names a body, as it is written in the model", async () => {
  const page = await open("run.html", {}, "#t=0.5");
  for (const name of [BAR, BALL]) {
    const at = await page.evaluate((n) => window.cardan.pixel(n), name);
    await page.mouse.click(at.x, at.y);
    same(await page.evaluate(() => window.cardan.selected), name, "selected");
    same(await page.locator("#card-name").textContent(), name, "the name in the card");
    same(await page.locator("#card-class").textContent(), "RigidBody", "the class in the card");
    same(await page.locator("#labels span").textContent(), name, "the name in the scene");
  }
  same(await page.locator("#card img, #labels img, #card b").count(), 0, "tags made of names");
  await page.getByRole("button", { name: "Follow" }).click();
  const before = await page.evaluate((n) => window.cardan.pixel(n), BALL);
  await seek(page, 1.5);
  await settle(page);
  const after = await page.evaluate((n) => window.cardan.pixel(n), BALL);
  near(Math.hypot(before.x - after.x, before.y - after.y), 0, 5, "way of a followed body, px");
  await page.keyboard.press("Escape");
  same(await page.evaluate(() => window.cardan.selected), null, "selected");
  await close(page);
});

await test("forces and channels are chosen", async () => {
  const page = await open("run.html", {}, "#t=0.5");
  const before = await look(page);
  await page.keyboard.press("v");
  const forces = await look(page);
  check(forces.sum !== before.sum, "arrows appear");
  await page.getByRole("button", { name: "What is shown" }).click();
  await page.getByLabel("Length of force arrows").fill("0.6");
  await page.keyboard.press("Escape");
  check((await look(page)).sum !== forces.sum, "arrows grow");
  await page.getByRole("button", { name: "Channels" }).click();
  await page.getByLabel("Filter channels").fill("tip.*");
  const shown = page.locator("#channels label:visible");
  same(await shown.count(), 3, "channels that the filter finds");
  await page.evaluate(() => window.cardan.choose(["tip.x", "tip.y", "pull.force"]));
  same(await page.locator("figure").count(), 2, "plots, one per unit");
  await close(page);
});

await test("a phone", async () => {
  const page = await open("run.html", { viewport: PHONE, hasTouch: true, isMobile: true }, "#t=0.5");
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  same(await wide(), PHONE.width, "width");
  const at = await page.evaluate((n) => window.cardan.pixel(n), BAR);
  await page.touchscreen.tap(at.x, at.y);
  same(await page.evaluate(() => window.cardan.selected), BAR, "selected by a tap");
  await page.getByRole("button", { name: "Plots" }).tap();
  const area = await page.locator(".u-over").first().boundingBox();
  await page.touchscreen.tap(area.x + area.width / 2, area.y + 20);
  near(await time(page), 2, 0.1, "time after a tap in a plot");
  same(await wide(), PHONE.width, "width with plots");
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("#tools button, #bar button")]
      .map((b) => b.getBoundingClientRect())
      .filter((box) => box.width > 0 && Math.min(box.width, box.height) < 34).length,
  );
  same(small, 0, "buttons too small for a finger");
  await close(page);
});

await test("nothing comes from elsewhere, and nothing else runs", async () => {
  const page = await open("run.html");
  const tried = await page.evaluate(async () => {
    const add = document.createElement("script");
    add.textContent = "window.intruder = true";
    document.head.append(add);
    const got = await fetch("https://example.com").then(() => "open", () => "closed");
    return [got, window.intruder];
  });
  same(tried[0], "closed", "network");
  same(tried[1], undefined, "a script of somebody else");
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select")].filter(
      (e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length),
    ).length,
  );
  same(unnamed, 0, "controls without a name");
  await page.close();
});

await test("it is small", async () => {
  const { size } = statSync(file("run.html"));
  check(size < 1e6, `${size} bytes`);
});

await browser.close();
finish();
