// A finding in full: what happened, why, the evidence, what to do.
import { h } from "../dom.js";
import { seconds } from "../format.js";
import { Sheet } from "./sheet.js";

export class Explanation extends Sheet {
  /** @param {(t: number) => void} goto */
  constructor(goto) {
    super("explanation");
    this.goto = goto;
  }

  /** @param {object} finding of the motion */
  show(finding) {
    const { title, kind, what, why, evidence, remedies } = finding;
    const tag = kind ? h("span", { class: "tag" }, kind.replaceAll("-", " ")) : null;
    this.fill(
      title,
      tag,
      this.#when(finding),
      what ? part("What", h("p", {}, what)) : null,
      why ? part("Why", h("p", {}, why)) : null,
      evidence?.length ? part("Evidence", facts(evidence)) : null,
      remedies?.length ? part("What you can do", listOf(remedies)) : null,
    );
    this.open();
  }

  #when({ t, t_end: end }) {
    if (!Number.isFinite(t)) return null;
    const words = Number.isFinite(end) && end > t ? `from ${seconds(t)} to ${seconds(end)}` : `at ${seconds(t)}`;
    const go = () => {
      this.element.close();
      this.goto(t);
    };
    return h(
      "p",
      { class: "when" },
      words,
      h("button", { class: "plain-button", type: "button", onclick: go }, "Go there"),
    );
  }
}

export function facts(list) {
  return h(
    "dl",
    { class: "facts" },
    list.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, String(value)))),
  );
}

function listOf(remedies) {
  const items = remedies.map((one) => h("li", {}, one));
  return h("ul", { class: "remedies" }, items);
}

function part(title, content) {
  return h("section", {}, h("h3", {}, title), content);
}
