// What the plots of a page share: the time, the part of the run that is shown, the colours, and who draws them.

const CLOSEST = 1 / 5000; // of the run: any closer, a straight line between two frames would be all there is to see
const WHOLE = 1 - 1e-9; // of the run: shown in full, but for the round-off of its ends

/** Tells of "seek" (a plot asks for a time), "time" and "view". */
export class Link extends EventTarget {
  /** @param {object} colours of palette() @param {import("./painter.js").Painter} painter */
  constructor(colours, painter) {
    super();
    this.colours = colours;
    this.painter = painter;
    this.time = 0;
    this.span = [0, 1];
    this.view = [0, 1];
  }

  get isWhole() {
    return this.view[1] - this.view[0] >= (this.span[1] - this.span[0]) * WHOLE;
  }

  /** Another run: what is shown of it stays where it begins and ends as before. */
  setRun(times) {
    const before = this.span;
    this.span = times.length ? [times[0], times[times.length - 1]] : [0, 1];
    if (this.span.some((end, k) => end !== before[k])) this.view = [...this.span];
    this.time = this.#inside(this.time);
  }

  setTime(t) {
    if (t === this.time) return;
    this.time = t;
    this.dispatchEvent(new Event("time"));
  }

  /** The reader points at a time. */
  seek(t) {
    this.setTime(this.#inside(t));
    this.dispatchEvent(new Event("seek"));
  }

  /** Show a part of the run; null shows all. @param {[number, number]|null} view */
  zoom(view) {
    const [low, high] = this.span;
    const whole = high - low;
    const [from, to] = view ?? this.span;
    const width = Math.min(whole, Math.max(to - from, whole * CLOSEST));
    const start = view ? (from + to) / 2 - width / 2 : low;
    const first = Math.min(Math.max(start, low), high - width);
    this.view = [first, first + width];
    this.dispatchEvent(new Event("view"));
  }

  #inside(t) {
    return Math.min(this.span[1], Math.max(this.span[0], t));
  }
}
