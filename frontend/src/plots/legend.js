// The legend of a plot: one button per series with its line, label and value at the cursor; a click hides the series.

import { labelNode, plain } from "./labels.js";
import { written } from "./numbers.js";

const SVG = "http://www.w3.org/2000/svg";

export class Legend {
  // onToggle(name) is called when an entry is clicked.
  constructor(onToggle) {
    this.el = document.createElement("div");
    this.el.className = "plot-legend";
    this.onToggle = onToggle;
    this.entries = [];
  }

  // series: [{name, label (LaTeX), unit, colour, dash, hidden, showUnit}]
  show(series) {
    const looks = JSON.stringify(series.map(({ values: _, passages: __, ...look }) => look));
    if (looks === this.looks) return;
    this.looks = looks;
    this.el.replaceChildren();
    this.entries = series.map((one) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "plot-entry";
      button.setAttribute("aria-pressed", String(!one.hidden));
      button.title = `${one.hidden ? "show" : "hide"} ${plain(one.label)}`;
      const value = document.createElement("span");
      value.className = "plot-value";
      button.append(swatch(one), labelNode(one.label), value);
      button.addEventListener("click", () => this.onToggle(one.name));
      this.el.append(button);
      return { value, unit: one.showUnit && one.unit ? ` ${one.unit}` : "", shown: "" };
    });
  }

  // Writes the values at the cursor, in the order of the series.
  values(numbers) {
    this.entries.forEach((entry, k) => {
      const text = Number.isFinite(numbers[k]) ? written(numbers[k]) + entry.unit : "–";
      if (text !== entry.shown) entry.value.textContent = entry.shown = text;
    });
  }
}

export function swatch(one) {
  const svg = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "line");
  svg.setAttribute("viewBox", "0 0 22 10");
  svg.setAttribute("class", "plot-swatch");
  svg.setAttribute("aria-hidden", "true");
  for (const [key, value] of Object.entries({ x1: 1, y1: 5, x2: 21, y2: 5, "stroke-width": 2.4, stroke: one.colour })) {
    line.setAttribute(key, value);
  }
  if (one.dash.length) line.setAttribute("stroke-dasharray", one.dash.join(" "));
  svg.append(line);
  return svg;
}
