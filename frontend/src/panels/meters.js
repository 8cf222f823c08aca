// Live singularity meters: how far each indicator is from the value below which it is reported.
import { h, panel } from "../dom.js";
import { compact, seconds } from "../format.js";
import { plain } from "../plots/labels.js";
import { valueAt } from "../plots/numbers.js";

const BEYOND = 3; // decades shown below the threshold
const NEAR = 30; // times the threshold: from here on it is worth a look

export class Meters {
  /** @param {import("./explanation.js").Explanation} explanation */
  constructor(explanation) {
    this.explanation = explanation;
    this.list = h("div", { class: "meters" });
    this.element = panel("meters", "Singularity meters", this.list);
    this.element.classList.add("meters-panel");
    this.meters = [];
  }

  setMotion(motion) {
    const wanted = motion.series.filter((one) => one.group === "indicators");
    const names = wanted.map((one) => one.name).join("\n");
    if (names !== this.names) this.#build(wanted);
    this.names = names;
    this.motion = motion;
    this.element.hidden = wanted.length === 0;
    this.meters.forEach((meter, k) => {
      meter.series = wanted[k];
      meter.scale = scaleOf(wanted[k]);
      meter.gauge.style.setProperty("--threshold", `${100 * meter.scale(wanted[k].threshold)}%`);
      meter.gauge.style.setProperty("--near", `${100 * meter.scale(NEAR * wanted[k].threshold)}%`);
    });
  }

  #build(wanted) {
    this.meters = wanted.map((series) => {
      const needle = h("span", { class: "needle" });
      const gauge = h("span", { class: "gauge" }, needle);
      const value = h("span", { class: "value" });
      const state = h("span", { class: "state" });
      const meter = { needle, gauge, value, state };
      meter.button = h(
        "button",
        { class: "meter", type: "button", title: "explain", onclick: () => this.#explain(meter) },
        h("span", { class: "name" }, series.name),
        state,
        gauge,
        value,
      );
      return meter;
    });
    this.list.replaceChildren(...this.meters.map(({ button }) => button));
  }

  setTime(t) {
    this.now = t;
    for (const meter of this.meters) {
      const value = valueAt(this.motion.times, meter.series.values, t);
      const state = stateOf(value, meter.series.threshold);
      meter.button.dataset.state = state;
      meter.needle.style.left = `${100 * meter.scale(value)}%`;
      meter.value.textContent = compact(value);
      meter.state.textContent = state;
    }
  }

  #explain({ series }) {
    const own = (this.motion.findings ?? []).filter((one) => one.series === series.name);
    const nearest = own.sort((a, b) => Math.abs(a.t - this.now) - Math.abs(b.t - this.now))[0];
    if (nearest) return this.explanation.show(nearest);
    const { values, threshold } = series;
    let least = 0;
    for (let k = 1; k < values.length; k++) if (values[k] < values[least]) least = k;
    const words = [
      `${series.latex ? plain(series.latex) : series.name} falls to zero where the motion becomes singular.`,
      `Smallest in this motion: ${compact(values[least])} at ${seconds(this.motion.times[least])}.`,
      threshold > 0 && values[least] > threshold
        ? `It never fell below ${compact(threshold)}, where it would be reported.`
        : "",
    ];
    this.explanation.show({ title: `Indicator: ${series.name}`, kind: "indicator", what: words.join(" ") });
  }
}

/** @returns {"regular"|"near"|"singular"} */
export function stateOf(value, threshold) {
  if (!(threshold > 0) || !(value < NEAR * threshold)) return "regular";
  return value < threshold ? "singular" : "near";
}

/** Shares of the gauge, 0 at singular and 1 at regular, in decades. */
function scaleOf({ values, threshold }) {
  const low = (threshold > 0 ? threshold : 1e-3) / 10 ** BEYOND;
  let high = 10 * low * 10 ** BEYOND;
  for (const value of values) if (value > high) high = value;
  return (value) => Math.min(1, Math.max(0, Math.log(value / low) / Math.log(high / low))) || 0;
}
