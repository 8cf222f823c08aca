// What a number of a state may be wrong by where it passes through zero: `trajectory/tolerances.py`, operation by operation.

/** @returns {number[]} atol of each number of the state */
export function tolerances({ nq, n, kinds, usual_atol: usual }, y, rates, span) {
  const sizes = sizesAtStart(nq, n, kinds, usual, y, rates, Math.abs(span));
  return sizes.map((size) => (usual.atol * size) / Math.min(Math.max(size, usual.small), usual.large));
}

function sizesAtStart(nq, n, kinds, usual, y, rates, span) {
  const fast = Array.from(rates, Math.abs);
  if (!fast.every(Number.isFinite)) return new Array(n).fill(1);
  const carried = Array.from(y, (value, k) => Math.max(Math.abs(value), span * fast[k]));
  if (2 * nq === n) {
    for (let k = 0; k < nq; k++) if (!(carried[k] > 0)) carried[k] = ((span * span) / 2) * fast[nq + k];
  }
  const sizes = new Array(n).fill(1);
  for (const [places, velocities] of kinds) {
    const far = largest(carried, places);
    const speed = Math.max(largest(carried, velocities), span ? (usual.small * far) / span : 0);
    for (const [kind, most] of [[places, far], [velocities, speed]]) {
      for (const k of kind) {
        const own = Math.abs(y[k]);
        sizes[k] = own > usual.nothing * most ? Math.max(own, usual.least * most) : most;
      }
    }
  }
  return sizes.map((size) => (size > 0 ? size : 1));
}

function largest(values, places) {
  return places.reduce((most, k) => Math.max(most, values[k]), 0);
}
