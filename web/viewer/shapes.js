// shapes.js - geometries: meshes of the model, springs and dampers, arrows, axes, the floor
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Curve,
  CylinderGeometry,
  DoubleSide,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  TubeGeometry,
  Vector3,
} from "three";
import { mergeGeometries, toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import { bytes } from "./data.js";

const CREASE = 0.6; // rad: faces that meet at less are drawn as one smooth surface

// triangles of a part, and the edges that a draughtsman draws
export function partGeometry(part) {
  const geometry = new BufferGeometry();
  const edges = new BufferGeometry();
  const Numbers = part.wide ? Uint32Array : Uint16Array;
  const index = (text) => new BufferAttribute(new Numbers(bytes(text).buffer), 1);
  const points = new BufferAttribute(new Float32Array(bytes(part.points).buffer), 3);
  for (const g of [geometry, edges]) g.setAttribute("position", points);
  geometry.setIndex(index(part.triangles));
  edges.setIndex(index(part.edges));
  const faces = part.triangles === "" ? geometry : toCreasedNormals(geometry, CREASE);
  faces.computeBoundingBox();
  return { faces, edges };
}

// along z from 0 to 1, radius 1
function rod(radius, from, to, sides = 16) {
  const geometry = new CylinderGeometry(radius, radius, to - from, sides);
  return geometry.rotateX(Math.PI / 2).translate(0, 0, (from + to) / 2);
}

// wound about z over `length` radii
class Coil extends Curve {
  constructor(turns, length) {
    super();
    Object.assign(this, { turns, length });
  }
  getPoint(s, target = new Vector3()) {
    const angle = 2 * Math.PI * this.turns * s;
    const z = (COIL.stem + s * (1 - 2 * COIL.stem)) * this.length;
    // the first and the last turn lead to the axis
    const r = Math.min(1, 2 * this.turns * s, 2 * this.turns * (1 - s));
    return target.set(r * Math.cos(angle), r * Math.sin(angle), z);
  }
}

const COIL = { turns: [4, 12], pitch: 2.4, wire: 0.17, stem: 0.12 };

// the wire stays round at the length of the start
function spring(aspect) {
  const fit = Math.floor(((1 - 2 * COIL.stem) * aspect) / COIL.pitch);
  const turns = Math.min(Math.max(fit, COIL.turns[0]), COIL.turns[1]);
  const wire = new TubeGeometry(new Coil(turns, aspect), 24 * turns, COIL.wire, 7);
  return mergeGeometries([
    wire.scale(1, 1, 1 / aspect),
    rod(COIL.wire, 0, COIL.stem),
    rod(COIL.wire, 1 - COIL.stem, 1),
  ]);
}

// what a span consists of, by its style and its length in radii: geometry of length 1 that is
// stretched to the distance of its ends, and geometry of fixed length at its first end, in parts of
// the distance at the start
export const spanShapes = {
  line: () => ({ stretched: rod(0.35, 0, 1) }),
  spring: (aspect) => ({ stretched: spring(aspect) }),
  spring_damper: (aspect) => ({
    stretched: mergeGeometries([spring(aspect), rod(0.3, 0.5, 1)]),
    fixed: rod(0.6, COIL.stem, 0.55),
  }),
  actuator: () => ({ stretched: rod(0.35, 0, 1), fixed: rod(0.8, 0, 0.6) }),
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
