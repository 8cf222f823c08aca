// Above the picture: cameras, what is shown, how long arrows are.
import { h, icon } from "../dom.js";
import { ICONS } from "../icons.js";
import { CAMERAS } from "../scene/camera.js";

const LAYERS = [
  { layer: "trails", label: "Trails", key: "T", path: ICONS.trail },
  { layer: "frames", label: "Frames", key: "F", path: ICONS.frames },
  { layer: "arrows", label: "Forces", key: "R", path: ICONS.reactions },
  { layer: "labels", label: "Names", key: "L", path: ICONS.labels },
];
const SHORT = { front: "Front", top: "Top", side: "Side", isometric: "Iso", follow: "Follow" };
const KINDS = {
  "reaction-force": "reaction force",
  "reaction-moment": "reaction moment",
  load: "load",
  lost: "lost direction",
};

export class Toolbar {
  /** @param {import("../scene/view.js").View} view */
  constructor(view, model) {
    this.view = view;
    const hasBodies = model.bodies.length > 0;
    this.cameras = CAMERAS.map((name, k) =>
      h(
        "button",
        {
          type: "button",
          title: `camera: ${name} (${k + 1})`,
          onclick: () => view.look(name),
          "data-camera": name,
        },
        SHORT[name],
      ),
    );
    const layers = LAYERS.filter(({ layer }) => hasBodies || layer === "trails" || layer === "labels");
    this.layers = layers.map(({ layer, label, key, path }) =>
      h(
        "button",
        {
          type: "button",
          title: `${label.toLowerCase()} on or off (${key})`,
          "aria-label": label,
          "data-layer": layer,
          onclick: () => view.toggle(layer),
        },
        icon(path),
        h("span", { class: "word" }, label),
      ),
    );
    this.scale = h("input", {
      type: "range",
      min: -1,
      max: 1,
      step: 0.01,
      value: 0,
      title: "length of arrows",
      "aria-label": "length of arrows",
      oninput: () => view.setArrowScale(10 ** Number(this.scale.value)),
    });
    this.top = h(
      "div",
      { class: "scene-tools top" },
      h("div", { class: "segments", role: "group", "aria-label": "camera" }, this.cameras),
      h("div", { class: "segments", role: "group", "aria-label": "layers" }, this.layers),
    );
    const letters = ["x", "y", "z"].map((axis) => h("b", { class: `axis-${axis}` }, axis));
    this.axes = h("span", { class: "axes" }, letters);
    this.legend = h("div", { class: "legend" });
    this.scaleRow = h("label", { class: "arrow-scale" }, "arrow length", this.scale);
    this.note = h("span", { class: "grid-note" });
    this.bottom = h("div", { class: "scene-tools bottom" }, this.note, this.axes, this.legend, this.scaleRow);
    view.addEventListener("layers", () => this.#state());
    view.addEventListener("camera", () => this.#state());
    this.#state();
  }

  #state() {
    for (const button of this.cameras)
      button.setAttribute("aria-pressed", String(button.dataset.camera === this.view.rig.preset));
    for (const button of this.layers)
      button.setAttribute("aria-pressed", String(this.view.layers[button.dataset.layer]));
    this.note.textContent = this.view.caption;
    this.axes.hidden = !this.view.layers.frames;
  }

  /** What the arrows of this motion are. */
  setMotion(motion) {
    const kinds = Object.keys(KINDS).filter((kind) => (motion.arrows ?? []).some((arrow) => arrow.kind === kind));
    this.legend.replaceChildren(...kinds.map((kind) => h("span", { class: `key ${kind}` }, KINDS[kind])));
    this.scaleRow.hidden = !kinds.some((kind) => kind !== "lost");
  }
}
