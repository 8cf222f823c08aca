// Names at points of the scene, as text above the picture.
import { Vector3 } from "three";
import { h } from "../dom.js";

const LINE = 20; // pixels between two labels that would otherwise lie on each other
const LETTER = 7.2; // pixels, about

export class Labels {
  /** @param {HTMLElement} layer above the canvas */
  constructor(layer) {
    this.layer = layer;
    this.labels = [];
  }

  /** @param {{text: () => string, at: () => Vector3|null, tone?: string}[]} wanted; `at` is null while hidden */
  set(wanted) {
    this.labels = wanted.map((one) => ({ ...one, element: h("span", { class: `scene-label ${one.tone ?? ""}` }) }));
    this.layer.replaceChildren(...this.labels.map(({ element }) => element));
  }

  /** Place the labels for this camera; those that would overlap move down. */
  place(camera, width, height) {
    const shown = [];
    for (const { element, at, text } of this.labels) {
      const point = at();
      projected.copy(point ?? projected).project(camera);
      const visible = point !== null && Math.abs(projected.z) < 1;
      element.hidden = !visible;
      if (!visible) continue;
      const words = text();
      if (element.textContent !== words) element.textContent = words;
      const reach = LETTER * words.length + 12;
      const x = ((projected.x + 1) / 2) * width + 10;
      const y = ((1 - projected.y) / 2) * height - 10;
      shown.push({ element, reach, x: Math.max(4, Math.min(width - reach - 4, x)), y });
    }
    spread(shown);
    for (const { element, x, y } of shown) {
      element.style.transform = `translate(${x.toFixed(1)}px, ${Math.min(height - 24, y).toFixed(1)}px)`;
    }
  }
}

/** Labels that would lie on one above them move below it. */
function spread(labels) {
  labels.sort((a, b) => a.y - b.y);
  labels.forEach((one, k) => {
    for (const other of labels.slice(0, k)) {
      const isBeside = one.x > other.x + other.reach || other.x > one.x + one.reach;
      if (!isBeside && one.y < other.y + LINE) one.y = other.y + LINE;
    }
  });
}

const projected = new Vector3();
