// Where the things of a scene are, from the numbers that a kernel gives: positions and unit quaternions that never jump.

const Z = [0, 0, 1];

/** Positions (N, 3) and quaternions (N, 4) of one actor; `numbers` are the outputs at each frame. */
export function pose({ kind, at, share, length: own }, numbers) {
  const position = shaped(new Float32Array(3 * numbers.length), 3);
  const quaternion = shaped(new Float32Array(4 * numbers.length), 4);
  const stretch = own ? new Float32Array(numbers.length) : null;
  let before = null;
  let normal = null;
  numbers.forEach((row, k) => {
    const one = Array.from(row.slice(at, at + 12));
    const span = [3, 4, 5].map((j) => one[j] - one[j - 3]);
    let e = [1, 0, 0, 0];
    let place = one.slice(0, 3);
    if (kind === "frame") e = ofRotation(one.slice(3, 12));
    else if (kind === "rod") e = turning(Z, span);
    else if (kind === "disc") e = about(turning(Z, one.slice(3, 6)), one[6]);
    else if (kind === "bead") place = place.map((x, j) => x + share * span[j]);
    else {
      const found = cross(one.slice(3, 6), [6, 7, 8].map((j) => one[j] - one[j - 6]));
      const size = length(found);
      normal = size > 1e-9 ? found.map((x) => x / size) : (normal ?? perpendicular(one.slice(3, 6)));
      e = turning(Z, normal);
    }
    if (before && dot(before, e) < 0) e = e.map((x) => -x);
    before = e;
    if (stretch) stretch[k] = length(span) / own;
    position.set(place, 3 * k);
    quaternion.set(e, 4 * k);
  });
  return stretch ? { position, quaternion, stretch: shaped(stretch, 1) } : { position, quaternion };
}

export function shaped(values, columns) {
  return Object.assign(values, { shape: [values.length / columns, columns] });
}

/** By the largest of the four components, which is never small. */
function ofRotation([xx, xy, xz, yx, yy, yz, zx, zy, zz]) {
  const squares = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz];
  const [a, b, c] = [zy - yz, xz - zx, yx - xy];
  const [p, q, r] = [xy + yx, xz + zx, yz + zy];
  const products = [
    [squares[0], a, b, c],
    [a, squares[1], p, q],
    [b, p, squares[2], r],
    [c, q, r, squares[3]],
  ];
  return unit(products[squares.indexOf(Math.max(...squares))]);
}

/** The shortest turn that takes one unit vector to a direction. */
function turning(a, direction) {
  const size = length(direction);
  const b = size > 0 ? direction.map((x) => x / size) : a;
  const w = 1 + dot(a, b);
  return w < 1e-12 ? [0, ...perpendicular(a)] : unit([w, ...cross(a, b)]);
}

/** A turn, and then another by an angle about the z axis that it has brought along. */
function about([w, x, y, z], angle) {
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  return [w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s];
}

function perpendicular(direction) {
  const sizes = direction.map(Math.abs);
  const other = [0, 0, 0];
  other[sizes.indexOf(Math.min(...sizes))] = 1;
  return unit(cross(direction, other));
}

const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
const length = (a) => Math.sqrt(dot(a, a));
const unit = (a) => a.map((x) => x / length(a));
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
