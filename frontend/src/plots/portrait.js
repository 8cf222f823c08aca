// A phase portrait on the plane, or a cylinder or torus unrolled: the curve is cut at the period, singular sets are drawn.

import { kindColour, seriesStyle } from "./colours.js";
import { extent } from "./decimate.js";
import { clipped, drawAxes, innerBox, Layers } from "./drawing.js";
import { timeKeys } from "./gestures.js";
import { indexBefore, modulo, numbers, valueAt } from "./numbers.js";
import { linearTicks, periodicTicks } from "./ticks.js";
import { continuous, wrappedPath } from "./wrapping.js";

const NEAR = 14; // pixels within which the pointer picks the curve
const JUMPS = ["impact", "impulse", "snap", "chart-switch"];

// What both pictures of a portrait show: values, periods, windows, singular curves; null where a series is missing.
export function portraitData(portrait, motion, times) {
  const find = (name) => motion.series.find((one) => one.name === name);
  const [x, y] = [find(portrait.x), find(portrait.y)];
  if (!x || !y) return null;
  const singular = (portrait.singular ?? []).map((one) => ({
    ...one,
    curves: (one.curves ?? []).map((curve) => pairs(numbers(curve))),
  }));
  const periods = [portrait.x_period ?? null, portrait.y_period ?? null];
  const values = [x.values, y.values].map((own, k) => continuous(own, periods[k]));
  const axes = [x, y].map((one, k) => axis(one, values[k], periods[k], singular.flatMap((s) => s.curves.map((c) => c[k]))));
  for (const one of singular) one.curves = one.curves.map((curve) => inside(curve, axes));
  const jumps = (motion.events ?? []).filter((one) => JUMPS.includes(one.kind)).map((one) => one.t);
  const cuts = jumps.map((t) => cutIndex(times, t, values, axes)).filter((k) => k >= 0);
  const cut = new Set(cuts);
  return { portrait, times, values, periods, axes, singular, cuts, isCut: (k) => cut.has(k), series: [x, y] };
}

function pairs(flat) {
  const [a, b] = [[], []];
  for (let k = 0; k + 1 < flat.length; k += 2) {
    a.push(flat[k]);
    b.push(flat[k + 1]);
  }
  return [a, b];
}

// A curve within the windows of axes without period; a straight line across such an axis fills the window.
function inside(curve, axes) {
  let found = curve;
  axes.forEach((axis, k) => {
    if (axis.period != null || curve[k].length < 2) return;
    const [own, other] = [found[k], found[1 - k]];
    const isStraight = other.every((one) => Math.abs(one - other[0]) < 1e-9);
    const along = isStraight
      ? own.map((_, i) => axis.low + (i / (own.length - 1)) * (axis.high - axis.low))
      : own.map((one) => (one >= axis.low && one <= axis.high ? one : NaN));
    found = k === 0 ? [along, other] : [other, along];
  });
  return found;
}

// The sample before a jump: of the steps beside its time the one in which most changes.
function cutIndex(times, t, values, axes) {
  const here = indexBefore(times, t);
  const change = (k) =>
    k < 0 || k + 1 >= times.length
      ? -1
      : Math.max(...values.map((own, i) => Math.abs(own[k + 1] - own[k]) / (axes[i].high - axes[i].low)));
  return [here - 1, here, here + 1].reduce((best, k) => (change(k) > change(best) ? k : best), -1);
}

// A window on one axis. A period starts half a turn before zero, a quarter before it or at zero: where the fewest
// singular sets lie on its rim, and the curve crosses it least.
function axis(series, values, period, marked) {
  const label = `${series.latex || series.name}${series.unit ? ` \\text{ [${series.unit}]}` : ""}`;
  if (period != null) {
    const across = marked.filter((curve) => curve.every((x) => Math.abs(x - curve[0]) < 1e-9)).map(([x]) => x);
    const disturbed = (rim) => {
      const near = across.filter((x) => Math.abs(modulo(x - rim + period / 2, period) - period / 2) < 0.02 * period);
      let crossed = 0;
      for (let k = 1; k < values.length; k++) {
        crossed += Math.floor((values[k] - rim) / period) !== Math.floor((values[k - 1] - rim) / period);
      }
      return 1e9 * near.length + crossed;
    };
    const rims = [-period / 2, -period / 4, 0];
    const costs = rims.map(disturbed);
    const low = rims[costs.indexOf(Math.min(...costs))];
    return { label, period, low, high: low + period };
  }
  let [low, high] = extent(values);
  if (!(high >= low)) [low, high] = [-1, 1];
  const margin = high - low > 1e-12 ? 0.08 * (high - low) : Math.max(0.1 * Math.abs(high), 1e-6);
  return { label, period: null, low: low - margin, high: high + margin };
}

export class Portrait {
  constructor(link, title) {
    this.link = link;
    this.layers = new Layers("plot-portrait", `${title}. Left and right arrow keys move time.`);
    this.layers.el.addEventListener("pointermove", (event) => this.pick(event));
    this.layers.el.addEventListener("pointerdown", (event) => this.pick(event));
    timeKeys(this.layers.el, link);
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
    const frame = this.layers.el.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
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
    const xTicks = x.period == null ? linearTicks(x.low, x.high, isTight ? 3 : 5) : periodicTicks(x.low, x.high, x.period, isTight);
    drawAxes(ctx, box, { ticks: xTicks, at: this.xAt, label: x.label }, { ticks: yTicks, at: this.yAt, label: y.label }, colours);
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

  // Impacts: dotted from where they found the motion to where they left it.
  drawJumps(ctx) {
    const { cuts, values, axes } = this.data;
    ctx.setLineDash([2, 3]);
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const k of cuts) {
      ctx.moveTo(this.xAt(within(values[0][k], axes[0])), this.yAt(within(values[1][k], axes[1])));
      ctx.lineTo(this.xAt(within(values[0][k + 1], axes[0])), this.yAt(within(values[1][k + 1], axes[1])));
    }
    ctx.stroke();
    ctx.setLineDash([]);
  }

  // Arrows on the sides that are one and the same line.
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
    const [x, y] = values.map((own, k) => within(valueAt(times, own, time), axes[k]));
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

function within(value, { low, period }) {
  return period == null ? value : low + modulo(value - low, period);
}
