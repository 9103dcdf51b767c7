// view.js - the eye: renderer, camera, views, what is under the pointer, names over bodies
import {
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Spherical,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { AXIS_COLOURS } from "./shapes.js";

const FOV = 32;
const FILL = 0.82; // of the picture
const PIXELS_MAX = 2; // per CSS pixel: more is not seen but costs
const CLICK = 5; // a pointer that moves less has clicked, px
const NAMES_MAX = 60;
// where from: azimuth about up, elevation
const VIEWS = {
  free: [0.62, 0.42],
  front: [0, 0],
  side: [Math.PI / 2, 0],
  top: [0, Math.PI / 2 - 1e-4],
};

export class View {
  constructor(canvas, mechanism) {
    this.canvas = canvas;
    this.mechanism = mechanism;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, PIXELS_MAX));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.camera = new PerspectiveCamera(FOV, 1, 0.1, 1000);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.changed());
    this.followed = -1;
    this.dirty = true;
    this.onPick = () => {};
    this.listen();
    this.look("free");
  }

  changed() {
    this.dirty = true;
    this.wake?.();
  }

  // ---- camera

  // the whole motion fills the picture, seen from where the camera is
  fit() {
    const { box, places } = this.mechanism;
    const size = box.getSize(new Vector3()).length();
    const vertical = Math.tan((FOV * Math.PI) / 360) * FILL;
    const slopes = [vertical * this.camera.aspect, vertical];
    const turn = this.camera.quaternion.clone().invert();
    const points = (places.length ? places : [box.min, box.max]).map((p) =>
      p.clone().sub(box.min).applyQuaternion(turn),
    );
    // planes through the outermost points along the edges of the picture meet where the camera is
    const at = new Vector3();
    const depths = [0, 1].map((k) => {
      const most = Math.max(...points.map((p) => p.getComponent(k) + slopes[k] * p.z));
      const least = Math.min(...points.map((p) => p.getComponent(k) - slopes[k] * p.z));
      at.setComponent(k, (most + least) / 2);
      return (most - least) / (2 * slopes[k]);
    });
    at.z = Math.max(...depths, Math.max(...points.map((p) => p.z)) + 0.05 * size);
    const middle = (Math.max(...points.map((p) => p.z)) + Math.min(...points.map((p) => p.z))) / 2;
    const distance = at.z - middle;
    at.applyQuaternion(this.camera.quaternion).add(box.min);
    const ahead = new Vector3(0, 0, -distance).applyQuaternion(this.camera.quaternion);
    this.camera.position.copy(at);
    this.controls.target.copy(at).add(ahead);
    this.camera.near = distance / 200;
    this.camera.far = distance + 12 * size;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.01 * size;
    this.controls.maxDistance = 8 * size + distance;
    this.changed();
  }

  look(name) {
    const [azimuth, elevation] = VIEWS[name];
    const away = new Vector3().setFromSpherical(new Spherical(1, Math.PI / 2 - elevation, azimuth));
    this.camera.position.copy(this.controls.target).add(away);
    this.camera.lookAt(this.controls.target);
    this.camera.updateMatrixWorld();
    this.fit();
    this.controls.update();
  }

  follow(body) {
    this.followed = body;
    if (body >= 0) this.last = this.mechanism.place(body);
  }

  // move with the followed body
  moved() {
    if (this.followed >= 0) {
      const now = this.mechanism.place(this.followed);
      const step = now.clone().sub(this.last);
      if (Number.isFinite(step.length())) {
        this.camera.position.add(step);
        this.controls.target.add(step);
        this.last = now;
      }
    }
    this.changed();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    if (clientWidth === 0 || clientHeight === 0) return;
    const before = this.camera.aspect;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    if (Math.abs(before / this.camera.aspect - 1) > 0.2) this.fit();
    this.render();
  }

  // ---- pointer

  listen() {
    let down = null;
    this.canvas.addEventListener("pointerdown", (e) => {
      down = e.isPrimary ? [e.clientX, e.clientY] : null;
    });
    this.canvas.addEventListener("pointerup", (e) => {
      if (!down || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > CLICK) return;
      this.onPick(this.pick(e.clientX, e.clientY));
    });
    this.canvas.addEventListener("pointermove", (e) => {
      if (e.buttons === 0 && e.pointerType === "mouse") {
        this.canvas.classList.toggle("over", this.pick(e.clientX, e.clientY) !== null);
      }
    });
  }

  // what was hit: {item, body}; null: nothing
  pick(x, y) {
    const area = this.canvas.getBoundingClientRect();
    const at = new Vector2(
      (2 * (x - area.left)) / area.width - 1,
      1 - (2 * (y - area.top)) / area.height,
    );
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const seen = this.mechanism.pickable.filter((mesh) => mesh.parent.visible);
    const hits = ray.intersectObjects(seen, false);
    return hits.length ? hits[0].object.userData : null;
  }

  // pixel of a point of the scene, from the corner of the stage
  pixel(point) {
    const p = point.clone().project(this.camera);
    const { clientWidth, clientHeight } = this.canvas;
    return { x: ((p.x + 1) / 2) * clientWidth, y: ((1 - p.y) / 2) * clientHeight, in: p.z < 1 };
  }

  // ---- pictures

  // names over bodies: all of them, or that of one
  setNames(holder, bodies) {
    holder.replaceChildren();
    this.names = bodies.slice(0, NAMES_MAX).map((body) => {
      const label = document.createElement("span");
      label.textContent = this.mechanism.data.bodies[body].name;
      holder.append(label);
      return { body, label };
    });
    this.changed();
  }

  placeNames() {
    for (const { body, label } of this.names ?? []) {
      const { x, y, in: ahead } = this.pixel(this.mechanism.middle(body));
      label.hidden = !ahead || !Number.isFinite(x + y);
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }

  setGizmo(svg) {
    const make = (name, parent, attributes) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      parent.append(node);
      return node;
    };
    this.gizmo = ["x", "y", "z"].map((axis, i) => {
      const group = make("g", svg, {});
      const line = make("line", group, { stroke: AXIS_COLOURS[i], "stroke-width": 2.5 });
      const dot = make("circle", group, { r: 8, fill: AXIS_COLOURS[i] });
      const text = make("text", group, { "text-anchor": "middle", dy: 3.5 });
      text.textContent = axis;
      return { group, line, dot, text, svg };
    });
  }

  placeGizmo() {
    if (!this.gizmo) return;
    const turn = this.camera.quaternion.clone().invert().multiply(this.mechanism.world.quaternion);
    const ends = [0, 1, 2].map((i) => {
      const v = new Vector3().setComponent(i, 27).applyQuaternion(turn);
      const { group, line, dot, text } = this.gizmo[i];
      const [x, y] = [v.x.toFixed(1), (-v.y).toFixed(1)];
      line.setAttribute("x2", x);
      line.setAttribute("y2", y);
      dot.setAttribute("cx", x);
      dot.setAttribute("cy", y);
      text.setAttribute("x", x);
      text.setAttribute("y", y);
      return { group, depth: v.z };
    });
    ends.sort((a, b) => a.depth - b.depth);
    ends.forEach(({ group }) => this.gizmo[0].svg.append(group));
  }

  render() {
    this.controls.update();
    this.dirty = false;
    this.renderer.render(this.mechanism.scene, this.camera);
    this.placeNames();
    this.placeGizmo();
  }
}
