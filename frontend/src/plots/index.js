// The plots of a page: cards that share the time, the zoom and the colours.
import { h } from "../dom.js";
import { Card } from "./card.js";
import { palette } from "./colours.js";
import { contentsOf } from "./contents.js";
import { Link } from "./link.js";
import { numbers } from "./numbers.js";
import { drawCost, Painter } from "./painter.js";
import "./plots.css";

export class Plots {
  #cards = new Map(); // by the key of what they show
  #painter = new Painter();

  /**
   * @param {HTMLElement} container @param {object} document of the page
   * @param {{theme: "light"|"dark", onSeek: (t: number) => void}} options onSeek hears of a time pointed at in a plot
   */
  constructor(container, { model, motion }, { theme, onSeek }) {
    this.model = model;
    this.grid = h("div", { class: "plots-grid" });
    this.element = h("div", { class: "plots" }, this.grid);
    container.append(this.element);
    this.link = new Link(palette(this.element, theme), this.#painter);
    this.link.addEventListener("time", () => this.#painter.redrawTops());
    this.link.addEventListener("view", () => this.#cards.forEach((card) => card.showView()));
    this.link.addEventListener("seek", () => onSeek(this.link.time));
    this.setMotion(motion);
  }

  /** Another motion: cards that it has too stay, with what is hidden and turned in them. */
  setMotion(motion) {
    const times = numbers(motion.times);
    const series = (motion.series ?? []).map((one) => ({ ...one, values: numbers(one.values) }));
    this.link.setRun(times);
    const contents = contentsOf(this.model, { ...motion, series }, times, this.link);
    this.#dropAllBut(new Set(contents.map(({ key }) => key)));
    this.#arrange(contents.map((content) => this.#filled(content)));
    this.resize();
  }

  #dropAllBut(keys) {
    for (const [key, card] of this.#cards) {
      if (keys.has(key)) continue;
      card.plots.forEach((plot) => this.#painter.unwatch(plot));
      card.element.remove();
      this.#cards.delete(key);
    }
  }

  /** The card of this content, a new one where there is none, showing it. */
  #filled(content) {
    const card = this.#cards.get(content.key) ?? this.#add(content);
    content.fill(card);
    return card;
  }

  #add(content) {
    const card = new Card(content, this.link);
    this.#cards.set(content.key, card);
    card.plots.forEach((plot) => this.#painter.watch(plot));
    return card;
  }

  /** Puts the cards in this order and moves none that is in its place: to move is to be drawn again. */
  #arrange(cards) {
    let next = this.grid.firstElementChild;
    for (const { element } of cards) {
      if (element === next) next = next.nextElementSibling;
      else this.grid.insertBefore(element, next);
    }
  }

  setTime(t) {
    this.link.setTime(t);
  }

  setTheme(theme) {
    this.link.colours = palette(this.element, theme);
    this.#cards.forEach((card) => card.restyle());
    this.resize();
  }

  resize() {
    this.#painter.redrawAll();
  }

  /** The times between which the curves are shown. */
  view() {
    return [...this.link.view];
  }

  /** Mean milliseconds of drawing each plot with all its curves: {key: ms}. */
  drawCost(n = 20) {
    const costs = [...this.#cards].flatMap(([key, { plots }]) =>
      plots.map((plot, k) => [k ? `${key}/surface` : key, drawCost(plot, n)]),
    );
    return Object.fromEntries(costs);
  }
}
