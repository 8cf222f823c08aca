// One card of plots: its heading, the plots side by side, the legend below them.
import { h } from "../dom.js";
import { labelNode, mathText } from "./labels.js";
import { singularEntry } from "./legend.js";

export class Card {
  /** @param {import("./contents.js").Content} content @param {import("./link.js").Link} link */
  constructor({ key, group, title, aside, make }, link) {
    this.link = link;
    this.plots = make();
    this.legend = this.plots[0].legend?.element ?? h("div", { class: "plot-legend" });
    this.reset = h(
      "button",
      {
        class: "plot-reset",
        type: "button",
        title: "show the whole run again (double-click)",
        hidden: true,
        onclick: () => link.zoom(null),
      },
      "whole run",
    );
    const count = this.plots.length;
    const heading = h("h3", {}, group === "portraits" ? labelNode(mathText(title)) : title, aside);
    const frames = this.plots.map((plot) => plot.layers.element);
    this.element = h(
      "section",
      { class: `plot-card plot-card-${group}${count > 1 ? " plot-card-wide" : ""}`, "data-plot": key },
      h("header", {}, heading, this.reset),
      h("div", { class: `plot-body plot-body-${count}` }, frames),
      this.legend,
    );
  }

  /** @param {object} data of portraitData(), shown by every plot of the card */
  showPortrait(data) {
    this.singular = data.singular;
    this.plots.forEach((plot) => plot.show(data));
    this.#nameSingular();
  }

  #nameSingular() {
    const { theme } = this.link.colours;
    this.legend.replaceChildren(...this.singular.map((one) => singularEntry(one, theme)));
  }

  /** Another part of the run is shown. */
  showView() {
    const followers = this.plots.filter((plot) => plot.followsView);
    this.reset.hidden = this.link.isWhole || followers.length === 0;
    followers.forEach((plot) => this.link.painter.redraw(plot));
  }

  /** The colours of the link have changed. */
  restyle() {
    for (const plot of this.plots) plot.restyle?.();
    if (this.singular) this.#nameSingular();
  }
}
