// A plot of series against time: linear or logarithmic, with threshold, findings and events.
import { seriesStyle } from "./colours.js";
import { tracePath } from "./decimate.js";
import { clipped, drawAxes, innerBox, Layers } from "./drawing.js";
import { pointIn, timeGestures } from "./gestures.js";
import { Legend } from "./legend.js";
import { crossings, drawBelow, drawFindings, drawThreshold, findingMarks } from "./marks.js";
import { indexBefore, valueAt } from "./numbers.js";
import { linearRange, logRange, scale } from "./ranges.js";
import { linearTicks, logTicks } from "./ticks.js";

export class TimePlot {
  followsView = true; // of the link

  /**
   * @param {object} spec {title, label (of the y axis), log, markFindings, sameUnit}
   * @param {import("./link.js").Link} link shared by all plots
   */
  constructor(spec, link) {
    this.spec = spec;
    this.link = link;
    this.hidden = new Set();
    this.layers = new Layers(spec.log ? "plot-tall" : "", `${spec.title}. Left and right arrow keys move time.`, {
      ...timeGestures(this, link),
      onclick: (event) => this.clicked(event),
    });
    this.legend = new Legend((name) => this.toggle(name));
    this.series = [];
    this.selection = null;
  }

  show(series, motion, times) {
    const judged = (one) => ({ ...one, passages: crossings(times, one.values, one.threshold) });
    this.series = series.map((one) => (one.threshold > 0 ? judged(one) : one));
    Object.assign(this, { motion, times });
    this.marks = this.spec.markFindings ? findingMarks(motion) : [];
    this.restyle();
  }

  toggle(name) {
    if (this.hidden.has(name)) this.hidden.delete(name);
    else this.hidden.add(name);
    this.restyle();
    this.link.painter.redraw(this);
  }

  restyle() {
    this.styled = this.series.map((one, k) => ({
      ...one,
      ...seriesStyle(this.link.colours.theme, k),
      hidden: this.hidden.has(one.name),
      showUnit: !this.spec.sameUnit,
    }));
    this.legend.show(this.styled);
  }

  select(from, to) {
    this.selection = from === null ? null : [from, to];
    this.link.painter.redrawTop(this);
  }

  clicked(event) {
    const { x, y } = pointIn(event);
    const mark = this.marks.find((one) => Math.abs(this.pixel(one.t) - x) < 9);
    if (mark && y < this.box.top + 10) this.link.seek(mark.t);
  }

  timeAt(x) {
    const [from, to] = this.link.view;
    return from + ((x - this.box.left) / (this.box.right - this.box.left)) * (to - from);
  }

  pixel(t) {
    const [from, to] = this.link.view;
    return this.box.left + ((t - from) / (to - from || 1)) * (this.box.right - this.box.left);
  }

  // --- the curves ------------------------------------------------------------------------------

  draw() {
    if (!this.layers.measure()) return;
    const { colours, view } = this.link;
    const ctx = this.layers.begin(this.layers.base);
    const shown = this.styled.filter((one) => !one.hidden);
    const first = Math.max(0, indexBefore(this.times, view[0]) - 1);
    const last = Math.min(this.times.length - 1, indexBefore(this.times, view[1]) + 1);
    const [low, high] = this.spec.log ? logRange(shown, first, last) : linearRange(shown, first, last);
    const room = Math.max(2, Math.floor((this.layers.height - 58) / (this.spec.log ? 22 : 30)));
    const yTicks = this.spec.log ? logTicks(low, high, room) : linearTicks(low, high, room);
    this.box = innerBox(ctx, this.layers, yTicks, { top: this.marks.length ? 38 : 24 });
    this.yAt = scale(low, high, this.box, this.spec.log);
    const xTicks = linearTicks(view[0], view[1], Math.max(2, Math.floor((this.box.right - this.box.left) / 70)));
    const x = { ticks: xTicks, at: (t) => this.pixel(t), label: "time [s]" };
    if (this.spec.log) clipped(ctx, this.box, () => drawBelow(ctx, this, shown, first, last));
    drawAxes(ctx, this.box, x, { ticks: yTicks, at: this.yAt, label: this.spec.label }, colours);
    clipped(ctx, this.box, () => {
      this.drawEvents(ctx);
      for (const one of shown) this.drawCurve(ctx, one, first, last);
      if (this.spec.log) drawThreshold(ctx, this, shown);
    });
    drawFindings(ctx, this);
    this.drawTop();
  }

  drawCurve(ctx, one, first, last) {
    const path = new Path2D();
    const { values } = one;
    const yAt = this.spec.log ? (k) => this.yAt(Math.abs(values[k])) : (k) => this.yAt(values[k]);
    const [from, to] = this.link.view;
    const { left, right } = this.box;
    const slope = (right - left) / (to - from || 1);
    tracePath(path, first, last, (k) => left + (this.times[k] - from) * slope, yAt);
    ctx.strokeStyle = one.colour;
    ctx.lineWidth = 1.7;
    ctx.setLineDash(one.dash);
    ctx.stroke(path);
    ctx.setLineDash([]);
    if (first === last) ctx.fillRect(this.pixel(this.times[first]) - 2, yAt(first) - 2, 4, 4);
  }

  drawEvents(ctx) {
    ctx.strokeStyle = this.link.colours.muted;
    ctx.lineWidth = 1;
    ctx.setLineDash([1, 3]);
    ctx.beginPath();
    let before = -Infinity;
    for (const event of this.motion.events ?? []) {
      const at = Math.round(this.pixel(event.t)) + 0.5;
      if (at - before < 3) continue;
      ctx.moveTo(at, this.box.top);
      ctx.lineTo(at, this.box.bottom);
      before = at;
    }
    ctx.stroke();
    ctx.setLineDash([]);
  }

  // --- the cursor ------------------------------------------------------------------------------

  drawTop() {
    if (!this.box) return;
    const { colours, time } = this.link;
    const ctx = this.layers.begin(this.layers.top);
    const values = this.styled.map((one) => valueAt(this.times, one.values, time));
    this.legend.values(values);
    if (this.selection) {
      const [a, b] = this.selection.map((t) => this.pixel(t));
      ctx.fillStyle = colours.accent;
      ctx.globalAlpha = 0.15;
      ctx.fillRect(Math.min(a, b), this.box.top, Math.abs(b - a), this.box.bottom - this.box.top);
      ctx.globalAlpha = 1;
    }
    const x = this.pixel(time);
    if (x < this.box.left - 1 || x > this.box.right + 1) return;
    ctx.strokeStyle = colours.ink;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(x, this.box.top - 4);
    ctx.lineTo(x, this.box.bottom);
    ctx.stroke();
    this.styled.forEach((one, k) => {
      if (one.hidden || !Number.isFinite(values[k])) return;
      const y = this.yAt(this.spec.log ? Math.abs(values[k]) : values[k]);
      ctx.beginPath();
      ctx.arc(x, Math.max(this.box.top, Math.min(this.box.bottom, y)), 3.4, 0, 2 * Math.PI);
      ctx.fillStyle = one.colour;
      ctx.fill();
      ctx.strokeStyle = colours.surface;
      ctx.lineWidth = 1.2;
      ctx.stroke();
    });
  }
}
