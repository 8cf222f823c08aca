import assert from "node:assert/strict";
import { test } from "node:test";
import { Cells, change, rowOf, share } from "../src/panels/map.js";

const entry = {
  x: { group: "q", name: "a", values: [0, 1, 2, 4], stride: 3 },
  y: { group: "values", name: "l", values: [5, 6, 7], stride: 1 },
  rest: [{ group: "v", name: "b_dot", value: 9 }],
  first: 0,
};

test("a cell ends half way to its neighbours, also where they are not equally far", () => {
  const cells = new Cells(entry.x.values, 100, 200);
  assert.deepEqual(cells.edges, [-0.5, 0.5, 1.5, 3, 5]);
  assert.deepEqual(
    [100, 117, 119, 135, 137, 160, 165, 200].map((place) => cells.cell(place)),
    [0, 0, 1, 1, 2, 2, 3, 3],
  );
  assert.equal(cells.cell(99), null);
  assert.equal(cells.cell(201), null);
});

test("an axis that goes up the screen, and values that fall", () => {
  const up = new Cells([0, 1], 90, 10);
  assert.deepEqual([80, 20].map((place) => up.cell(place)), [0, 1]);
  const falling = new Cells([3, 2, 1], 0, 30);
  assert.deepEqual([5, 15, 25].map((place) => falling.cell(place)), [0, 1, 2]);
});

test("an axis of one value", () => {
  const one = new Cells([2], 0, 10);
  assert.equal(one.cell(5), 0);
  assert.equal(one.centre(0), 5);
});

test("a pixel is a row of the study and a change of its run", () => {
  assert.equal(rowOf(entry, [2, 1]), 7);
  assert.deepEqual(change(entry, [3, 0]), { values: { l: 5 }, q: { a: 4 }, v: { b_dot: 9 }, loads: {}, inputs: {} });
});

test("a value on the scale of colours", () => {
  assert.equal(share({ low: 1, high: 100, logarithmic: true }, 10), 0.5);
  assert.equal(share({ low: 1, high: 3, logarithmic: false }, 2), 0.5);
  assert.equal(share({ low: 1, high: 3, logarithmic: false }, Number.NaN), null);
  assert.equal(share({ low: 2, high: 2, logarithmic: false }, 2), 0);
});
