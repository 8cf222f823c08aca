// Sliders for parameters, start, loads and inputs.
import { h, icon, panel } from "../dom.js";
import { compact } from "../format.js";
import { ICONS } from "../icons.js";
import { mathNode } from "../mathematics.js";

const GROUPS = { parameters: "Parameters", start: "Start", loads: "Loads", inputs: "Inputs" };

const COMPLETE = ["finished", "event"]; // a motion that went as far as it was asked to

export class Controls {
  /**
   * @param {object[]} controls of the model
   * @param {number} duration of the motion, s
   * @param {{moved: (values: object) => void, rested: (values: object) => void}} requests
   */
  constructor(controls, duration, requests) {
    this.requests = requests;
    this.besides = null; // values of a pixel that have no slider
    this.rows = controls.map((control) => this.#row(control));
    this.duration = h("input", {
      type: "number",
      value: duration,
      min: 0,
      step: "any",
      "aria-label": "simulated time in seconds",
      onchange: () => this.#rested(),
    });
    this.problem = h("div", { class: "problem", role: "alert", hidden: true });
    this.latency = h("p", { class: "latency", "aria-live": "polite" });
    const groups = Object.entries(GROUPS).map(([group, title]) => {
      const own = this.rows.filter(({ control }) => control.group === group);
      return own.length ? h("fieldset", {}, h("legend", {}, title), own.map(({ element }) => element)) : null;
    });
    const time = h("label", { class: "duration" }, "Simulated time", this.duration, "s");
    const reset = h(
      "button",
      { class: "plain-button", type: "button", onclick: () => this.reset() },
      icon(ICONS.reset),
      "Reset all",
    );
    this.element = panel(
      "controls",
      "Try other values",
      this.problem,
      groups,
      h("div", { class: "controls-foot" }, time, reset, this.latency),
    );
  }

  #row(control) {
    const { name, latex, unit, value, minimum, maximum, step } = control;
    const words = unit ? `${name} in ${unit}` : name;
    const slider = h("input", {
      type: "range",
      min: minimum,
      max: maximum,
      step: step || "any",
      value,
      "aria-label": words,
      "data-control": name,
      oninput: () => this.#set(row, Number(slider.value)),
      onchange: () => this.#rested(),
    });
    const number = h("input", {
      type: "number",
      step: "any",
      value: short(value),
      "aria-label": `${words}, as a number`,
      onchange: () => number.value !== "" && this.#set(row, Number(number.value)),
    });
    const undo = h(
      "button",
      {
        class: "undo",
        type: "button",
        title: "back to the first value",
        "aria-label": `reset ${name}`,
        onclick: () => this.#set(row, value),
      },
      icon(ICONS.reset),
    );
    const element = h(
      "div",
      { class: "control" },
      h("span", { class: "symbol", title: name }, mathNode(latex || name, name)),
      slider,
      number,
      h("span", { class: "unit" }, unit ?? ""),
      undo,
    );
    const row = { control, slider, number, undo, element, value };
    show(row);
    return row;
  }

  #set(row, value) {
    if (!Number.isFinite(value)) return;
    row.value = value;
    show(row);
    this.requests.moved(this.values());
  }

  #rested() {
    this.requests.rested(this.values());
  }

  reset() {
    this.besides = null;
    for (const row of this.rows) {
      row.value = row.control.value;
      show(row);
    }
    this.requests.moved(this.values());
  }

  /** Values by the groups of a request, as of a pixel of a map; those without a slider go along until the next. */
  put(change) {
    this.besides = change;
    for (const row of this.rows) {
      const value = change[groupOf(row.control)][row.control.name];
      if (value === undefined) continue;
      row.value = value;
      show(row);
    }
    this.requests.moved(this.values());
  }

  /** All values, by the groups of a request. */
  values() {
    const found = { values: {}, q: {}, v: {}, loads: {}, inputs: {} };
    for (const [group, others] of Object.entries(this.besides ?? {})) Object.assign(found[group], others);
    for (const { control, value } of this.rows) found[groupOf(control)][control.name] = value;
    const duration = Number(this.duration.value);
    return duration > 0 ? { ...found, duration } : found;
  }

  /** How long the picture took, and how much of it was computing. */
  showLatency(total, computing) {
    this.clearProblem();
    this.latency.textContent = `picture after ${total.toFixed(0)} ms (${computing.toFixed(0)} ms computing)`;
  }

  /** What was wrong is over. */
  clearProblem() {
    this.problem.hidden = true;
  }

  /** What happened, and what the picture shows: the last motion, where there is no new one. */
  showProblem(title, what, shown = "The picture still shows the last motion.") {
    this.problem.replaceChildren(h("strong", {}, title), h("p", {}, what), h("p", { class: "detail" }, shown));
    this.problem.hidden = false;
  }

  /** A motion that ended before it was meant to says why. */
  showEnd({ status, message, times }) {
    if (COMPLETE.includes(status)) return;
    const last = times.length ? times[times.length - 1] : 0;
    this.showProblem("The motion ends early", message || status, `The picture shows it up to t = ${last.toPrecision(4)} s.`);
  }
}

function groupOf({ group, of }) {
  return group === "parameters" ? "values" : group === "start" ? of : group;
}

function show({ slider, number, undo, value, control }) {
  slider.value = value;
  const share = (value - control.minimum) / (control.maximum - control.minimum || 1);
  slider.style.setProperty("--share", String(Math.min(1, Math.max(0, share))));
  if (document.activeElement !== number || Number(number.value) !== value) number.value = short(value);
  undo.classList.toggle("changed", value !== control.value);
  slider.setAttribute("aria-valuetext", `${compact(value)} ${control.unit ?? ""}`);
}

/** Digits that fit: 0.30000000000000004 is 0.3. The slider keeps the value itself. */
function short(value) {
  return String(Number(value.toPrecision(6)));
}
