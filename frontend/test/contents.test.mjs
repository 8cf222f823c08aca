// Which cards a motion asks for; nothing is drawn, because no card is made.
import assert from "node:assert/strict";
import { test } from "node:test";
import { contentsOf } from "../src/plots/contents.js";
import { linearRange, logRange, scale } from "../src/plots/ranges.js";

const TIMES = [0, 1];
const series = (name, group, unit, more = {}) => ({ name, group, unit, values: [1, 2], ...more });
const contents = (list, portraits) => contentsOf({ portraits }, { series: list }, TIMES, null);
const titles = (found) => found.map(({ key, title, aside }) => [key, title + (aside ?? "")]);

/** What the plot of a content is given, as {name: label}. */
function labels({ fill }) {
  let given;
  fill({ plots: [{ show: (list) => (given = list) }] });
  return Object.fromEntries(given.map(({ name, label }) => [name, label]));
}

test("coordinates of two units have two cards, in the order of the groups", () => {
  const list = [series("E", "energy", "J"), series("x", "coordinates", "m"), series("a", "coordinates", "rad")];
  assert.deepEqual(titles(contents(list)), [
    ["coordinates/m", "Coordinates: length"],
    ["coordinates/rad", "Coordinates: angle"],
    ["energy/J", "Energy"],
  ]);
});

test("drifts of different units share one card, whose key no unit changes", () => {
  const list = [series("energy", "drift", "J"), series("constraints", "drift", "m")];
  assert.deepEqual(titles(contents(list)), [["drift/", "Drift of energy and constraints"]]);
});

test("a group that is not in the motion has no card", () => {
  assert.deepEqual(contents([series("s", "something else", "m")]), []);
});

test("coordinates are labelled by letters, what has a name by the name and its letter", () => {
  const [coordinates, indicators] = contents([
    series("phi_e", "coordinates", "rad"),
    series("x", "coordinates", "rad", { latex: "\\xi" }),
    series("load_M", "indicators", "", { latex: "\\sigma" }),
    series("rank", "indicators", ""),
  ]);
  assert.deepEqual(labels(coordinates), { phi_e: "φ_{e}", x: "\\xi" });
  assert.deepEqual(labels(indicators), { load_M: "\\text{load M}\\quad \\sigma", rank: "\\text{rank}" });
});

test("a portrait keeps its place in the model, and one without its series has no card", () => {
  const list = [series("x", "coordinates", "m"), series("y", "coordinates", "m")];
  const portraits = [
    { title: "lost", surface: "plane", x: "x", y: "missing" },
    { title: "flat", surface: "plane", x: "x", y: "y" },
    { title: "round", surface: "torus", x: "x", y: "y", x_period: 6, y_period: 6 },
  ];
  const found = titles(contents(list, portraits)).slice(1);
  assert.deepEqual(found, [["portrait/1", "flat"], ["portrait/2", "round on a torus"]]);
});

test("a linear axis leaves room around the data, also where they are all the same", () => {
  assert.deepEqual(linearRange([{ values: [0, 50, 100] }], 0, 2), [-6, 106]);
  assert.deepEqual(linearRange([{ values: [3, 3] }], 0, 1), [2.7, 3.3]);
  assert.deepEqual(linearRange([], 0, 1), [-1, 1]);
});

test("a logarithmic axis has whole decades, sixteen at most and six below a threshold", () => {
  assert.deepEqual(logRange([{ values: [0.02, 3] }], 0, 1), [0.01, 10]);
  assert.deepEqual(logRange([{ values: [1e-30, 1] }], 0, 1), [1e-16, 1]);
  assert.deepEqual(logRange([{ values: [1e-30, 1], threshold: 1e-3 }], 0, 1), [1e-9, 1]);
});

test("what is below a logarithmic axis lies on its lower edge", () => {
  const yAt = scale(1e-4, 1, { top: 0, bottom: 100 }, true);
  assert.deepEqual([yAt(1), yAt(1e-2), yAt(1e-4), yAt(0)], [0, 50, 100, 100]);
});
