// The equations in typeset mathematics, set one after the other while the page has nothing else to do.
import { h, panel } from "../dom.js";
import { mathNode } from "../mathematics.js";

const later = window.requestIdleCallback ?? ((run) => setTimeout(run, 30));

export function equationsPanel(model) {
  if (!model.equations?.length) return null;
  const waiting = [];
  const elements = model.equations.map((equation) => {
    const lines = h("div", { class: "lines" });
    waiting.push(() => lines.replaceChildren(...[equation.latex].flat().map((line) => lineOf(equation, line))));
    const note = equation.note ? h("p", { class: "detail" }, equation.note) : null;
    return h("div", { class: "equation" }, h("h3", {}, equation.title), lines, note);
  });
  const next = () => {
    waiting.shift()?.();
    if (waiting.length) later(next);
  };
  later(next);
  window.addEventListener("beforeprint", () => waiting.splice(0).forEach((typeset) => typeset()));
  return panel("equations", "Equations", elements);
}

/** One line, in a box that the keyboard can scroll where it is too wide. */
function lineOf({ title }, latex) {
  const box = { class: "scroll", tabindex: 0, role: "group", "aria-label": title };
  return h("div", box, mathNode(latex, latex, { display: true }));
}
