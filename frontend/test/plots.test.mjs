// The parts of the plots that draw nothing: ticks, labels, thinned and unrolled curves, crossings, surfaces.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DASHES, seriesStyle } from "../src/plots/colours.js";
import { extent, tracePath } from "../src/plots/decimate.js";
import { mathText, pieces, plain } from "../src/plots/labels.js";
import { below, crossings } from "../src/plots/marks.js";
import { indexBefore, numbers, valueAt, written } from "../src/plots/numbers.js";
import { portraitData } from "../src/plots/portraitdata.js";
import { onSurface, surfacePoint } from "../src/plots/surface.js";
import { linearTicks, logTicks, periodicTicks } from "../src/plots/ticks.js";
import { wrappedPath } from "../src/plots/wrapping.js";

const TURN = 2 * Math.PI;
const texts = (ticks) => ticks.map((one) => one.text).filter(Boolean);

test("ticks are round numbers inside the range", () => {
  assert.deepEqual(texts(linearTicks(0, 10, 5)), ["0", "2", "4", "6", "8", "10"]);
  assert.deepEqual(texts(linearTicks(-0.3, 0.31, 3)), ["−0.25", "0.00", "0.25"]);
  assert.deepEqual(texts(linearTicks(-1.2, 1.2, 3)), ["−1", "0", "1"]);
  assert.deepEqual(texts(linearTicks(0, 3e6, 3)), ["0", "1·10⁶", "2·10⁶", "3·10⁶"]);
  for (const [low, high] of [[0.013, 0.0172], [-1e-9, 4e-9], [99.2, 101.7], [5, 5]]) {
    const ticks = linearTicks(low, high, 5);
    assert.ok(ticks.length >= 1 && ticks.length <= 12);
    assert.ok(ticks.every(({ value }) => value >= low - 1e-12 && value <= high + 1e-12 * Math.abs(high) + 1e-12));
    assert.equal(new Set(texts(ticks)).size, ticks.length);
  }
});

test("ticks of a logarithmic axis are powers of ten, the highest always named", () => {
  assert.deepEqual(texts(logTicks(1e-3, 1, 5)), ["10⁻³", "10⁻²", "10⁻¹", "1"]);
  assert.equal(texts(logTicks(1e-16, 10, 5)).at(-1), "10¹");
  assert.ok(texts(logTicks(1e-16, 10, 5)).length <= 5);
});

test("ticks of a turn are parts of pi", () => {
  assert.deepEqual(texts(periodicTicks(-Math.PI / 2, 1.5 * Math.PI, TURN)), ["−π/2", "0", "π/2", "π", "3π/2"]);
  assert.deepEqual(texts(periodicTicks(0, TURN, TURN, true)), ["0", "π", "2π"]);
  assert.deepEqual(texts(periodicTicks(0, 360, 360)), texts(linearTicks(0, 360, 4)));
});

test("simple LaTeX becomes text with indices and dots", () => {
  assert.deepEqual(pieces("\\varphi_{e}"), [{ text: "φ", level: 0 }, { text: "e", level: -1 }]);
  assert.deepEqual(pieces("\\dot{\\phi_{e}}"), [{ text: "φ\u0307", level: 0 }, { text: "e", level: -1 }]);
  assert.deepEqual(pieces("x_{1}^{2}"), [{ text: "x", level: 0 }, { text: "1", level: -1 }, { text: "2", level: 1 }]);
  assert.equal(plain("\\alpha_{12}"), "α₁₂");
  assert.equal(plain("\\sin{\\left(\\beta \\right)} = 0").replaceAll("\u2009", ""), "sin(β) = 0");
  assert.equal(plain("\\lambda_{\\text{loop x}}"), "λ_loop x");
  assert.equal(plain(""), "");
  assert.equal(plain("{unclosed"), "unclosed");
});

test("names in words become letters", () => {
  assert.equal(plain(mathText("sin(phi_e) = 0")), "sin(φₑ) = 0");
  assert.equal(plain(mathText("alpha and alpha_dot")), "α and α\u0307");
  assert.equal(plain(mathText("theta1 in a basin")), "θ₁ in a basin");
  assert.equal(mathText("\\nu"), "\\nu");
});

test("numbers are short and never lie about their sign", () => {
  assert.equal(written(0), "0.000");
  assert.equal(written(-12.3456), "−12.35");
  assert.equal(written(1234.5), "1235");
  assert.equal(written(4.11e-9), "4.11×10⁻⁹");
  assert.equal(written(NaN), "–");
});

test("arrays of the document are decoded", () => {
  const bytes = Buffer.from(new Float64Array([1, -2.5]).buffer).toString("base64");
  assert.deepEqual([...numbers({ shape: [2], f64: bytes })], [1, -2.5]);
  assert.deepEqual(numbers([1, 2]), [1, 2]);
  assert.deepEqual(numbers([[1, 2], [3, 4]]), [1, 2, 3, 4]);
});

test("values between samples lie on straight lines", () => {
  const times = [0, 1, 3];
  assert.equal(indexBefore(times, 2.9), 1);
  assert.equal(indexBefore(times, -1), 0);
  assert.equal(indexBefore(times, 9), 2);
  assert.equal(valueAt(times, [0, 10, 30], 2), 20);
  assert.equal(valueAt(times, [0, 10, 30], 99), 30);
});

test("thinning keeps the lowest and highest value of every column of pixels", () => {
  const n = 20000;
  const values = Float64Array.from({ length: n }, (_, k) => Math.sin(k) * (k === 7777 ? 50 : 1));
  const drawn = [];
  const path = { moveTo: (x, y) => drawn.push([x, y]), lineTo: (x, y) => drawn.push([x, y]) };
  tracePath(path, 0, n - 1, (k) => (k / n) * 300, (k) => values[k]);
  assert.ok(drawn.length < 300 * 2 * 5);
  assert.deepEqual(extent(drawn.map(([, y]) => y)), extent(values));
});

test("a gap in the data is a gap in the path", () => {
  let moves = 0;
  tracePath({ moveTo: () => moves++, lineTo: () => {} }, 0, 4, (k) => 10 * k, (k) => [1, 2, NaN, 3, 4][k]);
  assert.equal(moves, 2);
});

test("an unrolled curve stays in its window and keeps its length", () => {
  const [xs, ys] = [[], []];
  for (let k = 0; k < 200; k++) {
    xs.push(0.4 * k);
    ys.push(-0.27 * k + Math.sin(k / 9));
  }
  const axes = [{ low: -Math.PI, period: TURN }, { low: 0, period: TURN }];
  const path = wrappedPath(xs, ys, axes);
  let [length, expected] = [0, 0];
  for (let k = 1; k < path.x.length; k++) {
    const step = Math.hypot(path.x[k] - path.x[k - 1], path.y[k] - path.y[k - 1]);
    if (Number.isFinite(step)) length += step;
  }
  for (let k = 1; k < xs.length; k++) expected += Math.hypot(xs[k] - xs[k - 1], ys[k] - ys[k - 1]);
  assert.ok(Math.abs(length - expected) < 1e-9, "sums of a few hundred pieces");
  path.x.forEach((x, k) => {
    if (!Number.isFinite(x)) return;
    assert.ok(x >= -Math.PI - 1e-9 && x <= Math.PI + 1e-9);
    assert.ok(path.y[k] >= -1e-9 && path.y[k] <= TURN + 1e-9);
  });
});

test("crossings lie halfway in the exponent, and the time below is between them", () => {
  const found = crossings([0, 1, 2], [1, 1e-6, 1], 1e-3);
  assert.deepEqual(found.map(({ down }) => down), [true, false]);
  assert.ok(Math.abs(found[0].t - 0.5) < 1e-12 && Math.abs(found[1].t - 1.5) < 1e-12);
  assert.equal(below([0, 1, 2], [1, 1e-6, 1], 1e-3).length, 1);
  assert.deepEqual(below([0, 1], [1e-9, 1e-9], 1e-3), [[0, 1]]);
});

test("places on a torus are one tube from its ring, and a period brings them back", () => {
  for (const [x, y] of [[0, 0], [1, 2], [-4, 0.3], [2.2, -9]]) {
    const [px, py, pz] = surfacePoint("torus", x, y, [TURN, TURN], 1);
    assert.ok(Math.abs(Math.hypot(Math.hypot(px, py) - 0.68, pz) - 0.32) < 1e-12);
    const again = surfacePoint("torus", x + TURN, y - TURN, [TURN, TURN], 1);
    assert.ok(Math.hypot(again[0] - px, again[1] - py, again[2] - pz) < 1e-12);
  }
  const { point, normal } = onSurface("torus", 0, 0, [TURN, TURN], 2);
  assert.deepEqual([point, normal], [[2, 0, 0], [1, 0, 0]]);
});

test("a cylinder goes round along whichever coordinate has the period", () => {
  const size = { radius: 1, x: [0, 4], y: [-3, 3] };
  assert.equal(surfacePoint("cylinder", 1.7, 0, [TURN, null], size)[2], 0);
  assert.equal(surfacePoint("cylinder", 4, 1.7, [null, TURN], size)[2], 0.8);
  assert.deepEqual(surfacePoint("plane", 2, 3, [null, null], size), [0, 1, 0]);
});

const motion = (phi, rate, events = []) => ({
  series: [
    { name: "phi", latex: "\\varphi", unit: "rad", values: phi },
    { name: "phi_dot", latex: "\\dot{\\varphi}", unit: "rad/s", values: rate },
  ],
  events,
});
const line = (x) => ({ shape: [3, 2], f64: Buffer.from(new Float64Array([x, -1, x, 0, x, 1]).buffer).toString("base64") });

test("a portrait shows what is singular half a turn away inside its window, over the whole height", () => {
  const portrait = { surface: "cylinder", x: "phi", y: "phi_dot", x_period: TURN, singular: [{ kind: "gimbal-lock", label: "", curves: [line(0), line(Math.PI)] }] };
  const data = portraitData(portrait, motion([0.1, 0.2, 0.3], [5, 6, 7]), [0, 1, 2]);
  assert.equal(data.axes[0].low, -TURN / 4);
  const [, ys] = data.singular[0].curves[0];
  assert.deepEqual([ys[0], ys.at(-1)], [data.axes[1].low, data.axes[1].high]);
});

test("a portrait is cut at an impact, whichever side of it a sample lies", () => {
  const portrait = { surface: "plane", x: "phi", y: "phi_dot", singular: [] };
  for (const t of [2, 2.5, 3]) {
    const data = portraitData(portrait, motion([2, 1, 0, 0.1, 1], [-1, -1, -1, 1, 1], [{ t, kind: "impact" }]), [0, 1, 2, 3, 4]);
    assert.deepEqual(data.cuts, [2]);
  }
  assert.equal(portraitData({ ...portrait, y: "missing" }, motion([0], [0]), [0]), null);
});

test("series beyond the sixth differ by dashes", () => {
  assert.equal(seriesStyle("light", 0).colour, seriesStyle("light", 6).colour);
  assert.deepEqual(seriesStyle("light", 6).dash, DASHES[1]);
});
