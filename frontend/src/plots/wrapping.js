// Curves on a surface with periods, unrolled: cut where they leave one side of the picture and come back on the other.
import { modulo } from "./numbers.js";

/** A series made continuous: each step is the shortest one modulo the period. */
export function continuous(values, period) {
  if (period == null) return values;
  const found = new Float64Array(values.length);
  found[0] = values[0];
  for (let k = 1; k < values.length; k++) {
    const step = values[k] - values[k - 1];
    found[k] = found[k - 1] + step - period * Math.round(step / period);
    if (!Number.isFinite(found[k])) found[k] = values[k];
  }
  return found;
}

/**
 * {x, y, index}: the curve in the window, with NaN at every break. `axes` are [{low, period}]; index[k] is the sample
 * from which a point comes (or after which it lies), isCut(k) says that samples k and k + 1 are not joined.
 */
export function wrappedPath(xs, ys, axes, isCut = () => false) {
  const path = { x: [], y: [], index: [] };
  const [u, v] = [continuous(xs, axes[0].period), continuous(ys, axes[1].period)];
  const put = (x, y, index) => {
    path.x.push(x);
    path.y.push(y);
    path.index.push(index);
  };
  if (u.length === 1) put(into(u[0], axes[0]), into(v[0], axes[1]), 0);
  for (let k = 0; k + 1 < u.length; k++) {
    if (!Number.isFinite(u[k] + u[k + 1] + v[k] + v[k + 1]) || isCut(k)) {
      put(NaN, NaN, k);
      continue;
    }
    const shares = [0, ...cuts(u[k], u[k + 1], axes[0]), ...cuts(v[k], v[k + 1], axes[1]), 1].sort((a, b) => a - b);
    for (let i = 0; i + 1 < shares.length; i++) {
      const middle = (shares[i] + shares[i + 1]) / 2;
      const [cellX, cellY] = [cell(mix(u, k, middle), axes[0]), cell(mix(v, k, middle), axes[1])];
      const [x, y] = [mix(u, k, shares[i]) - cellX, mix(v, k, shares[i]) - cellY];
      if (jumps(path.x.at(-1), x, axes[0]) || jumps(path.y.at(-1), y, axes[1])) put(NaN, NaN, k);
      put(x, y, k);
      put(mix(u, k, shares[i + 1]) - cellX, mix(v, k, shares[i + 1]) - cellY, k);
    }
  }
  return path;
}

/** Whether a piece begins at another edge than the one at which the piece before it ended. */
function jumps(end, start, { period }) {
  return period != null && Math.abs(start - end) > period / 2;
}

function mix(values, k, share) {
  return values[k] + share * (values[k + 1] - values[k]);
}

/** A value brought into the window of its axis. */
export function into(value, { low, period }) {
  return period == null ? value : low + modulo(value - low, period);
}

/** What to subtract to bring a value into the window. */
function cell(value, { low, period }) {
  return period == null ? 0 : period * Math.floor((value - low) / period);
}

/** Shares of the way from a to b at which the edge of a window is crossed. */
function cuts(a, b, { low, period }) {
  if (period == null || a === b) return [];
  const [first, last] = [Math.min(a, b), Math.max(a, b)];
  const found = [];
  for (let k = Math.floor((first - low) / period) + 1; low + k * period < last; k++) {
    found.push((low + k * period - a) / (b - a));
  }
  return found;
}
