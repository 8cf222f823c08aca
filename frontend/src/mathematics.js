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
  const isLong = latex.length > LONGEST;
  const [tag, kind] = display ? ["div", "math display"] : ["span", "math"];
  const node = h(tag, { class: kind }, isLong && sourceOf(latex));
  if (isLong) return node;
  try {
    const macros = { "\\arraystretch": "1.3" }; // rows of matrices with air between them
    katex.render(latex, node, { ...OPTIONS, displayMode: display, macros });
  } catch {
    node.textContent = words;
  }
  return node;
}

/** A formula that is too long to typeset, as it was written. */
function sourceOf(latex) {
  const title = h("summary", {}, `a formula of ${latex.length} characters, as LaTeX`);
  return h("details", { class: "long-math" }, title, h("code", {}, latex));
}
