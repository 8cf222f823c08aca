// Special motions: where it can rest, what is stable, how it rings; charts, words, and modes to shake.
import { h, panel } from "../dom.js";
import { chartFigure } from "./chart.js";
import { Shaker } from "./shaker.js";

export class Special {
  /** @param {object} model of the document @param {import("../scene/view.js").View|null} view @param {import("../player.js").Player} player */
  constructor(model, view, player) {
    this.shakers = [];
    const parts = (model.special ?? []).map((entry) => this.#part(entry, view, player));
    this.element = parts.length ? panel("special", "Special motions", parts) : null;
  }

  #part(entry, view, player) {
    const shaker = entry.modes?.length ? new Shaker(entry, view, player) : null;
    if (shaker) this.shakers.push(shaker);
    return h(
      "article",
      { class: `special ${entry.kind}` },
      h("h3", {}, entry.title),
      shaker?.element,
      entry.charts.map((chart) => chartFigure(chart)),
      h("dl", { class: "facts toned" }, entry.rows.map(row)),
    );
  }

  /** Somebody wants another time: modes are no longer shaken. */
  release() {
    for (const one of this.shakers) one.release();
  }
}

function row({ label, value, detail, tone }) {
  const more = detail ? h("span", { class: "detail" }, ` ${detail}`) : null;
  return h("div", { class: tone ?? "plain" }, h("dt", {}, label), h("dd", {}, value, more));
}
