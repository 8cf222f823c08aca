// The keys, on a sheet.
import { h, icon } from "../dom.js";
import { ICONS } from "../icons.js";

export class Help {
  constructor() {
    this.list = h("dl", { class: "keys" });
    this.element = h("dialog", {
      class: "help", "aria-labelledby": "help-title", onclick: (event) => event.target === this.element && this.element.close(),
    },
      h("header", {}, h("h2", { id: "help-title" }, "Keys"),
        h("button", { class: "round", type: "button", "aria-label": "close", onclick: () => this.element.close() }, icon(ICONS.close))),
      h("div", { class: "explanation-body" }, this.list,
        h("p", { class: "detail" }, "Drag the picture to turn it, with the right button (or two fingers) to shift it, wheel or pinch to zoom. Hover a plot to go to its time.")));
  }

  setShortcuts(list) {
    this.list.replaceChildren(...list.map(({ shown, does }) => h("div", {}, h("dt", {}, h("kbd", {}, shown)), h("dd", {}, does))));
  }

  toggle() {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
