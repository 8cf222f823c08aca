// What the page asks of the simulation while sliders move: one request under way, the newest next, full when at rest.

const REST = 150; // ms without a movement before everything is computed

export class Requests {
  /** @param {(message: object) => void} send */
  constructor(send) {
    this.send = send;
    this.serial = 0;
    this.underWay = null; // {serial, asked, quality}
    this.waiting = null;
    this.timer = null;
  }

  /** Whether what is shown is what was asked for last: nothing waits, is under way or will be asked. */
  get atRest() {
    return !this.timer && !this.waiting && !this.underWay;
  }

  /** A slider moved: a quick motion now, the full one when it rests. */
  moved(values) {
    this.#ask(values, "drag");
    this.rested(values, REST);
  }

  /** The full motion after a rest. */
  rested(values, rest = 0) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.#ask(values, "full");
    }, rest);
  }

  #ask(values, quality) {
    this.waiting = { ...values, quality, asked: performance.now() };
    // a full motion under way gives way at once, a quick one is awaited
    if (this.underWay?.quality !== "drag" || quality === "full") this.#next();
  }

  #next() {
    if (!this.waiting) return;
    const { asked, ...values } = this.waiting;
    this.waiting = null;
    this.serial += 1;
    this.underWay = { serial: this.serial, asked, quality: values.quality };
    this.send({ type: "run", serial: this.serial, ...values });
  }

  /** An answer came. Returns when it was asked for, or null when a newer one was asked for since. */
  answered(serial) {
    if (!this.underWay || (serial !== null && serial < this.underWay.serial)) return null;
    const { asked } = this.underWay;
    this.underWay = null;
    this.#next();
    return asked;
  }

  /** The connection is gone: nothing is under way any more. */
  forget() {
    clearTimeout(this.timer);
    this.underWay = this.waiting = this.timer = null;
  }
}
