// The keys, on a sheet.
import { h } from "../dom.js";
import { Sheet } from "./sheet.js";

export class Help extends Sheet {
  constructor() {
    super("help");
  }

  setShortcuts(list) {
    const keys = list.map(({ shown, does }) => h("div", {}, h("dt", {}, h("kbd", {}, shown)), h("dd", {}, does)));
    this.fill(
      "Keys",
      null,
      h("dl", { class: "keys" }, keys),
      h(
        "p",
        { class: "detail" },
        "Drag the picture to turn it, with the right button (or two fingers) to shift it, wheel or pinch to zoom, " +
          "double-click to see all of it again. Hover a plot to go to its time.",
      ),
    );
  }
}
