// What a reader can take along: the picture, the numbers of the motion, the equations.
import { h, panel } from "../dom.js";

/** @param {import("../page.js").Page} page */
export function exportsPanel(page) {
  const { model } = page.document;
  const name = model.name.replace(/[^\w-]+/g, "_") || "cardan";
  const button = (words, act) => h("button", { class: "plain-button", type: "button", onclick: act }, words);
  return panel(
    "exports",
    "Take along",
    h(
      "div",
      { class: "controls-foot" },
      page.view ? button("Picture (PNG)", () => picture(page, `${name}.png`)) : null,
      button("Numbers (CSV)", () => save(`${name}.csv`, "text/csv", table(page.document.motion))),
      model.equations?.length
        ? button("Equations (LaTeX)", () => save(`${name}.tex`, "text/plain", latex(model.equations)))
        : null,
    ),
  );
}

/** Time and every history of the motion, one row per frame, in the digits that the page has. */
export function table({ times, series }) {
  const head = ["t", ...series.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name))].map(quoted);
  const rows = Array.from(times, (t, k) => [t, ...series.map(({ values }) => values[k])].join(","));
  return [head.join(","), ...rows, ""].join("\n");
}

/** The equations with their titles, each line a display. */
export function latex(equations) {
  const lines = equations.flatMap(({ title, latex: own }) => [`% ${title}`, ...[own].flat().map((one) => `\\[ ${one} \\]`)]);
  return [...lines, ""].join("\n");
}

function quoted(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Browsers keep no picture that was drawn before, so it is drawn and taken at once. */
function picture(page, file) {
  page.draw();
  page.view.renderer.domElement.toBlob((blob) => blob && download(file, blob));
}

function save(file, type, text) {
  download(file, new Blob([text], { type }));
}

function download(file, blob) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
