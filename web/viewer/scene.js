// scene.js - the mechanism as three.js objects, set to any time of the run
//
// Everything of the model stands in `world`, which is turned so that up in the model is up on the
// screen; numbers inside it are those of the log.
import {
  Box3,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Line,
  BufferGeometry,
  BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  Scene,
  ShadowMaterial,
  Vector3,
} from "three";
import { newPose, pose, POSE } from "./data.js";
import { axesGeometry, floorMesh, partGeometry, spanShapes } from "./shapes.js";
import { Arrows } from "./forces.js";

const BODY_COLOURS = [
  "#4f86c6", "#e09f3e", "#5aa469", "#c8553d", "#8e7cc3", "#3a9ea5", "#d080a8", "#9c8356",
];
const COLOURS = {
  ground: { light: "#9aa3af", dark: "#6b7482" },
  joint: { light: "#5a6675", dark: "#c3ccd8" },
  connector: { light: "#75849a", dark: "#aab6c6" },
};
const SELECTED = "#ffb000";
const SPAN_RADIUS = 0.45; // of springs, in units of symbols
const AXES = { marker: 1.1, body: 2.2, ground: 4 };
const FLOOR_REACH = 2.2;
const BOX_FRAMES = 60; // moments that the room of the motion is found from

export const bodyColour = (body) => BODY_COLOURS[(body - 1) % BODY_COLOURS.length];

// 1, 2 or 5 times a power of ten, near x
function roundStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].find((m) => m * power >= x * 0.999);
}

const quaternion = (q) => new Quaternion(q[1], q[2], q[3], q[0]);

export class Mechanism {
  constructor(data) {
    this.data = data;
    this.scene = new Scene();
    this.world = new Group();
    this.scene.add(this.world);
    const up = new Vector3(...data.up).normalize();
    this.world.quaternion.setFromUnitVectors(up, new Vector3(0, 1, 0));
    // z up keeps x to the right
    if (up.z > 0.99) this.world.rotation.set(-Math.PI / 2, 0, 0);
    this.layers = { joint: [], connector: [], support: [], marker: [], frame: [], grid: [] };
    this.materials = new Map();
    this.pickable = [];
    this.poses = data.bodies.map(newPose);
    this.edgeMaterial = new LineBasicMaterial({ transparent: true, opacity: 0.35 });
    this.axesMaterial = new LineBasicMaterial({ vertexColors: true });
    this.axes = axesGeometry();
    this.addBodies();
    this.addParts();
    this.addSpans();
    this.addFrames();
    this.arrows = new Arrows(data, this.world);
    this.measure();
    this.addRoom();
    this.setTime(data.t0);
  }

  // ---- what is there

  addBodies() {
    this.bodies = this.data.bodies.map(() => {
      const group = new Group();
      this.world.add(group);
      return group;
    });
  }

  material(kind, body) {
    const key = kind === "body" ? `body ${body}` : kind;
    if (!this.materials.has(key)) {
      const material = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.1 });
      material.userData = { kind, body };
      this.materials.set(key, material);
    }
    return this.materials.get(key);
  }

  addParts() {
    for (const part of this.data.parts) {
      const holder = new Group();
      const { faces, edges } = partGeometry(part);
      const ground = part.kind === "support" || (part.kind === "body" && part.body === 0);
      const mesh = new Mesh(faces, this.material(ground ? "ground" : part.kind, part.body));
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.userData = { item: part, body: part.kind === "body" ? part.body : -1 };
      holder.add(mesh, new LineSegments(edges, this.edgeMaterial));
      this.bodies[part.body].add(holder);
      if (part.triangles !== "") this.pickable.push(mesh);
      if (part.kind in this.layers) this.layers[part.kind].push(holder);
    }
    for (const marker of this.data.markers) {
      const lines = this.triad(AXES.marker);
      const [a, b, c, d, e, f, g, h, i] = marker.R;
      const turn = new Matrix4().set(a, b, c, 0, d, e, f, 0, g, h, i, 0, 0, 0, 0, 1);
      lines.position.set(...marker.p);
      lines.quaternion.setFromRotationMatrix(turn);
      this.bodies[marker.body].add(lines);
      this.layers.marker.push(lines);
    }
  }

  triad(part) {
    const lines = new LineSegments(this.axes, this.axesMaterial);
    lines.scale.setScalar(part * this.data.unit);
    return lines;
  }

  addSpans() {
    const at = this.poses;
    this.data.bodies.forEach((_, i) => pose(this.data, i, this.data.t0, at[i]));
    this.spans = this.data.spans.map((span) => {
      const group = new Group();
      const radius = SPAN_RADIUS * this.data.unit;
      const [a, b] = this.ends(span);
      const length = Math.max(a.distanceTo(b), radius);
      const shape = spanShapes[span.style](length / radius);
      const made = { span, group, radius };
      for (const [key, geometry] of Object.entries(shape)) {
        const mesh = new Mesh(geometry, this.material(span.kind, 0));
        mesh.castShadow = true;
        mesh.userData = { item: span, body: -1 };
        mesh.scale.set(radius, radius, length);
        group.add(mesh);
        this.pickable.push(mesh);
        if (key === "stretched") made.stretched = mesh;
      }
      this.world.add(group);
      this.layers[span.kind].push(group);
      return made;
    });
  }

  ends(span) {
    return span.ends.map(({ body, point }) => {
      const { p, q } = this.poses[body];
      const v = new Vector3(...point).applyQuaternion(quaternion(q));
      return v.add(new Vector3(...p));
    });
  }

  addFrames() {
    this.bodies.forEach((group, body) => {
      const lines = this.triad(body === 0 ? AXES.ground : AXES.body);
      lines.visible = false;
      group.add(lines);
      this.layers.frame.push(lines);
    });
  }

  // ---- the room that the motion takes

  measure() {
    const { frames, t0, size } = this.data;
    const rows = frames.time.length;
    const stride = Math.max(1, Math.floor(rows / BOX_FRAMES));
    this.places = []; // points that a picture of the whole must hold
    for (let row = 0; row < rows; row += stride) {
      this.setTime(frames.time[row]);
      this.scene.updateMatrixWorld(true);
      for (const mesh of this.pickable) this.addCorners(mesh);
    }
    this.setTime(t0);
    this.box = new Box3().setFromPoints(this.places.length ? this.places : [new Vector3()]);
    // flat mechanisms have room, too
    const thin = this.box.getSize(new Vector3()).toArray();
    this.box.expandByVector(new Vector3(...thin.map((x) => (x < 0.02 * size ? 0.02 * size : 0))));
  }

  // numbers that are not numbers must not spoil it
  addCorners(mesh) {
    if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
    const { min, max } = mesh.geometry.boundingBox;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
      corner.applyMatrix4(mesh.matrixWorld);
      if (Number.isFinite(corner.length())) this.places.push(corner);
    }
  }

  addRoom() {
    const size = this.box.getSize(new Vector3()).length();
    const centre = this.box.getCenter(new Vector3());
    const floor = new Group();
    this.reach = FLOOR_REACH * size;
    this.cell = roundStep(size / 18);
    this.floor = floorMesh(this.cell, this.reach);
    this.shade = new Mesh(new PlaneGeometry(2 * this.reach, 2 * this.reach), new ShadowMaterial());
    this.shade.rotation.x = -Math.PI / 2;
    this.shade.position.y = -0.0005 * size;
    this.shade.receiveShadow = true;
    this.shade.material.depthWrite = false;
    // on a line of the grid, so that it tells coordinates
    const snap = (x) => Math.round(x / (5 * this.cell)) * 5 * this.cell;
    floor.position.set(snap(centre.x), this.box.min.y - 0.003 * size, snap(centre.z));
    floor.add(this.floor, this.shade);
    this.layers.grid.push(floor);
    this.scene.add(floor);
    this.addLights(centre, size);
  }

  addLights(centre, size) {
    this.sky = new HemisphereLight();
    const key = new DirectionalLight("#ffffff", 2.4);
    const fill = new DirectionalLight("#ffffff", 0.7);
    key.position.copy(centre).add(new Vector3(0.5, 1.3, 0.8).multiplyScalar(size));
    fill.position.copy(centre).add(new Vector3(-1, 0.4, -0.6).multiplyScalar(size));
    for (const light of [key, fill]) {
      light.target.position.copy(centre);
      this.scene.add(light, light.target);
    }
    key.castShadow = true;
    key.shadow.mapSize.set(2048, 2048);
    key.shadow.radius = 3;
    key.shadow.normalBias = 0.002 * size;
    key.shadow.bias = -0.0002;
    const half = 0.75 * size;
    Object.assign(key.shadow.camera, {
      left: -half, right: half, top: half, bottom: -half, near: 0.1 * size, far: 4 * size,
    });
    this.scene.add(this.sky);
  }

  // ---- how it looks

  setTheme(dark) {
    const theme = dark ? "dark" : "light";
    this.dark = dark;
    for (const material of this.materials.values()) {
      const { kind, body } = material.userData;
      material.color.set(kind === "body" ? bodyColour(body) : COLOURS[kind][theme]);
    }
    this.edgeMaterial.color.set(dark ? "#05070a" : "#10151c");
    this.floor.material.uniforms.ink.value.set(dark ? "#8fa1b8" : "#5b6b80");
    this.floor.material.uniforms.strength.value = dark ? 0.5 : 0.7;
    this.shade.material.opacity = dark ? 0.38 : 0.2;
    this.sky.color.set(dark ? "#c6d4ea" : "#ffffff");
    this.sky.groundColor.set(dark ? "#39424f" : "#b8bfc9");
    this.sky.intensity = dark ? 1.5 : 1.9;
    this.arrows.setTheme(dark);
    this.select(this.selected);
  }

  show(layer, on) {
    for (const object of this.layers[layer]) object.visible = on;
  }

  // a body, or -1
  select(body = -1) {
    this.selected = body;
    for (const material of this.materials.values()) {
      const on = material.userData.kind === "body" && material.userData.body === body;
      material.emissive = new Color(on ? SELECTED : "#000000");
      material.emissiveIntensity = on ? 0.24 : 0;
    }
  }

  // the path of a body's origin over the whole run; -1: none
  setTrail(body) {
    if (this.trail) {
      this.world.remove(this.trail);
      this.trail.geometry.dispose();
      this.trail = null;
    }
    if (body < 1) return;
    const { columns } = this.data.frames;
    const first = POSE * (body - 1);
    const n = columns[first].length;
    const points = new Float32Array(3 * n);
    for (let i = 0; i < 3 * n; i++) points[i] = columns[first + (i % 3)][Math.floor(i / 3)];
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(points, 3));
    const material = new LineBasicMaterial({ color: SELECTED, transparent: true, opacity: 0.8 });
    this.trail = new Line(geometry, material);
    this.trail.frustumCulled = false;
    this.world.add(this.trail);
  }

  // ---- where it is

  setTime(t) {
    this.time = t;
    this.bodies.forEach((group, body) => {
      const { p, q } = pose(this.data, body, t, this.poses[body]);
      group.position.set(...p);
      group.quaternion.set(q[1], q[2], q[3], q[0]);
    });
    const z = new Vector3(0, 0, 1);
    for (const { span, group, stretched, radius } of this.spans) {
      const [a, b] = this.ends(span);
      const length = Math.max(a.distanceTo(b), 1e-9 * this.data.size);
      group.position.copy(a);
      group.quaternion.setFromUnitVectors(z, b.sub(a).divideScalar(length));
      stretched.scale.set(radius, radius, length);
    }
    this.arrows.setTime(t, this.poses);
  }

  // the middle of what is drawn of a body, in coordinates of the scene
  middle(body) {
    const group = this.bodies[body];
    if (!this.middles) this.middles = new Map();
    if (!this.middles.has(body)) {
      const box = new Box3();
      group.updateWorldMatrix(true, true);
      const inverse = group.matrixWorld.clone().invert();
      for (const mesh of this.pickable.filter((m) => m.userData.body === body)) {
        const toBody = inverse.clone().multiply(mesh.matrixWorld);
        box.union(mesh.geometry.boundingBox.clone().applyMatrix4(toBody));
      }
      this.middles.set(body, box.isEmpty() ? new Vector3() : box.getCenter(new Vector3()));
    }
    group.updateWorldMatrix(true, false);
    return group.localToWorld(this.middles.get(body).clone());
  }

  place(body) {
    return this.world.localToWorld(new Vector3(...this.poses[body].p));
  }
}
