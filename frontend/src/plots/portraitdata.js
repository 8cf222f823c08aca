// What a portrait shows, on the plane or on its surface: values, periods, windows, singular curves, jumps.
import { extent } from "./decimate.js";
import { indexBefore, modulo, numbers } from "./numbers.js";
import { continuous } from "./wrapping.js";

const JUMPS = ["impact", "impulse", "snap", "chart-switch"];

/** What both pictures of a portrait show: values, periods, windows, singular curves; null where a series is missing. */
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
  const marked = [0, 1].map((k) => singular.flatMap(({ curves }) => curves.map((curve) => curve[k])));
  const axes = [x, y].map((one, k) => axis(one, values[k], periods[k], marked[k]));
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

/** A curve within the windows of axes without period; a straight line across such an axis fills the window. */
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

/** The sample before a jump: of the steps beside its time the one in which most changes. */
function cutIndex(times, t, values, axes) {
  const here = indexBefore(times, t);
  const change = (k) =>
    k < 0 || k + 1 >= times.length
      ? -1
      : Math.max(...values.map((own, i) => Math.abs(own[k + 1] - own[k]) / (axes[i].high - axes[i].low)));
  return [here - 1, here, here + 1].reduce((best, k) => (change(k) > change(best) ? k : best), -1);
}

/**
 * A window on one axis. A period starts half a turn before zero, a quarter before it or at zero: where the fewest
 * singular sets lie on its rim, and the curve crosses it least.
 */
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
