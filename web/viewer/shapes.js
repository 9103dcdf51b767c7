// shapes.js - geometries: meshes of the model, springs and dampers, arrows, axes, the floor
import {
  BufferAttribute,
  BufferGeometry,
  CatmullRomCurve3,
  Color,
  CylinderGeometry,
  DoubleSide,
  EdgesGeometry,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  TubeGeometry,
  Vector3,
} from "three";
import { mergeGeometries, toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import { bytes } from "./data.js";

const CREASE = 0.6; // rad: faces that meet at less are drawn as one smooth surface
const EDGE_DEGREES = 30;

// triangles of the data, with the edges that are worth a line
export function meshGeometry(json) {
  const geometry = new BufferGeometry();
  const points = new Float32Array(bytes(json.points).buffer);
  const triangles = new Uint32Array(bytes(json.triangles).buffer);
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  const edges = new EdgesGeometry(geometry, EDGE_DEGREES);
  return { faces: toCreasedNormals(geometry, CREASE), edges };
}

// along z from 0 to 1, radius 1
function rod(radius, from, to, sides = 16) {
  const geometry = new CylinderGeometry(radius, radius, to - from, sides);
  return geometry.rotateX(Math.PI / 2).translate(0, 0, (from + to) / 2);
}

class Coil extends CatmullRomCurve3 {
  constructor(turns, margin) {
    super([]);
    Object.assign(this, { turns, margin });
  }
  getPoint(s, target = new Vector3()) {
    const angle = 2 * Math.PI * this.turns * s;
    const z = this.margin + s * (1 - 2 * this.margin);
    return target.set(Math.cos(angle), Math.sin(angle), z);
  }
}

const COIL = { turns: 8, margin: 0.12, wire: 0.17, stem: 0.14 };

// what a span consists of: geometry of length 1 that is stretched to the distance of its ends, and
// geometry of fixed length at its first end, in parts of the distance at the start
export const spanShapes = {
  straight: () => ({ stretched: rod(0.35, 0, 1) }),
  spring: () => ({
    stretched: mergeGeometries([
      new TubeGeometry(new Coil(COIL.turns, COIL.margin), 20 * COIL.turns, COIL.wire, 6),
      rod(COIL.stem, 0, COIL.margin),
      rod(COIL.stem, 1 - COIL.margin, 1),
    ]),
  }),
  damper: () => ({ stretched: rod(0.28, 0, 1), fixed: rod(0.75, 0.08, 0.55) }),
  spring_damper: () => ({
    ...spanShapes.spring(),
    fixed: rod(0.55, COIL.margin, 0.45),
  }),
  actuator: () => ({ stretched: rod(0.35, 0, 1), fixed: rod(0.9, 0, 0.6) }),
};

// arrow of length 1 along z: its shaft is stretched, its head is not
export const arrowShaft = () => rod(1, 0, 1, 10);
export const arrowHead = () => {
  const geometry = new CylinderGeometry(0, 2.6, 6, 16);
  return geometry.rotateX(Math.PI / 2).translate(0, 0, -3);
};

// three lines of length 1 from the origin, red, green, blue
export function axesGeometry() {
  const geometry = new BufferGeometry();
  const ends = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1];
  const colours = AXIS_COLOURS.flatMap((c) => {
    const { r, g, b } = new Color(c);
    return [r, g, b, r, g, b];
  });
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(ends), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 3));
  return geometry;
}
export const AXIS_COLOURS = ["#e5484d", "#46a758", "#3e82f7"];

// lines every `cell` and stronger ones every five, fading out with the distance from the middle
export function floorMesh(cell, reach) {
  const material = new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    uniforms: {
      cell: { value: cell },
      reach: { value: reach },
      ink: { value: new Color("#888") },
      strength: { value: 1 },
    },
    vertexShader: `
      varying vec2 at;
      void main() {
        at = position.xz;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      varying vec2 at;
      uniform float cell, reach, strength;
      uniform vec3 ink;
      float lines(float step) {
        vec2 x = at / step, w = fwidth(x);
        vec2 d = abs(fract(x - 0.5) - 0.5) / max(w, 1e-6);
        vec2 line = (1.0 - min(d, 1.0)) * clamp(0.6 - w, 0.0, 1.0);
        return max(line.x, line.y);
      }
      void main() {
        float fade = 1.0 - smoothstep(0.25 * reach, reach, length(at));
        float a = max(0.35 * lines(cell), 0.9 * lines(5.0 * cell)) * fade * strength;
        if (a < 0.004) discard;
        gl_FragColor = vec4(ink, a);
        #include <colorspace_fragment>
      }`,
  });
  const geometry = new PlaneGeometry(2 * reach, 2 * reach).rotateX(-Math.PI / 2);
  return new Mesh(geometry, material);
}
