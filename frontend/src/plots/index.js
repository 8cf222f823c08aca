// The plots of a page: cards that share the time, the zoom and the colours.

import { kindColour, palette } from "./colours.js";
import { labelNode, mathText } from "./labels.js";
import { swatch } from "./legend.js";
import { numbers } from "./numbers.js";
import { Portrait, portraitData } from "./portrait.js";
import { SurfacePortrait } from "./portrait3d.js";
import { TimePlot } from "./timeplot.js";
import "./plots.css";

export { onSurface, surfaceMesh, surfacePoint } from "./surface.js";
export { labelNode, plain } from "./labels.js";

const GROUPS = [
  { group: "coordinates", title: "Coordinates" },
  { group: "velocities", title: "Velocities" },
  { group: "indicators", title: "Singularity indicators", log: true, named: true, markFindings: true, together: true, label: "indicator (no unit)" },
  { group: "energy", title: "Energy", named: true },
  { group: "drift", title: "Drift of energy and constraints", log: true, named: true, together: true, label: "size of the error" },
  { group: "multipliers", title: "Multipliers", named: true },
];
const REST = 200; // milliseconds without a change after which plots out of sight are drawn too
const QUANTITY = {
  rad: "angle", m: "length", "rad/s": "rate", "m/s": "speed", J: "energy", N: "force", "N m": "moment", "N·m": "moment", W: "power",
};

// Cards of all series and portraits of `doc` in `container`; onSeek(t) is called when a plot is hovered or dragged.
export function createPlots(container, doc, { theme = "light", onSeek = () => {} } = {}) {
  const plots = new Plots(container, doc, theme, onSeek);
  return {
    el: plots.el,
    setTime: (t) => plots.setTime(t),
    setMotion: (motion) => plots.setMotion(motion),
    setTheme: (name) => plots.setTheme(name),
    resize: () => plots.redraw(),
    drawCost: (n) => plots.drawCost(n),
    view: () => [...plots.link.view],
  };
}

// Coordinates by their letters; what has a name in words by that, and its letter.
function labelOf({ name, latex }, isNamed) {
  if (!isNamed) return latex || mathText(name);
  const words = `\\text{${String(name).replaceAll("_", " ")}}`;
  return latex && latex !== name ? `${words}\\quad ${latex}` : words;
}

class Plots {
  constructor(container, doc, theme, onSeek) {
    this.el = document.createElement("div");
    this.el.className = "plots";
    this.grid = this.el.appendChild(document.createElement("div"));
    this.grid.className = "plots-grid";
    container.append(this.el);
    this.model = doc.model;
    this.onSeek = onSeek;
    this.cards = new Map();
    this.waiting = new Map(); // plot -> whether its curves are to be drawn again
    this.visible = new WeakSet();
    this.drawn = new WeakSet();
    this.link = {
      time: 0,
      span: [0, 1],
      view: [0, 1],
      colours: palette(this.el, theme),
      seek: (t) => this.seek(t),
      zoom: (view) => this.zoom(view),
      refresh: (plot) => this.schedule(plot, true),
      refreshTop: (plot) => this.schedule(plot, false),
    };
    this.seen = new IntersectionObserver((entries) => this.scrolled(entries), { rootMargin: "120px" });
    this.sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => this.schedule(target.cardanPlot, true)));
    window.addEventListener("beforeprint", () => this.all().forEach((plot) => plot.draw()));
    this.setMotion(doc.motion);
  }

  // --- what is shown -------------------------------------------------------------------------------

  setMotion(motion) {
    const times = numbers(motion.times);
    const series = (motion.series ?? []).map((one) => ({ ...one, values: numbers(one.values) }));
    const shown = { ...motion, series };
    const span = times.length ? [times[0], times[times.length - 1]] : [0, 1];
    const isSame = span[0] === this.link.span[0] && span[1] === this.link.span[1];
    this.link.span = span;
    if (!isSame) this.link.view = [...span];
    this.link.time = Math.min(Math.max(this.link.time, span[0]), span[1]);
    const wanted = [...this.timeCards(shown, times), ...this.portraitCards(shown, times)];
    const keys = new Set(wanted.map((one) => one.key));
    for (const [key, card] of this.cards) {
      if (keys.has(key)) continue;
      card.plots.forEach((plot) => this.unwatch(plot));
      card.el.remove();
      this.cards.delete(key);
    }
    let before = null;
    for (const one of wanted) {
      const card = this.cards.get(one.key) ?? this.addCard(one);
      one.fill(card);
      if (before ? before.nextElementSibling !== card.el : this.grid.firstElementChild !== card.el) {
        if (before) before.after(card.el);
        else this.grid.prepend(card.el);
      }
      before = card.el;
    }
    this.redraw();
  }

  *timeCards(motion, times) {
    for (const spec of GROUPS) {
      const own = motion.series.filter((one) => one.group === spec.group);
      const units = [...new Set(own.map((one) => one.unit ?? ""))];
      const parts = spec.together || units.length < 2 ? [own] : units.map((unit) => own.filter((one) => (one.unit ?? "") === unit));
      for (const part of parts) {
        if (!part.length) continue;
        const unit = part[0].unit ?? "";
        const sameUnit = units.length < 2 || !spec.together;
        const log = part.some((one) => one.log) || Boolean(spec.log);
        const quantity = spec.label ?? QUANTITY[unit] ?? spec.title.toLowerCase();
        const label = `\\text{${quantity}${sameUnit && unit && unit !== "1" ? ` [${unit}]` : ""}}`;
        const title = parts.length > 1 ? `${spec.title}: ${quantity}` : spec.title;
        yield {
          key: `${spec.group}/${spec.together ? "" : unit}`,
          group: spec.group,
          title,
          make: () => [new TimePlot({ ...spec, title, label, log, sameUnit }, this.link)],
          fill: (card) => card.plots[0].show(part.map((one) => ({ ...one, label: labelOf(one, spec.named) })), motion, times),
        };
      }
    }
  }

  *portraitCards(motion, times) {
    for (const [k, portrait] of (this.model.portraits ?? []).entries()) {
      const data = portraitData(portrait, motion, times);
      if (!data) continue;
      yield {
        key: `portrait/${k}`,
        group: "portraits",
        title: portrait.title,
        aside: portrait.surface === "plane" ? "" : ` on a ${portrait.surface}`,
        make: () =>
          portrait.surface === "plane"
            ? [new Portrait(this.link, portrait.title)]
            : [new Portrait(this.link, portrait.title), new SurfacePortrait(this.link, portrait.title)],
        fill: (card) => {
          card.plots.forEach((plot) => plot.show(data));
          card.singular = data.singular;
          this.singularLegend(card);
        },
      };
    }
  }

  addCard({ key, group, title, aside, make }) {
    const el = document.createElement("section");
    el.className = `plot-card plot-card-${group}`;
    el.dataset.plot = key;
    const heading = document.createElement("h3");
    heading.append(group === "portraits" ? labelNode(mathText(title)) : title, aside ?? "");
    const reset = document.createElement("button");
    reset.type = "button";
    reset.className = "plot-reset";
    reset.textContent = "whole run";
    reset.title = "show the whole run again (double-click)";
    reset.hidden = true;
    reset.addEventListener("click", () => this.zoom(null));
    const head = document.createElement("header");
    head.append(heading, reset);
    const plots = make();
    const body = document.createElement("div");
    body.className = `plot-body plot-body-${plots.length}`;
    body.append(...plots.map((plot) => plot.layers.el));
    el.append(head, body);
    el.classList.toggle("plot-card-wide", plots.length > 1);
    const legend = document.createElement("div");
    el.append(plots[0].legend ? plots[0].legend.el : legend);
    const card = { el, plots, reset, legend };
    this.cards.set(key, card);
    for (const plot of plots) {
      plot.layers.el.cardanPlot = plot;
      this.seen.observe(plot.layers.el);
      this.sizes.observe(plot.layers.el);
    }
    return card;
  }

  singularLegend(card) {
    card.legend.className = "plot-legend";
    card.legend.replaceChildren(
      ...card.singular.map((one) => {
        const entry = document.createElement("span");
        entry.className = "plot-entry plot-singular";
        entry.append(swatch({ colour: kindColour(this.link.colours.theme, one.kind), dash: [6, 3] }), labelNode(mathText(one.label)));
        return entry;
      }),
    );
  }

  // --- what is shared ------------------------------------------------------------------------------

  seek(t) {
    const [low, high] = this.link.span;
    const time = Math.min(high, Math.max(low, t));
    this.setTime(time);
    this.onSeek(time);
  }

  setTime(t) {
    if (t === this.link.time) return;
    this.link.time = t;
    for (const plot of this.all()) this.schedule(plot, false);
  }

  // Shows a part of the run, at least 1/5000 of it; null shows all.
  zoom(view) {
    const [low, high] = this.link.span;
    const whole = high - low;
    let [from, to] = view ?? [low, high];
    const width = Math.min(whole, Math.max(to - from, whole / 5000));
    const middle = (from + to) / 2;
    from = Math.min(Math.max(view ? middle - width / 2 : low, low), high - width);
    this.link.view = [from, from + width];
    for (const card of this.cards.values()) {
      card.reset.hidden = width >= whole * (1 - 1e-9) || !(card.plots[0] instanceof TimePlot);
      card.plots.filter((plot) => plot instanceof TimePlot).forEach((plot) => this.schedule(plot, true));
    }
  }

  setTheme(theme) {
    this.link.colours = palette(this.el, theme);
    for (const card of this.cards.values()) {
      for (const plot of card.plots) plot.restyle?.();
      if (card.singular) this.singularLegend(card);
    }
    this.redraw();
  }

  // --- drawing -------------------------------------------------------------------------------------

  all() {
    return [...this.cards.values()].flatMap((card) => card.plots);
  }

  redraw() {
    for (const plot of this.all()) this.schedule(plot, true);
  }

  scrolled(entries) {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) this.visible.delete(target.cardanPlot);
      else if (!this.visible.has(target.cardanPlot)) {
        this.visible.add(target.cardanPlot);
        this.schedule(target.cardanPlot, true);
      }
    }
  }

  // Draws in the next frame what can be seen, and the rest when nothing has changed for a while.
  schedule(plot, isWhole) {
    if (!plot) return;
    this.waiting.set(plot, isWhole || (this.waiting.get(plot) ?? false));
    this.frame ??= requestAnimationFrame(() => this.flush());
  }

  flush(isAll = false) {
    this.frame = null;
    for (const [plot, isWhole] of [...this.waiting]) {
      if (!isAll && !this.visible.has(plot) && this.drawn.has(plot)) continue;
      this.waiting.delete(plot);
      this.drawn.add(plot);
      if (isWhole) plot.draw();
      else plot.drawTop();
    }
    clearTimeout(this.rest);
    if (this.waiting.size) this.rest = setTimeout(() => this.flush(true), REST);
  }

  unwatch(plot) {
    this.seen.unobserve(plot.layers.el);
    this.sizes.unobserve(plot.layers.el);
    this.waiting.delete(plot);
  }

  // Mean milliseconds of drawing each plot with all its curves: {key: ms}.
  drawCost(n = 20) {
    const found = {};
    for (const [key, card] of this.cards) {
      for (const plot of card.plots) {
        const start = performance.now();
        for (let k = 0; k < n; k++) plot.draw();
        const name = card.plots.indexOf(plot) ? `${key}/surface` : key;
        found[name] = (performance.now() - start) / n;
      }
    }
    return found;
  }
}
