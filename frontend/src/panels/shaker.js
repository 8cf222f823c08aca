// Shakes a mode in the picture: which one, how far, and a slider that bends it by hand.
import { h } from "../dom.js";

const CYCLE = 1.8; // seconds that one shown cycle takes, whatever the mode's own pace
const WORDS = { shake: "Shake it", stop: "Stop" };

export class Shaker {
  /** @param {object} entry modes of the document @param {import("../scene/view.js").View|null} view @param {{pause: () => void}} player */
  constructor(entry, view, player) {
    this.entry = entry;
    this.view = view;
    this.player = player;
    this.share = 0.5; // of the largest deflection
    this.choice = h(
      "select",
      { "aria-label": "mode to shake", onchange: () => this.#choose() },
      entry.modes.map(({ label }, k) => h("option", { value: k }, label)),
    );
    this.button = h("button", { class: "plain-button", type: "button", onclick: () => this.toggle() }, WORDS.shake);
    this.amplitude = this.#slider("how far it swings", 0, 1, 0.5, (value) => {
      this.share = value;
      if (!this.frame) this.start();
    });
    this.deflection = this.#slider("bent by hand", -1, 1, 0, (value) => {
      this.stop();
      this.#show(value);
    });
    this.shape = h("dl", { class: "facts mono" });
    const canMove = view?.hasBodies && entry.modes.some(({ poses }) => poses.length);
    this.element = h(
      "div",
      { class: "shaker" },
      h("div", { class: "shaker-row" }, this.choice, canMove ? this.button : null),
      canMove ? [this.#row("swing", this.amplitude), this.#row("by hand", this.deflection)] : null,
      this.shape,
      canMove ? h("p", { class: "detail" }, `At the end of the sliders ${entry.reach}; a shown cycle takes ${CYCLE} s.`) : null,
    );
    this.#choose();
  }

  get mode() {
    return this.entry.modes[Number(this.choice.value)];
  }

  #slider(words, min, max, value, oninput) {
    const slider = h("input", {
      type: "range",
      min,
      max,
      step: 0.01,
      value,
      "aria-label": words,
      oninput: () => {
        oninput(Number(slider.value));
        fill(slider);
      },
    });
    fill(slider);
    return slider;
  }

  #row(word, slider) {
    return h("label", { class: "shaker-slider" }, h("span", {}, word), slider);
  }

  #choose() {
    if (!this.mode) return;
    this.shape.replaceChildren(
      ...this.mode.shape.map(({ label, value }) => h("div", {}, h("dt", {}, label), h("dd", {}, value))),
    );
    if (this.view?.shaking) this.#show(Number(this.deflection.value));
  }

  toggle() {
    if (this.frame) this.release();
    else this.start();
  }

  start() {
    if (!this.mode?.poses.length) return;
    this.player.pause();
    this.button.textContent = WORDS.stop;
    this.begun = performance.now();
    const step = (now) => {
      this.frame = requestAnimationFrame(step);
      const value = this.share * Math.sin(((now - this.begun) / 1000 / CYCLE) * 2 * Math.PI);
      this.deflection.value = value;
      fill(this.deflection);
      this.#show(value);
    };
    this.frame = requestAnimationFrame(step);
  }

  /** Hold still where it is. */
  stop() {
    if (this.frame) cancelAnimationFrame(this.frame);
    this.frame = null;
    this.button.textContent = WORDS.shake;
  }

  /** Give the picture back to the motion. */
  release() {
    if (!this.frame && !this.view?.shaking) return;
    this.stop();
    this.deflection.value = 0;
    fill(this.deflection);
    this.view?.still();
  }

  #show(value) {
    this.player.pause();
    this.view?.shake(this.mode.poses, this.entry.deflections, value);
  }
}

function fill(slider) {
  const share = (Number(slider.value) - Number(slider.min)) / (Number(slider.max) - Number(slider.min));
  slider.style.setProperty("--share", String(share));
}
