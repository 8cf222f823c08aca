// A phase portrait on the plane, or a cylinder or torus unrolled: the curve is cut at the period.
import { kindColour, seriesStyle } from "./colours.js";
import { clipped, drawAxes, innerBox, Layers } from "./drawing.js";
import { pointIn, timeKeys } from "./gestures.js";
import { indexBefore, valueAt } from "./numbers.js";
import { linearTicks, periodicTicks } from "./ticks.js";
import { into, wrappedPath } from "./wrapping.js";

const NEAR = 14; // pixels within which the pointer picks the curve

export class Portrait {
  constructor(link, title) {
    this.link = link;
    const pick = (event) => this.pick(event);
    this.layers = new Layers("plot-portrait", `${title}. Left and right arrow keys move time.`, {
      onpointermove: pick,
      onpointerdown: pick,
      ...timeKeys(link),
    });
  }

  show(data) {
    this.data = data;
    this.path = null;
  }

  unroll() {
    const { data } = this;
    this.path = wrappedPath(data.values[0], data.values[1], data.axes, data.isCut);
    this.marked = data.singular.map((one) => ({
      colour: (theme) => kindColour(theme, one.kind),
      paths: one.curves.map(([x, y]) => wrappedPath(x, y, data.axes)),
    }));
  }

  pick(event) {
    if (!this.box || !this.path) return;
    const { x, y } = pointIn(event);
    let [best, found] = [NEAR * NEAR, -1];
    for (let k = 0; k < this.path.x.length; k++) {
      const gap = (this.xAt(this.path.x[k]) - x) ** 2 + (this.yAt(this.path.y[k]) - y) ** 2;
      if (gap < best) [best, found] = [gap, k];
    }
    if (found >= 0) this.link.seek(this.data.times[this.path.index[found]]);
  }

  draw() {
    if (!this.data || !this.layers.measure()) return;
    if (!this.path) this.unroll();
    const { colours } = this.link;
    const ctx = this.layers.begin(this.layers.base);
    const [x, y] = this.data.axes;
    const isTight = this.layers.width < 260;
    const yTicks = y.period == null ? linearTicks(y.low, y.high, 5) : periodicTicks(y.low, y.high, y.period);
    const box = (this.box = innerBox(ctx, this.layers, yTicks));
    this.xAt = (value) => box.left + ((value - x.low) / (x.high - x.low)) * (box.right - box.left);
    this.yAt = (value) => box.bottom - ((value - y.low) / (y.high - y.low)) * (box.bottom - box.top);
    const xTicks =
      x.period == null
        ? linearTicks(x.low, x.high, isTight ? 3 : 5)
        : periodicTicks(x.low, x.high, x.period, isTight);
    const across = { ticks: xTicks, at: this.xAt, label: x.label };
    drawAxes(ctx, box, across, { ticks: yTicks, at: this.yAt, label: y.label }, colours);
    clipped(ctx, box, () => {
      const turns = Math.min(this.marked.length, 3); // sets that lie on each other take turns
      this.marked.forEach((one, k) => {
        ctx.setLineDash(turns > 1 ? [7, 7 * (turns - 1)] : [8, 4]);
        ctx.lineDashOffset = -7 * k;
        one.paths.forEach((path) => this.drawSingular(ctx, path, one.colour(colours.theme)));
      });
      ctx.setLineDash([]);
      ctx.strokeStyle = seriesStyle(colours.theme, 0).colour;
      ctx.globalAlpha = 0.4;
      ctx.lineWidth = 1.4;
      ctx.stroke(this.traced(this.path, Infinity));
      this.drawJumps(ctx);
    });
    this.drawRims(ctx, box);
    this.drawTop();
  }

  drawSingular(ctx, path, colour) {
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = 2.4;
    if (path.x.length > 1) ctx.stroke(this.traced(path, Infinity));
    if (path.x.length === 1) {
      ctx.beginPath();
      ctx.arc(this.xAt(path.x[0]), this.yAt(path.y[0]), 5, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }

  /** Impacts: dotted from where they found the motion to where they left it. */
  drawJumps(ctx) {
    const { cuts, values, axes } = this.data;
    ctx.setLineDash([2, 3]);
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const k of cuts) {
      ctx.moveTo(this.xAt(into(values[0][k], axes[0])), this.yAt(into(values[1][k], axes[1])));
      ctx.lineTo(this.xAt(into(values[0][k + 1], axes[0])), this.yAt(into(values[1][k + 1], axes[1])));
    }
    ctx.stroke();
    ctx.setLineDash([]);
  }

  /** Arrows on the sides that are one and the same line. */
  drawRims(ctx, box) {
    const { colours } = this.link;
    const [x, y] = this.data.axes;
    ctx.strokeStyle = ctx.fillStyle = colours.muted;
    ctx.lineWidth = 1.4;
    const arrow = (ax, ay, dx, dy) => {
      ctx.beginPath();
      ctx.moveTo(ax - 5 * dx - 4 * dy, ay - 5 * dy - 4 * dx);
      ctx.lineTo(ax, ay);
      ctx.lineTo(ax - 5 * dx + 4 * dy, ay - 5 * dy + 4 * dx);
      ctx.stroke();
    };
    if (x.period != null) for (const at of [box.left + 0.5, box.right]) arrow(at, box.top + 10, 0, -1);
    if (y.period != null) for (const at of [box.top, box.bottom + 0.5]) arrow(box.right - 10, at, 1, 0);
  }

  traced(path, upTo) {
    const found = new Path2D();
    let open = false;
    for (let k = 0; k < path.x.length && path.index[k] <= upTo; k++) {
      if (!Number.isFinite(path.x[k])) {
        open = false;
        continue;
      }
      if (open) found.lineTo(this.xAt(path.x[k]), this.yAt(path.y[k]));
      else found.moveTo(this.xAt(path.x[k]), this.yAt(path.y[k]));
      open = true;
    }
    return found;
  }

  drawTop() {
    if (!this.box || !this.path) return;
    const { colours, time } = this.link;
    const ctx = this.layers.begin(this.layers.top);
    const { times, values, axes } = this.data;
    const colour = seriesStyle(colours.theme, 0).colour;
    clipped(ctx, this.box, () => {
      ctx.strokeStyle = colour;
      ctx.lineWidth = 1.9;
      ctx.stroke(this.traced(this.path, indexBefore(times, time) - 1));
    });
    const [x, y] = values.map((own, k) => into(valueAt(times, own, time), axes[k]));
    if (!Number.isFinite(x + y)) return;
    ctx.beginPath();
    ctx.arc(this.xAt(x), this.yAt(y), 5, 0, 2 * Math.PI);
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.strokeStyle = colours.surface;
    ctx.lineWidth = 1.6;
    ctx.stroke();
  }
}
