// A start on the constraints: led from that of the run, where they hold, to the numbers that are asked for.

const LEGS = 8; // so many parts of the way, each from where the last one came
const ROUNDS = 20;
const ENOUGH = 1e-15; // relative to what is asked for
const ACCEPTED = 1e-9; // the same, where rounds bring no more
const NUDGE = 1e-6; // by which each number is moved to see which way the constraints let it go
const DEPENDENT = 1e-9; // of the largest pivot: what is held cannot be had together

/**
 * The state with the numbers that are held, on the constraints; null where none is near.
 * @param {(p: Float64Array, y: Float64Array) => Float64Array} project to the constraints with parameters p; nan if not
 * @param {{p: Float64Array, y: Float64Array}} run
 * @param {Float64Array} p
 * @param {Map<number, number>} held places in the state, and their values
 */
export function ledTo(project, run, p, held) {
  let y = run.y;
  for (let leg = 1; leg <= LEGS; leg++) {
    const part = leg / LEGS;
    const between = (a, b) => (leg === LEGS ? b : a + part * (b - a));
    const here = run.p.map((value, k) => between(value, p[k]));
    const wanted = [...held].map(([k, value]) => [k, between(run.y[k], value)]);
    y = reached((guess) => project(here, guess), y, wanted);
    if (y === null) return null;
  }
  return y;
}

/** Newton's method on the constraint set, along the directions in which its states can be moved. */
function reached(project, from, wanted) {
  let y = project(from);
  for (let round = 0; round < ROUNDS; round++) {
    if (!y.every(Number.isFinite)) return null;
    const left = wanted.map(([k, value]) => value - y[k]);
    if (off(left, wanted) <= ENOUGH) break;
    const ways = directions(project, y);
    const step = shortest(ways, wanted.map(([k]) => k), left);
    if (step === null) break;
    const next = project(y.map((value, k) => value + step.reduce((sum, amount, j) => sum + amount * ways[j][k], 0)));
    const better = next.every(Number.isFinite) && off(wanted.map(([k, value]) => value - next[k]), wanted) < off(left, wanted);
    if (!better) break;
    y = next;
  }
  return off(wanted.map(([k, value]) => value - y[k]), wanted) <= ACCEPTED ? y : null;
}

function off(left, wanted) {
  return Math.max(0, ...left.map((value, i) => Math.abs(value) / (1 + Math.abs(wanted[i][1]))));
}

/** How the state moves on the constraints when one number after the other is nudged. */
function directions(project, y) {
  return Array.from(y, (value, j) => {
    const nudge = NUDGE * (1 + Math.abs(value));
    const moved = y.slice();
    moved[j] += nudge;
    return project(moved).map((other, k) => (other - y[k]) / nudge);
  });
}

/** The smallest amounts of the ways that change the numbers at some places by what is left: W^T (W W^T)^-1 left. */
function shortest(ways, places, left) {
  const rows = places.map((k) => ways.map((way) => way[k]));
  const dot = (a, b) => a.reduce((sum, x, j) => sum + x * b[j], 0);
  const solved = solve(rows.map((row) => rows.map((other) => dot(row, other))), left);
  return solved && ways.map((_, j) => rows.reduce((sum, row, i) => sum + row[j] * solved[i], 0));
}

/** The solution of a few symmetric equations, by elimination; null where they depend on each other. */
function solve(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  const largest = Math.max(...matrix.map((row, i) => row[i]));
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    const best = rows.reduce((found, row, i) => (i >= k && Math.abs(row[k]) > Math.abs(rows[found][k]) ? i : found), k);
    [rows[k], rows[best]] = [rows[best], rows[k]];
    if (!(Math.abs(rows[k][k]) > DEPENDENT * largest)) return null;
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const x = new Array(n).fill(0);
  for (let k = n - 1; k >= 0; k--) {
    x[k] = (rows[k][n] - rows[k].slice(k + 1, n).reduce((sum, value, j) => sum + value * x[k + 1 + j], 0)) / rows[k][k];
  }
  return x;
}
