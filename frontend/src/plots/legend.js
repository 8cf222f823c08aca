// The legend of a plot: one button per series with its line, label and value at the cursor; a click hides the series.
import { h } from "../dom.js";
import { kindColour } from "./colours.js";
import { labelNode, mathText, plain } from "./labels.js";
import { written } from "./numbers.js";

export class Legend {
  /** @param {(name: string) => void} onToggle hears of an entry that is clicked */
  constructor(onToggle) {
    this.element = h("div", { class: "plot-legend" });
    this.onToggle = onToggle;
    this.entries = [];
  }

  /** @param {object[]} series {name, label (LaTeX), unit, colour, dash, hidden, showUnit} */
  show(series) {
    const looks = JSON.stringify(series.map(({ values: _, passages: __, ...look }) => look));
    if (looks === this.looks) return;
    this.looks = looks;
    this.entries = series.map((one) => this.#entry(one));
    this.element.replaceChildren(...this.entries.map(({ button }) => button));
  }

  #entry(one) {
    const value = h("span", { class: "plot-value" });
    const button = h(
      "button",
      {
        class: "plot-entry",
        type: "button",
        title: `${one.hidden ? "show" : "hide"} ${plain(one.label)}`,
        "aria-pressed": String(!one.hidden),
        onclick: () => this.onToggle(one.name),
      },
      swatch(one),
      labelNode(one.label),
      value,
    );
    return { button, value, unit: one.showUnit && one.unit ? ` ${one.unit}` : "", shown: "" };
  }

  /** Writes the values at the cursor, in the order of the series. */
  values(numbers) {
    this.entries.forEach((entry, k) => {
      const text = Number.isFinite(numbers[k]) ? written(numbers[k]) + entry.unit : "–";
      if (text !== entry.shown) entry.value.textContent = entry.shown = text;
    });
  }
}

/** What a singular curve of a portrait is. */
export function singularEntry({ kind, label }, theme) {
  const line = swatch({ colour: kindColour(theme, kind), dash: [6, 3] });
  return h("span", { class: "plot-entry plot-singular" }, line, labelNode(mathText(label)));
}

/** A piece of the line that is drawn. */
function swatch({ colour, dash }) {
  const dashes = dash.length ? dash.join(" ") : null;
  const look = { x1: 1, y1: 5, x2: 21, y2: 5, "stroke-width": 2.4, stroke: colour, "stroke-dasharray": dashes };
  return h("svg", { viewBox: "0 0 22 10", class: "plot-swatch", "aria-hidden": "true" }, h("line", look));
}
