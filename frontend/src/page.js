// The page: its parts, where they are, and what tells what.
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { listen, shortcuts } from "./keyboard.js";
import { Controls } from "./panels/controls.js";
import { equationsPanel } from "./panels/equations.js";
import { exportsPanel } from "./panels/exports.js";
import { Explanation } from "./panels/explanation.js";
import { Audit, provenancePanel } from "./panels/facts.js";
import { Help } from "./panels/help.js";
import { StudyMap } from "./panels/map.js";
import { Meters } from "./panels/meters.js";
import { Moments } from "./panels/moments.js";
import { Now } from "./panels/now.js";
import { Special } from "./panels/special.js";
import { Toolbar } from "./panels/toolbar.js";
import { Transport } from "./panels/transport.js";
import { Verdict } from "./panels/verdict.js";
import { Player } from "./player.js";
import { Plots } from "./plots/index.js";
import { createView } from "./scene/stage.js";

export class Page {
  /**
   * @param {HTMLElement} root @param {object} document decoded @param {import("./theme.js").Theme} theme
   * @param {object|null} requests of a viewer
   */
  constructor(root, document, theme, requests = null) {
    this.root = root;
    this.document = document;
    this.theme = theme;
    this.player = new Player(document.motion.times);
    this.#parts(requests);
    this.#layout();
    this.#listen();
    this.setMotion(document.motion);
    this.player.seek(this.player.start);
  }

  #parts(requests) {
    const { model, motion } = this.document;
    const goto = (t) => this.goto(t);
    this.explanation = new Explanation(goto);
    const explain = (finding) => this.explanation.show(finding);
    this.now = new Now(explain);
    this.stage = createView(this.document, this.theme, () => this.invalidate());
    this.view = this.stage.view;
    this.toolbar = this.view ? new Toolbar(this.view, model) : null;
    this.transport = new Transport(this.player, explain);
    this.meters = new Meters(this.explanation);
    this.moments = new Moments({ goto, explain });
    this.audit = new Audit();
    this.help = new Help();
    this.verdict = new Verdict(model);
    this.special = new Special(model, this.view, this.player);
    this.plotsHolder = h("section", { class: "panel bare", id: "panel-plots", "aria-label": "plots" });
    const duration = motion.times.length ? motion.times[motion.times.length - 1] - motion.times[0] : 1;
    this.controls = model.controls?.length && requests ? new Controls(model.controls, duration, requests) : null;
    const show = this.controls ? (change) => this.#put(change) : null;
    this.map = model.map ? new StudyMap(model.map, show) : null;
  }

  #layout() {
    const { model } = this.document;
    this.stage.element.append(...[this.toolbar?.top, this.now.element, this.toolbar?.bottom].filter(Boolean));
    const column = [
      this.map?.element,
      this.controls?.element,
      this.verdict.element,
      this.moments.element,
      this.special.element,
      this.plotsHolder,
      this.audit.element,
      equationsPanel(model),
      provenancePanel(model),
      exportsPanel(this),
    ];
    this.root.replaceChildren(
      h(
        "header",
        { class: "page-head" },
        h("span", { class: "mark-cardan", "aria-hidden": "true" }),
        h("h1", {}, model.name),
        h("span", { class: "spacer" }),
        h(
          "button",
          {
            class: "round",
            type: "button",
            title: "light or dark (D)",
            "aria-label": "light or dark",
            onclick: () => this.theme.toggle(),
          },
          icon(ICONS.theme),
        ),
        h(
          "button",
          {
            class: "round",
            type: "button",
            title: "keys (?)",
            "aria-label": "keys",
            onclick: () => this.help.toggle(),
          },
          icon(ICONS.help),
        ),
      ),
      h(
        "main",
        { class: "page-main" },
        h(
          "div",
          { class: "left" },
          h("div", { class: "theatre" }, this.stage.element, this.transport.element),
          this.meters.element,
        ),
        h("div", { class: "right" }, column),
      ),
      this.explanation.element,
      this.help.element,
    );
    this.plots = new Plots(this.plotsHolder, this.document, { theme: this.theme.name, onSeek: (t) => this.goto(t) });
  }

  #listen() {
    const { player, theme, help } = this;
    player.addEventListener("time", () => {
      this.special.release();
      this.invalidate();
    });
    player.addEventListener("state", () => this.invalidate());
    theme.addEventListener("change", () => {
      this.view?.setTheme();
      this.plots.setTheme(theme.name);
      this.map?.draw();
    });
    const view = this.view ?? { look: () => {}, toggle: () => {} };
    const list = shortcuts({ player, view, theme, help });
    help.setShortcuts(list);
    listen(list);
    new ResizeObserver(() => this.#resize()).observe(this.stage.element);
    window.addEventListener("resize", () => this.plots.resize());
    window.addEventListener("beforeprint", () => this.draw()); // browsers keep no picture that was drawn before
  }

  #resize() {
    const { clientWidth, clientHeight } = this.stage.element;
    if (clientWidth && clientHeight) this.view?.resize(clientWidth, clientHeight);
  }

  /** The run of another pixel: seen whole, from its start. */
  #put(change) {
    this.isOther = true;
    this.player.seek(this.player.start);
    this.controls.put(change);
  }

  /** Another motion of the same model. */
  setMotion(motion) {
    const isNew = this.document.motion !== motion;
    this.document.motion = motion;
    this.player.setTimes(motion.times);
    if (isNew) {
      this.view?.setMotion(motion);
      if (this.isOther && this.view && !this.view.rig.isTurned) this.view.look(this.view.rig.preset);
      this.isOther = false;
      this.plots.setMotion(motion);
      this.verdict.setMotion(motion);
    }
    for (const part of [this.now, this.toolbar, this.transport, this.meters, this.moments, this.audit])
      part?.setMotion(motion);
    this.invalidate();
  }

  /** Stop at a time. */
  goto(t) {
    this.player.pause();
    this.player.seek(t);
  }

  /** Ask for a frame: everything is drawn once, however many things changed. */
  invalidate() {
    this.frame ??= requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now) {
    this.frame = null;
    const since = this.before === undefined ? 0 : (now - this.before) / 1000;
    this.before = this.player.playing ? now : undefined;
    this.player.advance(Math.min(since, 0.25)); // a page that was hidden does not jump ahead
    const gliding = this.draw();
    if (this.player.playing || gliding) this.invalidate();
  }

  /** Show the player's time everywhere. */
  draw() {
    const { time } = this.player;
    if (time !== this.drawn?.time || this.document.motion !== this.drawn?.motion) {
      this.drawn = { time, motion: this.document.motion };
      this.view?.setTime(time);
      this.plots.setTime(time);
      for (const part of [this.now, this.transport, this.meters]) part.setTime(time);
      this.moments.setTime(time, this.now.around / 4);
    }
    return this.view?.width ? this.view.render() : false;
  }
}
