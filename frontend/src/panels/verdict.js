// What Cardan concluded, in a table, and the singular sets in symbols.
import { h, panel } from "../dom.js";
import { powers } from "../format.js";
import { mathNode } from "../mathematics.js";

export function verdictPanel(model) {
  const rows = (model.verdict ?? []).map(({ label, value, detail, tone }) =>
    h(
      "div",
      { class: `verdict-row ${tone ?? "plain"}` },
      h("dt", {}, label),
      h(
        "dd",
        {},
        h("span", { class: "value" }, powers(value)),
        detail ? h("span", { class: "detail" }, powers(detail)) : null,
      ),
    ),
  );
  const sets = (model.singular_sets ?? []).map(({ kind, text, latex, load }) =>
    h(
      "li",
      { class: "singular-set" },
      h("span", { class: "tag" }, kind.replaceAll("-", " ")),
      h(
        "div",
        { class: "set-words" },
        isFormula(latex) ? mathNode(latex, text) : h("span", {}, powers(text)),
        load ? h("p", { class: "lost-load" }, `lost: ${load}`) : null,
      ),
    ),
  );
  const note = h(
    "p",
    { class: "detail verdict-note", hidden: true },
    "This is about the values that the viewer was started with.",
  );
  return panel(
    "verdict",
    "Verdict",
    note,
    h("dl", { class: "verdict" }, rows),
    sets.length ? h("h3", {}, "Where it is singular") : null,
    sets.length ? h("ul", { class: "singular-sets" }, sets) : null,
  );
}

/** A set that is everywhere is told in words, not as the formula "True". */
function isFormula(latex) {
  return Boolean(latex) && !/True|False/.test(latex);
}
