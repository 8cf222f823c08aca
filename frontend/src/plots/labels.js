// Simple LaTeX (Greek letters, dots, indices) as pieces of text, for legends (DOM) and axes (canvas).
import { h } from "../dom.js";

const GREEK = {
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", varepsilon: "ε", zeta: "ζ", eta: "η", theta: "θ",
  vartheta: "ϑ", iota: "ι", kappa: "κ", lambda: "λ", mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ",
  tau: "τ", upsilon: "υ", phi: "φ", varphi: "φ", chi: "χ", psi: "ψ", omega: "ω", Gamma: "Γ", Delta: "Δ",
  Theta: "Θ", Lambda: "Λ", Xi: "Ξ", Pi: "Π", Sigma: "Σ", Phi: "Φ", Psi: "Ψ", Omega: "Ω",
  cdot: "·", times: "×", pm: "±", le: "≤", leq: "≤", ge: "≥", geq: "≥", ne: "≠", neq: "≠", infty: "∞", circ: "°",
  partial: "∂", max: "max", min: "min", mid: "|", vert: "|", quad: " ", lvert: "|", rvert: "|", left: "", right: "",
  ldots: "…", in: "∈",
};
const SHORT_WORDS = ["in", "le", "ge", "ne", "left", "right", "bar", "times", "quad", "circ", "partial"];
const FUNCTIONS = ["sin", "cos", "tan", "arcsin", "arccos", "arctan", "exp", "log", "sqrt"];
const ACCENTS = { dot: "\u0307", ddot: "\u0308", hat: "\u0302", bar: "\u0304", tilde: "\u0303", vec: "\u20d7" };
const UPRIGHT = ["mathrm", "text", "operatorname", "mathbf", "mathit", "boldsymbol", "mathsf"];

/** [{text, level}] with level 0 on the line, -1 below, +1 above it. */
export function pieces(latex) {
  const found = [];
  read(String(latex ?? "").replaceAll("$", ""), 0, 0, "", found);
  const merged = [];
  for (const piece of found) {
    const last = merged[merged.length - 1];
    if (last && last.level === piece.level) last.text += piece.text;
    else if (piece.text) merged.push({ ...piece });
  }
  return merged;
}

/** Reads from `at` to the end or a closing brace; `accent` is put after every character. */
function read(source, at, level, accent, found) {
  const put = (text, where = level) => {
    for (const one of text) found.push({ text: one === " " ? one : one + accent, level: where });
  };
  while (at < source.length && source[at] !== "}") {
    const one = source[at];
    if (one === "{") {
      at = read(source, at + 1, level, accent, found);
    } else if (one === "_" || one === "^") {
      at = argument(source, at + 1, level + (one === "_" ? -1 : 1), "", found);
    } else if (one === "\\") {
      const name = /^[A-Za-z]+/.exec(source.slice(at + 1))?.[0] ?? "";
      at += 1 + (name.length || 1);
      if (ACCENTS[name]) at = argument(source, at, level, ACCENTS[name], found);
      else if (UPRIGHT.includes(name)) at = argument(source, at, level, accent, found);
      else if (!name) put("_{}".includes(source[at - 1]) ? source[at - 1] : " ");
      else {
        put(GREEK[name] ?? name);
        while (source[at] === " ") at += 1;
        if (FUNCTIONS.includes(name) && source[at] !== "(" && source[at] !== "^") put("\u2009");
      }
    } else {
      put(one === "-" ? "−" : one === "~" ? " " : one);
      at += 1;
    }
  }
  return at + 1;
}

function argument(source, at, level, accent, found) {
  while (source[at] === " ") at += 1;
  if (source[at] === "{") return read(source, at + 1, level, accent, found);
  const command = source[at] === "\\" ? /^\\[A-Za-z]+/.exec(source.slice(at))?.[0] ?? source[at] : source[at] ?? "";
  read(command, 0, level, accent, found);
  return at + command.length;
}

/**
 * Words with the names of Greek letters, indices and rates in them, as in "sin(phi_e) = 0" or "alpha_dot", as LaTeX;
 * LaTeX stays as it is.
 */
export function mathText(text) {
  if (String(text).includes("\\")) return text;
  return String(text).replace(/[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*/g, (word) => {
    const [stem, ...rest] = word.split("_");
    const isRate = rest[rest.length - 1] === "dot";
    const indices = isRate ? rest.slice(0, -1) : rest;
    const [, letters, digits] = /^([A-Za-z]+?)([0-9]*)$/.exec(stem) ?? [null, stem, ""];
    const greek = GREEK[letters] && !SHORT_WORDS.includes(letters);
    const base = greek ? GREEK[letters] : digits && !indices.length && !isRate && letters.length > 1 ? stem : letters;
    const below = [base === stem ? "" : digits, ...indices].filter(Boolean).join(",");
    return `${isRate ? `\\dot{${base}}` : base}${below ? `_{${below}}` : ""}`;
  });
}

/** The label as one line of text, for titles and screen readers. */
export function plain(latex) {
  return pieces(latex).map((piece) => (piece.level < 0 ? lowered(piece.text) : piece.text)).join("");
}

/** A span with sub- and superscripts. */
export function labelNode(latex) {
  const tagOf = (level) => (level === 0 ? "span" : level < 0 ? "sub" : "sup");
  const parts = pieces(latex).map(({ text, level }) => h(tagOf(level), {}, text));
  return h("span", { class: "plot-label" }, parts);
}

/** Draws the label and returns its width; ctx.font must be `size` px of `family`. */
export function drawLabel(ctx, latex, x, y, { size = 12, family = "sans-serif", align = "left", draw = true } = {}) {
  const parts = pieces(latex);
  const small = Math.round(size * 0.75);
  const font = (piece) => `${piece.level === 0 ? size : small}px ${family}`;
  let width = 0;
  const widths = parts.map((piece) => {
    ctx.font = font(piece);
    const own = ctx.measureText(piece.text).width;
    width += own;
    return own;
  });
  if (draw) {
    let at = align === "right" ? x - width : align === "center" ? x - width / 2 : x;
    const before = ctx.textAlign;
    ctx.textAlign = "left";
    parts.forEach((piece, k) => {
      ctx.font = font(piece);
      ctx.fillText(piece.text, at, y - piece.level * size * 0.3);
      at += widths[k];
    });
    ctx.textAlign = before;
  }
  ctx.font = `${size}px ${family}`;
  return width;
}

const LOW = {
  0: "₀", 1: "₁", 2: "₂", 3: "₃", 4: "₄", 5: "₅", 6: "₆", 7: "₇", 8: "₈", 9: "₉", a: "ₐ", e: "ₑ", x: "ₓ", o: "ₒ",
};

/** An index in Unicode where it has one, else after an underscore. */
function lowered(text) {
  return [...text].every((one) => LOW[one]) ? [...text].map((one) => LOW[one]).join("") : `_${text}`;
}
