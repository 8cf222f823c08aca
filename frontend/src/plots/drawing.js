// Two canvases on top of each other (curves below, cursor above) and the axes drawn on them.
import { h } from "../dom.js";
import { drawLabel } from "./labels.js";

export const FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
export const SIZE = 11.5;

/** A focusable frame with a layer for curves and one for what moves; sizes follow the frame. */
export class Layers {
  /** @param {string} kind its class @param {string} label in words @param {Record<string, Function>} listeners of h() */
  constructor(kind, label, listeners) {
    this.base = h("canvas");
    this.top = h("canvas");
    this.element = h(
      "div",
      { class: `plot-canvas ${kind}`, tabindex: 0, role: "img", "aria-label": label, ...listeners },
      this.base,
      this.top,
    );
    this.width = 0;
    this.height = 0;
  }

  /** Takes the size of the frame; true where it has one. */
  measure() {
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    if (width !== this.width || height !== this.height || ratio !== this.ratio) {
      Object.assign(this, { width, height, ratio });
      for (const canvas of [this.base, this.top]) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
    }
    return width > 40 && height > 40;
  }

  /** A cleared context in CSS pixels. */
  begin(canvas) {
    const ctx = canvas.getContext("2d");
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.clearRect(0, 0, this.width, this.height);
    ctx.font = `${SIZE}px ${FAMILY}`;
    ctx.textBaseline = "alphabetic";
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
    ctx.lineJoin = "round";
    return ctx;
  }
}

/** The inner rectangle, wide enough on the left for the texts of the ticks. */
export function innerBox(ctx, layers, yTicks, { right = 12, top = 24, bottom = 34 } = {}) {
  const widest = Math.max(16, ...yTicks.map((tick) => ctx.measureText(tick.text).width));
  const left = Math.ceil(widest) + 12;
  return { left, top, right: layers.width - right, bottom: layers.height - bottom };
}

/** Grid, ticks and labels: `x` and `y` are {ticks, at(value) -> pixel, label (LaTeX)}. */
export function drawAxes(ctx, box, x, y, colours) {
  ctx.lineWidth = 1;
  ctx.strokeStyle = colours.line;
  ctx.beginPath();
  for (const tick of y.ticks) {
    const at = Math.round(y.at(tick.value)) + 0.5;
    ctx.moveTo(box.left, at);
    ctx.lineTo(box.right, at);
  }
  for (const tick of x.ticks) {
    const at = Math.round(x.at(tick.value)) + 0.5;
    ctx.moveTo(at, box.top);
    ctx.lineTo(at, box.bottom);
  }
  ctx.stroke();
  ctx.strokeStyle = colours.muted;
  ctx.beginPath();
  ctx.moveTo(box.left + 0.5, box.top);
  ctx.lineTo(box.left + 0.5, box.bottom + 0.5);
  ctx.lineTo(box.right, box.bottom + 0.5);
  ctx.stroke();
  ctx.fillStyle = colours.muted;
  ctx.textAlign = "right";
  let lowest = Infinity;
  for (const tick of [...y.ticks].sort((a, b) => y.at(b.value) - y.at(a.value))) {
    const at = y.at(tick.value);
    if (!tick.text || lowest - at < 12) continue;
    ctx.fillText(tick.text, box.left - 6, at + 4);
    lowest = at;
  }
  ctx.textAlign = "center";
  let end = -Infinity;
  for (const tick of x.ticks) {
    const width = ctx.measureText(tick.text).width;
    const at = Math.max(Math.min(x.at(tick.value), box.right + 11 - width / 2), width / 2 + 1);
    if (at - width / 2 < end + 6) continue;
    ctx.fillText(tick.text, at, box.bottom + 15);
    end = at + width / 2;
  }
  ctx.fillStyle = colours.ink;
  drawLabel(ctx, x.label, box.right, box.bottom + 30, { size: SIZE, family: FAMILY, align: "right" });
  drawLabel(ctx, y.label, 4, 13, { size: SIZE, family: FAMILY });
}

/** Restricts drawing to the inner rectangle while `draw` runs. */
export function clipped(ctx, box, draw) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(box.left, box.top - 1, box.right - box.left, box.bottom - box.top + 2);
  ctx.clip();
  draw();
  ctx.restore();
}

/** Text on a background of the surface's colour, so that curves do not run through it. */
export function haloText(ctx, text, x, y, colour, halo, align = "left") {
  ctx.textAlign = align;
  ctx.lineWidth = 4;
  ctx.strokeStyle = halo;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}
