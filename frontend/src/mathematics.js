// Typeset mathematics. KaTeX builds elements here, no markup is parsed.
import katex from "katex";
import { h } from "./dom.js";

const LONGEST = 8000; // characters: a formula beyond this fills screens and takes seconds
const OPTIONS = { throwOnError: false, strict: "ignore", trust: false, maxExpand: 2000, output: "htmlAndMathml" };

/**
 * @param {string} latex @param {string} [words] what it says, where it cannot be typeset
 * @param {{display?: boolean}} [options]
 */
export function mathNode(latex, words = latex, { display = false } = {}) {
  const node = h(display ? "div" : "span", { class: display ? "math display" : "math" });
  if (latex.length > LONGEST) {
    node.append(
      h(
        "details",
        { class: "long-math" },
        h("summary", {}, `a formula of ${latex.length} characters, as LaTeX`),
        h("code", {}, latex),
      ),
    );
    return node;
  }
  try {
    const macros = { "\\arraystretch": "1.3" }; // rows of matrices with air between them
    katex.render(latex, node, { ...OPTIONS, displayMode: display, macros });
  } catch {
    node.textContent = words;
  }
  return node;
}
