// A finding in full: what happened, why, the evidence, what to do.
import { h, icon } from "../dom.js";
import { seconds } from "../format.js";
import { ICONS } from "../icons.js";

export class Explanation {
  /** @param {(t: number) => void} goto */
  constructor(goto) {
    this.goto = goto;
    this.element = h("dialog", {
      class: "explanation", "aria-labelledby": "explanation-title",
      onclick: (event) => event.target === this.element && this.element.close(),
    });
  }

  /** @param {object} finding of the motion */
  show(finding) {
    const { title, kind, what, why, evidence, remedies } = finding;
    this.element.replaceChildren(
      h("header", {},
        h("div", {}, h("span", { class: "tag" }, (kind ?? "").replaceAll("-", " ")), h("h2", { id: "explanation-title" }, title)),
        h("button", { class: "round", type: "button", "aria-label": "close", onclick: () => this.element.close() }, icon(ICONS.close))),
      h("div", { class: "explanation-body" },
        when(finding, (t) => {
          this.element.close();
          this.goto(t);
        }),
        what ? part("What", h("p", {}, what)) : null,
        why ? part("Why", h("p", {}, why)) : null,
        evidence?.length ? part("Evidence", facts(evidence)) : null,
        remedies?.length ? part("What you can do", h("ul", { class: "remedies" }, ...remedies.map((one) => h("li", {}, one)))) : null));
    if (!this.element.open) this.element.showModal();
  }

  /** An indicator that never came near its threshold. */
  showCalm(name, words) {
    this.show({ title: name, kind: "indicator", what: words });
  }
}

export function facts(list) {
  return h("dl", { class: "facts" }, ...list.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, String(value)))));
}

function part(title, ...children) {
  return h("section", {}, h("h3", {}, title), ...children);
}

function when({ t, t_end: end }, go) {
  if (!Number.isFinite(t)) return null;
  const words = Number.isFinite(end) && end > t ? `from ${seconds(t)} to ${seconds(end)}` : `at ${seconds(t)}`;
  return h("p", { class: "when" }, words, h("button", { class: "plain-button", type: "button", onclick: () => go(t) }, "Go there"));
}
