// Points of a body, in its frame: where its name stands, and its end that moves when its origin does not.
import { Quaternion, Vector3 } from "three";

/** Where the name of the k-th body stands: on a rim, halfway along a bar, in the middle of anything else. */
export function anchorOf(body, k) {
  const shape = body.shapes?.[0];
  if (!shape) return new Vector3();
  const around = 0.7 + 1.9 * k; // rings inside each other carry their names at different places
  if (shape.kind === "ring")
    return inBody(shape, [shape.radius * Math.cos(around), shape.radius * Math.sin(around), 0]);
  if (shape.kind === "bar")
    return inBody(
      shape,
      shape.from.map((from, axis) => (from + shape.to[axis]) / 2),
    );
  return inBody(shape, [0, 0, 0]);
}

/** The point of the body's shapes that is farthest from its origin. */
export function farthestPoint(body) {
  const candidates = (body.shapes ?? []).flatMap((shape) => {
    if (shape.kind === "bar") return [inBody(shape, shape.from), inBody(shape, shape.to)];
    if (shape.kind === "ring") return [inBody(shape, [shape.radius, 0, 0])];
    return [inBody(shape, [0, 0, 0])];
  });
  return candidates.reduce((best, one) => (one.lengthSq() > best.lengthSq() ? one : best), new Vector3());
}

function inBody({ position = [0, 0, 0], quaternion = [1, 0, 0, 0] }, point) {
  const [w, x, y, z] = quaternion;
  return new Vector3(...point).applyQuaternion(new Quaternion(x, y, z, w)).add(new Vector3(...position));
}
