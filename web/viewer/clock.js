// clock.js - the time that is shown, and how it goes on
export class Clock {
  constructor(t0, t1) {
    Object.assign(this, { t0, t1, time: t0, speed: 1, loop: true, playing: false });
    this.listeners = [];
  }
  listen(f) {
    this.listeners.push(f);
  }
  tell() {
    for (const f of this.listeners) f(this);
  }
  seek(t) {
    this.time = Math.min(Math.max(Number.isFinite(t) ? t : this.t0, this.t0), this.t1);
    this.tell();
  }
  play(on) {
    if (on && this.time >= this.t1) this.time = this.t0;
    this.playing = on && this.t1 > this.t0;
    this.last = null;
    this.tell();
  }
  // a picture at `now`, in ms
  tick(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : Math.min(now - this.last, 250) / 1000;
    this.last = now;
    const t = this.time + passed * this.speed;
    if (t <= this.t1) {
      this.seek(t);
    } else if (this.loop) {
      this.seek(this.t0 + ((t - this.t0) % (this.t1 - this.t0)));
    } else {
      this.playing = false;
      this.seek(this.t1);
    }
  }
}
