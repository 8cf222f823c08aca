// A small chart as a drawing: curves and points over two axes, in the colours of the page.
import { h } from "../dom.js";
import { linearTicks } from "../plots/ticks.js";

const [WIDTH, HEIGHT] = [440, 270];
const ROOM = { left: 62, right: 14, top: 12, bottom: 44 };
const MARGIN = 0.06; // of what is shown, on each side
const COLOURS = 6; // of series, told apart by classes

/** @param {{title: string, x: string, y: string, lines: object[], marks: object[]}} chart decoded */
export function chartFigure(chart) {
  const { title, x, y, lines, marks } = chart;
  const [across, up] = [axis(chart, "x", ROOM.left, WIDTH - ROOM.right), axis(chart, "y", HEIGHT - ROOM.bottom, ROOM.top)];
  if (!across || !up) return null;
  const drawing = h(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `${title}: ${y} over ${x}` },
    zeroLines(across, up),
    across.ticks.map(({ value, text }) => [
      line(across.at(value), HEIGHT - ROOM.bottom, across.at(value), HEIGHT - ROOM.bottom + 4),
      label(across.at(value), HEIGHT - ROOM.bottom + 17, text, "middle"),
    ]),
    up.ticks.map(({ value, text }) => [
      line(ROOM.left - 4, up.at(value), ROOM.left, up.at(value)),
      label(ROOM.left - 8, up.at(value) + 4, text, "end"),
    ]),
    line(ROOM.left, HEIGHT - ROOM.bottom, WIDTH - ROOM.right, HEIGHT - ROOM.bottom),
    line(ROOM.left, ROOM.top, ROOM.left, HEIGHT - ROOM.bottom),
    label((ROOM.left + WIDTH - ROOM.right) / 2, HEIGHT - 8, x, "middle"),
    turned(16, (ROOM.top + HEIGHT - ROOM.bottom) / 2, y),
    lines.map((one) => curve(one, across, up)),
    marks.map((one) => points(one, across, up)),
  );
  const words = new Set(marks.map((one) => one.label));
  const named = [...words].filter(Boolean).map((text) => marks.find((one) => one.label === text));
  const legend = named.map((one) => h("li", { class: `tone-${one.tone} ${one.shape}` }, one.label));
  return h("figure", { class: "chart-figure" }, h("figcaption", {}, title), drawing, legend.length ? h("ul", {}, legend) : null);
}

/** From numbers to places along one axis; null where there are none. */
function axis({ lines, marks }, name, from, to) {
  let [low, high] = [Infinity, -Infinity];
  for (const part of [...lines, ...marks]) {
    for (const value of part[name]) [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  if (!(high >= low)) return null;
  const spread = high - low || Math.abs(high) || 1;
  [low, high] = [low - MARGIN * spread, high + MARGIN * spread];
  const at = (value) => from + ((value - low) / (high - low)) * (to - from);
  return { low, high, at, ticks: linearTicks(low, high, 5) };
}

function zeroLines(across, up) {
  const found = [];
  if (across.low < 0 && across.high > 0) found.push([across.at(0), ROOM.top, across.at(0), HEIGHT - ROOM.bottom]);
  if (up.low < 0 && up.high > 0) found.push([ROOM.left, up.at(0), WIDTH - ROOM.right, up.at(0)]);
  return found.map((ends) => h("g", { class: "zero" }, line(...ends)));
}

function curve({ x, y, tone, dashed }, across, up) {
  if (!x.length) return null;
  const d = Array.from(x, (value, k) => `${k ? "L" : "M"}${across.at(value).toFixed(1)} ${up.at(y[k]).toFixed(1)}`);
  return h("path", { d: d.join(""), class: `curve tone-${toneOf(tone)}${dashed ? " dashed" : ""}` });
}

function points({ x, y, tone, shape, label: words }, across, up) {
  return Array.from(x, (value, k) => {
    const place = { cx: across.at(value).toFixed(1), cy: up.at(y[k]).toFixed(1), r: shape === "dot" ? 3.4 : 4.4 };
    const [a, b] = [across.at(value), up.at(y[k])];
    const cross = `M${a - 4} ${b - 4}L${a + 4} ${b + 4}M${a - 4} ${b + 4}L${a + 4} ${b - 4}`;
    const mark = shape === "cross" ? h("path", { d: cross }) : h("circle", place);
    return h("g", { class: `mark ${shape} tone-${toneOf(tone)}` }, words ? h("title", {}, words) : null, mark);
  });
}

/** "good", "bad" and "plain" as they are, numbers as one of a few colours. */
function toneOf(tone) {
  return /^\d+$/.test(tone) ? `series-${Number(tone) % COLOURS}` : tone;
}

function line(x1, y1, x2, y2) {
  return h("line", { x1, y1, x2, y2 });
}

function label(x, y, text, anchor) {
  return h("text", { x, y, "text-anchor": anchor }, text);
}

function turned(x, y, text) {
  return h("text", { x, y, "text-anchor": "middle", transform: `rotate(-90 ${x} ${y})` }, text);
}
