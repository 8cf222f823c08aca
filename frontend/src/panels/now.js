// A notice over the picture while something singular happens.
import { h } from "../dom.js";

export class Now {
  /** @param {(finding: object) => void} explain */
  constructor(explain) {
    this.title = h("strong");
    this.element = h(
      "button",
      { class: "now-notice", type: "button", hidden: true, onclick: () => explain(this.finding) },
      h("span", { class: "dot" }),
      this.title,
      h("span", { class: "ask" }, "why?"),
    );
  }

  setMotion({ findings = [], times }) {
    this.findings = findings;
    this.around = times.length > 1 ? 0.02 * (times[times.length - 1] - times[0]) : 0;
  }

  /** The finding whose time is nearest, while it lasts or a moment before and after. */
  setTime(t) {
    const distance = ({ t: start, t_end: end }) => Math.max(0, start - t, t - Math.max(start, end ?? start));
    const near = (this.findings ?? []).filter((one) => distance(one) <= this.around);
    this.finding = near.sort((a, b) => distance(a) - distance(b))[0] ?? null;
    this.element.hidden = !this.finding;
    if (this.finding) this.title.textContent = this.finding.title;
  }
}
