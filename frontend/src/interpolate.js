// Places between the frames of a motion.
import { indexBefore } from "./plots/numbers.js";

/** @typedef {{index: number, next: number, share: number}} Place two frames, and how far along from one to the other */

/** Where t lies among ascending times. At an impact two frames share their time; the later one counts. */
export function placeOf(times, t) {
  const last = times.length - 1;
  const index = indexBefore(times, t);
  if (index >= last || t <= times[0]) return { index, next: index, share: 0 };
  return { index, next: index + 1, share: (t - times[index]) / (times[index + 1] - times[index]) };
}

/** Row `place` of an (N, 3) array, on the straight line between two frames. */
export function vectorAt(rows, { index, next, share }, out = [0, 0, 0]) {
  for (let k = 0; k < 3; k++) {
    const from = rows[3 * index + k];
    out[k] = from + share * (rows[3 * next + k] - from);
  }
  return out;
}

/** Entry `place` of a row of numbers, on the straight line between two frames. */
export function numberAt(values, { index, next, share }) {
  return values[index] + share * (values[next] - values[index]);
}

/** Row `place` of an (N, 4) array of unit quaternions (w, x, y, z), on the shorter great circle. */
export function quaternionAt(rows, { index, next, share }, out = [1, 0, 0, 0]) {
  const [a, b] = [4 * index, 4 * next];
  let cosine = 0;
  for (let k = 0; k < 4; k++) cosine += rows[a + k] * rows[b + k];
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const [from, to] =
    sine < 1e-4 ? [1 - share, share] : [Math.sin((1 - share) * angle) / sine, Math.sin(share * angle) / sine];
  let length = 0;
  for (let k = 0; k < 4; k++) {
    out[k] = from * rows[a + k] + sign * to * rows[b + k];
    length += out[k] * out[k];
  }
  length = Math.sqrt(length) || 1;
  for (let k = 0; k < 4; k++) out[k] /= length;
  return out;
}
