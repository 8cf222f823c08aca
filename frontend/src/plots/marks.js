// What is marked on a plot of indicators: the threshold, the time spent below it, crossings and findings.
import { haloText } from "./drawing.js";
import { raised } from "./numbers.js";

/** Findings in order of time, numbered from 1: [{t, tEnd, number, title, kind}]. */
export function findingMarks(motion) {
  return (motion.findings ?? [])
    .map((one) => ({ t: one.t, tEnd: one.t_end ?? one.t, title: one.title, kind: one.kind }))
    .filter((one) => Number.isFinite(one.t))
    .sort((a, b) => a.t - b.t)
    .map((one, k) => ({ ...one, number: k + 1 }));
}

/** Times at which a series crosses its threshold: [{t, down}], on straight lines in the logarithm. */
export function crossings(times, values, threshold) {
  const found = [];
  for (let k = 1; k < values.length; k++) {
    const [a, b] = [Math.abs(values[k - 1]) - threshold, Math.abs(values[k]) - threshold];
    if (a > 0 === b > 0 || !Number.isFinite(a + b)) continue;
    const [la, lb] = [values[k - 1], values[k]].map((value) => Math.log(Math.max(Math.abs(value), 1e-300)));
    const share = (Math.log(threshold) - la) / (lb - la || 1);
    found.push({ t: times[k - 1] + share * (times[k] - times[k - 1]), down: a > 0 });
  }
  return found;
}

/** Intervals of time in which a series is below its threshold. */
export function below(times, values, threshold, passages = crossings(times, values, threshold)) {
  const found = [];
  let since = Math.abs(values[0]) < threshold ? times[0] : null;
  for (const one of passages) {
    if (one.down) since = one.t;
    else if (since !== null) {
      found.push([since, one.t]);
      since = null;
    }
  }
  if (since !== null) found.push([since, times[times.length - 1]]);
  return found;
}

/** A tint under the threshold, and a stronger one over the times at which some series is below it. */
export function drawBelow(ctx, plot, series) {
  const { box, link } = plot;
  const limits = series.map((one) => one.threshold).filter((one) => one > 0);
  if (!limits.length) return;
  const y = plot.yAt(Math.max(...limits));
  ctx.fillStyle = link.colours.warning;
  ctx.globalAlpha = 0.08;
  ctx.fillRect(box.left, y, box.right - box.left, box.bottom - y);
  ctx.globalAlpha = 0.16;
  for (const one of series) {
    if (!(one.threshold > 0)) continue;
    for (const [from, to] of below(plot.times, one.values, one.threshold, one.passages)) {
      const [a, b] = [plot.pixel(from), plot.pixel(to)];
      ctx.fillRect(Math.min(a, (a + b) / 2 - 1.5), box.top, Math.max(b - a, 3), box.bottom - box.top);
    }
  }
  ctx.globalAlpha = 1;
}

/** The dashed line of each threshold with its value, and a triangle at each crossing. */
export function drawThreshold(ctx, plot, series) {
  const { box, link } = plot;
  const colour = link.colours.warning;
  for (const limit of new Set(series.map((one) => one.threshold).filter((one) => one > 0))) {
    const y = Math.round(plot.yAt(limit)) + 0.5;
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1.2;
    ctx.setLineDash([6, 4]);
    ctx.beginPath();
    ctx.moveTo(box.left, y);
    ctx.lineTo(box.right, y);
    ctx.stroke();
    ctx.setLineDash([]);
    haloText(ctx, `reported below ${power(limit)}`, box.left + 6, y + 13, colour, link.colours.surface);
  }
  for (const one of series) {
    if (!(one.threshold > 0)) continue;
    let before = -Infinity;
    for (const { t, down } of one.passages) {
      const x = plot.pixel(t);
      if (x - before < 4) continue;
      triangle(ctx, x, plot.yAt(one.threshold), down ? 5 : -5, one.colour);
      before = x;
    }
  }
}

/** Numbered badges above the plot, one for each finding, with a line down to the axis. */
export function drawFindings(ctx, plot) {
  const { box, link } = plot;
  let end = -Infinity;
  for (const mark of plot.marks) {
    const [x, last] = [plot.pixel(mark.t), plot.pixel(mark.tEnd)];
    if (last < box.left || x > box.right) continue;
    ctx.strokeStyle = ctx.fillStyle = link.colours.warning;
    ctx.lineWidth = 1;
    ctx.setLineDash([2, 3]);
    ctx.beginPath();
    ctx.moveTo(x, box.top - 5);
    ctx.lineTo(x, box.bottom);
    ctx.stroke();
    ctx.setLineDash([]);
    if (last - x > 4) ctx.fillRect(x, box.top - 4, Math.min(last, box.right) - x, 3);
    if (x - end < 15) continue;
    ctx.beginPath();
    ctx.arc(x, box.top - 11, 7, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = link.colours.surface;
    ctx.textAlign = "center";
    ctx.fillText(String(mark.number), x, box.top - 7);
    end = x;
  }
}

function triangle(ctx, x, y, size, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(x - Math.abs(size), y - size);
  ctx.lineTo(x + Math.abs(size), y - size);
  ctx.lineTo(x, y + size);
  ctx.fill();
}

function power(x) {
  const n = Math.round(Math.log10(x));
  return Math.abs(x / 10 ** n - 1) < 1e-6 ? `10${raised(n)}` : x.toPrecision(2);
}
