// bundle.mjs - the committed page is what its sources and the lockfile make, byte for byte
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, file, finish, need, root, test } from "./rig.mjs";

need("esbuild");
await test("web/dist/viewer.html is up to date", async () => {
  execFileSync(process.execPath, [join(root, "web", "build.mjs"), file("viewer.html")]);
  const made = readFileSync(file("viewer.html"));
  const kept = readFileSync(join(root, "web", "dist", "viewer.html"));
  check(made.equals(kept), "it differs from what is built; run ./do web and commit it");
  check(kept.length < 1e6, `${kept.length} bytes are too many`);
});
finish();
