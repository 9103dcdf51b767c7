// screenshots.mjs - pictures of the page for docs/viewer.md, made of the problems
//
//   node screenshots.mjs CARDAN SOURCE WORK      writes SOURCE/docs/images/viewer-*.png
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { file, launch, root, run } from "./rig.mjs";

const WIDE = { width: 1280, height: 760 };
const shots = [
  {
    name: "light", problem: "A03", options: { viewport: WIDE, colorScheme: "light" },
    act: () => {
      window.cardan.seek(0.0335);
      window.cardan.show("forces");
      window.cardan.select("K3");
    },
  },
  {
    name: "dark", problem: "puma560", options: { viewport: WIDE, colorScheme: "dark" },
    act: () => {
      window.cardan.seek(0.9);
      window.cardan.select("link6");
      document.getElementById("trail").click();
    },
  },
  {
    name: "phone", problem: "A03",
    options: { viewport: { width: 360, height: 720 }, colorScheme: "light" },
    act: () => {
      window.cardan.seek(0.02);
      document.getElementById("plots-toggle").click();
    },
  },
];

const browser = await launch();
for (const { name, problem, options, act } of shots) {
  run("run", join(root, "problems", problem, "model.json"), "-o", `${problem}.log`);
  run("export", "--html", `${problem}.log`, "-o", `${problem}.html`);
  const page = await browser.newPage(options);
  await page.goto(`${pathToFileURL(file(`${problem}.html`))}#t=0`);
  await page.waitForFunction(() => window.cardan?.ready);
  await page.evaluate(act);
  await page.waitForTimeout(500);
  const path = join(root, "docs", "images", `viewer-${name}.png`);
  await page.screenshot({ path });
  await page.close();
}
await browser.close();
