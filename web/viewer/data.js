// data.js - what the page was given: names, shapes, and columns of numbers, unpacked
//
// Numbers are whole multiples of a step: x = lo + n step, n = -1: not a number. They are packed column
// by column in blocks of 128, most significant bit first:
//   2 bits   order of the prediction: 0, n1, 2 n1 - n2, 3 n1 - 3 n2 + n3 of the numbers before
//   5 bits   k; 31: every prediction is right, and nothing follows
//   a code per number: r = n - prediction, u = 2 r or -2 r - 1; u >> k ones, a zero, k bits of u;
//            twenty ones are followed by 32 bits of u instead
// docs/viewer.md has the whole format.

const BLOCK = 128;
const ONES_MAX = 20;
const EXACT = 31;

export function bytes(base64) {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

const doubles = (base64) => new Float64Array(bytes(base64).buffer);

class Bits {
  constructor(data) {
    this.data = data;
    this.at = 0;
  }
  bit() {
    const bit = (this.data[this.at >> 3] >> (7 - (this.at & 7))) & 1;
    this.at++;
    return bit;
  }
  take(n) {
    let x = 0;
    for (let i = 0; i < n; i++) x = x * 2 + this.bit();
    return x;
  }
  // a number in Rice's code
  number(k) {
    let ones = 0;
    while (ones < ONES_MAX && this.bit()) ones++;
    const u = ones === ONES_MAX ? this.take(32) : ones * 2 ** k + this.take(k);
    return u % 2 ? -(u + 1) / 2 : u / 2;
  }
}

function unpack(bits, rows, lo, step) {
  const out = new Float64Array(rows);
  let a = 0;
  let b = 0;
  let c = 0;
  for (let first = 0; first < rows; first += BLOCK) {
    const order = bits.take(2);
    const k = bits.take(5);
    for (let i = first; i < Math.min(first + BLOCK, rows); i++) {
      const guess = order === 0 ? 0 : order === 1 ? a : order === 2 ? 2 * a - b : 3 * (a - b) + c;
      const n = guess + (k === EXACT ? 0 : bits.number(k));
      out[i] = n === -1 ? NaN : lo + n * step;
      c = b;
      b = a;
      a = n;
    }
  }
  return out;
}

// a table: times, and columns over them
export class Table {
  constructor(json) {
    const bits = new Bits(bytes(json.data));
    this.time = doubles(json.time);
    this.columns = json.lo.map((lo, i) => unpack(bits, this.time.length, lo, json.step[i]));
  }
  // the last row not after t
  row(t) {
    const time = this.time;
    let [a, b] = [0, time.length - 1];
    while (a < b) {
      const middle = (a + b + 1) >> 1;
      if (time[middle] <= t) a = middle;
      else b = middle - 1;
    }
    return a;
  }
  // on the straight line between rows
  value(column, t) {
    const i = this.row(t);
    const x = this.columns[column];
    if (i + 1 >= x.length || t <= this.time[i]) return x[i];
    const s = (t - this.time[i]) / (this.time[i + 1] - this.time[i]);
    return x[i] + s * (x[i + 1] - x[i]);
  }
}

// slope of a column at row i: that of the parabola through the rows beside it
function slope(time, x, i) {
  if (i <= 0 || i >= x.length - 1) {
    const j = i <= 0 ? 0 : x.length - 2;
    return x.length < 2 ? 0 : (x[j + 1] - x[j]) / (time[j + 1] - time[j]);
  }
  const [h, k] = [time[i] - time[i - 1], time[i + 1] - time[i]];
  return ((x[i] - x[i - 1]) * (k / h) + (x[i + 1] - x[i]) * (h / k)) / (h + k);
}

// cubic between rows with these slopes: value and rate at t
export function smooth(table, column, t, out) {
  const { time } = table;
  const x = table.columns[column];
  const i = Math.min(table.row(t), Math.max(x.length - 2, 0));
  if (x.length < 2 || !(time[i + 1] > time[i])) {
    out[0] = x[i];
    out[1] = 0;
    return;
  }
  const h = time[i + 1] - time[i];
  const s = Math.min(Math.max((t - time[i]) / h, 0), 1);
  const [m0, m1] = [h * slope(time, x, i), h * slope(time, x, i + 1)];
  const d = x[i + 1] - x[i];
  const [p, q] = [3 * d - 2 * m0 - m1, m0 + m1 - 2 * d];
  out[0] = x[i] + s * (m0 + s * (p + s * q));
  out[1] = (m0 + s * (2 * p + 3 * s * q)) / h;
}

export const POSE = 7;
export const FORCE = 6;

export function readData(text) {
  const data = JSON.parse(text);
  data.frames = new Table(data.motion);
  data.series = new Table(data.plots);
  // channels that are numbers of the scene are known from its frames
  data.channels.forEach(({ twin }, i) => {
    if (twin === undefined) return;
    const { time, columns } = data.series;
    time.forEach((t, k) => (columns[i][k] = data.frames.value(twin, t)));
  });
  data.t0 = data.frames.time[0];
  data.t1 = data.frames.time[data.frames.time.length - 1];
  return data;
}

// position, quat_wxyz, velocity and angular speed of a body at t; body 0 is the ground
export function pose(data, body, t, out) {
  const number = [0, 0];
  if (body === 0) {
    out.p.fill(0);
    out.v.fill(0);
    out.q.splice(0, 4, 1, 0, 0, 0);
    out.turning = 0;
    return out;
  }
  const first = POSE * (body - 1);
  for (let i = 0; i < 3; i++) {
    smooth(data.frames, first + i, t, number);
    [out.p[i], out.v[i]] = number;
  }
  let turning = 0;
  for (let i = 0; i < 4; i++) {
    smooth(data.frames, first + 3 + i, t, number);
    out.q[i] = number[0];
    turning += number[1] ** 2;
  }
  out.turning = 2 * Math.sqrt(turning);
  const norm = Math.hypot(...out.q) || 1;
  for (let i = 0; i < 4; i++) out.q[i] /= norm;
  return out;
}

export const newPose = () => ({ p: [0, 0, 0], q: [1, 0, 0, 0], v: [0, 0, 0], turning: 0 });
