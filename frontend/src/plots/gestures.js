// Pointer, wheel and keyboard on a plot of time: seek, zoom, pan, reset.

const STEP = 1 / 200; // of the visible span, for one press of an arrow key

// `plot` offers box, timeAt(pixel) and shows link.view; `link` offers seek(t), zoom(view), view, span, time.
export function timeGestures(plot, link) {
  const el = plot.layers.el;
  const pointers = new Map();
  let mode = null;
  let start = null;

  const local = (event) => {
    const frame = el.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  const inside = (point) => plot.box && point.x >= plot.box.left - 8 && point.x <= plot.box.right + 8;

  el.addEventListener("pointerdown", (event) => {
    if (!plot.box || event.button > 0) return;
    const point = local(event);
    pointers.set(event.pointerId, point);
    el.setPointerCapture(event.pointerId);
    start = { ...point, view: [...link.view] };
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      mode = "pinch";
      start = { gap: Math.abs(a.x - b.x) || 1, at: plot.timeAt((a.x + b.x) / 2), view: [...link.view] };
    } else {
      mode = event.shiftKey ? "select" : point.y > plot.box.bottom ? "pan" : "seek";
      if (mode === "seek" && inside(point)) link.seek(plot.timeAt(point.x));
    }
  });

  el.addEventListener("pointermove", (event) => {
    const point = local(event);
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, point);
    if (mode === "pinch" && pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      zoomAbout(link, start.view, start.at, start.gap / (Math.abs(a.x - b.x) || 1));
    } else if (mode === "pan") {
      const perPixel = (start.view[1] - start.view[0]) / (plot.box.right - plot.box.left);
      const shift = (start.x - point.x) * perPixel;
      link.zoom([start.view[0] + shift, start.view[1] + shift]);
    } else if (mode === "select") {
      plot.select(plot.timeAt(start.x), plot.timeAt(point.x));
    } else if (inside(point) && (event.pointerType === "mouse" || mode === "seek")) {
      link.seek(plot.timeAt(point.x));
    }
  });

  const finish = (event) => {
    pointers.delete(event.pointerId);
    if (mode === "select" && event.type === "pointerup") {
      const ends = [plot.timeAt(start.x), plot.timeAt(local(event).x)].sort((a, b) => a - b);
      if (Math.abs(local(event).x - start.x) > 4) link.zoom(ends);
    }
    plot.select(null);
    mode = null;
  };
  el.addEventListener("pointerup", finish);
  el.addEventListener("pointercancel", finish);
  el.addEventListener("dblclick", () => link.zoom(null));

  // A plot that is not focused lets the page scroll, unless Ctrl (or a pinch on a trackpad) says zoom.
  el.addEventListener(
    "wheel",
    (event) => {
      if (!plot.box || !(event.ctrlKey || event.metaKey || document.activeElement === el)) return;
      event.preventDefault();
      zoomAbout(link, link.view, plot.timeAt(local(event).x), Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.01));
    },
    { passive: false },
  );
  timeKeys(el, link);
}

// Left and right move time, Home and End go to the ends, + and - zoom, 0 and Escape reset.
export function timeKeys(el, link) {
  el.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const width = link.view[1] - link.view[0];
    const step = width * STEP * (event.shiftKey ? 10 : 1);
    const acts = {
      ArrowLeft: () => link.seek(link.time - step),
      ArrowRight: () => link.seek(link.time + step),
      Home: () => link.seek(link.span[0]),
      End: () => link.seek(link.span[1]),
      "+": () => zoomAbout(link, link.view, link.time, 0.8),
      "=": () => zoomAbout(link, link.view, link.time, 0.8),
      "-": () => zoomAbout(link, link.view, link.time, 1.25),
      0: () => link.zoom(null),
      Escape: () => link.zoom(null),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  });
}

function zoomAbout(link, view, at, factor) {
  link.zoom([at + (view[0] - at) * factor, at + (view[1] - at) * factor]);
}
