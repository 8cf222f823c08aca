// The equations in typeset mathematics, set when they come into view.
import { h, panel } from "../dom.js";
import { mathNode } from "../mathematics.js";

export function equationsPanel(model) {
  if (!model.equations?.length) return null;
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        target.typeset();
      }
    },
    { rootMargin: "400px" },
  );
  const parts = model.equations.map((equation) => {
    const lines = h("div", { class: "lines" });
    const part = h(
      "div",
      { class: "equation" },
      h("h3", {}, equation.title),
      lines,
      equation.note ? h("p", { class: "detail" }, equation.note) : null,
    );
    part.typeset = () =>
      lines.replaceChildren(
        ...[equation.latex]
          .flat()
          .map((line) =>
            h(
              "div",
              { class: "scroll", tabindex: 0, role: "group", "aria-label": equation.title },
              mathNode(line, line, { display: true }),
            ),
          ),
      );
    seen.observe(part);
    return part;
  });
  return panel("equations", "Equations", ...parts);
}
