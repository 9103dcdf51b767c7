// build.mjs - makes viewer.html: script, style and licences in one file that needs no network
//
//   node build.mjs [OUT]     OUT is dist/viewer.html unless given
//
// The same sources and the same lockfile give the same bytes. cardan puts the data of a run where
// the mark DATA stands. The page may run this script only, by its hash, and may fetch nothing.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist", "viewer.html");
const text = (path) => readFile(join(here, path), "utf8");

async function bundle(entry) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome100", "firefox100", "safari15.4"],
    charset: "ascii",
    legalComments: "none", // the whole licences stand in the page
    logLevel: "error",
  });
  // a script ends where this stands, wherever it stands
  return result.outputFiles[0].text.trim().replaceAll("</script", "<\\/script");
}

const hash = (code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`;

const script = await bundle("viewer/main.js");
const style = await bundle("viewer/viewer.css");
const licences = ["three", "uplot"].map(async (name) => {
  const { version } = JSON.parse(await text(`node_modules/${name}/package.json`));
  return `${name} ${version}\n\n${await text(`node_modules/${name}/LICENSE`)}`;
});
const parts = {
  POLICY:
    `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; ` +
    "img-src data:; base-uri 'none'; form-action 'none'",
  STYLE: style,
  SCRIPT: script,
  LICENCES: (await Promise.all(licences)).join("\n\n").replaceAll("<", "&lt;"),
};
const page = (await text("viewer/viewer.html")).replace(/\{\{([A-Z]+)\}\}/g, (all, name) =>
  name in parts ? parts[name] : all,
);
await mkdir(dirname(out), { recursive: true });
await writeFile(out, page);
