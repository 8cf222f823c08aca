// Names at points of the scene, as text above the picture.
import { Vector3 } from "three";
import { h } from "../dom.js";

const LINE = 20; // pixels between two labels that would otherwise lie on each other

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
      shown.push({ element, x: ((projected.x + 1) / 2) * width, y: ((1 - projected.y) / 2) * height, words });
    }
    shown.sort((a, b) => a.y - b.y);
    shown.forEach((one, k) => {
      const reach = 7 * one.words.length;
      for (const other of shown.slice(0, k)) {
        if (Math.abs(other.x - one.x) < Math.max(reach, 7 * other.words.length) && one.y < other.y + LINE) {
          one.y = other.y + LINE;
        }
      }
      const x = Math.min(width - reach - 24, Math.max(4, one.x + 10));
      one.element.style.transform = `translate(${x.toFixed(1)}px, ${Math.min(height - 24, one.y - 10).toFixed(1)}px)`;
    });
  }
}

const projected = new Vector3();
