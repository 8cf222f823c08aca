// Panels that are lists of a label and a value.
import { h, panel } from "../dom.js";

/** What was checked about this motion: energy, constraints, tolerances. */
export class Audit {
  constructor() {
    this.list = h("dl", { class: "facts toned" });
    this.element = panel("audit", "Checks of this motion", this.list);
  }

  setMotion({ audit = [] }) {
    this.element.hidden = audit.length === 0;
    this.list.replaceChildren(
      ...audit.map(({ label, value, tone }) =>
        h("div", { class: tone ?? "plain" }, h("dt", {}, label), h("dd", {}, String(value))),
      ),
    );
  }
}

/** Versions, hashes, tolerances: what is needed to do it again. */
export function provenancePanel(model) {
  if (!model.provenance?.length) return null;
  return panel(
    "provenance",
    "Provenance",
    h(
      "dl",
      { class: "facts mono" },
      model.provenance.map(({ label, value }) => h("div", {}, h("dt", {}, label), h("dd", {}, String(value)))),
    ),
  );
}
