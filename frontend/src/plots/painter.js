// The drawing loop of the plots: in the next frame what can be seen, the rest when nothing has changed for a while.

const REST = 200; // milliseconds without a change after which plots out of sight are drawn too
const AROUND = "120px"; // of the screen: a plot that is about to be scrolled in counts as seen

/**
 * @typedef {object} Plot
 * @property {import("./drawing.js").Layers} layers
 * @property {() => void} draw everything
 * @property {() => void} drawTop what moves over the curves
 * @property {(data: any) => void} show
 * @property {() => void} [restyle] the colours changed
 * @property {boolean} [followsView] whether it shows only the part of the run that the link says
 * @property {import("./legend.js").Legend} [legend]
 */

export class Painter {
  #plots = new Map(); // frame on the page -> plot
  #waiting = new Map(); // plot -> whether its curves are to be drawn again, or only what moves over them
  #visible = new WeakSet();
  #drawn = new WeakSet();

  constructor() {
    this.seen = new IntersectionObserver((entries) => this.#scrolled(entries), { rootMargin: AROUND });
    this.sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => this.redraw(this.#plots.get(target))));
    window.addEventListener("beforeprint", () => this.#plots.forEach((plot) => plot.draw()));
  }

  /** @param {Plot} plot on the page from now on */
  watch(plot) {
    const { element } = plot.layers;
    this.#plots.set(element, plot);
    this.seen.observe(element);
    this.sizes.observe(element);
  }

  unwatch(plot) {
    const { element } = plot.layers;
    this.#plots.delete(element);
    this.seen.unobserve(element);
    this.sizes.unobserve(element);
    this.#waiting.delete(plot);
  }

  redraw(plot) {
    this.#schedule(plot, true);
  }

  /** Only what moves over the curves. */
  redrawTop(plot) {
    this.#schedule(plot, false);
  }

  redrawAll() {
    this.#plots.forEach((plot) => this.redraw(plot));
  }

  redrawTops() {
    this.#plots.forEach((plot) => this.redrawTop(plot));
  }

  #scrolled(entries) {
    for (const { target, isIntersecting } of entries) {
      const plot = this.#plots.get(target);
      if (!plot) continue;
      if (!isIntersecting) this.#visible.delete(plot);
      else if (!this.#visible.has(plot)) {
        this.#visible.add(plot);
        this.redraw(plot);
      }
    }
  }

  #schedule(plot, isWhole) {
    if (!plot) return; // an observer may still speak of a frame that has just left the page
    this.#waiting.set(plot, isWhole || (this.#waiting.get(plot) ?? false));
    this.frame ??= requestAnimationFrame(() => this.#flush());
  }

  #flush(isAll = false) {
    this.frame = null;
    for (const [plot, isWhole] of [...this.#waiting]) {
      if (!isAll && !this.#visible.has(plot) && this.#drawn.has(plot)) continue;
      this.#waiting.delete(plot);
      this.#drawn.add(plot);
      if (isWhole) plot.draw();
      else plot.drawTop();
    }
    clearTimeout(this.rest);
    if (this.#waiting.size) this.rest = setTimeout(() => this.#flush(true), REST);
  }
}

/** Mean milliseconds of drawing a plot with all its curves, of `n` times. */
export function drawCost(plot, n) {
  const start = performance.now();
  for (let k = 0; k < n; k++) plot.draw();
  return (performance.now() - start) / n;
}
