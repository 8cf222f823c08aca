// The clock of the page: plays, stops, goes to a time, and tells everybody who listens.
import { indexBefore } from "./plots/numbers.js";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export class Player extends EventTarget {
  #times;

  /** @param {Float64Array} times of the frames, ascending */
  constructor(times) {
    super();
    this.playing = false;
    this.loop = true;
    this.speed = 1;
    this.#times = times;
    this.time = times[0] ?? 0;
  }

  get start() {
    return this.#times[0] ?? 0;
  }

  get end() {
    return this.#times[this.#times.length - 1] ?? 0;
  }

  get frame() {
    return indexBefore(this.#times, this.time);
  }

  /** Another motion: the time stays where it still exists. */
  setTimes(times) {
    this.#times = times;
    this.dispatchEvent(new Event("range"));
    this.seek(this.time);
  }

  play() {
    if (this.playing || this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.dispatchEvent(new Event("state"));
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.dispatchEvent(new Event("state"));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  seek(time) {
    const wanted = Number.isFinite(time) ? time : this.start;
    this.time = Math.min(this.end, Math.max(this.start, wanted));
    this.dispatchEvent(new Event("time"));
  }

  /** Go `count` frames forward (back when negative) and stop there. */
  step(count) {
    this.pause();
    const last = this.#times.length - 1;
    this.seek(this.#times[Math.min(last, Math.max(0, this.frame + count))]);
  }

  setSpeed(speed) {
    this.speed = Math.min(SPEEDS[SPEEDS.length - 1], Math.max(SPEEDS[0], speed));
    this.dispatchEvent(new Event("state"));
  }

  /** The next speed of the list up (+1) or down (-1). */
  changeSpeed(direction) {
    const ahead = direction > 0 ? SPEEDS.find((one) => one > this.speed) : SPEEDS.findLast((one) => one < this.speed);
    if (ahead !== undefined) this.setSpeed(ahead);
  }

  setLoop(loop) {
    this.loop = loop;
    this.dispatchEvent(new Event("state"));
  }

  /** The clock ran `seconds` of real time. */
  advance(seconds) {
    if (!this.playing) return;
    const ahead = this.time + seconds * this.speed;
    if (ahead < this.end) return this.seek(ahead);
    if (this.loop) return this.seek(this.start);
    this.seek(this.end);
    this.pause();
  }
}
