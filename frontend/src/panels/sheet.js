// A sheet over the page, closed by its button, by Escape or by a click beside it.
import { h, icon } from "../dom.js";
import { ICONS } from "../icons.js";

let count = 0;

export class Sheet {
  /** @param {string} name its class */
  constructor(name) {
    this.titleId = `sheet-title-${(count += 1)}`;
    this.element = h("dialog", {
      class: name,
      "aria-labelledby": this.titleId,
      onclick: (event) => event.target === this.element && this.element.close(),
      // Otherwise keys would still go to the button that closed it.
      onclose: () => document.activeElement?.closest("dialog") && document.activeElement.blur(),
    });
  }

  /** @param {string} title @param {Node|null} above the title @param {...(Node|null)} content */
  fill(title, above, ...content) {
    this.element.replaceChildren(
      h(
        "header",
        {},
        h("div", {}, above, h("h2", { id: this.titleId }, title)),
        h(
          "button",
          { class: "round", type: "button", "aria-label": "close", onclick: () => this.element.close() },
          icon(ICONS.close),
        ),
      ),
      h("div", { class: "sheet-body" }, content),
    );
  }

  open() {
    if (!this.element.open) this.element.showModal();
  }

  toggle() {
    if (this.element.open) this.element.close();
    else this.open();
  }
}
