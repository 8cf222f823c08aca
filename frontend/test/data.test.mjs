import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, decodeDocument } from "../src/data.js";

const base64 = (view) => Buffer.from(view.buffer).toString("base64");

test("arrays of the document become numbers with their shape, wherever they are", () => {
  const times = Float64Array.of(0, 0.1, 1e-300);
  const rows = Float32Array.of(1, 2, 3, 4, 5, 6);
  const found = decode({
    times: { shape: [3], f64: base64(times) },
    poses: [{ position: { shape: [2, 3], f32: base64(rows) } }],
    words: { shape: "round" },
    nothing: null,
  });
  assert.deepEqual([...found.times], [...times]);
  assert.deepEqual([...found.poses[0].position], [...rows]);
  assert.deepEqual(found.poses[0].position.shape, [2, 3]);
  assert.deepEqual(found.words, { shape: "round" });
  assert.equal(found.nothing, null);
});

test("another format is refused by its name", () => {
  assert.throws(() => decodeDocument({ format: "cardan-page/2" }), /cardan-page\/1.*cardan-page\/2/);
});
