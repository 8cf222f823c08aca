import assert from "node:assert/strict";
import { test } from "node:test";
import { latex, table } from "../src/panels/exports.js";

test("numbers are a table with names, units and one row per frame", () => {
  const series = [
    { name: "a", unit: "rad", values: [1, 2] },
    { name: "x, y", unit: "", values: [3, 4] },
  ];
  assert.equal(table({ times: [0, 0.5], series }), 't,a [rad],"x, y"\n0,1,3\n0.5,2,4\n');
});

test("equations are displays under their titles", () => {
  assert.equal(latex([{ title: "Motion", latex: ["a = b", "c"] }]), "% Motion\n\\[ a = b \\]\n\\[ c \\]\n");
});
