// gltf.mjs - glTF files pass the validator of Khronos and say where bodies are
import { readFileSync } from "node:fs";
import { BALL, BAR, check, file, finish, makeRun, near, need, run, same, table, test } from "./rig.mjs";

const { validateBytes } = need("gltf-validator");
makeRun("gltf");
run("export", "--gltf", "gltf.log", "-o", "run.gltf");
run("export", "--gltf", "gltf.log", "-o", "run.glb");
run("export", "gltf.log", "--scene", "-o", "gltf.csv");
const bytes = (name) => new Uint8Array(readFileSync(file(name)));

for (const name of ["run.gltf", "run.glb"]) {
  await test(`${name} is valid`, async () => {
    const { issues, info } = await validateBytes(bytes(name));
    same(issues.numErrors, 0, "errors");
    same(issues.numWarnings, 0, "warnings");
    for (const { code } of issues.messages) same(code, "UNUSED_OBJECT", "remark");
    same(info.animationCount, 1, "animations");
    check(info.totalTriangleCount > 100, `${info.totalTriangleCount} triangles`);
  });
}

// numbers of an accessor
function numbers(gltf, buffer, index) {
  const width = { SCALAR: 1, VEC3: 3, VEC4: 4 };
  const { bufferView, count, type } = gltf.accessors[index];
  const { byteOffset } = gltf.bufferViews[bufferView];
  const flat = new Float32Array(buffer, byteOffset, count * width[type]);
  return Array.from({ length: count }, (_, i) => flat.slice(i * width[type], (i + 1) * width[type]));
}

await test("bodies are where the log has them", async () => {
  const gltf = JSON.parse(readFileSync(file("run.gltf"), "utf8"));
  const data = Buffer.from(gltf.buffers[0].uri.split(",")[1], "base64");
  const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
  const rows = table("gltf.csv");
  const { channels, samplers } = gltf.animations[0];
  for (const name of [BAR, BALL]) {
    const node = gltf.nodes.findIndex((n) => n.name === name && n.translation);
    const at = channels.find((c) => c.target.node === node && c.target.path === "translation");
    const { input, output } = samplers[at.sampler];
    const times = numbers(gltf, buffer, input);
    const places = numbers(gltf, buffer, output);
    same(times.length, rows.length, "frames");
    for (const i of [0, 77, 200]) {
      near(times[i][0], rows[i].t, 1e-6, "time");
      ["x", "y", "z"].forEach((axis, k) =>
        near(places[i][k], rows[i][`@${name}.${axis}`], 1e-6, `${name}.${axis}`),
      );
    }
  }
  same(gltf.nodes.filter((n) => n.name === "spring").length >= 1, true, "the spring has a node");
});

finish();
