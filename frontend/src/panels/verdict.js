// What Cardan concluded, in a table, and the singular sets in symbols.
import { h, panel } from "../dom.js";
import { powers } from "../format.js";
import { mathNode } from "../mathematics.js";

/** The verdict: rows about the motion that is shown, and rows about the system it was started with. */
export class Verdict {
  constructor(model) {
    this.model = model;
    this.rows = h("dl", { class: "verdict" });
    this.note = h(
      "p",
      { class: "detail verdict-note", hidden: true },
      "Manifold, freedoms and singular sets are about the values that the viewer was started with.",
    );
    const sets = (model.singular_sets ?? []).map(setItem);
    this.element = panel(
      "verdict",
      "Verdict",
      this.rows,
      this.note,
      sets.length ? h("h3", {}, "Where it is singular") : null,
      sets.length ? h("ul", { class: "singular-sets" }, sets) : null,
    );
    this.#show(model.verdict ?? []);
  }

  /** Another motion: the verdict is of what is shown. */
  setMotion(motion) {
    this.#show([...(motion.verdict ?? []), ...(this.model.standing ?? [])]);
    this.note.hidden = false;
  }

  #show(rows) {
    this.rows.replaceChildren(...rows.map(verdictRow));
  }
}

function verdictRow({ label, value, detail, tone }) {
  return h(
    "div",
    { class: `verdict-row ${tone ?? "plain"}` },
    h("dt", {}, label),
    h(
      "dd",
      {},
      h("span", { class: "value" }, powers(value)),
      detail ? h("span", { class: "detail" }, powers(detail)) : null,
    ),
  );
}

function setItem({ kind, text, latex, load }) {
  return h(
    "li",
    { class: "singular-set" },
    h("span", { class: "tag" }, kind.replaceAll("-", " ")),
    h(
      "div",
      { class: "set-words" },
      isFormula(latex) ? mathNode(latex, text) : h("span", {}, powers(text)),
      load ? h("p", { class: "lost-load" }, `lost: ${load}`) : null,
    ),
  );
}

/** A set that is everywhere is told in words, not as the formula "True". */
function isFormula(latex) {
  return Boolean(latex) && !/True|False/.test(latex);
}
