// What the plots share, without a plot.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Link } from "../src/plots/link.js";

/** A link to a run from 2 s to 12 s, and the names of what it tells. */
function linked() {
  const link = new Link({}, null);
  link.setRun([2, 5, 12]);
  const heard = [];
  for (const name of ["time", "seek", "view"]) link.addEventListener(name, () => heard.push(name));
  return { link, heard };
}

test("a run is shown whole, and its time is inside it", () => {
  const { link } = linked();
  assert.deepEqual([link.view, link.time, link.isWhole], [[2, 12], 2, true]);
});

test("pointing beyond an end goes to the end, and who follows the time hears of it first", () => {
  const { link, heard } = linked();
  link.seek(99);
  assert.equal(link.time, 12);
  assert.deepEqual(heard, ["time", "seek"]);
});

test("a time that is there already is not told again", () => {
  const { link, heard } = linked();
  link.setTime(4);
  link.setTime(4);
  assert.deepEqual(heard, ["time"]);
});

test("a part of the run keeps its width where it would leave the run", () => {
  const { link, heard } = linked();
  link.zoom([10, 14]);
  assert.deepEqual(link.view, [8, 12]);
  assert.equal(link.isWhole, false);
  link.zoom([-5, -4]);
  assert.deepEqual(link.view, [2, 3]);
  link.zoom(null);
  assert.deepEqual([link.view, link.isWhole], [[2, 12], true]);
  assert.deepEqual(heard, ["view", "view", "view"]);
});

test("nobody zooms closer than a five-thousandth of the run, or farther than all of it", () => {
  const { link } = linked();
  link.zoom([7, 7]);
  const width = link.view[1] - link.view[0];
  assert.ok(Math.abs(width - 10 / 5000) < 1e-14, "round-off of ends near 7");
  link.zoom([-100, 100]);
  assert.deepEqual(link.view, [2, 12]);
});

test("another motion over the same time stays zoomed, a longer one is shown whole", () => {
  const { link } = linked();
  link.zoom([4, 6]);
  link.setRun([2, 3, 12]);
  assert.deepEqual(link.view, [4, 6]);
  link.setRun([2, 20]);
  assert.deepEqual(link.view, [2, 20]);
});

test("a shorter motion takes the time back inside", () => {
  const { link } = linked();
  link.setTime(11);
  link.setRun([2, 5]);
  assert.equal(link.time, 5);
});
