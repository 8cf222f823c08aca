// Pointer, wheel and keyboard on a plot of time: seek, zoom, pan, reset. Each function returns listeners for h().

const STEP = 1 / 200; // of the visible span, for one press of an arrow key
const BESIDE = 8; // pixels beside the curves that still count as their ends
const TREMBLE = 4; // pixels: a selection below this was a click

/**
 * @param {{box: object|null, timeAt: (x: number) => number, select: Function}} plot
 * @param {import("./link.js").Link} link
 */
export function timeGestures(plot, link) {
  const drag = new Drag(plot, link);
  return {
    onpointerdown: (event) => drag.begin(event),
    onpointermove: (event) => drag.move(event),
    onpointerup: (event) => drag.end(event),
    onpointercancel: (event) => drag.end(event),
    ondblclick: () => link.zoom(null),
    onwheel: (event) => wheel(event, plot, link),
    ...timeKeys(link),
  };
}

/** Where the pointer is, from the corner of the plot. */
export function pointIn({ currentTarget, clientX, clientY }) {
  const frame = currentTarget.getBoundingClientRect();
  return { x: clientX - frame.left, y: clientY - frame.top };
}

/** A plot that is not focused lets the page scroll, unless Ctrl (or a pinch on a trackpad) says zoom. */
export function isForPlot(event) {
  return event.ctrlKey || event.metaKey || document.activeElement === event.currentTarget;
}

function wheel(event, plot, link) {
  if (!plot.box || !isForPlot(event)) return;
  event.preventDefault();
  const factor = Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.01);
  zoomAbout(link, link.view, plot.timeAt(pointIn(event).x), factor);
}

/** One or two pointers on a plot: "seek", "pan" (on the axis), "select" (with Shift) or "pinch". */
class Drag {
  constructor(plot, link) {
    this.plot = plot;
    this.link = link;
    this.pointers = new Map();
    this.mode = null;
  }

  begin(event) {
    const { plot, link, pointers } = this;
    if (!plot.box || event.button > 0) return;
    const point = pointIn(event);
    pointers.set(event.pointerId, point);
    event.currentTarget.setPointerCapture(event.pointerId);
    this.start = { ...point, view: [...link.view] };
    if (pointers.size === 2) return this.#beginPinch();
    this.mode = event.shiftKey ? "select" : point.y > plot.box.bottom ? "pan" : "seek";
    if (this.mode === "seek" && this.#isInside(point)) link.seek(plot.timeAt(point.x));
  }

  #beginPinch() {
    const [a, b] = [...this.pointers.values()];
    this.mode = "pinch";
    this.start = { gap: gapOf(a, b), at: this.plot.timeAt((a.x + b.x) / 2), view: [...this.link.view] };
  }

  move(event) {
    const { plot, link, mode, start, pointers } = this;
    const point = pointIn(event);
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, point);
    if (mode === "pinch" && pointers.size === 2) {
      zoomAbout(link, start.view, start.at, start.gap / gapOf(...pointers.values()));
    } else if (mode === "pan") {
      this.#pan(point);
    } else if (mode === "select") {
      plot.select(plot.timeAt(start.x), plot.timeAt(point.x));
    } else if (this.#isInside(point) && (event.pointerType === "mouse" || mode === "seek")) {
      link.seek(plot.timeAt(point.x));
    }
  }

  #pan(point) {
    const { box } = this.plot;
    const [from, to] = this.start.view;
    const perPixel = (to - from) / (box.right - box.left);
    const shift = (this.start.x - point.x) * perPixel;
    this.link.zoom([from + shift, to + shift]);
  }

  end(event) {
    const { plot, mode, start } = this;
    this.pointers.delete(event.pointerId);
    if (mode === "select" && event.type === "pointerup") {
      const { x } = pointIn(event);
      const ends = [plot.timeAt(start.x), plot.timeAt(x)].sort((a, b) => a - b);
      if (Math.abs(x - start.x) > TREMBLE) this.link.zoom(ends);
    }
    plot.select(null);
    this.mode = null;
  }

  #isInside({ x }) {
    const { box } = this.plot;
    return box && x >= box.left - BESIDE && x <= box.right + BESIDE;
  }
}

function gapOf(a, b) {
  return Math.abs(a.x - b.x) || 1;
}

/** Left and right move time, Home and End go to the ends, + and - zoom, 0 and Escape reset. */
export function timeKeys(link) {
  const acts = {
    ArrowLeft: (step) => link.seek(link.time - step),
    ArrowRight: (step) => link.seek(link.time + step),
    Home: () => link.seek(link.span[0]),
    End: () => link.seek(link.span[1]),
    "+": () => zoomAbout(link, link.view, link.time, 0.8),
    "=": () => zoomAbout(link, link.view, link.time, 0.8),
    "-": () => zoomAbout(link, link.view, link.time, 1.25),
    0: () => link.zoom(null),
    Escape: () => link.zoom(null),
  };
  const onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]((link.view[1] - link.view[0]) * STEP * (event.shiftKey ? 10 : 1));
  };
  return { onkeydown };
}

function zoomAbout(link, view, at, factor) {
  link.zoom([at + (view[0] - at) * factor, at + (view[1] - at) * factor]);
}
