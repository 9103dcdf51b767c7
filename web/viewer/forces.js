// forces.js - arrows of the forces and moments of joints, connectors and loads
//
// A force acts on the last marker of its item, at that marker. The longest arrow stands for what all
// but one in a hundred forces of the run stay below: a single impact does not make the others vanish.
import {
  Color,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from "three";
import { FORCE, POSE } from "./data.js";
import { arrowHead, arrowShaft } from "./shapes.js";

const LENGTH = 0.3; // of the longest arrow, in parts of the whole, at scale 1
const LENGTH_MAX = 3; // times that
const THICKNESS = 0.11; // in units of symbols
const THICKNESS_MIN = 0.0018; // in parts of the whole
const HEAD_MAX = 0.45; // of a short arrow
const COLOURS = {
  joint: { light: "#0b8457", dark: "#3ddc97" },
  connector: { light: "#b3178f", dark: "#ff79c6" },
  load: { light: "#d9480f", dark: "#ffa94d" },
  moment: { light: "#6741d9", dark: "#b197fc" },
};

function quantile(values, part) {
  const sorted = Float64Array.from(values.filter(Number.isFinite)).sort();
  return sorted.length ? sorted[Math.floor(part * (sorted.length - 1))] : 0;
}

// magnitude of three columns at all rows
function sizes(frames, first) {
  const [x, y, z] = frames.columns.slice(first, first + 3);
  return Array.from(x, (_, i) => Math.hypot(x[i], y[i], z[i]));
}

class Set3 {
  constructor(data, world, offset, moment) {
    const n = data.forces.length;
    this.data = data;
    this.first = data.forces.map((_, i) => POSE * (data.bodies.length - 1) + FORCE * i + offset);
    this.moment = moment;
    this.largest = quantile(this.first.flatMap((c) => sizes(data.frames, c)), 0.99) || 1;
    // seen through bodies: most forces act inside them
    this.material = new MeshStandardMaterial({ roughness: 0.5, depthTest: false, transparent: true });
    this.shaft = new InstancedMesh(arrowShaft(), this.material, Math.max(n, 1));
    this.head = new InstancedMesh(arrowHead(), this.material, Math.max(n, 1));
    for (const mesh of [this.shaft, this.head]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
      mesh.visible = false;
      mesh.count = n;
      world.add(mesh);
    }
  }
  setTheme(dark) {
    const theme = dark ? "dark" : "light";
    this.data.forces.forEach((force, i) => {
      const colour = new Color(COLOURS[this.moment ? "moment" : force.kind][theme]);
      this.shaft.setColorAt(i, colour);
      this.head.setColorAt(i, colour);
    });
    for (const mesh of [this.shaft, this.head]) {
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
  // all columns at t
  setTime(t, places, scale, shown) {
    const { size, unit, frames } = this.data;
    const thick = Math.max(THICKNESS * unit, THICKNESS_MIN * size);
    const z = new Vector3(0, 0, 1);
    const turn = new Quaternion();
    const matrix = new Matrix4();
    const force = new Vector3();
    this.first.forEach((column, i) => {
      force.set(...[0, 1, 2].map((k) => frames.value(column + k, t)));
      const norm = force.length();
      const part = Math.min((norm / this.largest) * scale, LENGTH_MAX);
      const length = Number.isFinite(part) && shown[this.data.forces[i].kind] ? LENGTH * size * part : 0;
      const width = length > 0 ? Math.min(thick, (length * HEAD_MAX) / 6) : 0;
      turn.setFromUnitVectors(z, length > 0 ? force.divideScalar(norm) : z);
      const tip = z.clone().multiplyScalar(length).applyQuaternion(turn).add(places[i]);
      matrix.compose(places[i], turn, new Vector3(width, width, Math.max(length - 5 * width, 0)));
      this.shaft.setMatrixAt(i, matrix);
      matrix.compose(tip, turn, new Vector3(width, width, width));
      this.head.setMatrixAt(i, matrix);
    });
    this.shaft.instanceMatrix.needsUpdate = this.head.instanceMatrix.needsUpdate = true;
  }
  show(on) {
    this.shaft.visible = this.head.visible = on && this.data.forces.length > 0;
  }
}

export class Arrows {
  constructor(data, world) {
    this.data = data;
    this.scale = 1;
    this.shown = { joint: true, connector: true, load: true };
    this.forces = new Set3(data, world, 0, false);
    this.moments = new Set3(data, world, 3, true);
  }
  setTheme(dark) {
    this.forces.setTheme(dark);
    this.moments.setTheme(dark);
  }
  show(forces, moments) {
    this.forces.show(forces);
    this.moments.show(moments);
  }
  // force and moment of one item
  values(i, t) {
    const first = this.forces.first[i];
    return [0, 1, 2, 3, 4, 5].map((k) => this.data.frames.value(first + k, t));
  }
  setTime(t, poses) {
    const places = this.data.forces.map(({ body, point }) => {
      const { p, q } = poses[body];
      const at = new Vector3(...point).applyQuaternion(new Quaternion(q[1], q[2], q[3], q[0]));
      return at.add(new Vector3(...p));
    });
    for (const set of [this.forces, this.moments]) {
      if (set.shaft.visible) set.setTime(t, places, this.scale, this.shown);
    }
  }
}
