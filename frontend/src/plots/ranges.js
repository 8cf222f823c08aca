// What an axis of values covers, and where on the picture a value lies.
import { extent } from "./decimate.js";

const DECADES = 16; // of a logarithmic axis, at most

/** Pixels of values; a logarithmic axis keeps what is below it on its lower edge. */
export function scale(low, high, box, log) {
  if (!log) return (value) => box.bottom - ((value - low) / (high - low || 1)) * (box.bottom - box.top);
  const [a, b] = [Math.log10(low), Math.log10(high)];
  const share = (value) => Math.max(0, Math.log10(Math.max(value, low)) - a) / (b - a || 1);
  return (value) => box.bottom - share(value) * (box.bottom - box.top);
}

/** What the data covers, with a margin; values that are all equal get some room around them. */
export function linearRange(series, first, last) {
  let [low, high] = [Infinity, -Infinity];
  for (const one of series) {
    const [a, b] = extent(one.values, first, last);
    low = Math.min(low, a);
    high = Math.max(high, b);
  }
  if (!(high >= low)) return [-1, 1];
  const tiny = 1e-9 * Math.max(Math.abs(low), Math.abs(high), 1e-12);
  const margin = high - low > tiny ? 0.06 * (high - low) : Math.max(Math.abs(high) * 0.1, 1e-6);
  return [low - margin, high + margin];
}

/** Whole decades around the data and the thresholds; six decades below a threshold are enough to see what is below. */
export function logRange(series, first, last) {
  let [low, high, floor] = [Infinity, 0, 0];
  for (const one of series) {
    for (let k = first; k <= last; k++) {
      const size = Math.abs(one.values[k]);
      if (size > 0 && size < low) low = size;
      if (size > high && size < Infinity) high = size;
    }
    if (one.threshold > 0) {
      floor = Math.max(floor, one.threshold / 1e6);
      low = Math.min(low, one.threshold / 10);
      high = Math.max(high, one.threshold * 10);
    }
  }
  if (!(high > 0)) return [1e-16, 1e-8];
  const top = Math.ceil(Math.log10(high) - 1e-6);
  const bottom = Math.max(Math.floor(Math.log10(Math.max(Math.min(low, high), floor)) + 1e-6), top - DECADES);
  return [10 ** Math.min(bottom, top - 1), 10 ** top];
}
