import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, quaternionAt, vectorAt } from "../src/interpolate.js";

const EPS = Number.EPSILON;
const near = (actual, expected, within, because) =>
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected} within ${within}: ${because}`);

test("a body is halfway between two frames at the time between them", () => {
  const place = placeOf(Float64Array.of(0, 1, 3), 2);
  assert.deepEqual(place, { index: 1, next: 2, share: 0.5 });
  assert.deepEqual(vectorAt(Float32Array.of(9, 9, 9, 0, 0, 0, 2, 4, 8), place), [1, 2, 4]);
});

test("at an impact the frame after it counts", () => {
  const place = placeOf(Float64Array.of(0, 1, 1, 2), 1);
  assert.equal(place.index, 2);
  assert.equal(place.share, 0);
});

test("before the first and after the last frame the body stays where it is", () => {
  const times = Float64Array.of(1, 2);
  assert.deepEqual(placeOf(times, 0), { index: 0, next: 0, share: 0 });
  assert.deepEqual(placeOf(times, 5), { index: 1, next: 1, share: 0 });
});

test("a third of a quarter turn about z is thirty degrees, whichever sign the quaternion has", () => {
  const half = Math.PI / 4;
  for (const sign of [1, -1]) {
    const rows = Float64Array.of(1, 0, 0, 0, sign * Math.cos(half), 0, 0, sign * Math.sin(half));
    const [w, x, y, z] = quaternionAt(rows, { index: 0, next: 1, share: 1 / 3 });
    near(w, Math.cos(Math.PI / 12), 8 * EPS, "round-off of a few sines");
    near(z, Math.sin(Math.PI / 12), 8 * EPS, "round-off of a few sines");
    assert.deepEqual([x, y], [0, 0]);
  }
});

test("orientations between frames stay rotations, however close the frames are", () => {
  for (const angle of [1e-9, 1e-5, 1e-3, 3]) {
    const rows = Float64Array.of(1, 0, 0, 0, Math.cos(angle / 2), 0, Math.sin(angle / 2), 0);
    const q = quaternionAt(rows, { index: 0, next: 1, share: 0.3 });
    near(Math.hypot(...q), 1, 4 * EPS, "it is divided by its length");
    near(2 * Math.asin(q[2]), 0.3 * angle, 1e-8 * angle + 8 * EPS, "straight lines replace arcs below 2e-4 rad");
  }
});
